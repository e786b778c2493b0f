import type { RecordId } from "#contract";

/** Records by a key that several have. */
export class Groups {
  readonly #ids: readonly RecordId[];
  readonly #groups: Int32Array;
  readonly #count: number;

  constructor(ids: readonly RecordId[], key: (id: RecordId) => string) {
    const numbers = new Map<string, number>();
    this.#ids = ids;
    this.#groups = Int32Array.from(ids, (id) => {
      const number = numbers.get(key(id)) ?? numbers.size;
      numbers.set(key(id), number);
      return number;
    });
    this.#count = numbers.size;
  }

  /** The most of each record's group, at least 0, by the record's place. */
  most(of: (id: RecordId) => number): (place: number) => number {
    const most = new Float64Array(this.#count);
    for (const [place, id] of this.#ids.entries()) {
      const group = this.#groups[place] ?? 0;
      most[group] = Math.max(most[group] ?? 0, of(id));
    }
    return (place) => most[this.#groups[place] ?? 0] ?? 0;
  }
}
