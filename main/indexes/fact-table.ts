import { recordKindSchema, recordKinds } from "#contract";
import { column, type Database, type SqlRow } from "#native/sqlite.ts";
import { grown, larger } from "./arrays.ts";
import { Names } from "./names.ts";
import type { IndexedItem, SessionMembers, StemVisitor } from "./ports.ts";
import { SessionTable } from "./session-table.ts";
import { type StemNames, StemTable } from "./stem-table.ts";
import { TextLengths } from "./text-lengths.ts";
import { dataVersion } from "./version.ts";

/**
 * What the ranker reads of records, in memory: some 30 bytes a record by its id, and who stands with it in a session. A
 * question looks at thousands of records; each would cost a page of the file to read and to decrypt. Read when first asked
 * for, or while nobody waits (`warm`); what changed is written down in the file (`renewed`) and is read again.
 */

/** Records read at a time. */
const readRows = 4_000;
/** More changes than this, and all is read again. */
const mostFollowed = 20_000;

const state = { unread: 0, known: 1, absent: 2 } as const;
/** Bits of a record's flags; the count of words of time, 0–2, stands above them. */
const flag = { question: 1, ends: 2, pictured: 4 } as const;
const temporalShift = 3;

const brief = "record_id, kind, session, day, moment, has_question, temporal, ends_question, names, words, pictured";

const kindPlaces = new Map<string, number>(recordKinds.map((kind, at) => [kind, at]));

export class FactTable {
  readonly #db: Database;
  #version = -1;
  #step = 0;
  /** Largest record id at the last refresh, and how far `warm` has read. */
  #reached = 0;
  #warmed = 0;
  #state = new Uint8Array(0);
  #kind = new Uint8Array(0);
  #flags = new Uint8Array(0);
  #names = new Uint8Array(0);
  #words = new Int32Array(0);
  #day = new Int32Array(0);
  #session = new Int32Array(0);
  /** NaN: none. */
  #moment = new Float64Array(0);
  #days = new Names();
  #keys = new Names();
  readonly #members: SessionTable;
  readonly #stems: StemTable;
  readonly #lengths: TextLengths;

  constructor(db: Database, names: StemNames) {
    this.#db = db;
    this.#members = new SessionTable(db);
    this.#stems = new StemTable(db, names);
    this.#lengths = new TextLengths(db);
  }

