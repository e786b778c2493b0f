import { existsSync, statSync } from "node:fs";
import { type RecordId, recordKindSchema } from "#contract";
import type { ArchiveFiles } from "#main/records/ports.ts";
import { column, type Database, openDatabase, type SqlRow } from "#native/sqlite.ts";
import { edgesOf } from "./edges.ts";
import { isDamage } from "./open.ts";
import type { Chunk, IndexedItem, IndexReader, IndexStatus, VectorHit, ViewName } from "./ports.ts";
import { schemaVersion } from "./schema.ts";
import { countText, expression, matching, passage, searchText } from "./text.ts";
import { decodeVector, dot, SignIndex } from "./vectors.ts";

interface Opened {
  readonly db: Database;
  readonly inode: number;
  readonly texts: SignIndex;
  readonly pictures: SignIndex;
}

/** ms after which the file is looked at again: the index worker may have made it anew. */
const lookAgain = 250;

const viewNames: readonly ViewName[] = ["text", "subject", "attachment", "ocr", "tags", "metadata", "picture"];

/**
 * Opens index.db for reading. While the file is missing, damaged or of another version every answer is empty: the index
 * worker is about to make it, and it is looked for again at each question.
 */
export function openIndexReader(files: Pick<ArchiveFiles, "indexPath" | "key">, lastSeq: () => number): IndexReader {
  let opened: Opened | null = null;
  let looked = Number.NEGATIVE_INFINITY;

  function connection() {
    const now = performance.now();
    if (opened !== null && now - looked < lookAgain) return opened;
    looked = now;
    const inode = existsSync(files.indexPath) ? statSync(files.indexPath).ino : -1;
    if (opened && opened.inode !== inode) {
      opened.db.close();
      opened = null;
    }
    if (opened === null && inode !== -1) {
      const db = openDatabase({ path: files.indexPath, key: files.key, readonly: true });
      if (db.pragmaNumber("user_version") === schemaVersion) {
        opened = { db, inode, texts: new SignIndex("text"), pictures: new SignIndex("picture") };
      } else db.close();
    }
    return opened;
  }

  function read<T>(empty: T, work: (db: Database, open: Opened) => T): T {
    try {
      const open = connection();
      return open ? work(open.db, open) : empty;
    } catch (error) {
      if (!isDamage(error)) throw error;
      opened?.db.close();
      opened = null;
      return empty;
    }
  }

  function nearestChunks(db: Database, signs: SignIndex, vector: Float32Array, limit: number): VectorHit[] {
    signs.refresh(db);
    const best = new Map<RecordId, VectorHit>();
    for (const chunkId of signs.nearest(vector, limit)) {
      const row = vectorOfChunk(db).get(signs.kind, chunkId);
      if (!row) continue;
      const similarity = dot(vector, row.vector);
      const known = best.get(row.chunk.recordId);
      if (!known || similarity > known.similarity) best.set(row.chunk.recordId, { ...row.chunk, similarity });
    }
    return [...best.values()].sort((a, b) => b.similarity - a.similarity || a.recordId - b.recordId).slice(0, limit);
  }

  return {
    searchText: (match, limit) => read([], (db) => searchText(db, match, limit)),
    expression,
    matching: (match, limit) => read([], (db) => matching(db, match, limit)),
    countText: (match, limit) => read(0, (db) => countText(db, match, limit)),
    items: (ids) =>
      read(new Map<RecordId, IndexedItem>(), (db) => {
        const find = db.query(
          `SELECT ${itemColumns} FROM item WHERE record_id IN (SELECT value FROM json_each(?))`,
          readItem,
        );
        return new Map(find.all(JSON.stringify(ids)).map((item) => [item.recordId, item]));
      }),
    stemsOf: (ids) =>
      read(new Map<RecordId, ReadonlySet<string>>(), (db) => {
        const find = db.query(
          "SELECT record_id, stems FROM terms WHERE record_id IN (SELECT value FROM json_each(?))",
          (row): [RecordId, ReadonlySet<string>] => [
            column.number(row, "record_id"),
            new Set(column.text(row, "stems").split(" ").filter(Boolean)),
          ],
        );
        return new Map(find.all(JSON.stringify(ids)));
      }),
    session: (key, limit) =>
      read([], (db) =>
        db
          .query(
            `SELECT ${itemColumns} FROM item WHERE session = ? ORDER BY sequence, moment, identity LIMIT ?`,
            readItem,
          )
          .all(key, limit),
      ),
    passage: (match, id) => read({ passage: "", marks: [] }, (db) => passage(db, match, id)),
    searchVectors: (vector, limit) => read([], (db, { texts }) => nearestChunks(db, texts, vector, limit)),
    searchPictures: (vector, limit) => read([], (db, { pictures }) => nearestChunks(db, pictures, vector, limit)),
    labelsLike: (vector, least) =>
      read([], (db) =>
        labels(db)
          .all()
          .map(({ label, vector: own }) => ({ label, similarity: dot(vector, own) }))
          .filter(({ similarity }) => similarity >= least)
          .sort((a, b) => b.similarity - a.similarity),
      ),
    tagged: (names, limit) =>
      read([], (db) =>
        db
          .query(
            // SQLite takes the bare column from the row of the maximum: the label that the model was surest of.
            `SELECT record_id, label, max(score), min(1, sum(score)) AS score FROM tag
             WHERE label IN (SELECT value FROM json_each(?)) GROUP BY record_id ORDER BY 4 DESC, record_id LIMIT ?`,
            (row) => ({
              recordId: column.number(row, "record_id"),
              label: column.text(row, "label"),
              score: column.number(row, "score"),
            }),
          )
          .all(JSON.stringify(names), limit),
      ),
    vectorsOf: (ids) =>
      read(new Map<RecordId, { chunk: Chunk; vector: Float32Array }[]>(), (db) => {
        const result = new Map<RecordId, { chunk: Chunk; vector: Float32Array }[]>();
        const list = JSON.stringify(ids);
        for (const row of [...vectorsOfRecords(db).all(list), ...labelsOfRecords(db).all(list)]) {
          const known = result.get(row.chunk.recordId);
          if (known) known.push(row);
          else result.set(row.chunk.recordId, [row]);
        }
        return result;
      }),
    nearest: (id, k) =>
      read([], (db, { texts }) => {
        const own = vectorsOfRecord(db).all(id)[0];
        if (!own) return [];
        return nearestChunks(db, texts, own.vector, k + 1)
          .filter(({ recordId }) => recordId !== id)
          .slice(0, k)
          .map(({ recordId, similarity }) => ({ recordId, similarity }));
      }),
    edges: (ids) => read([], (db) => edgesOf(db, ids)),
    status: () =>
      read(
        {
          textSeq: 0,
          text: { done: 0, pending: lastSeq(), failed: 0 },
          vectors: { done: 0, pending: 0, failed: 0, model: null },
          serving: { text: null, picture: null },
        },
        (db) => indexStatus(db, lastSeq(), null),
      ),
    close() {
      opened?.db.close();
      opened = null;
    },
  };
}

