import type { RecordId } from "#contract";
import type { IndexedItem, IndexReader } from "#main/indexes/ports.ts";

/** Where records stand: a chat's day, a mail thread, the pictures of an event. Read once a question, by need. */

/** Members of one session that are looked at. */
const sessionLimit = 2_000;

export class Sessions {
  readonly #index: IndexReader;
  readonly #sessions = new Map<string, { items: readonly IndexedItem[]; at: Map<RecordId, number> }>();
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
      const at = new Map<RecordId, number>();
      for (const [place, member] of items.entries()) {
        at.set(member.recordId, place);
        this.#items.set(member.recordId, member);
      }
      this.#sessions.set(key, { items, at });
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
    return this.#sessions.get(this.#items.get(id)?.session ?? "")?.items ?? [];
  }

  /** The member `by` places later in the record's session, if there is one. */
  shifted(id: RecordId, by: number): IndexedItem | undefined {
    const session = this.#sessions.get(this.#items.get(id)?.session ?? "");
    const at = session?.at.get(id);
    return at === undefined ? undefined : session?.items[at + by];
  }

  /** Session neighbours up to `radius` places away. */
  neighbours(id: RecordId, radius: number): RecordId[] {
    const found: RecordId[] = [];
    for (let by = -radius; by <= radius; by++) {
      const other = by === 0 ? undefined : this.shifted(id, by);
      if (other) found.push(other.recordId);
    }
    return found;
  }
}
