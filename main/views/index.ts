export { chunk, chunkPieces, estimatePieces } from "./chunk.ts";
export { localDayOf, momentOf } from "./time.ts";
export { dayWords, labelsOf, peopleOf, tagSeparator, type View, type ViewName, viewsOf } from "./views.ts";
