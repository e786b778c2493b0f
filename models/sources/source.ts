import type { Build, CatalogueModel } from "../catalogue.ts";
import type { Conversion } from "./schema.ts";

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

/** A file that a source has to bring, and the contents that it may have. */
export interface WantedFile {
  readonly name: string;
  readonly builds: readonly Build[];
}

/** What a source has to bring for a model: its files, with what a conversion starts from in place of what it makes. */
export function wantedFiles(
  model: CatalogueModel,
  buildsOf: (name: string) => readonly Build[],
  conversion?: Conversion,
): WantedFile[] {
  const files = model.files.filter(({ name }) => name !== conversion?.output);
  return [
    ...files.map(({ name }) => ({ name, builds: buildsOf(name) })),
    ...(conversion?.inputs ?? []).map(({ name, bytes, sha256 }) => ({
      name,
      builds: [{ bytes, sha256, verified: true }],
    })),
  ];
}

/** Bytes of the largest build of each file, together. */
export function bytesOf(files: readonly WantedFile[]): number {
  return files.reduce((sum, { builds }) => sum + Math.max(0, ...builds.map((build) => build.bytes)), 0);
}
