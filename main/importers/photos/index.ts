import { type Container, type ImportedRecord, UnderstoryError } from "#contract";
import { sniffPicture } from "#native/images.ts";
import type { Claim, Entry, ImportedItem, Importer, ReadContext, SourceTree } from "../types.ts";
import { albumOf, Folder, fileItem } from "./folder.ts";
import { formatOfName, readPicture } from "./picture.ts";
import { pairFolder } from "./sidecar-names.ts";
import type { TakeoutAlbum } from "./takeout.ts";

export { type PictureContext, type PictureResult, readPicture } from "./picture.ts";

/** Names without an extension, or with one that applications use for anything, are worth a look at the content. */
const anyContent = /^[^.]+$|\.(?:bin|dat|tmp|img|pic|image|thm)$/i;

const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));
const inFolder = (folder: string, name: string) => (folder === "" ? name : `${folder}/${name}`);

async function isPicture(entry: Entry): Promise<boolean> {
  if (formatOfName(entry.name) !== null) return true;
  if (!anyContent.test(entry.name)) return false;
  try {
    return sniffPicture(await entry.head()) !== null;
  } catch {
    return false;
  }
}

async function* recognise(free: SourceTree): AsyncGenerator<Claim> {
  const folders = new Map<string, Entry[]>();
  for (const entry of free.entries) {
    const folder = folderOf(entry.path);
    const members = folders.get(folder);
    if (members) members.push(entry);
    else folders.set(folder, [entry]);
  }
  for (const [folder, members] of folders) {
    const pictures: Entry[] = [];
    for (const entry of members) if (await isPicture(entry)) pictures.push(entry);
    const [primary, ...rest] = pictures;
    if (!primary) continue;
    const names = members.map((entry) => entry.name);
    const pairs = pairFolder(
      pictures.map((entry) => entry.name),
      names,
    );
    const sidecars = new Set([...pairs.json.values(), ...[...pairs.others.values()].flat()]);
    const album = await albumOf(members, pairs);
    if (album) sidecars.add(album.entry.name);
    yield {
      primary: primary.path,
      companions: [...rest.map((entry) => entry.path), ...[...sidecars].map((name) => inFolder(folder, name))],
      label: folder === "" ? "Pictures" : folder,
      confidence: 2,
    };
  }
}

/** Takeout's own year folders gather by date; nobody made them as albums. */
const yearFolder =
  /^(?:photos from|photos de|fotos (?:von|aus|de)|foto(?:'s)? (?:uit|dal|del)|zdjęcia z|foton från|фото за) \d{4}$/i;

function albumsOf(album: TakeoutAlbum | null): ImportedRecord["props"]["albums"] {
  if (album === null || yearFolder.test(album.title.trim())) return undefined;
  return [{ name: album.title.trim().normalize("NFC"), description: album.description?.trim() || null }];
}

function cancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new UnderstoryError("cancelled", "Reading pictures was cancelled.");
}

/** The cursor is the path of the last picture that gave a record. */
async function* read(claim: Claim, { tree, signal, resume }: ReadContext): AsyncGenerator<ImportedItem> {
  const folder = new Folder(claim, tree);
  const key = folderOf(claim.primary);
  const container: Container = { key, title: key.slice(key.lastIndexOf("/") + 1) || null, kind: "folder" };
  const found = await folder.album();
  const albums = albumsOf(found?.album ?? null);
  const done = folder.pictures.findIndex((entry) => entry.path === resume);
  /** Identity of every picture read, by path; null: it gave no record. Edited copies point to it. */
  const identities = new Map<string, string | null>();
  const identityOf = async (entry: Entry): Promise<string | null> => {
    const known = identities.get(entry.path);
    if (known !== undefined) return known;
    const result = await readPicture(entry, { signal });
    return "record" in result ? result.record.identity : null;
  };

  for (const [i, entry] of folder.pictures.entries()) {
    cancelled(signal);
    const { sidecars, items } = await folder.sidecarsOf(entry);
    if (i < done) continue;
    const result = await readPicture(entry, { signal }, sidecars);
    if ("record" in result) {
      const source = folder.originalOf(entry);
      const original = source ? await identityOf(source) : null;
      const { identity } = result.record;
      identities.set(entry.path, identity);
      const record: ImportedRecord = {
        ...result.record,
        container,
        partOf: original !== null && original !== identity ? { identity: original, role: "edited" } : null,
        props: { ...result.record.props, ...(albums ? { albums } : {}) },
      };
      // The picture at the cursor has its record already, but its ledger row may have been lost with the interruption.
      if (i !== done) yield { type: "record", record, cursor: entry.path };
      yield fileItem(entry.path, "imported", result.warning);
    } else {
      identities.set(entry.path, null);
      yield fileItem(entry.path, "failed", result.failed);
    }
    yield* items;
  }
  for (const path of folder.untold()) {
    const isAlbum = path === found?.entry.path;
    yield fileItem(
      path,
      isAlbum ? "imported" : "skipped",
      isAlbum ? null : "Stands beside pictures, but describes none.",
    );
  }
}

/** Loose pictures, one claim a folder. Comes last: what a chat or a mailbox holds is theirs. */
export const photosImporter: Importer = { id: "photos", title: "Photos", order: 10, recognise, read };
