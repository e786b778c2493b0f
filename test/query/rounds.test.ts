import { describe, expect, it } from "vitest";
import { type Doubt, emptyPlan, type QueryPlan } from "#contract";
import { type FirstRound, rewritesOf, splitPlan, withoutFilters } from "#main/query/check/rewrite.ts";
import { archiveOf, type Draft } from "./archive.ts";

/** Other ways to ask, and which of them counts (MIRIX §4.7). */

const plan = (question: string, part: Partial<QueryPlan> = {}): QueryPlan => ({ ...emptyPlan(question), ...part });
const doubt = (kind: Doubt["kind"]): Doubt => ({ kind, text: kind, blocking: true });

function first(part: Partial<FirstRound> & { plan: QueryPlan }): FirstRound {
  return {
    doubts: [],
    asked: {
      language: "en",
      terms: part.plan.terms.map((text) => ({
        text,
        stem: text,
        weight: 1,
        known: text !== "hamster",
        generic: false,
      })),
      dated: new Set(),
      names: [],
      rarest: 6,
    },
    candidates: [],
    nearest: () => new Map(),
    ...part,
  };
}

const names = (round: FirstRound) => [...rewritesOf(round)].map(({ name }) => name);

describe("a rewrite", () => {
  it("splits what two things have in common into a retrieval for each: by people, else by the words beside “and”", () => {
    const people = [
      { personId: 1, name: "Anna" },
      { personId: 2, name: "Ben" },
    ];
    const both = plan("Which hotel did both Anna and Ben like?", {
      operation: "intersection",
      terms: ["hotel", "like"],
      people,
    });
    expect(splitPlan(both)?.map((part) => [part.people.map(({ name }) => name), part.terms])).toEqual([
      [["Anna"], ["hotel", "like"]],
      [["Ben"], ["hotel", "like"]],
    ]);
    const words = plan("Which towns are common to the Norway and the Denmark trip?", {
      operation: "intersection",
      terms: ["towns", "common", "Norway", "Denmark", "trip"],
    });
    expect(splitPlan(words)?.map(({ terms }) => terms)).toEqual([
      ["towns", "common", "Norway"],
      ["towns", "common", "Denmark", "trip"],
    ]);
    expect(splitPlan(plan("Where is the key?", { terms: ["key"] }))).toBeNull();
    expect(splitPlan(plan("both?", { operation: "intersection" }))).toBeNull();
  });

  it("is made for an intersection though nothing is doubted, and for nothing else", () => {
    const both = plan("What have the tent and the canoe in common?", {
      operation: "intersection",
      terms: ["tent", "canoe"],
    });
    expect(names(first({ plan: both }))).toEqual(["split"]);
    expect(names(first({ plan: plan("Where is the key?", { terms: ["key"] }) }))).toEqual([]);
  });

  it("takes the archive's nearest words beside one that it does not have", () => {
    const asked = first({
      plan: plan("What is my hamster called?", { terms: ["hamster"] }),
      doubts: [doubt("unsupported")],
      nearest: (words) => new Map(words.map((word) => [word, [{ stem: "guinea" }, { stem: "rodent" }]])),
    });
    const [near] = [...rewritesOf(asked)];
    expect(near?.retrievals[0]?.terms).toEqual(["hamster", "guinea", "rodent"]);
    // What is read and checked stays what was asked.
    expect(near?.plan).toBe(asked.plan);
  });

  it("widens a narrow time for looking, never for answering, and leaves a year as it is", () => {
    const week = plan("What broke last week?", {
      terms: ["broke"],
      windows: [{ from: "2024-05-06", to: "2024-05-12", text: "last week" }],
    });
    const [wide] = [...rewritesOf(first({ plan: week, doubts: [doubt("time")] }))];
    expect(wide).toMatchObject({ name: "wider_time", joined: true });
    expect(wide?.retrievals[0]?.windows).toMatchObject([{ from: "2024-04-29", to: "2024-05-19" }]);
    expect(wide?.plan.windows).toEqual(week.windows);
    const year = { ...week, windows: [{ from: "2019-01-01", to: "2019-12-31", text: "2019" }] };
    expect(names(first({ plan: year, doubts: [doubt("time")] }))).toEqual([]);
  });

  it("drops kinds and places, where words are left to go by", () => {
    const mails = plan("Which mail names the code?", { terms: ["code"], kinds: ["email"], places: ["Oslo"] });
    expect(withoutFilters(mails)).toMatchObject({
      name: "fewer_filters",
      joined: false,
      plan: { kinds: [], places: [], terms: ["code"] },
    });
    expect(withoutFilters({ ...mails, terms: [] })).toBeNull();
    expect(withoutFilters(plan("Which code?", { terms: ["code"] }))).toBeNull();
    // Who asks for photos wants no mail.
    expect(withoutFilters({ ...mails, kinds: ["photo"] })).toBeNull();
  });

  it("is a function of plan and doubts: the same for the same", () => {
    const asked = first({
      plan: plan("Which mail names the code?", { terms: ["code", "hamster"], kinds: ["email"] }),
      doubts: [doubt("missing")],
    });
    expect([...rewritesOf(asked)]).toEqual([...rewritesOf(asked)]);
  });
});

