import type { RecordId } from "#contract";
import type { IndexedItem, IndexReader, SessionMembers } from "#main/indexes/ports.ts";

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

/** Turns of talk on each side that count. */
export const reach = 4;

/** A member of a session near another one. */
export interface Beside {
  readonly recordId: RecordId;
  /** In turns of talk: at most 1 a message. */
  readonly distance: number;
  readonly hasQuestion: boolean;
}

/** A record's place in its session. */
interface Place {
  readonly opens: boolean;
  /** Those before it within one turn of talk, the nearest first; at least the one directly before it. */
  readonly before: readonly Beside[];
  /** Within `reach` on both sides: earlier ones first, each side from the nearest on. */
  readonly beside: readonly Beside[];
}

const nobody = new Int32Array(0);
const alone: Place = { opens: false, before: [], beside: [] };

export class Sessions {
  readonly #index: Pick<IndexReader, "items" | "sessionsOf">;
  readonly #items = new Map<RecordId, IndexedItem>();
  readonly #sessions = new Map<RecordId, SessionMembers>();
  readonly #places = new Map<RecordId, Place>();

  constructor(index: Pick<IndexReader, "items" | "sessionsOf">) {
    this.#index = index;
  }

  /** Reads places and sessions of records in one go; what follows about them needs no more reading. */
  load(ids: readonly RecordId[]): void {
    const missing = ids.filter((id) => !this.#items.has(id));
    if (missing.length === 0) return;
    for (const [id, item] of this.#index.items(missing)) this.#items.set(id, item);
    for (const [id, session] of this.#index.sessionsOf(missing, sessionLimit)) this.#sessions.set(id, session);
  }

  item(id: RecordId): IndexedItem | undefined {
    return this.#items.get(id);
  }

  /** One key a session; records without one are alone in theirs. */
  key(id: RecordId): string {
    return this.#items.get(id)?.session ?? `record ${id}`;
  }

  /** Members of the record's session in their order, the record too. */
  members(id: RecordId): Int32Array {
    return this.#sessions.get(id)?.records ?? nobody;
  }

  /** Members before the record within one turn of talk, the nearest first; at least the one directly before it. */
  before(id: RecordId): readonly Beside[] {
    return this.#place(id).before;
  }

  /** Within `reach` turns of talk on both sides: earlier ones first, each side from the nearest on. */
  beside(id: RecordId): readonly Beside[] {
    return this.#place(id).beside;
  }

  /** Whether the record is of the first turn of its session. */
  opens(id: RecordId): boolean {
    return this.#place(id).opens;
  }

  /** Session neighbours within `reach` turns of talk. */
  neighbours(id: RecordId): RecordId[] {
    return this.beside(id).map(({ recordId }) => recordId);
  }

  #place(id: RecordId): Place {
    const known = this.#places.get(id);
    if (known !== undefined) return known;
    const place = this.#placed(id);
    this.#places.set(id, place);
    return place;
  }

  #placed(id: RecordId): Place {
    const session = this.#sessions.get(id);
    const at = session?.records.indexOf(id) ?? -1;
    if (session === undefined || at === -1) return alone;
    const earlier = walk(session, at, -1);
    // The walk to a shorter reach is the beginning of this one.
    const far = earlier.findIndex(({ distance }, nth) => nth > 0 && distance > 1);
    const before = far === -1 ? earlier : earlier.slice(0, far);
    return {
      opens: before.length === at && (before.at(-1)?.distance ?? 0) < 1,
      before,
      beside: [...earlier, ...walk(session, at, 1)],
    };
  }
}

function walk({ records, words, asking }: SessionMembers, from: number, step: 1 | -1): Beside[] {
  const found: Beside[] = [];
  let distance = 0;
  for (let by = 1; by <= mostBeside; by++) {
    const at = from + step * by;
    const recordId = records[at];
    if (recordId === undefined) break;
    distance += Math.min(1, Math.max(turn.least, (words[at] ?? 0) / turn.words));
    if (distance > reach && by > 1) break;
    found.push({ recordId, distance, hasQuestion: asking[at] === 1 });
  }
  return found;
}
