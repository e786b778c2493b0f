import { describe, expect, it } from "vitest";
import { emptyPlan, noExclusions, type QueryPlan, queryPlanSchema } from "#contract";
import {
  answeredBy,
  exclusionsOf,
  leavingOut,
  windowGroups,
  withAsOf,
  withValue,
  withWindow,
} from "../../renderer/ask/plan-edits.ts";
import { questionOf, questionsOf, threadAfter, threadBefore } from "../../renderer/state/thread.ts";

const march = (year: number) => ({ from: `${year}-03-01`, to: `${year}-03-31`, text: "in March" });
const mara = { personId: 1, name: "Mara" };
const tom = { personId: 2, name: "Tom" };
const plan: QueryPlan = {
  ...emptyPlan("Who came in March?"),
  windows: [march(2022), march(2023), { from: "2021-01-01", to: "2021-12-31", text: "2021" }],
  people: [mara],
  kinds: ["photo"],
  excluded: { ...noExclusions(), people: [tom], sources: ["work"], records: [4, 5] },
  carried: ["windows", "people", "excluded"],
};

describe("correcting a plan", () => {
  it("takes the days of one expression as one, to change or to do without", () => {
    const [inMarch] = windowGroups(plan);
    expect(windowGroups(plan).map(({ text, windows }) => [text, windows.length])).toEqual([
      ["in March", 2],
      ["2021", 1],
    ]);
    const without = withWindow(plan, inMarch?.windows ?? [], null);
    expect(without.windows.map(({ text }) => text)).toEqual(["2021"]);
    const other = withWindow(plan, inMarch?.windows ?? [], { from: "2024-05-01", to: "2024-05-02", text: "" });
    expect(other.windows.map(({ from }) => from)).toEqual(["2021-01-01", "2024-05-01"]);
    expect(withWindow(plan, null, march(2019)).windows).toHaveLength(4);
  });

  it("what was touched is carried over no more, what was not still is", () => {
    expect(withValue(plan, "people", mara, tom)).toMatchObject({ people: [tom], carried: ["windows", "excluded"] });
    expect(withWindow(plan, [], null).carried).toEqual(["people", "excluded"]);
  });

  it("changes, adds and takes away people, places and kinds; nothing stands there twice", () => {
    expect(withValue(plan, "people", null, tom).people).toEqual([mara, tom]);
    expect(withValue(plan, "people", mara, null).people).toEqual([]);
    expect(withValue(plan, "people", null, mara).people).toEqual([mara]);
    expect(withValue(plan, "kinds", "photo", "email").kinds).toEqual(["email"]);
    expect(withValue({ ...plan, places: ["Rome", "Oslo"] }, "places", "Rome", "Bergen").places).toEqual([
      "Bergen",
      "Oslo",
    ]);
  });

  it("what is left out is not asked for too, and every exclusion can be taken back by itself", () => {
    const out = leavingOut(plan, { people: [mara], kinds: ["photo"] });
    expect(out).toMatchObject({ people: [], kinds: [], excluded: { people: [tom, mara], kinds: ["photo"] } });
    const all = exclusionsOf(plan);
    expect(all.map(({ part, value }) => `${part} ${value}`)).toEqual(["people Tom", "sources work", "records 2"]);
    expect(all.map(({ without }) => without.excluded)).toEqual([
      { ...plan.excluded, people: [] },
      { ...plan.excluded, sources: [] },
      { ...plan.excluded, records: [] },
    ]);
  });

  it("moves the day that an answer is to hold for, with its window", () => {
    const then = {
      ...plan,
      asOf: "2022-05-31",
      windows: [{ from: "2020-01-01", to: "2022-05-31", text: "as of May 2022" }],
    };
    expect(withAsOf(then, "2021-05-31")).toMatchObject({
      asOf: "2021-05-31",
      windows: [{ from: "2020-01-01", to: "2021-05-31" }],
    });
    expect(withAsOf(then, null)).toMatchObject({ asOf: null, windows: [] });
  });

  it("asks for another kind of answer by the operation that gives it", () => {
    expect(answeredBy(plan, "list")).toMatchObject({ answerType: "list", operation: "union" });
    expect(answeredBy(plan, "date")).toMatchObject({ answerType: "date", operation: "temporal" });
    expect(answeredBy({ ...plan, operation: "latest" }, "amount")).toMatchObject({ operation: "latest" });
    for (const edited of [answeredBy(plan, "list"), leavingOut(plan, { people: [mara] }), withAsOf(plan, "2020-01-01")])
      expect(queryPlanSchema.parse(edited)).toEqual(edited);
  });
});

describe("a thread of questions", () => {
  it("is named by its questions in order, and can be walked back", () => {
    const thread = threadAfter(threadAfter(null, "Who came?"), "and\nwhy?");
    expect(questionsOf(thread)).toEqual(["Who came?", "and\nwhy?"]);
    expect(questionOf(thread)).toBe("and\nwhy?");
    expect(threadBefore(thread)).toBe("Who came?");
    expect(threadBefore("Who came?")).toBeNull();
    expect(questionsOf(threadAfter("a", "b\u001fc"))).toEqual(["a", "b c"]);
  });
});
