import { z } from "zod";
import { errorShapeSchema } from "./errors.ts";

export const jobKinds = [
  "import",
  "undo-import",
  "index-text",
  "index-vectors",
  "thumbnails",
  "perceive",
  "install-model",
] as const;
export const jobKindSchema = z.enum(jobKinds);
export type JobKind = z.infer<typeof jobKindSchema>;

export const jobStates = ["queued", "running", "paused", "done", "failed", "cancelled"] as const;

/** Long work: persisted, resumable, watched. */
export const jobSchema = z.object({
  id: z.string(),
  kind: jobKindSchema,
  /** A short line for a person: "Reading 3 mailboxes". */
  title: z.string(),
  state: z.enum(jobStates),
  progress: z.object({
    done: z.number().nonnegative(),
    /** Null while unknown. */
    total: z.number().nonnegative().nullable(),
    unit: z.enum(["bytes", "records", "pictures", "files"]),
    /** Units a second over the last seconds; null while unknown. */
    rate: z.number().nullable(),
    secondsLeft: z.number().nullable(),
    /** What is being worked on, for a person. */
    note: z.string().nullable(),
    records: z.number().int().nonnegative(),
    files: z.number().int().nonnegative(),
  }),
  error: errorShapeSchema.nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Job = z.infer<typeof jobSchema>;
