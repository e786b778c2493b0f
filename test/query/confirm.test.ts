import { describe, expect, it } from "vitest";
import { archiveOf, type Draft } from "./archive.ts";

/** Enough other talk that the records below are no neighbours of the answer in the first retrieval. */
const chatter: Draft[] = Array.from({ length: 120 }, (_, at) => ({
  by: at % 2 === 0 ? "Nora Falk" : "Hanno Falk",
  chat: "Family",
  at: `2024-0${1 + (at % 9)}-${String(1 + (at % 27)).padStart(2, "0")}T${String(8 + (at % 10)).padStart(2, "0")}:00:00`,
  text: `the house, the garden and thing ${at} again`,
}));

const records: Draft[] = [
  ...chatter,
  {
    by: "Harriet Lane",
    to: ["Nora Falk"],
    at: "2023-07-05T10:00:00",
    subject: "The house at Dune Street",
    text: "The vendor accepts: you pay €415,000 for the house.",
  },
  { by: "Nora Falk", chat: "Tilda", at: "2023-07-05T18:30:00", text: "415 and it is ours, nearly" },
  {
    by: "Tilda Falk",
    to: ["Nora Falk"],
    at: "2023-01-19T10:00:00",
    subject: "She is here",
    text: "Our baby is called Leonie!",
  },
  {
    by: "Clinic Nord",
    to: ["Tilda Falk"],
    at: "2023-01-20T10:00:00",
    subject: "Leonie Falk",
    text: "Weight of Leonie at birth: 3.2 kg",
  },
];

describe("a second retrieval with the answer's own value", () => {
  it("cites a chat that says the same sum in short, without a word of the question", async () => {
    const archive = archiveOf(records);
    const { answer, claims, trace } = await archive.ask("How much did we pay for the house at Dune Street?");
    expect(answer).toMatch(/^€415,000/);
    expect(claims.flatMap(({ citations }) => citations.map(({ quote }) => quote)).join(" | ")).toContain(
      "415 and it is ours",
    );
    expect(trace.filter(({ stage }) => stage === "recall").length).toBeLessThanOrEqual(5);
  });

  it("is not waited for: the answer is told before it, and again with who says so too", async () => {
    const told = (await archiveOf(records).events("How much did we pay for the house at Dune Street?")).flatMap(
      (event) => (event.type === "result" ? [event] : []),
    );
    expect(told.map(({ final }) => final)).toEqual([false, true]);
    const [first, last] = told.map(({ result }) => result);
    expect(first?.answer).toBe(last?.answer);
    expect(first?.claims[0]?.citations.length).toBeLessThan(last?.claims[0]?.citations.length ?? 0);
  });

  it("every citation of it stands in the evidence that is shown", async () => {
    const {
      claims,
      forest,
      records: shown,
    } = await archiveOf(records).ask("How much did we pay for the house at Dune Street?");
    const nodes = new Set(forest.nodes.map(({ recordId }) => recordId));
    const told = new Set(shown.map(({ id }) => id));
    for (const { recordId } of claims.flatMap(({ citations }) => citations)) {
      expect(nodes.has(recordId)).toBe(true);
      expect(told.has(recordId)).toBe(true);
    }
  });

  it("answers a part of the question that only the answer's name leads to", async () => {
    const { answer } = await archiveOf(records).ask("What is Tilda's baby called and how heavy was she at birth?");
    expect(answer).toContain("Leonie");
    expect(answer).toContain("3.2 kg");
  });
});
