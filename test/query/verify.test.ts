import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AskResult, UnderstoryError } from "#contract";
import type { GenerateInput, LanguageModel } from "#main/llm/ports.ts";
import { ask } from "#main/query/ask.ts";
import { gatherCandidates } from "#main/query/candidates/candidates.ts";
import { peopleIndex } from "#main/query/plan/people.ts";
import { planQuestion } from "#main/query/plan/plan.ts";
import type { QueryPorts, Rerank } from "#main/query/ports.ts";
import { recall } from "#main/query/recall/recall.ts";
import { likeness } from "#main/query/verify/likeness.ts";
import { utilityOf, verifyWithModel } from "#main/query/verify/model.ts";
import { reordered } from "#main/query/verify/opinion.ts";
import { type ChainRow, eligiblePairs, enforceProtocol, enforceScores } from "#main/query/verify/protocol.ts";
import { rerankCandidates } from "#main/query/verify/rerank.ts";
import { verify } from "#main/query/verify/verify.ts";
import { scripted } from "#test/llm/scripted.ts";
import { addResult, archiveOf, type TestArchive } from "./archive.ts";

const chat = () =>
  archiveOf([
    { chat: "Boat", by: "Nora", at: "2024-05-01T10:00:00", text: "What does the berth at the harbour cost a year?" },
    { chat: "Boat", by: "Hanno", at: "2024-05-01T10:01:00", text: "480 euros, they told me at the office." },
    { chat: "Boat", by: "Nora", at: "2024-05-03T10:00:00", text: "The harbour was lovely tonight, such a calm sea." },
    { chat: "Boat", by: "Hanno", at: "2024-05-04T10:00:00", text: "We met the harbour master again today." },
  ]);
const question = "How much does the berth at the harbour cost?";

function gathered({ ports }: TestArchive, asked = question) {
  const context = { today: "2024-08-01", firstDay: null, lastDay: null, people: peopleIndex(ports.records.people()) };
  const plan = planQuestion(asked, context);
  const recalled = recall(plan, ports, { text: null, seen: null, picture: null });
  return { plan, recalled, set: gatherCandidates(plan, recalled, ports) };
}

async function results(archive: TestArchive, more: Partial<QueryPorts>) {
  const found: { final: boolean; result: AskResult }[] = [];
  for await (const event of ask({ question, today: "2024-08-01" }, { ...archive.ports, ...more })) {
    if (event.type === "result") addResult(found, { final: event.final, result: event.result });
  }
  return found;
}

/** A cross-encoder that likes one word. */
const liking =
  (word: string): Rerank =>
  async ({ texts }) => ({ modelId: "scripted@1", logits: texts.map((text) => (text.includes(word) ? 8 : -8)) });

describe("the protocol", () => {
  const eligible = eligiblePairs(
    [
      { recordId: 1, anchor: true },
      { recordId: 2, anchor: false },
      { recordId: 3, anchor: false },
    ],
    [
      { from: 1, to: 2, relation: "reply_to", weight: 0.9 },
      { from: 2, to: 3, relation: "consecutive_turn", weight: 0.9 },
    ],
  );
  const candidates = [{ recordId: 1 }, { recordId: 2 }, { recordId: 3 }];
  const none = (recordId: number): ChainRow => ({ recordId, bestAnchorId: null, increment: 0, role: "irrelevant" });

  it("has one row for each candidate, in order, whatever was answered; unknown and repeated ids fall away", () => {
    const row: ChainRow = { recordId: 2, bestAnchorId: 1, increment: 3, role: "new_fact" };
    expect(enforceProtocol([row, { ...row, increment: 5 }, { ...row, recordId: 9 }], candidates, eligible)).toEqual([
      none(1),
      row,
      none(3),
    ]);
  });

  it("clears an anchor that no edge joins, is none, or is missing, and support outside its range", () => {
    for (const bad of [
      { recordId: 3, bestAnchorId: 1 },
      { recordId: 3, bestAnchorId: 2 },
      { recordId: 2, bestAnchorId: null },
      { recordId: 2, bestAnchorId: 1, increment: 6 },
      { recordId: 2, bestAnchorId: 1, increment: Number.NaN },
    ]) {
      const rows = enforceProtocol([{ increment: 4, role: "new_fact", ...bad }], candidates, eligible);
      expect(rows).toEqual([none(1), none(2), none(3)]);
    }
  });

  it("gives no support to a role that earns none, and no role to support of nothing", () => {
    const row = (role: ChainRow["role"], increment: number): ChainRow => ({
      recordId: 2,
      bestAnchorId: 1,
      increment,
      role,
    });
    expect(enforceProtocol([row("conflict", 4)], candidates, eligible)[1]).toEqual(row("conflict", 0));
    expect(enforceProtocol([row("redundant", 4)], candidates, eligible)[1]).toEqual(row("redundant", 0));
    expect(enforceProtocol([row("new_fact", 0)], candidates, eligible)[1]).toEqual(none(2));
  });

  it("refuses scores of unknown records, of one record twice, and outside 0–5; what is left out has 0", () => {
    expect([...enforceScores([{ recordId: 2, score: 4 }], [1, 2])]).toEqual([
      [1, 0],
      [2, 4],
    ]);
    for (const scores of [
      [{ recordId: 9, score: 1 }],
      [
        { recordId: 1, score: 1 },
        { recordId: 1, score: 1 },
      ],
      [{ recordId: 1, score: 5.5 }],
      [{ recordId: 1, score: -1 }],
    ]) {
      expect(() => enforceScores(scores, [1, 2])).toThrow(UnderstoryError);
    }
  });
});

