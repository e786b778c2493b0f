import type { RecordId } from "#contract";
import type { IndexReader, TextForm } from "#main/indexes/ports.ts";
import type { QuestionVectors } from "../ports.ts";

/**
 * Likeness of meaning of records and question, one table for each encoder and form of the text. What a feature is called
 * depends on the model that the weights were fitted with: cosines of two models are not on one scale.
 */

/** Tables that features are read from; `common`: how like a record is to all of the pool is a feature, too. */
export const tables = {
  /** The main encoder, whichever it is. */
  said: { model: null, form: "said", common: true },
  context: { model: "bge-small-en-v1.5-int8", form: "context", common: false },
  e5: { model: "e5-small-v2-int8", form: "said", common: true },
} as const satisfies Record<string, { model: string | null; form: TextForm; common: boolean }>;
export type TableName = keyof typeof tables;
const tableNames: readonly TableName[] = ["said", "context", "e5"];

interface Source {
  readonly model: string;
  readonly question: Float32Array;
  /** Tables by the form that they are made of. */
  readonly tables: ReadonlyMap<TextForm, TableName>;
}

export class Evidence {
  readonly #index: IndexReader;
  readonly #sources: readonly Source[];
  readonly #cosines = new Map<TableName, Map<RecordId, number>>();
  /** Mean cosine to the records of the pool. */
  readonly #commons = new Map<TableName, Map<RecordId, number>>();
  readonly #loaded = new Set<RecordId>();
  /** Of the first records loaded, which are the pool: their mean vector in each table. */
  #centres: ReadonlyMap<TableName, Float32Array> | null = null;

  constructor(index: IndexReader, vectors: QuestionVectors) {
    this.#index = index;
    const { text: main, encoders } = index.status().serving;
    this.#sources = encoders.flatMap(({ model, forms }) => {
      const question = model === main ? vectors.text : (vectors.more?.get(model) ?? null);
      const named = tableNames.filter(
        (name) =>
          forms.includes(tables[name].form) &&
          (tables[name].model === null ? model === main : model.startsWith(`${tables[name].model}@`)),
      );
      if (question === null || named.length === 0) return [];
      for (const name of named) {
        this.#cosines.set(name, new Map());
        this.#commons.set(name, new Map());
      }
      return [{ model, question, tables: new Map(named.map((name) => [tables[name].form, name])) }];
    });
  }

  has(name: TableName): boolean {
    return this.#cosines.has(name);
  }

  load(ids: readonly RecordId[]): void {
    const missing = ids.filter((id) => !this.#loaded.has(id));
    if (missing.length === 0) return;
    for (const id of missing) this.#loaded.add(id);
    this.#centres ??= this.#centresOf(missing);
    for (const { model, question, tables: named } of this.#sources) {
      // s_i(q): the best of a record's pieces (GraphMemix, multi-view retrieval).
      const found = this.#index.cosinesOf(question, missing, { model, forms: [...named.keys()] });
      for (const [form, name] of named) {
        take(missing, found.get(form), this.#cosines.get(name));
        const centre = this.#centres.get(name);
        if (centre === undefined) continue;
        const common = this.#index.cosinesOf(centre, missing, { model, forms: [form] });
        take(missing, common.get(form), this.#commons.get(name));
      }
    }
  }

  #centresOf(ids: readonly RecordId[]): Map<TableName, Float32Array> {
    const centres = this.#sources.flatMap(({ model, tables: named }) =>
      [...named]
        .filter(([, name]) => tables[name].common)
        .map(([form, name]): [TableName, Float32Array] => [name, this.#index.centreOf(ids, { model, form })]),
    );
    return new Map(centres);
  }

  /** Cosine of a loaded record, 0 where it has no vector. */
  cosine(name: TableName, id: RecordId): number {
    return this.#cosines.get(name)?.get(id) ?? 0;
  }

  /** How like a loaded record is to all of the pool: what is near to everything answers little. 0 where it has no vector. */
  common(name: TableName, id: RecordId): number {
    return this.#commons.get(name)?.get(id) ?? 0;
  }
}

function take(
  ids: readonly RecordId[],
  values: Float32Array | undefined,
  known: Map<RecordId, number> | undefined,
): void {
  for (const [at, id] of ids.entries()) {
    const value = values?.[at] ?? Number.NaN;
    if (!Number.isNaN(value)) known?.set(id, value);
  }
}
