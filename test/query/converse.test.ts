import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PreviousTurn, type QueryPlan, queryPlanSchema } from "#contract";
import { followUp } from "#main/query/converse/follow-up.ts";
import { peopleIndex } from "#main/query/plan/people.ts";
import { planQuestion } from "#main/query/plan/plan.ts";
import { archiveOf } from "./archive.ts";

const people = peopleIndex(
  ["Mara Lindqvist", "Thomas Berger", "Helena Kraus"].map((name, at) => ({
    id: at + 1,
    name,
    addresses: [],
    owner: false,
    records: 9,
  })),
);
/** The answer before cites records 7 and 8, which speak of Lena, of Lisbon and of 14 June 2019. */
const context = {
  today: "2024-08-01",
  firstDay: "2015-03-10",
  lastDay: "2024-07-30",
  people,
  cited: { people: [{ personId: 3, name: "Helena Kraus" }], places: ["Lisbon"], days: ["2019-06-14"] },
};
const turn = (question: string): PreviousTurn => ({ plan: planQuestion(question, context), citedRecords: [7, 8] });
const followed = (before: string, question: string) => followUp(turn(before), question, context);
const names = (plan: QueryPlan | null) => plan?.people.map(({ name }) => name);
const windows = (plan: QueryPlan | null) => plan?.windows.map(({ from, to }) => `${from} ${to}`);

const rent = "How much did we pay for rent in 2018?";
const party = "Who was at the party in Rome?";
const lived = "Wo hat Mara letzten Sommer gewohnt?";

describe("a follow-up changes one thing and keeps the rest", () => {
  it.each([
    [rent, "and in 2019?", "2019-01-01 2019-12-31"],
    [rent, "in March 2020?", "2020-03-01 2020-03-31"],
    [rent, "the year before?", "2017-01-01 2017-12-31"],
    [rent, "und im Jahr davor?", "2017-01-01 2017-12-31"],
    [rent, "and a year later?", "2019-01-01 2019-12-31"],
    [lived, "und im Jahr davor?", "2022-06-01 2022-08-31"],
    [party, "the next day?", "2019-06-15 2019-06-15"],
    [party, "am nächsten Tag?", "2019-06-15 2019-06-15"],
  ])("when: %s → %s", (before, question, expected) => {
    const plan = followed(before, question);
    expect(windows(plan)).toEqual([expected]);
    expect(plan?.terms).toEqual(turn(before).plan.terms);
    expect(plan?.answerType).toBe(turn(before).plan.answerType);
    expect(plan?.carried).not.toContain("windows");
    expect(plan?.carried).toContain("terms");
  });

  it("who, where, of what", () => {
    expect(names(followed(lived, "und Lena?"))).toEqual(["Helena Kraus"]);
    expect(names(followed(party, "Tom?"))).toEqual(["Thomas Berger"]);
    expect(followed(party, "and in Oslo?")).toMatchObject({ places: ["Oslo"], terms: ["party", "Oslo"] });
    expect(followed(rent, "and the heating?")).toMatchObject({ terms: ["heating"], answerType: "amount" });
    expect(followed("Show me photos of the boat", "and of the garden")).toMatchObject({
      kinds: ["photo"],
      terms: ["garden"],
    });
  });

  it("what kind, in which form, without what", () => {
    expect(followed(party, "only photos")).toMatchObject({ kinds: ["photo"], terms: ["party", "Rome"] });
    expect(followed(lived, "nur Fotos")).toMatchObject({ kinds: ["photo"], terms: ["gewohnt"] });
    expect(followed(rent, "just the mails")).toMatchObject({ kinds: ["email"], terms: ["rent"] });
    expect(followed(party, "as a list")).toMatchObject({ answerType: "list", operation: "union" });
    expect(followed(party, "without Tom")?.excluded.people).toEqual([{ personId: 2, name: "Thomas Berger" }]);
    expect(followed(lived, "ohne Fotos")?.excluded.kinds).toEqual(["photo"]);
    expect(followed(lived, "ohne Mara")).toMatchObject({
      people: [],
      excluded: { people: [{ name: "Mara Lindqvist" }] },
    });
    expect(followed(rent, "not from work")?.excluded.sources).toEqual(["work"]);
  });

  it.each([
    [party, "who else?", "person"],
    [party, "more", "person"],
    [lived, "wer noch?", "place"],
    [rent, "what else?", "amount"],
  ])("more of the same without what was shown: %s → %s", (before, question, answerType) => {
    expect(followed(before, question)).toMatchObject({
      terms: turn(before).plan.terms,
      answerType,
      operation: "union",
      excluded: { records: [7, 8] },
    });
  });

  it.each([
    ["When did we move to Oslo?", "why?", "why", "text", "Why did we move to Oslo?"],
    ["When did we move to Oslo?", "how much was it?", "what", "amount", "How much did we move to Oslo?"],
    [rent, "to whom?", "entity", "person", "To whom did we pay for rent in 2018?"],
    [party, "when was it?", "when", "date", "When was at the party in Rome?"],
    [lived, "warum?", "why", "text", "Warum hat Mara letzten Sommer gewohnt?"],
    [lived, "wann war das?", "when", "date", "Wann hat Mara letzten Sommer gewohnt?"],
  ])("another answer about the same: %s → %s", (before, question, intent, answerType, understood) => {
    const previous = turn(before).plan;
    expect(followed(before, question)).toMatchObject({
      intent,
      answerType,
      question: understood,
      terms: previous.terms,
      windows: previous.windows,
      places: previous.places,
    });
  });
});

