import { z } from "zod";
import type { Attachment, Container, ImportedRecord, Party, RecordFlag } from "#contract";
import { chatRecord, member } from "../chats/message.ts";
import { FileEnds, messageItems, missingFile } from "../chats/sent.ts";
import { folderOf } from "../files.ts";
import { attachmentOf } from "../media.ts";
import { cleanLine, fieldHash } from "../text/clean.ts";
import { reasonOf, throwIfCancelled } from "../text/guard.ts";
import { jsonItems } from "../text/json.ts";
import { timeFromInstant } from "../text/time.ts";
import type { Claim, Entry, ImportedItem, Importer, ReadContext, SourceTree } from "../types.ts";
import { readContent, type SkypeContent } from "./skype-content.ts";

/** Skype's export: messages.json with all conversations, and a folder of media. Teams (free) writes the same file. */

const text = z.string().nullish().catch(null);
const emotion = z.object({ key: z.string(), users: z.array(z.object({ mri: z.string() })).catch([]) });
const messageSchema = z.object({
  id: z
    .union([z.string(), z.number().transform(String)])
    .nullish()
    .catch(null),
  displayName: text,
  originalarrivaltime: text,
  messagetype: text,
  content: text,
  from: text,
  properties: z
    .object({
      edittime: z.unknown().optional(),
      deletetime: z.unknown().optional(),
      emotions: z.array(emotion.nullable().catch(null)).nullish().catch(null),
    })
    .nullish()
    .catch(null),
  amsreferences: z.array(z.string()).nullish().catch(null),
});
type SkypeMessage = z.infer<typeof messageSchema>;

interface Chat {
  readonly container: Container;
  readonly owner: string;
  readonly names: Map<string, string>;
  readonly other: string | null;
  readonly fileOf: (reference: string) => Entry | undefined;
}

