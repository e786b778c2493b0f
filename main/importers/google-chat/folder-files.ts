import type { Entry } from "../types.ts";

/** Takeout cuts long names and changes signs that some file systems refuse. */
const plain = (name: string) =>
  name
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}\p{M}.()-]+/gu, "_")
    .toLowerCase();

function split(name: string): { stem: string; ending: string } {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? { stem: name.slice(0, dot), ending: name.slice(dot) } : { stem: name, ending: "" };
}

/** Names shorter than this are never the cut form of another one. */
const shortestCut = 20;

/**
 * The files of a chat's folder by the names that messages call them: exact, with changed signs, cut, or numbered
 * "(1)", "(2)" where several messages call their file the same. The n-th that asks for a name gets the n-th file of it.
 */
export class FolderFiles {
  readonly #byName = new Map<string, Entry>();
  readonly #asked = new Map<string, number>();

  constructor(entries: readonly Entry[]) {
    for (const entry of entries) this.#byName.set(plain(entry.name), entry);
  }

  take(exportName: string): Entry | undefined {
    const name = plain(exportName);
    const count = this.#asked.get(name) ?? 0;
    this.#asked.set(name, count + 1);
    const first = this.#first(name);
    if (first === undefined || count === 0) return first;
    const { stem, ending } = split(plain(first.name));
    return this.#byName.get(`${stem}(${count})${ending}`) ?? first;
  }

  #first(name: string): Entry | undefined {
    const exact = this.#byName.get(name);
    if (exact !== undefined) return exact;
    const wanted = split(name);
    const number = /\(\d+\)$/.exec(wanted.stem)?.[0] ?? "";
    const whole = wanted.stem.slice(0, wanted.stem.length - number.length);
    let found: Entry | undefined;
    let length = 0;
    for (const [other, entry] of this.#byName) {
      const { stem, ending } = split(other);
      if (ending !== wanted.ending && !wanted.ending.startsWith(ending)) continue;
      if (!stem.endsWith(number)) continue;
      const cut = stem.slice(0, stem.length - number.length);
      if (cut.length >= shortestCut && cut.length > length && whole.startsWith(cut))
        [found, length] = [entry, cut.length];
    }
    return found;
  }
}
