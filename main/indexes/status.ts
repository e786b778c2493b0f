import { column, type Database } from "#native/sqlite.ts";
import { formBit, formsOf, leastForms, maskOf } from "./forms.ts";
import type { Encoder, IndexStatus } from "./ports.ts";
import { dataVersion } from "./version.ts";

/** `modelId` null: the main encoder at work. */
export function indexStatus(db: Database, lastSeq: number, modelId: string | null): IndexStatus {
  const seq = db.query("SELECT seq FROM cursor", (row) => column.number(row, "seq")).get() ?? 0;
  const failed = db.query("SELECT failed FROM cursor", (row) => column.number(row, "failed")).get() ?? 0;
  return {
    textSeq: seq,
    text: {
      done: countOf(db, "SELECT count(*) AS n FROM item"),
      pending: Math.max(0, lastSeq - seq),
      failed,
    },
    vectors: progressOf(db, modelId),
    serving: servingOf(db),
  };
}

/** Counting may take this share of the time: of a large archive that is being worked on, counts are told a little late. */
const countingShare = 0.05;

/** Status for readers, who ask several times a question: counted again only when something has changed. */
export class StatusReader {
  readonly #db: Database;
  #known: { readonly version: number; readonly lastSeq: number; readonly status: IndexStatus } | null = null;
  #again = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  read(lastSeq: number): IndexStatus {
    const started = performance.now();
    const version = dataVersion(this.#db);
    if (this.#known?.version === version && this.#known.lastSeq === lastSeq) return this.#known.status;
    if (this.#known !== null && started < this.#again) {
      // Which vectors answer, and how far full text is, are looked up whatever the counts cost.
      const seq = this.#db.query("SELECT seq FROM cursor", (row) => column.number(row, "seq")).get() ?? 0;
      const { text } = this.#known.status;
      return {
        ...this.#known.status,
        textSeq: seq,
        text: { ...text, pending: Math.max(0, lastSeq - seq) },
        serving: servingOf(this.#db),
      };
    }
    const status = indexStatus(this.#db, lastSeq, null);
    const took = performance.now() - started;
    // What is counted in a moment is never told late.
    this.#again = took < 5 ? 0 : performance.now() + took / countingShare;
    this.#known = { version, lastSeq, status };
    return status;
  }
}

export const emptyStatus = (lastSeq: number): IndexStatus => ({
  textSeq: 0,
  text: { done: 0, pending: lastSeq, failed: 0 },
  vectors: { done: 0, pending: 0, failed: 0, model: null },
  serving: { text: null, picture: null, encoders: [] },
});

const countOf = (db: Database, sql: string): number => db.query(sql, (row) => column.number(row, "n")).get() ?? 0;

/** Records whose chunks are not made yet count as one each. */
function progressOf(db: Database, modelId: string | null): IndexStatus["vectors"] {
  const main = db
    .query("SELECT model FROM space WHERE kind = 'text' AND place = 0", (row) => column.text(row, "model"))
    .get();
  const shallow = countOf(db, "SELECT (SELECT count(*) FROM shallow) + (SELECT count(*) FROM stale) AS n");
  const model = modelId ?? main ?? null;
  if (model === null) return { done: 0, pending: 0, failed: 0, model };
  if (model !== main) {
    const chunks = countOf(db, `SELECT count(*) AS n FROM chunk WHERE (forms & ${maskOf(leastForms)}) <> 0`);
    return { done: 0, pending: chunks + shallow, failed: 0, model };
  }
  const atWork = "space_id IN (SELECT id FROM space WHERE kind = 'text' AND place IS NOT NULL)";
  return {
    done: countOf(db, `SELECT count(*) AS n FROM vector WHERE ${atWork}`),
    pending: countOf(db, `SELECT count(*) AS n FROM work WHERE failed = 0 AND ${atWork}`) + shallow,
    failed: countOf(db, `SELECT count(*) AS n FROM work WHERE failed = 1 AND ${atWork}`),
    model,
  };
}

export function servingOf(db: Database): IndexStatus["serving"] {
  const spaces = db
    .query(
      `SELECT kind, model, forms, place, serving, tokens, whole,
         EXISTS (SELECT 1 FROM work WHERE space_id = space.id AND failed = 0) AS waits
       FROM space WHERE serving OR place IS NOT NULL ORDER BY kind, serving DESC, place`,
      (row) => ({
        kind: column.text(row, "kind"),
        model: column.text(row, "model"),
        forms: column.number(row, "forms"),
        serving: column.number(row, "serving") === 1,
        tokens: column.number(row, "tokens") === 1,
        whole: column.number(row, "whole") === 1,
        waits: column.number(row, "waits") === 1,
      }),
    )
    .all();
  const undone = countOf(db, "SELECT EXISTS (SELECT 1 FROM shallow) AS n") === 1;
  const stale = countOf(db, "SELECT EXISTS (SELECT 1 FROM stale) AS n") === 1;
  const encoders = spaces.flatMap(({ kind, model, forms, serving, tokens, whole, waits }): Encoder[] => {
    if (kind !== "text") return [];
    const kept = tokens ? { tokens } : {};
    if (serving) return [{ model, forms: formsOf(whole ? forms : forms & formBit.said), ...kept }];
    const late = undone || (stale && (forms & formBit.context) !== 0);
    return whole && !waits && !late ? [{ model, forms: formsOf(forms), ...kept }] : [];
  });
  const modelOf = (kind: string) => spaces.find((one) => one.kind === kind && one.serving)?.model ?? null;
  return { text: modelOf("text"), picture: modelOf("picture"), encoders };
}