async function* recognise(free: SourceTree): AsyncGenerator<Claim> {
  for (const entry of free.entries) {
    if (!/\.json$/i.test(entry.name) || entry.name.startsWith("._") || !/messages|skype|teams/i.test(entry.name))
      continue;
    const head = new TextDecoder().decode(await entry.head().catch(() => new Uint8Array()));
    const known =
      /^\s*\{/.test(head) &&
      /"conversations"\s*:\s*\[/.test(head) &&
      /"(?:MessageList|threadProperties|userId|exportDate)"/.test(head);
    if (!known) continue;
    const folder = folderOf(entry.joined);
    const media = free.joined.below(folder === "" ? "media" : `${folder}/media`).map(({ path }) => path);
    yield { primary: entry.path, companions: media, label: "Skype", confidence: 3 };
  }
}

/** `8:live:ann` → `live:ann`: the number in front is the network. */
const userOf = (id: string) =>
  cleanLine(id.replace(/^.*\/contacts\//, "").replace(/^\d{1,2}:/, ""))?.slice(0, 200) ?? "";

async function* read(claim: Claim, context: ReadContext): AsyncGenerator<ImportedItem> {
  const entry = context.tree.get(claim.primary);
  if (entry === undefined) return;
  const ends = new FileEnds(claim);
  const media = claim.companions.flatMap((path) => context.tree.get(path) ?? []);
  for (const { path, name } of media) if (/\.json$/i.test(name)) ends.use(path);
  const files = new Map(
    media.filter(({ name }) => !/\.json$/i.test(name)).map((one) => [one.name.replace(/\..*$/, ""), one]),
  );
  const resume = typeof context.resume === "number" ? context.resume : -1;
  const names = new Map<string, string>();
  const about = { owner: "", place: -1, id: "", title: "" };
  let index = 0;
  const inner = "$.conversations.*";
  try {
    for await (const { path, value } of jsonItems(entry, [
      "$.userId",
      `${inner}.id`,
      `${inner}.displayName`,
      `${inner}.MessageList.*`,
    ])) {
      throwIfCancelled(context.signal);
      if (path[0] === "userId") {
        about.owner = typeof value === "string" ? userOf(value) : "";
        continue;
      }
      if (path[1] !== about.place) Object.assign(about, { place: path[1], id: "", title: "" });
      if (path[2] === "id" && typeof value === "string") about.id = value;
      else if (path[2] === "displayName" && typeof value === "string") about.title = value;
      if (path[2] !== "MessageList") continue;
      const message = messageSchema.safeParse(value).data;
      if (message === undefined) {
        ends.leaveOut(entry.path, "Something among the messages is no message.");
        continue;
      }
      const other = about.id.startsWith("19:") ? null : userOf(about.id);
      if (other !== null && about.title !== "") names.set(other, about.title);
      const title = cleanLine(about.title) ?? other ?? "Skype";
      const chat: Chat = {
        container: { key: `skype:${about.id.slice(0, 300)}`, title, kind: "chat" },
        owner: about.owner,
        names,
        other,
        fileOf: (reference) => files.get(reference),
      };
      const { record, found } = messageRecord(message, chat, entry.path);
      for (const file of found) ends.use(file.path);
      const cursor = { before: index - 1, after: index };
      if (index++ > resume) yield* messageItems(record, found, cursor, ends, context);
    }
    ends.use(entry.path);
  } catch (error) {
    ends.broke(entry.path, reasonOf(error, context.signal), index > 0);
  }
  yield* ends.items("No message names this file.");
}

/** Instant of an ISO text with Z, or without a zone (Skype means UTC). */
function timeOf(text: string | null | undefined) {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?)\d*(?:Z|\+00:?00)?$/.exec((text ?? "").trim());
  const ms = match === null ? Number.NaN : Date.parse(`${match[1]}Z`);
  return timeFromInstant(ms, { source: "originalarrivaltime", precision: "ms" });
}

function messageRecord(message: SkypeMessage, chat: Chat, path: string): { record: ImportedRecord; found: Entry[] } {
  const type = message.messagetype ?? "";
  const said = readContent(message.content ?? "", /^text$/i.test(type));
  const from = userOf(message.from ?? "");
  const party = (id: string, role: Party["role"], name: string | null = null) =>
    member(name ?? chat.names.get(id) ?? null, id, { role, owner: id !== "" && id === chat.owner });
  const author =
    from === "" ? null : party(from, "author", cleanLine(message.displayName ?? "")?.slice(0, 200) ?? null);
  const other = chat.other === null || author === null ? null : author.owner ? chat.other : chat.owner;
  const time = timeOf(message.originalarrivaltime);
  const system = !/^(?:text|richtext)/i.test(type) || said.call !== null;
  const found: Entry[] = [];
  const attachments: Attachment[] = (message.amsreferences ?? []).slice(0, 100).map((reference) => {
    const file = chat.fileOf(reference);
    if (file === undefined) return missingFile(said.file);
    found.push(file);
    return { ...attachmentOf(file), name: cleanLine(said.file ?? "") ?? file.name };
  });
  if (attachments.length === 0 && said.file !== null) attachments.push(missingFile(said.file));
  const key = message.id ?? fieldHash([message.originalarrivaltime ?? null, from, message.content ?? null]);
  const reactions = (message.properties?.emotions ?? []).flatMap((one) =>
    one === null
      ? []
      : one.users.map(({ mri }) => ({ emoji: one.key, by: chat.names.get(userOf(mri)) ?? userOf(mri), count: null })),
  );
  const flags = flagsOf(message, said, attachments);
  const record = chatRecord({
    identity: `${chat.container.key}/${key}`,
    nativeId: message.id ?? null,
    kind: system ? "system" : "message",
    text: system ? noticeOf(said, type, (id) => chat.names.get(userOf(id)) ?? userOf(id)) : said.text,
    author,
    participants: other === null || other === "" ? [] : [party(other, "member")],
    time,
    container: chat.container,
    sequence: time?.utc ? Date.parse(time.utc) : 0,
    replyTo: said.quotes === null ? null : `${chat.container.key}/${said.quotes}`,
    file: { path, offset: null, bytes: null, role: null },
    props: {
      ...(author?.owner ? { direction: "out" as const } : {}),
      ...(attachments.length > 0 ? { attachments } : {}),
      ...(said.links.length > 0 ? { links: [...said.links] } : {}),
      ...(flags.length > 0 ? { flags } : {}),
      ...(reactions.length > 0 ? { reactions } : {}),
      ...(said.duration === null ? {} : { duration: said.duration }),
      ...(type === "" ? {} : { extra: { messagetype: type.slice(0, 100) } }),
    },
  });
  return { record, found };
}

function flagsOf(message: SkypeMessage, said: SkypeContent, attachments: readonly Attachment[]): RecordFlag[] {
  const flags = new Set<RecordFlag>();
  if (said.edited || message.properties?.edittime) flags.add("edited");
  if (message.properties?.deletetime) flags.add("deleted");
  if (said.call !== null) flags.add("call");
  if (said.call === "missed") flags.add("missed");
  if (/^richtext\/.*poll|^poll/i.test(message.messagetype ?? "")) flags.add("poll");
  if (attachments.some(({ missing }) => missing)) flags.add("missing-media");
  return [...flags].sort();
}

/** A line for events, which have no words of their own. */
function noticeOf(said: SkypeContent, type: string, name: (id: string) => string): string | null {
  if (said.call !== null) return said.call === "" ? "Call" : `Call ${said.call}`;
  if (said.title !== null) return `Renamed: ${said.title}`;
  const people = said.people.map(name).join(", ");
  if (people !== "") return `${/delete|remove/i.test(type) ? "Left" : "Joined"}: ${people}`;
  return said.text === "" ? type : said.text;
}

/** Skype and Teams (free). The cursor counts messages. */
export const skypeImporter: Importer = { id: "skype", title: "Skype", order: 81, recognise, read };
