import type { Entry } from "../types.ts";

/** Which folders are vaults of notes, and which are source code. */

/** Settings, waste baskets and histories of vaults: nobody's notes. */
const inner =
  /(?:^|\/)(?:\.obsidian|\.trash|\.git|\.logseq|\.stversions|\.stfolder|logseq\/(?:bak|\.recycle|version-files))(?:\/|$)/;

export class Landscape {
  readonly #vaults = new Set<string>();
  readonly #code = new Set<string>();

  constructor(entries: readonly Entry[]) {
    for (const { joined } of entries) {
      const vault = /^(.*?)\/?\.obsidian\//.exec(joined)?.[1] ?? /^(.*?)\/?logseq\/config\.edn$/.exec(joined)?.[1];
      if (vault !== undefined) this.#vaults.add(vault);
      const code = /^(.*?)\/?(?:\.git|node_modules)\//.exec(joined)?.[1];
      if (code !== undefined) this.#code.add(code);
    }
    // A vault under version control is a vault.
    for (const vault of this.#vaults) this.#code.delete(vault);
  }

  /** The folder of source code that a file lies in, or null. */
  codeOf(path: string): string | null {
    return above(path, this.#code);
  }

  /** The vault that a file lies in; without one the top folder. */
  rootOf(path: string): string {
    return above(path, this.#vaults) ?? (path.includes("/") ? path.slice(0, path.indexOf("/")) : "");
  }

  /** Whether it lies in a vault's settings, waste basket or history. */
  isInner(path: string): boolean {
    return inner.test(path) && above(path, this.#vaults) !== null;
  }
}

/** The nearest of the folders above a path, or null. */
function above(path: string, folders: ReadonlySet<string>): string | null {
  if (folders.size === 0) return null;
  for (let at = path.lastIndexOf("/"); at >= 0; at = path.lastIndexOf("/", at - 1)) {
    if (folders.has(path.slice(0, at))) return path.slice(0, at);
    if (at === 0) break;
  }
  return folders.has("") ? "" : null;
}
