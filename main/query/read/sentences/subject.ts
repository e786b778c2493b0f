import type { QueryPlan } from "#contract";
import { saysItself } from "../../../views/index.ts";
import { fold, stem, wishes, wordsOf } from "../../../views/language/index.ts";
import type { Candidate } from "../../candidates/candidates.ts";
import { perPlan } from "../per-plan.ts";

/**
 * Of whom a sentence speaks. In talk "I" and "my" are its author and "you" the one addressed: what Ada says of her own dog
 * is no answer to a question about Bo's.
 */

/** `own`: it speaks of a person who was asked about; `other`: of somebody else; `open`: it does not say. */
export type Subject = "own" | "other" | "open";

const self =
  /(?<!\p{L})(?:I|I['’](?:m|ve|d|ll)|[Mm]y|[Mm]ine|[Mm]e|[Mm]yself|[Ii]ch|[Mm]ein\p{L}{0,2}|[Mm]ich|[Mm]ir)(?!\p{L})/u;
const together = /(?<!\p{L})(?:[Ww]e|[Ww]e['’](?:re|ve|d|ll)|[Oo]ur|[Uu]s|[Ww]ir|[Uu]ns(?:er\p{L}{0,2})?)(?!\p{L})/u;
const addressed =
  /(?<!\p{L})(?:[Yy]ou|[Yy]ou['’](?:re|ve|d|ll)|[Yy]ours?|[Dd]u|[Dd]ein\p{L}{0,2}|[Dd]ich|[Dd]ir|[Ii]hr|[Ee]uch|[Ee]uer\p{L}{0,2})(?!\p{L})/u;

const stemsOf = (name: string): ReadonlySet<string> => new Set(wordsOf(name).map(({ folded }) => stem(folded)));

/** Stems by which the question calls each person; a family's name alone is that of all of them. */
const askedNames = perPlan(({ people, question }): ReadonlySet<string>[] => {
  const said = stemsOf(question.slice(0, 2_000));
  return people.map(({ name }) => {
    const all = stemsOf(name);
    const called = [...all].filter((one) => said.has(one));
    return called.length > 0 ? new Set(called) : all;
  });
});

/** A birthday is somebody's own: only what speaks of that person, and of a birthday, can tell it. */
export const asksBirthday = perPlan(
  ({ people, question, answerType }: QueryPlan): boolean =>
    people.length > 0 &&
    answerType === "date" &&
    /(?<!\p{L})(?:birthday|bday|date of birth|geburtstag|geburtsdatum)(?!\p{L})/iu.test(question),
);

/** A number or an address of somebody is told by them, or beside their name: that of another is none of theirs. */
export const asksContact = perPlan(
  ({ people, question }: QueryPlan): boolean =>
    people.length === 1 &&
    /(?<!\p{L})(?:(?:tele)?phone|mobile|cell|fax|e-?mail address|(?:post(?:al)?|home) address|\p{L}*(?:telefon|handy|mobil|fax)\p{L}*|mail-?adresse)(?!\p{L})/iu.test(
      question,
    ) &&
    /(?<!\p{L})(?:number|no\.?|address|phone|\p{L}*nummer|\p{L}*adresse)(?!\p{L})/iu.test(question),
);

/** Whether a record names one of those asked about in its own words, or one of them wrote it, and not to wish others well. */
export function speaksOf(plan: QueryPlan, { record, views }: Candidate, quote: string): boolean {
  const asked = askedNames(plan);
  const names = (words: ReadonlySet<string>) => asked.some((name) => [...name].some((one) => words.has(one)));
  if (names(stemsOf(record.author?.name ?? "")) && !wishes(quote)) return !anothersBirthday.test(quote);
  if (addressed.test(quote) && record.participants.some(({ name }) => name !== null && names(stemsOf(name))))
    return true;
  return views.some(({ view, text }) => saysItself(view) && names(stemsOf(text.slice(0, 4_000))));
}

const birthdayWord = "(?:[Bb]irthday|[Bb]day|[Gg]eburtstag)(?!\\p{L})";
/** "Opas 75. Geburtstag", "Ida's birthday"; "the birthday of Ida", "Geburtstag von Werner". */
const whoseBirthday = [
  new RegExp(
    `(?<!\\p{L})(\\p{Lu}\\p{L}+?)(?:['’]?s|['’])?\\s(?:\\d{1,3}(?:st|nd|rd|th|\\.)\\s|\\p{Ll}+(?:th|st|nd|rd|ten|sten)\\s)?${birthdayWord}`,
    "gu",
  ),
  new RegExp(`(?<!\\p{L})${birthdayWord}\\s(?:of|von)\\s(\\p{Lu}\\p{L}+)`, "gu"),
];

/** "His best birthday", "sein schönster Geburtstag": whoever says so speaks of somebody else's. */
const anothersBirthday = new RegExp(
  `(?<!\\p{L})(?:[Hh]is|[Hh]er|[Tt]heir|[Yy]our|[Ss]ein\\p{L}{0,2}|[Ii]hr\\p{L}{0,2}|[Dd]ein\\p{L}{0,2})\\s(?:[\\p{Ll}\\d.]+\\s){0,2}${birthdayWord}`,
  "u",
);

/** A text says whose birthday it is, and nobody of those asked about. */
export function birthdayOfOther(plan: QueryPlan, text: string): boolean {
  const asked = askedNames(plan);
  const whose = whoseBirthday
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .flatMap(({ 1: name = "" }) => (notNamed.test(name) ? [] : [stem(fold(name))]));
  return whose.length > 0 && !whose.some((one) => asked.some((name) => name.has(one)));
}
const notNamed =
  /^(?:happy|belated|the|my|our|your|his|her|their|a|zum|mein\p{L}*|dein\p{L}*|unser\p{L}*|ihr\p{L}*|sein\p{L}*)$/iu;

/** The words of a sentence without those whom it speaks to. */
export const unaddressed = (quote: string): string => quote.replace(vocative, " ");

/**
 * Stems of the author's name where the author is asked about: what they say is said of them. So is the name of the one
 * whom a chat of two is with.
 */
export function ownName(plan: QueryPlan, { record }: Candidate): readonly string[] {
  if (plan.people.length === 0 || (record.kind !== "message" && record.kind !== "email")) return [];
  const asked = askedNames(plan);
  const named = (name: string) => {
    const words = stemsOf(name);
    return asked.some((one) => [...one].some((part) => words.has(part))) ? [...words] : [];
  };
  const author = named(record.author?.name ?? "");
  return author.length > 0 && record.kind === "message" ? [...author, ...named(record.container?.title ?? "")] : author;
}

/** Whether "I" in a record is one of those called by these stems. */
export function ownSelf({ record }: Candidate, called: readonly string[]): boolean {
  const words = stemsOf(record.author?.name ?? "");
  return called.some((one) => words.has(one));
}

export function subjectOf(plan: QueryPlan, { record }: Candidate, quote: string): Subject {
  if (plan.people.length === 0 || (record.kind !== "message" && record.kind !== "email")) return "open";
  const asked = askedNames(plan);
  const author = record.author?.name ?? "";
  if (author === "") return "open";
  const words = stemsOf(author);
  const byAsked = asked.some((name) => [...name].some((one) => words.has(one)));
  if (wishes(quote)) {
    const named = stemsOf(quote);
    return asked.some((name) => [...name].some((one) => named.has(one))) ? "own" : byAsked ? "other" : "open";
  }
  if (byAsked) return self.test(quote) || together.test(quote) || !addressed.test(quote) ? "own" : "open";
  const said = stemsOf(unaddressed(quote));
  if (asked.some((name) => [...name].some((one) => said.has(one)))) return "own";
  if (!self.test(quote)) return "open";
  const plain = unaddressed(quote);
  return countOf(everySelf, plain) > countOf(everyAddressed, plain) ? "other" : "open";
}

const countOf = (pattern: RegExp, text: string): number => text.match(pattern)?.length ?? 0;
const everySelf = new RegExp(self, "gu");
const everyAddressed = new RegExp(addressed, "gu");

/** "Thanks, Ada!", "Ada, look": who is spoken to, not of. */
const vocative =
  /(?:^|[.!?,]\s*)(?:[Hh]ey|[Hh]i|[Hh]ello|[Tt]hanks|[Tt]hank you|[Ww]ow|[Ww]oah|[Yy]eah|[Yy]es|[Cc]ongrats|[Ww]ell done|[Gg]reat job|[Hh]allo|[Dd]anke|[Ll]iebe[rs]?)(?:,?\s+for you)?,?\s+\p{Lu}\p{L}+(?=[,!?.\s]|$)|(?:^|[,.!?]\s*)\p{Lu}\p{L}+(?=[,!?.])|,\s*\p{Lu}\p{L}+(?=[.!?]|$)|\s\p{Lu}\p{L}+(?=[!?]$)/gu;
