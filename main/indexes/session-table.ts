import { column, type Database, type SqlRow } from "#native/sqlite.ts";
import { grown, larger, numbersIn } from "./arrays.ts";

/**
 * Who stands with whom in a session, in memory: ids of records one session after another, four bytes a record. A session that
 * changed is read again when it is asked for, and stands behind the last one then.
 */

/** Members read at a time. */
const readRows = 4_000;
/** Members of one session that are known: a day of a chat with more lines than this nobody wrote. */
const sessionLimit = 20_000;
const order = "ORDER BY session, sequence, moment, identity";

/** Small numbers of sessions by their keys, which hold until all is forgotten. */
interface SessionKeys {
  numberOf(key: string): number;
}

export class SessionTable {
  readonly #db: Database;
  #members = new Int32Array(0);
  #used = 0;
  #garbage = 0;
  /** By the session's number where its members begin, plus 1, and how many there are; 0 for one that is not read. */
  #starts = new Int32Array(0);
  #counts = new Int32Array(0);
  /** Key of the last session that `warm` has read; null when it has read all. */
  #warmed: string | null = "";

  constructor(db: Database) {
    this.#db = db;
  }

  has(session: number): boolean {
    return (this.#starts[session] ?? 0) > 0;
  }

  /** In their order; empty for one that was not read. Holds until more are read. */
  members(session: number): Int32Array {
    const start = (this.#starts[session] ?? 0) - 1;
    return start < 0 ? nobody : this.#members.subarray(start, start + (this.#counts[session] ?? 0));
  }

  forget(session: number): void {
    if (!this.has(session)) return;
    this.#starts[session] = 0;
    this.#garbage += this.#counts[session] ?? 0;
  }

  /** True when less than half of what is held is of use: all is to be forgotten then. */
  get worn(): boolean {
    return this.#garbage > Math.max(readRows, this.#used / 2);
  }

  clear(): void {
    [this.#used, this.#garbage, this.#warmed] = [0, 0, ""];
    this.#starts.fill(0);
  }

  /** Reads sessions that have not been read. */
  read(keys: readonly string[], numbers: SessionKeys): void {
    if (keys.length === 0) return;
    // One row a session: thousands of small rows cost more than the reading.
    const lists = this.#db.query(
      `SELECT j.value AS session, (SELECT group_concat(record_id) FROM (
         SELECT record_id FROM item INDEXED BY item_session WHERE session = j.value ${order} LIMIT ${sessionLimit})) AS ids
       FROM json_each(?) j`,
      (row) => ({ session: column.text(row, "session"), ids: numbersIn(column.textOrNull(row, "ids") ?? "") }),
    );
    for (const { session, ids } of lists.all(JSON.stringify(keys))) this.#put(numbers.numberOf(session), ids);
  }

  /** Takes in some more sessions. True when all are there. */
  warm(numbers: SessionKeys): boolean {
    if (this.#warmed === null) return true;
    const rows = this.#db.query(
      `SELECT session, record_id FROM item INDEXED BY item_session WHERE session > ? ${order} LIMIT ${readRows}`,
      readMember,
    );
    const found = [...Map.groupBy(rows.all(this.#warmed), ({ session }) => session)];
    const all = found.reduce((sum, [, members]) => sum + members.length, 0) < readRows;
    // The last one may go on.
    for (const [session, members] of all ? found : found.slice(0, -1)) {
      const number = numbers.numberOf(session);
      if (!this.has(number))
        this.#put(
          number,
          members.map(({ id }) => id),
        );
    }
    // One that is as long as this is read when it is asked for.
    this.#warmed = all ? null : ((found.at(-2) ?? found.at(-1))?.[0] ?? null);
    return all;
  }

  #put(session: number, ids: ArrayLike<number>): void {
    if (session >= this.#starts.length) {
      this.#starts = grown(new Int32Array(larger(session)), this.#starts);
      this.#counts = grown(new Int32Array(larger(session)), this.#counts);
    }
    if (this.#used + ids.length > this.#members.length)
      this.#members = grown(new Int32Array(larger(this.#used + ids.length)), this.#members);
    this.#members.set(ids, this.#used);
    this.#starts[session] = this.#used + 1;
    this.#counts[session] = ids.length;
    this.#used += ids.length;
  }
}

const nobody = new Int32Array(0);

const readMember = (row: SqlRow): { session: string; id: number } => ({
  session: column.text(row, "session"),
  id: column.number(row, "record_id"),
});
