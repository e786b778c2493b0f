import { column, type Database } from "#native/sqlite.ts";
import { formBit, leastForms, maskOf } from "./forms.ts";
import type { EmbeddingRow, Encoder } from "./ports.ts";
import { dropIdle, putVector, serve, spaceOf } from "./spaces.ts";
import { keepsTokens, putTokens } from "./tokens.ts";

/** Which text encoders read the archive, and what waits for each. All functions but the reading ones open their own transaction. */

/** An embedding that failed this often is left until a person asks for it again. */
export const embeddingAttempts = 3;

/** The form that a space is searched in: the first one that its encoder is given. */
const searchedForm = (forms: number): number => forms & -forms;

interface Space {
  readonly id: number;
  readonly forms: number;
  readonly place: number;
  readonly serving: boolean;
  readonly tokens: boolean;
}

function spaceAtWork(db: Database, model: string): Space | undefined {
  return db
    .query(
      "SELECT id, forms, place, serving, tokens FROM space WHERE kind = 'text' AND model = ? AND place IS NOT NULL",
      (row) => ({
        id: column.number(row, "id"),
        forms: column.number(row, "forms"),
        place: column.number(row, "place"),
        serving: column.number(row, "serving") === 1,
        tokens: column.number(row, "tokens") === 1,
      }),
    )
    .get(model);
}

/** Forms that pieces are made in, as bits. */
export function formsInUse(db: Database): number {
  return db.query("SELECT forms FROM cursor", (row) => column.number(row, "forms")).get() ?? maskOf(leastForms);
}

export function setEncoders(db: Database, encoders: readonly Encoder[]): void {
  const wanted = encoders.map(({ model, forms, tokens = false }) => ({ model, forms: maskOf(forms), tokens }));
  const known = db
    .query(
      "SELECT model, forms, tokens FROM space WHERE kind = 'text' AND place IS NOT NULL ORDER BY place",
      (row) => ({
        model: column.text(row, "model"),
        forms: column.number(row, "forms"),
        tokens: column.number(row, "tokens") === 1,
      }),
    )
    .all();
  if (JSON.stringify(known) === JSON.stringify(wanted)) return;
  db.transaction(() => {
    const before = new Map(known.map((one) => [one.model, one]));
    db.exec("UPDATE space SET place = NULL WHERE kind = 'text'");
    for (const [place, { model, forms, tokens }] of wanted.entries()) {
      db.command("UPDATE space SET place = ? WHERE id = ?").run(place, spaceOf(db, "text", model));
      const old = before.get(model);
      const gained = (forms & ~(old?.forms ?? 0)) !== 0 || (tokens && !(old?.tokens ?? false));
      db.command(
        "UPDATE space SET forms = ?1, tokens = ?2, whole = whole AND NOT ?3 WHERE kind = 'text' AND model = ?4",
      ).run(forms, tokens ? 1 : 0, gained ? 1 : 0, model);
    }
    db.exec("DELETE FROM work WHERE space_id IN (SELECT id FROM space WHERE place IS NULL)");
    dropIdle(db, "text");
    keepForms(
      db,
      wanted.reduce((mask, { forms }) => mask | forms, maskOf(leastForms)),
    );
    for (const { model } of wanted) queueMissing(db, model);
  });
}

/** Pieces of forms that came are made by going through the deeper facts again; those of forms that nobody reads go. */
function keepForms(db: Database, forms: number): void {
  const old = formsInUse(db);
  if (forms === old) return;
  db.command("UPDATE cursor SET forms = ?").run(forms);
  if ((old & ~forms) !== 0) {
    const unread = "(SELECT id FROM chunk WHERE view <> 'picture' AND (forms & ?) = 0)";
    for (const table of ["sign", "vector", "work"])
      db.command(`DELETE FROM ${table} WHERE chunk_id IN ${unread}`).run(forms);
    db.command("DELETE FROM chunk WHERE view <> 'picture' AND (forms & ?) = 0").run(forms);
    db.command("UPDATE chunk SET forms = forms & ?1 WHERE (forms & ~?1) <> 0").run(forms);
    if ((forms & formBit.context) === 0) for (const table of ["heard", "stale"]) db.exec(`DELETE FROM ${table}`);
  }
  if ((forms & ~old) !== 0) db.exec("INSERT OR IGNORE INTO shallow SELECT record_id FROM item");
}

