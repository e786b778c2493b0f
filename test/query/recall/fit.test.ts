import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { featureNames } from "#main/query/ports.ts";
import type { Dialogue } from "#test/bench/dialogues.ts";
import { readLocomo } from "#test/bench/dialogues.ts";
import { calibrate, columnsOf, leaveOneOutOf, recallAt, weightsAfter } from "#test/bench/fit/protocol.ts";
import { fitSoftmax, type Sample } from "#test/bench/fit/softmax.ts";
import { nicknameOf, perturb } from "#test/bench/perturb.ts";
import { perturbChat } from "#test/bench/perturb-chat.ts";
import type { Row } from "#test/bench/recall-rows.ts";

const folder = mkdtempSync(join(tmpdir(), "understory-fit-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sample = (
  rows: readonly (readonly number[])[],
  gold: readonly number[],
  share = gold.map((_, at) => at),
): Sample => ({
  values: Float32Array.from(rows.flat()),
  gold,
  share,
});

describe("fitting by listwise softmax", () => {
  it("finds the feature that tells gold from the rest, and leaves noise alone", () => {
    const samples = Array.from({ length: 40 }, (_, at) =>
      sample(
        Array.from({ length: 10 }, (_, row) => [row === at % 10 ? 1 : 0, ((row * 7 + at * 4) % 5) / 5]),
        [at % 10],
      ),
    );
    const { weights } = fitSoftmax(samples, 2, [0, 1], 1e-2);
    expect(weights[0]).toBeGreaterThan(1);
    expect(Math.abs(weights[1] ?? 1)).toBeLessThan(0.1);
  });

  it("is content with any message of a turn that was split", () => {
    // Two messages of one turn: the first is like no gold of the other questions.
    const rows = [[0], [1], [0], [0]];
    const whole = fitSoftmax([sample(rows, [0, 1], [0, 0])], 1, [0], 1e-2).weights[0] ?? 0;
    const each = fitSoftmax([sample(rows, [0, 1], [0, 1])], 1, [0], 1e-2).weights[0] ?? 0;
    expect(whole).toBeGreaterThan(each);
  });

  it("says nothing of questions without gold in the pool", () => {
    expect(fitSoftmax([sample([[0], [1]], [])], 1, [0], 1e-2).weights[0]).toBe(0);
  });
});

function row(dialogue: number, near: readonly number[], gold: readonly number[], share = gold.map((_, at) => at)): Row {
  const values = new Float32Array(near.length * featureNames.length);
  near.forEach((value, at) => {
    values[at * featureNames.length + featureNames.indexOf("near")] = value;
  });
  const ids = near.map((_, at) => at + 1);
  return { dialogue, question: "", category: "single", golds: new Set(share).size, ids, values, gold, share, ms: 0 };
}

describe("the protocol", () => {
  it("counts a turn once, however many of its messages are found", () => {
    const two = row(0, [3, 2, 1, 0], [0, 1, 3], [0, 0, 1]);
    expect(recallAt(two, [3, 2, 1, 0], 2)).toBe(0.5);
    expect(recallAt(two, [3, 2, 1, 0], 4)).toBe(1);
  });

  it("leaves a dialogue out together with its twin", () => {
    const rows = [row(0, [1, 0, 0], [0]), row(1, [1, 0, 0], [0])];
    // The twin of the second says the opposite: whoever saw it would rank the second the wrong way round.
    const twins = Array.from({ length: 3 }, () => row(1, [1, 0, 0], [1]));
    const scores = leaveOneOutOf(rows, { names: ["near"], l2: 1e-2, twins });
    expect(scores.rows[1]?.[0]).toBeGreaterThan(scores.rows[1]?.[1] ?? 0);
    expect(scores.rows[0]?.[0]).toBeLessThan(scores.rows[0]?.[1] ?? 0);
    expect(scores.twins[0]?.[0]).toBeGreaterThan(scores.twins[0]?.[1] ?? 0);
  });

  it("fits a feature beside others that stand, up to its largest weight", () => {
    const rows = Array.from({ length: 20 }, () => {
      const one = row(0, [1, 0.9, 0], [1]);
      one.values[featureNames.length + featureNames.indexOf("shows")] = 1;
      return one;
    });
    const fitted = (most: number) =>
      weightsAfter(rows, { names: ["near"], l2: 1e-2, after: [{ name: "shows", most }] }, [2])[0] ?? 0;
    expect(fitted(100)).toBeGreaterThan(1);
    expect(fitted(1)).toBe(1);
  });

  it("promises as much as it keeps", () => {
    const rows = Array.from({ length: 60 }, (_, at) =>
      row(
        0,
        Array.from({ length: 20 }, (_, i) => (i === at % 20 ? 5 : i / 20)),
        [at % 20],
      ),
    );
    const scores = rows.map(({ values, ids }) =>
      Float64Array.from(ids, (_, at) => values[at * featureNames.length + (columnsOf(["near"])[0] ?? 0)] ?? 0),
    );
    expect(calibrate(rows, scores).ece).toBeLessThan(0.02);
  });
});

const lines: readonly (readonly [string, string])[] = [
  ["Caroline", "Hey Melanie! I went to the pottery class yesterday. It was great, and I made a blue bowl."],
  ["Melanie", "Wow, how nice! What colour will the next one be?"],
  ["Caroline", "Green, I think. I don't know yet."],
  ["Melanie", "We took the children to the lighthouse last weekend. They loved the stairs."],
];

/** Two small conversations in LoCoMo's layout. */
function writeLocomo(): void {
  const conversation = {
    session_1_date_time: "1:56 pm on 8 May, 2023",
    session_1: lines.map(([speaker, text], at) => ({ speaker, text, dia_id: `D1:${at + 1}` })),
    session_2_date_time: "9:00 am on 2 June, 2023",
    session_2: [
      { speaker: "Melanie", text: "I sold my old kayak to a neighbour.", dia_id: "D2:1" },
      { speaker: "Caroline", text: "Good for you. My bowl broke, by the way.", dia_id: "D2:2" },
    ],
  };
  const qa = [
    { question: "What did Caroline make in the pottery class?", category: 4, evidence: ["D1:1"] },
    { question: "Where did Melanie take the children?", category: 4, evidence: ["D1:4"] },
    { question: "What happened to Caroline's bowl?", category: 1, evidence: ["D1:1", "D2:2"] },
    { question: "Did Melanie buy a horse?", category: 5, evidence: [] },
  ];
  const samples = ["one", "two"].map((sample_id) => ({ sample_id, conversation, qa }));
  writeFileSync(join(folder, "locomo10.json"), JSON.stringify(samples));
}

describe("a chat as people type it", () => {
  const read = async (): Promise<Dialogue> => {
    writeLocomo();
    const [dialogue] = await readLocomo(folder);
    if (dialogue === undefined) throw new Error("no dialogue");
    return dialogue;
  };

  it("is the same each time", async () => {
    const dialogue = await read();
    expect(perturb(dialogue)).toEqual(perturb(dialogue));
  });

  it("keeps each turn in one or more messages of its author, in the same session, and leaves the gold as it was", async () => {
    const dialogue = await read();
    const { turns, questions } = perturb(dialogue);
    for (const { id, speaker, at } of dialogue.turns) {
      const parts = turns.filter(({ part }) => part === id);
      expect(parts.length).toBeGreaterThan(0);
      for (const part of parts) {
        expect(part.speaker).toBe(speaker);
        expect(Math.abs(part.at.getTime() - at.getTime())).toBeLessThan(3_600_000);
      }
    }
    expect(new Set(turns.map(({ id }) => id)).size).toBe(turns.length);
    expect(questions.map(({ gold }) => gold)).toEqual(dialogue.questions.map(({ gold }) => gold));
    expect(turns.map(({ text }) => text).join("\n")).not.toBe(dialogue.turns.map(({ text }) => text).join("\n"));
  });

  it("calls people by their short names", () => {
    expect(["Caroline", "Melanie", "Maria", "Evan", "Jolene"].map(nicknameOf)).toEqual([
      "Caro",
      "Mel",
      "Mar",
      "Evan",
      "Jol",
    ]);
  });
});

describe("a chat as two people write it over weeks", () => {
  const chatted = async () => {
    writeLocomo();
    return (await readLocomo(folder)).map((one) => ({
      one,
      chat: perturbChat(one),
      turns: perturbChat(one, { exact: false }),
    }));
  };

  it("is the same each time, of the same questions", async () => {
    for (const { one, chat } of await chatted()) {
      expect(perturbChat(one)).toEqual(chat);
      expect(chat.questions.map(({ question }) => question)).toEqual(one.questions.map(({ question }) => question));
    }
  });

  it("is answered by the one message of each turn that tells, or by any of them", async () => {
    for (const { one, chat, turns } of await chatted()) {
      const by = new Map(chat.turns.map((turn) => [turn.id, turn]));
      for (const [at, { gold }] of one.questions.entries()) {
        expect(chat.questions[at]?.gold.map((id) => by.get(id)?.part)).toEqual(gold);
        expect(turns.questions[at]?.gold).toEqual(gold);
      }
      const [made] = chat.questions[0]?.gold ?? [];
      expect(by.get(made ?? "")?.text).toMatch(/class|bowl/i);
    }
  });

  it("keeps the order of time, and every message in its session", async () => {
    for (const { one, chat } of await chatted()) {
      const times = chat.turns.map(({ at }) => at.getTime());
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      const days = new Map(one.turns.map(({ id, at }) => [id, at.toISOString().slice(0, 10)]));
      for (const { part, at } of chat.turns)
        if (part !== undefined) expect(at.toISOString().slice(0, 10)).toBe(days.get(part));
    }
  });
});

describe("npm run fit", () => {
  it("fits, calibrates and writes a profile's weights; the others stay as they were", () => {
    writeLocomo();
    const out = join(folder, "weights.json");
    const args = ["test/bench/fit/fit.ts", folder, "--profiles", "lexical", "--perturbed", "lexical", "--out", out];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect(status, stderr).toBe(0);
    const profile = z.looseObject({
      fold: z.string().optional(),
      weights: z.record(z.string(), z.number()),
      platt: z.object({ a: z.number(), b: z.number() }),
      baseline: z.number(),
    });
    const file = z.looseObject({ profiles: z.record(z.string(), profile) });
    const [made, shipped] = [out, "main/query/recall/weights.json"].map((path) =>
      file.parse(JSON.parse(readFileSync(path, "utf8"))),
    );
    expect(made?.profiles.lexical?.weights.near).toBeGreaterThan(0);
    expect(Number.isFinite(made?.profiles.lexical?.platt.a)).toBe(true);
    expect(made?.profiles.lexical?.fold).toBe(
      "LoCoMo conversations 1-5, the same as people type, the same as they chat",
    );
    expect(made?.profiles.quick).toEqual(shipped?.profiles.quick);
  });
});
