import type { Container } from "#contract";
import { Repeats } from "../chats/message.ts";
import { FileEnds, messageItems } from "../chats/sent.ts";
import { fileEnd, folderOf } from "../files.ts";
import { reasonOf, throwIfCancelled } from "../text/guard.ts";
import { jsonItems } from "../text/json.ts";
import type { Claim, Entry, ImportedItem, Importer, ReadContext, SourceTree } from "../types.ts";
import { isOwnerFile, ownerOf } from "./owner.ts";
import { type Chat, messageKey, messageRecord } from "./record.ts";
import { repair } from "./repair.ts";
import { type MetaMessage, readMessage } from "./schema.ts";
import {
  findFile,
  isShelved,
  looksLikeThread,
  participantsIn,
  partNumber,
  rootsOf,
  surveyThread,
  type Thread,
} from "./thread.ts";

const htmlReason =
  "Messages in HTML are not read: their dates are words in the account's language. Ask for the export once more, in the format JSON.";

/** Folders of media inside a thread's folder, or beside a thread of the flat form. */
const mediaFolders = ["photos", "videos", "audio", "gifs", "files", "stickers", "stickers_used", "media"];
const sharedFolders = ["stickers_used", "photos", "stickers"];

/** Sidecars of pictures: of these there may be hundreds of thousands. */
const sidecar = /\.(?:jpe?g|png|heic|gif|webp|mp4|mov)\..*json$/i;

async function headOf(entry: Entry): Promise<Uint8Array> {
  return entry.head().catch(() => new Uint8Array());
}

async function* recognise(free: SourceTree): AsyncGenerator<Claim> {
  /** Parts of each thread by the folder where it stands once all parts of the export are laid over each other. */
  const threads = new Map<string, { parts: Entry[]; known: boolean; head: Uint8Array }>();
  const pages = new Map<string, Entry[]>();
  for (const entry of free.entries) {
    if (entry.name.startsWith("._")) continue;
    const folder = folderOf(entry.joined);
    const numbered = partNumber(entry.name) !== null;
    if (numbered && /\.html$/i.test(entry.name)) pages.set(folder, [...(pages.get(folder) ?? []), entry]);
    if (!/\.json$/i.test(entry.name) || sidecar.test(entry.name)) continue;
    const head = await headOf(entry);
    const known = looksLikeThread(head, entry.name);
    if (!known && !numbered) continue;
    const key = numbered ? `${folder}/` : entry.joined;
    const thread = threads.get(key) ?? { parts: [], known: false, head };
    if (known && !thread.known) Object.assign(thread, { known, head });
    thread.parts.push(entry);
    threads.set(key, thread);
  }
  const roots = new Set<string>();
  for (const [key, { parts, known, head }] of threads) {
    const [first] = parts;
    const folder = folderOf(first?.joined ?? "");
    if (!known && !isShelved(key)) continue;
    const { messages, root } = rootsOf(folder);
    const within = (name: string, top: string) => free.joined.below(top === "" ? name : `${top}/${name}`);
    const mine = mediaFolders.flatMap((name) => within(name, folder));
    if (!roots.has(root)) {
      roots.add(root);
      if (messages !== folder) mine.push(...sharedFolders.flatMap((name) => within(name, messages)));
      mine.push(...free.joined.below(root).filter(({ name }) => isOwnerFile(name)));
    }
    if (key.endsWith("/")) mine.push(...(pages.get(folder) ?? []));
    pages.delete(folder);
    const ordered = inOrder(parts);
    const primary = ordered[0]?.path ?? "";
    const companions = [...ordered.slice(1), ...mine].map(({ path }) => path);
    const people = participantsIn(head)?.slice(0, 4).join(", ");
    yield { primary, companions, label: people ?? folder, confidence: known ? 3 : 1 };
  }
  for (const [folder, entries] of pages) yield* declined(folder, entries);
}

/** Threads in HTML, told of as such. Their pictures are left to whoever reads loose pictures. */
async function* declined(folder: string, entries: readonly Entry[]): AsyncGenerator<Claim> {
  const [first, ...others] = inOrder(entries);
  if (first === undefined) return;
  const text = new TextDecoder().decode(await headOf(first));
  if (!isShelved(folder) && !/uiBoxWhite|_a6-[gop]|pam _3-95/.test(text)) return;
  yield { primary: first.path, companions: others.map(({ path }) => path), label: folder, confidence: 2 };
}

/** Numeric order of the parts, as the newest comes first: 1, 2, 10. */
function inOrder(parts: readonly Entry[]): Entry[] {
  return [...parts].sort(
    (a, b) => (partNumber(a.name) ?? 0) - (partNumber(b.name) ?? 0) || (a.joined < b.joined ? -1 : 1),
  );
}

