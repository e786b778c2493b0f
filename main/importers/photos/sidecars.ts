import type { AppleDetails } from "./apple.ts";
import type { TakeoutPhoto } from "./takeout.ts";
import type { XmpProperties } from "./xmp.ts";

/** What stands beside a picture or film and describes it. */
export interface Sidecars {
  readonly takeout: TakeoutPhoto | null;
  /** Its row in the lists of an iCloud export. */
  readonly apple: AppleDetails | null;
  /** Properties of its .xmp file. */
  readonly xmp: XmpProperties | null;
  /** Files that were used, for the record's sources. */
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
}

export const noSidecars: Sidecars = { takeout: null, apple: null, xmp: null, files: [] };