/** Brings a space to what its encoder reads now: what lacks a vector waits for it, what it does not read any more goes. */
function queueMissing(db: Database, model: string): void {
  const space = spaceAtWork(db, model);
  if (!space) return;
  const { id, forms, tokens } = space;
  const unread = "chunk_id IN (SELECT id FROM chunk WHERE view <> 'picture' AND (forms & ?) = 0)";
  for (const table of ["vector", "work"])
    db.command(`DELETE FROM ${table} WHERE space_id = ? AND ${unread}`).run(id, forms);
  db.command(`DELETE FROM sign WHERE space_id = ? AND ${unread}`).run(id, searchedForm(forms));
  // Vectors of a form that was not searched before have no sign yet.
  db.command(
    `DELETE FROM vector WHERE space_id = ?1 AND chunk_id IN (SELECT id FROM chunk WHERE (forms & ?2) <> 0)
     AND NOT EXISTS (SELECT 1 FROM sign WHERE vector_id = vector.id)`,
  ).run(id, searchedForm(forms));
  if (!tokens) db.command("DELETE FROM token WHERE space_id = ?").run(id);
  db.command(
    `INSERT OR IGNORE INTO work (chunk_id, space_id, record_id)
     SELECT id, ?1, record_id FROM chunk c WHERE (forms & ?2) <> 0
     AND (NOT EXISTS (SELECT 1 FROM vector v WHERE v.chunk_id = c.id AND v.space_id = ?1)
       OR (?3 AND (forms & ${formBit.said}) <> 0
         AND NOT EXISTS (SELECT 1 FROM token t WHERE t.chunk_id = c.id AND t.space_id = ?1)))`,
  ).run(id, forms, tokens ? 1 : 0);
}

/** A new chunk waits for every encoder that reads one of its forms; one that has gained a form for those that lack it. In a transaction. */
export function queueChunk(db: Database, chunkId: number, recordId: number, forms: number): void {
  db.command(
    `INSERT OR IGNORE INTO work (chunk_id, space_id, record_id)
     SELECT ?1, id, ?2 FROM space s WHERE kind = 'text' AND place IS NOT NULL AND (forms & ?3) <> 0
     AND NOT EXISTS (SELECT 1 FROM vector v WHERE v.chunk_id = ?1 AND v.space_id = s.id)`,
  ).run(chunkId, recordId, forms);
}

/** Makes the model an encoder at work when it is none. */
export function ensureEncoder(db: Database, model: string): void {
  if (spaceAtWork(db, model) === undefined) setEncoders(db, [{ model, forms: leastForms }]);
}

/** Whether any chunk waits for this encoder. */
export function waiting(db: Database, model: string): boolean {
  const find = db.query(
    `SELECT 1 FROM work WHERE NOT failed AND space_id =
     (SELECT id FROM space WHERE kind = 'text' AND model = ? AND place IS NOT NULL) LIMIT 1`,
    () => true,
  );
  return find.get(model) === true;
}

/** Asked for when every record has its pieces: an encoder that nothing waits for is whole, and the main one serves. */
export function pending(db: Database, model: string, limit: number): { chunkId: number; text: string }[] {
  const space = spaceAtWork(db, model);
  if (!space) return [];
  const rows = db
    .query(
      `SELECT w.chunk_id AS id, c.input FROM work w JOIN chunk c ON c.id = w.chunk_id WHERE w.space_id = ? AND w.failed = 0
       ORDER BY w.attempts, w.record_id DESC, w.chunk_id LIMIT ?`,
      (row) => ({ chunkId: column.number(row, "id"), text: column.text(row, "input") }),
    )
    .all(space.id, limit);
  if (rows.length > 0) return rows;
  const whole = db.query("SELECT whole FROM space WHERE id = ?", (row) => column.number(row, "whole") === 1);
  if (whole.get(space.id) === true && (space.place > 0 || space.serving)) return rows;
  db.transaction(() => {
    db.command("UPDATE space SET whole = 1 WHERE id = ?").run(space.id);
    if (space.place === 0 && !space.serving) serve(db, "text", model);
  });
  return rows;
}

/** Vectors of what has gone meanwhile, or waits for another model by now, are left out: nothing deleted may come back. */
export function putAll(db: Database, model: string, rows: readonly EmbeddingRow[]): void {
  const space = spaceAtWork(db, model);
  if (!space) return;
  const searched = searchedForm(space.forms);
  const formsOf = db.query(
    "SELECT c.forms FROM work w JOIN chunk c ON c.id = w.chunk_id WHERE w.chunk_id = ? AND w.space_id = ?",
    (row) => column.number(row, "forms"),
  );
  for (const { chunkId, vector, tokens = new Float32Array(0) } of rows) {
    const forms = formsOf.get(chunkId, space.id);
    if (forms === undefined) continue;
    putVector(db, chunkId, space.id, vector, (forms & searched) !== 0);
    if (space.tokens && keepsTokens(forms)) putTokens(db, { chunkId, space: space.id }, tokens, vector.length);
    db.command("DELETE FROM work WHERE chunk_id = ? AND space_id = ?").run(chunkId, space.id);
  }
}

export function fail(db: Database, model: string, chunkId: number, reason: string): void {
  const space = spaceAtWork(db, model);
  if (!space) return;
  db.command(
    `UPDATE work SET attempts = attempts + 1, reason = ?, failed = (attempts + 1 >= ?)
     WHERE chunk_id = ? AND space_id = ?`,
  ).run(reason.slice(0, 500), embeddingAttempts, chunkId, space.id);
}
