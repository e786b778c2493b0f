import type { Claim } from "#contract";
import type { FoundConflict } from "../verify/conflicts.ts";
import type { Reading } from "./sentences/sentences.ts";
import type { Voices } from "./spans/voices.ts";
import type { Answer } from "./witnesses/agreement.ts";

/** What a claim answers, for looking for further records that say the same. */
export interface Backing {
  /** The claim's text. */
  readonly text: string;
  readonly answer: Answer;
  /** The question, or the part of it, that it answers. */
  readonly reading: Reading;
}

/** What the reader would say, before it is checked. */
export interface Draft {
  readonly claims: readonly Claim[];
  /** The kind of answer that was asked for was found (a sum for "how much"). */
  readonly fits: boolean;
  /** How much of what is asked is said by the record on which the answer stands, or around it, 0–1. */
  readonly said: number;
  /** That record's likeness of meaning to the question, −1 to 1; 0 without a model. */
  readonly cosine: number;
  /** That record lies in the time asked for, or names it. */
  readonly inTime: boolean;
  /** The question's words are said of somebody else than the person asked about, and of that person hardly. */
  readonly ofOther?: boolean;
  /** In talk: what others say beside what the person asked about says. */
  readonly voices?: Voices | null;
  /** Other values of what was asked that the reader met. */
  readonly conflicts?: readonly FoundConflict[];
  readonly backings?: readonly Backing[];
  /** Parts of the question that got no claim of their own, in its words. */
  readonly open?: readonly string[];
}

export const nothing: Draft = { claims: [], fits: false, said: 0, cosine: 0, inTime: false };

/** Claims that answer what is asked, all of it and of its time. */
export const answered = (claims: readonly Claim[], { said = 1, cosine = 1 } = {}): Draft => ({
  claims,
  fits: true,
  said,
  cosine,
  inTime: true,
});
