import type { ImportedRecord } from "#contract";
import { baseName, fileEnd, folderOf } from "../files.ts";
import { mimeOf } from "../media.ts";
import { partRecord } from "../notes.ts";
import { decodeFile } from "../text/charset.ts";
import { reasonOf, throwIfCancelled } from "../text/guard.ts";
import type { Claim, Entry, ImportedItem, Importer, ReadContext, SourceTree } from "../types.ts";
import { Landscape } from "./folders.ts";
import { isJoplinName, JoplinBook, joplinItem } from "./joplin.ts";
import { linksOf, Vault } from "./links.ts";
import { type Book, isMarkdown, isText, joplinNote, noteOf, notionName, stemOf, table } from "./note.ts";

/** Bytes of one text that are read; the rest stays in the file, and the ledger says so. */
const textBytes = 8 * 1024 * 1024;

const asCode = "It lies in a folder of source code (.git or node_modules): its texts are not taken for notes.";
const asInner = "It belongs to the settings, the waste basket or the history of a folder of notes.";
const asDatabase =
  "The database of Apple Notes is not read. Export the notes as text, Markdown or PDF and import those.";

/** A text, or the whole lines of its first bytes where it is larger. */
async function firstBytes(entry: Entry, cap = textBytes): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of entry.stream({ start: 0, end: cap })) parts.push(part);
  const bytes = Buffer.concat(parts);
  // Cut inside of a character, all of it would look like another charset.
  return entry.bytes > bytes.length ? bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1 || bytes.length) : bytes;
}

/** One claim a vault or top folder, with the files that its notes show; texts of source code are claimed to be left out. */
async function* recognise(free: SourceTree): AsyncGenerator<Claim> {
  const land = new Landscape(free.entries);
  const left = new Map<string, Entry[]>();
  const roots = new Map<string, Entry[]>();
  for (const entry of free.entries) {
    const code = land.codeOf(entry.joined);
    if (/^NoteStore\.sqlite(?:-wal|-shm)?$/i.test(entry.name)) put(left, asDatabase, entry);
    else if (land.isInner(entry.joined)) put(left, asInner, entry);
    else if (code !== null && (isText(entry.name) || /(?:^|\/)(?:\.git|node_modules)\//.test(entry.joined)))
      put(left, asCode, entry);
    else if (isText(entry.name)) put(roots, land.rootOf(entry.joined), entry);
  }
  for (const [reason, entries] of left) {
    const [primary, ...rest] = entries;
    if (primary)
      yield { primary: primary.path, companions: rest.map(({ path }) => path), label: reason, confidence: 2 };
  }
  for (const [root, texts] of roots) {
    const [primary, ...rest] = texts;
    if (primary === undefined) continue;
    const shown = await shownFiles(root, texts, free);
    const companions = [...rest.map(({ path }) => path), ...shown];
    yield { primary: primary.path, companions, label: baseName(root) || "Notes", confidence: 2 };
  }
}

function put(groups: Map<string, Entry[]>, key: string, entry: Entry): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [entry]);
  else group.push(entry);
}

/** Paths of files that notes embed or link to and that are no notes themselves. */
async function shownFiles(root: string, texts: readonly Entry[], free: SourceTree): Promise<string[]> {
  const all = free.joined.below(root);
  if (all.length === texts.length) return [];
  const vault = new Vault(root, all);
  const found = new Set<string>();
  for (const entry of texts) {
    if (!isMarkdown(entry.name)) continue;
    try {
      const { text } = decodeFile(await firstBytes(entry));
      for (const { target } of linksOf(text)) {
        const file = vault.find(target, entry);
        if (file !== null && !isText(file.name)) found.add(file.path);
      }
    } catch {
      // Said when the note is read.
    }
  }
  return [...found];
}

/** Mostly control characters: no text, whatever it is called. */
function isBinary(text: string): boolean {
  const sample = text.slice(0, 20_000);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this counts.
  return (sample.match(/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/g)?.length ?? 0) > sample.length / 5;
}

