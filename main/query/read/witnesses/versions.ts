import type { Citation, Claim, QueryPlan } from "#contract";
import { saysItself } from "../../../views/index.ts";
import { contentStems, sentencesOf } from "../../../views/language/index.ts";
import type { Candidate } from "../../candidates/candidates.ts";
import type { FoundConflict } from "../../verify/conflicts.ts";
import { phrases } from "../phrases.ts";
import { authorOf, citeValue, dayOf, metadataOf, quoted } from "../say.ts";
import { sayOld } from "../sentences/pick.ts";
import type { Passage } from "../sentences/sentences.ts";
import { type Value, valuesOf } from "../sentences/values.ts";

const olderLimit = 2;

/** What held before, or what another record says: told, never hidden; of older values the two newest. */
export function versions(
  plan: QueryPlan,
  best: Passage,
  front: string | null,
  candidates: readonly Candidate[],
  conflicts: readonly FoundConflict[],
  alsoSaid: (old: Value, by: Candidate) => readonly Citation[],
): Claim[] {
  const words = phrases[plan.language];
  const main = best.candidate;
  const byId = new Map(candidates.map((candidate) => [candidate.recordId, candidate]));
  const told = new Set(front === null ? [] : [front]);
  const claims: Claim[] = [];
  const own = conflicts
    .filter(
      ({ older, newer, kind }) =>
        older.recordId === main.recordId ||
        newer.recordId === main.recordId ||
        // The record that told of the change gives the answer's value, too.
        (kind === "superseded" && front !== null && sameSaid(newer.value, front)),
    )
    .filter(({ attribute }) => tellable(plan, attribute))
    .toSorted((a, b) => (byId.get(b.older.recordId)?.moment ?? 0) - (byId.get(a.older.recordId)?.moment ?? 0));
  const { old, citation } = best.picked ?? {};
  // Told by the sentence itself, unless the record that said so first is told below.
  const said = old && citation ? sayOld(plan, old) : null;
  if (said !== null && citation && !own.some(({ older }) => older.value.startsWith(said))) {
    told.add(said);
    claims.push({
      id: "c",
      text: `${words.earlier(said, null)}.`,
      citations: [citation, ...metadataOf(main), ...(old ? alsoSaid(old, main) : [])],
      standing: "superseded",
    });
  }
  const before = plan.answerType === "text" && citation === undefined ? replacedIn(best.citation) : null;
  if (before !== null && !told.has(before.words)) {
    told.add(before.words);
    const others = candidates.filter(({ recordId }) => recordId !== main.recordId);
    claims.push({
      id: "c",
      text: `${words.earlier(before.words, null)}.`,
      citations: [best.citation, ...metadataOf(main), ...saying(plan, before.words, others)],
      standing: "superseded",
    });
  }
  for (const conflict of own) {
    if (claims.length === olderLimit) break;
    const superseded = conflict.kind === "superseded";
    const ours = !superseded && conflict.older.recordId === main.recordId ? "newer" : "older";
    const side = conflict[ours];
    const candidate = byId.get(side.recordId);
    if (!candidate || [...told].some((one) => sameSaid(one, side.value))) continue;
    told.add(side.value);
    const day = dayOf(candidate, plan);
    const line = superseded ? words.earlier(side.value, day) : words.disagree(side.value, day);
    const status = conflict.attribute === "status";
    claims.push({
      id: "c",
      text: status ? `${words.cancelled(dayOf(main, plan))}. ${line}.` : `${line}.`,
      citations: [
        ...citeValue(candidate, conflict.written[ours]),
        ...metadataOf(candidate),
        ...(superseded ? valuesIn(conflict.written.older, candidate).flatMap((one) => alsoSaid(one, candidate)) : []),
        ...(status ? [...citeValue(main, conflict.newer.value), ...metadataOf(main)] : []),
      ],
      standing: superseded ? "superseded" : "conflicting",
    });
  }
  return claims;
}

const replacing =
  /(?<!\p{L})(?:replaces|replacing|instead of|rather than|formerly|previously|ersetzt|statt|anstelle von|bisher|früher)\s+(?<words>[\p{L}\d'’ -]{3,40}?)(?=[).,;:!?\n]|$)/iu;

/** "Sage (replaces Fern Green)": what a sentence says stood there before. */
function replacedIn({ quote }: Citation): { words: string } | null {
  const words = replacing.exec(quote)?.groups?.words?.trim();
  return words === undefined ? null : { words };
}

const sayingLimit = 3;
/** Ranks within which a record that says those words speaks of the same thing. */
const sayingRanks = 40;

/** Records that say all of these words in one sentence, and answers given so in the talk of such a record. */
function saying({ language }: QueryPlan, words: string, candidates: readonly Candidate[]): Citation[] {
  const wanted = contentStems(words, language);
  if (wanted.length < 2) return [];
  const near = candidates.filter(({ rank }) => rank <= sayingRanks);
  return candidates
    .filter((one) => one.rank <= sayingRanks || near.some((other) => answersAtOnce(one, other)))
    .flatMap(({ recordId, views }) => {
      for (const { view, text } of views) {
        if (!saysItself(view)) continue;
        const read = text.slice(0, 4_000);
        for (const { start, end } of sentencesOf(read).slice(0, 60)) {
          const quote = read.slice(start, end);
          const stems = new Set(contentStems(quote, language));
          if (wanted.every((one) => stems.has(one)) && !quote.endsWith("?"))
            return [{ recordId, view, span: [start, end] as [number, number], quote }];
        }
      }
      return [];
    })
    .slice(0, sayingLimit);
}

/** Within minutes of the other, in the same chat. */
function answersAtOnce({ record, moment }: Candidate, other: Candidate): boolean {
  if (record.kind !== "message" || record.container === null || moment === null || other.moment === null) return false;
  const later = moment - other.moment;
  return record.container.key === other.record.container?.key && later >= 0 && later <= atOnceMs;
}
const atOnceMs = 600_000;

/** The same day, with or without its hour. */
const sameSaid = (a: string, b: string): boolean => a === b || a.startsWith(`${b},`) || b.startsWith(`${a},`);

const valuesIn = (written: string, { day }: Candidate): Value[] =>
  valuesOf(written, day, ["date", "amount", "duration", "number"]).slice(0, 1);

/** Only what was asked about: the older date of a "when", the older sum of a "how much". */
export function tellable(plan: QueryPlan, attribute: string): boolean {
  if (attribute === "status") return plan.answerType === "date" || plan.answerType === "yesno";
  if (plan.answerType === "date") return attribute === "date" || attribute === "time";
  return plan.answerType === attribute;
}

/** "Yes." to what a record proposes makes it hold; both are cited. */
export function acceptance(
  plan: QueryPlan,
  best: Passage,
  front: string | null,
  reply: Candidate | undefined,
): Claim[] {
  const view = reply?.views.find((one) => one.view === "text");
  if (!reply || !view || (front === null && plan.answerType !== "yesno")) return [];
  const start = view.text.length - view.text.trimStart().length;
  const end = view.text.trimEnd().length;
  const quote = view.text.slice(start, end);
  const words = phrases[plan.language];
  const who = words.said(authorOf(reply) ?? words.unknownAuthor, dayOf(reply, plan));
  return [
    {
      id: "c",
      text: `${words.accepted}: ${quoted(quote)} (${who}).`,
      citations: [
        { recordId: reply.recordId, view: "text", span: [start, end], quote },
        ...metadataOf(reply),
        best.citation,
      ],
      standing: "current",
    },
  ];
}
