import type { Container } from "#contract";
import { Repeats } from "../chats/message.ts";
import { FileEnds, messageItems } from "../chats/sent.ts";
import { baseName, folderOf } from "../files.ts";
import { reasonOf, throwIfCancelled } from "../text/guard.ts";
import { jsonItems } from "../text/json.ts";
import type { Claim, Entry, ImportedItem, Importer, ReadContext, SourceTree } from "../types.ts";
import { type Chat, messageRecord } from "./record.ts";
import { readMessage, type SlackFile } from "./schema.ts";
import { type Channel, channelFiles, userFiles, type Workspace, workspaceOf } from "./workspace.ts";

const dayName = /^\d{4}-\d{2}-\d{2}.*\.json$/i;
/** What an export holds beside messages. */
const otherLists =
  /^(?:integration_logs|canvases|lists|file_conversations|huddle_transcripts|canvas_in_the_conversation|external_.*)\.json$/i;

const below = (folder: string, name: string) => (folder === "" ? name : `${folder}/${name}`);

/** Whether the lists of a workspace lie in the folder. */
function isRoot(folder: string, tree: SourceTree): boolean {
  return [...userFiles, ...channelFiles].some((name) => tree.joined.get(below(folder, name)) !== undefined);
}

async function looksLikeDay(entry: Entry, listed: boolean): Promise<boolean> {
  const head = await entry.head().catch(() => new Uint8Array());
  const text = new TextDecoder().decode(head);
  if (!/^\s*\[/.test(text)) return false;
  if (listed && dayName.test(entry.name)) return true;
  return /"ts"\s*:\s*"?\d{9,10}\.\d/.test(text) && /"(?:type|subtype|user|bot_id)"\s*:/.test(text);
}

async function* recognise(free: SourceTree): AsyncGenerator<Claim> {
  const folders = new Map<string, Entry[]>();
  const roots = new Map<string, boolean>();
  for (const entry of free.entries) {
    if (!/\.json$/i.test(entry.name) || entry.name.startsWith("._")) continue;
    const folder = folderOf(entry.joined);
    const root = folderOf(folder);
    const listed = roots.get(root) ?? (folder !== "" && isRoot(root, free));
    roots.set(root, listed);
    // Files of other names count where the lists say that this is a workspace.
    if (!dayName.test(entry.name) && !(listed && !otherLists.test(entry.name))) continue;
    folders.set(folder, [...(folders.get(folder) ?? []), entry]);
  }
  const told = new Set<string>();
  for (const [folder, candidates] of folders) {
    const root = folderOf(folder);
    const listed = roots.get(root) ?? false;
    const days: Entry[] = [];
    for (const entry of candidates) if (await looksLikeDay(entry, listed)) days.push(entry);
    // A day that is damaged from its first byte on still belongs to its channel.
    const broken =
      listed || days.length > 0 ? candidates.filter((one) => dayName.test(one.name) && !days.includes(one)) : [];
    const [first, ...others] = [...days, ...broken].sort((a, b) => (a.joined < b.joined ? -1 : 1));
    if (first === undefined) continue;
    const mine = free.joined.inFolder(folder).filter(({ name }) => otherLists.test(name));
    const uploads = free.joined.below(below(folder, "attachments"));
    if (listed && !told.has(root)) {
      told.add(root);
      const isList = (name: string) => [...userFiles, ...channelFiles].includes(name) || otherLists.test(name);
      mine.push(...free.joined.inFolder(root).filter(({ name }) => isList(name)));
      mine.push(...free.joined.below(below(root, "__uploads")));
    }
    const companions = [...others, ...uploads, ...mine].map(({ path }) => path);
    yield { primary: first.path, companions, label: baseName(folder) || "Slack", confidence: listed ? 3 : 2 };
  }
}

function containerOf(channel: Channel, workspace: Workspace): Container {
  const key = `slack:${channel.id ?? `#${channel.name}`}`;
  if (channel.kind === "channel") return { key, title: `#${channel.name}`, kind: "chat" };
  const others = channel.members.filter((id) => id !== workspace.owner || channel.members.length === 1);
  const people = others.slice(0, 8).map((id) => workspace.names.user(id) ?? id);
  return { key, title: people.length > 0 ? people.join(", ") : channel.name, kind: "chat" };
}

/** A file that a tool put beside the export, by its id. */
function uploadOf(file: SlackFile, folder: string, root: string, tree: SourceTree): Entry | undefined {
  const { id, name = "" } = file;
  if (id === undefined || !/^\w{2,40}$/.test(id)) return undefined;
  const [alone] = tree.joined.inFolder(below(root, `__uploads/${id}`));
  return alone ?? tree.joined.get(below(folder, `attachments/${id}-${name.normalize("NFC")}`));
}

async function* read(claim: Claim, context: ReadContext): AsyncGenerator<ImportedItem> {
  const { tree } = context;
  const primary = tree.get(claim.primary);
  if (primary === undefined) return;
  const folder = folderOf(primary.joined);
  const root = folderOf(folder);
  const ends = new FileEnds(claim);
  const workspace = await workspaceOf(root, context);
  const days = [primary];
  for (const path of claim.companions) {
    const entry = tree.get(path);
    if (entry === undefined) continue;
    if (folderOf(entry.joined) === folder && !otherLists.test(entry.name)) days.push(entry);
    else if (otherLists.test(entry.name)) ends.warn(path, "It holds no messages.");
    // Uploads lie in one folder for all channels.
    else if (folderOf(entry.joined) === root || entry.joined.startsWith(below(root, "__uploads/"))) ends.use(path);
  }
  for (const [path, reason] of workspace.faults) ends.warn(path, reason);
  const channel = workspace.channel(baseName(folder));
  const chat: Chat = {
    workspace,
    channel,
    container: containerOf(channel, workspace),
    fileOf: (file) => uploadOf(file, folder, root, tree),
    repeats: new Repeats(),
  };
  yield* readDays(days, chat, ends, context);
  yield* ends.items("No message names this file.");
}

async function* readDays(
  days: readonly Entry[],
  chat: Chat,
  ends: FileEnds,
  context: ReadContext,
): AsyncGenerator<ImportedItem> {
  const resume = typeof context.resume === "number" ? context.resume : -1;
  let index = 0;
  let sequence = 0;
  for (const day of days) {
    let count = 0;
    try {
      for await (const { value } of jsonItems(day, ["$.*"])) {
        throwIfCancelled(context.signal);
        count++;
        const one = readMessage(value);
        if (one === null || (one.message.ts === undefined && one.message.type === undefined)) {
          ends.leaveOut(day.path, "Something in it is no message.");
          continue;
        }
        const at = { path: day.path, sequence, deleted: one.deleted };
        const { record, files } = messageRecord(one.message, chat, at);
        sequence = record.sequence ?? sequence;
        for (const file of files) ends.use(file.path);
        const cursor = { before: index - 1, after: index };
        if (index++ > resume) yield* messageItems(record, files, cursor, ends, context);
      }
      ends.use(day.path);
    } catch (error) {
      ends.broke(day.path, reasonOf(error, context.signal), count > 0);
    }
  }
}

/** Slack workspaces exported as JSON. One claim a channel; the cursor counts its messages. */
export const slackImporter: Importer = { id: "slack", title: "Slack", order: 80, recognise, read };
