import type { ModelPurpose, ModelStatus, ViewProgress } from "#contract";
import { count, counted } from "../state/format.ts";

/** What models are for, as a person would say it. */
export interface Group {
  readonly key: string;
  readonly title: string;
  /** What it does for the person, one sentence. */
  readonly does: string;
  readonly purposes: readonly [ModelPurpose, ...ModelPurpose[]];
  /** What its views are made of; null: it keeps none, it only works while a question is answered. */
  readonly views: { one: string; many: string } | null;
}

const pictures = { one: "picture", many: "pictures" } as const;

/** In the order in which they help most. */
export const groups: readonly Group[] = [
  {
    key: "meaning",
    title: "Finding by meaning",
    does: "“The trip to the sea” also finds the harbour, although the word is not in it.",
    purposes: ["text-embedding"],
    views: { one: "record", many: "records" },
  },
  {
    key: "words",
    title: "Words in pictures",
    does: "Signs, receipts and screenshots are found by what is written on them.",
    purposes: ["ocr"],
    views: pictures,
  },
  {
    key: "things",
    title: "What is on pictures",
    does: "“Coffee” finds the cup, although nobody wrote a caption.",
    purposes: ["image-tags"],
    views: pictures,
  },
  {
    key: "description",
    title: "Pictures by description",
    does: "A whole sentence finds a picture: “children on a jetty in the evening”.",
    purposes: ["image-text-embedding"],
    views: pictures,
  },
  {
    key: "order",
    title: "Better order",
    does: "Reads the first findings once more beside your question and puts the best ones first.",
    purposes: ["reranker"],
    views: null,
  },
  {
    key: "llm",
    title: "A local language model",
    does: "Weighs what was found and helps to word the answer, on this machine alone.",
    purposes: ["llm"],
    views: null,
  },
];

/** Offered and kept like the others, but nothing in the product runs them yet. */
export const laterGroups: readonly Group[] = [
  {
    key: "speech",
    title: "Voice and video to text",
    does: "What is said in voice notes and videos becomes text that can be found.",
    purposes: ["speech-to-text"],
    views: null,
  },
  {
    key: "faces",
    title: "Faces",
    does: "Would tell who is on a picture. Off unless you choose it: faces are about other people, too.",
    purposes: ["face-detection", "face-embedding"],
    views: null,
  },
];

const languageNames = new Intl.DisplayNames("en", { type: "language" });
/** Languages that are named; the others are counted. */
const namedLanguages = 4;

function languageName(tag: string): string {
  try {
    return languageNames.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** "English, German and 12 more languages" */
export function languageWords(languages: readonly string[]): string {
  if (languages.includes("*")) return "any language";
  const names = languages.map(languageName);
  const rest = names.length - namedLanguages;
  if (rest > 1) return `${names.slice(0, namedLanguages).join(", ")} and ${counted(rest, "more language")}`;
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : (names[0] ?? "not said");
}

/** Places that it can be fetched from, by name. */
export function sourceWords(model: Pick<ModelStatus, "sources">): string {
  const places = model.sources.filter((source) => source.kind !== "local").map((source) => source.label);
  return places.length === 0 ? "only by hand" : places.join(", else ");
}

/** Part 0–1 of what is to be done that is finished, given up counted as finished; null: there is nothing to do. */
export function viewShare({ done, pending, failed }: Pick<ViewProgress, "done" | "pending" | "failed">): number | null {
  const all = done + pending + failed;
  return all === 0 ? null : (done + failed) / all;
}

/** "1,180 of 1,204 pictures", "all 1,204 pictures" */
export function viewWords(
  { done, pending, failed }: Pick<ViewProgress, "done" | "pending" | "failed">,
  { one, many }: { one: string; many: string },
): string {
  const all = done + pending + failed;
  if (all === 0) return `no ${many} yet`;
  if (pending > 0 || failed > 0) return `${count(done)} of ${counted(all, one, many)}`;
  return all === 1 ? `the one ${one}` : `all ${counted(all, one, many)}`;
}
