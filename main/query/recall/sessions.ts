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

/** Kernel over the distance inside a session, as far as `reach` (R12: 1, .8, .65, .5, .4). */
const kernel = [1, 0.8, 0.65, 0.5, 0.4] as const;

/** The kernel between whole turns: people write in pieces. */
function kernelAt(distance: number): number {
  const below = Math.floor(distance);
  const [low, high] = [kernel[below] ?? 0, kernel[below + 1] ?? kernel.at(-1) ?? 0];
  return low + (distance - below) * (high - low);
}

/** A record's place in its session. */
export interface Place {
  /** The record is of the first turn of its session. */
  readonly opens: boolean;
  /** Members within `reach` turns of talk on both sides: earlier ones first, each side from the nearest on. */
  readonly beside: readonly RecordId[];
  /** Of each of them the kernel's weight, 0–1. */
  readonly weights: readonly number[];
  /** The nearest one with a question within one turn of talk before the record; the one directly before it is always looked at. */
  readonly asking: RecordId | undefined;
}

const nobody = new Int32Array(0);
const alone: Place = { opens: false, beside: [], weights: [], asking: undefined };

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

  /** Where the record stands among those beside it. */
  place(id: RecordId): Place {
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
    const { records, words, asking } = session;
    const beside: RecordId[] = [];
    const weights: number[] = [];
    let [opens, asked]: [boolean, RecordId | undefined] = [at === 0, undefined];
    for (const step of [-1, 1]) {
      let distance = 0;
      for (let by = 1; by <= mostBeside; by++) {
        const place = at + step * by;
        const other = records[place];
        if (other === undefined) break;
        // In turns of talk: at most 1 a message.
        distance += Math.min(1, Math.max(turn.least, (words[place] ?? 0) / turn.words));
        if (distance > reach && by > 1) break;
        beside.push(other);
        weights.push(kernelAt(distance));
        if (step > 0 || (distance > 1 && by > 1)) continue;
        opens = place === 0 && distance < 1;
        if (asking[place] === 1) asked ??= other;
      }
    }
    return { opens, beside, weights, asking: asked };
  }
}
