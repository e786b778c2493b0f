import type { RecordId } from "#contract";
import type { IndexedItem, IndexReader } from "#main/indexes/ports.ts";

/** Where records stand: a chat's day, a mail thread, the pictures of an event. Read once a question, by need. */

/** Members of one session that are looked at. */
const sessionLimit = 2_000;

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

  /** The member `by` places later in the record's session, if there is one. */
  shifted(id: RecordId, by: number): IndexedItem | undefined {
    const place = this.#places.get(id);
    return place?.items[place.at + by];
  }

  /** Session neighbours up to `radius` places away. */
  neighbours(id: RecordId, radius: number): RecordId[] {
    const place = this.#places.get(id);
    if (place === undefined) return [];
    const { items, at } = place;
    return items
      .slice(Math.max(0, at - radius), at + radius + 1)
      .flatMap(({ recordId }) => (recordId === id ? [] : recordId));
  }
}
