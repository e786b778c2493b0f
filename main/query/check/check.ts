import type { Claim, Doubt, QueryPlan, RecordId } from "#contract";
import { dayNumber, findDates, wordsOf } from "../../views/language/index.ts";
import type { Candidate } from "../candidates/candidates.ts";
import { hit, weightOf } from "../plan/terms.ts";
import { asksLikely } from "../read/answers/yesno.ts";
import type { Draft } from "../read/draft.ts";
import type { Voices } from "../read/spans/voices.ts";
import { rankerFile } from "../recall/calibrate.ts";
import { asksPictures } from "../recall/pictures.ts";
import type { Recall } from "../recall/recall.ts";
import { type ClaimVerdict, type Likeness, verdictOn } from "./claims.ts";
import { unsaidExact } from "./exact.ts";

export interface Checked {
  readonly claims: readonly Claim[];
  /** Claims that did not stand on their citations, with why. */
  readonly dropped: readonly { readonly text: string; readonly why: string }[];
  readonly answered: boolean;
  /** Why the draft does not convince, or what makes another look worth its time; empty when nothing does. */
  readonly doubts: readonly Doubt[];
  /** How much of what is asked the answer's record says, less what was needed of it; below 0 it is no answer. */
  readonly margin: number;
}

/** Every claim against what it cites, then the draft against the question. */
export function checkDraft(
  plan: QueryPlan,
  draft: Draft,
  candidates: readonly Candidate[],
  recalled: Recall,
  likeness: Likeness = new Map(),
): Checked {
  const byId = new Map(candidates.map((candidate) => [candidate.recordId, candidate]));
  const judged = draft.claims.map((claim) => ({
    claim,
    verdict: verdictOn(plan, claim, byId, likeness.get(claim.id)),
  }));
  const claims = once(judged.filter(({ verdict }) => verdict.holds).map(({ claim }) => claim));
  const refused = judged.filter(({ verdict }) => !verdict.holds);
  const margin = marginOf(plan, draft, recalled, unheardOf(plan, claims, byId, recalled));
  const doubts = [
    ...blockingDoubts(plan, draft, recalled, claims, margin),
    ...otherNumber(plan, claims, byId),
    ...furtherDoubts(
      plan,
      claims,
      refused.map(({ verdict }) => verdict),
    ),
    ...unsaid(plan, claims, byId, recalled),
  ];
  return {
    claims,
    dropped: refused.map(({ claim, verdict }) => ({ text: claim.text, why: verdict.why })),
    answered: !doubts.some(({ blocking }) => blocking),
    doubts,
    margin,
  };
}

/** "Order 4711" is told by what names it. */
function otherNumber(plan: QueryPlan, claims: readonly Claim[], byId: ReadonlyMap<RecordId, Candidate>): Doubt[] {
  const unsaid = unsaidExact(plan, claims, byId);
  return unsaid === null ? [] : [{ kind: "unsupported", text: `nothing of it names “${unsaid}”`, blocking: true }];
}

/** Records that a claim cites at most because others say it word for word. */
const alsoCited = 2;

/** What is said again word for word, by another record, is one claim that cites both: a newsletter of every week is told once. */
function once(claims: readonly Claim[]): Claim[] {
  const told = new Map<string, Claim>();
  for (const claim of claims) {
    // Who said it and when stands in brackets at the end.
    const key = `${claim.standing} ${claim.text.replace(/ \([^()]*\)\.?$/u, "")}`;
    const first = told.get(key);
    if (first === undefined) told.set(key, claim);
    else if (new Set(first.citations.map(({ recordId }) => recordId)).size <= alsoCited)
      told.set(key, { ...first, citations: [...first.citations, ...claim.citations] });
  }
  return [...told.values()];
}

function* blockingDoubts(
  plan: QueryPlan,
  draft: Draft,
  recalled: Recall,
  claims: readonly Claim[],
  margin: number,
): Generator<Doubt> {
  const doubt = (kind: Doubt["kind"], text: string): Doubt => ({ kind, text, blocking: true });
  if (recalled.ranked.length === 0) yield doubt("nothing", "nothing recalled");
  // What held before is no answer without what holds.
  if (claims.every(({ standing }) => standing === "superseded"))
    yield doubt("no_claim", "no claim stands on its citation");
  if (!draft.fits) yield doubt("missing", `no ${plan.answerType} found`);
  const talk = draft.voices && plan.answerType !== "date" ? strangeness(draft.voices, margin) : null;
  const little = talk === null ? margin < 0 : margin < leastMargin || (talk > strange && draft.ofOther !== true);
  if (little) yield doubt("unsupported", "too little of the question is said anywhere together");
  if (draft.ofOther === true && (talk === null || talk > strange))
    yield doubt("unsupported", "it is said of somebody else than was asked about");
  // In talk a thing is told of days after it, in other words than its date.
  if (plan.windows.length > 0 && !draft.inTime && talk === null) yield doubt("time", "nothing of that time");
}

/**
 * Log-odds that what is asked of a person in a talk is not there, or is another's: a logistic regression over how much of the
 * question is said and how well others' sentences fit beside the person's own. Fitted on LoCoMo's conversations 1–5: 489
 * questions with an answer and 215 that ask of one speaker what the other said; dates are left to the rules, which tell them
 * better. By weights of the other conversations, of the 220 most strange questions 70 % have no answer (docs/answers.md).
 */
const strangeWeights = { base: 2.81, margin: -0.53, self: 1.74, open: 0.97, words: 0.18 } as const;
/** From here on there is no answer. */
const strange = -0.25;
const mostMargin = 0.8;
/** Below it hardly anything of the question is said, whoever says it. */
const leastMargin = -0.3;

