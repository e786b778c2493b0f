import { describe, expect, it } from "vitest";
import { type Claim, emptyPlan, type QueryPlan } from "#contract";
import type { Candidate } from "#main/query/candidates/candidates.ts";
import { gatherCandidates } from "#main/query/candidates/candidates.ts";
import { checkDraft } from "#main/query/check/check.ts";
import { verdictOn } from "#main/query/check/claims.ts";
import type { Draft } from "#main/query/read/draft.ts";
import { recall } from "#main/query/recall/recall.ts";
import { archiveOf } from "./archive.ts";

/** Every claim against what it cites (MIRIX §4.7). */

const archive = () =>
  archiveOf([
    {
      by: "Pia Holm",
      chat: "Garden",
      at: "2024-05-10T18:00:00",
      text: "We planted the apple tree yesterday, it cost €45 and Jonas dug for two hours",
    },
    {
      by: "Jonas Eck",
      chat: "Garden",
      at: "2024-05-24T09:00:00",
      text: "Two weeks on the apple tree has leaves, the stake was €12",
    },
  ]);

function read(question: string, part: Partial<QueryPlan> = {}) {
  const { ports, ids } = archive();
  const plan: QueryPlan = { ...emptyPlan(question), terms: ["apple", "tree"], ...part };
  const recalled = recall(plan, ports, { text: null, seen: null, picture: null, more: new Map() });
  const { candidates } = gatherCandidates(plan, recalled, ports);
  const byId = new Map(candidates.map((candidate): [number, Candidate] => [candidate.recordId, candidate]));
  const [first = 0, second = 0] = ids;
  const quote = (recordId: number, text: string) => {
    const whole = byId.get(recordId)?.views.find(({ view }) => view === "text")?.text ?? "";
    const start = whole.indexOf(text);
    return { recordId, view: "text" as const, span: [start, start + text.length] as [number, number], quote: text };
  };
  const whole = (recordId: number) =>
    quote(recordId, byId.get(recordId)?.views.find(({ view }) => view === "text")?.text ?? "");
  const claim = (text: string, citations: Claim["citations"]): Claim => ({
    id: "c1",
    text,
    citations,
    standing: "current",
  });
  return { plan, recalled, candidates, byId, first, second, quote, whole, claim };
}

describe("a claim", () => {
  it("holds when its numbers, dates and names stand in what it cites or follow from it", () => {
    const { plan, byId, first, second, whole, claim } = read("When did we plant the apple tree?");
    const both = [whole(first), whole(second)];
    for (const [text, citations] of [
      ["Thursday 9 May 2024: “We planted the apple tree yesterday”.", [whole(first)]],
      ["The apple tree cost €45.", [whole(first)]],
      ["Jonas dug for two hours (Pia Holm, 10 May 2024).", [whole(first)]],
      ["Tree and stake cost €57 together.", both],
      ["The apple tree cost €33 more than the stake.", both],
      ["15 days lie between planting the apple tree and its leaves.", both],
    ] as const)
      expect({ text, ...verdictOn(plan, claim(text, [...citations]), byId) }).toMatchObject({ text, holds: true });
  });

  it("does not hold with a number, day, month or name from nowhere, a quote that is not there, or nothing cited", () => {
    const { plan, byId, first, quote, whole, claim } = read("When did we plant the apple tree?");
    const strange = (text: string) => verdictOn(plan, claim(text, [whole(first)]), byId);
    expect(strange("The apple tree cost €46.")).toMatchObject({ holds: false, strange: ["46"] });
    expect(strange("We planted the apple tree on 11 May 2024.")).toMatchObject({ holds: false, strange: ["11"] });
    expect(strange("We planted the apple tree in October.")).toMatchObject({ holds: false, strange: ["October"] });
    expect(strange("We and Marten planted the apple tree.")).toMatchObject({ holds: false, strange: ["Marten"] });
    const moved = { ...quote(first, "apple tree"), span: [0, 10] as [number, number] };
    expect(verdictOn(plan, claim("The apple tree.", [moved]), byId).why).toContain("does not stand");
    expect(verdictOn(plan, claim("The apple tree.", []), byId).why).toContain("cites nothing");
    const unknown = { ...whole(first), recordId: 9_999 };
    expect(verdictOn(plan, claim("The apple tree.", [unknown]), byId).why).toContain("was not read");
  });

  it("in other words needs half of them in its records, or a near meaning", () => {
    const { plan, byId, first, whole, claim } = read("When did we plant the apple tree?");
    const free = claim("We bought expensive garden furniture that evening.", [whole(first)]);
    expect(verdictOn(plan, free, byId)).toMatchObject({ holds: false });
    expect(verdictOn(plan, free, byId, 0.8)).toMatchObject({ holds: true });
    expect(verdictOn(plan, free, byId, 0.3)).toMatchObject({ holds: false });
  });
});

