import { kept } from "./kept.ts";
import { stem } from "./stem.ts";

export type Language = "en" | "de";

/** A word of a text with its place: [start, end) in UTF-16 units, `folded` as full text sees it. */
export interface Word {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly folded: string;
}

const ascii = /^[\x20-\x7e]*$/;

/** Lower case without diacritics, like FTS5's `unicode61 remove_diacritics 2`. */
export function fold(text: string): string {
  // Every word of every record comes by here, and most have nothing to take apart.
  if (ascii.test(text)) return text.toLowerCase();
  return text
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
}

export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const match of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    words.push({ start: match.index, end: match.index + match[0].length, text: match[0], folded: fold(match[0]) });
  }
  return words;
}

// The list of the recall study (its STOP1), with the verbs and nouns that only ask.
const english =
  "a an the of in on at to for with from by and or is are was were be been did do does has have had what when where who whom which why how that this these those it its as his her their they he she i me my we our us you your him them s t d ll re ve m am being having can could would should will shall may might must not no so if but than then too very just also about into over after before during between some any all each more most other both such only own same there here out up down off again once because while until many much kind type don doesn didn isn wasn aren weren";
const german =
  "der die das den dem des ein eine einen einem einer eines und oder ist sind war waren bin bist sein gewesen wird werden wurde wurden hat habe haben hatte hatten was wann wo wer wen wem wessen welche welcher welches welchen warum wieso weshalb wie dass dies diese dieser dieses es er sie ich mich mir mein meine meinen meiner meinem wir uns unser unsere du dich dir dein deine ihr ihm ihn ihre ihren ihrem ihrer kann konnte koennte konnten soll sollte wollte will muss darf nicht kein keine so wenn aber als auch noch nur schon sehr ueber uber unter nach vor bei mit von vom zu zum zur im in am an auf aus fur durch gegen ohne um bis seit wahrend zwischen alle alles viele viel dann da hier dort mal denn doch ja nein man sich gibt gab";
const stopWords: Record<Language, ReadonlySet<string>> = {
  en: new Set(english.split(" ")),
  de: new Set(german.split(" ")),
};
/** Words that stand in both lists in one language but carry meaning in the other ("war", "will", "die"). */
const germanOnly = new Set(german.split(" ").filter((word) => !stopWords.en.has(word)));

/** All of them, folded. */
export const stopWordsOf = (language: Language): readonly string[] => [...stopWords[language]];

export function isStopWord(folded: string, language: Language): boolean {
  return stopWords[language].has(folded) || (language === "de" && stopWords.en.has(folded) && folded.length < 3);
}

/** The words of a text as full text sees them, without their places. */
const foldedWords = (text: string): readonly string[] =>
  plain.test(text)
    ? (text.toLowerCase().match(/[a-z0-9]+/g) ?? [])
    : (text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map(fold);
const plain = /^[\t\n\r -~]*$/;

/** English unless German function words clearly lead: they are short, frequent and hardly shared. */
export function languageOf(text: string): Language {
  let de = 0;
  let en = 0;
  for (const folded of foldedWords(text.slice(0, 2_000))) {
    if (germanOnly.has(folded)) de++;
    else if (stopWords.en.has(folded)) en++;
  }
  if (/[äöüß]/i.test(text.slice(0, 2_000))) de++;
  return de > en ? "de" : "en";
}

/** Stems of the words that carry meaning, each once, in order. */
export const contentStems = kept(
  (language: Language) => language,
  (text, language): readonly string[] => {
    const stems = new Set<string>();
    for (const folded of new Set(foldedWords(text))) if (!isStopWord(folded, language)) stems.add(stem(folded));
    return [...stems];
  },
);
