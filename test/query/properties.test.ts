import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AskResult, RecordId } from "#contract";
import { ask } from "#main/query/ask.ts";
import { suggestions } from "#main/query/suggest.ts";
import { archiveOf, type Draft, embedderOf, letters } from "./archive.ts";
import { counting } from "./counting.ts";

/** What holds for every question over every archive. */

const people = ["Ilse Marten", "Bao Nguyen", "Rosa Field"] as const;
const things = ["kettle", "tent", "canoe", "piano", "ladder", "lantern"] as const;
const deeds = ["bought", "lost", "repaired", "sold", "painted"] as const;

/** A small archive: chats, mails and pictures about a few things, with values that contradict each other now and then. */
const drafts: fc.Arbitrary<Draft[]> = fc
  .array(
    fc.record({
      who: fc.integer({ min: 0, max: 2 }),
      thing: fc.integer({ min: 0, max: 5 }),
      deed: fc.integer({ min: 0, max: 4 }),
      day: fc.integer({ min: 1, max: 28 }),
      month: fc.integer({ min: 1, max: 12 }),
      sum: fc.integer({ min: 10, max: 99 }),
      shape: fc.integer({ min: 0, max: 4 }),
    }),
    { minLength: 3, maxLength: 12 },
  )
  .map((rows) =>
    rows.map(({ who, thing, deed, day, month, sum, shape }, at): Draft => {
      const two = (value: number) => String(value).padStart(2, "0");
      const name = people[who] ?? "";
      const clock = `${two(8 + Math.floor(at / 60))}:${two(at % 60)}:00`;
      const at2 = `2023-${two(month)}-${two(day)}T${clock}`;
      const what = `${deeds[deed]} the ${things[thing]}`;
      const identity = `draft:${at}`;
      if (shape === 0) return { identity, by: name, chat: "Home", at: at2, text: `I ${what} yesterday` };
      if (shape === 1) return { identity, by: name, chat: "Home", at: at2, text: `Who ${what}?` };
      if (shape === 2)
        return {
          identity,
          by: name,
          to: [people[(who + 1) % 3] ?? ""],
          at: at2,
          subject: `The ${things[thing]}`,
          text: `We ${what} for €${sum}.`,
        };
      if (shape === 3)
        return {
          identity,
          kind: "photo",
          at: at2,
          place: { lat: 50, lon: 8, alt: null, name: "Mill Lake", confidence: "normal" },
          props: { name: `IMG_${at}.jpg` },
        };
      return {
        identity,
        by: name,
        at: at2,
        subject: `Re: ${things[thing]}`,
        text: `The ${things[thing]} was moved to ${day} June 2023, it is now €${sum}.`,
      };
    }),
  );

const question: fc.Arbitrary<string> = fc
  .record({
    who: fc.constantFrom(...people.map((name) => name.split(" ")[0] ?? "")),
    thing: fc.constantFrom(...things),
    deed: fc.constantFrom("buy", "lose", "repair", "sell", "paint"),
    shape: fc.integer({ min: 0, max: 6 }),
  })
  .map(({ who, thing, deed, shape }) => {
    const shapes = [
      `When did ${who} ${deed} the ${thing}?`,
      `How much was the ${thing}?`,
      `Who ${deed}s the ${thing}?`,
      `Show me photos from June 2023`,
      `What did ${who} and Rosa both ${deed}, the ${thing} or the tent?`,
      `How many mails about the ${thing} are there?`,
      `Did ${who} ever ${deed} a ${thing}?`,
    ];
    return shapes[shape] ?? "";
  });

/** `RUNS=200` looks for longer. */
const runs = { numRuns: Number(process.env.RUNS ?? 8) };

