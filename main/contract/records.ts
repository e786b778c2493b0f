import { z } from "zod";
import { perceivedSchema } from "./perceived.ts";

/** What a record is. `system` is a notice that an application wrote ("Mara joined"), never a person's words. */
export const recordKinds = [
  "message",
  "email",
  "photo",
  "video",
  "audio",
  "document",
  "event",
  "contact",
  "note",
  "location",
  "transaction",
  "system",
] as const;
export const recordKindSchema = z.enum(recordKinds);
export type RecordKind = z.infer<typeof recordKindSchema>;

export const timePrecisions = ["ms", "second", "minute", "day", "month", "year"] as const;

/**
 * A moment as its source gives it. Never completed with this machine's zone or the present time.
 * - instant and offset known: `utc` and `offset` (and `local`);
 * - wall clock without a zone: `local` only;
 * - instant without a zone: `utc` only.
 */
export const recordTimeSchema = z.object({
  /** ISO 8601 with Z, or null. */
  utc: z.string().nullable(),
  /** Wall time without a zone, `2024-07-14T21:30:15.250`, or only its leading parts for a coarser precision. */
  local: z.string().nullable(),
  /** `+02:00`, or null. */
  offset: z.string().nullable(),
  /** IANA zone, or null. */
  zone: z.string().nullable(),
  /** The field it came from: `exif:DateTimeOriginal`, `header:Date`, `file-name`, `file-time` … */
  source: z.string(),
  precision: z.enum(timePrecisions),
  /** Worked out (zone from GPS), not read. */
  inferred: z.boolean(),
  /** `low`: shown with a mark, never used as certain. */
  confidence: z.enum(["normal", "low"]),
});
export type RecordTime = z.infer<typeof recordTimeSchema>;

export const partyRoles = ["author", "to", "cc", "bcc", "member", "organizer", "attendee", "owner"] as const;

/** A person or address as one record names it. */
export const partySchema = z.object({
  name: z.string().nullable(),
  /** Mail address, phone number (+…), or the user id of the service. */
  address: z.string().nullable(),
  role: z.enum(partyRoles).nullable(),
  /** The archive's owner. */
  owner: z.boolean(),
});
export type Party = z.infer<typeof partySchema>;

export const placeSchema = z.object({
  /** Decimal degrees, south and west negative. Null when only a name is known. */
  lat: z.number().min(-90).max(90).nullable(),
  lon: z.number().min(-180).max(180).nullable(),
  /** Metres above sea level. */
  alt: z.number().nullable(),
  name: z.string().nullable(),
  confidence: z.enum(["normal", "low"]),
});
export type Place = z.infer<typeof placeSchema>;

/** Where in what was dropped a record stands. `path` is relative to the import's root, `/` between, NFC; a member of a zip is `zip/path`. */
export const sourceLocationSchema = z.object({
  path: z.string(),
  offset: z.number().int().nonnegative().nullable(),
  bytes: z.number().int().nonnegative().nullable(),
  /** `sidecar` for a file that only describes the record. */
  role: z.enum(["sidecar"]).nullable(),
  /** Which part of what stands there: the number of a MIME part, `2.1`. Absent: all of it. */
  part: z.string().max(200).optional(),
});
export type SourceLocation = z.infer<typeof sourceLocationSchema>;

export const attachmentSchema = z.object({
  name: z.string().nullable(),
  /** Path of the file beside the source, or null when it is inside (a MIME part). */
  path: z.string().nullable(),
  mime: z.string().nullable(),
  bytes: z.number().int().nonnegative().nullable(),
  sha256: z.string().nullable(),
  /** Readable text of it, when it was read. */
  text: z.string().nullable(),
  /** Shown inside the HTML body. */
  inline: z.boolean(),
  /** Named by the source, but the bytes are not there. */
  missing: z.boolean(),
});
export type Attachment = z.infer<typeof attachmentSchema>;

export const recordFlags = [
  "deleted",
  "edited",
  "system",
  "encrypted",
  "signed",
  "signature-verified",
  "damaged",
  "forwarded",
  "draft",
  "trashed",
  "archived",
  "pinned",
  "starred",
  "hidden",
  "call",
  "missed",
  "poll",
  "missing-media",
  "all-day",
  "cancelled",
  "zone-mapped",
  "date-uncertain",
  "charset-guessed",
  "header-unreadable",
  "screenshot",
  "live",
  "motion",
] as const;
export const recordFlagSchema = z.enum(recordFlags);
export type RecordFlag = z.infer<typeof recordFlagSchema>;

