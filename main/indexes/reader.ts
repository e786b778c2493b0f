import { existsSync, statSync } from "node:fs";
import type { RecordId } from "#contract";
import type { ArchiveFiles } from "#main/records/ports.ts";
import { column, type Database, openDatabase } from "#native/sqlite.ts";
import { EdgeLookup } from "./edges.ts";
import { FactTable } from "./fact-table.ts";
import { searchFragments } from "./fragments.ts";
import { type RecordVectors, VectorLookup } from "./lookup.ts";
import { isDamage } from "./open.ts";
import type { IndexedItem, IndexReader, TextForm } from "./ports.ts";
import { schemaVersion } from "./schema.ts";
import { emptyStatus, StatusReader } from "./status.ts";
import { StemNames } from "./stem-table.ts";
import { expression, fragmentPassage, matching, passage, searchText } from "./text.ts";
import { TextScores } from "./text-scores.ts";
import { tokensOf } from "./tokens.ts";
import { WordLookup } from "./word-lookup.ts";

interface Opened {
  readonly db: Database;
  readonly inode: number;
  readonly vectors: VectorLookup;
  readonly lexicon: WordLookup;
  readonly facts: FactTable;
  readonly edges: EdgeLookup;
  readonly scores: TextScores;
  readonly status: StatusReader;
}

/** Pages that are kept, MiB: vectors, which were most of what was read, are held apart; 8 and 64 took as long (100,000 records). */
const cacheMiB = 4;

/** Bytes of vectors' codes that are held in memory unless said otherwise: 870,000 vectors of 384 dimensions. */
const mostHeld = 320 * 2 ** 20;

/** ms after which the file is looked at again: the index worker may have made it anew. */
const lookAgain = 250;

/**
 * Opens index.db for reading. While the file is missing, damaged or of another version every answer is empty: the index
 * worker is about to make it, and it is looked for again at each question.
 */
export function openIndexReader(
  files: Pick<ArchiveFiles, "indexPath" | "key" | "cipher">,
  lastSeq: () => number,
  { heldBytes = mostHeld }: { heldBytes?: number } = {},
): IndexReader {
  let opened: Opened | null = null;
  const stems = new StemNames();
  let looked = Number.NEGATIVE_INFINITY;

  function connection() {
    const now = performance.now();
    if (opened !== null && (opened.db.state !== null || now - looked < lookAgain)) return opened;
    looked = now;
    const inode = existsSync(files.indexPath) ? statSync(files.indexPath).ino : -1;
    if (opened && opened.inode !== inode) {
      opened.db.close();
      opened = null;
    }
    if (opened === null && inode !== -1) {
      const db = openDatabase({
        path: files.indexPath,
        key: files.key,
        cipher: files.cipher,
        readonly: true,
        cacheMiB,
      });
      if (db.pragmaNumber("user_version") === schemaVersion) {
        const facts = new FactTable(db, stems);
        opened = {
          db,
          inode,
          vectors: new VectorLookup(db, heldBytes),
          lexicon: new WordLookup(db),
          facts,
          edges: new EdgeLookup(db, facts),
          scores: new TextScores(db, () => facts.lengths),
          status: new StatusReader(db),
        };
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

  return {
    searchText: (match, limit, { latest } = {}) =>
      read([], (db, { scores }) =>
        latest === undefined ? scores.search(match, limit) : searchText(db, match, limit, latest),
      ),
    expression,
    matching: (match, limit) => read([], (db) => matching(db, match, limit)),
    countText: (match, limit) => read(0, (_, { scores }) => scores.count(match, limit)),
    items: (ids) => read(new Map<RecordId, IndexedItem>(), (_, { facts }) => facts.items(ids)),
    present: (ids) => read([], (_, { facts }) => facts.present(ids)),
    visitStems: (ids, visitor) => read(undefined, (_, { facts }) => facts.visitStems(ids, visitor)),
    stems,
    sessionsOf: (ids, limit) => read(new Map(), (_, { facts }) => facts.sessionsOf(ids, limit)),
    passage: (match, id) => read({ passage: "", marks: [] }, (db) => passage(db, match, id)),
    searchFragments: (text, limit) => read([], (db) => searchFragments(db, text, limit)),
    fragmentPassage: (fragment, id) => read({ passage: "", marks: [] }, (db) => fragmentPassage(db, fragment, id)),
    searchVectors: (vector, limit, { model } = {}) =>
      read([], (_, { vectors }) => vectors.search("text", model, vector, limit)),
    searchPictures: (vector, limit) =>
      read([], (_, { vectors }) => vectors.search("picture", undefined, vector, limit)),
    labelsLike: (vector, least) => read([], (_, { vectors }) => vectors.labelsLike(vector, least)),
    tagged: (names, limit) =>
      read([], (db) =>
        // Without a label SQLite would still go through all pictures.
        names.length === 0
          ? []
          : db
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
    vectorsOf: (ids, { model, forms = saidOnly } = {}) =>
      read<RecordVectors>(new Map(), (_, { vectors }) => vectors.vectorsOf(ids, model, forms)),
    centreOf: (ids, { model, form }) =>
      read(new Float32Array(0), (_, { vectors }) => vectors.centreOf(ids, model, form)),
    cosinesOf: (vector, ids, { model, forms = saidOnly } = {}) =>
      read(new Map(), (_, { vectors }) => vectors.cosinesOf(vector, ids, model, forms)),
    wordsLike: (words, least, own = new Map()) => read(new Map(), (_, { lexicon }) => lexicon.like(words, least, own)),
    tokensOf: (ids, model) => read(new Map(), (db) => tokensOf(db, ids, model)),
    hasWord: (word) => read(false, (_, { lexicon }) => lexicon.has(word)),
    similarities: (ids) => read(new Float32Array(ids.length ** 2), (_, { vectors }) => vectors.similarities(ids)),
    nearest: (id, k) => read([], (_, { vectors }) => vectors.nearest(id, k)),
    warm: () => read(true, (_, { facts, vectors, lexicon }) => facts.warm() && vectors.warm() && lexicon.warm()),
    edges: (ids) => read([], (_, { edges }) => edges.edges(ids)),
    status() {
      const seq = lastSeq();
      return read(emptyStatus(seq), (_, { status }) => status.read(seq));
    },
    still: (work) => {
      const open = connection();
      return open === null ? work() : open.db.still(work);
    },
    close() {
      opened?.db.close();
      opened = null;
    },
  };
}

const saidOnly: readonly TextForm[] = ["said"];
