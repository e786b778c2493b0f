import type { QueryPlan } from "#contract";
import { isStopWord, type Language, wordsOf } from "../../views/language/index.ts";

/** Words of a question that say what is wanted, and those that only ask. */

/** A part of the question that has been understood as something: [start, end) in UTF-16 units. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

export const overlaps = (a: Stretch, b: Stretch): boolean => a.start < b.end && b.start < a.end;

const termLimit = 32;

/** Short English words that the list of German ones has too. */
const shortEnglish = new Set("of to my me we he is it do at by on or no if i as be us".split(" "));

/**
 * English, unless German words lead. Words that both languages have ("was", "in", "so") say nothing here: questions are
 * short, and many begin with one of them.
 */
export function questionLanguage(text: string): Language {
  let lead = /[äöüß]/i.test(text) ? 1 : 0;
  for (const { folded } of wordsOf(text)) {
    const [german, english] = [isStopWord(folded, "de"), isStopWord(folded, "en")];
    if (german && !english) lead++;
    else if (english && (!german || shortEnglish.has(folded))) lead--;
  }
  return lead > 0 ? "de" : "en";
}

/** Words that ask, and never say what for. */
export const askWords: ReadonlySet<string> = new Set(
  "show find list tell give search name remember know think please weekday welchem wochentag insgesamt zeig zeige finde suche sag nenne bitte".split(
    " ",
  ),
);

/** Verbs and measures that carry little: left out as long as something stronger is left. */
const weakWords = new Set(
  "taking place happening still planned go goes going went gone get gets got take took takes taken make makes made come comes came write writes wrote written say says said talk talked mention mentioned happen happened cost costs price pay paid much often long new called use used want wanted like first last besides now currently nowadays jetzt derzeit beim itself himself herself themselves exactly selbst exakt mr mrs ms time times day date year month week gehen ging gegangen machen gemacht schreiben schrieb geschrieben sagen gesagt nehmen kostet kosten gekostet preis bezahlt hoch teuer lange oft passiert erwahnt letzte letzten letztes mal aufgenommen asked asks wondered according laut gefragt fragte fragt".split(
    " ",
  ),
);

/** Whether a word (folded) says hardly anything of what is asked about. */
export const carriesLittle = (folded: string): boolean => weakWords.has(folded);

/** Little words of other languages that a question may be put in: its other words still find what is written so. */
const foreign: Readonly<Record<string, ReadonlySet<string>>> = {
  fr: new Set(
    "le la les un une des du de au aux et ou est sont etait a ont avait qui que quoi quand comment pourquoi combien quel quelle quels quelles je tu il elle nous vous ils elles mon ma mes ton ta son sa ses notre nos votre leur dans sur sous avec sans pour par ce cette ces ne pas l d qu c s j n m t y en".split(
      " ",
    ),
  ),
  es: new Set(
    "el la los las un una unos unas de del al y o es son era fue estaba ha han que quien quienes cuando como donde porque cuanto cuanta cual cuales yo tu nosotros ellos mi mis su sus nuestro en con sin para por este esta ese esa no se lo le me te".split(
      " ",
    ),
  ),
  it: new Set(
    "il lo la i gli le un uno una di del della dei delle al alla e o che chi quando come dove perche quanto quanta quale quali io noi loro mio mia miei suo sua nostro in con senza per su questo questa non si ha hanno era l d c nel nella".split(
      " ",
    ),
  ),
  nl: new Set(
    "de het een van en of is zijn was waren heeft hebben wie wat wanneer hoe waar waarom hoeveel welke ik jij wij zij mijn jouw haar onze op met zonder voor door dit dat deze niet aan naar bij".split(
      " ",
    ),
  ),
  pt: new Set(
    "o a os as um uma de do da dos das e ou foi era sao que quem quando como onde porque quanto qual quais eu nos eles meu minha seu sua nosso em no na com sem para por este esta nao se".split(
      " ",
    ),
  ),
};

/**
 * Little words of the language that the question is in, where that is neither English nor German: at least two of
 * them, and more than English and German have in it. Null otherwise.
 */
export function foreignWords(text: string): ReadonlySet<string> | null {
  const words = wordsOf(text).map(({ folded }) => folded);
  const own = Math.max(...(["en", "de"] as const).map((one) => words.filter((word) => isStopWord(word, one)).length));
  const [best] = Object.values(foreign)
    .map((list) => ({ list, found: words.filter((word) => list.has(word)).length }))
    .sort((a, b) => b.found - a.found);
  return best !== undefined && best.found >= 2 && best.found > own ? best.list : null;
}

/** The words that carry the question, as written, outside of what has been understood already. */
export function termsOf(text: string, language: Language, taken: readonly Stretch[]): QueryPlan["terms"] {
  const terms = new Map<string, string>();
  const little = foreignWords(text);
  for (const word of wordsOf(text)) {
    if (taken.some((one) => overlaps(word, one))) continue;
    // "Tom's list" is a thing, "list the mails" an order.
    const thing = /(?:['’]s|\p{L}s['’]|my|our|the|a|to-?do|shopping)\s+$/iu.test(text.slice(0, word.start));
    if (isStopWord(word.folded, language) || (askWords.has(word.folded) && !(thing && word.folded === "list")))
      continue;
    if (little?.has(word.folded)) continue;
    if (word.folded.length < 2 && !/\d/.test(word.folded)) continue;
    // "2.6.35" is told by its last figure, and not by a 2 anywhere.
    const dotted = /\d\.$/.test(text.slice(0, word.start)) || /^\.\d/.test(text.slice(word.end));
    if (/^\d$/.test(word.folded) && dotted) continue;
    if (!terms.has(word.folded)) terms.set(word.folded, word.text);
    if (terms.size === termLimit) break;
  }
  const strong = [...terms].filter(([folded]) => !weakWords.has(folded));
  const named = taken.length > 0;
  return (strong.length > 0 || named ? strong : [...terms]).map(([, text]) => text);
}
