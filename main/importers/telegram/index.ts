import { FileEnds } from "../chats/sent.ts";
import { baseName, folderOf } from "../files.ts";
import { reasonOf } from "../text/guard.ts";
import type { Claim, Entry, Folders, ImportedItem, Importer, ReadContext, SourceTree } from "../types.ts";
import { inPageOrder, readHtmlExport } from "./html.ts";
import { readJsonExport } from "./json.ts";
import { chatOf, type TelegramChat } from "./record.ts";

const chatType =
  /"type"\s*:\s*"(?:personal_chat|bot_chat|saved_messages|replies|verification_codes|private_group|(?:private|public)_(?:supergroup|channel|group))"/;

/** Whether first bytes begin a result.json, whatever it is called. */
function isResult(head: string): boolean {
  if (!/^\s*\{/.test(head)) return false;
  if (chatType.test(head)) return true;
  if (/"messages"\s*:\s*\[/.test(head) && /"type"\s*:\s*"(?:message|service)"/.test(head)) {
    return /"(?:from_id|actor_id|date_unixtime|text_entities)"\s*:/.test(head);
  }
  const account = /^\s*\{\s*"about"\s*:/.test(head);
  return (
    account && /"(?:personal_information|profile_pictures|frequent_contacts|contacts|sessions|chats)"\s*:/.test(head)
  );
}

/** Whether first bytes begin a page of messages of an HTML export. */
const isPage = (head: string): boolean =>
  /<title>\s*Exported Data\s*<\/title>/i.test(head) && /class="(?:[^"]*\s)?(?:chat_page|history)[\s"]/.test(head);

async function headOf(entry: Entry): Promise<string> {
  try {
    return new TextDecoder().decode(await entry.head()).replace(/^\ufeff/, "");
  } catch {
    // A file that cannot be read is told of by whoever takes it in.
    return "";
  }
}

/** Folders that both forms of an export make beside their pages. */
const ownFolders =
  /^(?:photos|files|video_files|voice_messages|round_video_messages|stickers|contacts|animations|profile_pictures|stories|userpics|polls|css|js|images|lists|chats)$/i;
const ownFolder = /(?:^|\/)(?:ChatExport|DataExport)_[^/]*$/i;

/** All that stands below an export's folder, but for other exports in it; of a mixed folder, only what exports make. */
function companionsOf(folder: string, tree: Folders, others: readonly string[]): Entry[] {
  const start = folder === "" ? 0 : folder.length + 1;
  const whole = ownFolder.test(folder);
  const inner = others.filter((other) => other !== folder && (folder === "" || other.startsWith(`${folder}/`)));
  return tree.below(folder).filter(({ joined }) => {
    if (inner.some((other) => joined.startsWith(`${other}/`))) return false;
    if (whole) return true;
    const rest = joined.slice(start);
    const top = rest.slice(0, Math.max(0, rest.indexOf("/")));
    return top === "" ? /^(?:messages\d*|export_results)\.html?$/i.test(rest) : ownFolders.test(top);
  });
}

async function* recognise(free: SourceTree): AsyncGenerator<Claim> {
  const results: Entry[] = [];
  const pages = new Map<string, Entry[]>();
  for (const entry of free.entries) {
    if (entry.name.startsWith("._") || entry.bytes === 0) continue;
    if (/\.json$/i.test(entry.name)) {
      if (isResult(await headOf(entry))) results.push(entry);
    } else if (/\.html?$/i.test(entry.name) && isPage(await headOf(entry))) {
      const folder = folderOf(entry.joined);
      pages.set(folder, [...(pages.get(folder) ?? []), entry]);
    }
  }
  const folders = [...new Set(results.map(({ joined }) => folderOf(joined)))];
  const taken = new Set(results.map(({ path }) => path));
  for (const result of results) {
    const companions = companionsOf(folderOf(result.joined), free.joined, folders).filter(
      ({ path }) => !taken.has(path),
    );
    for (const { path } of companions) taken.add(path);
    const label = labelOf(result);
    yield { primary: result.path, companions: companions.map(({ path }) => path), label, confidence: 3 };
  }
  for (const [folder, list] of pages) {
    const own = list.filter(({ path }) => !taken.has(path)).sort(inPageOrder);
    const [first, ...rest] = own;
    if (first === undefined) continue;
    const beside = companionsOf(folder, free.joined, [...pages.keys()]).filter(({ path }) => !taken.has(path));
    const companions = new Set([...rest, ...beside].map(({ path }) => path));
    companions.delete(first.path);
    for (const path of [first.path, ...companions]) taken.add(path);
    yield { primary: first.path, companions: [...companions], label: labelOf(first), confidence: 3 };
  }
  yield* leftOvers(free, taken);
}

/** The start page of an account's HTML export and what goes with it: no messages, but no web pages of a person either. */
async function* leftOvers(free: SourceTree, taken: ReadonlySet<string>): AsyncGenerator<Claim> {
  for (const entry of free.entries) {
    if (entry.name.toLowerCase() !== "export_results.html" || taken.has(entry.path)) continue;
    if (!/<title>\s*Exported Data\s*<\/title>/i.test(await headOf(entry))) continue;
    const companions = companionsOf(folderOf(entry.joined), free.joined, []).filter(({ path }) => !taken.has(path));
    const paths = companions.map(({ path }) => path).filter((path) => path !== entry.path);
    yield { primary: entry.path, companions: paths, label: labelOf(entry), confidence: 3 };
  }
}

const labelOf = (entry: Entry) => {
  const folder = folderOf(entry.path);
  return folder === "" ? entry.name : baseName(folder);
};

/** Chats of JSON exports of the same import by title, as far as their first bytes tell them; null where two share one. */
async function chatsByTitle(tree: SourceTree): Promise<ReadonlyMap<string, TelegramChat | null>> {
  const chats = new Map<string, TelegramChat | null>();
  for (const entry of tree.entries) {
    if (!/\.json$/i.test(entry.name)) continue;
    const head = await headOf(entry);
    if (!isResult(head) || !chatType.test(head)) continue;
    const before = head.slice(0, Math.max(0, head.search(/"messages"\s*:/)));
    const field = (name: string) =>
      new RegExp(`"${name}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*"|-?\\d+)`).exec(before)?.[1] ?? null;
    const name = unquoted(field("name"));
    if (name === null || !/^\s*\{\s*"(?:name|type|id)"/.test(head)) continue;
    const chat = chatOf({ name, type: unquoted(field("type")), id: unquoted(field("id")) }, null, null);
    const known = chats.get(name);
    chats.set(name, known === undefined || known?.container.key === chat.container.key ? chat : null);
  }
  return chats;
}

function unquoted(value: string | null): string | null {
  if (value === null || !value.startsWith('"')) return value;
  try {
    return String(JSON.parse(value));
  } catch {
    return null;
  }
}

async function* read(claim: Claim, context: ReadContext): AsyncGenerator<ImportedItem> {
  const entry = context.tree.get(claim.primary);
  if (entry === undefined) return;
  const ends = new FileEnds(claim);
  const json = isResult(await headOf(entry));
  let records = context.resume === null ? 0 : 1;
  try {
    const items = json ? readJsonExport(claim, context, ends) : await pagesOf(claim, entry, context, ends);
    for await (const item of items) {
      records++;
      yield item;
    }
  } catch (error) {
    ends.broke(entry.path, reasonOf(error, context.signal), records > 0);
  }
  if (json) {
    for (const path of claim.companions) {
      if (/\.html?$/i.test(path)) ends.warn(path, "The JSON export beside it has the same messages.");
    }
  }
  yield* ends.items("No message names it.");
}

async function pagesOf(
  claim: Claim,
  entry: Entry,
  context: ReadContext,
  ends: FileEnds,
): Promise<AsyncIterable<ImportedItem>> {
  const folder = folderOf(entry.joined);
  const pages: Entry[] = [];
  for (const path of [claim.primary, ...claim.companions]) {
    const page = context.tree.get(path);
    if (page === undefined || folderOf(page.joined) !== folder || !/\.html?$/i.test(page.name)) continue;
    if (isPage(await headOf(page))) pages.push(page);
  }
  if (pages.length === 0) ends.warn(entry.path, "It lists what was exported and holds no messages.");
  const chats = await chatsByTitle(context.tree);
  return readHtmlExport(claim, pages.sort(inPageOrder), context, ends, (title) => chats.get(title) ?? null);
}

/** Exports of Telegram Desktop: result.json, or pages of HTML. The cursor is the number of messages done. */
export const telegramImporter: Importer = { id: "telegram", title: "Telegram", order: 85, recognise, read };
