import { column, type Database } from "#native/sqlite.ts";
import { isStopWord, languageOf, wordsOf } from "../views/language/index.ts";
import { spaceOf } from "./spaces.ts";
import { encodeVector } from "./vectors.ts";

/**
 * The archive's words as they are written, in how many records each stands, and a vector of each by the main encoder: what
 * a question's word may have been said as. Counts are exact, so a word goes with the last record that has it.
 */

/** Words that get a vector, the most frequent first: 25 MB of codes in memory at 384 dimensions. */
const mostWords = 60_000;
/** In an archive with fewer records than this every word counts; in a larger one those that stand in one record only are mostly typing errors. */
const smallArchive = 500;
const wordsPerRecord = 2_000;
const charactersRead = 50_000;

/** How many more (or fewer) records a word stands in, gathered over a batch. */
export type Tally = Map<string, number>;

export const wordKey = (word: string): string => word.normalize("NFC").toLowerCase();

/** Letters alone, three at least; not of scripts that are written without blanks. */
const countable = /^(?!.*[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{M}]{3,32}$/u;

/** Adds the words of a record's full text to the tally, or takes them off (`by` −1). */
export function tallyWords(db: Database, recordId: number, by: 1 | -1, tally: Tally): void {
  const row = db.query("SELECT subject, body, extra FROM text WHERE rowid = ?", (one) => [
    column.text(one, "subject"),
    column.text(one, "body"),
    column.text(one, "extra"),
  ]);
  const text = (row.get(recordId) ?? []).join("\n").slice(0, charactersRead);
  const language = languageOf(text);
  const words = new Set<string>();
  for (const { text: word, folded } of wordsOf(text)) {
    if (words.size === wordsPerRecord) break;
    if (word.length >= 3 && !isStopWord(folded, language)) {
      const key = wordKey(word);
      if (countable.test(key)) words.add(key);
    }
  }
  for (const word of words) tally.set(word, (tally.get(word) ?? 0) + by);
}

/** In a transaction. */
export function applyTally(db: Database, tally: Tally): void {
  const add = db.command(
    "INSERT INTO word VALUES (?, ?) ON CONFLICT (word) DO UPDATE SET records = records + excluded.records",
  );
  for (const [word, by] of tally) {
    if (by !== 0) add.run(word, by);
    if (by >= 0) continue;
    if (db.command("DELETE FROM word WHERE word = ? AND records <= 0").run(word).changes === 0) continue;
    db.command("DELETE FROM word_vector WHERE word = ?").run(word);
  }
  tally.clear();
}

/** The most frequent words of the archive that this model has not embedded. */
export function pendingWords(db: Database, model: string, limit: number): string[] {
  const records = db.query("SELECT count(*) AS n FROM item", (row) => column.number(row, "n")).get() ?? 0;
  return db
    .query(
      `SELECT word FROM (SELECT word FROM word WHERE records >= ?2 ORDER BY records DESC, word LIMIT ${mostWords}) w
       WHERE NOT EXISTS (SELECT 1 FROM word_vector v JOIN space s ON s.id = v.space_id
         WHERE v.word = w.word AND s.kind = 'text' AND s.model = ?1) LIMIT ?3`,
      (row) => column.text(row, "word"),
    )
    .all(model, records < smallArchive ? 1 : 2, limit);
}

/** In a transaction. Words that are gone meanwhile are left out. */
export function putWords(db: Database, model: string, rows: readonly { word: string; vector: Float32Array }[]): void {
  const space = spaceOf(db, "text", model);
  for (const { word, vector } of rows) {
    db.command(
      `INSERT OR REPLACE INTO word_vector (word, space_id, codes)
       SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM word WHERE word = ?1)`,
    ).run(word, space, encodeVector(vector).codes);
  }
}
