import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AskResult, emptyPlan, type Feedback, type QueryPlan, type Verdict } from "#contract";
import { likeness, marksFor, weighFeedback } from "#main/query/converse/feedback.ts";
import type { Recall, Scored } from "#main/query/recall/recall.ts";
import { archiveOf } from "./archive.ts";

const plan = (question: string, more: Partial<QueryPlan> = {}): QueryPlan => ({
  ...emptyPlan(question),
  terms: question.split(" "),
  ...more,
});

const archive = () =>
  archiveOf([
    { text: "The boiler was repaired by Otto for 210 euros.", by: "Ada", at: "2024-03-01T10:00:00", chat: "House" },
    { text: "The boiler was repaired by Jens for 180 euros.", by: "Ada", at: "2024-03-02T10:00:00", chat: "House" },
    { text: "The bicycle was repaired by Nora.", by: "Ada", at: "2024-03-03T10:00:00", chat: "House" },
  ]);
const ranks = ({ forest, leftOut }: AskResult) =>
  [...forest.nodes.map(({ recordId, utility }) => ({ recordId, utility })), ...leftOut].toSorted(
    (a, b) => b.utility - a.utility,
  );
const utilityOf = (result: AskResult, id: number) =>
  ranks(result).find(({ recordId }) => recordId === id)?.utility ?? 0;

describe("what the owner said counts for like questions", () => {
  it("wrong goes down, helpful goes up, and taking it back undoes it", async () => {
    const { ids, ask, say } = archive();
    const question = "Who repaired the boiler?";
    const before = await ask(question);
    for (const [verdict, sign] of [
      ["wrong", -1],
      ["outdated", -1],
      ["helpful", 1],
    ] as const) {
      const undo = say({ plan: before.plan, verdict, records: [ids[0] ?? 0], whole: false });
      const after = await ask("Who was the boiler repaired by?");
      expect(Math.sign(utilityOf(after, ids[0] ?? 0) - utilityOf(before, ids[0] ?? 0))).toBe(sign);
      expect(after.feedback).toMatchObject([{ recordId: ids[0], verdict }]);
      undo();
      const again = await ask(question);
      expect({ ...again, trace: [] }).toEqual({ ...before, trace: [] });
    }
  });

  it("is told: a claim that stands on what is outdated is said to be, and the trace says how much a verdict weighed", async () => {
    const { ids, ask, say } = archive();
    const { plan: asked, claims } = await ask("Who repaired the bicycle?");
    expect(claims[0]?.standing).toBe("current");
    say({ plan: asked, verdict: "outdated", records: [ids[2] ?? 0], whole: false });
    const after = await ask("Who repaired the bicycle?");
    expect(after.claims[0]?.standing).toBe("superseded");
    expect(after.notes).toContain("You have said that some of this is outdated.");
    const recall = after.trace.find(({ stage }) => stage === "recall");
    expect(recall?.detail.feedback).toMatchObject([{ recordId: ids[2], verdict: "outdated" }]);
    expect(JSON.stringify(recall?.detail.top)).toContain('"feedback":-');
  });

  it("means nothing for another question", async () => {
    const { ids, ask, say } = archive();
    const before = await ask("Who repaired the bicycle?");
    say({ plan: plan("boiler price"), verdict: "wrong", records: [ids[2] ?? 0], whole: false });
    const after = await ask("Who repaired the bicycle?");
    expect({ ...after, trace: [] }).toEqual({ ...before, trace: [] });
  });
});

describe("how alike two questions are", () => {
  it.each([
    [plan("boiler repaired"), plan("boiler repaired"), 1, 1],
    [plan("boiler repaired"), plan("Boiler, repaired?", { terms: ["boiler", "repaired"] }), 1, 1],
    [plan("boiler repaired"), plan("repairing boilers", { terms: ["repairing", "boilers"] }), 0.9, 1],
    [plan("boiler repaired price"), plan("boiler price"), 0.6, 0.7],
    [plan("boiler repaired"), plan("bicycle repaired"), 0, 0.4],
    [
      plan("rent"),
      plan("rent", { question: "rent 2019", windows: [{ from: "2019-01-01", to: "2019-12-31", text: "" }] }),
      0.7,
      0.9,
    ],
    [
      plan("rent", { windows: [{ from: "2018-01-01", to: "2018-12-31", text: "" }] }),
      plan("rent", { windows: [{ from: "2019-01-01", to: "2019-12-31", text: "" }] }),
      0,
      0,
    ],
    [plan(""), plan("?"), 1, 1],
  ])("%#", (a, b, least, most) => {
    expect(likeness(a, b)).toBeGreaterThanOrEqual(least);
    expect(likeness(a, b)).toBeLessThanOrEqual(most);
    expect(likeness(b, a)).toBe(likeness(a, b));
  });
});

describe("of several verdicts", () => {
  const said = (id: number, verdict: Verdict, records: number[], whole = false): Feedback => ({
    id,
    at: `2024-01-0${id}T00:00:00.000Z`,
    plan: plan("boiler repaired"),
    verdict,
    records,
    whole,
  });
  it("the last about a record holds, and one about the record before one about its answer", () => {
    const newestFirst = [
      said(4, "helpful", [1, 2], true),
      said(3, "wrong", [2]),
      said(2, "helpful", [2]),
      said(1, "outdated", [3]),
    ];
    const marks = marksFor(plan("boiler repaired"), newestFirst);
    expect([...marks].map(([id, { verdict }]) => [id, verdict]).sort()).toEqual([
      [1, "helpful"],
      [2, "wrong"],
      [3, "outdated"],
    ]);
  });

  it("the effect is bounded: nothing moves further than from the first place to the tenth, and only what was marked", () => {
    const verdict = fc.constantFrom<Verdict>("helpful", "wrong", "outdated");
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: 1, maxLength: 30 }),
        fc.array(fc.tuple(verdict, fc.integer({ min: 1, max: 30 }), fc.boolean()), { maxLength: 9 }),
        (scores, verdicts) => {
          const ranked = scores
            .sort((a, b) => b - a)
            .map(
              (score, at): Scored => ({ recordId: at + 1, score, probability: 0.5, features: noFeatures, parts: {} }),
            );
          const recalled = recallOf(ranked);
          const marks = marksFor(
            plan("boiler repaired"),
            verdicts.map(([one, record, whole], at) => said(at + 1, one, [record], whole)),
          );
          const weighed = weighFeedback(recalled, marks);
          const room = (ranked[0]?.score ?? 0) - ((ranked[9] ?? ranked.at(-1))?.score ?? 0);
          const most = Math.max(room, Math.abs(ranked[0]?.score ?? 0) * 0.1, 0.01) + 1e-9;
          expect(weighed.ranked.map(({ recordId }) => recordId).sort()).toEqual(
            ranked.map(({ recordId }) => recordId).sort(),
          );
          for (const { recordId, score, probability } of weighed.ranked) {
            const before = ranked[recordId - 1]?.score ?? 0;
            expect(Math.abs(score - before)).toBeLessThanOrEqual(marks.has(recordId) ? most : 0);
            expect(probability).toBeGreaterThan(0.1);
            expect(probability).toBeLessThan(0.9);
          }
        },
      ),
    );
  });
});

const noFeatures = {} as Scored["features"];
function recallOf(ranked: Scored[]): Recall {
  return {
    ranked,
    score: () => [],
    known: 1,
    sources: {},
    asked: { language: "en", terms: [], names: [], dated: new Set(), rarest: 6 },
    around: () => new Map(),
    seen: new Map(),
    grounds: new Map(),
  };
}
