import type { Conflict, QueryPlan } from "#contract";
import type { SchemaEdge } from "#main/indexes/ports.ts";
import { contentStems, dayNumber, findDates, languageOf, sentencesOf } from "../../views/language/index.ts";
import type { Candidate } from "../candidates/candidates.ts";
import { keptBy } from "../kept-by.ts";
import { isGeneric, saidBy } from "../plan/terms.ts";
import { isOld, sayValue } from "../read/sentences/pick.ts";
import type { Reading } from "../read/sentences/sentences.ts";
import { unsaidAnyway } from "../read/sentences/unsaid.ts";
import { saysCancelled, saysChange, type Value, type ValueType, valuesOf } from "../read/sentences/values.ts";

/**
 * Records that cannot both hold. `superseded`: the newer one says itself that something has changed, and both are about the
 * same matter. `conflict`: both state a value of the kind asked for, in nearly the same words, and nothing says which holds.
 */
export interface FoundConflict extends Conflict {
  /** The values as the records write them, to be found there; `value` says them whole. */
  readonly written: { readonly older: string; readonly newer: string };
}

/** Ranks that are compared; what stands further down is not what was asked. */
const considered = 36;
/** Share of common words from which two texts are about one matter without a tie between them. */
const sameMatter = 0.5;
/** Idf share of the question that a record must say itself to be about its matter. */
const aboutShare = 0.5;
/** Words that two untied records must share and few others have. */
const distinctive = 3;
const types: readonly ValueType[] = ["date", "time", "amount", "number"];
const tying: ReadonlySet<string> = new Set(["same_thread", "reply_to", "same_record"]);

export function findConflicts(
  plan: QueryPlan,
  candidates: readonly Candidate[],
  edges: readonly SchemaEdge[],
  { asked, around }: Pick<Reading, "asked" | "around">,
): FoundConflict[] {
  const names = new Set(contentStems(plan.people.map(({ name }) => name).join(" "), plan.language));
  const exchanged = new Set(edges.filter(({ relation }) => relation === "reply_to").map(pairKey));
  const linked = new Set(edges.filter(({ relation }) => tying.has(relation)).map(pairKey));
  const top = candidates
    .slice(0, considered)
    .filter(({ record, moment }) => moment !== null && record.kind !== "photo");
  // Most questions have no two records that both name the matter: what tells it is worked out when it is first asked for.
  let common: ReadonlySet<string> | null = null;
  const telling = keptBy(
    (candidate: Candidate) => candidate,
    ({ stems }) => {
      common ??= commonStems(top);
      const known = common;
      return [...stems].filter((one) => !names.has(one) && !known.has(one) && !/\d/.test(one) && !isGeneric(one));
    },
  );
  const shareMatter = (older: Candidate, newer: Candidate) => {
    let shared = 0;
    for (const one of telling(older)) if (newer.stems.has(one) && ++shared === distinctive) return true;
    return false;
  };
  const about = new Map(top.map(({ recordId, stems }) => [recordId, saidBy(asked, stems, around(recordId))]));
  const conflicts: FoundConflict[] = [];
  for (const older of top) {
    for (const newer of top) {
      if ((older.moment ?? 0) >= (newer.moment ?? 0)) continue;
      const [first, second] = [about.get(older.recordId) ?? 0, about.get(newer.recordId) ?? 0];
      if (Math.max(first, second) < aboutShare) continue;
      // In one thread or booking the reply need not repeat the matter; elsewhere both must name it.
      const tied = linked.has(pairKey({ from: older.recordId, to: newer.recordId }));
      if (!tied && (Math.min(first, second) < aboutShare || !shareMatter(older, newer))) continue;
      const answers = exchanged.has(pairKey({ from: older.recordId, to: newer.recordId }));
      const found = compare(plan, older, newer, sayingOf(older), sayingOf(newer), tied, answers);
      if (found) conflicts.push(found);
    }
  }
  return settle(conflicts, candidates);
}

/** Stems that more than a third of the records have: they tell no matter from another. */
function commonStems(top: readonly Candidate[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { stems } of top) for (const one of stems) counts.set(one, (counts.get(one) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count > Math.max(3, top.length / 3)).map(([one]) => one));
}

function pairKey({ from, to }: { from: number; to: number }): string {
  return from < to ? `${from} ${to}` : `${to} ${from}`;
}

interface Said {
  readonly value: Value;
  readonly sentence: string;
}

/** What a record says of values and of change; worked out once, and values only when they are needed. */
interface Saying {
  readonly cancelled: string | null;
  readonly changed: string | null;
  values(): readonly Said[];
  /** Values of the sentence that tells of the change, or of all; without those that it says held before. */
  newValues(): readonly Said[];
  /** Values that the text itself says held before. */
  olds(): readonly Value[];
}

/** By record: the rounds of a question compare the same ones. */
const sayingOf = keptBy(({ record }: Candidate) => record, readSaying);

function readSaying(candidate: Candidate): Saying {
  const sentences = candidate.views
    .filter(({ view }) => view === "subject" || view === "text")
    .flatMap(({ view, text }) => {
      const input = (view === "subject" ? bareOfList(text) : text).slice(0, 2_000);
      const unsaid = unsaidAnyway(input);
      return sentencesOf(input).flatMap(({ start, end }) => (unsaid(start, end) ? [] : [input.slice(start, end)]));
    })
    .filter((sentence) => !sentence.endsWith("?"));
  const changing = sentences.filter(saysChange);
  let all: readonly Said[] | null = null;
  let fresh: readonly Said[] | null = null;
  const said = (some: readonly string[]) =>
    some.flatMap((sentence) =>
      valuesOf(sentence, candidate.day, types)
        .filter((value) => planned(candidate, value) && !isOld(sentence, value))
        .map((value) => ({ value, sentence })),
    );
  return {
    cancelled: sentences.find(saysCancelled) ?? null,
    changed: changing[0] ?? null,
    olds: () =>
      changing.flatMap((sentence) =>
        valuesOf(sentence, candidate.day, types).filter((value) => isOld(sentence, value)),
      ),
    values() {
      all ??= said(sentences);
      return all;
    },
    newValues() {
      fresh ??= said(changing);
      if (fresh.length === 0) fresh = this.values();
      return fresh;
    },
  };
}

