import type { Claim, Entry, ImportedItem, SourceTree } from "../types.ts";
import type { Sidecars } from "./picture.ts";
import { type FolderPairs, pairFolder } from "./sidecar-names.ts";
import { readTakeoutAlbum, readTakeoutPhoto, type TakeoutAlbum } from "./takeout.ts";
import { parseXmp } from "./xmp.ts";

/** A sidecar is small; what is larger is none. */
const sidecarBytes = 4 * 1024 * 1024;
/** JSON files of a folder that are opened in search of the album. */
const albumCandidates = 20;
const sidecarName = /\.(?:json|xmp|aae)$/i;

export function fileItem(path: string, status: "imported" | "skipped" | "failed", reason: string | null): ImportedItem {
  return { type: "file", path, status, reason, skipped: 0 };
}

async function readSmall(entry: Entry | undefined): Promise<Uint8Array | null> {
  if (entry === undefined || entry.bytes > sidecarBytes) return null;
  try {
    return await entry.readAll(sidecarBytes);
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
  if (paired.size === 0) return null;
  // A sidecar of a video keeps the video's extension before ".json"; an album's file has a bare name.
  const bare = members.filter((entry) => /^[^.]+\.json$/i.test(entry.name) && !paired.has(entry.name));
  for (const entry of bare.slice(0, albumCandidates)) {
    const bytes = await readSmall(entry);
    const album = bytes && readTakeoutAlbum(bytes);
    if (album) return { entry, album };
  }
  return null;
}

/** One folder while it is read: pictures in order (an edited copy right after its original), and what stands beside them. */
export class Folder {
  readonly pictures: readonly Entry[];
  readonly #pairs: FolderPairs;
  readonly #members: ReadonlyMap<string, Entry>;
  readonly #told = new Set<string>();
  readonly #claimed: readonly string[];

  constructor(claim: Claim, tree: SourceTree) {
    this.#claimed = [claim.primary, ...claim.companions];
    const entries = this.#claimed.map((path) => tree.get(path)).filter((entry) => entry !== undefined);
    this.#members = new Map(entries.map((entry) => [entry.name, entry]));
    const pictures = entries.filter((entry) => !sidecarName.test(entry.name));
    this.#pairs = pairFolder(
      pictures.map((entry) => entry.name),
      entries.map((entry) => entry.name),
    );
    const copies = Map.groupBy(
      pictures.filter((entry) => this.#pairs.originalOf.has(entry.name)),
      (entry) => this.#pairs.originalOf.get(entry.name) ?? "",
    );
    this.pictures = pictures
      .filter((entry) => !this.#pairs.originalOf.has(entry.name))
      .flatMap((entry) => [entry, ...(copies.get(entry.name) ?? [])]);
  }

  album(): Promise<{ entry: Entry; album: TakeoutAlbum } | null> {
    return albumOf([...this.#members.values()], this.#pairs);
  }

  originalOf(picture: Entry): Entry | undefined {
    return this.#members.get(this.#pairs.originalOf.get(picture.name) ?? "");
  }

  async sidecarsOf(picture: Entry): Promise<{ sidecars: Sidecars; items: ImportedItem[] }> {
    const items: ImportedItem[] = [];
    const files: Entry[] = [];
    const use = (entry: Entry, understood: boolean, reason: string) => {
      if (understood) files.push(entry);
      if (this.#told.has(entry.path)) return;
      this.#told.add(entry.path);
      items.push(fileItem(entry.path, understood ? "imported" : "skipped", understood ? null : reason));
    };
    const json = this.#members.get(this.#pairs.json.get(picture.name) ?? "");
    const jsonBytes = await readSmall(json);
    const takeout = jsonBytes && readTakeoutPhoto(jsonBytes);
    if (json)
      use(json, takeout !== null, `Stands beside ${picture.name}, but is not a description of it that can be read.`);
    let xmp: Sidecars["xmp"] = null;
    for (const name of this.#pairs.others.get(picture.name) ?? []) {
      const entry = this.#members.get(name);
      if (!entry) continue;
      if (/\.aae$/i.test(name)) {
        use(entry, false, `Edit recipe of ${picture.name}; the picture itself is imported.`);
        continue;
      }
      const bytes: Uint8Array | null = xmp === null ? await readSmall(entry) : null;
      const properties: Sidecars["xmp"] = bytes && parseXmp(new TextDecoder().decode(bytes));
      // NAME.xmp may belong to a twin with another extension; Adobe says which.
      const twin = properties?.get("photoshop:SidecarForExtension")?.[0];
      const ours = twin === undefined || picture.name.toLowerCase().endsWith(`.${twin.toLowerCase()}`);
      if (!ours) continue;
      const understood = properties !== null && properties.size > 0;
      if (understood) xmp = properties;
      use(entry, understood, `Stands beside ${picture.name}, but holds nothing about it that can be read.`);
    }
    const sources = files.map(({ path, bytes }) => ({ path, bytes }));
    return { sidecars: { takeout, xmp, files: sources }, items };
  }

  /** Claimed entries that no picture has used. */
  untold(): string[] {
    const pictures = new Set(this.pictures.map((entry) => entry.path));
    return this.#claimed.filter((path) => !pictures.has(path) && !this.#told.has(path));
  }
}
