import type { Openers } from "./thread.ts";

/** The real models. The code of a purpose is loaded in the thread that needs it, when it is first needed. */
export const openers: Openers = {
  text: async (input) => (await import("#models/text/embed.ts")).openTextEmbedder(input),
  rerank: async (input) => (await import("#models/text/rerank.ts")).openReranker(input),
  ocr: async (input) => (await import("#models/ocr/reader.ts")).openPictureReader(input),
  tags: async (input) => (await import("#models/pictures/tags.ts")).openPictureTagger(input),
  picture: async (input) => (await import("#models/pictures/image-text.ts")).openPictureTower(input),
  caption: async (input) => (await import("#models/pictures/image-text.ts")).openCaptionTower(input),
};