/** The result with every record id put in another's place, and without what a clock says. */
function told(result: AskResult, rename: ReadonlyMap<RecordId, RecordId> = new Map()): string {
  const ids = new Set([
    "recordId",
    "from",
    "to",
    "parent",
    "id",
    "bestAnchorId",
    "anchors",
    "chosen",
    "folded",
    "of",
    "by",
  ]);
  const clocks = new Set(["ms", "embedMs"]);
  const walk = (value: unknown, key: string): unknown => {
    if (typeof value === "number" && ids.has(key)) return rename.get(value) ?? value;
    // Sums of the same numbers in another order differ in their last bits.
    if (typeof value === "number") return Number(value.toPrecision(9));
    if (Array.isArray(value)) return value.map((one) => walk(one, key));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).filter(([name]) => !clocks.has(name));
    return Object.fromEntries(entries.map(([name, one]) => [name, walk(one, name === "windows" ? "" : name)]));
  };
  return JSON.stringify(walk(result, ""));
}

describe("for every question over every archive", () => {
  it("the same question twice gives the same answer, trace and all, but for the clock", async () => {
    await fc.assert(
      fc.asyncProperty(drafts, question, async (records, text) => {
        const archive = archiveOf(records);
        await archive.embed(letters);
        const embedder = embedderOf(letters);
        expect(told(await archive.ask(text, { embedder }))).toBe(told(await archive.ask(text, { embedder })));
      }),
      runs,
    );
  });

  it("the order in which records came in does not matter", async () => {
    await fc.assert(
      fc.asyncProperty(drafts, question, fc.infiniteStream(fc.nat()), async (records, text, order) => {
        const shuffled = records
          .map((record) => ({ record, key: order.next().value ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ record }) => record);
        const [one, other] = [archiveOf(records), archiveOf(shuffled)];
        const place = new Map(records.map(({ identity }, at) => [identity, one.ids[at] ?? 0]));
        const rename = new Map(shuffled.map(({ identity }, at) => [other.ids[at] ?? 0, place.get(identity) ?? 0]));
        expect(answerOf(await other.ask(text), rename)).toEqual(answerOf(await one.ask(text)));
      }),
      runs,
    );
  });

  it("a record in the trash, or deleted for good, is in no stage, claim, conflict, left-out list, trace or suggestion", async () => {
    await fc.assert(
      fc.asyncProperty(drafts, question, fc.nat(), fc.boolean(), async (records, text, which, forGood) => {
        const at = which % records.length;
        const secret = `zebra${at}quartz`;
        const marked = records.map((record, place) =>
          place === at && record.text ? { ...record, text: `${record.text} ${secret}` } : record,
        );
        const archive = archiveOf(marked);
        const gone = archive.ids[at] ?? 0;
        await archive.ask(text);
        archive.trash(gone);
        if (forGood) archive.erase(gone);
        for (const asked of [text, `What about ${secret}?`]) {
          const result = await archive.ask(asked);
          expect(idsIn(result)).not.toContain(gone);
          const without = JSON.stringify({
            ...result,
            plan: null,
            trace: result.trace.filter(({ stage }) => stage !== "plan"),
          });
          if (asked === text) expect(without).not.toContain(secret);
          for (const { quote } of result.claims.flatMap(({ citations }) => citations))
            expect(quote).not.toContain(secret);
        }
        expect((await suggestions(archive.ports, "2024-08-01")).join()).not.toContain(secret);
      }),
      runs,
    );
  });

  it("every quote stands at its span, every node and edge is named, and no answer is without a claim", async () => {
    await fc.assert(
      fc.asyncProperty(drafts, question, async (records, text) => {
        const archive = archiveOf(records);
        const result = await archive.ask(text);
        const named = new Set(result.records.map(({ id }) => id));
        for (const { recordId, view, span, quote } of result.claims.flatMap(({ citations }) => citations)) {
          expect(named.has(recordId)).toBe(true);
          const [record] = archive.ports.records.getMany([recordId]);
          const whole = view === "text" ? record?.text : view === "subject" ? record?.subject : null;
          if (whole != null && span !== null) expect(whole.slice(...span)).toBe(quote);
        }
        const nodes = new Set(result.forest.nodes.map(({ recordId }) => recordId));
        for (const { from, to } of result.forest.edges) expect([nodes.has(from), nodes.has(to)]).toEqual([true, true]);
        for (const { recordId, parent } of result.forest.nodes) {
          expect(named.has(recordId)).toBe(true);
          if (parent !== null) expect(nodes.has(parent)).toBe(true);
        }
        expect(result.outcome === "answered").toBe(result.claims.length > 0);
        for (const { recordId } of result.leftOut) expect(nodes.has(recordId)).toBe(false);
        expect(result.rounds.filter(({ chosen }) => chosen)).toHaveLength(1);
        expect(result.rounds.reduce((sum, { retrievals }) => sum + retrievals, 0)).toBeLessThanOrEqual(5);
      }),
      runs,
    );
  });
});

