import type { Attachment, ImportedRecord } from "#contract";
import { blankRecord } from "./blank.ts";
import { readPicture } from "./photos/index.ts";
import { reasonOf } from "./text/guard.ts";
import type { Entry } from "./types.ts";
import { hashOf, readFilm } from "./video/index.ts";

const types: Readonly<Record<string, string>> = {
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  gif: "image/gif",
  webp: "image/webp",
  heic: "image/heic",
  heif: "image/heif",
  avif: "image/avif",
  bmp: "image/bmp",
  tif: "image/tiff",
  tiff: "image/tiff",
  mp4: "video/mp4",
  mov: "video/quicktime",
  "3gp": "video/3gpp",
  m4v: "video/x-m4v",
  mkv: "video/x-matroska",
  avi: "video/x-msvideo",
  webm: "video/webm",
  opus: "audio/ogg",
  ogg: "audio/ogg",
  m4a: "audio/mp4",
  mp3: "audio/mpeg",
  aac: "audio/aac",
  oga: "audio/ogg",
  flac: "audio/flac",
  wav: "audio/wav",
  amr: "audio/amr",
  pdf: "application/pdf",
  vcf: "text/vcard",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  txt: "text/plain",
};

/** MIME type by the name's ending, or null. */
export function mimeOf(name: string): string | null {
  return types[/\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase() ?? ""] ?? null;
}

/** A file beside a chat as its message lists it. */
export function attachmentOf(entry: Entry): Attachment {
  const mime = mimeOf(entry.name);
  return {
    name: entry.name,
    path: entry.path,
    mime,
    bytes: entry.bytes,
    sha256: null,
    text: null,
    inline: false,
    missing: false,
  };
}

/** A file that was sent with a message, as a part of it; null for documents, which the message only lists. */
export async function mediaRecord(
  entry: Entry,
  message: ImportedRecord,
  signal: AbortSignal,
): Promise<{ record: ImportedRecord | null; warning: string | null }> {
  const mime = mimeOf(entry.name);
  const kind = mime?.startsWith("image/")
    ? "photo"
    : mime?.startsWith("video/")
      ? "video"
      : mime?.startsWith("audio/")
        ? "audio"
        : null;
  if (kind === null || entry.bytes === 0)
    return { record: null, warning: entry.bytes === 0 ? "The file is empty." : null };
  let warning: string | null = null;
  try {
    const read = kind === "photo" ? await readPicture(entry, { signal }) : await readFilm(entry, { signal });
    if ("record" in read) {
      // What a chat calls a voice note is one, whatever container it lies in.
      const record: ImportedRecord =
        kind === "audio" ? { ...read.record, kind, identity: asAudio(read.record.identity) } : read.record;
      return { record: partOf(record, message), warning: read.warning };
    }
    warning = read.failed;
  } catch (error) {
    warning = reasonOf(error, signal);
  }
  let identity = `${message.identity}/${entry.name}`.slice(0, 1024);
  try {
    identity = `${kind}:${(await hashOf(entry, signal)).sha256}`;
  } catch (error) {
    warning = reasonOf(error, signal);
  }
  const bare: ImportedRecord = {
    ...blankRecord(),
    identity,
    kind,
    subject: message.subject,
    files: [{ path: entry.path, offset: null, bytes: entry.bytes, role: null }],
    props: mime === null ? {} : { mime },
  };
  return { record: partOf(bare, message), warning };
}

const asAudio = (identity: string) => identity.replace(/^video:/, "audio:");

/** The record of a file, told as a part of the message: its chat, its sender, and its time where the file has none. */
function partOf(record: ImportedRecord, message: ImportedRecord): ImportedRecord {
  const own = record.time !== null && record.time.confidence === "normal" && !/^file-/.test(record.time.source);
  const sent = own ? null : message.time;
  const { flags, ...props } = record.props;
  // The doubt was about the time that gives way.
  const certain = sent === null ? flags : flags?.filter((flag) => flag !== "date-uncertain");
  return {
    ...record,
    author: message.author,
    time: sent === null ? record.time : { ...sent, source: "message" },
    props: certain?.length ? { ...props, flags: certain } : props,
    container: message.container,
    sequence: message.sequence,
    partOf: { identity: message.identity, role: "attachment" },
  };
}
