import { describe, expect, it } from "vitest";
import { sidesOf } from "#main/query/plan/sides.ts";
import { archiveOf, type Draft } from "./archive.ts";

const records: Draft[] = [
  {
    by: "Harbour Books",
    to: ["Nora Falk"],
    at: "2024-03-01T09:00:00",
    subject: "Your canoe order",
    text: "Canoe Loon 14: paid €640 in total.\nThe canoe is delivered on 12 March 2024.",
  },
  {
    by: "Lindenhof Sailing",
    to: ["Nora Falk"],
    at: "2024-04-11T09:00:00",
    subject: "Invoice for your sails",
    text: "The sails cost €1,300 in total. The sails are fitted on 21 April 2024.",
  },
  {
    by: "Hausverwaltung Kai",
    to: ["Nora Falk"],
    at: "2021-05-02T09:00:00",
    subject: "Boathouse rent",
    text: "The rent of the boathouse is €90 a month.",
  },
  {
    by: "Hausverwaltung Kai",
    to: ["Nora Falk"],
    at: "2023-06-02T09:00:00",
    subject: "Boathouse rent",
    text: "The rent of the boathouse rises to €120 a month.",
  },
  {
    by: "Dock Garage",
    to: ["Nora Falk"],
    at: "2024-02-02T09:00:00",
    subject: "Inspection result",
    text: "Your trailer did not pass today.\nTwo new tyres: €176\nSee you on Friday.",
  },
  {
    by: "Dr. Anders",
    to: ["Nora Falk"],
    at: "2024-06-02T09:00:00",
    subject: "Hearing test",
    text: "Your appointment for the hearing test is on Tuesday 11 June 2024 at 8:30.",
  },
  ...["2024-07-01", "2024-07-02"].map((day, at) => ({
    by: "Tilda Falk",
    chat: "Family",
    at: `${day}T08:00:00`,
    text: `unrelated words number ${at} of this chat`,
  })),
];

describe("what sets two things beside each other", () => {
  it.each([
    ["How long between the wedding and the flood?", "apart", "date", ["the wedding", "the flood"]],
    [
      "How many days before the wedding did Ellie order the cake?",
      "apart",
      "date",
      ["the wedding", "Ellie order the cake"],
    ],
    ["Wie viele Tage lagen zwischen der Hochzeit und dem Umzug?", "apart", "date", ["der Hochzeit", "dem Umzug"]],
    ["Wie lange nach der Hochzeit war der Umzug?", "apart", "date", ["der Hochzeit", "der Umzug"]],
    ["Which was dearer, the canoe or the sails?", "larger", "amount", ["the canoe", "the sails"]],
    ["Was the canoe cheaper than the sails?", "smaller", "amount", ["the canoe", "the sails"]],
    ["Was war teurer, das Kanu oder die Segel?", "larger", "amount", ["das Kanu", "die Segel"]],
    ["Which came first, the canoe or the sails?", "smaller", "date", ["the canoe", "the sails"]],
  ])("%s", (question, asks, type, sides) => {
    expect(sidesOf(question)).toMatchObject({ asks, type, sides });
  });

  it.each(["When was the wedding?", "How long is the canoe?", "Was it first class?", "Who was first?"])(
    "is not: %s",
    (question) => expect(sidesOf(question)).toBeNull(),
  );
});

describe("what follows from two records", () => {
  it.each([
    [
      "How many days between the delivery of the canoe and the fitting of the sails?",
      "40 days: 12 March 2024 – 21 April 2024",
    ],
    ["Which was dearer, the canoe or the sails?", "the sails (€1,300); the canoe (€640)"],
    ["Was the canoe cheaper than the sails?", "the canoe (€640); the sails (€1,300)"],
    ["Which came first, the canoe or the sails?", "the canoe (12 March 2024); the sails (21 April 2024)"],
  ])("%s", async (question, says) => {
    const { outcome, claims } = await archiveOf(records).ask(question);
    expect(outcome).toBe("answered");
    expect(claims[0]?.text).toContain(says);
    expect(new Set(claims[0]?.citations.map(({ recordId }) => recordId)).size).toBe(2);
  });

  it("is not said where one of the two is not in the archive", async () => {
    const { claims } = await archiveOf(records).ask("Which was dearer, the canoe or the submarine?");
    expect(claims.map(({ text }) => text).join(" ")).not.toContain("submarine");
  });
});

describe("at the time that is asked about", () => {
  it("holds what was said last before it, not what came later", async () => {
    const archive = archiveOf(records);
    expect((await archive.ask("What was the rent of the boathouse in 2022?")).answer).toMatch(/^€90 a month/);
    expect((await archive.ask("What was the rent of the boathouse in 2024?")).answer).toMatch(/^€120 a month/);
  });
});

describe("what only seems to answer", () => {
  it("a bill's line for something else is no price of what was asked", async () => {
    const { outcome } = await archiveOf(records).ask("How much did we pay for the trailer?");
    expect(outcome).toBe("not_found");
  });

  it("a letter that fixes an appointment answers when it is", async () => {
    const { answer } = await archiveOf(records).ask("When is my appointment for the hearing test?");
    expect(answer).toContain("Tuesday 11 June 2024");
  });
});
