import { type Language, languages } from "./languages.ts";

/** The application's words in all languages, ready to be compared with. */

const all = Object.values(languages);
const split = (text: string) => text.split("|");
const wordsOf = (field: Exclude<keyof Language, "omitted">) => [...new Set(all.flatMap((one) => split(one[field])))];
const phrases = (list: readonly string[]): ReadonlySet<string> => new Set(list.map(phraseKey));
/** Alternatives for a pattern; the longest first, since one may begin another. */
const alternatives = (list: readonly string[]) =>
  [...list]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.\\]/g, "\\$&"))
    .join("|");

/** A longer text is no phrase of the application. */
const maxPhrase = 160;

/** How phrases are compared: lower case, no marks, no full stop, plain apostrophes. */
export function phraseKey(text: string): string {
  return text
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/[\u200c-\u200f\u061c\u202a-\u202e\u2066-\u2069]/g, "")
    .replace(/[\u00a0\u202f]/g, " ")
    .replace(/[.。।]$/, "")
    .trim();
}

/** `image omitted`, `pominięto obraz`, `画像は含まれていません`: either word first, with or without a blank between. */
const omittedEndings = phrases(
  all.flatMap(({ media, left }) =>
    split(media).flatMap((what) => split(left).flatMap((gone) => [`${what} ${gone}`, `${gone} ${what}`, what + gone])),
  ),
);

const omittedWhole = phrases(all.flatMap(({ omitted }) => (omitted === undefined ? [] : split(omitted))));

/** Whether a whole message stands for media that was left out of the export. */
export function isOmitted(text: string): boolean {
  if (text.length > maxPhrase) return false;
  const key = phraseKey(text);
  if (omittedWhole.has(key)) return true;
  return key.startsWith("<") && key.endsWith(">") && omittedEndings.has(phraseKey(key.slice(1, -1)));
}

const direction = /[\u200e\u200f]/g;

/** The caption before an iOS "… omitted" phrase, "" when it stands alone; null when the text does not end in one. */
export function beforeOmitted(marked: string): string | null {
  const at = Math.max(marked.lastIndexOf("\u200e"), marked.lastIndexOf("\u200f"));
  if (marked.length - at > maxPhrase) return null;
  if (at < 0) return omittedEndings.has(phraseKey(marked)) ? "" : null;
  return omittedEndings.has(phraseKey(marked.slice(at + 1)))
    ? marked
        .slice(0, at)
        .replace(/[\u200e\u200f]$/, "")
        .trim()
    : null;
}

const deletedMessage = phrases(wordsOf("deleted"));

/** Whether a whole message stands where a message was deleted, perhaps with the name of who did it (`… by admin Ada`). */
export const isDeleted = (text: string): boolean => text.length <= maxPhrase && isDeletion(text);
const isDeletion = (text: string): boolean =>
  deletedMessage.has(phraseKey(text)) || /^this message was deleted by (?:group )?admin\b.{0,100}$/i.test(text);

const editedMarks = phrases(wordsOf("edited"));

/**
 * The text before an "edited" mark; null when there is none. The mark is known by its words, or in any language by the
 * application's own U+200E before a `<…>` that ends a message and names no file.
 */
export function beforeEdited(text: string): string | null {
  const whole = text.trimEnd();
  if (!whole.endsWith(">")) return null;
  const at = whole.lastIndexOf("<");
  if (at <= 0) return null;
  const inside = whole.slice(at + 1, -1);
  const before = whole.slice(0, at);
  const marked = /[\u200e\u200f]$/.test(before) && before.replace(direction, "").trim() !== "";
  const unknown = marked && inside.length > 4 && inside.length < 80 && !/[:：.\n]/.test(inside.replace(/[.]$/, ""));
  if (!editedMarks.has(phraseKey(inside)) && !unknown) return null;
  return before.replace(/[\u200e\u200f\s]+$/, "");
}

/** What Android writes in brackets behind the name of an attached file. */
export const attachedWords = phrases(wordsOf("attached"));

const pollWord = new RegExp(`^(?:${alternatives(wordsOf("poll"))}) ?[:：]$`, "iu");
const optionWord = new RegExp(`^(?:${alternatives(wordsOf("option"))}) ?[:：] ?(.*)$`, "iu");
/** `OPTION: Tuesday (2 votes)` in a language that is not known. */
const anyOption = /^(\p{L}[\p{L}\p{M}]{1,20}) ?[:：] ?(.{1,300} \([^()\d]{0,20}\d{1,6}[^()\d]{0,30}\))$/u;

/** The question and the options of a poll as `text` writes them, one a line; null when it is none. */
export function pollOf(text: string): { readonly lines: readonly string[] } | null {
  const [first = "", ...lines] = text.split("\n");
  const known = pollWord.test(first.trim());
  const found = lines.map((line) => anyOption.exec(line.trim()));
  const words = new Set(found.filter((one) => one !== null).map((one) => one?.[1]));
  const alike =
    /^\p{L}[\p{L}\p{M} ]{1,30} ?[:：]$/u.test(first.trim()) &&
    words.size === 1 &&
    found.slice(1).every((one) => one !== null);
  if (!known && !(alike && found.length >= 3)) return null;
  const shown = lines.map((line, i) => {
    const option = optionWord.exec(line.trim())?.[1] ?? found[i]?.[2];
    return option === undefined ? line : `- ${option}`;
  });
  return { lines: shown };
}

/** A shared place: a word, a colon, perhaps a name, and a link. */
export const locationLine = new RegExp(`^(?:${alternatives(wordsOf("place"))}) ?[:：] (.*)$`, "iu");
/** The same in any language, for lines that the application has marked as its own. */
export const anyLocation = /^\p{L}[\p{L}\p{M} -]{1,40} ?[:：] (.*https:\/\/maps\.google\.com\/\?q=-?\d.*)$/iu;

/** Notices of calls, and that they were missed. */
export const callNotice = new RegExp(alternatives(wordsOf("call")), "iu");
export const missedNotice = new RegExp(alternatives(wordsOf("missed")), "iu");

const unspaced = /[\u3040-\u9fff\uac00-\ud7af]/;
/** Words that begin where a word begins, in scripts that have blanks between words. */
const beginnings = (list: readonly string[]) =>
  new RegExp(
    `(?<![\\p{L}\\p{M}])(?:${alternatives(list.filter((word) => !unspaced.test(word)))})|${alternatives(list.filter((word) => unspaced.test(word)))}`,
    "iu",
  );
/** Words of what happens in chats, as notices tell it. */
export const groupNotice = beginnings(wordsOf("group"));
/** Words for a group itself. */
export const groupWord = beginnings([...new Set(all.flatMap(({ group }) => split(group).slice(0, 1)))]);

/** The owner of the phone, where an application writes it instead of a name. */
export const ownerWord = /^(?:you|du|sie|tú|usted|vous|você|tu|jij|вы|sen|ja)$/iu;
