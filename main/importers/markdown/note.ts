import type { Attachment, Container, ImportedRecord, RecordFlag, RecordTime } from "#contract";
import { baseName, folderOf } from "../files.ts";
import { attachmentOf, mimeOf } from "../media.ts";
import { noteRecord } from "../notes.ts";
import { cleanLine, sha256 } from "../text/clean.ts";
import { timeFromInstant } from "../text/time.ts";
import type { Entry, ReadContext } from "../types.ts";
import { listAt, splitFrontMatter, textAt, timeOfName, timeOfText } from "./front-matter.ts";
import type { JoplinBook, JoplinItem } from "./joplin.ts";
import { linksOf, tagsOf, type Vault } from "./links.ts";

const markdown = /\.(?:md|markdown|mdown|mkd|mdx)$/i;
const plain = /\.(?:txt|text|org|rst|adoc|asciidoc)$/i;
export const table = /\.(?:csv|tsv)$/i;
export const isMarkdown = (name: string): boolean => markdown.test(name);
export const isText = (name: string): boolean => markdown.test(name) || plain.test(name) || table.test(name);

export const stemOf = (name: string) => name.replace(/\.[^.]+$/, "");
/** Notion puts the page's id behind its name. */
export const notionName = /^(.*?)[ -]([0-9a-f]{32})(_all)?$/s;
const shownName = (stem: string) => notionName.exec(stem)?.[1]?.trim() || stem;

export interface Book {
  readonly vault: Vault;
  readonly joplin: JoplinBook;
  readonly context: ReadContext;
  /** Files that are parts of a note already. */
  readonly used: Map<string, string | null>;
}

function containerOf(entry: Entry): Container | null {
  const folder = folderOf(entry.joined);
  if (folder === "") return null;
  const names = folder.split("/").map(shownName);
  return { key: `notes:${names.join("/")}`, title: cleanLine(names.at(-1) ?? ""), kind: "notebook" };
}

/** File times are weak: copies destroy them. */
function fileTime(entry: Entry): RecordTime | null {
  return entry.modified === null ? null : timeFromInstant(entry.modified, { source: "file-time", confidence: "low" });
}

export interface Read {
  readonly record: ImportedRecord;
  readonly files: readonly Entry[];
}

/** Attachments of a note: the files it names that lie there, and those it shows that do not. */
function attached(
  text: string,
  entry: Entry,
  book: Book,
): { attachments: Attachment[]; files: Entry[]; notes: string[] } {
  const attachments: Attachment[] = [];
  const files = new Set<Entry>();
  const notes = new Set<string>();
  for (const { target, embed } of linksOf(text)) {
    const found = book.vault.find(target, entry);
    if (found !== null && isText(found.name)) notes.add(shownName(stemOf(found.name)));
    else if (found !== null && !files.has(found)) {
      files.add(found);
      const name = book.joplin.fileName(stemOf(found.name)) ?? found.name;
      attachments.push({
        ...attachmentOf(found),
        name,
        inline: embed && (mimeOf(found.name)?.startsWith("image/") ?? false),
      });
    } else if (found === null && embed && /\.\w{2,5}$/.test(target) && !isText(target)) {
      const name = cleanLine(baseName(target));
      const bare = { path: null, bytes: null, sha256: null, text: null, inline: false, missing: true };
      if (!attachments.some((one) => one.name === name)) attachments.push({ ...bare, name, mime: mimeOf(target) });
    }
  }
  return {
    attachments: attachments.slice(0, 1_000),
    files: [...files].slice(0, 1_000),
    notes: [...notes].slice(0, 500),
  };
}

