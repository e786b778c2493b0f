export { RateMeter } from "./meter.ts";
export {
  type JobContext,
  type JobHandler,
  type JobHandlers,
  type JobPayload,
  JobStop,
  type JobStore,
  type Json,
  type Lane,
  type SavedJob,
  type StopReason,
  stopReason,
} from "./ports.ts";
export { createJobRunner, type EnqueueInput, type JobRunner } from "./runner.ts";
