import type { IndexProfile } from "#contract";
import type { Encoder, TextForm } from "#main/indexes/ports.ts";

/**
 * What each encoder of the catalogue is good at (recall study, "Beyond R12"): lines with their author, or lines with those
 * around them. Those that the study has not seen read lines with their author.
 */
const strengths: Readonly<Record<string, readonly TextForm[]>> = {
  "minilm-l6-v2-int8": ["said"],
  "bge-small-en-v1.5-int8": ["context"],
  "e5-small-v2-int8": ["said"],
};
const unknown: readonly TextForm[] = ["said"];
/** Whose tokens are kept for late interaction where it reads: those that gain most of the three measured (docs/ranking.md). */
const bestTokens = "e5-small-v2-int8";
/** What the main encoder is searched by. */
const always: readonly TextForm[] = ["said"];

/** An installed text encoder: its id in the catalogue and the key of its vectors. */
export interface InstalledEncoder {
  readonly id: string;
  readonly modelId: string;
}

/** Which encoders read the archive in which forms, the main one first. A single one is enough for the quick profile only. */
export function encodersFor(
  profile: IndexProfile,
  main: InstalledEncoder,
  installed: readonly InstalledEncoder[],
): Encoder[] {
  const others = profile === "quick" ? [] : installed.filter(({ id }) => id !== main.id);
  const readers = [main, ...others];
  // One encoder's tokens are enough: the main one's where the best does not read, if they were measured at all.
  const tokensOf = readers.some(({ id }) => id === bestTokens) ? bestTokens : main.id;
  const measured = Object.hasOwn(strengths, tokensOf);
  return readers.map(({ id, modelId }, place) => {
    const own = strengths[id] ?? unknown;
    const forms = place > 0 ? own : others.length === 0 ? always : [...new Set([...always, ...own])];
    return { model: modelId, forms, ...(measured && id === tokensOf ? { tokens: true } : {}) };
  });
}
