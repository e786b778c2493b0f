import type { Container } from "#contract";
import type { Entry } from "../types.ts";
import { blankLine, fieldName, type Headers, parseHeaders } from "./headers.ts";

/** Endings of files that are something else, whatever their first line looks like. */
const otherEndings = new Set(
  (
    "txt md markdown html htm xhtml mhtml csv tsv json jsonl ndjson xml plist ics vcf vcard log ini db sqlite sqlite3 msf dat dbx pst ost olm msg " +
    "jpg jpeg png gif webp heic heif avif tif tiff bmp svg raw dng cr2 nef arw mp4 mov m4v avi mkv 3gp webm mp3 m4a aac ogg opus wav flac amr caf " +
    "pdf doc docx xls xlsx ppt pptx odt ods odp rtf epub zip gz tgz tar 7z rar bz2 xz exe dll so js ts py css sh c h java rb go rs emlx crdownload part"
  ).split(" "),
);

/** Fields of which two make a header block that of a mail. */
const mailFields = ["from", "to", "date", "subject", "received", "message-id", "mime-version"];

/** Flags of a Maildir name: `…:2,FS`, with `;` or `!` where `:` is not allowed in names. */
export function maildirFlags(name: string): string | null {
  return /[:;!]2,([A-Za-z]*)$/.exec(name)?.[1] ?? null;
}

/** Lower-case ending of a name, or "" when it has none that says something. */
export function ending(name: string): string {
  return /\.([A-Za-z0-9]{1,12})$/.exec(name)?.[1]?.toLowerCase() ?? "";
}

/** Whether the name allows mail at all, so that the first bytes are worth a look. */
export function mayBeMail(entry: Entry): boolean {
  if (entry.bytes === 0 || entry.name.startsWith("._") || entry.name === ".DS_Store") return false;
  return maildirFlags(entry.name) !== null || !otherEndings.has(ending(entry.name));
}

/** The fields that are whole in the first bytes of a message: a cut last one is left out. */
export function headFields(head: Uint8Array, whole: boolean): Headers {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  let end = bytes.length;
  if (!whole && blankLine(bytes, 0, end) === null) {
    do end = bytes.lastIndexOf(10, end - 1);
    while (end > 0 && (bytes[end + 1] === 0x20 || bytes[end + 1] === 0x09));
    end = Math.max(0, end);
  }
  return parseHeaders(bytes, 0, end).headers;
}

/** Whether first bytes begin a mail: a header block with two (or `enough`) of the fields that every mail has. */
export function looksLikeMail(head: Uint8Array, enough = 2): boolean {
  const start = Buffer.from(head.subarray(0, 300))
    .toString("latin1")
    .replace(/^[\r\n]+/, "");
  if (!fieldName.test(start) && !/^>?From /.test(start)) return false;
  const fields = headFields(head, true);
  return mailFields.filter((name) => fields.has(name)).length >= enough;
}

/** The mailbox of a path: its title for a person, and a key of the last two names, which stays when roots change. */
export function mailboxOf(path: string, isFolder: boolean): Container {
  const parts = path.split("/").filter((part) => part !== "");
  // Maildir keeps a mailbox in cur, new and tmp; Apple Mail exports X.mbox/mbox.
  while (parts.length > 1 && /^(?:cur|new|tmp|mbox)$/i.test(parts.at(-1) ?? "")) parts.pop();
  const last = parts.at(-1) ?? "Mail";
  const title = isFolder ? last.replace(/\.mbox$/i, "") : last.replace(/\.(?:mbox|mbx)$/i, "");
  const above = parts.at(-2);
  return { key: `mailbox:${above === undefined ? "" : `${above}/`}${title}`, title, kind: "mailbox" };
}
