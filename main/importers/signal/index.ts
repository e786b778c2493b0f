import { FileEnds } from "../chats/sent.ts";
import { folderOf } from "../files.ts";
import { reasonOf } from "../text/guard.ts";
import type { Claim, Entry, Folders, ImportedItem, Importer, ReadContext, SourceTree } from "../types.ts";
import { isHeader, parseLine } from "./export.ts";
import { fingerprintsOf, readFolder, titleOf } from "./folder.ts";
import { readNative } from "./native.ts";
import { fieldsOf } from "./values.ts";

type Form = "native" | "folder" | "phone" | "desktop" | "page";

const within = (folder: string, name: string) => (folder === "" ? name : `${folder}/${name}`);

const hints: Readonly<Record<Exclude<Form, "native" | "folder">, string>> = {
  phone:
    "A backup of Signal is encrypted and is not opened here. In Signal on the phone choose Settings → Backups → Export chats (plaintext), or turn the backup into files with signalbackup-tools, and import that.",
  desktop:
    "Signal Desktop's database is encrypted with a key of this computer and is not opened here. Run signal-export or sigtop, which write readable folders, or export chats from Signal on the phone, and import that.",
  page: "This page of signal-export leaves out seconds and replies. Run signal-export again, or import the data.json or chat.md beside it.",
};

async function headOf(entry: Entry): Promise<Uint8Array> {
  // A file that cannot be read is told of by whoever takes it in.
  return entry.head().catch(() => new Uint8Array());
}

/** The frame of a phone's backup: length, then a header with an initialisation vector of 16 bytes and a salt of 32. */
function isPhoneBackup(head: Uint8Array): boolean {
  const [a, b, c, length = 0, header, , iv, size] = head;
  return (
    a === 0 && b === 0 && c === 0 && length >= 0x30 && length <= 0x60 && header === 0x0a && iv === 0x0a && size === 0x10
  );
}

const firstLine = (head: string) => head.replace(/^\ufeff/, "").split("\n", 1)[0] ?? "";

