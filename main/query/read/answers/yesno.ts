import type { QueryPlan } from "#contract";
import { addDays, contentStems } from "../../../views/language/index.ts";
import { costing, isOld, lasting } from "../sentences/pick.ts";
import type { Passage } from "../sentences/sentences.ts";
import { saysCancelled, saysChange, saysNo, valuesOf } from "../sentences/values.ts";

/** Share of what is asked that must be said around a sentence before it is taken as a yes. */
const leastSaid = 0.5;
const leastOfLikely = 0.25;
/** Share that a letter's sentence must say itself, or the question it replies to. */
const leastOwn = 0.4;
/** "Can you come on Friday?" as subject is the question that the letter answers. */
const asksInTitle = /\?\s*$/u;

/** After a yes or a no that stands for itself: a pause, the end, or a new clause. "No need", "no idea", "sure enough" go on. */
const clauseBegins =
  "(?=\\s*(?:[,.;:!–—()…-]|$)|\\s+(?:but|and|because|thanks?|sorry|please|not|I|you|he|she|it|we|they|this|that|there|the|my|our|your|his|her|their|(?:I|you|he|she|it|we|they|that|there)['’]\\p{L}+|\\p{Lu}\\p{L}+)(?!\\p{L}))";
const agreed = new RegExp(
  `^\\W*(?:(?:[Yy]es|YES|[Yy]ep|[Yy]eah|[Ss]ure|[Oo]f course|[Gg]ladly)${clauseBegins}|(?:[Jj]a|[Kk]lar|[Gg]erne?|[Nn]atürlich)(?!\\p{L}))`,
  "u",
);
const refused = new RegExp(
  `^\\W*(?:(?:[Nn]o|NO|[Nn]ope|[Ss]orry)${clauseBegins}|(?:[Nn]ein|[Ll]eider)(?!\\p{L}))`,
  "u",
);

const free =
  /(?<!\p{L})(?:nothing to pay|no charge|free of charge|for free|without charge|kostenlos|gratis|umsonst|nichts zu zahlen)(?!\p{L})/iu;

/** "Would she move abroad?" asks what is likely by what is said: no record decides it. */
export const asksLikely = (question: string): boolean =>
  /^\W*(?:would|might|würdes?t?|würden)(?!\p{L})|(?<!\p{L})(?:likely|probably|wahrscheinlich|vermutlich)(?!\p{L})/iu.test(
    question,
  );
/** What turned out badly is not sought again. */
const unpleasant =
  /(?<!\p{L})(?:bad|worst|scar(?:ed|y)|afraid|awful|terrible|horrible|hate[ds]?|dislike[ds]?|nightmare|insane|allergic|regret|upset|sick of|tired of|fed up|schlimm|furchtbar|schrecklich|angst|hasse?|allergisch|leid)(?!\p{L})/iu;

export interface Verdict {
  readonly says: "yes" | "no";
  /** Said outright (a yes, a sum, a guarantee's end), not only stated of the matter. */
  readonly outright: boolean;
}

/** What a sentence says to a yes-no question; null when it does not decide it. */
export function verdict(plan: QueryPlan, passage: Passage): Verdict | null {
  if (passage.says !== undefined) return { says: passage.says, outright: false };
  const outright = outrightVerdict(plan, passage);
  if (outright === null) return null;
  if (outright !== "stated") return { says: outright, outright: true };
  return {
    says: denies(plan, passage.citation.quote) !== asksDenial.test(plan.question) ? "no" : "yes",
    outright: false,
  };
}

