import { blankRecord } from "../../blank.ts";
import { baseName, fileEnd, folderOf } from "../../files.ts";
import { reasonOf, throwIfCancelled } from "../../text/guard.ts";
import {
  type Claim,
  type Entry,
  type ImportedItem,
  type Importer,
  limits,
  type ReadContext,
  type SourceTree,
} from "../../types.ts";
import { fileRecords, mailItems } from "../attachments.ts";
import { MailMemory } from "../memory.ts";
import { mailboxOf } from "../recognise.ts";
import { isCfb } from "./cfb.ts";
import { itemRecords } from "./item.ts";
import type { MapiItem } from "./mapi.ts";
import { mapiMessage, textOf } from "./message.ts";
import { readMsg } from "./msg.ts";
import { isTnef, readTnef } from "./tnef.ts";

/** Names that Outlook gives; other compound files are documents, and are not opened to find out. */
const named = /\.(?:msg|oft)$/i;
const mayBeTnef = /^[^.]+$|\.(?:dat|tnef|bin|att)$/i;

async function* recognise(free: SourceTree): AsyncGenerator<Claim> {
  const found: Entry[] = [];
  for (const entry of free.entries) {
    if (entry.name.startsWith("._") || !(named.test(entry.name) || mayBeTnef.test(entry.name))) continue;
    let proven = false;
    try {
      const head = await entry.head();
      proven = named.test(entry.name) ? isCfb(head) || entry.bytes === 0 : isTnef(head);
    } catch {
      // Told when it is read.
      proven = named.test(entry.name);
    }
    if (proven) found.push(entry);
  }
  for (const [folder, [first, ...others]] of Map.groupBy(found, ({ path }) => folderOf(path))) {
    if (first === undefined) continue;
    const label = others.length === 0 ? first.name : baseName(folder) || "Outlook messages";
    yield { primary: first.path, companions: others.map(({ path }) => path), label, confidence: 3 };
  }
}

async function* read(claim: Claim, context: ReadContext): AsyncGenerator<ImportedItem> {
  const paths = [claim.primary, ...claim.companions];
  const entries = paths.map((path) => context.tree.get(path)).filter((entry) => entry !== undefined);
  const memory = new MailMemory();
  const done = entries.findIndex((entry) => entry.path === context.resume);
  for (const [i, entry] of entries.entries()) {
    throwIfCancelled(context.signal);
    if (i < done) continue;
    for await (const item of readFile(entry, entries[i - 1]?.path ?? "", memory, context)) {
      if (i !== done || item.type === "file") yield item;
    }
  }
}

async function* readFile(
  entry: Entry,
  before: string,
  memory: MailMemory,
  context: ReadContext,
): AsyncGenerator<ImportedItem> {
  if (entry.bytes === 0) {
    yield fileEnd(entry.path, "skipped", "The file is empty.");
    return;
  }
  try {
    const bytes = Buffer.from(await entry.readAll(limits.pictureBytes));
    const item = isTnef(bytes) ? readTnef(bytes) : readMsg(bytes);
    if (item === null) {
      yield fileEnd(entry.path, "failed", "The file is named like a message of Outlook, but holds none.");
      return;
    }
    const source = {
      path: entry.path,
      offset: null,
      bytes: entry.bytes,
      container: mailboxOf(folderOf(entry.path), true),
      separator: null,
      nameFlags: "",
    };
    if (isTnef(bytes) && !standsAlone(item)) {
      yield* looseFiles(entry, item, before, context);
      return;
    }
    const result = itemRecords(item, source, memory);
    if (result.leftOut !== null) yield fileEnd(entry.path, "skipped", "Its folder holds deleted mail or spam.");
    else if (result.mails.length === 0) yield fileEnd(entry.path, "skipped", "The item is empty.");
    else {
      yield* mailItems(result.mails, { before, after: entry.path }, context);
      yield fileEnd(entry.path, "imported", result.warning);
    }
  } catch (error) {
    yield fileEnd(entry.path, "failed", reasonOf(error, context.signal));
  }
}

/** A winmail.dat that was saved on its own holds files; some hold a text, and are a message. */
function standsAlone(item: MapiItem): boolean {
  return textOf(item.props) !== "" || item.attachments.some((one) => one.item !== null);
}

/** The files of a winmail.dat without its mail: items of their own. */
async function* looseFiles(
  entry: Entry,
  item: MapiItem,
  before: string,
  context: ReadContext,
): AsyncGenerator<ImportedItem> {
  const container = mailboxOf(folderOf(entry.path), true);
  const about = {
    ...blankRecord(),
    identity: `tnef:${entry.path}`.slice(0, 1000),
    kind: "document" as const,
    container,
    files: [{ path: entry.path, offset: null, bytes: entry.bytes, role: null }],
    props: {},
  };
  const records = await Array.fromAsync(fileRecords(about, mapiMessage(item).body.files, context));
  for (const [i, record] of records.entries()) {
    const cursor = i === records.length - 1 ? entry.path : before;
    yield { type: "record", record: { ...record, partOf: null }, cursor };
  }
  const reason = item.damaged ? "The file breaks off; what stands before the break is kept." : null;
  yield records.length === 0
    ? fileEnd(entry.path, "skipped", reason ?? "It holds no files and no text.")
    : fileEnd(entry.path, "imported", reason);
}

/** Messages of Outlook as files, and winmail.dat on its own. The cursor is the path of the one read last. */
export const msgImporter: Importer = { id: "msg", title: "Outlook messages", order: 50, recognise, read };
