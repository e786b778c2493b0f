import type { Attachment, Container, ImportedRecord, RecordFlag } from "#contract";
import { fileEnd, innerEntry } from "../files.ts";
import { mimeOf } from "../media.ts";
import { noteRecord, partRecord } from "../notes.ts";
import { cleanLine, fieldHash, sha256 } from "../text/clean.ts";
import { reasonOf, throwIfCancelled } from "../text/guard.ts";
import { civilOfMatch, isCivil, timeFromCivil } from "../text/time.ts";
import type { Claim, Entry, ImportedItem, Importer, ReadContext, SourceTree } from "../types.ts";
import { type EnexNote, enexNotes, type Resource } from "./enex.ts";
import { noteText } from "./enml.ts";

async function isEnex(entry: Entry): Promise<boolean> {
  if (!/\.(?:enex|xml)$|^[^.]+$/i.test(entry.name)) return false;
  try {
    return /<en-export[\s>]/.test(Buffer.from(await entry.head()).toString("latin1"));
  } catch {
    return false;
  }
}

async function* recognise(free: SourceTree): AsyncGenerator<Claim> {
  for (const entry of free.entries) {
    const label = cleanLine(entry.name.replace(/\.[^.]*$/, "")) ?? entry.name;
    if (await isEnex(entry)) yield { primary: entry.path, companions: [], label, confidence: 3 };
    else if (/\.enex$/i.test(entry.name)) yield { primary: entry.path, companions: [], label, confidence: 1 };
  }
}

/** `20240305T101112Z`, always in UTC. */
function timeOf(text: string | undefined, source: string) {
  const match = /^\s*(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z?\s*$/.exec(text ?? "");
  if (!match) return null;
  const civil = civilOfMatch(match);
  return isCivil(civil) ? timeFromCivil(civil, "utc", { source }) : null;
}

const endings: Readonly<Record<string, string>> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/gif": "gif",
  "image/webp": "webp",
  "application/pdf": "pdf",
  "audio/wav": "wav",
  "audio/x-m4a": "m4a",
  "audio/mpeg": "mp3",
  "audio/amr": "amr",
  "video/mp4": "mp4",
};

function nameOf({ name, mime, md5 }: Resource): string {
  const own = name === null ? null : cleanLine(name.slice(0, 500));
  const ending = endings[mime?.toLowerCase() ?? ""];
  if (own !== null) return mimeOf(own) === null && ending !== undefined ? `${own}.${ending}` : own;
  return `${md5.slice(0, 8) || "file"}${ending === undefined ? "" : `.${ending}`}`;
}

function recordOf(note: EnexNote, entry: Entry, container: Container): ImportedRecord {
  const field = (name: string) => note.fields.get(name);
  const { text, items, shown, encrypted } = noteText(field("content") ?? "");
  const title = cleanLine(field("title")?.slice(0, 2_000) ?? "");
  const created = timeOf(field("created"), "enex:created");
  const updated = timeOf(field("updated"), "enex:updated");
  const attachments = note.resources.map(
    (resource): Attachment => ({
      name: nameOf(resource),
      path: null,
      mime: resource.mime ?? mimeOf(nameOf(resource)),
      bytes: resource.size,
      sha256: resource.bytes === null ? null : sha256(resource.bytes),
      text: null,
      inline: (resource.mime?.startsWith("image/") ?? false) && shown.includes(resource.md5),
      missing: false,
    }),
  );
  const flags: RecordFlag[] = encrypted ? ["encrypted"] : [];
  const labels = [...new Set(note.tags.map((tag) => cleanLine(tag.slice(0, 500))).filter((tag) => tag !== null))];
  const [lat, lon, alt] = ["latitude", "longitude", "altitude"].map((name) =>
    Number(field(name)?.trim() || Number.NaN),
  );
  const placed = lat !== undefined && lon !== undefined && Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
  const placeName = cleanLine(field("place-name")?.slice(0, 500) ?? "");
  const author = cleanLine(field("author")?.slice(0, 500) ?? "");
  const link = field("source-url")?.trim().slice(0, 4_000) ?? "";
  const all = [...items, ...note.tasks];
  // The format has no id of a note: when it was made and its title stand for one.
  const key = created === null ? [title, text] : [created.utc, title];
  return noteRecord({
    identity: `evernote:${fieldHash(key)}`,
    nativeId: null,
    subject: title,
    text,
    time: created ?? updated,
    container,
    author: author === null ? null : { name: author, address: null, role: "author", owner: false },
    place:
      placed || placeName !== null
        ? {
            lat: placed ? lat : null,
            lon: placed ? lon : null,
            alt: placed && Number.isFinite(alt) ? (alt ?? null) : null,
            name: placeName,
            confidence: "normal",
          }
        : null,
    file: { path: entry.path, offset: null, bytes: entry.bytes, role: null },
    props: {
      ...(labels.length > 0 ? { labels } : {}),
      ...(attachments.length > 0 ? { attachments } : {}),
      ...(all.length > 0 ? { items: all } : {}),
      ...(link === "" ? {} : { links: [link] }),
      ...(flags.length > 0 ? { flags } : {}),
      ...(created ? { created } : {}),
      ...(updated ? { modified: updated } : {}),
    },
  });
}

/** The cursor is the number of the note in the file. */
async function* read(claim: Claim, context: ReadContext): AsyncGenerator<ImportedItem> {
  const entry = context.tree.get(claim.primary);
  if (entry === undefined) return;
  const title = cleanLine(entry.name.replace(/\.[^.]*$/, "")) ?? entry.name;
  const container: Container = { key: `evernote:${title}`, title, kind: "notebook" };
  const from = typeof context.resume === "number" ? context.resume : -1;
  let index = -1;
  let fault: string | null = null;
  let warning: string | null = null;
  try {
    for await (const note of enexNotes(entry)) {
      throwIfCancelled(context.signal);
      if (++index <= from) continue;
      const record = recordOf(note, entry, container);
      const files = note.resources.filter(({ bytes }) => bytes !== null && bytes.length > 0);
      yield { type: "record", record, cursor: files.length === 0 ? index : index - 1 };
      for (const [at, resource] of files.entries()) {
        if (resource.bytes === null) continue;
        const file = innerEntry(entry.path, nameOf(resource), resource.bytes, entry.joined);
        const part = await partRecord(file, record, resource.mime, context);
        warning ??= part.warning;
        if (part.record === null) continue;
        const place = { path: entry.path, offset: null, bytes: file.bytes, role: null, part: resource.md5 };
        const props = { ...part.record.props, name: file.name };
        yield {
          type: "record",
          record: { ...part.record, files: [place], props },
          cursor: at === files.length - 1 ? index : index - 1,
        };
      }
    }
  } catch (error) {
    fault = reasonOf(error, context.signal);
  }
  if (index >= 0) yield fileEnd(entry.path, "imported", fault ?? warning);
  else if (fault !== null) yield fileEnd(entry.path, "failed", fault);
  else if (await isEnex(entry)) yield fileEnd(entry.path, "skipped", "It holds no notes.");
  else yield fileEnd(entry.path, "failed", "It is no export of Evernote.");
}

/** Notebooks of Evernote, as .enex. */
export const evernoteImporter: Importer = { id: "evernote", title: "Evernote", order: 60, recognise, read };
