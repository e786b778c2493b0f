/** Fractional part of the golden ratio times 2³² (Knuth, TAOCP vol. 3, §6.4): spreads keys whose low bits alone differ. */
const spread = 0x9e3779b1;
const empty = -1;

/** Open addressing with linear probing, at most two thirds full; 16 bytes a place. */
class Table {
  size = 0;
  #keys = new Float64Array(1024).fill(empty);
  #values = new Float64Array(1024);

  get(key: number): number | undefined {
    const at = this.#placeOf(key);
    return this.#keys[at] === key ? this.#values[at] : undefined;
  }

  set(key: number, value: number): void {
    let at = this.#placeOf(key);
    if (this.#keys[at] !== key) {
      if (++this.size * 3 > this.#keys.length * 2) {
        this.#grow();
        at = this.#placeOf(key);
      }
      this.#keys[at] = key;
    }
    this.#values[at] = value;
  }

  /** Where the key stands, or would stand. */
  #placeOf(key: number): number {
    const keys = this.#keys;
    const last = keys.length - 1;
    let at = Math.imul((key % 0x1_0000_0000) ^ (key / 0x1_0000_0000), spread) >>> Math.clz32(last);
    while (keys[at] !== key && keys[at] !== empty) at = (at + 1) & last;
    return at;
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values];
    this.#keys = new Float64Array(2 * keys.length).fill(empty);
    this.#values = new Float64Array(2 * keys.length);
    for (const [from, key] of keys.entries()) {
      if (key === empty) continue;
      const at = this.#placeOf(key);
      this.#keys[at] = key;
      this.#values[at] = values[from] ?? 0;
    }
  }
}

/**
 * Numbers by numbers, both whole and from 0 to 2⁵³: a third of the memory of a Map, and nothing in it that a garbage
 * collector has to look at. Keeps at least the last `capacity` / 2 keys and at most `capacity`; the older half goes at once.
 */
export class NumberMap {
  readonly #half: number;
  #young = new Table();
  #old = new Table();

  constructor(capacity: number) {
    this.#half = Math.floor(capacity / 2);
  }

  get(key: number): number | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  set(key: number, value: number): void {
    if (this.#young.get(key) === undefined) {
      if (this.#old.get(key) !== undefined) {
        this.#old.set(key, value);
        return;
      }
      if (this.#young.size >= this.#half) {
        this.#old = this.#young;
        this.#young = new Table();
      }
    }
    this.#young.set(key, value);
  }
}