describe("the rules' chain verifier", () => {
  it("gives the same rows whatever a node verifier has said", () => {
    const archive = chat();
    const { plan, recalled, set } = gathered(archive);
    const before = verify(plan, set.candidates, set.edges, recalled);
    const turned = new Map(set.candidates.map(({ recordId }, at) => [recordId, (at + 1) / 100]));
    const after = verify(plan, reordered(set.candidates, turned), set.edges, recalled);
    const byId = (rows: readonly ChainRow[]) => [...rows].sort((a, b) => a.recordId - b.recordId);
    expect(byId(after.rows)).toEqual(byId(before.rows));
    expect(after.utilities).not.toEqual(before.utilities);
  });
});

describe("the rules' roles", () => {
  const rolesOf = (drafts: Parameters<typeof archiveOf>[0], asked: string) => {
    const archive = archiveOf(drafts);
    const { plan, recalled, set } = gathered(archive, asked);
    const { rows, edges } = verify(plan, set.candidates, set.edges, recalled);
    return {
      ids: archive.ids,
      row: (at: number) => rows.find(({ recordId }) => recordId === archive.ids[at]),
      tied: (a: number, b: number) =>
        edges.some(
          ({ from, to, cost }) =>
            cost !== null && [from, to].sort().join() === [archive.ids[a], archive.ids[b]].sort().join(),
        ),
    };
  };

  it("an answer behind the question that it answers is a clarification", () => {
    const { row, ids } = rolesOf(
      [
        {
          chat: "Boat",
          by: "Nora",
          at: "2024-05-01T10:00:00",
          text: "What does the berth at the harbour cost a year?",
        },
        { chat: "Boat", by: "Hanno", at: "2024-05-01T10:01:00", text: "They told me at the office: too much." },
      ],
      "What does the berth at the harbour cost?",
    );
    expect(row(1)).toMatchObject({ bestAnchorId: ids[0], role: "clarification" });
  });

  it("the same said again is redundant, by somebody else a corroboration", () => {
    const line = "The berth at the harbour costs 480 euros a year, paid in March.";
    const said = (by: string) =>
      rolesOf(
        [
          { chat: "Boat", by: "Nora", at: "2024-05-01T10:00:00", text: line },
          { chat: "Boat", by, at: "2024-05-01T10:02:00", text: `${line.replace("costs", "cost")}!` },
        ],
        "What does the berth at the harbour cost?",
      );
    const roles = (by: string) => [said(by).row(0)?.role, said(by).row(1)?.role];
    expect(roles("Nora")).toContain("redundant");
    expect(roles("Hanno")).toContain("corroboration");
  });
});

describe("likeness of two texts", () => {
  it("is 1 for the same letters whatever case and punctuation, symmetric, and between 0 and 1", () => {
    expect(likeness("See you at NINE!", "see you, at nine")).toBe(1);
    expect(likeness("kitten", "sitting")).toBeCloseTo(1 - 3 / 7, 12);
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        const found = likeness(a, b);
        expect(found).toBeGreaterThanOrEqual(0);
        expect(found).toBeLessThanOrEqual(1);
        expect(likeness(b, a)).toBeCloseTo(found, 12);
        expect(likeness(a, a)).toBe(1);
      }),
    );
  });

  it("is told exactly from the least that is asked for on, and below it as no more than that", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c", " "), maxLength: 40 });
    fc.assert(
      fc.property(text, text, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, least) => {
        const all = likeness(a, b);
        if (all >= least) expect(likeness(a, b, least)).toBe(all);
        else expect(likeness(a, b, least)).toBeLessThan(least);
      }),
    );
  });
});