/** The deepest folder that holds all of the texts. */
function commonFolder(texts: readonly Entry[]): string {
  let common = folderOf(texts[0]?.joined ?? "");
  for (const { joined } of texts) {
    while (common !== "" && !joined.startsWith(`${common}/`)) common = folderOf(common);
  }
  return common;
}

/** The cursor is the number of the text among those of the claim. */
async function* read(claim: Claim, context: ReadContext): AsyncGenerator<ImportedItem> {
  const { tree, signal } = context;
  const entries = [claim.primary, ...claim.companions].map((path) => tree.get(path)).filter((one) => one !== undefined);
  if ([asCode, asInner, asDatabase].includes(claim.label)) {
    for (const { path } of entries) yield fileEnd(path, "skipped", claim.label);
    return;
  }
  const texts = entries.filter(({ name }) => isText(name));
  const root = commonFolder(texts);
  const joplin = new JoplinBook();
  for (const entry of texts) {
    if (!isJoplinName(entry.name)) continue;
    throwIfCancelled(signal);
    const item = await firstBytes(entry).then(
      (bytes) => joplinItem(decodeFile(bytes).text),
      () => null,
    );
    if (item !== null) joplin.add(item);
  }
  const book: Book = { vault: new Vault(root, entries), joplin, context, used: new Map() };
  const from = typeof context.resume === "number" ? context.resume : -1;
  for (const [index, entry] of texts.entries()) {
    throwIfCancelled(signal);
    yield* readText(entry, index, from, book);
  }
  for (const { path, name } of entries) {
    if (isText(name)) continue;
    const warning = book.used.get(path);
    yield warning === undefined
      ? fileEnd(path, "skipped", "No note that could be read names it.")
      : fileEnd(path, "imported", warning);
  }
}

async function* readText(entry: Entry, index: number, from: number, book: Book): AsyncGenerator<ImportedItem> {
  const { context, used } = book;
  const { path, name } = entry;
  if (entry.bytes === 0) return yield fileEnd(path, "skipped", "The file is empty.");
  if (table.test(name) && /_all\.csv$/i.test(name) && notionName.test(stemOf(name)))
    return yield fileEnd(path, "skipped", "The same table stands beside it.");
  try {
    const bytes = await firstBytes(entry);
    const decoded = decodeFile(bytes);
    if (isBinary(decoded.text))
      return yield fileEnd(path, "skipped", "It holds no text: most of it is control characters.");
    const item = isJoplinName(name) ? joplinItem(decoded.text) : null;
    if (item !== null && item.type !== 1)
      return yield fileEnd(path, "imported", "Used for the names of notebooks, tags and files.");
    const { record, files } = item === null ? noteOf(entry, bytes, decoded, book) : joplinNote(item, entry, book);
    if (record.text === null && files.length === 0 && (record.props.items ?? []).length === 0)
      return yield fileEnd(path, "skipped", "It holds no text.");
    // A file that several notes show is a part of the first one.
    const fresh = files.filter((file) => !used.has(file.path));
    for (const file of fresh) used.set(file.path, null);
    if (index > from) {
      yield { type: "record", record, cursor: fresh.length === 0 ? index : index - 1 };
      for (const [at, file] of fresh.entries()) {
        const part = await partRecord(file, record, mimeOf(file.name), context);
        used.set(file.path, part.warning);
        const cursor = at === fresh.length - 1 ? index : index - 1;
        if (part.record !== null) yield { type: "record", record: part.record, cursor };
      }
    }
    yield fileEnd(path, "imported", warningOf(entry, record));
  } catch (error) {
    yield fileEnd(path, "failed", reasonOf(error, context.signal));
  }
}

function warningOf(entry: Entry, { props }: ImportedRecord): string | null {
  if (entry.bytes > textBytes) return `Only its first ${textBytes / 1024 / 1024} MB are read.`;
  if (props.flags?.includes("header-unreadable")) return "Its header cannot be read: it is kept as text.";
  if (props.flags?.includes("charset-guessed")) return "Its charset is told nowhere and had to be guessed.";
  return null;
}

/** Folders of notes (Obsidian, Logseq, Joplin, Notion, any Markdown), and loose texts and tables. */
export const markdownImporter: Importer = { id: "markdown", title: "Notes and texts", order: 40, recognise, read };
