import type { Claim, QueryPlan } from "#contract";
import { dayNumber, findDates, fold, weekdayOf, wordsOf } from "../../views/language/index.ts";
import type { Candidate } from "../candidates/candidates.ts";
import { weightOf } from "../plan/terms.ts";
import type { Draft } from "../read/draft.ts";
import { phrases, sayDay, saySpan, sayWeekday } from "../read/phrases.ts";
import { rankerFile } from "../recall/calibrate.ts";
import { asksPictures } from "../recall/pictures.ts";
import type { Recall } from "../recall/recall.ts";

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
  if (!supported(plan, draft, recalled)) doubts.push("too little of the question is said anywhere together");
  if (plan.windows.length > 0 && !draft.inTime) doubts.push("nothing of that time");
  if (recalled.ranked.length === 0) doubts.push("nothing recalled");
  return {
    claims,
    dropped: draft.claims.length - claims.length,
    answered: doubts.length === 0,
    doubts,
  };
}

/**
 * Enough of what was asked is said by the record of the answer or around it. Words weigh by their rarity, verbs that only
 * ask hardly at all, and unknown words most, so a question about something that the archive has never heard of fails here.
 * Likeness of meaning lowers what must be said in words; it never stands alone. Without words, people, time or kind decide.
 */
function supported(plan: QueryPlan, draft: Draft, recalled: Recall): boolean {
  const strong = recalled.asked.terms.some(({ generic }) => !generic);
  if (!strong) return plan.windows.length > 0 || plan.people.length > 0 || plan.kinds.length > 0;
  const { coverage, cosine } = rankerFile.notFound;
  // A time asked for and met is covered like a word: a narrow one like a rare word, a whole year hardly.
  const [window] = draft.inTime ? plan.windows : [];
  const time = window === undefined ? 0 : dayNumber(window.to) - dayNumber(window.from) <= narrowDays ? 2.3 : 0.8;
  const words = weightOf(recalled.asked);
  const said = (draft.said * words + time) / (words + time);
  return said >= coverage - Math.min(0.3, 1.2 * Math.max(0, draft.cosine - cosine));
}

const narrowDays = 62;

/** Numbers, dates and names of a claim must stand in its citations, or follow from them (a relative date, a count). */
export function claimHolds(plan: QueryPlan, claim: Claim, byId: ReadonlyMap<number, Candidate>): boolean {
  if (claim.citations.length === 0) return false;
  const allowed = new Set<string>();
  const allow = (text: string) => {
    for (const { folded } of wordsOf(text)) {
      allowed.add(folded);
      // "2450ish" says 2450.
      const [figure] = /^\d{3,}(?=\p{L})/u.exec(folded) ?? [];
      if (figure !== undefined) allowed.add(figure);
    }
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
    allow(candidate.record.time?.local?.slice(11, 16) ?? "");
    for (const { from, to } of findDates(quote, { reference: candidate.day })) {
      allow(saySpan(from, to, plan.language));
      allow(sayWeekday(weekdayOf(from), plan.language));
    }
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
    words.read(null),
    words.photo,
    words.yes,
    words.no,
    words.earlier("", null),
    words.cancelled(null),
    words.disagree("", null),
    words.counted(2).replace("2", ""),
    words.taken(null, null),
    words.accepted,
    words.counted(1, true).replace("1", ""),
  ];
  return new Set(said.flatMap((text) => wordsOf(text).map(({ folded }) => fold(folded))));
}

/** The second round: without the filters that may have been misunderstood. Null when there was none to drop. */
export function rewrite(plan: QueryPlan): QueryPlan | null {
  if (asksPictures(plan)) return null;
  if (plan.terms.length === 0 || (plan.kinds.length === 0 && plan.places.length === 0 && plan.people.length < 2))
    return null;
  return { ...plan, kinds: [], places: [] };
}