/** First lines that only Signal's plaintext export has. */
function isNative(head: string): boolean {
  const lines = head
    .replace(/^\ufeff/, "")
    .split("\n")
    .slice(0, 4);
  return lines.some((line) => {
    if (!line.startsWith("{")) return false;
    if (/^\{[^{}]{0,400}"backup_?(?:T|t)ime_?(?:M|m)s"\s*:/.test(line) || /^\{\s*"backup_?[iI]nfo"/.test(line))
      return true;
    const frame = fieldsOf(line);
    return frame !== null && ("chatItem" in frame || ("recipient" in frame && typeof frame.recipient === "object"));
  });
}

function isDesktop(entry: Entry, free: Folders, head: Uint8Array): boolean {
  if (entry.name.toLowerCase() !== "db.sqlite" || !/(?:^|\/)sql\/[^/]*$/i.test(entry.joined)) return false;
  const plain = new TextDecoder().decode(head.subarray(0, 15)) === "SQLite format 3";
  return (
    !plain && (free.get(within(folderOf(folderOf(entry.joined)), "config.json")) !== undefined || head.length >= 512)
  );
}

async function formOf(entry: Entry, free: Folders): Promise<Form | null> {
  const name = entry.name.toLowerCase();
  if (entry.name.startsWith("._") || entry.bytes === 0) return null;
  if (/\.backup$/.test(name)) return isPhoneBackup(await headOf(entry)) ? "phone" : null;
  if (name === "db.sqlite") return isDesktop(entry, free, await headOf(entry)) ? "desktop" : null;
  const sealed = name === "main" && free.get(within(folderOf(entry.joined), "metadata")) !== undefined;
  if (sealed && free.get(within(folderOf(entry.joined), "files")) !== undefined) return "phone";
  if (!/\.(?:jsonl|ndjson|json|md|html)$/.test(name)) return null;
  const head = new TextDecoder().decode(await headOf(entry));
  if (/\.(?:jsonl|ndjson)$/.test(name) || name === "main.json")
    return isNative(head) ? "native" : isLines(head) ? "folder" : null;
  if (/\.json$/.test(name)) return isLines(head) ? "folder" : null;
  if (/\.md$/.test(name)) return isChatPage(head) ? "folder" : null;
  return /<div class="?msg[ ">]/.test(head) && /<span class="?sender/.test(head) ? "page" : null;
}

/** Lines of JSON that each tell a date, a sender and a body. A line may be longer than the first bytes. */
function isLines(head: string): boolean {
  const line = firstLine(head);
  if (!/^\{\s*"date"\s*:/.test(line) || !/"sender"\s*:/.test(line) || !/"body"\s*:/.test(line)) return false;
  return line.length > 4_000 || parseLine(line) !== null;
}

/** Notes of a person may begin with a date too: signal-export names its file, or most lines are such headers. */
function isChatPage(head: string): boolean {
  const lines = head
    .replace(/^\ufeff/, "")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const headers = lines.filter(isHeader).length;
  return isHeader(lines[0] ?? "") && (headers >= 2 || lines.length === 1 || headers >= lines.length / 3);
}

const rank = (entry: Entry) => (/\.md$/i.test(entry.name) ? 1 : /\.html$/i.test(entry.name) ? 2 : 0);

async function* recognise(free: SourceTree): AsyncGenerator<Claim> {
  const chats = new Map<string, Entry[]>();
  for (const entry of free.entries) {
    const form = await formOf(entry, free.joined);
    const folder = folderOf(entry.joined);
    if (form === "folder" || form === "page") chats.set(folder, [...(chats.get(folder) ?? []), entry]);
    else if (form !== null)
      yield { primary: entry.path, companions: besides(entry, form, free), label: entry.name, confidence: 3 };
  }
  const told = new Set<string>();
  for (const [folder, forms] of chats) {
    const [best, ...others] = forms.sort((a, b) => rank(a) - rank(b) || (a.joined < b.joined ? -1 : 1));
    if (best === undefined) continue;
    const above = folderOf(folder);
    const companions = [...others, ...free.joined.below(within(folder, "media"))];
    companions.push(
      ...free.joined.inFolder(folder).filter(({ name }) => /^(?:data\.json|chat\.md|index\.(?:md|html))$/i.test(name)),
    );
    if (folder !== "" && !told.has(above)) {
      told.add(above);
      companions.push(...free.joined.below(within(above, "exported_stickers")));
      companions.push(
        ...free.joined.inFolder(above).filter(({ name }) => /^(?:style|main|pure.*)\.css$|^\.?main\.js$/i.test(name)),
      );
    }
    const paths = new Set(companions.map(({ path }) => path));
    paths.delete(best.path);
    const fingerprints = rank(best) === 2 ? [] : await fingerprintsOf(best).catch(() => []);
    yield { primary: best.path, companions: [...paths], label: titleOf(best), confidence: 3, fingerprints };
  }
}

/** What goes with a file that is an export of its own. */
function besides(entry: Entry, form: Form, free: SourceTree): string[] {
  const folder = folderOf(entry.joined);
  const beside = (name: string) => free.joined.get(within(folder, name));
  if (form === "native") {
    const files = free.joined.below(within(folder, "files"));
    return [beside("metadata.json"), ...files].flatMap((one) => (one === undefined ? [] : [one.path]));
  }
  if (form === "desktop") {
    const root = folderOf(folder);
    const own =
      /^(?:sql|attachments\.noindex|avatars\.noindex|stickers\.noindex|badges\.noindex|drafts\.noindex|temp)$/i;
    const start = root === "" ? 0 : root.length + 1;
    return free.joined
      .below(root)
      .filter(({ joined }) => {
        const [top = ""] = joined.slice(start).split("/");
        return own.test(top) || joined === within(root, "config.json") || joined === within(root, "ephemeral.json");
      })
      .map(({ path }) => path)
      .filter((path) => path !== entry.path);
  }
  if (entry.name.toLowerCase() !== "main") return [];
  return [beside("metadata"), beside("files")].flatMap((one) => (one === undefined ? [] : [one.path]));
}

async function* read(claim: Claim, context: ReadContext): AsyncGenerator<ImportedItem> {
  const entry = context.tree.get(claim.primary);
  if (entry === undefined) return;
  const ends = new FileEnds(claim);
  const form = await formOf(entry, context.tree.joined);
  if (form !== "native" && form !== "folder") {
    const reason = hints[form ?? "phone"];
    for (const path of [claim.primary, ...claim.companions]) ends.warn(path, reason);
    yield* ends.items(reason);
    return;
  }
  let records = context.resume === null ? 0 : 1;
  try {
    const items = form === "native" ? readNative(claim, entry, context, ends) : readFolder(claim, entry, context, ends);
    for await (const item of items) {
      records++;
      yield item;
    }
  } catch (error) {
    ends.broke(entry.path, reasonOf(error, context.signal), records > 0);
  }
  if (form === "folder") {
    const folder = folderOf(entry.path);
    for (const path of claim.companions) {
      if (folderOf(path) === folder) ends.warn(path, `${entry.name} beside it has the same messages.`);
    }
  }
  yield* ends.items("No message names it.");
}

/** Signal: the plaintext export and folders of signal-export. The cursor is the line of the last message done. */
export const signalImporter: Importer = { id: "signal", title: "Signal", order: 85, zoneless: true, recognise, read };
