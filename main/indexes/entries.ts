import type { RecordId, StoredRecord } from "#contract";
import { column, type Database } from "#native/sqlite.ts";
import { forgetContexts, wantsContexts } from "./contexts.ts";
import { formsInUse, queueChunk } from "./encoders.ts";
import { type DeepFacts, deepFactsOf, factsOf } from "./facts.ts";
import { formBit, leastForms, maskOf } from "./forms.ts";
import { type Tally, tallyWords } from "./lexicon.ts";
import { putVector, removeChunk, spaceOf } from "./spaces.ts";

/** The rows of one record in index.db. All functions run inside a transaction of the writer. */

/** Vectors of a record's picture, one a model. */
export type PictureVectors = (id: RecordId) => readonly { model: string; vector: Float32Array }[];

/** Takes every row of a record out, vectors and signs too, and its words out of the contexts of others. */
export function remove(db: Database, id: RecordId, tally: Tally): void {
  forgetContexts(db, id);
  for (const chunkId of chunkIds(db).all(id)) removeChunk(db, chunkId);
  db.command("DELETE FROM heard WHERE record_id = ?1 OR by = ?1").run(id);
  removeFacts(db, id, tally);
}

const chunkIds = (db: Database) =>
  db.query("SELECT id FROM chunk WHERE record_id = ?", (row) => column.number(row, "id"));

/** Tells readers that hold facts in memory of a record whose facts have changed. */
const renew = (db: Database, id: RecordId) => void db.command("INSERT INTO renewed (record_id) VALUES (?)").run(id);

function removeFacts(db: Database, id: RecordId, tally: Tally): void {
  // Without a row there is nothing to take out; a delete that finds none would still be looked for in every table.
  if (db.command("DELETE FROM item WHERE record_id = ?").run(id).changes === 0) return;
  renew(db, id);
  db.command("DELETE FROM shallow WHERE record_id = ?").run(id);
  // The words of a record are counted when its deeper facts come.
  if (db.command("DELETE FROM terms WHERE record_id = ?").run(id).changes > 0) tallyWords(db, id, -1, tally);
  db.command("DELETE FROM text WHERE rowid = ?").run(id);
  db.command("DELETE FROM fragment WHERE rowid = ?").run(id);
  db.command("DELETE FROM reference WHERE record_id = ?").run(id);
  db.command("DELETE FROM mention WHERE record_id = ?").run(id);
  // What nothing shows any more is forgotten with the last picture that did.
  const labels = db.query("SELECT label FROM tag WHERE record_id = ?", (row) => column.text(row, "label")).all(id);
  db.command("DELETE FROM tag WHERE record_id = ?").run(id);
  for (const label of labels) {
    db.command("DELETE FROM label WHERE label = ?1 AND NOT EXISTS (SELECT 1 FROM tag WHERE label = ?1)").run(label);
  }
}

const insertItem = `INSERT INTO item (record_id, kind, identity, reply_identity, part_of, session, thread, sequence, moment,
  day, author, lat, lon, place, subject, has_question) VALUES (${Array(16).fill("?").join(", ")})`;

/** The newest record that has an item: behind it, readers look for new ones themselves. */
export function newestOf(db: Database): RecordId {
  return db.query("SELECT coalesce(max(record_id), 0) AS id FROM item", (row) => column.number(row, "id")).get() ?? 0;
}

/** Which of these have an item. */
export function knownOf(db: Database, ids: readonly RecordId[]): Set<RecordId> {
  const found = db.query("SELECT record_id FROM item WHERE record_id IN (SELECT value FROM json_each(?))", (row) =>
    column.number(row, "record_id"),
  );
  return new Set(found.all(JSON.stringify(ids)));
}

/**
 * Marks new records: their deeper facts are to be worked out; readers are told of those that are older than `newest`, which
 * the index had before. Once a transaction, at its end: a statement that writes several
 * rows opens a savepoint, and at each of those full text writes what it has gathered.
 */
export function mark(db: Database, ids: readonly RecordId[], newest: RecordId): void {
  for (const id of ids) if (id <= newest) renew(db, id);
  db.command("INSERT INTO shallow SELECT value FROM json_each(?)").run(JSON.stringify(ids));
}

/**
 * Brings a record in: a new one (not `known`) with what full text needs, and it is to be `mark`ed; one that was there
 * whole, so that no chunk of an older text stays beside a newer one.
 */
