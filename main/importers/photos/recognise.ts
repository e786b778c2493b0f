import { sniffPicture } from "#native/images.ts";
import { baseName, folderOf } from "../files.ts";
import type { Claim, Entry, SourceTree } from "../types.ts";
import { sniffFilm } from "../video/index.ts";
import { readAlbumNames, readDetails } from "./apple.ts";
import { albumOf, isInsideLibrary, mediaAmong } from "./folder.ts";
import { formatOfName, isFilmName } from "./names.ts";
import { belongings, type FolderPairs, pairFolder } from "./sidecar-names.ts";

/** Names without an extension, or with one that applications use for anything, are worth a look at the content. */
const anyContent = /^[^.]+$|\.(?:bin|dat|tmp|img|pic|image|thm)$/i;
/** Names that promise a picture or film, but often are something else. */
const unsure = /\.(?:ts|mp|360|raw|mod|iiq|insp)$/i;

async function isMedia(entry: Entry): Promise<boolean> {
  const named = formatOfName(entry.name) !== null || isFilmName(entry.name);
  if (named && !unsure.test(entry.name)) return true;
  if (!named && !anyContent.test(entry.name)) return false;
  try {
    const head = await entry.head();
    return sniffPicture(head) !== null || (sniffFilm(head) !== null && !isText(head));
  } catch {
    return false;
  }
}

const isText = (head: Uint8Array) => head.subarray(0, 64).every((byte) => byte >= 9 && byte < 127);

interface Group {
  readonly folder: string;
  readonly members: readonly Entry[];
  readonly media: readonly Entry[];
  readonly pairs: FolderPairs;
}

/** One claim a folder, parts of a split export laid over each other. */
export async function* recognise(free: SourceTree): AsyncGenerator<Claim> {
  const groups: Group[] = [];
  for (const [folder, members] of Map.groupBy(free.entries, (entry) => folderOf(entry.joined))) {
    if (isInsideLibrary(`${folder}/`)) continue;
    const possible = new Set(mediaAmong(members.map((entry) => entry.name)));
    const media: Entry[] = [];
    for (const entry of members) if (possible.has(entry.name) && (await isMedia(entry))) media.push(entry);
    if (media.length === 0) continue;
    const names = [...new Set(members.map((entry) => entry.name))];
    groups.push({ folder, members, media, pairs: pairFolder([...new Set(media.map((entry) => entry.name))], names) });
  }
  const lists = await appleLists(free);
  const elsewhere = unpairedSidecars(free, groups);
  const libraries = new Set<string>();
  for (const group of groups) {
    const { folder, members, media, pairs } = group;
    const [primary, ...rest] = media;
    if (!primary) continue;
    const used = new Set([...pairs.json.values(), ...[...pairs.others.values()].flat()]);
    const album = await albumOf(members, pairs);
    const companions = new Set(rest);
    for (const entry of members) {
      const lone = belongings.test(entry.name) && !media.includes(entry);
      if (used.has(entry.name) || entry === album?.entry || lone) companions.add(entry);
    }
    for (const entry of elsewhere(group)) companions.add(entry);
    if (lists.folders.has(folder)) for (const entry of lists.entries) companions.add(entry);
    const library = /^(?:.*\/)?[^/]+\.(?:photoslibrary|migratedphotolibrary|aplibrary)(?=\/)/i.exec(folder)?.[0];
    if (library !== undefined && !libraries.has(library)) {
      libraries.add(library);
      for (const entry of free.joined.below(library)) if (isInsideLibrary(entry.joined)) companions.add(entry);
    }
    companions.delete(primary);
    yield {
      primary: primary.path,
      companions: [...companions].map((entry) => entry.path),
      label: folder === "" ? "Pictures" : folder,
      confidence: 2,
    };
  }
}

/**
 * Takeout's sidecars that lie in another folder of the same export than their picture: for each picture without one,
 * those of neighbouring folders that fit and are no other picture's. What fits is judged when it is read.
 */
function unpairedSidecars(free: SourceTree, groups: readonly Group[]): (group: Group) => Entry[] {
  const taken = new Map(groups.map(({ folder, pairs }) => [folder, new Set(pairs.json.values())]));
  const begin = (name: string) => name.normalize("NFC").toLowerCase().slice(0, 12);
  const byParent = new Map<string, Map<string, Entry[]>>();
  for (const entry of free.entries) {
    if (!/\.[^.]+\.json$|^.{40,}\.json$/i.test(entry.name)) continue;
    const folder = folderOf(entry.joined);
    if (taken.get(folder)?.has(entry.name)) continue;
    const index = byParent.get(folderOf(folder)) ?? new Map<string, Entry[]>();
    byParent.set(folderOf(folder), index);
    const key = begin(entry.name.slice(0, -5));
    index.set(key, [...(index.get(key) ?? []), entry]);
  }
  return ({ folder, media, pairs }) => {
    const index = byParent.get(folderOf(folder));
    if (!index || folder === "") return [];
    return media.flatMap(({ name }) => {
      if (pairs.json.has(name) || pairs.ambiguous.has(name)) return [];
      const stem = name.replace(/(?:\(\d+\))?\.[^.]+$/, "");
      const near = new Set([index.get(begin(name)), index.get(begin(stem))].flatMap((one) => one ?? []));
      return [...near].filter(
        (entry) => folderOf(entry.joined) !== folder && pairFolder([name], [name, entry.name]).json.has(name),
      );
    });
  };
}

/** Albums are kept where "Memories" are left out: those are the system's own choice, in any of its languages. */
const memories =
  /^(?:memories|memory|souvenirs|erinnerungen|r[üu]ckblicke|recuerdos|ricordi|herinneringen|mem[óo]rias|minnen|minder|minner|muistot|wspomnienia|vzpom[íi]nky|воспоминания|спогади|メモリー|回忆|回憶|추억)$/iu;

/** Lists of iCloud exports ("Photo Details.csv", "Albums/….csv"), and the folders that they are about. Told by content. */
async function appleLists(free: SourceTree): Promise<{ entries: Entry[]; folders: Set<string> }> {
  const tables = free.entries.filter((entry) => /\.csv$/i.test(entry.name));
  const details: Entry[] = [];
  const others: Entry[] = [];
  for (const entry of tables) {
    const head = await entry.head().then(
      (bytes) => new TextDecoder().decode(bytes),
      () => "",
    );
    if (readDetails(head) !== null) details.push(entry);
    else if (readAlbumNames(head.slice(0, head.lastIndexOf("\n") + 1) || head) !== null) others.push(entry);
  }
  const folders = new Set(details.map((entry) => folderOf(entry.joined)));
  const parents = new Set([...folders].map(folderOf));
  const albums = others.filter((entry) => {
    const list = folderOf(entry.joined);
    return parents.has(folderOf(list)) && !memories.test(baseName(list).normalize("NFC"));
  });
  return { entries: details.length > 0 ? [...details, ...albums] : [], folders };
}
