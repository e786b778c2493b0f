import { column, type Database } from "#native/sqlite.ts";
import { fold } from "../views/language/index.ts";
import type { FragmentHit } from "./ports.ts";

/**
 * Numbers, plates, order codes, file names, addresses and lines read in pictures, letters and digits alone, in a trigram
 * index: "AB 123" is found in "M-AB 1234".
 */

const most = { characters: 20_000, runs: 400, run: 64, lines: 300, line: 120 } as const;
/** What is shorter finds everything. */
const leastLength = 3;
const looked = 200;

/** Letters and digits alone, folded. */
export const compactOf = (text: string): string => fold(text.normalize("NFKC")).replace(/[^\p{L}\p{N}]+/gu, "");

const token = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:[-_./:@#+&][\p{L}\p{N}\p{M}]+)*/gu;

function isIdentifier(text: string): boolean {
  if (/\p{N}/u.test(text)) return true;
  if (/^[\p{Lu}\p{M}./-]{2,}$/u.test(text)) return true;
  return /@|^www\.|:\/\/|\.\p{L}{2,5}$/u.test(text);
}

/** Blank-separated for the trigram index: identifiers of texts, those that stand side by side as one, and lines of pictures. */
export function fragmentsOf(texts: readonly string[], read: string): string {
  const found = new Set<string>();
  for (const text of texts) for (const run of identifierRuns(text.slice(0, most.characters))) found.add(run);
  for (const line of read.slice(0, most.characters).split("\n").slice(0, most.lines)) {
    const compact = compactOf(line).slice(0, most.line);
    if (compact.length >= leastLength) found.add(compact);
  }
  return [...found].slice(0, most.runs).join(" ");
}

function identifierRuns(text: string): string[] {
  const runs: string[] = [];
  let end = -2;
  for (const { index, 0: word } of text.matchAll(token)) {
    if (!isIdentifier(word)) continue;
    const compact = compactOf(word);
    const last = runs.at(-1) ?? "";
    const beside = index - end === 1 && !/[\n,;]/.test(text.charAt(end));
    if (beside && last.length + compact.length <= most.run) runs[runs.length - 1] = last + compact;
    else runs.push(compact.slice(0, most.run));
    end = index + word.length;
  }
  return runs.filter(({ length }) => length >= leastLength);
}

/**
 * Records with an identifier or a line that contains the text, blanks and hyphens aside; when there is none, with what in
 * the text has a digit. `score`: part of the identifier that was asked for, 0–1.
 */
export function searchFragments(db: Database, text: string, limit: number): FragmentHit[] {
  for (const wanted of wantedIn(text.slice(0, 1_000))) {
    const hits = find(db, wanted, limit);
    if (hits.length > 0) return hits;
  }
  return [];
}

function wantedIn(text: string): string[] {
  const whole = compactOf(text);
  const words = [...text.matchAll(token)].map(([word]) => compactOf(word));
  // A number said in groups is one thing: "2000" of it is another. Beside words ("order 4711") it stands for itself.
  const spoken = words.some((word) => /^\p{L}{3,}$/u.test(word));
  const numbered = words.flatMap((word, at) =>
    spoken && /\p{N}/u.test(word) ? [(words[at - 1] ?? "") + word, word] : [],
  );
  return [...new Set([whole, ...numbered])].filter(({ length }) => length >= leastLength && length <= most.run);
}

function find(db: Database, wanted: string, limit: number): FragmentHit[] {
  return db
    .query("SELECT rowid, tokens FROM fragment WHERE fragment MATCH ? ORDER BY rowid DESC LIMIT ?", (row) => ({
      recordId: column.number(row, "rowid"),
      tokens: column.text(row, "tokens").split(" "),
    }))
    .all(`"${wanted}"`, looked)
    .map(({ recordId, tokens }) => {
      const lengths = tokens.filter((one) => one.includes(wanted)).map(({ length }) => length);
      return { recordId, score: wanted.length / Math.max(wanted.length, Math.min(...lengths)), fragment: wanted };
    })
    .sort((a, b) => b.score - a.score || b.recordId - a.recordId)
    .slice(0, limit);
}

/** Where a fragment stands in a text: [start, end), or null. Between its letters other signs may stand. */
export function placeOfFragment(text: string, fragment: string): [number, number] | null {
  const pattern = new RegExp([...fragment].join("[^\\p{L}\\p{N}]{0,3}"), "iu");
  const found = pattern.exec(text.slice(0, 200_000));
  return found ? [found.index, found.index + found[0].length] : null;
}
