import type { Claim, ImportedItem, Importer, ReadContext, SourceTree } from "../types.ts";

export { type PictureContext, type PictureResult, readPicture } from "./picture.ts";

async function* recognise(_free: SourceTree): AsyncGenerator<Claim> {}

async function* read(_claim: Claim, _context: ReadContext): AsyncGenerator<ImportedItem> {}

/** Loose pictures, one claim a folder. Comes last: what a chat or a mailbox holds is theirs. */
export const photosImporter: Importer = { id: "photos", title: "Photos", order: 10, recognise, read };
