import type { FeatureName } from "#main/query/ports.ts";

export interface Profile {
  readonly names: readonly FeatureName[];
  /** Ridge on standardised weights. */
  readonly l2: number;
  /**
   * The least that a weight may be. A household's pools are of fewer records on the matter than a chat's: what is like all of
   * them is more often the answer there.
   */
  readonly least?: Readonly<Record<string, number>>;
  /**
   * Fitted on the gallery's questions alone when all others stand: LoCoMo asks for a picture in one question of fifty.
   * `most`: the largest weight; a gallery's questions are about pictures more surely than a household's.
   */
  readonly after?: readonly { readonly name: FeatureName; readonly most: number }[];
}

/** Which features each profile is fitted with, and how firmly. */
export const profiles = {
  /** No embedding model: full text, structure and dates. */
  lexical: {
    names: ["near", "cov_all", "bm_smax", "spk", "win", "when_temp", "first", "asks", "name_names", "where_names"],
    l2: 2e-3,
  },
  /** One encoder (all-MiniLM-L6-v2): sentences, words, and their tokens. */
  quick: {
    names: [
      "soft_near",
      "soft",
      "cov_all",
      "bm_smax",
      "spk",
      "subject",
      "win",
      "when_temp",
      "first",
      "prevq",
      "asks",
      "brief",
      "names",
      "what_names",
      "where_names",
      "name_names",
      "cos",
      "cos_smax",
      "cos_common",
      "late_rare",
      "late_near",
    ],
    l2: 8e-3,
    least: { cos_common: -2.5 },
    after: [{ name: "shows", most: 1.8 }],
  },
  /** Three encoders, each in the forms it is best at, and the tokens of one. */
  thorough: {
    names: [
      "soft_near",
      "bm_smax",
      "spk",
      "subject",
      "win",
      "when_temp",
      "first",
      "prevq",
      "reply",
      "asks",
      "brief",
      "what_names",
      "where_names",
      "name_names",
      "context",
      "context_smax",
      "e5",
      "e5_common",
      "late_rare",
      "late_near",
    ],
    l2: 2e-2,
    after: [{ name: "shows", most: 1.8 }],
  },
} as const satisfies Record<string, Profile>;
export type ProfileName = keyof typeof profiles;
export const profileNames: readonly ProfileName[] = ["lexical", "quick", "thorough"];
