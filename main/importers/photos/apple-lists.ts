import type { RecordProps } from "#contract";
import type { Entry } from "../types.ts";
import { type AppleDetails, readAlbumNames, readDetails } from "./apple.ts";

/** The lists of one iCloud export, asked by file name: they know pictures by nothing else. */
export interface AppleLists {
  /** Paths of lists that could be read. */
  readonly understood: ReadonlySet<string>;
  /** The row of a file; `doubt` when several rows of that name say different things. */
  detailsOf(name: string): { row: AppleDetails | null; doubt: string | null };
  albumsOf(name: string): { albums: NonNullable<RecordProps["albums"]>; doubt: string | null };
}

const listBytes = 64 * 1024 * 1024;
const folded = (name: string) => name.normalize("NFC").toLowerCase();

/** `elsewhere`: names of pictures in other parts of the export, lower case. Never throws. */
export async function readAppleLists(lists: readonly Entry[], elsewhere: ReadonlySet<string>): Promise<AppleLists> {
  const understood = new Set<string>();
  const rows = new Map<string, AppleDetails[]>();
  const albums = new Map<string, string[]>();
  for (const entry of lists) {
    const text = await entry.readAll(listBytes).then(
      (bytes) => new TextDecoder().decode(bytes),
      () => null,
    );
    if (text === null) continue;
    const details = readDetails(text);
    const names = details === null ? readAlbumNames(text) : null;
    if (details !== null || names !== null) understood.add(entry.path);
    for (const row of details ?? []) push(rows, folded(row.name), row);
    const title = entry.name.replace(/\.csv$/i, "").normalize("NFC");
    for (const name of names ?? []) push(albums, folded(name), title);
  }
  return {
    understood,
    detailsOf(name) {
      const found = rows.get(folded(name)) ?? [];
      const [row = null] = found;
      const said = new Set(
        found.map(({ created, favourite, hidden, deleted }) => [created, favourite, hidden, deleted].join()),
      );
      if (said.size <= 1) return { row, doubt: null };
      return { row: null, doubt: `The export's lists describe ${found.length} pictures of this name; none was taken.` };
    },
    albumsOf(name) {
      const titles = [...new Set(albums.get(folded(name)) ?? [])];
      const several = elsewhere.has(folded(name)) || (rows.get(folded(name))?.length ?? 0) > 1;
      if (titles.length === 0 || !several)
        return { albums: titles.map((one) => ({ name: one, description: null })), doubt: null };
      return {
        albums: [],
        doubt: `The album lists ${titles.map((one) => `“${one}”`).join(", ")} name a picture of this name, but several have it.`,
      };
    },
  };
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}
