import { z } from "zod";
import { modelPurposes } from "./archive.ts";

/** Tasks that a local language model may be given. */
export const llmTasks = ["relevance", "verifier", "chain", "boundary", "facts", "reader", "check"] as const;
export const llmTaskSchema = z.enum(llmTasks);
export type LlmTask = z.infer<typeof llmTaskSchema>;

/** Those that answers make use of so far: a person can switch them on. */
export const offeredTasks: readonly LlmTask[] = ["relevance", "verifier", "chain", "reader"];

/**
 * How much of each record the text models read. quick: the main model alone; thorough: every installed text model, each in
 * the forms that it is best at, in the background once the main one is through.
 */
export const indexProfiles = ["quick", "thorough"] as const;
export const indexProfileSchema = z.enum(indexProfiles);
export type IndexProfile = z.infer<typeof indexProfileSchema>;

/** How models are used on this machine; the same for all archives of this person. */
export const settingsSchema = z.object({
  /** Part of the processor's time that background inference takes, 0.1–1. Questions are never held back. */
  cpuShare: z.number().min(0.1).max(1),
  /** Background inference waits while the machine runs on battery. */
  pauseOnBattery: z.boolean(),
  /** Most memory for open models together, bytes; null: a third of the machine's memory. */
  memoryCeilingBytes: z.number().int().min(200_000_000).nullable(),
  /** Chosen model by purpose; null switches the purpose off; absent: the best that is installed. */
  models: z.partialRecord(z.enum(modelPurposes), z.string().nullable()),
  /** Another address of the model hub, and the proxy to reach it by; null: the catalogue's, none. */
  hub: z.object({
    mirror: z.url({ protocol: /^https$/ }).nullable(),
    proxy: z.url({ protocol: /^https?$/ }).nullable(),
  }),
  /** Tasks of the language model that differ from the model's own defaults. */
  llmTasks: z.partialRecord(llmTaskSchema, z.boolean()),
  indexProfile: indexProfileSchema,
  /** Whether the language model may use the graphics processor. */
  gpu: z.enum(["auto", "off"]),
});
export type Settings = z.infer<typeof settingsSchema>;

export const defaultSettings: Settings = {
  cpuShare: 1,
  pauseOnBattery: true,
  memoryCeilingBytes: null,
  models: {},
  hub: { mirror: null, proxy: null },
  llmTasks: {},
  indexProfile: "thorough",
  gpu: "auto",
};
