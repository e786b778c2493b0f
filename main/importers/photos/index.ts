import { type Container, type ImportedRecord, UnderstoryError } from "#contract";
import { baseName, fileEnd, folderOf } from "../files.ts";
import type { Claim, Entry, ImportedItem, Importer, ReadContext } from "../types.ts";
import { type FilmRead, readFilm, readFilmFacts, sniffFilm } from "../video/index.ts";
import { Folder } from "./folder.ts";
import { isFilmName } from "./names.ts";
import { type PictureRead, readPicture } from "./picture.ts";
import { recognise } from "./recognise.ts";
import {
  burstOfName,
  groupKey,
  isClipOf,
  isEditOf,
  isRawName,
  proposeStacks,
  stemOfOriginal,
  withClip,
} from "./stacks.ts";
import type { TakeoutAlbum } from "./takeout.ts";
import { isYearFolder } from "./year-folder.ts";

export { type PictureContext, type PictureResult, readPicture } from "./picture.ts";

type Albums = NonNullable<ImportedRecord["props"]["albums"]>;

function albumsOf(album: TakeoutAlbum | null): Albums {
  if (album === null || isYearFolder(album.title)) return [];
  return [{ name: album.title.trim().normalize("NFC"), description: album.description?.trim() || null }];
}

/** Folders that packing and cameras make: zips, Takeout's own, the counters of DCF (CIPA DC-009 §3.2). */
const packing = /\.zip$|^(?:takeout|dcim|camera|originals|masters|photos|[0-9a-f]|\d{3}[a-z0-9_]{5}|\d{4}|\d{2})$/i;

/**
 * The folder that a person made, by its own name alone: the same whether it was dropped as it is, inside another one,
 * or in a zip. Null for what only packs.
 */
function containerOf(joined: string): Container | null {
  const library = /([^/]+)\.(?:photoslibrary|migratedphotolibrary|aplibrary)\//i.exec(joined)?.[1];
  const name = (library ?? baseName(folderOf(joined))).normalize("NFC").trim();
  if (name === "" || packing.test(name) || isYearFolder(name)) return null;
  return { key: `folder:${name.toLowerCase()}`, title: name, kind: "folder" };
}

function cancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new UnderstoryError("cancelled", "Reading pictures was cancelled.");
}

interface Read {
  readonly entry: Entry;
  readonly result: PictureRead | FilmRead | { readonly failed: string };
  readonly warnings: readonly string[];
  readonly items: readonly ImportedItem[];
  /** Left out on purpose, with this reason. */
  readonly left: string | null;
}

const isFilm = (result: Read["result"]): result is FilmRead => "facts" in result;
const isPicture = (result: Read["result"]): result is PictureRead => "contentId" in result;

/** Reads the claim of one folder: stack by stack, so that the parts of one shot find each other. */
class Reader {
  readonly #folder: Folder;
  readonly #context: ReadContext;
  readonly #albums: Albums;

  constructor(folder: Folder, context: ReadContext, albums: Albums) {
    this.#folder = folder;
    this.#context = context;
    this.#albums = albums;
  }

