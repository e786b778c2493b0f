import type { LlmTask } from "#contract";

/** Marks of the slider, with the share at which each stands. */
export const shareMarks = [
  { share: 0.1, word: "gentle" },
  { share: 0.5, word: "half" },
  { share: 1, word: "full" },
] as const;

/** The word for a share: the mark that lies nearest. */
export function shareWord(share: number): string {
  return share < 0.35 ? "gentle" : share < 0.8 ? "half" : "full";
}

/** What each task of a language model does, for a person. */
export const taskWords: Readonly<Record<LlmTask, { name: string; does: string }>> = {
  relevance: { name: "Order", does: "Reads the first findings and puts the best ones first." },
  verifier: {
    name: "Choice of evidence",
    does: "Weighs findings side by side and leaves out what does not help. Only models of three billion weights or more.",
  },
  chain: {
    name: "Connections",
    does: "Judges what each record adds to the one before it. Only models of three billion weights or more.",
  },
  boundary: { name: "Conversations", does: "Finds where one subject of a chat ends and the next begins." },
  facts: { name: "Facts", does: "Notes facts from what was written, each with its quotation." },
  reader: { name: "Wording", does: "Words the answer, with citations." },
  check: { name: "Check", does: "Holds every sentence of the answer against its source." },
};

const gigabyte = 1e9;

/** Bytes as a person writes them: gigabytes with at most two places. */
export function gigabytes(bytes: number | null): string {
  return bytes === null ? "" : String(Math.round((bytes / gigabyte) * 100) / 100);
}

/** "1.5", "1,5", "" → bytes or null; NaN for what is no number. */
export function bytesOf(text: string): number | null {
  const plain = text
    .trim()
    .replace(/\s*gb$/i, "")
    .replace(",", ".");
  return plain === "" ? null : Math.round(Number(plain) * gigabyte);
}
