import type { Container } from "#contract";
import { fileEnd } from "../../files.ts";
import { reasonOf, throwIfCancelled } from "../../text/guard.ts";
import type { Claim, Entry, ImportedItem, Importer, ReadContext, SourceTree } from "../../types.ts";
import { mailItems } from "../attachments.ts";
import { mailboxStatus } from "../labels.ts";
import { MailMemory } from "../memory.ts";
import { itemRecords } from "./item.ts";
import { ids } from "./mapi.ts";
import type { ReadAt } from "./ndb.ts";
import { Pst, type PstFolder } from "./pst.ts";

/** Whether bytes begin an Outlook data file. */
export function isPst(head: Uint8Array): boolean {
  return head[0] === 0x21 && head[1] === 0x42 && head[2] === 0x44 && head[3] === 0x4e;
}

const chunkBytes = 64 * 1024;
const keptChunks = 256;
/** A file that cannot be read here and there (a packed member of an archive) is held as a whole up to this. */
const heldBytes = 192 * 1024 * 1024;

/** Reads an entry here and there, in chunks of which the last ones are kept (16 MB). */
export async function readAtOf(entry: Entry): Promise<ReadAt> {
  if (entry.seekable === false) {
    const whole = Buffer.from(await entry.readAll(heldBytes));
    return async (start, end) => whole.subarray(Math.max(0, start), Math.min(end, whole.length));
  }
  const chunks = new Map<number, Buffer>();
  const chunk = async (index: number): Promise<Buffer> => {
    const known = chunks.get(index);
    if (known !== undefined) return known;
    const pieces: Uint8Array[] = [];
    const start = index * chunkBytes;
    for await (const piece of entry.stream({ start, end: start + chunkBytes })) pieces.push(piece);
    const made = Buffer.concat(pieces);
    const oldest = chunks.keys().next();
    if (chunks.size >= keptChunks && !oldest.done) chunks.delete(oldest.value);
    chunks.set(index, made);
    return made;
  };
  return async (start, end) => {
    const pieces: Buffer[] = [];
    const stop = Math.min(end, entry.bytes);
    for (let at = Math.max(0, start); at < stop; ) {
      const index = Math.floor(at / chunkBytes);
      const piece = (await chunk(index)).subarray(at - index * chunkBytes, stop - index * chunkBytes);
      if (piece.length === 0) break;
      pieces.push(piece);
      at += piece.length;
    }
    return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
  };
}

async function* recognise(free: SourceTree): AsyncGenerator<Claim> {
  for (const entry of free.entries) {
    const named = /\.(?:pst|ost)$/i.test(entry.name);
    if (!named && (entry.bytes < 564 || !/^[^.]+$|\.(?:bak|old|dat|bin|nst)$/i.test(entry.name))) continue;
    let proven = false;
    try {
      proven = isPst(await entry.head());
    } catch {
      // Said when it is read.
    }
    if (proven || named) yield { primary: entry.path, companions: [], label: entry.name, confidence: proven ? 3 : 1 };
  }
}

/** Folders that hold the store's own machinery. */
const topFolders = /^(?:root - (?:mailbox|public)|ipm_subtree|root folder|)$/i;

/** Names of a folder and those above it, outermost first; the store's own roots are left out. */
function pathOf(folder: PstFolder, byId: ReadonlyMap<number, PstFolder>): string[] {
  const names: string[] = [];
  for (let at: PstFolder | undefined = folder, hops = 0; at !== undefined && hops < 64; hops++) {
    if (!topFolders.test(at.name)) names.unshift(at.name);
    if (at.parent === at.id) break;
    at = byId.get(at.parent);
  }
  // The outermost name is that of the file as Outlook shows it ("Personal Folders"), in every language.
  return names.length > 1 ? names.slice(1) : names;
}

async function* read(claim: Claim, context: ReadContext): AsyncGenerator<ImportedItem> {
  const entry = context.tree.get(claim.primary);
  if (entry === undefined) return;
  const { signal } = context;
  const counts = { skipped: 0, unread: 0, records: 0 };
  let firstFault: string | null = null;
  let fault: string | null = null;
  try {
    const pst = await Pst.open(await readAtOf(entry));
    const { folders, lost } = await pst.folders();
    if (lost > 0) firstFault = `${lost} pages of its list of messages are damaged.`;
    const byId = new Map(folders.map((folder) => [folder.id, folder]));
    const memory = new MailMemory();
    const resume = typeof context.resume === "number" ? context.resume : 0;
    // The cursor counts messages in the order of the file's own list.
    let count = 0;
    for (const folder of folders) {
      const names = pathOf(folder, byId);
      const title = names.join("/") || entry.name;
      const container: Container = { key: `mailbox:${title}`, title, kind: "mailbox" };
      const leftOut = names.some((name) => mailboxStatus(name).leftOut !== null);
      for (const id of folder.messages) {
        throwIfCancelled(signal);
        const before = count++;
        if (leftOut) counts.skipped++;
        if (leftOut || count <= resume) continue;
        try {
          const message = await pst.message(id);
          if (message === null) throw new Error("a message is not in its table");
          const { item, offset } = message;
          const size = item.props.int(ids.messageSize);
          const source = {
            path: entry.path,
            offset,
            bytes: size !== null && size >= 0 ? size : null,
            container,
            separator: null,
            nameFlags: "",
            part: String(id),
          };
          const result = itemRecords(item, source, memory);
          if (result.mails.length === 0) counts.skipped++;
          for await (const one of mailItems(result.mails, { before, after: count }, context)) {
            counts.records++;
            yield one;
          }
        } catch (error) {
          counts.unread++;
          firstFault ??= reasonOf(error, signal);
        }
      }
    }
  } catch (error) {
    fault = reasonOf(error, signal);
  }
  const notes = [
    fault,
    counts.unread > 0 ? `${counts.unread} items could not be read.` : null,
    firstFault,
    counts.skipped > 0 ? `Left out: ${counts.skipped} deleted, marked as spam or empty.` : null,
  ].filter((note) => note !== null);
  const failed = fault !== null && counts.records === 0 && context.resume === null;
  const reason = notes.length === 0 ? null : notes.join(" ");
  yield fileEnd(entry.path, failed ? "failed" : "imported", reason, counts.skipped + counts.unread);
}

/** Outlook's data files. The cursor is the number of messages that are done. */
export const pstImporter: Importer = { id: "pst", title: "Outlook data file", order: 60, recognise, read };