  /** Entries that may be one shot, in the order of their first ones; an edited copy after its original. */
  async stacks(): Promise<Entry[][]> {
    const { media, pairs } = this.#folder;
    const names = [...new Set(media.map((entry) => entry.name))];
    const edits = new Map([...pairs.originalOf, ...(await this.#keyedFilms(names))]);
    const byName = Map.groupBy(media, (entry) => entry.name);
    const isCopy = (name: string) => pairs.originalOf.has(name) || stemOfOriginal(name) !== null || isFilmName(name);
    return proposeStacks(names, edits).map((stack) => {
      const [first, second] = [stack.filter((name) => !isCopy(name)), stack.filter(isCopy)];
      return [...first, ...second].flatMap((name) => byName.get(name) ?? []);
    });
  }

  /** Films that carry Apple's key but no still's name, and the still with the same key: renamed Live Photos. */
  async #keyedFilms(names: readonly string[]): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const { signal } = this.#context;
    const alone = new Set(proposeStacks(names, new Map()).flatMap((stack) => (stack.length === 1 ? stack : [])));
    const lone = this.#folder.media.filter((entry) => alone.has(entry.name));
    const keys = new Map<string, string>();
    for (const film of lone.filter((entry) => /\.(?:mov|mp4)$/i.test(entry.name))) {
      const facts = await readFilmFacts(film, signal).catch(() => null);
      cancelled(signal);
      if (facts?.contentId) keys.set(facts.contentId.toLowerCase(), film.name);
    }
    if (keys.size === 0) return found;
    for (const still of lone.filter((entry) => !isFilmName(entry.name))) {
      const read = await readPicture(still, { signal });
      const film = "contentId" in read && read.contentId ? keys.get(read.contentId.toLowerCase()) : undefined;
      if (film !== undefined && !found.has(film)) found.set(film, still.name);
    }
    return found;
  }

  async read(entry: Entry): Promise<Read> {
    const { signal } = this.#context;
    cancelled(signal);
    const { sidecars, items, doubts } = await this.#folder.sidecarsOf(entry);
    if (sidecars.apple?.deleted) {
      const left = "The export's list says that it was deleted.";
      return { entry, result: { failed: left }, warnings: [], items, left };
    }
    const film = await entry.head().then(
      (head) => sniffFilm(head) !== null || isFilmName(entry.name),
      () => isFilmName(entry.name),
    );
    const result = film ? await readFilm(entry, { signal }, sidecars) : await readPicture(entry, { signal }, sidecars);
    const named = this.#folder.albumsOf(entry);
    if (named.doubt) doubts.push(named.doubt);
    if (!("record" in result)) return { entry, result, warnings: doubts, items, left: null };
    const albums = [...this.#albums, ...named.albums];
    const { props } = result.record;
    const group = props.group ?? burstOfName(entry.name);
    const record: ImportedRecord = {
      ...result.record,
      container: containerOf(entry.joined),
      props: { ...props, ...(albums.length > 0 ? { albums } : {}), ...(group ? { group } : {}) },
    };
    const warnings = [...(result.warning ? [result.warning] : []), ...doubts];
    return { entry, result: { ...result, record }, warnings, items, left: null };
  }

  /** The records of one stack, joined where content proves it, and how its files ended. */
  async *join(
    stack: readonly Entry[],
  ): AsyncGenerator<{ entry: Entry; record: ImportedRecord | null; items: ImportedItem[] }> {
    const reads: Read[] = [];
    for (const entry of stack) reads.push(await this.read(entry));
    const stills = reads.flatMap(({ entry, result }) => (isPicture(result) ? [{ entry, result }] : []));
    const originals = this.#folder.pairs.originalOf;
    const records = new Map<Entry, ImportedRecord>();
    for (const { entry, result } of reads) if ("record" in result) records.set(entry, result.record);
    for (const { entry, result } of reads) {
      if (!isFilm(result) || originals.has(entry.name)) continue;
      const still = stills.find((one) => isClipOf(one.result, result) && !originals.has(one.entry.name));
      const record = still && records.get(still.entry);
      if (!still || !record) continue;
      records.set(still.entry, withClip(record, result.record, entry.name));
      records.delete(entry);
    }
    for (const { entry, result } of stills) {
      const record = records.get(entry);
      const original = stills.find((one) => isOriginal(one, { entry, result }, originals));
      if (record && original && original.result.record.identity !== record.identity) {
        records.set(entry, { ...record, partOf: { identity: original.result.record.identity, role: "edited" } });
      }
    }
    // An edited film whose original is one, too.
    for (const { entry, result } of reads) {
      const original = reads.find((one) => one.entry.name === originals.get(entry.name))?.result;
      const record = records.get(entry);
      if (!record || !isFilm(result) || !original || !isFilm(original)) continue;
      records.set(entry, { ...record, partOf: { identity: original.record.identity, role: "edited" } });
    }
    const raw = stills.find(({ entry }) => isRawName(entry.name));
    const twins = raw ? stills.filter((one) => one === raw || isEditOf(raw.result, one.result)) : [];
    if (twins.length > 1) {
      const group = groupKey(twins.map(({ result }) => result.record));
      for (const { entry } of twins) {
        const record = records.get(entry);
        if (record) records.set(entry, { ...record, props: { ...record.props, group } });
      }
    }
    for (const { entry, result, warnings, items, left } of reads) {
      const reason = "record" in result ? warnings.join(" ") || null : [result.failed, ...warnings].join(" ");
      const status = "record" in result ? "imported" : left === null ? "failed" : "skipped";
      yield { entry, record: records.get(entry) ?? null, items: [fileEnd(entry.path, status, reason), ...items] };
    }
  }
}

interface Still {
  readonly entry: Entry;
  readonly result: PictureRead;
}

/** Takeout's copies are proven by having no sidecar of their own; other programs' by showing the same moment. */
function isOriginal(one: Still, copy: Still, originals: ReadonlyMap<string, string>): boolean {
  if (one.entry === copy.entry) return false;
  if (originals.has(copy.entry.name)) return originals.get(copy.entry.name) === one.entry.name;
  const stem = stemOfOriginal(copy.entry.name)?.normalize("NFC").toLowerCase();
  return (
    stem !== undefined &&
    one.entry.name.normalize("NFC").toLowerCase().startsWith(`${stem}.`) &&
    isEditOf(one.result, copy.result)
  );
}

/** The cursor is the path of the last picture or film that gave a record. */
async function* read(claim: Claim, context: ReadContext): AsyncGenerator<ImportedItem> {
  const { tree, signal, resume, siblings } = context;
  const folder = new Folder(claim, tree);
  const inLists = siblings.filter(({ companions }) => companions.some((path) => /\.csv$/i.test(path)));
  const others = inLists.flatMap(({ primary, companions }) => [primary, ...companions]);
  await folder.readLists(new Set(others.map((path) => baseName(path).normalize("NFC").toLowerCase())));
  const found = await folder.album();
  const reader = new Reader(folder, context, albumsOf(found?.album ?? null));
  const stacks = await reader.stacks();
  const done = stacks.findIndex((stack) => stack.some((entry) => entry.path === resume));
  for (const [i, stack] of stacks.entries()) {
    cancelled(signal);
    if (i < done) {
      // Only to know which sidecars have been told.
      for (const entry of stack) await folder.sidecarsOf(entry);
      continue;
    }
    // The one at the cursor has its record already, but its ledger row may have been lost with the interruption.
    let known = i === done;
    for await (const { entry, record, items } of reader.join(stack)) {
      if (record && !known) yield { type: "record", record, cursor: entry.path };
      if (entry.path === resume) known = false;
      yield* items;
    }
  }
  const understood = folder.understoodLists();
  for (const { path, reason } of folder.untold()) {
    const used = path === found?.entry.path || understood.has(path);
    yield fileEnd(path, used ? "imported" : "skipped", used ? null : reason);
  }
}

/** Loose pictures, films and sounds, one claim a folder. Comes late: what a chat or a mailbox holds is theirs. */
export const photosImporter: Importer = { id: "photos", title: "Photos and videos", order: 30, recognise, read };
