/** Wishes and greetings: what is said to somebody on a day, and from where to where. */

const feast =
  "(?:happy|merry)\\s(?:\\p{L}+\\s|\\d+\\p{L}*\\s)?(?:birthday|anniversary|christmas|xmas|easter|new year|(?:mother|father|valentine)['’]?s day)|many happy returns|(?:frohe|fröhliche|schöne)[sn]?\\s(?:weihnachten|ostern|fest|neues)";
const well = "congratulations|congrats|alles (?:gute|liebe)|(?:herzlichen?\\s)?glückw(?:u|ü)nsche?";
const greeting =
  "greetings|love|regards|wishes|hello|hi|hugs|kisses|(?:happy|merry)\\s\\p{L}+|gr(?:ü|ue)(?:ß|ss)e|gruß|frohe\\s\\p{L}+|alles (?:liebe|gute)";
/** Of the same sentence, within a few words. */
const soon = "(?!\\p{L})[^.!?\\n]{0,30}(?<!\\p{L})";

const wish = new RegExp(`(?<!\\p{L})(?:${feast}|${well})(?!\\p{L})`, "iu");
const numbered = new RegExp(
  `(?<!\\p{L})(?:happy|${well})${soon}(?:zum|zu deinem|on your|for your|your)\\s(?:\\d{1,3}(?:st|nd|rd|th|\\.)|\\p{L}+(?:ten|sten)(?!\\p{L}))`,
  "iu",
);
const from = new RegExp(`(?<!\\p{L})(?:${greeting})${soon}(?:from|aus|von)\\s\\p{Lu}`, "iu");
const to = new RegExp(`(?<!\\p{L})(?:${greeting})${soon}(?:to|in|nach)\\s\\p{Lu}`, "iu");

/** "Happy birthday, Werner", "Frohe Ostern": said of the one whom it is wished to, and of the day it is written on. */
export const wishes = (text: string): boolean => wish.test(text);

/** "Alles Liebe zum 75.", "congratulations on your 40th": a birthday that only its number names. */
export const wishesByNumber = (text: string): boolean => numbered.test(text);

/** "Love from Whitby". */
export const greetsFrom = (text: string): boolean => from.test(text);

/** "Grüße nach Lübeck". */
export const greetsTo = (text: string): boolean => to.test(text);