describe("a draft", () => {
  const draft = (claims: readonly Claim[], part: Partial<Draft> = {}): Draft => ({
    claims,
    fits: true,
    said: 1,
    cosine: 0,
    inTime: true,
    ...part,
  });

  it("loses claims that do not hold, says why, and doubts a month from nowhere", () => {
    const { plan, recalled, candidates, first, whole, claim } = read("When did we plant the apple tree?");
    const good = { ...claim("The apple tree cost €45.", [whole(first)]), id: "c1" };
    const bad = { ...claim("We planted the apple tree in October.", [whole(first)]), id: "c2" };
    const checked = checkDraft(plan, draft([good, bad]), candidates, recalled);
    expect(checked.claims.map(({ id }) => id)).toEqual(["c1"]);
    expect(checked.dropped).toEqual([{ text: bad.text, why: "no cited record says October" }]);
    expect(checked.answered).toBe(true);
    expect(checked.doubts).toMatchObject([{ kind: "month", blocking: false }]);
  });

  it("is no answer without a claim, without the asked kind of value, outside its time, or when too little is said", () => {
    const { plan, recalled, candidates, first, whole, claim } = read("When did we plant the apple tree?", {
      windows: [{ from: "2024-05-01", to: "2024-05-31", text: "May" }],
    });
    const good = claim("The apple tree cost €45.", [whole(first)]);
    const kinds = (one: Draft) => checkDraft(plan, one, candidates, recalled).doubts.map(({ kind }) => kind);
    expect(kinds(draft([good]))).toEqual([]);
    expect(kinds(draft([]))).toEqual(["no_claim"]);
    expect(kinds(draft([good], { fits: false }))).toEqual(["missing"]);
    expect(kinds(draft([good], { inTime: false }))).toEqual(["time"]);
    const bare = checkDraft({ ...plan, windows: [] }, draft([good], { said: 0.1 }), candidates, recalled);
    expect(bare.doubts.map(({ kind }) => kind)).toEqual(["unsupported"]);
    expect(bare).toMatchObject({ answered: false });
    expect(bare.margin).toBeLessThan(0);
  });

  it("is looked at again when it counts more than it lists, or is not sure of itself", () => {
    const { plan, recalled, candidates, first, second, whole, claim } = read("How many trees?", { operation: "count" });
    const three = claim("2 records fit: the apple tree.", [whole(first)]);
    const kinds = (one: Claim) => checkDraft(plan, draft([one]), candidates, recalled).doubts.map(({ kind }) => kind);
    expect(kinds(claim("2 records fit: the apple tree.", [whole(first), whole(second)]))).toEqual([]);
    expect(kinds(claim("2 records fit: the apple tree.", [whole(first), whole(first)]))).toEqual(["count"]);
    expect(three.citations).toHaveLength(1);
    expect(kinds(claim("It is not clear when the apple tree was planted.", [whole(first)]))).toEqual(["hedged"]);
  });

  it("tells once what two records say word for word, and cites both", () => {
    const { plan, recalled, candidates, first, second, whole, claim } = read("Which tree?");
    const one = { ...claim("“the apple tree” (Pia Holm, 10 May 2024).", [whole(first)]), id: "c1" };
    const same = { ...claim("“the apple tree” (Jonas Eck, 24 May 2024).", [whole(second)]), id: "c2" };
    const { claims } = checkDraft(plan, draft([one, same]), candidates, recalled);
    expect(claims).toHaveLength(1);
    expect(claims[0]?.citations.map(({ recordId }) => recordId)).toEqual([first, second]);
  });
});
