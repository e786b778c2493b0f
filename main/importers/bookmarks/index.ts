import type { ImportedRecord, SourceLocation } from "#contract";
import { isSqlite } from "#native/foreign-sqlite.ts";
import { fileEnd } from "../files.ts";
import { decodeFile } from "../text/charset.ts";
import { reasonOf, throwIfCancelled } from "../text/guard.ts";
import { readJson } from "../text/json.ts";
import type { Claim, Entry, ImportedItem, Importer, ReadContext, SourceTree } from "../types.ts";
import { databaseVisits, netscapeBookmarks, takeoutVisits, treeBookmarks } from "./formats.ts";
import { bookmarkRecord, Visits } from "./page.ts";

type Kind = "html" | "tree" | "takeout" | "database";

const fileCap = 64 * 1024 * 1024;
/** Names of the browsers' own histories; other databases are not opened to look. */
const databases = /^(?:History|places\.sqlite|History\.db)$/i;

/** What a file is, by its content. */
async function kindOf(entry: Entry): Promise<Kind | null> {
  if (!/\.(?:html?|json|sqlite|db)$|^[^.]+$/i.test(entry.name)) return null;
  let bytes: Uint8Array;
  try {
    bytes = await entry.head();
  } catch {
    return null;
  }
  if (databases.test(entry.name) && isSqlite(bytes)) return "database";
  const head = Buffer.from(bytes).toString("latin1");
  if (/<!DOCTYPE NETSCAPE-Bookmark-file-1>/i.test(head)) return "html";
  if (/^[^{[]{0,10}\{\s*"Browser History"\s*:/.test(head)) return "takeout";
  const chrome = /^\s*\{[\s\S]*"roots"\s*:\s*\{/.test(head) && /"(?:bookmark_bar|date_added)"/.test(head);
  return chrome || /"(?:text\/x-moz-place-container|placesRoot)"/.test(head) ? "tree" : null;
}

async function* recognise(free: SourceTree): AsyncGenerator<Claim> {
  for (const entry of free.entries) {
    const kind = await kindOf(entry);
    if (kind === null) continue;
    const label = kind === "html" || kind === "tree" ? "Bookmarks" : "Browsing history";
    const beside = ["-wal", "-shm", "-journal"].map((end) => free.get(`${entry.path}${end}`)?.path);
    const companions = kind === "database" ? beside.filter((path) => path !== undefined) : [];
    yield { primary: entry.path, companions, label, confidence: 3 };
  }
}

/** Records of a file; what a break leaves of a history is kept. Throws what reading throws. */
async function* recordsOf(
  entry: Entry,
  kind: Kind,
  visits: Visits,
  { tree, signal }: ReadContext,
): AsyncGenerator<ImportedRecord> {
  const file: SourceLocation = { path: entry.path, offset: null, bytes: entry.bytes, role: null };
  if (kind === "html" || kind === "tree") {
    const bookmarks =
      kind === "html"
        ? netscapeBookmarks(decodeFile(await entry.readAll(fileCap)).text)
        : treeBookmarks(await readJson(entry, fileCap));
    for (const bookmark of bookmarks) yield bookmarkRecord(bookmark, file);
    return;
  }
  let fault: unknown = null;
  try {
    if (kind === "takeout") await takeoutVisits(entry, visits);
    else await databaseVisits(entry, tree.get(`${entry.path}-wal`) ?? null, visits, signal);
  } catch (error) {
    fault = error;
  }
  yield* visits.records(file);
  if (fault !== null) throw fault;
}

/** The cursor is the number of the record in the file. */
async function* read(claim: Claim, context: ReadContext): AsyncGenerator<ImportedItem> {
  const { tree, signal, resume } = context;
  const entry = tree.get(claim.primary);
  if (entry === undefined) return;
  const kind = await kindOf(entry);
  const visits = new Visits();
  const from = typeof resume === "number" ? resume : -1;
  let index = -1;
  let fault: string | null = kind === null ? "It holds no bookmarks and no history that can be read." : null;
  try {
    if (kind !== null) {
      for await (const record of recordsOf(entry, kind, visits, context)) {
        throwIfCancelled(signal);
        if (++index > from) yield { type: "record", record, cursor: index };
      }
    }
  } catch (error) {
    fault = reasonOf(error, signal);
  }
  if (index >= 0) yield fileEnd(entry.path, "imported", fault, visits.skipped);
  else if (fault !== null) yield fileEnd(entry.path, "failed", fault);
  else yield fileEnd(entry.path, "skipped", "It names no page of the web.", visits.skipped);
  for (const path of claim.companions) {
    const used = path.endsWith("-wal");
    yield fileEnd(path, used ? "imported" : "skipped", used ? null : "It belongs to the database beside it.");
  }
}

/** Bookmarks of all browsers, and their histories. */
export const bookmarksImporter: Importer = {
  id: "bookmarks",
  title: "Bookmarks and history",
  order: 50,
  recognise,
  read,
};
