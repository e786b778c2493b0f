import { z } from "zod";

/** What a model is for. One model a purpose is in use at a time. */
export const modelPurposes = [
  "text-embedding",
  "image-text-embedding",
  "image-tags",
  "ocr",
  "reranker",
  "llm",
  "speech-to-text",
  "face-detection",
  "face-embedding",
] as const;
export const modelPurposeSchema = z.enum(modelPurposes);
export type ModelPurpose = z.infer<typeof modelPurposeSchema>;

/** How far the views that one model derives have come. */
export const viewProgressSchema = z.object({
  purpose: modelPurposeSchema,
  /** Model that is in use, or being brought in; null: none is installed. */
  model: z.string().nullable(),
  done: z.number().int().nonnegative(),
  pending: z.number().int().nonnegative(),
  /** Given up after several attempts; `views.failed` says why. */
  failed: z.number().int().nonnegative(),
});
export type ViewProgress = z.infer<typeof viewProgressSchema>;

/** One view that could not be derived. */
export const failedViewSchema = z.object({
  recordId: z.number().int().positive(),
  purpose: modelPurposeSchema,
  model: z.string(),
  reason: z.string(),
  attempts: z.number().int().positive(),
});
export type FailedView = z.infer<typeof failedViewSchema>;

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
      /** Every derived view, by purpose; `text-embedding` repeats `vectors`. */
      views: z.array(viewProgressSchema),
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
  version: z.string(),
  purpose: modelPurposeSchema,
  title: z.string(),
  licence: z.string(),
  licenceUrl: z.string(),
  /** Page of its makers. */
  home: z.string(),
  /** Of all files; as published by others where `measured` is false. */
  bytes: z.number().int(),
  /** Growth of the process with the model open, bytes. */
  memoryBytes: z.number().int(),
  /** BCP 47; `*` for any language. */
  languages: z.array(z.string()),
  /** Sizes and hashes of its files were seen by us; false: they are the publisher's word and checked on first arrival. */
  measured: z.boolean(),
  /** Why a person would want it, one sentence. */
  why: z.string(),
  sources: z.array(z.object({ kind: z.string(), label: z.string() })),
  state: z.enum(["absent", "installing", "installed", "damaged"]),
  /** The one to begin with for its purpose. */
  recommended: z.boolean(),
  /** Which machines it is meant for: least memory of the machine, bytes. */
  machineMemoryBytes: z.number().int(),
  /** This machine has that much memory. */
  fits: z.boolean(),
  /** In use for its purpose: chosen in the settings, or the best that is installed. */
  active: z.boolean(),
});
export type ModelStatus = z.infer<typeof modelStatusSchema>;