describe("rounds", () => {
  const records: Draft[] = [
    { by: "Lea Stern", chat: "Home", at: "2024-02-01T10:00:00", text: "The alarm code of the studio is 8812" },
    { by: "Finn Auer", chat: "Trip", at: "2024-06-02T10:00:00", text: "Lea liked the Linden hotel a lot" },
    { by: "Finn Auer", chat: "Trip", at: "2024-06-20T10:00:00", text: "Omar liked the Linden hotel too" },
    { by: "Omar Said", chat: "Trip", at: "2024-06-21T10:00:00", text: "The ferry leaves at noon" },
    {
      by: "Lea Stern",
      chat: "Family",
      at: "2023-04-01T10:00:00",
      text: "My cousin from Graz is Valentin and he plays the cello",
    },
    {
      by: "Finn Auer",
      to: ["Omar Said"],
      at: "2024-03-03T10:00:00",
      subject: "Graduation",
      text: "Valentin graduated on 14 June 2022.",
    },
  ];

  it("find in a chat what was asked of mails, when no mail says it", async () => {
    const result = await archiveOf(records).ask("Which email says the alarm code of the studio?");
    expect(result.answer).toContain("8812");
    expect(result.rounds.map(({ rewrite, answered }) => [rewrite, answered]).at(-1)?.[1]).toBe(true);
  });

  it("look at an intersection once more by its parts, and tell of each way", async () => {
    const result = await archiveOf(records).ask("Which hotel did both Lea and Omar like?");
    expect(result.rounds.map(({ rewrite }) => rewrite)).toContain("split");
    expect(result.outcome).toBe("answered");
    expect(result.answer).toContain("Linden");
    const retrievals = result.rounds.reduce((sum, round) => sum + round.retrievals, 0);
    expect(retrievals).toBeLessThanOrEqual(5);
    expect(result.rounds.filter(({ chosen }) => chosen)).toHaveLength(1);
    // Each stage says to which round it belongs.
    const rounds = new Set(result.trace.map(({ round }) => round));
    expect([...rounds]).toEqual(result.rounds.map(({ round }) => round));
  });

  it("tell an answer that stands before they are made, as the round's it is, and then the last in its place", async () => {
    const events = await archiveOf(records).events("Which hotel did both Lea and Omar like?");
    const told = events.flatMap((event) => (event.type === "result" ? [event] : []));
    expect(told.length).toBeGreaterThan(1);
    expect(told.map(({ final }) => final)).toEqual(told.map((_, at) => at === told.length - 1));
    for (const { result } of told) expect(result.rounds.filter(({ chosen }) => chosen)).toHaveLength(1);
  });

  it("go from what a question describes to what bears that name, and cite the step", async () => {
    const archive = archiveOf(records);
    const result = await archive.ask("When did Lea's cousin from Graz graduate?");
    expect(result.answer).toContain("14 June 2022");
    const cited = result.claims.flatMap(({ citations }) => citations.map(({ recordId }) => recordId));
    expect(cited).toEqual(expect.arrayContaining([archive.ids[4], archive.ids[5]]));
    expect(result.rounds.find(({ chosen }) => chosen)?.rewrite).toBe("second_hop");
  });

  it("end with the plain no when none of them finds anything", async () => {
    const result = await archiveOf(records).ask("When did Lea's uncle buy the submarine?");
    expect(result.outcome).toBe("not_found");
    expect(result.claims).toEqual([]);
    expect(result.leftOut.every(({ reason }) => reason !== "")).toBe(true);
  });
});