async function* read(claim: Claim, context: ReadContext): AsyncGenerator<ImportedItem> {
  const primary = context.tree.get(claim.primary);
  if (primary === undefined) return;
  if (/\.html$/i.test(primary.name)) {
    for (const path of [claim.primary, ...claim.companions]) yield fileEnd(path, "skipped", htmlReason);
    return;
  }
  const ends = new FileEnds(claim);
  const companions = claim.companions.flatMap((path) => context.tree.get(path) ?? []);
  const isPart = ({ name, joined }: Entry) =>
    partNumber(name) !== null && /\.json$/i.test(name) && folderOf(joined) === folderOf(primary.joined);
  const parts = [primary, ...(partNumber(primary.name) === null ? [] : companions.filter(isPart))];
  for (const { name, path, joined } of companions) {
    if (/\.html$/i.test(name) && partNumber(name) !== null) ends.warn(path, "The same messages are read from JSON.");
    // Stickers and the like may belong to any thread of the export.
    else if (isOwnerFile(name) || !joined.startsWith(`${folderOf(primary.joined)}/`)) ends.use(path);
    else if (partNumber(primary.name) === null) ends.use(path);
  }
  const thread = await surveyThread(primary, context.signal);
  const chat = await chatOf(thread, claim, primary, context);
  yield* readParts(parts, thread, chat, ends, context);
  yield* ends.items("No message names this file.");
}

async function chatOf(thread: Thread, claim: Claim, primary: Entry, context: ReadContext): Promise<Chat> {
  const { root } = rootsOf(folderOf(primary.joined));
  const family = [claim, ...context.siblings].filter((one) => {
    const entry = context.tree.get(one.primary);
    return entry !== undefined && rootsOf(folderOf(entry.joined)).root === root;
  });
  let owners = await ownerOf(root, family, context);
  const { participants, title } = thread;
  // A chat of two is called after the other one.
  const pair = new Set(participants);
  if (owners.size === 0 && pair.size === 2 && title !== null && pair.has(title)) {
    owners = new Set([...pair].filter((name) => name !== title));
  }
  const others = participants.filter((name) => !owners.has(name));
  const shown = title ?? (others.length > 0 ? others.slice(0, 8).join(", ") : null);
  const container: Container = { key: thread.key, title: shown, kind: "chat" };
  return {
    container,
    participants,
    isOwner: (name) => owners.has(name),
    fileOf: (uri) => findFile(uri, primary, context.tree),
  };
}

/** Equal moments that are held back to be told oldest first; more of them are told as they come. */
const longestRun = 1_000;

async function* readParts(
  parts: readonly Entry[],
  thread: Thread,
  chat: Chat,
  ends: FileEnds,
  context: ReadContext,
): AsyncGenerator<ImportedItem> {
  const mend = thread.flat ? (text: string) => text : repair;
  const resume = typeof context.resume === "number" ? context.resume : -1;
  const withoutTime = new Repeats();
  let repeats = new Repeats();
  let run: { message: MetaMessage; path: string }[] = [];
  let newestFirst = true;
  let index = 0;
  let last = 0;
  const tell = async function* (): AsyncGenerator<ImportedItem> {
    const told = newestFirst ? run.reverse() : run;
    run = [];
    for (const { message, path } of told) {
      throwIfCancelled(context.signal);
      const repeat = (message.ms === null ? withoutTime : repeats).next(messageKey(message));
      const { record, files } = messageRecord(message, chat, { path, sequence: last, repeat });
      last = record.sequence ?? last;
      for (const file of files) ends.use(file.path);
      const cursor = { before: index - 1, after: index };
      if (index++ > resume) yield* messageItems(record, files, cursor, ends, context);
    }
  };
  for (const part of parts) {
    let count = 0;
    try {
      for await (const { value } of jsonItems(part, ["$.messages.*"])) {
        count++;
        const message = readMessage(value, mend);
        if (message === null) {
          ends.leaveOut(part.path, "Something among the messages is no message.");
          continue;
        }
        const before = run[0]?.message.ms ?? null;
        if (run.length > 0 && (before !== message.ms || run.length >= longestRun)) {
          if (before !== null && message.ms !== null && before !== message.ms) newestFirst = before > message.ms;
          yield* tell();
          if (before !== message.ms) repeats = new Repeats();
        }
        run.push({ message, path: part.path });
      }
      ends.use(part.path);
    } catch (error) {
      ends.broke(part.path, reasonOf(error, context.signal), count > 0);
    }
  }
  yield* tell();
}

/** Chats of Messenger and Instagram from Meta's JSON exports. The cursor counts the messages of the thread. */
export const metaImporter: Importer = { id: "meta", title: "Messenger or Instagram", order: 80, recognise, read };
