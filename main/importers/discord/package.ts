import { z } from "zod";
import type { Container, ImportedRecord, Party } from "#contract";
import { chatRecord, member } from "../chats/message.ts";
import { type FileEnds, missingFile } from "../chats/sent.ts";
import { baseName, folderOf } from "../files.ts";
import { throwIfCancelled } from "../text/guard.ts";
import { readJson } from "../text/json.ts";
import type { Entry, ImportedItem, ReadContext, SourceTree } from "../types.ts";
import { type Names, shownText } from "./markup.ts";
import { ownerIn } from "./owner.ts";
import { packageRows } from "./recognise.ts";
import { containerOf, identityOf } from "./record.ts";
import { packageChannelSchema, packageMessageSchema } from "./schema.ts";
import { snowflakeOrder, snowflakeTime } from "./snowflake.ts";

/** Discord's own data package: the owner's messages, a folder a channel. */

interface Channel {
  readonly container: Container;
  readonly recipients: readonly string[];
}

async function jsonBeside(entry: Entry | undefined, ends: FileEnds): Promise<unknown> {
  if (entry === undefined) return null;
  try {
    const value = await readJson(entry, 64 * 1024 * 1024);
    ends.use(entry.path);
    return value;
  } catch (error) {
    ends.fail(entry.path, error instanceof Error ? error.message : "It could not be read.");
    return null;
  }
}

const within = (folder: string, name: string) => (folder === "" ? name : `${folder}/${name}`);

/** Titles of channels by id, from the index beside the folders. */
async function titlesOf(tree: SourceTree, root: string, ends: FileEnds): Promise<ReadonlyMap<string, string>> {
  const index = await jsonBeside(tree.joined.get(within(root, "index.json")), ends);
  const read = z.record(z.string(), z.unknown()).safeParse(index);
  const titles = new Map<string, string>();
  for (const [id, title] of Object.entries(read.success ? read.data : {})) {
    if (typeof title === "string") titles.set(id, title);
  }
  return titles;
}

/** "Direct Message with birch#0" is how the package calls the chat with birch. */
const withoutPreface = (title: string) => title.replace(/^Direct Message with /, "").replace(/#(?:0|\d{4})$/, "");

async function channelOf(
  entry: Entry,
  tree: SourceTree,
  titles: ReadonlyMap<string, string>,
  ends: FileEnds,
): Promise<Channel> {
  const folder = folderOf(entry.joined);
  const read = packageChannelSchema.safeParse(await jsonBeside(tree.joined.get(within(folder, "channel.json")), ends));
  const told = read.success ? read.data : null;
  const id = told?.id ?? /(\d{5,20})$/.exec(baseName(folder))?.[1] ?? baseName(folder);
  const title = titles.get(id);
  const container = told?.name
    ? containerOf(id, told.name, told.guild?.name ?? null)
    : containerOf(id, title === undefined ? null : withoutPreface(title), null);
  return { container, recipients: told?.recipients ?? [] };
}

export async function* readPackage(entry: Entry, context: ReadContext, ends: FileEnds): AsyncGenerator<ImportedItem> {
  const { tree } = context;
  ends.use(entry.path);
  const titles = await titlesOf(tree, folderOf(folderOf(entry.joined)), ends);
  const channel = await channelOf(entry, tree, titles, ends);
  const owner = await ownerIn(tree);
  const author = member(owner?.name ?? null, owner?.id ?? null, { owner: true });
  const others = channel.recipients.filter((id) => id !== owner?.id);
  const participants =
    owner?.id === null || others.length > 20 ? [] : others.map((id) => member(null, id, { role: "member" }));
  const names: Names = { users: new Map(), channels: titles, roles: new Map() };
  const resume = typeof context.resume === "number" ? context.resume : 0;
  let index = 0;
  for await (const row of packageRows(entry)) {
    throwIfCancelled(context.signal);
    const read = packageMessageSchema.safeParse(row);
    index++;
    if (!read.success || read.data.ID === null) {
      ends.leaveOut(entry.path, "Some entries are no messages.");
      continue;
    }
    if (index <= resume) continue;
    const place = { path: entry.path, index, author, participants, names };
    yield { type: "record", record: rowRecord({ ...read.data, ID: read.data.ID }, channel, place), cursor: index };
  }
}

function rowRecord(
  row: z.infer<typeof packageMessageSchema> & { readonly ID: string },
  channel: Channel,
  place: {
    readonly path: string;
    readonly index: number;
    readonly author: Party;
    readonly participants: readonly Party[];
    readonly names: Names;
  },
): ImportedRecord {
  const links = (row.Attachments ?? "").split(/\s+/).filter((link) => link !== "");
  const attachments = links.slice(0, 200).map((link) => missingFile(link.split(/[?#]/)[0]?.split("/").at(-1) ?? null));
  return chatRecord({
    identity: identityOf(row.ID),
    nativeId: row.ID,
    kind: "message",
    text: row.Contents === null ? null : shownText(row.Contents, place.names),
    author: place.author,
    participants: place.participants,
    time: snowflakeTime(row.ID, row.Timestamp),
    container: channel.container,
    sequence: snowflakeOrder(row.ID) ?? place.index,
    file: { path: place.path, offset: null, bytes: null, role: null },
    props: {
      direction: "out",
      ...(attachments.length > 0 ? { attachments, flags: ["missing-media"] } : {}),
      ...(links.length > 0 ? { extra: { attachmentLinks: links.slice(0, 200) } } : {}),
    },
  });
}