export const partRoles = [
  "attachment",
  "attached",
  "edited",
  "original",
  "live",
  "motion",
  "raw",
  "instance",
  "inside",
] as const;

export const alternateSchema = z.object({
  role: z.enum(partRoles),
  path: z.string().nullable(),
  offset: z.number().int().nonnegative().nullable(),
  bytes: z.number().int().nonnegative().nullable(),
  subject: z.string().nullable(),
  rating: z.number().nullable(),
  time: recordTimeSchema.nullable(),
});
export type Alternate = z.infer<typeof alternateSchema>;

export const containerSchema = z.object({
  /** Opaque and stable: equal key = the same chat, mailbox, calendar, notebook. */
  key: z.string(),
  title: z.string().nullable(),
  kind: z.enum(["chat", "mailbox", "folder", "album", "calendar", "addressbook", "notebook"]),
});
export type Container = z.infer<typeof containerSchema>;

/** Fields of a record that need no column of their own in the store. Every one is what the source said; absent means: not given. */
export const recordPropsSchema = z.object({
  name: z.string().optional(),
  direction: z.enum(["in", "out"]).optional(),
  labels: z.array(z.string()).optional(),
  albums: z.array(z.object({ name: z.string(), description: z.string().nullable() })).optional(),
  attachments: z.array(attachmentSchema).optional(),
  links: z.array(z.string()).optional(),
  flags: z.array(recordFlagSchema).optional(),
  reactions: z
    .array(z.object({ emoji: z.string(), by: z.string().nullable(), count: z.number().int().nullable() }))
    .optional(),
  forwardedFrom: z.string().optional(),
  edits: z.array(z.object({ time: recordTimeSchema.nullable(), text: z.string() })).optional(),
  alternates: z.array(alternateSchema).optional(),
  group: z.string().optional(),
  size: z.object({ width: z.number().int(), height: z.number().int() }).optional(),
  camera: z.object({ make: z.string().nullable(), model: z.string().nullable() }).optional(),
  /** −1 (rejected) to 5. */
  rating: z.number().optional(),
  /** Seconds. */
  duration: z.number().nonnegative().optional(),
  mime: z.string().optional(),
  created: recordTimeSchema.optional(),
  modified: recordTimeSchema.optional(),
  instances: z
    .array(z.object({ time: recordTimeSchema, end: recordTimeSchema.nullable(), subject: z.string().nullable() }))
    .optional(),
  contact: z
    .object({
      phones: z.array(z.object({ value: z.string(), label: z.string().nullable(), preferred: z.boolean() })),
      emails: z.array(z.object({ value: z.string(), label: z.string().nullable(), preferred: z.boolean() })),
      organisation: z.string().nullable(),
      unit: z.string().nullable(),
      birthday: z.string().nullable(),
      photo: z.object({ mime: z.string() }).nullable(),
    })
    .optional(),
  items: z.array(z.object({ text: z.string(), checked: z.boolean() })).optional(),
  what: z.enum(["visit", "move", "point", "path"]).optional(),
  level: z.number().int().optional(),
  track: z.array(z.object({ utc: z.string(), lat: z.number(), lon: z.number() })).optional(),
  /** What the source said that no field above holds: raw header values, odd tags. Shown under "more", never interpreted. */
  extra: z.record(z.string(), z.unknown()).optional(),
});
export type RecordProps = z.infer<typeof recordPropsSchema>;

