import { z } from "zod";
import type { Attachment, ImportedRecord, Party, RecordFlag } from "#contract";
import { fileEnd, folderOf } from "../files.ts";
import { attachmentOf } from "../media.ts";
import { noteRecord, partRecord } from "../notes.ts";
import { cleanLine, fieldHash } from "../text/clean.ts";
import { reasonOf, throwIfCancelled } from "../text/guard.ts";
import { htmlToPlain } from "../text/html.ts";
import { readJson } from "../text/json.ts";
import { timeFromInstant } from "../text/time.ts";
import type { Claim, Entry, ImportedItem, Importer, ReadContext, SourceTree } from "../types.ts";

/** Google Keep of Takeout. Undocumented: the fields are observed, and each may be absent. */

const noteCap = 16 * 1024 * 1024;
const text = z.string().nullish().catch(null);
const flag = z.boolean().nullish().catch(null);
const micros = z.union([z.number(), z.string()]).nullish().catch(null);
const list = <T extends z.ZodType>(item: T) =>
  z
    .array(item.nullable().catch(null))
    .nullish()
    .catch(null)
    .transform((items) => (items ?? []).filter((one) => one !== null));

const noteSchema = z.object({
  title: text,
  textContent: text,
  textContentHtml: text,
  listContent: list(z.object({ text: text, textHtml: text, isChecked: flag })),
  labels: list(z.object({ name: z.string() })),
  annotations: list(z.object({ url: text, title: text, description: text })),
  attachments: list(z.object({ filePath: text, mimetype: text })),
  sharees: list(z.object({ email: text, isOwner: flag })),
  color: text,
  isPinned: flag,
  isArchived: flag,
  isTrashed: flag,
  userEditedTimestampUsec: micros,
  createdTimestampUsec: micros,
});
/** Any JSON may lie beside notes: a note has one of these at least. */
const keepSchema = noteSchema.refine(
  (note) =>
    [note.title, note.textContent, note.textContentHtml, note.userEditedTimestampUsec].some((one) => one != null) ||
    note.listContent.length > 0,
);
type KeepNote = z.infer<typeof noteSchema>;

/** Keys that no other JSON of Takeout has, in whatever order they come. */
const proof = /"(?:userEditedTimestampUsec|textContentHtml|isTrashed|isArchived|isPinned|listContent)"\s*:/g;

async function isKeepNote(entry: Entry): Promise<boolean> {
  try {
    const head = Buffer.from(await entry.head()).toString("utf8");
    return new Set(head.match(proof)?.map((key) => key.replace(/\W/g, ""))).size >= 2;
  } catch {
    return false;
  }
}

/** A folder with one proven note is Keep's, whatever its name in whatever language; all in it belongs to it. */
async function* recognise(free: SourceTree): AsyncGenerator<Claim> {
  const done = new Set<string>();
  for (const entry of free.entries) {
    const folder = folderOf(entry.joined);
    if (!/\.json$/i.test(entry.name) || done.has(folder) || !(await isKeepNote(entry))) continue;
    done.add(folder);
    const members = free.joined.inFolder(folder);
    const stems = new Set(members.filter(({ name }) => /\.json$/i.test(name)).map(({ name }) => stemOf(name)));
    // At the top of a drop other things lie beside notes: only what is named like Keep's own is taken.
    const own = members.filter(
      ({ name }) =>
        folder !== "" || /\.json$/i.test(name) || (/\.html?$/i.test(name) && stems.has(stemOf(name))) || isMedia(name),
    );
    const rest = own.filter((other) => other !== entry).map(({ path }) => path);
    yield { primary: entry.path, companions: rest, label: "Google Keep", confidence: 3 };
  }
}

const stemOf = (name: string) => name.replace(/\.[^.]*$/, "").toLowerCase();
const isMedia = (name: string) => /\.(?:jpe?g|png|gif|webp|heic|3gpp?|m4a|mp4|amr|aac)$/i.test(name);

function instant(usec: KeepNote["createdTimestampUsec"], source: string) {
  return timeFromInstant(Number(usec ?? 0) / 1000, { source, precision: "ms" });
}

interface Folder {
  readonly byName: ReadonlyMap<string, Entry>;
  readonly byStem: ReadonlyMap<string, Entry>;
}

/** A note's attachment: by name, else by the name without its ending, which Takeout changes. */
function attachmentEntry(folder: Folder, filePath: string): Entry | undefined {
  const name = (filePath.split("/").at(-1) ?? "").normalize("NFC");
  return folder.byName.get(name) ?? folder.byStem.get(stemOf(name));
}

