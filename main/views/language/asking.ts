import { fold } from "./words.ts";

/** Questions of people who leave the question mark out, as in chats: how such a sentence begins, in English and German. */

const verbs = "is|are|was|were|do|does|did|have|has|had|can|could|will|would|should|r";
const persons = "you|u|ya|ur|your|he|she|it|they|we|i|that|this|there|these|those|the|any|anyone|anybody|everyone";
const openings = "so|and|but|hey|oh|ok|okay|wow|well|also|btw|und|aber|na|ach|hm+|um";
const opening = `(?:(?:${openings}) )*`;
const asking = new RegExp(
  `^${opening}(?:` +
    `(?:what|how|where|who|why|which|when) ?(?:s|re|d|ll|${verbs}|about|bout)\\b|` +
    "(?:what|which) (?:kind|kinda|sort|time|day|else|made|makes|got|happened|inspired)\\b|" +
    "how (?:many|much|long|often|far|old|come|was|were)\\b|" +
    `(?:${verbs}) (?:${persons})\\b|` +
    "(?:wer|wo|wann|warum|wieso|weshalb|wohin|woher|welche[rsnm]?|wie|was) (?:ist|sind|war|waren|hast|habt|hat|bist|seid|machst|macht|geht|gehts|lauft|kommst|kommt|willst|wollt|kann|kannst|heißt|viel|viele|lange|oft|gibts|gibt)\\b|" +
    "(?:hast|bist|kannst|magst|willst|weißt|gehst|kommst|machst|findest) (?:du|dus)\\b|" +
    "(?:habt|seid|konnt|mogt|wollt|geht|kommt) (?:ihr)\\b|" +
    "(?:anyone|any) \\p{L}+" +
    ")",
  "u",
);
/** How an ASCII line begins that `asking` may find: asked first, because every line of every record comes by here. */
const mayAsk = new RegExp(
  `^[\\s',;:-]*(?:wh(?:at|ere|o|y|ich|en)|how|${verbs}|any|we[rls]|wie|wo|wann|w[ai][rse]|hast|bist|kannst|magst|willst|gehst|kommst|machst|findest|habt|seid|konnt|mogt|wollt|geht|kommt|${openings})`,
  "i",
);
const ascii = /^[\t\r -~]*$/;
/** What has more words than this is told, not asked. */
const mostWords = 25;

/** Whether a line with no sign at its end asks something all the same. */
function asksBare(line: string): boolean {
  if (ascii.test(line) && !mayAsk.test(line)) return false;
  const bare = fold(line)
    .replace(/['’]/g, "")
    .replace(/[,;:–—-]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return bare !== "" && !/[.!…]$/.test(bare) && bare.split(" ").length <= mostWords && asking.test(bare);
}

/** Whether a text asks anywhere, with a question mark or without. */
export function asks(text: string): boolean {
  return /[?？؟]/u.test(text) || text.split("\n").some(asksBare);
}

/** Whether it ends with a question. */
export function endsAsking(text: string): boolean {
  const said = text.trimEnd();
  return /[?？؟][\s"'”’»)]*$/u.test(said) || asksBare(said.split("\n").at(-1) ?? "");
}
