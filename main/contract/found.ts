import type { AskResult } from "./ask.ts";

/** How an answer was found, as it is saved or printed: the whole trace, and of records no more than is quoted. */
export interface HowFound extends Omit<AskResult, "records"> {
  readonly format: "understory-how-found";
  readonly version: 1;
  /** Every record that is named, without its text. */
  readonly records: readonly {
    readonly id: number;
    readonly kind: string;
    readonly source: string;
    /** Wall time, where one is known. */
    readonly local: string | null;
  }[];
}

/** Of live records only: a result names no other. */
export function howFound({ records, ...result }: AskResult): HowFound {
  return {
    format: "understory-how-found",
    version: 1,
    ...result,
    records: records
      .filter(({ trashed }) => !trashed)
      .map(({ id, kind, source, time }) => ({ id, kind, source, local: time?.local ?? time?.utc ?? null })),
  };
}
