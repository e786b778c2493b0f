/** Small numbers as people write them out, English and German; "couple" and "few" as they are commonly meant. */
const spelled = [
  "",
  "a an one ein eine einem einer einen",
  "two couple zwei",
  "three drei few",
  "four vier",
  "five fünf",
  "six sechs",
  "seven sieben",
  "eight acht",
  "nine neun",
  "ten zehn",
  "eleven elf",
  "twelve zwölf",
];

/** Value of a number word in lower case. */
export const numberWords: ReadonlyMap<string, number> = new Map(
  spelled.flatMap((words, value) => (words === "" ? [] : words.split(" ").map((word) => [word, value] as const))),
);

const ranked = [
  ["first", "erst"],
  ["second", "zweit"],
  ["third", "dritt"],
  ["fourth", "viert"],
  ["fifth", "fünft"],
  ["sixth", "sechst"],
  ["seventh", "siebt"],
  ["eighth", "acht"],
  ["ninth", "neunt"],
  ["tenth", "zehnt"],
  ["eleventh", "elft"],
  ["twelfth", "zwölft"],
] as const;

/** Value of an ordinal in lower case, German ones with every ending. */
export const ordinalWords: ReadonlyMap<string, number> = new Map(
  ranked.flatMap(([english, german], at) =>
    [english, ...["e", "en", "er", "es", "em"].map((ending) => german + ending)].map((word) => [word, at + 1] as const),
  ),
);
