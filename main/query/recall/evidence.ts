import type { RecordId } from "#contract";
import type { IndexReader, TextForm } from "#main/indexes/ports.ts";
import type { QuestionVectors } from "../ports.ts";

/**
 * Likeness of meaning of records and question, one table for each encoder and form of the text. What a feature is called
 * depends on the model that the weights were fitted with: cosines of two models are not on one scale.
 */

/** Tables that features are read from. */
export const tables = {
  /** The main encoder, whichever it is. */
  said: { model: null, form: "said" },
  context: { model: "bge-small-en-v1.5-int8", form: "context" },
  e5: { model: "e5-small-v2-int8", form: "said" },
} as const satisfies Record<string, { model: string | null; form: TextForm }>;
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
  readonly #loaded = new Set<RecordId>();

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
      for (const name of named) this.#cosines.set(name, new Map());
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
    for (const { model, question, tables: named } of this.#sources) {
      // s_i(q): the best of a record's pieces (GraphMemix, multi-view retrieval).
      const found = this.#index.cosinesOf(question, missing, { model, forms: [...named.keys()] });
      for (const [form, name] of named) {
        const [cosines, known] = [found.get(form), this.#cosines.get(name)];
        for (const [at, id] of missing.entries()) {
          const cosine = cosines?.[at] ?? Number.NaN;
          if (!Number.isNaN(cosine)) known?.set(id, cosine);
        }
      }
    }
  }

  /** Cosine of a loaded record, 0 where it has no vector. */
  cosine(name: TableName, id: RecordId): number {
    return this.#cosines.get(name)?.get(id) ?? 0;
  }
}
