export { toNeutral } from "./neutral.ts";
export { EntryOpener, openEntry } from "./open-entry.ts";
export { createParseService, type ParseService } from "./parse.ts";
export { type InternalPlan, type PlannedClaim, planImport, toImportPlan } from "./plan.ts";
export type { ImportStore, ParsePort, PlanInput, ReadBatch, ReadInput } from "./ports.ts";
export {
  filesOf,
  type ImportContext,
  type ImportInput,
  type ImportOutcome,
  type ImportPorts,
  runImport,
} from "./run.ts";
export { deriveUploadKey } from "./sealed.ts";
export { type OpenedTree, openTree, type TreeOptions, type TreeRow } from "./tree.ts";
export { createUploads, type Uploads } from "./uploads.ts";
