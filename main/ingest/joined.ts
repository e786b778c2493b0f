import type { BaseEntry } from "./entry.ts";

/**
 * Parts of one export, lying side by side as archives or unpacked, laid over each other: a member of `takeout-…-002.zip`
 * gets the `joined` path that it would have had in the first part. `path` stays where the file really is.
 */

interface PartName {
  /** Equal for the parts of one export. */
  readonly stem: string;
  /** 0: the part without a number. */
  readonly number: number;
  /** The name alone says that it is one of several parts. */
  readonly sure: boolean;
}

interface Part extends PartName {
  /** Path of the archive or folder. */
  readonly path: string;
  /** Its name without the ending of an archive. */
  readonly base: string;
  readonly archive: boolean;
  readonly entries: BaseEntry[];
}

const archiveEnding = /\.(?:zip|tgz|tar\.gz|tar)$/i;
/** A year at the end of a name is no number of a part. */
const maxPart = 500;

/** What a name says about being one part of several; null when it says nothing. */
export function partName(base: string, archive: boolean): PartName | null {
  const takeout = /^(takeout-\d{8}T\d{6}Z)((?:-\d{1,4})+)$/i.exec(base);
  if (takeout?.[1] && takeout[2]) {
    // `-001`, or `-2-001` with the number of a batch before it.
    const number = takeout[2].split("-").reduce((sum, part) => sum * 10_000 + Number(part), 0);
    return { stem: takeout[1].toLowerCase(), number, sure: true };
  }
  const told = /^(.*?)[ _.-]*\bpart[ _-]*(\d{1,3})(?:[ _-]*(?:of|von|de|di|sur)[ _-]*\d{1,3})?$/i.exec(base);
  if (told?.[2])
    return { stem: (told[1] ?? "").toLowerCase(), number: Number(told[2]), sure: / of |of-|_of_/i.test(base) };
  // Systems number the second folder that is unpacked beside a first one: "Takeout 2", "Takeout (1)", "Takeout-2".
  const unpacked = /^takeout(?:[ _-]?\(?(\d{1,3})\)?)?$/i.exec(base);
  if (unpacked) return { stem: "takeout", number: Number(unpacked[1] ?? 0), sure: true };
  const numbered = archive ? /^(.+?)[-_ ](\d{1,3})$/.exec(base) : null;
  if (numbered?.[1] && Number(numbered[2]) <= maxPart) {
    return { stem: numbered[1].toLowerCase(), number: Number(numbered[2]), sure: false };
  }
  return null;
}

const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** The folder in which a part lies. An archive that was dropped by itself, with others, stands in a folder of its own name. */
function sideOf(path: string): string {
  const folder = folderOf(path);
  return baseName(folder) === baseName(path) ? folderOf(folder) : folder;
}

/** Names of the folders at the top of a part. */
function topsOf(part: Part): Set<string> {
  const tops = new Set<string>();
  for (const { path } of part.entries) {
    const rest = path.slice(part.path.length + 1);
    const slash = rest.indexOf("/");
    if (slash > 0) tops.add(rest.slice(0, slash));
  }
  return tops;
}

/** `archives`: paths of the archives that were opened. `entries` in the order of their paths. Sets `joined`. */
export function joinParts(entries: readonly BaseEntry[], archives: ReadonlySet<string>): void {
  for (const parts of groupsOf(entries, archives)) {
    const [first, ...others] = parts;
    if (!first || others.length === 0) continue;
    const taken = new Set(first.entries.map(({ path }) => path));
    for (const part of others) {
      for (const entry of part.entries) {
        const joined = first.path + renamed(entry.path.slice(part.path.length), part, first);
        // What stands in several parts keeps its own place in the later ones: nothing is lost, `joined` gives the first.
        if (taken.has(joined)) continue;
        taken.add(joined);
        entry.joined = joined;
      }
    }
  }
}

/** A part's name is often the name of the folder in it too: that folder is the same in all parts. */
function renamed(rest: string, part: Part, first: Part): string {
  return rest.startsWith(`/${part.base}/`) ? `/${first.base}${rest.slice(part.base.length + 1)}` : rest;
}

/** Parts that belong together, the first of each group first. */
function groupsOf(entries: readonly BaseEntry[], archives: ReadonlySet<string>): Part[][] {
  const parts = new Map<string, Part | null>();
  for (const entry of entries) {
    // The outermost part that an entry lies in.
    for (let slash = entry.path.indexOf("/"); slash > 0; slash = entry.path.indexOf("/", slash + 1)) {
      const path = entry.path.slice(0, slash);
      let part = parts.get(path);
      if (part === undefined) {
        part = partAt(path, archives.has(path));
        parts.set(path, part);
      }
      if (part === null) continue;
      part.entries.push(entry);
      break;
    }
  }
  const all = [...parts.values()].filter((part) => part !== null);
  const groups = Map.groupBy(all, (part) => `${sideOf(part.path)}\0${part.stem}\0${part.archive}`);
  return [...groups.values()]
    .map((group) => group.sort((a, b) => a.number - b.number || (a.path < b.path ? -1 : 1)))
    .filter(belongTogether);
}

function partAt(path: string, archive: boolean): Part | null {
  const base = archive ? baseName(path).replace(archiveEnding, "") : baseName(path);
  const name = partName(base, archive);
  // An archive dropped by itself stands in a folder of its own name, which is no part.
  if (name === null || (!archive && archiveEnding.test(baseName(path)))) return null;
  return { ...name, path, base, archive, entries: [] };
}

/** Sure by their names, or numbered from one and with a folder at the top that they all have. */
function belongTogether(group: readonly Part[]): boolean {
  const [first, ...others] = group;
  if (!first || others.length === 0) return false;
  if (group.every(({ sure }) => sure)) return true;
  const numbers = new Set(group.map(({ number }) => number));
  if (first.number > 1 || numbers.size < group.length) return false;
  let common = topsOf(first);
  for (const part of others) common = common.intersection(topsOf(part));
  return common.size > 0;
}
