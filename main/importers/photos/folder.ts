import type { ImportedRecord } from "#contract";
import { fileEnd, folderOf } from "../files.ts";
import type { Claim, Entry, ImportedItem, SourceTree } from "../types.ts";
import { type AppleLists, readAppleLists } from "./apple-lists.ts";
import { stemOf } from "./names.ts";
import { belongings, type FolderPairs, pairFolder } from "./sidecar-names.ts";
import { noSidecars, type Sidecars } from "./sidecars.ts";
import { readTakeoutAlbum, readTakeoutPhoto, type TakeoutAlbum, type TakeoutPhoto } from "./takeout.ts";
import { parseXmp } from "./xmp.ts";

/** A sidecar is small; what is larger is none. */
const sidecarBytes = 4 * 1024 * 1024;
/** JSON files of a folder that are opened in search of the album. */
const albumCandidates = 20;

const tables = /\.(?:json|csv)$/i;
const smallCopies = /\.(?:thm|lrv)$/i;

/** Which names of a folder are pictures and films of their own: cameras' small copies are, where what they belong to is missing. */
export function mediaAmong(names: readonly string[]): string[] {
  const plain = names.filter((name) => !tables.test(name) && !belongings.test(name));
  const stems = new Set(plain.map((name) => stemOf(name).toLowerCase()));
  const lone = names.filter((name) => smallCopies.test(name) && !stems.has(stemOf(name).toLowerCase()));
  const wanted = new Set([...plain, ...lone]);
  return names.filter((name) => wanted.has(name));
}

export async function readSmall(entry: Entry | undefined, cap = sidecarBytes): Promise<Uint8Array | null> {
  if (entry === undefined || entry.bytes > cap) return null;
  try {
    return await entry.readAll(cap);
  } catch {
    return null;
  }
}

/** The album that a folder's unpaired JSON describes (metadata.json, in the account's language). */
export async function albumOf(
  members: readonly Entry[],
  pairs: FolderPairs,
): Promise<{ entry: Entry; album: TakeoutAlbum } | null> {
  const paired = new Set(pairs.json.values());
  // A sidecar of a video keeps the video's extension before ".json"; an album's file has a bare name.
  const bare = members.filter((entry) => /^[^.]+\.json$/i.test(entry.name) && !paired.has(entry.name));
  if (bare.length === 0 || (paired.size === 0 && bare.length > 3)) return null;
  for (const entry of bare.slice(0, albumCandidates)) {
    const bytes = await readSmall(entry);
    const album = bytes && readTakeoutAlbum(bytes);
    if (album) return { entry, album };
  }
  return null;
}

/** One folder while it is read: pictures and films, and what stands beside them. */
export class Folder {
  readonly media: readonly Entry[];
  readonly pairs: FolderPairs;
  readonly #own: readonly Entry[];
  readonly #members = new Map<string, Entry[]>();
  readonly #told = new Set<string>();
  readonly #claimed: readonly Entry[];
  #apple: AppleLists | null = null;