/** Only what lies ahead of the record can be put off: "yesterday" in it is a report, and a weekday alone no date. */
function planned({ day }: Candidate, { from, to }: Value): boolean {
  return from === undefined || to === undefined || (from === to && (day === null || to >= day));
}

function compare(
  plan: QueryPlan,
  older: Candidate,
  newer: Candidate,
  before: Saying,
  after: Saying,
  tied: boolean,
  answers: boolean,
): FoundConflict | null {
  if (after.cancelled !== null && before.cancelled === null) {
    const value = after.cancelled.trim().slice(0, 120);
    const word = plan.language === "de" ? "geplant" : "planned";
    return {
      kind: "superseded",
      attribute: "status",
      older: { recordId: older.recordId, value: word },
      newer: { recordId: newer.recordId, value },
      written: { older: word, newer: value },
    };
  }
  const make = (kind: Conflict["kind"], attribute: string, old: Said, fresh: Said): FoundConflict => ({
    kind,
    attribute,
    older: { recordId: older.recordId, value: sayValue(plan, old.sentence, old.value, older.day) },
    newer: { recordId: newer.recordId, value: sayValue(plan, fresh.sentence, fresh.value, newer.day) },
    written: { older: old.value.text, newer: fresh.value.text },
  });
  const wanted = typeOrder(plan);
  for (const type of wanted) {
    const old = before.values().filter(({ value }) => value.type === type);
    const fresh = after.newValues().filter(({ value }) => value.type === type);
    const next = fresh.filter(({ value }) => !old.some((known) => overlaps(known.value, value))).at(-1);
    const last = old[0];
    if (!next || !last) continue;
    const named = after.olds().some((value) => overlaps(value, last.value));
    // A reply whose subject tells of the change is about what it replies to.
    const declared = answers && saysChange(newer.record.subject ?? "");
    if (!tied && !named && !near(last.value, next.value)) continue;
    if (after.changed !== null && !named && !declared && !sameTopic(older, newer, last, next)) continue;
    if (after.changed !== null) return make("superseded", type, last, next);
    const alike = similarity(older.stems, newer.stems) >= sameMatter;
    if (!tied && alike && type === wanted[0] && plan.operation === "single" && fresh.length === 1 && old.length === 1) {
      return make("conflict", type, last, next);
    }
  }
  return null;
}

/**
 * The two sentences, with their records' subjects, share a word: a delivery and a repair of one order are two matters. What a
 * bare figure counts stands in its sentence, and a list's name is in all its subjects.
 */
function sameTopic(older: Candidate, newer: Candidate, old: Said, fresh: Said): boolean {
  const titled = old.value.type !== "number";
  const stems = ({ record }: Candidate, { sentence }: Said) =>
    contentStems(`${titled ? bareOfList(record.subject) : ""} ${sentence}`, languageOf(sentence)).filter(
      (one) => !/\d/.test(one) && !isGeneric(one) && findDates(`in ${one}`, { reference: "2000-01-01" }).length === 0,
    );
  const said = new Set(stems(older, old));
  return stems(newer, fresh).some((one) => said.has(one));
}

const bareOfList = (subject: string | null): string => (subject ?? "").replace(/\[[^\]]*\]/gu, " ");

/** The kind of value that is asked for first. */
function typeOrder(plan: QueryPlan): ValueType[] {
  if (plan.answerType === "amount") return ["amount"];
  if (plan.answerType === "number") return ["number"];
  return ["date", "time", "amount"];
}

function overlaps(a: Value, b: Value): boolean {
  if (a.from !== undefined && a.to !== undefined && b.from !== undefined && b.to !== undefined)
    return a.from <= b.to && b.from <= a.to;
  return a.key === b.key;
}

/** Without a tie between their records, days far apart are of two matters. */
function near(a: Value, b: Value): boolean {
  if (a.from === undefined || b.from === undefined) return true;
  return Math.abs(dayNumber(a.from) - dayNumber(b.from)) <= nearDays;
}
const nearDays = 60;

/** Jaccard over stems. */
function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let both = 0;
  for (const one of a) if (b.has(one)) both++;
  return both === 0 ? 0 : both / (a.size + b.size - both);
}

/** For each older record only the newest that replaces it, and no conflict with what is replaced anyway. */
function settle(conflicts: readonly FoundConflict[], candidates: readonly Candidate[]): FoundConflict[] {
  const moments = new Map(candidates.map(({ recordId, moment }) => [recordId, moment ?? 0]));
  const newest = new Map<number, FoundConflict>();
  for (const conflict of conflicts.filter(({ kind }) => kind === "superseded")) {
    const known = newest.get(conflict.older.recordId);
    if (!known || (moments.get(conflict.newer.recordId) ?? 0) > (moments.get(known.newer.recordId) ?? 0)) {
      newest.set(conflict.older.recordId, conflict);
    }
  }
  const open = conflicts.filter(
    ({ kind, older, newer }) => kind === "conflict" && !newest.has(older.recordId) && !newest.has(newer.recordId),
  );
  return [...newest.values(), ...open.slice(0, 5)];
}
