import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DiskEntry, type DiskPath, statOf } from "./disk.ts";
import { BaseEntry, type EntryFacts, type TreeShared } from "./entry.ts";

/** One archive in several files: `a.z01`, `a.z02`, `a.zip` (APPNOTE §8), or `a.zip.001`, `a.zip.002` cut by any program. */

export type Split =
  /** The file by which the archive is known, with all parts in their order; `missing` names one that is not there. */
  | { readonly role: "main"; readonly parts: readonly string[]; readonly missing: string | null }
  /** One of the others; `main` is null when the file by which the archive is known is missing. */
  | { readonly role: "part"; readonly main: string | null };

/** What a file is in a split archive, by its name and those beside it; null for a file of its own. */
export function splitOf(disk: DiskPath): Split | null {
  if (typeof disk !== "string") return null;
  const name = basename(disk);
  const raw = /^(.+\.(?:zip|tar|tgz|tar\.gz))\.(\d{3})$/i.exec(name);
  const spanned = /^(.+)\.(?:zip|z(\d{2,3}))$/i.exec(name);
  if (raw?.[1] === undefined && spanned?.[1] === undefined) return null;
  const folder = dirname(disk);
  let beside: string[];
  try {
    beside = readdirSync(folder);
  } catch {
    return null;
  }
  const stem = (raw?.[1] ?? spanned?.[1] ?? "").toLowerCase();
  const numbered = new Map<number, string>();
  for (const one of beside) {
    const match = (raw ? /^(.+)\.(\d{3})$/ : /^(.+)\.z(\d{2,3})$/i).exec(one);
    if (match?.[1]?.toLowerCase() === stem) numbered.set(Number(match[2]), one);
  }
  if (numbered.size === 0) return null;
  const numbers = [...numbered.keys()].sort((a, b) => a - b);
  const first = raw && numbered.has(0) ? 0 : 1;
  const gap = numbers.findIndex((number, at) => number !== at + first);
  const missing = gap < 0 ? null : nameOfPart(stem, gap + first, raw !== null);
  const ordered = numbers.map((number) => join(folder, numbered.get(number) ?? ""));
  if (raw) {
    const main = numbered.get(first) ?? null;
    return name === main ? { role: "main", parts: ordered, missing } : { role: "part", main };
  }
  const last = beside.find((one) => one.toLowerCase() === `${stem}.zip`) ?? null;
  if (spanned?.[2] !== undefined) return { role: "part", main: last };
  return { role: "main", parts: [...ordered, disk], missing };
}

const nameOfPart = (stem: string, number: number, raw: boolean): string =>
  raw ? `${stem}.${String(number).padStart(3, "0")}` : `${stem}.z${String(number).padStart(2, "0")}`;

/** Several files read as one. */
export class JoinedEntry extends BaseEntry {
  readonly #parts: readonly BaseEntry[];

  constructor(facts: EntryFacts, parts: readonly BaseEntry[], shared: TreeShared) {
    super(facts, shared);
    this.#parts = parts;
  }

  override get stamp(): string {
    return this.#parts.map((part) => part.stamp).join("+");
  }

  protected override async *open(start: number, end: number): AsyncIterable<Uint8Array> {
    let at = 0;
    for (const part of this.#parts) {
      const [from, to] = [Math.max(start, at), Math.min(end, at + part.bytes)];
      if (from < to) yield* part.stream({ start: from - at, end: to - at });
      at += part.bytes;
    }
  }
}

/** The parts of a split archive as one entry under the main part's path. Throws what the file system throws. */
export function joinSplit(path: string, parts: readonly string[], shared: TreeShared): JoinedEntry {
  const silent = { ...shared, onRead: () => undefined };
  const entries = parts.map((disk) => {
    const { size, mtimeMs } = statOf(disk);
    return new DiskEntry({ path, bytes: size, modified: Math.round(mtimeMs) }, disk, silent);
  });
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  return new JoinedEntry({ path, bytes, modified: entries.at(-1)?.modified ?? null }, entries, shared);
}