export function put(db: Database, record: StoredRecord, known: boolean, pictures: PictureVectors, tally: Tally): void {
  const { id } = record;
  const facts = factsOf(record);
  if (known) {
    removeFacts(db, id, tally);
    forgetContexts(db, id);
  }
  const { text, item } = facts;
  db.command("INSERT INTO text(rowid, subject, body, people, extra, grams) VALUES (?, ?, ?, ?, ?, ?)").run(
    id,
    text.subject,
    text.body,
    text.people,
    text.extra,
    text.grams,
  );
  db.command(insertItem).run(
    id,
    item.kind,
    item.identity,
    item.replyIdentity,
    item.partOf,
    item.session,
    item.thread,
    item.sequence,
    item.moment,
    item.day,
    item.author,
    item.lat,
    item.lon,
    item.place,
    item.subject,
    item.hasQuestion ? 1 : 0,
  );
  for (const { label, begin, score } of facts.tags) {
    db.command("INSERT OR IGNORE INTO tag VALUES (?, ?, ?, ?)").run(label, id, begin, score);
  }
  if (record.kind === "photo" || record.kind === "video") putPictures(db, id, pictures(id));
  if (known) deepen(db, record, tally);
}

/** Works out what full text did not wait for, of a record that has an item; once more when pieces are wanted in more forms. */
export function deepen(db: Database, record: StoredRecord, tally: Tally): void {
  const { id } = record;
  const facts = deepFactsOf(record, formsInUse(db));
  const { stems, endsWithQuestion, names, words, pictured } = facts.surface;
  db.command(
    "UPDATE item SET ground = ?, temporal = ?, ends_question = ?, names = ?, words = ?, pictured = ? WHERE record_id = ?",
  ).run(facts.ground, facts.temporal, endsWithQuestion ? 1 : 0, names, words, pictured ? 1 : 0, id);
  if (db.command("INSERT OR IGNORE INTO terms VALUES (?, ?)").run(id, stems).changes > 0) {
    tallyWords(db, id, 1, tally);
    renew(db, id);
  }
  db.command("DELETE FROM fragment WHERE rowid = ?").run(id);
  if (facts.fragments !== "") db.command("INSERT INTO fragment(rowid, tokens) VALUES (?, ?)").run(id, facts.fragments);
  for (const code of facts.references) db.command("INSERT OR IGNORE INTO reference VALUES (?, ?)").run(code, id);
  for (const day of facts.mentions) db.command("INSERT OR IGNORE INTO mention VALUES (?, ?)").run(day, id);
  putChunks(db, id, facts.pieces);
  if (record.container?.kind === "chat" && wantsContexts(db))
    db.command("INSERT OR IGNORE INTO stale VALUES (?)").run(id);
  db.command("DELETE FROM shallow WHERE record_id = ?").run(id);
}

/** The picture itself is a chunk without a text; its vectors come from the models that looked at it, one a space. */
function putPictures(db: Database, id: RecordId, vectors: ReturnType<PictureVectors>): void {
  const old = db
    .query("SELECT id FROM chunk WHERE record_id = ? AND view = 'picture'", (row) => column.number(row, "id"))
    .get(id);
  if (vectors.length === 0) {
    if (old !== undefined) removeChunk(db, old);
    return;
  }
  const chunkId =
    old ??
    db
      .command(`INSERT INTO chunk (record_id, view, start, "end", input, forms) VALUES (?, 'picture', 0, 0, '', 0)`)
      .run(id).lastId;
  for (const { model, vector } of vectors) putVector(db, chunkId, spaceOf(db, "picture", model), vector, true);
}

/** Spaces are searched in one of these. */
const searchedForms = maskOf(leastForms);

/** Pieces whose input is the same keep their vectors: an edit embeds again only what it has changed. */
function putChunks(db: Database, id: RecordId, pieces: DeepFacts["pieces"]): void {
  const key = (view: string, start: number, end: number, input: string) => JSON.stringify([view, start, end, input]);
  const old = new Map(
    db
      .query(
        `SELECT id, view, start, "end", input, forms FROM chunk WHERE record_id = ? AND view <> 'picture' AND forms <> ?`,
        (row) => ({
          id: column.number(row, "id"),
          forms: column.number(row, "forms"),
          key: key(
            column.text(row, "view"),
            column.number(row, "start"),
            column.number(row, "end"),
            column.text(row, "input"),
          ),
        }),
      )
      .all(id, formBit.context)
      .map((row) => [row.key, row]),
  );
  for (const { view, start, end, input, forms } of pieces) {
    const place = key(view, start, end, input);
    const known = old.get(place);
    old.delete(place);
    if (known?.forms === forms) continue;
    if (known) {
      if (((known.forms ^ forms) & searchedForms) === 0) {
        db.command("UPDATE chunk SET forms = ? WHERE id = ?").run(forms, known.id);
        queueChunk(db, known.id, id, forms);
        continue;
      }
      // A sign would be missing, or too much.
      removeChunk(db, known.id);
    }
    const { lastId } = db
      .command('INSERT INTO chunk (record_id, view, start, "end", input, forms) VALUES (?, ?, ?, ?, ?, ?)')
      .run(id, view, start, end, input, forms);
    queueChunk(db, lastId, id, forms);
  }
  for (const { id: chunkId } of old.values()) removeChunk(db, chunkId);
}
