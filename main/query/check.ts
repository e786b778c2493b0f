import type { Claim, QueryPlan } from "#contract";
import { findDates, fold, wordsOf } from "../views/language/index.ts";
import { rankerFile } from "./calibrate.ts";
import type { Candidate } from "./candidates.ts";
import { phrases, sayDay, saySpan } from "./phrases.ts";
import type { Draft } from "./read.ts";
import type { Recall } from "./recall.ts";

export interface Checked {
  readonly claims: readonly Claim[];
  readonly dropped: number;
  readonly answered: boolean;
  /** Why the draft does not convince; empty when it does. */
  readonly doubts: readonly string[];
}

/** Every claim against what it cites, then the draft against the question. */
export function checkDraft(plan: QueryPlan, draft: Draft, candidates: readonly Candidate[], recalled: Recall): Checked {
  const byId = new Map(candidates.map((candidate) => [candidate.recordId, candidate]));
  const claims = draft.claims.filter((claim) => claimHolds(plan, claim, byId));
  const doubts: string[] = [];
  if (claims.length === 0) doubts.push("no claim stands on its citation");
  if (!draft.fits) doubts.push(`no ${plan.answerType} found`);
  if (!supported(plan, candidates)) doubts.push("too little of the question is said anywhere together");
  if (!inTime(plan, candidates)) doubts.push("nothing of that time");
  if (recalled.ranked.length === 0) doubts.push("nothing recalled");
  return {
    claims,
    dropped: draft.claims.length - claims.length,
    answered: doubts.length === 0,
    doubts,
  };
}

/**
 * Enough of what was asked is said around one of the first records, by words or by meaning. Unknown words weigh most, so a
 * question about something that the archive has never heard of fails here. Without words, people, time or kind decide.
 */
function supported(plan: QueryPlan, candidates: readonly Candidate[]): boolean {
  const first = candidates.slice(0, 5);
  if (plan.terms.length === 0)
    return first.length > 0 && (plan.windows.length > 0 || plan.people.length > 0 || plan.kinds.length > 0);
  const { coverage, cosine } = rankerFile.notFound;
  return first.some(({ features }) => features.near >= coverage || features.cos >= cosine);
}

/** A question about a time needs a record of that time, shortly after it, or one that names it. */
function inTime(plan: QueryPlan, candidates: readonly Candidate[]): boolean {
  if (plan.windows.length === 0) return true;
  const least = plan.terms.length === 0 ? 1 : 0.05;
  return candidates
    .slice(0, 5)
    .some(
      ({ features, views, day }) =>
        features.win >= least ||
        views.some(({ text }) =>
          findDates(text.slice(0, 4_000), { reference: day }).some((date) =>
            plan.windows.some(({ from, to }) => date.from <= to && from <= date.to),
          ),
        ),
    );
}

/** Numbers, dates and names of a claim must stand in its citations, or follow from them (a relative date, a count). */
export function claimHolds(plan: QueryPlan, claim: Claim, byId: ReadonlyMap<number, Candidate>): boolean {
  if (claim.citations.length === 0) return false;
  const allowed = new Set<string>();
  const allow = (text: string) => {
    for (const { folded } of wordsOf(text)) allowed.add(folded);
  };
  const records = new Set<number>();
  for (const { recordId, view, span, quote } of claim.citations) {
    const candidate = byId.get(recordId);
    const text = candidate?.views.find((one) => one.view === view)?.text;
    if (!candidate || text === undefined) return false;
    if (span !== null && text.slice(span[0], span[1]) !== quote) return false;
    records.add(recordId);
    allow(quote);
    if (candidate.day !== null) allow(sayDay(candidate.day, plan.language));
    for (const { from, to } of findDates(quote, { reference: candidate.day })) allow(saySpan(from, to, plan.language));
    const { author, place } = candidate.record;
    allow([author?.name, author?.address, place?.name].filter((one) => one != null).join(" "));
  }
  allow(String(records.size));
  const own = ownWords(plan);
  return wordsOf(claim.text).every(({ text, folded }) => {
    const checked = /\d/.test(text) || /^\p{Lu}/u.test(text);
    return !checked || allowed.has(folded) || own.has(folded);
  });
}

/** Words with a capital that the reader says of its own. */
function ownWords(plan: QueryPlan): ReadonlySet<string> {
  const words = phrases[plan.language];
  const said = [
    words.unknownAuthor,
    words.photo,
    words.yes,
    words.no,
    words.earlier("", null),
    words.cancelled(null),
    words.disagree("", null),
    words.counted(2).replace("2", ""),
    words.taken(null, null),
    words.counted(1).replace("1", ""),
  ];
  return new Set(said.flatMap((text) => wordsOf(text).map(({ folded }) => fold(folded))));
}

/** The second round: without the filters that may have been misunderstood. Null when there was none to drop. */
export function rewrite(plan: QueryPlan): QueryPlan | null {
  if (plan.terms.length === 0 || (plan.kinds.length === 0 && plan.places.length === 0 && plan.people.length < 2))
    return null;
  return { ...plan, kinds: [], places: [] };
}
