import type { QueryPlan } from "#contract";
import { alike, findDates, isStopWord, stem, wordsOf } from "../../views/language/index.ts";
import type { Candidate } from "../candidates/candidates.ts";

/** Who does what a "who" question asks: people and organisations, never just words with a capital. */

/** Folded names of the people and organisations that wrote or received the records at hand, and the first words of them. */
export function knownNames(candidates: readonly Candidate[]): ReadonlySet<string> {
  const known = new Set<string>();
  for (const { record } of candidates) {
    for (const party of [record.author, ...record.participants]) {
      const name = party?.name ?? "";
      if (name === "" || name.includes("@")) continue;
      const words = wordsOf(name).map(({ folded }) => folded);
      known.add(words.join(" "));
      const [first] = words;
      if (first !== undefined && first.length > 2 && !isStopWord(first, "en") && words.length < 4) known.add(first);
    }
  }
  return known;
}

/** Stems of what the person asked for does: the first verb after "who", and those joined to it by "and". */
export function askedDeeds(plan: QueryPlan): ReadonlySet<string> {
  const words = wordsOf(plan.question.slice(0, 2_000));
  const deeds = new Set<string>();
  const add = (folded: string) => {
    const root = stem(folded);
    deeds.add(root);
    for (const other of alike(root)) deeds.add(other);
  };
  if (plan.language === "de") {
    // German nouns have capitals: what has none and says something is a verb or describes one.
    for (const { text, folded } of words) if (!/^\p{Lu}/u.test(text) && !isStopWord(folded, "de")) add(folded);
    return deeds;
  }
  let open = false;
  for (const { text, folded } of words) {
    if (/^(?:who|whom|whose|which|and|or)$/.test(folded)) open = true;
    else if (open && !isStopWord(folded, plan.language) && !/^\p{Lu}/u.test(text)) {
      add(folded);
      open = false;
    }
  }
  return deeds;
}

const namePattern =
  /(?<![\p{L}\p{N}])(?:(?:Mr|Mrs|Ms|Dr|Prof|Herr|Frau)\.?\s)?\p{Lu}[\p{L}'’-]+(?:\s(?:(?:von|van|de|der|of the|of|&)\s)?\p{Lu}[\p{L}'’-]+){0,3}/gu;
const byCue = /(?<!\p{L})(?:by|with|from|von|mit|bei|durch)\s(?:the\s|my\s|our\s|dem\s|der\s)?(?:\p{Ll}+\s)?$/u;
const jointCue = /(?:,|(?<!\p{L})(?:and|und|&))\s(?:(?:his|her|my|their|our|sein\p{L}*|ihr\p{L}*)\s\p{Ll}+\s)?$/u;
/** Words that may stand between a name and what it does. */
const between = 2;

/** Names in a sentence that can be who did it: known ones, ones beside the verb that was asked, and ones joined to those. */
export function doersIn(quote: string, deeds: ReadonlySet<string>, known: ReadonlySet<string>): string[] {
  const found: { name: string; end: number }[] = [];
  for (const match of quote.matchAll(namePattern)) {
    const name = match[0].replace(/['’]s$/, "");
    const [start, end] = [match.index, match.index + name.length];
    const words = wordsOf(name).map(({ folded }) => folded);
    const [first] = words;
    if (first === undefined || (words.length === 1 && isTime(name))) continue;
    const spoken = known.has(words.join(" ")) || (words.length === 1 && known.has(first));
    const opening = /(?:^|[.!?:“"]\s*)$/u.test(quote.slice(0, start));
    const plain = opening && words.length === 1 && (isStopWord(first, "en") || isStopWord(first, "de"));
    const last = found.at(-1);
    const joined =
      (last !== undefined && jointCue.test(quote.slice(last.end, start)) && start - last.end < 24) ||
      (last === undefined && opening && /^(?:,| and | und | & )/.test(quote.slice(end, end + 5)) && !plain);
    if (
      spoken ||
      joined ||
      introduced.test(quote.slice(0, start)) ||
      (!plain && beside(quote, start, end, deeds, opening && words.length === 1))
    )
      found.push({ name, end });
  }
  return [...new Set(found.map(({ name }) => name))];
}

/** "This is Max", "a dog called Rex". */
const introduced = /(?<!\p{L})(?:this is|meet|named|called|name is|das ist|heißt|namens)\s$/iu;

const isTime = (word: string): boolean =>
  findDates(`on ${word.replace(/s$/, "")} in ${word}`, { reference: "2000-01-01" }).length > 0;

/** `close`: the verb must be the very next word, as after a lone word that begins its sentence ("Good luck maintaining it"). */
function beside(quote: string, start: number, end: number, deeds: ReadonlySet<string>, close: boolean): boolean {
  const after = quote.slice(end, end + 60).split(/[.;!?()]/)[0] ?? "";
  const does = wordsOf(after)
    .slice(0, close ? 1 : between + 1)
    .some(({ folded }) => deeds.has(stem(folded)));
  if (does) return true;
  const before =
    quote
      .slice(Math.max(0, start - 60), start)
      .split(/[.;!?()]/)
      .at(-1) ?? "";
  const said = wordsOf(before).slice(-between - 2);
  return (byCue.test(before) || /:\s$/.test(before)) && said.some(({ folded }) => deeds.has(stem(folded)));
}

/** The question asks who wrote or said something: its author is the answer. */
export function asksAuthor({ question }: QueryPlan): boolean {
  return /(?<!\p{L})(?:wrote|writes?|written|sent|sends?|said|says|told|asked|mentioned|announced|invited|promised|offered|suggested|warned|geschrieben|schrieb|schreibt|gesagt|sagte|geschickt|gefragt|erzählt|eingeladen|angeboten|versprochen)(?!\p{L})/iu.test(
    question,
  );
}