function recordOf(note: KeepNote, entry: Entry, folder: Folder, seen: Set<string>): ImportedRecord {
  const items = note.listContent.map((item) => ({
    text: cleanLine(item.text ?? htmlToPlain(item.textHtml ?? "")) ?? "",
    checked: item.isChecked === true,
  }));
  const body = note.textContent ?? (note.textContentHtml ? htmlToPlain(note.textContentHtml) : null);
  const said = body?.trim() ? body : null;
  const created = instant(note.createdTimestampUsec, "keep:createdTimestampUsec");
  const edited = instant(note.userEditedTimestampUsec, "keep:userEditedTimestampUsec");
  const hash = fieldHash([note.title ?? null, said, ...items.map((item) => item.text)]);
  const stamp = created === null ? null : String(note.createdTimestampUsec);
  // Notes of a batch may be made in one microsecond: the second one is known by its words.
  const identity = stamp === null ? `keep:#${hash}` : seen.has(stamp) ? `keep:${stamp}#${hash}` : `keep:${stamp}`;
  if (stamp !== null) seen.add(stamp);
  const attachments = note.attachments.flatMap(({ filePath, mimetype }): Attachment[] => {
    if (!filePath) return [];
    const found = attachmentEntry(folder, filePath);
    if (found) return [{ ...attachmentOf(found), mime: mimetype ?? attachmentOf(found).mime }];
    const bare = { path: null, bytes: null, sha256: null, text: null, inline: false, missing: true };
    return [{ ...bare, name: cleanLine(filePath), mime: mimetype ?? null }];
  });
  const flags: RecordFlag[] = [];
  if (note.isPinned) flags.push("pinned");
  if (note.isArchived) flags.push("archived");
  if (note.isTrashed) flags.push("trashed");
  if (attachments.some(({ missing }) => missing)) flags.push("missing-media");
  const links = [...new Set(note.annotations.map(({ url }) => url).filter((url) => typeof url === "string"))];
  const labels = [...new Set(note.labels.map(({ name }) => cleanLine(name)).filter((name) => name !== null))];
  const participants = note.sharees.flatMap(({ email, isOwner }): Party[] =>
    email ? [{ name: null, address: cleanLine(email), role: isOwner ? "author" : "member", owner: false }] : [],
  );
  const extra = note.color && note.color !== "DEFAULT" ? { color: note.color } : null;
  return noteRecord({
    identity,
    nativeId: null,
    subject: note.title ?? null,
    text: said,
    time: created ?? edited,
    container: { key: "keep", title: "Google Keep", kind: "notebook" },
    participants,
    file: { path: entry.path, offset: null, bytes: entry.bytes, role: null },
    props: {
      ...(items.length > 0 ? { items } : {}),
      ...(labels.length > 0 ? { labels } : {}),
      ...(links.length > 0 ? { links } : {}),
      ...(attachments.length > 0 ? { attachments } : {}),
      ...(flags.length > 0 ? { flags } : {}),
      ...(created ? { created } : {}),
      ...(edited ? { modified: edited } : {}),
      ...(extra ? { extra } : {}),
    },
  });
}

/** The cursor is the number of the note among the files of the folder, by name. */
async function* read(claim: Claim, context: ReadContext): AsyncGenerator<ImportedItem> {
  const { tree, signal, resume } = context;
  const entries = [claim.primary, ...claim.companions]
    .map((path) => tree.get(path))
    .filter((entry) => entry !== undefined)
    .sort((a, b) => (a.joined < b.joined ? -1 : 1));
  const notes = entries.filter(({ name }) => /\.json$/i.test(name));
  const others = entries.filter((entry) => !notes.includes(entry));
  const media = others.filter(({ name }) => !/\.(?:html?|txt)$/i.test(name));
  const folder: Folder = {
    byName: new Map(media.map((entry) => [entry.name, entry])),
    byStem: new Map(media.map((entry) => [stemOf(entry.name), entry])),
  };
  const seen = new Set<string>();
  const used = new Map<string, string | null>();
  const from = typeof resume === "number" ? resume : -1;
  for (const [index, entry] of notes.entries()) {
    throwIfCancelled(signal);
    try {
      const parsed = keepSchema.safeParse(await readJson(entry, noteCap));
      if (!parsed.success) {
        yield fileEnd(entry.path, "failed", "It is no note of Keep.");
        continue;
      }
      const record = recordOf(parsed.data, entry, folder, seen);
      const files = (record.props.attachments ?? []).flatMap(({ path, mime }) => {
        const found = path === null ? undefined : tree.get(path);
        return found === undefined ? [] : [{ found, mime }];
      });
      for (const { found } of files) used.set(found.path, used.get(found.path) ?? null);
      if (index > from) {
        yield { type: "record", record, cursor: files.length === 0 ? index : index - 1 };
        for (const [at, { found, mime }] of files.entries()) {
          const part = await partRecord(found, record, mime, context);
          used.set(found.path, part.warning);
          const cursor = at === files.length - 1 ? index : index - 1;
          if (part.record !== null) yield { type: "record", record: part.record, cursor };
        }
      }
      yield fileEnd(entry.path, "imported");
    } catch (error) {
      yield fileEnd(entry.path, "failed", reasonOf(error, signal));
    }
  }
  for (const entry of others) {
    const warning = used.get(entry.path);
    if (warning !== undefined) yield fileEnd(entry.path, "imported", warning);
    else if (/\.html?$/i.test(entry.name))
      yield fileEnd(entry.path, "skipped", "The same note stands beside it as JSON.");
    else yield fileEnd(entry.path, "skipped", "No note of the folder names it.");
  }
}

/** Google Keep, as Takeout exports it. */
export const keepImporter: Importer = { id: "keep", title: "Google Keep", order: 80, recognise, read };
