import { z } from "zod";
import { recordIdSchema, recordKindSchema, recordSummarySchema } from "./records.ts";

/** Filters of the library and of search; all given ones must hold. Days are local days of the records. */
export const libraryFilterSchema = z.object({
  kinds: z.array(recordKindSchema).optional(),
  personId: z.number().int().positive().optional(),
  containerKey: z.string().optional(),
  /** `YYYY-MM-DD`, inclusive. */
  from: z
    .string()
    .regex(/^\d{4}-\d\d-\d\d$/)
    .optional(),
  to: z
    .string()
    .regex(/^\d{4}-\d\d-\d\d$/)
    .optional(),
  trashed: z.boolean().optional(),
});
export type LibraryFilter = z.infer<typeof libraryFilterSchema>;

/** One day of the timeline and how many records it holds, newest first; `day` null collects records without a time. */
export const dayCountSchema = z.object({ day: z.string().nullable(), count: z.number().int().positive() });
export type DayCount = z.infer<typeof dayCountSchema>;

export const searchHitSchema = z.object({
  record: recordSummarySchema,
  /** Best passage; `marks` are [start, end) offsets in it. */
  passage: z.string(),
  marks: z.array(z.tuple([z.number().int(), z.number().int()])),
  score: z.number(),
  /** Found by what is on it, not by its words: the label that fits is the passage (`tag`), or it looks like the query (`picture`). */
  by: z.enum(["tag", "picture"]).optional(),
});
export type SearchHit = z.infer<typeof searchHitSchema>;

export const searchResultSchema = z.object({
  hits: z.array(searchHitSchema),
  /** All records that match, or null when only the first were looked at. */
  total: z.number().int().nonnegative().nullable(),
  ms: z.number(),
});
export type SearchResult = z.infer<typeof searchResultSchema>;

export const personSchema = z.object({
  id: z.number().int().positive(),
  name: z.string(),
  addresses: z.array(z.string()),
  owner: z.boolean(),
  records: z.number().int().nonnegative(),
  /** Other names of those who were joined into them. */
  also: z.array(z.string()).optional(),
});
export type Person = z.infer<typeof personSchema>;

/** One who was joined into a person: known by another address, number or name. */
export const personPartSchema = personSchema.pick({ id: true, name: true, addresses: true, records: true }).extend({
  /** Sources that name them so: `whatsapp`, `mbox` … */
  sources: z.array(z.string()),
});

/** Why two are taken for one person. */
export const personJoinSchema = z.object({
  joinId: z.number().int().positive(),
  a: z.number().int().positive(),
  b: z.number().int().positive(),
  /**
   * contact-card: one card holds both addresses; address-book-name: the chat's names come from the address book, which
   * has this name once; phone: two spellings of one number; owner: both are said to be the archive's owner; person: you.
   */
  rule: z.enum(["contact-card", "address-book-name", "phone", "owner", "person"]),
  /** The contact card that says so. */
  recordId: recordIdSchema.nullable(),
  /** Region by whose rules a number was read, two letters. */
  region: z.string().nullable(),
  at: z.string(),
});
export type PersonJoin = z.infer<typeof personJoinSchema>;

export const personDetailSchema = z.object({
  person: personSchema,
  parts: z.array(personPartSchema),
  joins: z.array(personJoinSchema),
});
export type PersonDetail = z.infer<typeof personDetailSchema>;

export const personSuggestionsSchema = z.object({
  /** same-name: one full name in two places; first-name: the only full name that begins with this first name. */
  pairs: z.array(z.object({ a: personSchema, b: personSchema, why: z.enum(["same-name", "first-name"]) })),
  /** Nobody is known to be the owner: the most likely ones. Empty when somebody is. */
  owners: z.array(personSchema),
});
export type PersonSuggestions = z.infer<typeof personSuggestionsSchema>;

export const mediaSchema = z.object({
  recordId: recordIdSchema,
  mime: z.string(),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  bytes: z.instanceof(Uint8Array),
});
export type Media = z.infer<typeof mediaSchema>;