const itemColumns = "record_id, kind, session, day, moment, has_question, temporal, ends_question, names, words";

function readItem(row: SqlRow): IndexedItem {
  return {
    recordId: column.number(row, "record_id"),
    kind: recordKindSchema.parse(column.text(row, "kind")),
    session: column.textOrNull(row, "session"),
    day: column.textOrNull(row, "day"),
    moment: column.numberOrNull(row, "moment"),
    hasQuestion: column.number(row, "has_question") === 1,
    temporal: column.number(row, "temporal"),
    endsWithQuestion: column.number(row, "ends_question") === 1,
    names: column.number(row, "names"),
    words: column.number(row, "words"),
  };
}

function readVector(row: SqlRow): { chunk: Chunk; vector: Float32Array } {
  const view = column.text(row, "view");
  return {
    chunk: {
      id: column.number(row, "id"),
      recordId: column.number(row, "record_id"),
      view: viewNames.find((name) => name === view) ?? "text",
      start: column.number(row, "start"),
      end: column.number(row, "end"),
    },
    vector: decodeVector(column.blob(row, "codes")),
  };
}

const vectorColumns = 'c.id, c.record_id, c.view, c.start, c."end", v.codes';
const serving = (kind: string) => `(SELECT id FROM space WHERE kind = ${kind} AND serving)`;
const vectorOfChunk = (db: Database) =>
  db.query(
    `SELECT ${vectorColumns} FROM vector v JOIN chunk c ON c.id = v.chunk_id
     WHERE v.chunk_id = ?2 AND v.space_id = ${serving("?1")}`,
    readVector,
  );
