import { z } from "zod";

export const archiveStatusSchema = z.object({
  /** none: nothing at this place yet; locked: there, key not given; open: ready. */
  state: z.enum(["none", "locked", "open"]),
  /** Shown name of the place ("My archive", "Sample household"). */
  name: z.string().nullable(),
  /** Where it lies on this machine. */
  path: z.string(),
  sample: z.boolean(),
  /** How the key can be given. */
  unlockWith: z.array(z.enum(["passphrase", "recovery", "keychain"])),
  counts: z
    .object({
      records: z.number().int(),
      trashed: z.number().int(),
      people: z.number().int(),
      byKind: z.record(z.string(), z.number().int()),
      firstDay: z.string().nullable(),
      lastDay: z.string().nullable(),
    })
    .nullable(),
  indexes: z
    .object({
      text: z.object({ done: z.number().int(), pending: z.number().int(), failed: z.number().int() }),
      vectors: z.object({
        done: z.number().int(),
        pending: z.number().int(),
        failed: z.number().int(),
        /** Null: no embedding model installed, search and ask use full text only. */
        model: z.string().nullable(),
      }),
    })
    .nullable(),
  version: z.string(),
  /** Which shell runs the window. */
  host: z.enum(["browser", "electron"]),
});
export type ArchiveStatus = z.infer<typeof archiveStatusSchema>;

export const auditRowSchema = z.object({
  seq: z.number().int().positive(),
  at: z.string(),
  /** `archive.create`, `import.finish`, `record.trash`, `record.edit`, … */
  action: z.string(),
  /** Row ids and counts only: the log is free of content. */
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  prevHash: z.string(),
  hash: z.string(),
});
export type AuditRow = z.infer<typeof auditRowSchema>;

export const modelStatusSchema = z.object({
  id: z.string(),
  purpose: z.enum(["text-embedding"]),
  title: z.string(),
  licence: z.string(),
  licenceUrl: z.string(),
  bytes: z.number().int(),
  /** Why a person would want it, one sentence. */
  why: z.string(),
  sources: z.array(z.object({ kind: z.string(), label: z.string() })),
  state: z.enum(["absent", "installing", "installed", "damaged"]),
  recommended: z.boolean(),
});
export type ModelStatus = z.infer<typeof modelStatusSchema>;
