import type { RecordId } from "#contract";
import type { IndexedItem, IndexReader } from "#main/indexes/ports.ts";

/** Where records stand: a chat's day, a mail thread, the pictures of an event. Read once a question, by need. */

/** Members of one session that are looked at. */
const sessionLimit = 2_000;
/**
 * People send one thought in several messages: distance is counted in turns of talk. A message with this many words is a
 * whole turn, a shorter one the part of it, and "ok" next to nothing.
 */
const turn = { words: 12, least: 0.15 } as const;
/** Messages that are looked at on each side, however short they are. */
const mostBeside = 12;

/** A member of a session near another one. */
export interface Beside {
  readonly item: IndexedItem;
  /** In turns of talk: at most 1 a message. */
  readonly distance: number;
}

const lengthOf = ({ words }: IndexedItem): number => Math.min(1, Math.max(turn.least, words / turn.words));

export class Sessions {
  readonly #index: IndexReader;
  readonly #sessions = new Map<string, readonly IndexedItem[]>();
  /** Each record's session and its place there. */
  readonly #places = new Map<RecordId, { readonly items: readonly IndexedItem[]; readonly at: number }>();
  readonly #items = new Map<RecordId, IndexedItem>();

  constructor(index: IndexReader) {
    this.#index = index;
  }

  /** Reads places and sessions of records in one go; what follows about them needs no more reading. */
  load(ids: readonly RecordId[]): void {
    const missing = ids.filter((id) => !this.#items.has(id));
    if (missing.length === 0) return;
    const found = this.#index.items(missing);
    for (const [id, item] of found) this.#items.set(id, item);
    const unread = [...found.values()].flatMap(({ session }) =>
      session === null || this.#sessions.has(session) ? [] : [session],
    );
    if (unread.length === 0) return;
    for (const [key, items] of this.#index.sessions(unread, sessionLimit)) {
      for (let at = 0; at < items.length; at++) {
        const member = items[at];
        if (member === undefined) continue;
        this.#places.set(member.recordId, { items, at });
        this.#items.set(member.recordId, member);
      }
      this.#sessions.set(key, items);
    }
  }

  item(id: RecordId): IndexedItem | undefined {
    return this.#items.get(id);
  }

  /** One key a session; records without one are alone in theirs. */
  key(id: RecordId): string {
    return this.#items.get(id)?.session ?? `record ${id}`;
  }

  /** Members of the record's session in their order, the record too. */
  members(id: RecordId): readonly IndexedItem[] {
    return this.#sessions.get(this.#items.get(id)?.session ?? "") ?? [];
  }

  /** Members before the record within `reach` turns of talk, the nearest first; at least the one directly before it. */
  before(id: RecordId, reach: number): Beside[] {
    return this.#walk(id, -1, reach);
  }

  /** The same on both sides: earlier ones first, each side from the nearest on. */
  beside(id: RecordId, reach: number): Beside[] {
    return [...this.#walk(id, -1, reach), ...this.#walk(id, 1, reach)];
  }

  /** Whether the record is of the first turn of its session. */
  opens(id: RecordId): boolean {
    const place = this.#places.get(id);
    const before = this.#walk(id, -1, 1);
    return place !== undefined && before.length === place.at && (before.at(-1)?.distance ?? 0) < 1;
  }

  #walk(id: RecordId, step: 1 | -1, reach: number): Beside[] {
    const found: Beside[] = [];
    const place = this.#places.get(id);
    if (place === undefined) return found;
    let distance = 0;
    for (let by = 1; by <= mostBeside; by++) {
      const item = place.items[place.at + step * by];
      if (item === undefined) break;
      distance += lengthOf(item);
      if (distance > reach && by > 1) break;
      found.push({ item, distance });
    }
    return found;
  }

  /** Session neighbours within `reach` turns of talk. */
  neighbours(id: RecordId, reach: number): RecordId[] {
    return this.beside(id, reach).map(({ item }) => item.recordId);
  }
}
