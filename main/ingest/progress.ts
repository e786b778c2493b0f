import { z } from "zod";
import type { Cursor } from "#main/importers/types.ts";
import type { PlannedClaim } from "./plan.ts";

/**
 * What stands in the store as a claim's cursor: the importer's own, the state of the files it was read from, and which
 * of them have their row in the ledger, one bit a file.
 */
const markSchema = z.object({
  stamp: z.string(),
  cursor: z.union([z.string(), z.number(), z.null()]),
  told: z.base64(),
});

/** How far a claim is read. */
export class ClaimMark {
  cursor: Cursor | null = null;
  readonly #claim: PlannedClaim;
  readonly #index: ReadonlyMap<string, number>;
  readonly #told: Uint8Array;

  constructor(claim: PlannedClaim) {
    this.#claim = claim;
    this.#index = new Map(claim.files.map(({ path }, index) => [path, index]));
    this.#told = new Uint8Array(Math.ceil(claim.files.length / 8));
  }

  /** Takes over what an earlier run kept. False when the files have changed since, or nothing useful was kept. */
  restore(kept: Cursor | null): boolean {
    if (typeof kept !== "string") return false;
    let mark: z.infer<typeof markSchema>;
    try {
      mark = markSchema.parse(JSON.parse(kept));
    } catch {
      return false;
    }
    if (mark.stamp !== this.#claim.stamp) return false;
    this.cursor = mark.cursor;
    this.#told.set(Buffer.from(mark.told, "base64").subarray(0, this.#told.length));
    return true;
  }

  keep(): Cursor {
    const told = Buffer.from(this.#told).toString("base64");
    return JSON.stringify({ stamp: this.#claim.stamp, cursor: this.cursor, told });
  }

  /** The file has its row. */
  tell(path: string): void {
    const index = this.#index.get(path);
    if (index !== undefined) this.#told[index >> 3] = (this.#told[index >> 3] ?? 0) | (1 << (index & 7));
  }

  /** Files without a row. */
  untold(): string[] {
    return this.#claim.files
      .filter((_, index) => ((this.#told[index >> 3] ?? 0) & (1 << (index & 7))) === 0)
      .map(({ path }) => path);
  }
}
