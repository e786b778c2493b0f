import { recordKindSchema, recordKinds } from "#contract";
import { column, type Database, type SqlRow } from "#native/sqlite.ts";
import type { IndexedItem } from "./ports.ts";
import { dataVersion } from "./version.ts";

/** What the ranker reads of records and of the sessions that they stand in. */

const briefOf = (table: string): string =>
  ["record_id", "kind", "session", "day", "moment", "has_question", "temporal", "ends_question", "names", "words"]
    .map((name) => `${table}.${name}`)
    .join(", ");
/** Members of sessions that are held in memory: some 8 MB. */
const mostHeld = 40_000;

export function itemsOf(db: Database, ids: readonly number[]): Map<number, IndexedItem> {
  const find = db.query(
    `SELECT ${briefOf("item")} FROM item INDEXED BY item_brief WHERE record_id IN (SELECT value FROM json_each(?))`,
    readItem,
  );
  return new Map(find.all(JSON.stringify(ids)).map((item) => [item.recordId, item]));
}

/** Sessions, those of late in memory while nothing changes: rounds of one question, and the next ones, meet the same. */
export class Sessions {
  readonly #db: Database;
  #version = -1;
  #limit = 0;
  readonly #held = new Map<string, readonly IndexedItem[]>();
  #members = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Members of each in their order, the first `limit`. */
  read(keys: readonly string[], limit: number): Map<string, readonly IndexedItem[]> {
    const version = dataVersion(this.#db);
    if (version !== this.#version || limit !== this.#limit) {
      [this.#version, this.#limit, this.#members] = [version, limit, 0];
      this.#held.clear();
    }
    const wanted = new Set(keys);
    const found = new Map<string, readonly IndexedItem[]>();
    for (const key of wanted) {
      const held = this.#held.get(key);
      if (held === undefined) continue;
      found.set(key, held);
      // Met last, forgotten last.
      this.#held.delete(key);
      this.#held.set(key, held);
    }
    const missing = [...wanted].filter((key) => !found.has(key));
    if (missing.length === 0) return found;
    // The order from one index, the rest from another: no row is read, which has much that nobody asks for here.
    const members = this.#db
      .query(
        `SELECT ${briefOf("b")} FROM json_each(?) j CROSS JOIN item m INDEXED BY item_session ON m.session = j.value
         CROSS JOIN item b INDEXED BY item_brief ON b.record_id = m.record_id`,
        readItem,
      )
      .all(JSON.stringify(missing));
    const read = Map.groupBy(members, ({ session }) => session);
    for (const key of missing) this.#hold(key, (read.get(key) ?? []).slice(0, limit), found);
    return found;
  }

  #hold(key: string, members: readonly IndexedItem[], found: Map<string, readonly IndexedItem[]>): void {
    found.set(key, members);
    this.#held.set(key, members);
    this.#members += members.length;
    for (const [oldest, old] of this.#held) {
      if (this.#members <= mostHeld) break;
      this.#held.delete(oldest);
      this.#members -= old.length;
    }
  }
}

const kindOf = new Map<string, IndexedItem["kind"]>(recordKinds.map((kind) => [kind, kind]));

function readItem(row: SqlRow): IndexedItem {
  const name = column.text(row, "kind");
  return {
    recordId: column.number(row, "record_id"),
    // Checked without a parser: thousands of rows a question.
    kind: kindOf.get(name) ?? recordKindSchema.parse(name),
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