function strangeness({ self, open, words }: Voices, margin: number): number {
  const w = strangeWeights;
  return w.base + w.margin * Math.min(mostMargin, margin) + w.self * self + w.open * open + w.words * words;
}

const unsure =
  /(?<!\p{L})(?:I (?:do not|don['’]t) know|not (?:sure|certain|clear|mentioned|stated)|unclear|unknown|cannot (?:say|tell)|possibly|weiß (?:ich )?nicht|unklar|nicht (?:sicher|erwähnt))(?!\p{L})/iu;

/** What asks for another round though an answer stands: a month from nowhere, a count that differs, words of doubt. */
function* furtherDoubts(plan: QueryPlan, claims: readonly Claim[], refused: readonly ClaimVerdict[]): Generator<Doubt> {
  const doubt = (kind: Doubt["kind"], text: string): Doubt => ({ kind, text, blocking: false });
  const month = refused.flatMap(({ strange }) => strange).find(isMonth);
  if (month !== undefined) yield doubt("month", `${month} stands neither in the evidence nor in the question`);
  for (const claim of claims) {
    const differs = plan.operation === "count" ? countDiffers(claim) : null;
    if (differs !== null) yield doubt("count", differs);
    // A quote may doubt; what is said around it may not.
    if (unsure.test(claim.text.replace(/“[^”]*”/gu, ""))) yield doubt("hedged", "the draft is not sure");
  }
}

/**
 * A word of the question that the archive knows, and that neither the cited records nor those beside them say: somewhere else
 * may be the better answer.
 */
function* unsaid(
  plan: QueryPlan,
  claims: readonly Claim[],
  byId: ReadonlyMap<RecordId, Candidate>,
  { asked, around }: Recall,
): Generator<Doubt> {
  const cited = [...new Set(claims.flatMap(({ citations }) => citations.map(({ recordId }) => recordId)))];
  if (cited.length === 0) return;
  const beside = cited.map((id) => around(id));
  const said = cited.flatMap((id) => byId.get(id)?.stems ?? []);
  const missing = asked.terms.find(
    (term) =>
      term.known &&
      !term.generic &&
      !asked.dated.has(term.stem) &&
      !beside.some((stems) => stems.has(term.stem)) &&
      !said.some((stems) => hit(plan.language, term.stem, stems) > 0),
  );
  if (missing !== undefined)
    yield { kind: "unsupported", text: `the answer does not say “${missing.text.slice(0, 40)}”`, blocking: false };
}

function isMonth(word: string): boolean {
  return findDates(`in ${word}`, { reference: "2000-01-15" }).some(({ unit }) => unit === "month");
}

/** A count that says more than it has records for, where none of them states the number itself. */
function countDiffers({ text, citations }: Claim): string | null {
  const said = wordsOf(text.replace(/“[^”]*”/gu, "")).find((word) => /^\d+$/.test(word.text))?.text;
  if (said === undefined) return null;
  const records = new Set(citations.map(({ recordId }) => recordId)).size;
  const stated = citations.some(({ quote }) => wordsOf(quote).some((word) => word.text === said));
  return Number(said) > records && !stated ? `${said} counted, ${records} listed` : null;
}

/**
 * Share of what is asked that no record of the archive says, in no form that the cited records have, 0–1. What is sought on
 * pictures may be seen without being said.
 */
function unheardOf(
  plan: QueryPlan,
  claims: readonly Claim[],
  byId: ReadonlyMap<RecordId, Candidate>,
  { asked }: Recall,
): number {
  if (asksPictures(plan)) return 0;
  const cited = [...new Set(claims.flatMap(({ citations }) => citations.map(({ recordId }) => recordId)))];
  const said = cited.flatMap((id) => byId.get(id)?.stems ?? []);
  const strange = asked.terms.filter(
    (term) => !term.known && !said.some((stems) => hit(plan.language, term.stem, stems) > 0),
  );
  return strange.reduce((sum, { weight }) => sum + weight, 0) / Math.max(1e-9, weightOf(asked));
}

const narrowDays = 62;
/** What a time asked for and met weighs beside the words, in nats: a narrow one like a rare word, a whole year hardly. */
const timeWeight = { narrow: 2.3, wide: 0.8 } as const;
/** How much likeness of meaning may take from the share that must be said, and how fast. */
const likenessWorth = { most: 0.3, slope: 1.2 } as const;
/** What would be is seldom said in the words of the question. */
const openWorth = 0.2;

/**
 * Enough of what was asked is said by the record of the answer or around it. Words weigh by their rarity, verbs that only
 * ask hardly at all, and unknown words most, so a question about something that the archive has never heard of fails here.
 * Likeness of meaning lowers what must be said in words; it never stands alone. Without words, people, time or kind decide.
 */
function marginOf(plan: QueryPlan, draft: Draft, recalled: Recall, strange: number): number {
  const strong = recalled.asked.terms.some(({ generic }) => !generic);
  if (!strong) return plan.windows.length > 0 || plan.people.length > 0 || plan.kinds.length > 0 ? 0 : -1;
  const { coverage, cosine } = rankerFile.notFound;
  const [window] = draft.inTime ? plan.windows : [];
  const days = window === undefined ? 0 : dayNumber(window.to) - dayNumber(window.from);
  const time = window === undefined ? 0 : days <= narrowDays ? timeWeight.narrow : timeWeight.wide;
  const words = weightOf(recalled.asked);
  // However well a record fits in kind, it does not speak of what no record speaks of.
  const said = (Math.min(draft.said, 1 - strange) * words + time) / (words + time);
  const { most, slope } = likenessWorth;
  const open = plan.answerType === "yesno" && asksLikely(plan.question) ? openWorth : 0;
  return said + open - (coverage - Math.min(most, slope * Math.max(0, draft.cosine - cosine)));
}
