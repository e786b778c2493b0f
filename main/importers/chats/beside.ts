import type { Claim, Entry, SourceTree } from "../types.ts";

/**
 * The files of a claim, found by the relative paths that its messages name. Nothing but the claim's own files is ever found,
 * wherever a path may point.
 */
export class FilesBeside {
  readonly #folder: string;
  readonly #byPath = new Map<string, Entry>();
  /** By the last part of the path; null where several files share it. */
  readonly #byName = new Map<string, Entry | null>();

  /** `folder` is the joined path of the folder to which the messages' paths are relative. */
  constructor(claim: Claim, tree: SourceTree, folder: string) {
    this.#folder = folder;
    for (const path of claim.companions) {
      const entry = tree.get(path);
      if (entry === undefined) continue;
      this.#byPath.set(entry.joined, entry);
      this.#byName.set(entry.name, this.#byName.has(entry.name) ? null : entry);
    }
  }

  /** By path; else by the file's name where only one file has it: folders are renamed and flattened. */
  find(path: string): Entry | null {
    const parts = path.normalize("NFC").replaceAll("\\", "/").split("/");
    const clean = parts.filter((part) => part !== "" && part !== ".");
    if (clean.length === 0 || clean.includes("..")) return null;
    const joined = this.#folder === "" ? clean.join("/") : `${this.#folder}/${clean.join("/")}`;
    return this.#byPath.get(joined) ?? this.#byName.get(clean.at(-1) ?? "") ?? null;
  }
}