describe("a question that points back", () => {
  it.each([
    [lived, "was hat sie dort gemacht?", ["Mara Lindqvist"], ["Lisbon"], []],
    [party, "what did she say then?", ["Helena Kraus"], [], ["2019-06-14 2019-06-14"]],
    [party, "what did they eat there?", ["Helena Kraus"], ["Rome"], []],
    ["When did Mara and Tom meet?", "and what did he say?", ["Thomas Berger"], [], []],
    ["When did Mara and Tom meet?", "what did they eat?", ["Mara Lindqvist", "Thomas Berger"], [], []],
    ["Where did Mara live in 2018?", "what did she do then?", ["Mara Lindqvist"], [], ["2018-01-01 2018-12-31"]],
  ])("%s → %s", (before, question, who, where, when) => {
    const plan = followed(before, question);
    expect(names(plan)).toEqual(who);
    expect(plan?.places).toEqual(where);
    expect(windows(plan)).toEqual(when);
    expect(plan?.carried).toContain("people");
  });

  it("says what was understood in words that stand alone", () => {
    expect(followed("When did Mara and Tom meet?", "what did he say about the boat?")?.question).toBe(
      "what did Thomas Berger say about the boat?",
    );
    expect(followed(rent, "and in 2019?")?.question).toBe("How much did we pay for rent in 2019?");
    expect(followed(party, "is there a photo of it?")).toMatchObject({ kinds: ["photo"], terms: ["party", "Rome"] });
  });
});

describe("a question that stands alone is not bent", () => {
  it.each([
    [rent, "What is Mara's phone number?"],
    [rent, "and where did Mara go in May?"],
    [party, "What did Tom eat in Oslo?"],
    [party, "Will it rain tomorrow?"],
    [party, "What did we do last summer?"],
    [party, "Is there a spare key?"],
    [party, "photos from March"],
    [lived, "Wie heißt der Hund von Tom?"],
    [lived, "Gibt es Fotos vom Boot?"],
    [rent, "What did Mara say when she moved?"],
    [rent, "boiler engineer"],
    [rent, ""],
  ])("%s → %s", (before, question) => {
    expect(followed(before, question)).toBeNull();
  });
});

