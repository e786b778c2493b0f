import type { RecordId } from "#contract";
import { column, type Database } from "#native/sqlite.ts";
import { formBit } from "./forms.ts";
import type { TokenSigns } from "./ports.ts";
import { signsOf } from "./vectors.ts";

/**
 * Token states of records, one sign bit a dimension (48 bytes a token at 384): what late interaction compares a question's
 * tokens with. They lie beside the vector that was made in the same pass and go with it (trigger `token_gone`).
 */

/** Of one piece; `states`: rows of `dimension` numbers, a multiple of 32. A piece without tokens is written down too: nothing waits for it. */
export function putTokens(
  db: Database,
  at: { chunkId: number; space: number },
  states: Float32Array,
  dimension: number,
): void {
  const whole = dimension > 0 && dimension % 32 === 0 ? states : new Float32Array(0);
  db.command(
    `INSERT OR REPLACE INTO token (chunk_id, space_id, record_id, width, signs)
     SELECT id, ?2, record_id, ?3, ?4 FROM chunk WHERE id = ?1`,
  ).run(at.chunkId, at.space, dimension >> 5, new Uint8Array(signsOf(whole).buffer));
}

/** Whether a piece in these forms (bits of `formBit`) has its tokens kept. */
export const keepsTokens = (forms: number): boolean => (forms & formBit.said) !== 0;

export function tokensOf(db: Database, ids: readonly RecordId[], model: string): Map<RecordId, TokenSigns[]> {
  const found = new Map<RecordId, TokenSigns[]>();
  const rows = db
    .query(
      `SELECT t.record_id, t.width, t.signs FROM space s CROSS JOIN json_each(?1) j
       CROSS JOIN token t INDEXED BY token_record ON t.record_id = j.value AND t.space_id = s.id
       WHERE s.kind = 'text' AND s.model = ?2`,
      (row) => ({
        id: column.number(row, "record_id"),
        width: column.number(row, "width"),
        bytes: column.blob(row, "signs"),
      }),
    )
    // In the order of the file: neighbours lie on one page.
    .all(JSON.stringify([...new Set(ids)].sort((a, b) => a - b)), model);
  for (const { id, width, bytes } of rows) {
    if (bytes.length === 0) continue;
    const one = { signs: bytes, width: width * 4 };
    const known = found.get(id);
    if (known) known.push(one);
    else found.set(id, [one]);
  }
  return found;
}
