import { z } from "zod";
import { errorShapeSchema } from "#contract";

/**
 * What the desktop shell and the core say to each other beside the contract: start, hand over a window's port, and use
 * of the system's keychain, which only the shell's process can reach.
 */

const bytes = z.instanceof(Uint8Array);

export const shellToCoreSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("start"),
    archiveDir: z.string(),
    modelsDir: z.string(),
    /** Null when it protects; else why it cannot be used. */
    keychainRefusal: z.string().nullable(),
  }),
  /** A window wants to talk; its MessagePort comes along. */
  z.object({ type: z.literal("client") }),
  z.object({
    type: z.literal("keychain-answer"),
    id: z.number().int(),
    bytes: bytes.nullable(),
    reason: z.string().nullable(),
  }),
  z.object({ type: z.literal("stop") }),
]);
export type ShellToCore = z.infer<typeof shellToCoreSchema>;

export const coreToShellSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  z.object({ type: z.literal("keychain-ask"), id: z.number().int(), operation: z.enum(["wrap", "unwrap"]), bytes }),
  z.object({ type: z.literal("failed"), error: errorShapeSchema }),
  z.object({ type: z.literal("stopped") }),
]);
export type CoreToShell = z.infer<typeof coreToShellSchema>;
