import { FilesBeside } from "../chats/beside.ts";
import { Repeats } from "../chats/message.ts";
import { type FileEnds, messageItems } from "../chats/sent.ts";
import { folderOf } from "../files.ts";
import { throwIfCancelled } from "../text/guard.ts";
import type { Claim, Entry, ImportedItem, ReadContext } from "../types.ts";
import { type ItemContext, itemRecord } from "./item.ts";
import { linesOf } from "./lines.ts";
import { Directory } from "./people.ts";
import { PointerFiles } from "./pointers.ts";
import { type Fields, fieldsOf, isFields } from "./values.ts";

/** Signal's plaintext export: main.jsonl, one frame of the backup format a line, and its files. */

/** The kind of a frame in its first characters: whether a line need be parsed to learn who is who. */
const directoryLine = /"(?:recipient|chat|account)"/;

/** People, groups and chats; they may stand behind the messages. */
async function directoryOf(entry: Entry, signal: AbortSignal): Promise<Directory> {
  const directory = new Directory();
  for await (const line of linesOf(entry)) {
    throwIfCancelled(signal);
    if (!directoryLine.test(line.text.slice(0, 200))) continue;
    const frame = fieldsOf(line.text);
    if (frame === null) continue;
    for (const kind of ["account", "recipient", "chat"] as const) {
      const fields = frame[kind] ?? (frame.type === kind ? frame : null);
      if (isFields(fields)) directory[kind](fields);
    }
  }
  return directory;
}

function chatItemOf(frame: Fields): Fields | null {
  if (isFields(frame.chatItem)) return frame.chatItem;
  return frame.chatId !== undefined && frame.dateSent !== undefined ? frame : null;
}

export async function* readNative(
  claim: Claim,
  entry: Entry,
  context: ReadContext,
  ends: FileEnds,
): AsyncGenerator<ImportedItem> {
  ends.use(entry.path);
  const companions = claim.companions.map((path) => context.tree.get(path)).filter((one) => one !== undefined);
  for (const one of companions) if (one.name.toLowerCase() === "metadata.json") ends.use(one.path);
  const files = new PointerFiles(new FilesBeside(claim, context.tree, folderOf(entry.joined)), companions);
  const directory = await directoryOf(entry, context.signal);
  const shared = { directory, files, path: entry.path, repeats: new Repeats(), edited: new Map<string, string>() };
  const resume = typeof context.resume === "number" ? context.resume : 0;
  let before = 0;
  for await (const line of linesOf(entry)) {
    throwIfCancelled(context.signal);
    if (line.text.trim() === "") continue;
    const frame = line.cut ? null : fieldsOf(line.text);
    if (frame === null) {
      ends.leaveOut(entry.path, "Some lines cannot be read.");
      continue;
    }
    const item = chatItemOf(frame);
    if (item === null) continue;
    const place: ItemContext = { ...shared, index: line.number };
    const read = await itemRecord(item, place);
    if (read === null) {
      ends.leaveOut(entry.path, "Some entries are of a kind that is not known.");
      continue;
    }
    for (const one of [...read.entries, ...read.shown]) ends.use(one.path);
    if (line.number > resume) {
      yield* messageItems(read.record, read.entries, { before, after: line.number }, ends, context);
    }
    before = line.number;
  }
}
