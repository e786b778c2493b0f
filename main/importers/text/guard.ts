import { UnderstoryError } from "#contract";

/** Throws `cancelled` when the import was stopped. */
export function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new UnderstoryError("cancelled", "The import was stopped.");
}

/** A sentence for the ledger from whatever reading a file threw; a stop is thrown on. */
export function reasonOf(error: unknown, signal: AbortSignal): string {
  throwIfCancelled(signal);
  if (error instanceof UnderstoryError) {
    if (error.code === "cancelled") throw error;
    return error.message;
  }
  return `It could not be read: ${error instanceof Error ? error.message : String(error)}`;
}
