import { describe, expect, it } from "vitest";
import type { Person } from "#contract";
import { peopleIndex } from "#main/query/plan/people.ts";
import { planQuestion } from "#main/query/plan/plan.ts";

const person = (id: number, name: string, records: number): Person => ({
  id,
  name,
  addresses: [],
  owner: false,
  records,
});
const people = peopleIndex([
  person(1, "Mara Lindqvist", 50),
  person(2, "Mara Stone", 3),
  person(3, "Will Adler", 9),
  person(4, "Melanie Gray", 20),
]);
const plan = (question: string, today = "2024-08-01", lastDay = "2024-07-30") =>
  planQuestion(question, { today, firstDay: "2022-01-01", lastDay, people });

describe("the planner", () => {
  it.each([
    ["When did we move?", "date", "temporal", "when"],
    ["How long did the trip take?", "duration", "temporal", "when"],
    ["How much did the sofa cost?", "amount", "single", "what"],
    ["Who fixed the roof?", "person", "single", "entity"],
    ["Where is the spare key?", "place", "single", "entity"],
    ["Why did Mara leave early?", "text", "single", "what"],
    ["Did we pay the rent?", "yesno", "single", "what"],
    ["How many photos of the boat are there?", "number", "count", "what"],
    ["Which books has Mara read?", "list", "union", "what"],
    ["When was the last time I saw Mara?", "date", "latest", "when"],
    ["Wie viel kostet die Miete?", "amount", "single", "what"],
    ["Wann kommt Mara?", "date", "temporal", "when"],
    ["Wer hat das Dach repariert?", "person", "single", "entity"],
    ["And who installed it?", "person", "single", "entity"],
    ["Und wann war das?", "date", "temporal", "when"],
  ])("%s", (question, answerType, operation, intent) => {
    const made = plan(question);
    expect([made.answerType, made.operation]).toEqual([answerType, operation]);
    if (!question.startsWith("Why")) expect(made.intent).toBe(intent);
    else expect(made.intent).toBe("why");
  });

  it("knows the archive's people: full names first, then the one met most often, nicknames, no common words", () => {
    expect(plan("What did Mara say?").people).toEqual([{ personId: 1, name: "Mara Lindqvist" }]);
    expect(plan("What did Mara Stone say?").people).toEqual([{ personId: 2, name: "Mara Stone" }]);
    expect(plan("What does Mel think?").people).toEqual([{ personId: 4, name: "Melanie Gray" }]);
    expect(plan("Will it rain?").people).toEqual([]);
    expect(plan("What did Will cook?").people).toEqual([{ personId: 3, name: "Will Adler" }]);
  });

  it("makes absolute windows against today, and against the archive when today lies beyond it", () => {
    expect(plan("What happened last week?").windows).toEqual([
      { from: "2024-07-22", to: "2024-07-28", text: "last week" },
    ]);
    expect(plan("photos from March").windows.map(({ from }) => from)).toEqual([
      "2022-03-01",
      "2023-03-01",
      "2024-03-01",
    ]);
    expect(plan("in May 2023 or 2022").windows).toEqual([{ from: "2023-05-01", to: "2023-05-31", text: "May 2023" }]);
    expect(plan("What did we do last summer?", "2031-05-01", "2024-07-30").windows[0]).toMatchObject({
      from: "2023-06-01",
    });
  });

  it("keeps the words that carry the question", () => {
    expect(plan("Show me the photos of the blue boat with Mara in May 2023").terms).toEqual(["blue", "boat"]);
    expect(plan("Show me photos of the blue boat").kinds).toEqual(["photo"]);
    expect(plan("Which video games does Mara play?").kinds).toEqual([]);
    expect(plan("Show me videos of the boat").kinds).toEqual(["video"]);
    expect(plan("Who took the picture of Mara?").terms).toEqual([]);
    expect(plan("When did we go kayaking?").terms).toEqual(["kayaking"]);
    expect(plan("Where did we go?").terms).toEqual(["go"]);
    expect(plan("Photos near Lake Hollow").places).toEqual(["Lake Hollow"]);
  });
});
