import type { Attachment, Container, ImportedRecord, Party, RecordFlag, RecordTime } from "#contract";
import { chatRecord, member, Repeats } from "../chats/message.ts";
import { FileEnds, messageItems, missingFile } from "../chats/sent.ts";
import { folderOf } from "../files.ts";
import { attachmentOf } from "../media.ts";
import { cleanLine, cleanText, fieldHash } from "../text/clean.ts";
import { reasonOf, throwIfCancelled } from "../text/guard.ts";
import { isCivil, timeFromCivil } from "../text/time.ts";
import type { Claim, Entry, ImportedItem, Importer, ReadContext, SourceTree } from "../types.ts";
import { readVoicePage, type VoiceItem, type VoicePage } from "./voice-html.ts";

/** Pages above this are not one conversation of a person. */
const pageBytes = 64 * 1024 * 1024;
const stemOf = (name: string) => name.replace(/\.[A-Za-z0-9]{2,5}$/, "");

async function* recognise(free: SourceTree): AsyncGenerator<Claim> {
  const folders = new Map<string, Entry[]>();
  for (const entry of free.entries) {
    if (!/\.html?$/i.test(entry.name) || entry.name.startsWith("._")) continue;
    const head = new TextDecoder().decode(await entry.head().catch(() => new Uint8Array()));
    if (!/class=["'](?:hChatLog|haudio)\b/.test(head)) continue;
    const folder = folderOf(entry.joined);
    folders.set(folder, [...(folders.get(folder) ?? []), entry]);
  }
  for (const [folder, pages] of folders) {
    const stems = new Set(pages.map(({ name }) => stemOf(name)));
    // Files are called after their page, with a number where it has several.
    const beside = free.joined
      .inFolder(folder)
      .filter(
        ({ name }) =>
          !/\.html?$/i.test(name) && (stems.has(stemOf(name)) || stems.has(stemOf(name).replace(/(?:-\d+){1,2}$/, ""))),
      );
    const [first, ...others] = pages;
    if (first === undefined) continue;
    const companions = [...others, ...beside].map(({ path }) => path);
    yield { primary: first.path, companions, label: "Google Voice", confidence: 3 };
  }
}

async function* read(claim: Claim, context: ReadContext): AsyncGenerator<ImportedItem> {
  const ends = new FileEnds(claim);
  const entries = [claim.primary, ...claim.companions].flatMap((path) => context.tree.get(path) ?? []);
  const beside = new Map<string, Entry>();
  for (const entry of entries) {
    if (/\.html?$/i.test(entry.name)) continue;
    beside.set(entry.name, entry);
    if (!beside.has(stemOf(entry.name))) beside.set(stemOf(entry.name), entry);
  }
  const repeats = new Repeats();
  const resume = typeof context.resume === "number" ? context.resume : -1;
  let index = 0;
  for (const entry of entries.filter(({ name }) => /\.html?$/i.test(name))) {
    throwIfCancelled(context.signal);
    let page: VoicePage;
    try {
      if (entry.bytes > pageBytes) throw new Error("it is larger than 64 MB");
      page = await readVoicePage(entry);
    } catch (error) {
      ends.fail(entry.path, reasonOf(error, context.signal));
      continue;
    }
    ends.use(entry.path);
    if (page.items.length === 0) ends.warn(entry.path, "There is no message or call in it.");
    const container = containerOf(page, entry);
    for (const item of page.items) {
      const { record, files } = itemRecord(item, page, { container, entry, beside, repeats });
      for (const file of files) ends.use(file.path);
      const cursor = { before: index - 1, after: index };
      if (index++ > resume) yield* messageItems(record, files, cursor, ends, context);
    }
  }
  yield* ends.items("No message names this file.");
}

const named = (name: string | null) => cleanLine(name ?? "")?.slice(0, 200) ?? null;

/** The others of a conversation: a group's list, else everyone who wrote but the owner, else the page's name. */
function othersOf(page: VoicePage, entry: Entry): { name: string | null; tel: string | null }[] {
  const listed = page.people.length > 0 ? page.people : page.items.filter(({ me }) => !me);
  const people = new Map(listed.map(({ name, tel }) => [tel ?? name ?? "", { name: named(name), tel }]));
  if (people.size > 0) return [...people.values()];
  const title = /^(.+?) - \S+ - \d{4}-/.exec(entry.name)?.[1] ?? page.title.split("\n").at(-1) ?? "";
  return [/^\+\d{5,}$/.test(title) ? { name: null, tel: title } : { name: named(title), tel: null }];
}

function containerOf(page: VoicePage, entry: Entry): Container {
  const others = othersOf(page, entry);
  const key = others.map(({ name, tel }) => tel ?? name ?? "").sort();
  const title = others
    .slice(0, 8)
    .map(({ name, tel }) => name ?? tel ?? "")
    .join(", ");
  return {
    key: `google-voice:${key.length === 1 ? key[0]?.slice(0, 200) : fieldHash(key)}`,
    title: cleanLine(title),
    kind: "chat",
  };
}

/** ISO 8601 with an offset, as the pages write it; null when it is none. */
function timeOf(text: string | null): RecordTime | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)$/.exec((text ?? "").trim());
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const zone = match[7] ?? "Z";
  const civil = { year, month, day, hour, minute, second };
  if (!isCivil(civil)) return null;
  const size = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return timeFromCivil(civil, zone === "Z" ? "utc" : zone.startsWith("-") ? -size : size, { source: "title" });
}