  /** Forgets what has changed since the last call. */
  #refresh(): void {
    const version = dataVersion(this.#db);
    if (version === this.#version) return;
    const first = this.#version === -1;
    this.#version = version;
    const steps = this.#db
      .query("SELECT coalesce(min(seq), 0) AS first, coalesce(max(seq), 0) AS last FROM renewed", (row) => ({
        first: column.number(row, "first"),
        last: column.number(row, "last"),
      }))
      .get() ?? { first: 0, last: 0 };
    const reached = this.#db
      .query("SELECT coalesce(max(record_id), 0) AS id FROM item", (row) => column.number(row, "id"))
      .get();
    const [from, before] = [this.#step, this.#reached];
    [this.#step, this.#reached] = [steps.last, reached ?? 0];
    if (first) return;
    if (steps.first > from + 1 || steps.last - from > mostFollowed || this.#reached - before > mostFollowed) {
      this.#clear();
      return;
    }
    // Records behind the last one are not written down: they are new whatever they are.
    const changed = this.#db
      .query(
        `SELECT r.record_id, i.session FROM (
           SELECT DISTINCT record_id FROM renewed WHERE seq > ?1 AND seq <= ?2
           UNION SELECT record_id FROM item WHERE record_id > ?3) r LEFT JOIN item i USING (record_id)`,
        (row) => ({ id: column.number(row, "record_id"), session: column.textOrNull(row, "session") }),
      )
      .all(from, steps.last, before);
    for (const { id, session } of changed) {
      if (this.#state[id] === state.known) this.#members.forget(this.#session[id] ?? 0);
      if (session !== null) this.#members.forget(this.#keys.known(session) ?? 0);
      if (id < this.#state.length) this.#state[id] = state.unread;
    }
    const ids = changed.map(({ id }) => id);
    this.#stems.forget(ids);
    this.#lengths.forget(ids);
    if (this.#members.worn) this.#members.clear();
  }

  #clear(): void {
    this.#state.fill(state.unread);
    this.#members.clear();
    this.#days = new Names();
    this.#keys = new Names();
    this.#warmed = 0;
    this.#stems.clear();
    this.#lengths.clear();
  }

  /** Takes in some more records and sessions. True when all are there. */
  warm(): boolean {
    this.#refresh();
    if (this.#warmed < this.#reached) {
      this.#grow(this.#reached);
      const rows = this.#db
        .query(
          `SELECT ${brief} FROM item INDEXED BY item_brief WHERE record_id > ? ORDER BY record_id LIMIT ?`,
          this.#add,
        )
        .all(this.#warmed, readRows);
      this.#warmed = rows.length < readRows ? this.#reached : (rows.at(-1) ?? this.#reached);
    }
    return (
      this.#warmed >= this.#reached &&
      this.#members.warm(this.#keys) &&
      this.#lengths.warm(this.#reached) &&
      this.#stems.warm(this.#reached)
    );
  }

  /** Lengths of full text, up to date. */
  get lengths(): TextLengths {
    this.#refresh();
    return this.#lengths;
  }

  items(ids: readonly number[]): Map<number, IndexedItem> {
    this.#refresh();
    this.#load(ids);
    const found = new Map<number, IndexedItem>();
    for (const id of ids) if (this.#state[id] === state.known) found.set(id, this.#item(id));
    return found;
  }

  present(ids: readonly number[]): number[] {
    this.#refresh();
    this.#load(ids);
    return ids.filter((id) => this.#state[id] === state.known);
  }

  visitStems(ids: readonly number[], visitor: StemVisitor): void {
    this.#refresh();
    this.#stems.visit(ids, this.#reached, visitor);
  }

  /** The session of each record as numbers, its first `limit` members; one object a session. */
  sessionsOf(ids: readonly number[], limit: number): Map<number, SessionMembers> {
    this.#refresh();
    this.#load(ids);
    const numbers = new Set<number>();
    for (const id of ids)
      if (this.#state[id] === state.known && this.#session[id] !== 0) numbers.add(this.#session[id] ?? 0);
    this.#readSessions(
      [...numbers].flatMap((number) => (this.#members.has(number) ? [] : (this.#keys.text(number) ?? []))),
    );
    const lists = new Map([...numbers].map((number) => [number, this.#listed(number, limit)]));
    const found = new Map<number, SessionMembers>();
    for (const id of ids) {
      const session = this.#state[id] === state.known ? lists.get(this.#session[id] ?? 0) : undefined;
      if (session !== undefined) found.set(id, session);
    }
    return found;
  }

  #listed(session: number, limit: number): SessionMembers {
    const all = this.#members.members(session).subarray(0, limit);
    this.#load(all);
    const records = all.every((id) => this.#state[id] === state.known)
      ? all
      : all.filter((id) => this.#state[id] === state.known);
    const words = new Int32Array(records.length);
    const asking = new Uint8Array(records.length);
    for (const [at, id] of records.entries()) {
      words[at] = this.#words[id] ?? 0;
      asking[at] = (this.#flags[id] ?? 0) & flag.question;
    }
    return { records, words, asking };
  }

  #readSessions(keys: readonly string[]): void {
    this.#members.read(
      keys.filter((key) => !this.#members.has(this.#keys.known(key) ?? 0)),
      this.#keys,
    );
  }

  /** Who stands directly before and behind each record in its session; null where nobody does. Records without a session are left out. */
  beside(ids: readonly number[]): Map<number, { before: number | null; after: number | null }> {
    this.#refresh();
    this.#load(ids);
    const keyed = ids.filter((id) => this.#state[id] === state.known && this.#session[id] !== 0);
    this.#readSessions([...new Set(keyed.map((id) => this.#keys.text(this.#session[id] ?? 0) ?? ""))]);
    const found = new Map<number, { before: number | null; after: number | null }>();
    for (const id of keyed) {
      const members = this.#members.members(this.#session[id] ?? 0);
      const at = members.indexOf(id);
      if (at !== -1) found.set(id, { before: members[at - 1] ?? null, after: members[at + 1] ?? null });
    }
    return found;
  }

  #load(ids: Iterable<number>): void {
    const missing: number[] = [];
    let largest = 0;
    for (const id of ids) {
      if ((this.#state[id] ?? state.unread) !== state.unread || id > this.#reached) continue;
      missing.push(id);
      largest = Math.max(largest, id);
    }
    if (missing.length === 0) return;
    this.#grow(largest);
    for (const id of missing) this.#state[id] = state.absent;
    this.#db
      .query(
        `SELECT ${brief} FROM item INDEXED BY item_brief WHERE record_id IN (SELECT value FROM json_each(?))`,
        this.#add,
      )
      .all(JSON.stringify(missing));
  }

  readonly #add = (row: SqlRow): number => {
    const id = column.number(row, "record_id");
    this.#grow(id);
    const kind = column.text(row, "kind");
    this.#kind[id] = kindPlaces.get(kind) ?? recordKinds.indexOf(recordKindSchema.parse(kind));
    this.#flags[id] =
      column.number(row, "has_question") * flag.question +
      column.number(row, "ends_question") * flag.ends +
      column.number(row, "pictured") * flag.pictured +
      (column.number(row, "temporal") << temporalShift);
    this.#names[id] = column.number(row, "names");
    this.#words[id] = column.number(row, "words");
    this.#day[id] = this.#days.numberOf(column.textOrNull(row, "day"));
    this.#session[id] = this.#keys.numberOf(column.textOrNull(row, "session"));
    this.#moment[id] = column.numberOrNull(row, "moment") ?? Number.NaN;
    this.#state[id] = state.known;
    return id;
  };

  #item(id: number): IndexedItem {
    const [flags, moment] = [this.#flags[id] ?? 0, this.#moment[id] ?? Number.NaN];
    return {
      recordId: id,
      kind: recordKinds[this.#kind[id] ?? 0] ?? "message",
      session: this.#keys.text(this.#session[id] ?? 0),
      day: this.#days.text(this.#day[id] ?? 0),
      moment: Number.isNaN(moment) ? null : moment,
      hasQuestion: (flags & flag.question) !== 0,
      endsWithQuestion: (flags & flag.ends) !== 0,
      temporal: flags >> temporalShift,
      names: this.#names[id] ?? 0,
      words: this.#words[id] ?? 0,
      pictured: (flags & flag.pictured) !== 0,
    };
  }

  #grow(id: number): void {
    if (id < this.#state.length) return;
    const size = larger(Math.max(id, this.#reached));
    this.#state = grown(new Uint8Array(size), this.#state);
    this.#kind = grown(new Uint8Array(size), this.#kind);
    this.#flags = grown(new Uint8Array(size), this.#flags);
    this.#names = grown(new Uint8Array(size), this.#names);
    this.#words = grown(new Int32Array(size), this.#words);
    this.#day = grown(new Int32Array(size), this.#day);
    this.#session = grown(new Int32Array(size), this.#session);
    this.#moment = grown(new Float64Array(size), this.#moment);
  }
}
