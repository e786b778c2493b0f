import { z } from "zod";

/** How a file ended. Every input file ends as exactly one of these. */
export const fileStatuses = ["imported", "updated", "duplicate", "skipped", "failed"] as const;
export const fileStatusSchema = z.enum(fileStatuses);
export type FileStatus = z.infer<typeof fileStatusSchema>;

export const ledgerRowSchema = z.object({
  importId: z.number().int(),
  path: z.string(),
  status: fileStatusSchema,
  /** A sentence for skipped and failed, and for warnings. */
  reason: z.string().nullable(),
  importer: z.string().nullable(),
  bytes: z.number().int().nonnegative(),
  records: z.number().int().nonnegative(),
  /** Entries inside the file that gave no record. */
  skipped: z.number().int().nonnegative(),
});
export type LedgerRow = z.infer<typeof ledgerRowSchema>;

/** One thing found in what was dropped: a mailbox, a chat, a folder of pictures. */
export const planSourceSchema = z.object({
  importer: z.string(),
  /** "Mailbox", "WhatsApp chat", "Photos". */
  title: z.string(),
  /** Names for a person: file or folder. */
  label: z.string(),
  files: z.number().int().nonnegative(),
  bytes: z.number().int().nonnegative(),
  /** Local days, when cheap to know. */
  firstDay: z.string().nullable(),
  lastDay: z.string().nullable(),
});
export type PlanSource = z.infer<typeof planSourceSchema>;

/** Zone for wall clocks without one: a guess, and what it rests on. */
export const zoneGuessSchema = z.object({
  /** IANA zone. */
  guess: z.string(),
  /** `archive`: most of what the archive holds with a zone agrees; `machine`: the zone of this machine, nothing better is known. */
  basis: z.enum(["archive", "machine"]),
});
export type ZoneGuess = z.infer<typeof zoneGuessSchema>;

export const importPlanSchema = z.object({
  planId: z.string(),
  roots: z.array(z.string()),
  sources: z.array(planSourceSchema),
  files: z.number().int().nonnegative(),
  bytes: z.number().int().nonnegative(),
  /** What will be left out and why, one row a reason with a few example paths. */
  skipped: z.array(z.object({ reason: z.string(), files: z.number().int().positive(), examples: z.array(z.string()) })),
  warnings: z.array(z.string()),
  /** Some sources write clocks without a zone: which one to read them in? Null: none does. */
  zoneQuestion: zoneGuessSchema.extend({ sources: z.array(z.string()) }).nullable(),
});
export type ImportPlan = z.infer<typeof importPlanSchema>;

export const importRunSchema = z.object({
  id: z.number().int(),
  jobId: z.string(),
  roots: z.array(z.string()),
  startedAt: z.string(),
  finishedAt: z.string().nullable(),
  /** `undone`: taken back as a whole; what no other import brought lies in the trash. */
  status: z.enum(["running", "paused", "interrupted", "done", "cancelled", "failed", "undone"]),
  /** Read again whenever something below its roots changes. */
  watched: z.boolean(),
  counts: z.object({
    imported: z.number().int(),
    updated: z.number().int(),
    duplicate: z.number().int(),
    skippedFiles: z.number().int(),
    failedFiles: z.number().int(),
    files: z.number().int(),
  }),
});
export type ImportRun = z.infer<typeof importRunSchema>;

/** A folder or file as the host sees it, for picking what to import where no path can be dropped. */
export const hostEntrySchema = z.object({
  path: z.string(),
  name: z.string(),
  folder: z.boolean(),
  bytes: z.number().int().nonnegative().nullable(),
});
export type HostEntry = z.infer<typeof hostEntrySchema>;
