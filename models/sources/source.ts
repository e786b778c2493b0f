import type { Build, CatalogueModel } from "../catalogue.ts";

/** What a source needs to put the files of a model into its staging folder. */
export interface FetchContext {
  readonly model: CatalogueModel;
  /** The models folder. */
  readonly folder: string;
  /** Of this model; kept between attempts, so that a download goes on where it stopped. */
  readonly staging: string;
  readonly signal: AbortSignal | undefined;
  /** Bytes so far and in all, of this source. */
  readonly onProgress: (done: number, total: number, note: string) => void;
}

/** A file that lies in the staging folder under its own name and has the hash of `build`. */
export interface StagedFile {
  readonly name: string;
  readonly build: Build;
}
