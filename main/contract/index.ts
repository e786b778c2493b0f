/** The contract: every call, event, record and error that crosses a room's wall. Imports nothing of ours. */
export * from "./api.ts";
export * from "./archive.ts";
export * from "./ask.ts";
export * from "./errors.ts";
export * from "./feedback.ts";
export * from "./found.ts";
export * from "./imports.ts";
export * from "./jobs.ts";
export * from "./library.ts";
export * from "./limits.ts";
export * from "./perceived.ts";
export * from "./records.ts";
export * from "./settings.ts";