const vectorsOfRecord = (db: Database) =>
  db.query(
    `SELECT ${vectorColumns} FROM chunk c JOIN vector v ON v.chunk_id = c.id AND v.space_id = ${serving("'text'")}
     WHERE c.record_id = ? ORDER BY c.id`,
    readVector,
  );
const vectorsOfRecords = (db: Database) =>
  db.query(
    `SELECT ${vectorColumns} FROM chunk c JOIN vector v ON v.chunk_id = c.id AND v.space_id = ${serving("'text'")}
     WHERE c.record_id IN (SELECT value FROM json_each(?)) ORDER BY c.record_id, c.id`,
    readVector,
  );
const labelsOfRecords = (db: Database) =>
  db.query(
    `SELECT 0 AS id, t.record_id, 'tags' AS view, t.begin AS start, t.begin + length(t.label) AS "end", l.codes
     FROM tag t JOIN label l ON l.label = t.label AND l.space_id = ${serving("'text'")}
     WHERE t.record_id IN (SELECT value FROM json_each(?)) AND t.begin IS NOT NULL ORDER BY t.record_id, t.begin`,
    readVector,
  );
const labels = (db: Database) =>
  db.query(`SELECT label, codes FROM label WHERE space_id = ${serving("'text'")}`, (row) => ({
    label: column.text(row, "label"),
    vector: decodeVector(column.blob(row, "codes")),
  }));

/** `modelId` null: the model whose vectors are there. */
export function indexStatus(db: Database, lastSeq: number, modelId: string | null): IndexStatus {
  const number = (sql: string) => db.query(sql, (row) => column.number(row, "n")).get() ?? 0;
  const cursor = db
    .query("SELECT seq, failed, model FROM cursor", (row) => ({
      seq: column.number(row, "seq"),
      failed: column.number(row, "failed"),
      model: column.textOrNull(row, "model"),
    }))
    .get() ?? { seq: 0, failed: 0, model: null };
  const texts = "SELECT count(*) AS n FROM chunk WHERE view <> 'picture'";
  const chunks = number(texts);
  const current = modelId === null || modelId === cursor.model;
  const done = current ? number(`${texts} AND state = 1`) : 0;
  const failed = current ? number(`${texts} AND state = 2`) : 0;
  const server = db.query("SELECT model FROM space WHERE kind = ? AND serving", (row) => column.text(row, "model"));
  const model = modelId ?? cursor.model;
  // Records whose chunks are not made yet count as one each.
  const shallow = number("SELECT count(*) AS n FROM shallow");
  return {
    textSeq: cursor.seq,
    text: {
      done: number("SELECT count(*) AS n FROM item"),
      pending: Math.max(0, lastSeq - cursor.seq),
      failed: cursor.failed,
    },
    vectors: { done, pending: model === null ? 0 : chunks - done - failed + shallow, failed, model },
    serving: { text: server.get("text") ?? null, picture: server.get("picture") ?? null },
  };
}
