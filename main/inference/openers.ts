import { UnderstoryError } from "#contract";
import type { Openers } from "./thread.ts";

/** The real models. The code of a purpose is loaded in the thread that needs it, when it is first needed. */
export const openers: Openers = {
  text: async (input) => (await import("#models/text/embed.ts")).openTextEmbedder(input),
  ocr: async (input) => (await import("#models/ocr/reader.ts")).openPictureReader(input),
  rerank: async (input) => (await import("#models/text/rerank.ts")).openReranker(input),
  tags: notYet,
  picture: notYet,
  caption: notYet,
};

async function notYet(): Promise<never> {
  throw new UnderstoryError("model_unsupported", "This purpose has no code yet.");
}
