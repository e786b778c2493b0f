import type { RecordId, StoredRecord } from "#contract";
import type { RecordReader } from "#main/records/ports.ts";
import { column, type Database } from "#native/sqlite.ts";
import { viewsOf } from "../views/index.ts";
import { formsInUse, queueChunk } from "./encoders.ts";
import { contextInput, formBit, lineOf } from "./forms.ts";
import { removeChunk } from "./spaces.ts";

/**
 * The form `context`: a line of a chat between its neighbours. The only thing in index.db that is made of several records;
 * what it was made of is written down, so that it goes with any of them.
 */

const before = 2;
const after = 1;
/** A day of a chat with more lines than this gets no contexts: nobody wrote it. */
const longestSession = 20_000;

export const wantsContexts = (db: Database): boolean => (formsInUse(db) & formBit.context) !== 0;

/** Takes out every context that has words of this record. In a transaction. */
export function forgetContexts(db: Database, id: RecordId): void {
  const listeners = db.query("SELECT by FROM heard WHERE record_id = ?", (row) => column.number(row, "by")).all(id);
  for (const by of listeners) {
    removeContext(db, by);
    db.command("INSERT OR IGNORE INTO stale VALUES (?)").run(by);
  }
  db.command("DELETE FROM stale WHERE record_id = ?").run(id);
}

function removeContext(db: Database, id: RecordId): void {
  const chunks = db.query("SELECT id FROM chunk WHERE record_id = ? AND forms = ?", (row) => column.number(row, "id"));
  for (const chunkId of chunks.all(id, formBit.context)) removeChunk(db, chunkId);
  db.command("DELETE FROM heard WHERE by = ?").run(id);
}

/** Makes contexts of and around up to `limit` records, newest first. */
export function renewContexts(db: Database, records: Pick<RecordReader, "getMany">, limit: number): void {
  const due = db
    .query(
      "SELECT s.record_id, i.session FROM stale s LEFT JOIN item i USING (record_id) ORDER BY s.record_id DESC LIMIT ?",
      (row) => ({ id: column.number(row, "record_id"), session: column.textOrNull(row, "session") }),
    )
    .all(limit);
  if (due.length === 0) return;
  db.transaction(() => {
    for (const [session, members] of Map.groupBy(due, (one) => one.session)) {
      const ids = members.map(({ id }) => id);
      if (session !== null) renewSession(db, records, session, ids);
      for (const id of ids) db.command("DELETE FROM stale WHERE record_id = ?").run(id);
    }
  });
}

function renewSession(
  db: Database,
  records: Pick<RecordReader, "getMany">,
  session: string,
  ids: readonly RecordId[],
): void {
  const order = db
    .query("SELECT record_id FROM item WHERE session = ? ORDER BY sequence, moment, identity LIMIT ?", (row) =>
      column.number(row, "record_id"),
    )
    .all(session, longestSession + 1);
  if (order.length > longestSession) return;
  const placeOf = new Map(order.map((id, at) => [id, at]));
  const around = new Set<number>();
  for (const id of ids) {
    const at = placeOf.get(id);
    if (at === undefined) continue;
    // Those that hear it: the one before it, itself and the two after it.
    for (let place = at - after; place <= at + before; place++) if (order[place] !== undefined) around.add(place);
  }
  const windowOf = (at: number) => order.slice(Math.max(0, at - before), at + after + 1);
  const needed = [...new Set([...around].flatMap(windowOf))];
  const found = new Map(records.getMany(needed).map((record) => [record.id, record]));
  const lineOfId = (id: RecordId | undefined) => textLine(id === undefined ? undefined : found.get(id));
  for (const at of around) {
    const id = order[at];
    if (id === undefined) continue;
    const earlier = order.slice(Math.max(0, at - before), at).map(lineOfId);
    putContext(db, id, windowOf(at), contextInput(earlier, lineOfId(id), lineOfId(order[at + 1])));
  }
}

/** What is not in the archive any more says nothing, though its change is yet to come. */
function textLine(record: StoredRecord | undefined): string {
  if (record === undefined || record.trashedAt !== null) return "";
  return lineOf(record, viewsOf(record).find(({ view }) => view === "text")?.text ?? "");
}

function putContext(db: Database, id: RecordId, heard: readonly RecordId[], input: string): void {
  const known = db.query("SELECT input FROM chunk WHERE record_id = ? AND forms = ?", (row) =>
    column.text(row, "input"),
  );
  if (known.get(id, formBit.context) === input) {
    db.command("DELETE FROM heard WHERE by = ?").run(id);
  } else {
    removeContext(db, id);
    if (input !== "") {
      const { lastId } = db
        .command(`INSERT INTO chunk (record_id, view, start, "end", input, forms) VALUES (?, 'text', 0, 0, ?, ?)`)
        .run(id, input, formBit.context);
      queueChunk(db, lastId, id, formBit.context);
    }
  }
  for (const other of heard) db.command("INSERT OR IGNORE INTO heard VALUES (?, ?)").run(other, id);
}