describe("the reranked tier", () => {
  it("comes after the instant one, is told as what it is, and moves records but no frozen rank or anchor", async () => {
    const archive = chat();
    const found = await results(archive, { rerank: liking("master") });
    expect(found.map(({ final, result }) => [final, result.tier])).toEqual([
      [false, "instant"],
      [true, "reranked"],
    ]);
    const { plan, set } = gathered(archive);
    const { judged, rows } = await rerankCandidates(plan, set.candidates, liking("master"));
    expect(rows).toBeNull();
    const [first] = reordered(set.candidates, judged);
    const same = set.candidates.find(({ recordId }) => recordId === first?.recordId);
    expect(first).toEqual({ ...same, probability: first?.probability });
    const master = set.candidates.find(({ record }) => record.text?.includes("master"));
    expect(judged.get(master?.recordId ?? 0)).toBeGreaterThan(master?.prior ?? 1);
  });

  it("leaves the calibrated probabilities where they were when the cross-encoder likes everything alike", async () => {
    const { plan, set } = gathered(chat());
    const { judged } = await rerankCandidates(plan, set.candidates, liking(""));
    for (const { recordId, prior } of set.candidates) {
      expect(judged.get(recordId)).toBeCloseTo(Math.min(0.999, Math.max(0.001, prior)), 9);
    }
  });

  it("that fails or gives too few scores leaves the instant answer, which says so", async () => {
    const archive = chat();
    const broken: Rerank[] = [
      async () => {
        throw new UnderstoryError("memory_short", "It needs 230 MB; 20 MB are free.");
      },
      async () => ({ modelId: "scripted@1", logits: [1] }),
    ];
    for (const rerank of broken) {
      const found = await results(archive, { rerank });
      expect(found.map(({ final, result }) => [final, result.tier])).toEqual([
        [false, "instant"],
        [true, "instant"],
      ]);
      expect(found[1]?.result.answer).toBe(found[0]?.result.answer);
      expect(found[1]?.result.notes.join(" ")).toMatch(/reranker/);
    }
  });
});

/** A large model that answers both verifiers as it is told, and keeps what it was asked. */
function large(scores: unknown, rows: unknown): LanguageModel & { asked: GenerateInput[] } {
  const model = scripted([]);
  return {
    ...model,
    parameters: 4_000_000_000,
    contextTokens: 32_768,
    async *generate(input) {
      model.asked.push(input);
      const isChain = input.turns.some(({ text }) => text.includes("best_anchor_id"));
      yield JSON.stringify(isChain ? rows : scores);
    },
  };
}

const both = new Set(["relevance", "verifier", "chain"] as const);

describe("the verified tier", () => {
  it("takes scores and rows of a large model, asked for apart from each other", async () => {
    const { plan, set } = gathered(chat());
    const index = (word: string) => set.candidates.findIndex(({ record }) => record.text?.includes(word));
    const name = (word: string) => `r${index(word) + 1}`;
    const eligible = eligiblePairs(set.candidates, set.edges);
    const rows = set.candidates.flatMap(({ recordId }, at) =>
      (eligible.get(recordId)?.size ?? 0) > 0
        ? [
            {
              id: `r${at + 1}`,
              best_anchor_id: recordId === set.candidates[index("480")]?.recordId ? name("What does") : null,
              incremental_support: 5,
              role: "clarification",
            },
          ]
        : [],
    );
    const model = large({ scores: [{ id: name("480"), score: 5 }] }, { rows });
    const opinion = await verifyWithModel(plan, set, model, both);
    const answer = set.candidates[index("480")];
    expect(opinion.judged.get(answer?.recordId ?? 0)).toBeCloseTo(utilityOf(answer?.prior ?? 0, 5), 9);
    expect(opinion.rows?.find(({ recordId }) => recordId === answer?.recordId)).toMatchObject({
      bestAnchorId: set.candidates[index("What does")]?.recordId,
      increment: 5,
      role: "clarification",
    });
    // Two calls, neither of which has anything of the other's answer in it.
    expect(model.asked.length).toBe(2);
    const [first, second] = model.asked.map(({ turns }) => turns.at(-1)?.text ?? "");
    expect(first?.replace(/ \| anchors: [r\d, ]+/g, "")).toContain("480 euros");
    expect(second).not.toMatch(/score/);
  });

  it("keeps the retrieval's order and the rules' rows where the model's answers break the protocol", async () => {
    const archive = chat();
    const { plan, set } = gathered(archive);
    const model = large({ scores: [{ id: "r1", score: 9 }] }, { rows: [{ id: "r99" }] });
    await expect(verifyWithModel(plan, set, model, both)).rejects.toMatchObject({ code: "inference_failed" });
    // Three tries each.
    expect(model.asked.length).toBe(6);
    const found = await results(archive, { judge: async () => model, judgeTasks: both });
    expect(found.at(-1)?.result.tier).toBe("instant");
    expect(found.at(-1)?.result.notes.join(" ")).toContain("nothing that could be used");
  });

  it("asks a small model for the likelihood of the question and for nothing else", async () => {
    const { plan, set } = gathered(chat());
    const small = { ...scripted([]), parameters: 500_000_000 };
    const opinion = await verifyWithModel(plan, set, small, both);
    expect(opinion.judged.size).toBe(set.candidates.length);
    expect(opinion.rows).toBeNull();
    expect(small.asked).toEqual([]);
  });

  it("comes last when there is a reranker too", async () => {
    const found = await results(chat(), { rerank: liking("480"), judge: async () => scripted([]) });
    expect(found.map(({ final, result }) => [final, result.tier])).toEqual([
      [false, "instant"],
      [false, "reranked"],
      [true, "verified"],
    ]);
  });
});
