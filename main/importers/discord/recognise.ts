import { csvRows } from "../text/csv.ts";
import { jsonItems } from "../text/json.ts";
import { type Entry, limits } from "../types.ts";
import { packageMessageSchema } from "./schema.ts";

/** What first bytes tell. */

async function headOf(entry: Entry): Promise<string> {
  try {
    return new TextDecoder().decode(await entry.head()).replace(/^\ufeff/, "");
  } catch {
    // A file that cannot be read is told of by whoever takes it in.
    return "";
  }
}

/** JSON of DiscordChatExporter. */
export async function isExport(entry: Entry): Promise<boolean> {
  if (!/\.json$/i.test(entry.name) || entry.name.startsWith("._")) return false;
  const head = await headOf(entry);
  if (!/^\s*\{/.test(head) || !/"guild"\s*:\s*\{/.test(head)) return false;
  return /"channel"\s*:\s*\{/.test(head) || /"dateRange"\s*:/.test(head);
}

/** Messages of a channel in Discord's data package, of today (JSON) and of before 2024 (CSV). */
export async function isPackageMessages(entry: Entry): Promise<boolean> {
  if (entry.name.startsWith("._")) return false;
  if (/\.csv$/i.test(entry.name)) return /^"?ID"?,"?Timestamp"?,"?Contents"?,"?Attachments"?/.test(await headOf(entry));
  if (!/\.json$/i.test(entry.name)) return false;
  const head = await headOf(entry);
  if (/^\s*\[\s*\{[\s\S]{0,200}"ID"\s*:/.test(head)) return /"(?:Contents|Timestamp)"\s*:/.test(head);
  return entry.name.toLowerCase() === "messages.json" && /^\s*\[\s*\]\s*$/.test(head);
}

/** Other forms of DiscordChatExporter, which hold less. */
export async function isOtherForm(entry: Entry): Promise<boolean> {
  if (!/\.(?:html?|csv|txt)$/i.test(entry.name)) return false;
  const head = await headOf(entry);
  if (/\.html?$/i.test(entry.name)) return /DiscordChatExporter|class="preamble__|chatlog__/.test(head);
  if (/\.csv$/i.test(entry.name)) return /^"?AuthorID"?,"?Author"?,"?Date"?,"?Content"?/.test(head);
  return /^={20,}\r?\n(?:Guild|Server): [^\n]*\r?\nChannel: /.test(head);
}

/** Rows of a package's messages, in the form of its JSON. */
export async function* packageRows(entry: Entry): AsyncGenerator<unknown> {
  if (!/\.csv$/i.test(entry.name)) {
    for await (const { value } of jsonItems(entry, ["$.*"])) yield value;
    return;
  }
  const text = new TextDecoder().decode(await entry.readAll(limits.chatBytes));
  let first = true;
  for (const [ID, Timestamp, Contents, Attachments] of csvRows(text.replace(/^\ufeff/, ""), ",")) {
    if (!first) yield { ID, Timestamp, Contents, Attachments };
    first = false;
  }
}

export async function* packageIds(entry: Entry): AsyncGenerator<string> {
  for await (const row of packageRows(entry)) {
    const read = packageMessageSchema.safeParse(row);
    if (read.success && read.data.ID !== null) yield read.data.ID;
  }
}