/** Seconds of an ISO 8601 duration, `PT1H2M5S`. */
function seconds(text: string | null): number | null {
  const match = /^PT(?:(\d{1,4})H)?(?:(\d{1,5})M)?(?:(\d{1,6})(?:\.\d+)?S)?$/.exec(text ?? "");
  return match === null ? null : Number(match[1] ?? 0) * 3600 + Number(match[2] ?? 0) * 60 + Number(match[3] ?? 0);
}

function itemRecord(
  item: VoiceItem,
  page: VoicePage,
  at: { container: Container; entry: Entry; beside: ReadonlyMap<string, Entry>; repeats: Repeats },
): { record: ImportedRecord; files: Entry[] } {
  const { container, entry } = at;
  const files: Entry[] = [];
  const attachments: Attachment[] = item.files.map((name) => {
    const file = at.beside.get(name) ?? at.beside.get(stemOf(name));
    if (file === undefined) return missingFile(name);
    files.push(file);
    return attachmentOf(file);
  });
  const call = page.kind === "call";
  const voicemail = page.labels.includes("voicemail");
  const placed = call && page.labels.includes("placed");
  const me = item.me || placed;
  const other = member(named(item.name), item.tel, { role: me ? "member" : "author" });
  const owner: Party = member("Me", null, { role: me ? "author" : "member", owner: true });
  const time = timeOf(item.time);
  const text = cleanText(item.text);
  const key = fieldHash([
    item.time,
    me ? "me" : (item.tel ?? item.name),
    text,
    call ? "call" : "",
    ...item.files.map((name) => stemOf(name).split(" - ").at(-1) ?? ""),
  ]);
  const repeat = at.repeats.next(`${container.key} ${key}`);
  const others = othersOf(page, entry).map(({ name, tel }) => member(name, tel, { role: "member" }));
  const flags = new Set<RecordFlag>();
  if (call) flags.add("call");
  if (page.labels.includes("missed") || (voicemail && call)) flags.add("missed");
  if (attachments.some(({ missing }) => missing)) flags.add("missing-media");
  if (page.labels.includes("trash")) flags.add("trashed");
  if (page.labels.includes("starred")) flags.add("starred");
  const length = seconds(item.duration);
  const record = chatRecord({
    identity: `${container.key}/${key}${repeat > 1 ? `:${repeat}` : ""}`,
    nativeId: null,
    kind: call && text === "" ? "system" : "message",
    text,
    author: me ? owner : other.name === null && other.address === null ? null : other,
    participants: me ? (item.me ? others : [other]) : [owner],
    time,
    container,
    sequence: time?.utc ? Date.parse(time.utc) : 0,
    file: { path: entry.path, offset: null, bytes: null, role: null },
    props: {
      direction: me ? "out" : "in",
      ...(attachments.length > 0 ? { attachments } : {}),
      ...(flags.size > 0 ? { flags: [...flags].sort() } : {}),
      ...(length === null ? {} : { duration: length }),
      ...(page.labels.length > 0
        ? { labels: [...new Set(page.labels)].filter((label) => label !== "").slice(0, 50) }
        : {}),
    },
  });
  return { record, files };
}

/** Google Voice from Takeout: texts, calls and voicemails of one folder. The cursor counts them. */
export const googleVoiceImporter: Importer = { id: "google-voice", title: "Google Voice", order: 82, recognise, read };
