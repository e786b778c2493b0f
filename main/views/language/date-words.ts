/** Words that times are told with, English and German. */

/** Number of a month by its names in lower case. */
export const monthNames: Record<string, number> = {};
for (const [at, names] of [
  "january jan januar jänner",
  "february feb februar",
  "march mar märz mrz",
  "april apr",
  "may mai",
  "june jun juni",
  "july jul juli",
  "august aug",
  "september sept sep",
  "october oct oktober okt",
  "november nov",
  "december dec dezember dez",
].entries()) {
  for (const name of names.split(" ")) monthNames[name] = at + 1;
}
/** Monday is 0. */
export const weekdays: Record<string, number> = {};
for (const [at, names] of [
  "monday mon montag",
  "tuesday tue tues dienstag",
  "wednesday wed mittwoch",
  "thursday thu thurs donnerstag",
  "friday fri freitag",
  "saturday sat samstag sonnabend",
  "sunday sun sonntag",
].entries()) {
  for (const name of names.split(" ")) weekdays[name] = at;
}
/** First and last month; a winter ends in month 14. */
export const seasons: Record<string, readonly [first: number, last: number]> = {
  spring: [3, 5],
  frühling: [3, 5],
  frühjahr: [3, 5],
  summer: [6, 8],
  sommer: [6, 8],
  autumn: [9, 11],
  fall: [9, 11],
  herbst: [9, 11],
  winter: [12, 14],
};

/** What the patterns are made of. Most sentences have none or one of them, and are not tried against each pattern. */
export const sign = { digit: 1, month: 2, weekday: 4, season: 8, unit: 16, relative: 32, weekend: 64 } as const;
const signs = new Map<string, number>();
for (const [bit, words] of [
  [sign.month, Object.keys(monthNames)],
  [sign.weekday, Object.keys(weekdays)],
  [sign.season, Object.keys(seasons)],
  [
    sign.unit,
    "day days week weeks month months year years tag tage tagen woche wochen monat monate monaten jahr jahre jahren".split(
      " ",
    ),
  ],
  [
    sign.relative,
    "yesterday vorgestern night gestern tomorrow übermorgen today tonight morning afternoon evening heute morgen".split(
      " ",
    ),
  ],
  [sign.weekend, ["weekend", "wochenende"]],
] as const)
  for (const word of words) signs.set(word, (signs.get(word) ?? 0) | bit);

/** Which of them a text has. */
export function signsOf(text: string): number {
  let found = /\d/.test(text) ? sign.digit : 0;
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) found |= signs.get(word) ?? 0;
  return found;
}
