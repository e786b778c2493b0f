import type { Claim, ImportedItem, Importer, ReadContext, SourceTree } from "../types.ts";

async function* recognise(_free: SourceTree): AsyncGenerator<Claim> {}

async function* read(_claim: Claim, _context: ReadContext): AsyncGenerator<ImportedItem> {}

/** Chats exported from WhatsApp. Comes before mail and loose files: the media beside a chat are its own. */
export const whatsappImporter: Importer = { id: "whatsapp", title: "WhatsApp chat", order: 80, recognise, read };