/** "Is it true that he did not pay": the denial itself is asked about. "Didn't he pay?" asks whether he paid. */
const asksDenial =
  /(?<!\p{L})(?:true|correct|right|sure|stimmt|wahr|richtig)(?!\p{L}).*(?<!\p{L})(?:not|never|no|nicht|nie|kein\p{L}*|\p{L}+n['’]t)(?!\p{L})/iu;

const clauses = /[.!?;:](?=\s|$)|[–—]|,(?!\d)|(?<!\p{L})(?:but|because|although|aber|weil|obwohl|sondern)(?!\p{L})/giu;

/** Whether the clause with most of what is asked says no: "No worries, he paid" does not. */
function denies(plan: QueryPlan, quote: string): boolean {
  if (!saysNo(quote)) return false;
  const asked = new Set(contentStems(plan.question, plan.language));
  const parts = quote.split(clauses).filter((part) => part.trim() !== "");
  const said = parts.map((part) => contentStems(part, plan.language).filter((one) => asked.has(one)).length);
  const most = Math.max(...said);
  return parts.some((part, at) => said[at] === most && saysNo(part));
}

/** Whether a sentence says no to what is asked: "Song at 14:00. Park in the field, not at the barn" does not, where a clause without a no has the matter and the value (at `at`). */
export function deniesAt(plan: QueryPlan, quote: string, at: number | null): boolean {
  if (at === null || !saysNo(quote)) return saysNo(quote);
  const ends = [...quote.matchAll(clauses)].map(({ index }) => index);
  const clause = quote.slice(ends.findLast((end) => end < at) ?? 0, ends.find((end) => end >= at) ?? quote.length);
  const asked = new Set(contentStems(plan.question, plan.language));
  return saysNo(clause) || !contentStems(clause, plan.language).some((one) => asked.has(one));
}

function outrightVerdict(plan: QueryPlan, passage: Passage): "yes" | "no" | "stated" | null {
  const { citation, candidate, own, near, whole } = passage;
  const { quote } = citation;
  const likely = asksLikely(plan.question);
  if (Math.max(near, whole) < (likely ? leastOfLikely : leastSaid) || quote.endsWith("?")) return null;
  if (isAddress(plan, quote)) return null;
  if (likely) return unpleasant.test(quote) && !unpleasant.test(plan.question) ? "no" : "stated";
  // In a letter much is said of other things: the sentence itself has the matter, or replies to it.
  const to = candidate.record.kind !== "email" || own >= leastOwn || asksInTitle.test(candidate.record.subject ?? "");
  if (to && agreed.test(quote)) return "yes";
  if (to && refused.test(quote)) return "no";
  if (costing.test(plan.question) && free.test(quote)) return "no";
  const question = plan.question;
  if (costing.test(question)) {
    const amounts = valuesOf(quote, candidate.day, ["amount"]);
    if (amounts.length > 0 && amounts.every(({ key }) => /^0(?:\D|$)/.test(key))) return "no";
    if (amounts.length > 0) return "yes";
    if (!saysCancelled(quote)) return null;
  }
  if (lasting.test(question) && plan.windows.length > 0) return lasts(plan, passage);
  if (!to) return null;
  if (movedAway(plan, passage)) return "no";
  // The name of a thread names its matter, whichever way that went.
  if (citation.view === "subject" && candidate.record.text !== null && !saysCancelled(quote)) return null;
  if (saysCancelled(quote) && !saysCancelled(question)) return "no";
  if (asksStill.test(question) && mended.test(quote) && !mended.test(question)) return "no";
  return "stated";
}

/** "Was it on the 3rd?", and it moved from the 3rd to the 5th. */
function movedAway({ windows }: QueryPlan, { citation, candidate }: Passage): boolean {
  const [window] = windows;
  if (!window || windows.length > 1 || window.from !== window.to || !saysChange(citation.quote)) return false;
  return valuesOf(citation.quote, candidate.day, ["date"]).some(
    (value) => value.from === window.from && isOld(citation.quote, value),
  );
}
/** A link says what it leads to, and not whether it is so. */
const isAddress = ({ language }: QueryPlan, quote: string): boolean =>
  /:\/\/|(?<!\p{L})www\./iu.test(quote) && contentStems(quote.replace(link, " "), language).length < leastBesideLink;
const link = /(?:\p{L}+:\/\/|www\.)\S+/giu;
const leastBesideLink = 2;

/** "Is it still broken?": what was mended, or has ended, is not. */
export const asksStill = /(?<!\p{L})(?:still|noch)(?!\p{L})/iu;
const mended =
  /(?<!\p{L})(?:fixed|solved|resolved|repaired|mended|no longer|not any ?more|is gone|are gone|stopped|quit|gave (?:it )?up|behoben|gelöst|repariert|nicht mehr|erledigt|aufgehört)(?!\p{L})/iu;

/** "Five years' guarantee" counts from the day of the record: does it reach the time asked for? */
function lasts(plan: QueryPlan, { citation, candidate }: Passage): "yes" | "no" | null {
  const [window] = plan.windows;
  const [duration] = valuesOf(citation.quote, candidate.day, ["duration"]);
  if (!window || !duration || candidate.day === null) return null;
  const number = /\d+/.exec(duration.text)?.[0] ?? String(spelled(duration.text));
  const days =
    Number(number) * (/month|monat/i.test(duration.text) ? 30.4 : /year|jahr/i.test(duration.text) ? 365.25 : 0);
  if (days === 0) return null;
  return addDays(candidate.day, Math.floor(days)) >= window.from ? "yes" : "no";
}

function spelled(text: string): number {
  const words = "one two three four five six seven eight nine ten|ein zwei drei vier fünf sechs sieben acht neun zehn";
  for (const list of words.split("|")) {
    const at = list.split(" ").findIndex((word) => text.toLowerCase().startsWith(word));
    if (at >= 0) return at + 1;
  }
  return 0;
}

/** Share of the question that a later letter must say, with its title, to turn the answer. */
const turnedBy = 0.5;

/** "Not passed", and a day later, in the same thread, "passed": the last word of an exchange holds. */
export function lastWord(plan: QueryPlan, best: Passage, passages: readonly Passage[]): Passage {
  const { thread } = best.candidate.record;
  const said = plan.answerType === "yesno" && thread !== null ? verdict(plan, best) : null;
  if (said === null) return best;
  const turned = passages.flatMap((one): Passage[] => {
    const later = (one.candidate.moment ?? 0) > (best.candidate.moment ?? 0);
    if (one.candidate.record.thread !== thread || !later || one.own < turnedBy) return [];
    const plain = verdict(plan, one);
    if (plain !== null) return plain.says === said.says ? [] : [one];
    const says = titleSays(plan, one, best);
    return says === null || says === said.says ? [] : [{ ...one, says }];
  });
  return (
    turned.toSorted((a, b) => (b.candidate.moment ?? 0) - (a.candidate.moment ?? 0) || b.score - a.score)[0] ?? best
  );
}

/** A title names its matter whichever way that went, but a new one in the same thread tells how it went. */
function titleSays(plan: QueryPlan, { citation, candidate }: Passage, best: Passage): "yes" | "no" | null {
  if (citation.view !== "subject" || candidate.record.subject === best.candidate.record.subject) return null;
  return denies(plan, citation.quote) ? "no" : "yes";
}
