/** Texts by small numbers; 0 is none. */
export class Names {
  readonly #texts: (string | null)[] = [null];
  readonly #places = new Map<string, number>();

  numberOf(text: string | null): number {
    if (text === null) return 0;
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    this.#places.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }

  text(number: number): string | null {
    return this.#texts[number] ?? null;
  }

  /** The number of a text that has been met. */
  known(text: string): number | undefined {
    return this.#places.get(text);
  }
}
