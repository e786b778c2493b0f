import type { EvidenceForest } from "#contract";

/** What a branch adds, in a word or two. */
export const roleWords: Readonly<Record<EvidenceForest["edges"][number]["role"], string>> = {
  new_fact: "new fact",
  clarification: "clarification",
  corroboration: "corroboration",
  redundant: "same again",
  conflict: "disagrees",
  superseded: "older",
  irrelevant: "unrelated",
};