/** One record as an importer gives it. An importer never stores; ids come from the store. */
export const importedRecordSchema = z.object({
  /** Name-spaced key that is the same on every re-import: `mail:<message-id>`, `whatsapp:<chat>:<hash>`, `photo:<sha256>`. */
  identity: z.string().min(1).max(1024),
  kind: recordKindSchema,
  /** The id as the source writes it, without a name space; null when the source has none. */
  nativeId: z.string().nullable(),
  subject: z.string().nullable(),
  /** The whole text as shown: decoded, unwrapped, no HTML, \n. Null when there is none. */
  text: z.string().nullable(),
  author: partySchema.nullable(),
  participants: z.array(partySchema),
  time: recordTimeSchema.nullable(),
  end: recordTimeSchema.nullable(),
  place: placeSchema.nullable(),
  container: containerSchema.nullable(),
  /** Thread inside a container: equal key = the same thread. */
  thread: z.string().nullable(),
  /** Order inside the container as the source shows it. */
  sequence: z.number().int().nullable(),
  /** Identity of the record that this one answers; it may not be in the archive. */
  replyTo: z.string().nullable(),
  /** This record is a part of another one, not an item of its own. */
  partOf: z.object({ identity: z.string(), role: z.enum(partRoles) }).nullable(),
  files: z.array(sourceLocationSchema).min(1),
  props: recordPropsSchema,
});
export type ImportedRecord = z.infer<typeof importedRecordSchema>;

/** Row id of the store: given once, never given again. */
export const recordIdSchema = z.number().int().positive();
export type RecordId = z.infer<typeof recordIdSchema>;

/** A whole record as the store gives it. */
export const storedRecordSchema = importedRecordSchema.omit({ replyTo: true, partOf: true }).extend({
  id: recordIdSchema,
  /** Importer that read it. */
  source: z.string(),
  /** SHA-256 of what the source said, for noticing changes on re-import. */
  contentHash: z.string(),
  replyTo: z.object({ id: recordIdSchema.nullable(), identity: z.string() }).nullable(),
  partOf: z.object({ id: recordIdSchema.nullable(), identity: z.string(), role: z.enum(partRoles) }).nullable(),
  /** 1 on import; every edit or changed re-import adds one. */
  version: z.number().int().positive(),
  /** ISO UTC. */
  importedAt: z.string(),
  trashedAt: z.string().nullable(),
  /** Absent: no model has found anything in it. */
  perceived: perceivedSchema.optional(),
});
export type StoredRecord = z.infer<typeof storedRecordSchema>;

/** Characters (UTF-16 units) of text in a summary. */
const snippetLength = 240;

/** The beginning of a text, on one line. */
export function snippetOf(text: string): string {
  const start = text.replace(/\s+/g, " ").trim();
  return start.length > snippetLength ? `${start.slice(0, snippetLength - 1).toWellFormed()}…` : start;
}

/** What a list, a card or a citation needs of a record. */
export const recordSummarySchema = z.object({
  id: recordIdSchema,
  kind: recordKindSchema,
  source: z.string(),
  subject: z.string().nullable(),
  /** The beginning of its text (`snippetOf`); in an answer without what a mail repeats of others. */
  snippet: z.string(),
  author: z.string().nullable(),
  time: recordTimeSchema.nullable(),
  containerTitle: z.string().nullable(),
  place: placeSchema.nullable(),
  hasThumbnail: z.boolean(),
  size: z.object({ width: z.number().int(), height: z.number().int() }).nullable(),
  attachments: z.number().int().nonnegative(),
  trashed: z.boolean(),
});
export type RecordSummary = z.infer<typeof recordSummarySchema>;

export const recordVersionSchema = z.object({
  version: z.number().int().positive(),
  /** ISO UTC when this version came to be. */
  at: z.string(),
  by: z.enum(["import", "person"]),
  subject: z.string().nullable(),
  text: z.string().nullable(),
});
export type RecordVersion = z.infer<typeof recordVersionSchema>;

/**
 * A record that stands in a named relation to the one shown: its parent, its attachments, its replies; `looks_alike`:
 * another picture that may be a re-encoded or resized copy of the same shot.
 */
export const relatedRecordSchema = z.object({
  relation: z.enum(["reply_to", "replied_by", "attachment", "attachment_of", "looks_alike", "same_thread"]),
  record: recordSummarySchema,
});

export const recordDetailSchema = z.object({
  record: storedRecordSchema,
  related: z.array(relatedRecordSchema),
  versions: z.array(recordVersionSchema),
  /** Which import brought each source location. */
  provenance: z.array(
    z.object({
      importId: z.number().int(),
      importedAt: z.string(),
      root: z.string(),
      location: sourceLocationSchema,
      /** ISO UTC: since when the file is not where it was, as far as its folder is watched. */
      missingSince: z.string().nullable(),
    }),
  ),
});
export type RecordDetail = z.infer<typeof recordDetailSchema>;
