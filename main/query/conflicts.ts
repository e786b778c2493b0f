import type { Conflict, QueryPlan } from "#contract";
import type { SchemaEdge } from "#main/indexes/ports.ts";
import { contentStems, sentencesOf } from "../views/language/index.ts";
import type { Candidate } from "./candidates.ts";
import { saysCancelled, saysChange, type Value, type ValueType, valuesOf } from "./values.ts";

/**
 * Records that cannot both hold. `superseded`: the newer one says itself that something has changed, and both are about the
 * same matter. `conflict`: both state a value of the kind asked for, in nearly the same words, and nothing says which holds.
 */

/** Ranks that are compared; what stands further down is not what was asked. */
const considered = 24;
/** Share of common words from which two texts are about one matter without a tie between them. */
const sameMatter = 0.5;
const types: readonly ValueType[] = ["date", "time", "amount", "number"];

export function findConflicts(
  plan: QueryPlan,
  candidates: readonly Candidate[],
  edges: readonly SchemaEdge[],
): Conflict[] {
  const question = contentStems(plan.terms.join(" "), plan.language);
  const names = new Set(contentStems(plan.people.map(({ name }) => name).join(" "), plan.language));
  const linked = new Set(
    edges.filter(({ relation }) => relation !== "semantic" && relation !== "same_place").map(pairKey),
  );
  const top = candidates
    .slice(0, considered)
    .filter(({ record, moment }) => moment !== null && record.kind !== "photo");
  const sayings = new Map(top.map((candidate) => [candidate.recordId, sayingOf(candidate)]));
  const conflicts: Conflict[] = [];
  for (const older of top) {
    for (const newer of top) {
      if ((older.moment ?? 0) >= (newer.moment ?? 0)) continue;
      const shared = [...older.stems].filter((stem) => newer.stems.has(stem) && !names.has(stem) && !/\d/.test(stem));
      const asked = question.filter((stem) => older.stems.has(stem) && newer.stems.has(stem)).length;
      const tied = linked.has(pairKey({ from: older.recordId, to: newer.recordId }));
      const about = question.length === 0 ? tied : question.some((stem) => older.stems.has(stem));
      if (!about || !(tied || (asked > 0 && shared.length >= 2 && asked * 2 >= question.length))) continue;
      const [before, after] = [sayings.get(older.recordId), sayings.get(newer.recordId)];
      const found = before && after ? compare(plan, older, newer, before, after, tied) : null;
      if (found) conflicts.push(found);
    }
  }
  return settle(conflicts, candidates);
}

function pairKey({ from, to }: { from: number; to: number }): string {
  return from < to ? `${from} ${to}` : `${to} ${from}`;
}

/** What a record says of values and of change; worked out once, and values only when they are needed. */
interface Saying {
  readonly cancelled: string | null;
  readonly changed: string | null;
  values(): readonly Value[];
  /** Values of the sentence that tells of the change, or of all. */
  newValues(): readonly Value[];
}

function sayingOf(candidate: Candidate): Saying {
  const text = textOf(candidate);
  const changed = sentenceWith(text, saysChange);
  let all: readonly Value[] | null = null;
  let fresh: readonly Value[] | null = null;
  const values = () => {
    all ??= valuesOf(text, candidate.day, types);
    return all;
  };
  const newValues = () => {
    fresh ??= changed === null ? values() : valuesOf(changed, candidate.day, types);
    return fresh;
  };
  return { cancelled: sentenceWith(text, saysCancelled), changed, values, newValues };
}

function compare(
  plan: QueryPlan,
  older: Candidate,
  newer: Candidate,
  before: Saying,
  after: Saying,
  tied: boolean,
): Conflict | null {
  const make = (kind: Conflict["kind"], attribute: string, old: string, fresh: string): Conflict => ({
    kind,
    attribute,
    older: { recordId: older.recordId, value: old },
    newer: { recordId: newer.recordId, value: fresh },
  });
  if (after.cancelled !== null && before.cancelled === null) {
    return make(
      "superseded",
      "status",
      plan.language === "de" ? "geplant" : "planned",
      after.cancelled.trim().slice(0, 120),
    );
  }
  const changed = after.changed;
  const wanted = typeOrder(plan);
  for (const type of wanted) {
    const old = before.values().filter((value) => value.type === type);
    const fresh = after.newValues().filter((value) => value.type === type);
    const next = fresh.filter((value) => !old.some((known) => overlaps(known, value))).at(-1);
    const last = old[0];
    if (!next || !last) continue;
    if (changed !== null) return make("superseded", type, last.text, next.text);
    const alike = similarity(older.stems, newer.stems) >= sameMatter;
    if (!tied && alike && type === wanted[0] && plan.operation === "single" && fresh.length === 1 && old.length === 1) {
      return make("conflict", type, last.text, next.text);
    }
  }
  return null;
}

/** The kind of value that is asked for first. */
function typeOrder(plan: QueryPlan): ValueType[] {
  const first: ValueType | null =
    plan.answerType === "amount"
      ? "amount"
      : plan.answerType === "number"
        ? "number"
        : plan.answerType === "date"
          ? "date"
          : null;
  const rest: ValueType[] = first === "number" || first === "amount" ? [] : ["date", "time", "amount"];
  return [...new Set([...(first === null ? [] : [first]), ...rest])];
}

function overlaps(a: Value, b: Value): boolean {
  if (a.from !== undefined && a.to !== undefined && b.from !== undefined && b.to !== undefined)
    return a.from <= b.to && b.from <= a.to;
  return a.key === b.key;
}

function textOf(candidate: Candidate): string {
  return candidate.views
    .filter(({ view }) => view === "subject" || view === "text")
    .map(({ text }) => text.slice(0, 2_000))
    .join("\n");
}

function sentenceWith(text: string, test: (sentence: string) => boolean): string | null {
  for (const { start, end } of sentencesOf(text)) {
    const sentence = text.slice(start, end);
    if (!sentence.endsWith("?") && test(sentence)) return sentence;
  }
  return null;
}

/** Jaccard over stems. */
function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let both = 0;
  for (const stem of a) if (b.has(stem)) both++;
  return both === 0 ? 0 : both / (a.size + b.size - both);
}

/** For each older record only the newest that replaces it, and no conflict with what is replaced anyway. */
function settle(conflicts: readonly Conflict[], candidates: readonly Candidate[]): Conflict[] {
  const moments = new Map(candidates.map(({ recordId, moment }) => [recordId, moment ?? 0]));
  const newest = new Map<number, Conflict>();
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