/** The record of one text file. */
export function noteOf(
  entry: Entry,
  bytes: Uint8Array,
  decodedText: { text: string; guessed: boolean },
  book: Book,
): Read {
  const { text, guessed } = decodedText;
  const isNote = markdown.test(entry.name) || /\.org$/i.test(entry.name);
  const { data, body, broken } = isNote ? splitFrontMatter(text) : { data: new Map(), body: text, broken: false };
  const stem = stemOf(entry.name);
  const notion = notionName.exec(stem);
  const own = textAt(data, "id", "uid", "uuid", "joplin_id");
  const id = notion?.[2] ?? (own !== null && own.length >= 8 ? own : null);
  const created = timeOfText(
    textAt(
      data,
      "date",
      "created",
      "created_at",
      "createdat",
      "date created",
      "creation date",
      "created time",
      "published",
    ),
    "front-matter",
  );
  const modified = timeOfText(
    textAt(data, "updated", "modified", "updated_at", "date modified", "lastmod", "last edited time"),
    "front-matter",
  );
  const { attachments, files, notes } = isNote
    ? attached(body, entry, book)
    : { attachments: [], files: [], notes: [] };
  const labels = isNote
    ? [...new Set([...listAt(data, "tags", "tag", "keywords", "categories"), ...tagsOf(body)])]
    : [];
  const flags: RecordFlag[] = [];
  if (broken) flags.push("header-unreadable");
  if (guessed) flags.push("charset-guessed");
  if (attachments.some(({ missing }) => missing)) flags.push("missing-media");
  const lat = Number(textAt(data, "latitude", "lat"));
  const lon = Number(textAt(data, "longitude", "lon", "lng"));
  const placed = (lat !== 0 || lon !== 0) && Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
  const source = textAt(data, "source", "url");
  const aliases = listAt(data, "aliases", "alias");
  const extra = { ...(aliases.length > 0 ? { aliases } : {}), ...(notes.length > 0 ? { linked: notes } : {}) };
  const record = noteRecord({
    identity: id === null ? `${isNote ? "note" : "document"}:${sha256(bytes)}` : `note:id:${id}`,
    kind: isNote ? "note" : "document",
    nativeId: id,
    subject: textAt(data, "title") ?? shownName(stem),
    text: body.trim() === "" ? null : body,
    time: created ?? timeOfName(stem) ?? modified ?? fileTime(entry),
    container: containerOf(entry),
    place: placed ? { lat, lon, alt: null, name: null, confidence: "normal" } : null,
    file: { path: entry.path, offset: null, bytes: entry.bytes, role: null },
    props: {
      name: entry.name,
      ...(labels.length > 0 ? { labels } : {}),
      ...(attachments.length > 0 ? { attachments } : {}),
      ...(flags.length > 0 ? { flags } : {}),
      ...(created ? { created } : {}),
      ...(modified ? { modified } : {}),
      ...(source !== null && /^https?:/i.test(source) ? { links: [source] } : {}),
      ...(Object.keys(extra).length > 0 ? { extra } : {}),
    },
  });
  return { record, files };
}

/** The record of a note in Joplin's own form. */
export function joplinNote(item: JoplinItem, entry: Entry, book: Book): Read {
  const { attachments, files } = attached(item.body, entry, book);
  const time = (key: string) => timeOfText(item.fields.get(key) ?? null, `joplin:${key}`);
  const created = time("user_created_time") ?? time("created_time");
  const modified = time("user_updated_time") ?? time("updated_time");
  const [lat, lon] = [Number(item.fields.get("latitude")), Number(item.fields.get("longitude"))];
  const notebook = book.joplin.notebook(item);
  const labels = book.joplin.tags(item);
  const todo = item.fields.get("is_todo") === "1";
  const done = Number(item.fields.get("todo_completed") ?? 0) > 0;
  const link = item.fields.get("source_url") ?? "";
  const placed = (lat !== 0 || lon !== 0) && Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
  const record = noteRecord({
    identity: `note:id:${item.id}`,
    nativeId: item.id,
    subject: item.title,
    text: item.body,
    time: created ?? modified,
    container: notebook && { key: `notes:${notebook.id}`, title: cleanLine(notebook.title), kind: "notebook" },
    place: placed ? { lat, lon, alt: null, name: null, confidence: "normal" } : null,
    file: { path: entry.path, offset: null, bytes: entry.bytes, role: null },
    props: {
      ...(labels.length > 0 ? { labels } : {}),
      ...(attachments.length > 0 ? { attachments } : {}),
      ...(link === "" ? {} : { links: [link] }),
      ...(todo ? { items: [{ text: item.title, checked: done }] } : {}),
      ...(created ? { created } : {}),
      ...(modified ? { modified } : {}),
    },
  });
  return { record, files };
}
