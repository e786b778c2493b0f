import { FilesBeside } from "../chats/beside.ts";
import { FileEnds, messageItems } from "../chats/sent.ts";
import { fileEnd, folderOf } from "../files.ts";
import { reasonOf, throwIfCancelled } from "../text/guard.ts";
import { jsonItems } from "../text/json.ts";
import type { Claim, Entry, ImportedItem, Importer, ReadContext, SourceTree } from "../types.ts";
import { containerOf, eventRecord } from "./record.ts";
import { readEvent } from "./schema.ts";
import { surveyOf } from "./survey.ts";

async function headOf(entry: Entry): Promise<string> {
  try {
    return new TextDecoder().decode(await entry.head()).replace(/^\ufeff/, "");
  } catch {
    // A file that cannot be read is told of by whoever takes it in.
    return "";
  }
}

/** First bytes of Element's export.json, whatever it is called. */
function isExport(head: string): boolean {
  if (!/^\s*\{/.test(head)) return false;
  const named = ["room_name", "room_creator", "exported_by", "export_date"].filter((name) =>
    head.includes(`"${name}"`),
  );
  return named.length >= 2 || (/"messages"\s*:/.test(head) && /"(?:origin_server_ts|event_id)"\s*:/.test(head));
}

/** Pages and texts of the same exporter. */
const isPage = (head: string) => /class="mx_\w+|<title>\s*Exported Data\s*<\/title>[\s\S]*mx_/.test(head);
const isText = (head: string) => /^(?:[^\n]*\n){0,3}?[^\n]*\b(?:exported|export)\b[^\n]*@[\w.=/-]+:[\w.-]+/i.test(head);

const within = (folder: string, name: string) => (folder === "" ? name : `${folder}/${name}`);
const ownFolders = ["images", "videos", "audio", "files", "stickers", "avatars", "icons", "css", "js"];

function besides(entry: Entry, free: SourceTree): Entry[] {
  const folder = folderOf(entry.joined);
  const pages = free.joined.inFolder(folder).filter(({ name }) => /^(?:messages\d*|export)\.(?:html|txt)$/i.test(name));
  return [...ownFolders.flatMap((name) => free.joined.below(within(folder, name))), ...pages];
}

async function* recognise(free: SourceTree): AsyncGenerator<Claim> {
  const taken = new Set<string>();
  const others: Entry[] = [];
  for (const entry of free.entries) {
    if (entry.name.startsWith("._") || entry.bytes === 0) continue;
    if (/\.json$/i.test(entry.name)) {
      if (!isExport(await headOf(entry))) continue;
      const companions = besides(entry, free).filter(({ path }) => path !== entry.path);
      for (const { path } of companions) taken.add(path);
      const label = folderOf(entry.path).split("/").at(-1) || entry.name;
      yield { primary: entry.path, companions: companions.map(({ path }) => path), label, confidence: 3 };
    } else if (
      /\.html$/i.test(entry.name) ||
      /^matrix.*export.*\.txt$/i.test(entry.name) ||
      /^export\.txt$/i.test(entry.name)
    ) {
      others.push(entry);
    }
  }
  for (const entry of others) {
    if (taken.has(entry.path)) continue;
    const head = await headOf(entry);
    if (!(/\.html$/i.test(entry.name) ? isPage(head) : isText(head) || /^matrix/i.test(entry.name))) continue;
    const beside = /\.html$/i.test(entry.name)
      ? besides(entry, free).filter(({ path }) => path !== entry.path && !taken.has(path))
      : [];
    for (const { path } of beside) taken.add(path);
    yield { primary: entry.path, companions: beside.map(({ path }) => path), label: entry.name, confidence: 2 };
  }
}

const hint =
  "This form of Element's export leaves out who answered what and the ids of messages. Export the chat again with the format JSON and import that.";

/** Files by the name that they had before Element put the date behind it. */
function byStem(files: readonly Entry[]): Map<string, Entry[]> {
  const stems = new Map<string, Entry[]>();
  for (const entry of files) {
    const bare = entry.name.replace(/\.[^.]*$/, "");
    // The date has marks of its own: every beginning before a dash or a blank may be the name.
    for (const { index } of [...bare.matchAll(/-/g)].slice(-12)) {
      const stem = bare.slice(0, index);
      stems.set(stem, [...(stems.get(stem) ?? []).slice(0, 500), entry]);
    }
  }
  return stems;
}

async function* readRoom(
  claim: Claim,
  entry: Entry,
  context: ReadContext,
  ends: FileEnds,
): AsyncGenerator<ImportedItem> {
  ends.use(entry.path);
  const survey = await surveyOf(entry, context.signal);
  const companions = claim.companions.map((path) => context.tree.get(path)).filter((one) => one !== undefined);
  const shared = {
    survey,
    container: containerOf(survey),
    files: new FilesBeside(claim, context.tree, folderOf(entry.joined)),
    byStem: byStem(companions),
    path: entry.path,
  };
  const resume = typeof context.resume === "number" ? context.resume : 0;
  let index = 0;
  for await (const { value } of jsonItems(entry, ["$.messages.*"])) {
    throwIfCancelled(context.signal);
    index++;
    const event = readEvent(value);
    if (event === null || event.event_id === null) {
      ends.leaveOut(entry.path, "Some entries are no events.");
      continue;
    }
    const read = eventRecord({ ...event, event_id: event.event_id }, { ...shared, index });
    if (read === null) continue;
    for (const one of [...read.entries, ...read.shown]) ends.use(one.path);
    if (index > resume)
      yield* messageItems(read.record, read.entries, { before: index - 1, after: index }, ends, context);
  }
}

async function* read(claim: Claim, context: ReadContext): AsyncGenerator<ImportedItem> {
  const entry = context.tree.get(claim.primary);
  if (entry === undefined) return;
  if (!/\.json$/i.test(entry.name)) {
    for (const path of [entry.path, ...claim.companions]) yield fileEnd(path, "skipped", hint);
    return;
  }
  const ends = new FileEnds(claim);
  let records = context.resume === null ? 0 : 1;
  try {
    for await (const item of readRoom(claim, entry, context, ends)) {
      records++;
      yield item;
    }
  } catch (error) {
    ends.broke(entry.path, reasonOf(error, context.signal), records > 0);
  }
  for (const path of claim.companions) {
    if (/\.(?:html|txt)$/i.test(path) && folderOf(path) === folderOf(entry.path))
      ends.warn(path, "The JSON export beside it has the same messages.");
  }
  yield* ends.items("No message names it.");
}

/** Rooms that Element exported as JSON. The cursor is the number of events done. */
export const matrixImporter: Importer = { id: "matrix", title: "Matrix room", order: 85, recognise, read };