  constructor(claim: Claim, tree: SourceTree) {
    this.#claimed = [claim.primary, ...claim.companions].flatMap((path) => tree.get(path) ?? []);
    const home = folderOf(this.#claimed[0]?.joined ?? "");
    this.#own = this.#claimed.filter((entry) => folderOf(entry.joined) === home);
    // A sidecar may have been found in another folder: what stands in the folder itself comes first.
    for (const entry of [...this.#own, ...this.#claimed.filter((one) => !this.#own.includes(one))]) {
      const known = this.#members.get(entry.name);
      if (known) known.push(entry);
      else this.#members.set(entry.name, [entry]);
    }
    const names = new Set(mediaAmong([...new Set(this.#own.map((entry) => entry.name))]));
    this.media = this.#own.filter((entry) => names.has(entry.name) && !isInsideLibrary(entry.joined));
    this.pairs = pairFolder([...names], [...this.#members.keys()]);
  }

  album(): Promise<{ entry: Entry; album: TakeoutAlbum } | null> {
    return albumOf(this.#own, this.pairs);
  }

  /** Lists of an iCloud export among the claim's files; `elsewhere`: names of pictures in its other parts. */
  async readLists(elsewhere: ReadonlySet<string>): Promise<void> {
    const lists = this.#claimed.filter((entry) => /\.csv$/i.test(entry.name));
    if (lists.length > 0) this.#apple = await readAppleLists(lists, elsewhere);
  }

  /** Albums of an iCloud export that name the file, and a sentence where they may mean another one. */
  albumsOf(entry: Entry): { albums: NonNullable<ImportedRecord["props"]["albums"]>; doubt: string | null } {
    return this.#apple?.albumsOf(entry.name) ?? { albums: [], doubt: null };
  }

  async sidecarsOf(entry: Entry): Promise<{ sidecars: Sidecars; items: ImportedItem[]; doubts: string[] }> {
    const items: ImportedItem[] = [];
    const doubts: string[] = [];
    const files: Entry[] = [];
    const use = (sidecar: Entry, understood: boolean, reason: string) => {
      if (understood) files.push(sidecar);
      if (this.#told.has(sidecar.path)) return;
      this.#told.add(sidecar.path);
      items.push(fileEnd(sidecar.path, understood ? "imported" : "skipped", understood ? null : reason));
    };
    const takeout = await this.#takeoutOf(entry, use, doubts);
    let xmp: Sidecars["xmp"] = null;
    for (const name of this.pairs.others.get(entry.name) ?? []) {
      const sidecar = this.#members.get(name)?.[0];
      if (!sidecar || this.media.includes(sidecar)) continue;
      if (!/\.xmp$/i.test(name)) {
        use(sidecar, false, `It belongs to ${entry.name}, which is imported: ${whatIs(name)}.`);
        continue;
      }
      const bytes: Uint8Array | null = xmp === null ? await readSmall(sidecar) : null;
      const properties: Sidecars["xmp"] = bytes && parseXmp(new TextDecoder().decode(bytes));
      // NAME.xmp may belong to a twin with another extension; Adobe says which.
      const twin = properties?.get("photoshop:SidecarForExtension")?.[0];
      const ours = twin === undefined || entry.name.toLowerCase().endsWith(`.${twin.toLowerCase()}`);
      if (!ours) continue;
      const understood = properties !== null && properties.size > 0;
      if (understood) xmp = properties;
      use(sidecar, understood, `Stands beside ${entry.name}, but holds nothing about it that can be read.`);
    }
    const details = this.#apple?.detailsOf(entry.name);
    if (details?.doubt) doubts.push(details.doubt);
    const sources = files.map(({ path, bytes }) => ({ path, bytes }));
    return { sidecars: { ...noSidecars, takeout, apple: details?.row ?? null, xmp, files: sources }, items, doubts };
  }

  async #takeoutOf(
    { name }: Entry,
    use: (sidecar: Entry, understood: boolean, reason: string) => void,
    doubts: string[],
  ): Promise<TakeoutPhoto | null> {
    const unsure = this.pairs.ambiguous.get(name);
    if (unsure) doubts.push(`It could not be told which description is its own: ${unsure.join(", ")}.`);
    const candidates = this.#members.get(this.pairs.json.get(name) ?? "") ?? [];
    const read: { entry: Entry; takeout: TakeoutPhoto | null }[] = [];
    for (const entry of candidates) {
      const bytes = await readSmall(entry);
      read.push({ entry, takeout: bytes && readTakeoutPhoto(bytes) });
    }
    const [first] = read;
    if (!first) return null;
    const own = this.#own.includes(first.entry);
    const times = new Set(read.map(({ takeout }) => takeout?.photoTakenTime));
    if (!own && times.size > 1) {
      doubts.push(`Descriptions in ${read.length} other folders fit it and tell different times; none was taken.`);
      for (const { entry } of read) use(entry, false, `May describe ${name}, but another one may as well.`);
      return null;
    }
    const reason = `Stands beside ${name}, but is not a description of it that can be read.`;
    for (const { entry, takeout } of own ? [first] : read) use(entry, takeout !== null, reason);
    return first.takeout;
  }

  /** Claimed entries that no picture or film has used, and why. */
  untold(): { path: string; reason: string }[] {
    const media = new Set(this.media.map((entry) => entry.path));
    return this.#claimed
      .filter(({ path }) => !media.has(path) && !this.#told.has(path))
      .map(({ path, joined, name }) => ({
        path,
        reason: isInsideLibrary(joined)
          ? "It is a small copy or a list of the photo library; its originals are imported."
          : belongings.test(name)
            ? `It is ${whatIs(name)}, but what it belongs to is not here.`
            : "Stands beside pictures, but describes none.",
      }));
  }

  /** Lists of an export that were understood. */
  understoodLists(): ReadonlySet<string> {
    return this.#apple?.understood ?? new Set();
  }
}

function whatIs(name: string): string {
  if (/\.thm$/i.test(name)) return "a camera's small picture of a film";
  if (/\.lrv$/i.test(name)) return "a camera's small copy of a film";
  if (/\.xmp$/i.test(name)) return "a description";
  return "a program's recipe of an edit";
}

/** Inside a Photos library, but none of its originals. */
export function isInsideLibrary(path: string): boolean {
  const inside = /(?:^|\/)[^/]+\.(?:photoslibrary|migratedphotolibrary|aplibrary)\/(.*)$/i.exec(path)?.[1];
  return inside !== undefined && !/^(?:originals|Masters)\//.test(inside);
}