describe("whatever is asked after whatever", () => {
  const word = fc.constantFrom(
    ..."and what about why who else more only photos without Tom she they there then it in 2019 the year before Mara Rome rent party ? und im Jahr davor wer noch nur ohne sie dort damals how much list next day".split(
      " ",
    ),
  );
  const question = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(" "));

  it("the plan is one that the contract takes, names only what was there, and is the same each time", () => {
    fc.assert(
      fc.property(question, question, (first, second) => {
        const before = turn(first);
        const plan = followUp(before, second, context);
        if (plan === null) return;
        expect(queryPlanSchema.parse(plan)).toEqual(plan);
        expect(followUp(before, second, context)).toEqual(plan);
        const own = planQuestion(second, context);
        const known = new Set([...before.plan.people, ...own.people, ...context.cited.people].map(({ name }) => name));
        for (const { name } of plan.people) expect(known).toContain(name);
        // What is said to be carried is there, as it was.
        for (const part of ["windows", "kinds", "sources"] as const)
          if (plan.carried.includes(part) && before.plan[part].length > 0)
            expect(plan[part]).toEqual(before.plan[part]);
        expect(plan.carried.length).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  it("a thread of follow-ups grows no further than what it shows", () => {
    fc.assert(
      fc.property(fc.array(question, { maxLength: 8 }), (questions) => {
        let before = turn(party);
        for (const one of questions) {
          const plan = followUp(before, one, context) ?? planQuestion(one, context);
          expect(plan.excluded.records.length).toBeLessThanOrEqual(2);
          expect(plan.terms.length).toBeLessThanOrEqual(64);
          before = { plan, citedRecords: [7, 8] };
        }
      }),
      { numRuns: 100 },
    );
  });

  it("a corrected plan is followed, not the words that it came from", () => {
    const corrected = { ...turn(rent).plan, windows: [], people: [{ personId: 1, name: "Mara Lindqvist" }] };
    const plan = followUp({ plan: corrected, citedRecords: [] }, "and the heating?", context);
    expect(plan).toMatchObject({ windows: [], people: corrected.people, terms: ["heating"] });
  });
});

describe("a conversation through the whole walk", () => {
  it("answers a follow-up from the archive, and shows what it did not show yet", async () => {
    const { ids, ask } = archiveOf([
      { text: "Otto came to the garden party.", by: "Ada", at: "2022-07-01T10:00:00", chat: "Friends" },
      { text: "Nora came to the garden party.", by: "Ada", at: "2023-07-01T10:00:00", chat: "Friends" },
      { text: "Jens came to the summer fair.", by: "Ada", at: "2023-08-01T10:00:00", chat: "Friends" },
      { text: "Lotte came to the summer fair too.", by: "Ada", at: "2023-08-02T10:00:00", chat: "Friends" },
    ]);
    const cited = (result: Awaited<ReturnType<typeof ask>>) =>
      result.claims.flatMap(({ citations }) => citations.map(({ recordId }) => recordId));
    const first = await ask("Who came to the garden party in 2022?");
    expect(first.answer).toContain("Otto");
    const second = await ask("and in 2023?", { after: { plan: first.plan, citedRecords: cited(first) } });
    expect(second.plan.question).toBe("Who came to the garden party in 2023?");
    expect(second.answer).toContain("Nora");
    expect(cited(second)[0]).toBe(ids[1]);

    const party = await ask("Who came to the summer fair?");
    const shown = [...new Set([...cited(party), ids[2] ?? 0])];
    const more = await ask("who else?", { after: { plan: party.plan, citedRecords: shown } });
    expect(more.forest.nodes.map(({ recordId }) => recordId)).not.toContain(ids[2]);
    const alone = await ask("Who came to the garden party in 2022?", {
      after: { plan: party.plan, citedRecords: shown },
    });
    expect({ ...alone, trace: [] }).toEqual({ ...first, trace: [] });
  });
});