describe("what a stage can reach", () => {
  it("is a reader of records, a reader of the index and models: nothing that could write, and nothing that knows the right answer", async () => {
    const { ports } = archiveOf([
      { by: "Ilse Marten", chat: "Home", at: "2023-05-01T10:00:00", text: "I bought the canoe" },
    ]);
    const counted = counting(ports);
    for await (const _ of ask({ question: "Who bought the canoe?", today: "2024-08-01" }, counted.ports));
    const reading =
      /^(?:records\.(?:getMany|contents|photos|legible|picturesRead|summaries|live|inWindow|byPerson|personIdsOf|list|counts|lastSeq|still|people|feedback\w*)|index\.(?:searchText|expression|matching|countText|items|present|visitStems|tokensOf|hasWord|cosinesOf|centreOf|similarities|session|sessions|sessionsOf|passage|searchFragments|fragmentPassage|searchVectors|searchPictures|labelsLike|tagged|vectorsOf|wordsLike|nearest|edges|status|still|close))$/;
    for (const name of counted.calls.keys()) expect(name).toMatch(reading);
    expect(Object.keys(ports).sort()).toEqual(["embedder", "index", "records"]);
  });

  it("is given by a type that has no room for an expected answer", () => {
    type Input = Parameters<typeof ask>[0];
    const input: Record<keyof Input, true> = { question: true, plan: true, today: true, people: true, after: true };
    expect(Object.keys(input).filter((name) => /gold|answer|expected|evidence/i.test(name))).toEqual([]);
  });
});

/** What a person sees of a result, with ids of another archive put in place. */
function answerOf(result: AskResult, rename: ReadonlyMap<RecordId, RecordId> = new Map()) {
  const id = (one: RecordId) => rename.get(one) ?? one;
  return {
    outcome: result.outcome,
    answer: result.answer,
    claims: result.claims.map(({ text, citations, standing }) => ({
      text,
      standing,
      citations: citations.map(({ recordId, view, span, quote }) => ({ recordId: id(recordId), view, span, quote })),
    })),
    nodes: result.forest.nodes.map(({ recordId, parent, tree, depth }) => [
      id(recordId),
      parent === null ? null : id(parent),
      tree,
      depth,
    ]),
    edges: result.forest.edges.map(({ from, to, role }) => [id(from), id(to), role]),
    conflicts: result.conflicts.map(({ kind, attribute, older, newer }) => [
      kind,
      attribute,
      id(older.recordId),
      id(newer.recordId),
    ]),
    leftOut: result.leftOut.map(({ recordId, reason }) => [id(recordId), reason]),
    rounds: result.rounds,
  };
}

/** Every record that a result names anywhere, the trace included. */
function idsIn(result: AskResult): number[] {
  const found: number[] = [];
  const lists = new Set(["anchors", "chosen", "folded"]);
  const walk = (value: unknown, key: string): void => {
    if (typeof value === "number" && (/recordId|bestAnchorId|^from$|^to$|parent|^id$/i.test(key) || lists.has(key)))
      found.push(value);
    else if (Array.isArray(value)) for (const one of value) walk(one, key);
    else if (typeof value === "object" && value !== null)
      for (const [name, one] of Object.entries(value)) walk(one, name);
  };
  const { plan: _, ...rest } = result;
  walk({ ...rest, trace: rest.trace.filter(({ stage }) => stage !== "plan") }, "");
  return found;
}
