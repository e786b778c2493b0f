export { chunk, chunkPieces, estimatePieces } from "./chunk.ts";
export { type NamedDay, namedDay } from "./named-day.ts";
export { bareSubject, taggedLength } from "./subject.ts";
export { localDayOf, momentOf, timeOf } from "./time.ts";
export {
  cameraWords,
  dayWords,
  labelsOf,
  peopleOf,
  recordDayWords,
  saysItself,
  tagSeparator,
  type View,
  type ViewName,
  viewsOf,
} from "./views.ts";
