import { z } from "zod";
import { UnderstoryError } from "#contract";
import { type OnnxSession, type OnnxTensor, openOnnx } from "#native/onnx.ts";
import { openTokenizer, type TextTokenizer } from "#native/tokenizer.ts";
import { type CatalogueModel, derivedBy, type EmbeddingParameters, findModelFor } from "../catalogue.ts";
import { quarantineModel, readModelFiles } from "../installed.ts";

/** Texts and padded tokens of one run of the model: small, because no other question is answered meanwhile. */
export const batchLimits = { texts: 32, tokens: 512 } as const;

/** Largest difference to the catalogue's cosines that another processor or build may make. */
const probeTolerance = 0.05;

export interface TextEmbedder {
  /** Identity of the vector space (`derivedBy`). */
  readonly modelId: string;
  readonly dimension: number;
  /** Tokenises and groups by length: what `run` takes. Texts are the caller's, prefixes are put here. */
  batches(texts: readonly string[], use: "question" | "background"): EmbedBatch[];
  /** One vector for each text of the batch, in the batch's order. */
  run(batch: EmbedBatch): Promise<Float32Array[]>;
  dispose(): Promise<void>;
}

/** Texts of like length that go through the model together; `positions` are their places in the caller's list. */
export interface EmbedBatch {
  readonly positions: readonly number[];
  readonly tokens: readonly (readonly number[])[];
}

/**
 * Opens an installed text embedding model: every file is checked against its hash, and the model against the catalogue's
 * probe. Throws `model_missing` or `model_damaged` (the model is then in quarantine).
 */
export async function openTextEmbedder(input: { modelId: string; folder: string }): Promise<TextEmbedder> {
  const model = findModelFor("text-embedding", input.modelId);
  const { installed, files } = await readModelFiles(input.folder, model);
  const fileOf = (role: CatalogueModel["files"][number]["role"]) => {
    const name = model.files.find((file) => file.role === role)?.name ?? role;
    const bytes = files.get(name);
    if (!bytes) throw new UnderstoryError("model_damaged", `${name} of ${model.title} is missing.`);
    return { name, bytes };
  };
  const weights = fileOf("weights");
  const weightsHash = installed.files.find((file) => file.name === weights.name)?.sha256 ?? "";
  const tokenizer = openTokenizer(
    parseObject(fileOf("tokeniser").bytes),
    parseObject(fileOf("tokeniser-config").bytes),
    model.embedding.maxTokens,
  );
  const session = await openOnnx(weights.bytes, { threads: model.embedding.threads }).catch(async (error: unknown) => {
    throw await quarantineModel(input.folder, model, error instanceof Error ? error.message : "it does not open");
  });
  const embedder = makeEmbedder(derivedBy(model, weightsHash), model.embedding, tokenizer, session);
  const fault = await probe(embedder, model.embedding);
  if (fault) {
    await session.dispose();
    throw await quarantineModel(input.folder, model, fault);
  }
  return embedder;
}

function parseObject(bytes: Uint8Array): object {
  return z.record(z.string(), z.unknown()).parse(JSON.parse(new TextDecoder().decode(bytes)));
}

function makeEmbedder(
  modelId: string,
  parameters: EmbeddingParameters,
  tokenizer: TextTokenizer,
  session: OnnxSession,
): TextEmbedder {
  const { dimension, prefix } = parameters;
  return {
    modelId,
    dimension,
    batches: (texts, use) => groupByLength(texts.map((text) => tokenizer.encode(prefix[use] + text))),
    async run({ tokens }) {
      const { inputs, width } = padded(tokens, session.inputNames);
      const outputs = await session.run(inputs);
      const hidden = outputs[session.outputNames[0] ?? ""];
      if (!(hidden?.data instanceof Float32Array) || hidden.dims.at(-1) !== dimension) {
        throw new UnderstoryError("model_damaged", `The model ${modelId} gives no vectors of ${dimension} numbers.`);
      }
      const states = hidden.data;
      return tokens.map((ids, row) => {
        const start = row * width * dimension;
        const kept = parameters.pooling === "cls" ? 1 : ids.length;
        return pool(states.subarray(start, start + kept * dimension), dimension, parameters.normalise);
      });
    },
    dispose: () => session.dispose(),
  };
}

/** Shortest first, as many together as the limits allow when all are padded to the longest of them. */
export function groupByLength(tokens: readonly (readonly number[])[]): EmbedBatch[] {
  const order = tokens.map((ids, position) => ({ ids, position })).sort((a, b) => a.ids.length - b.ids.length);
  const batches: { positions: number[]; tokens: (readonly number[])[] }[] = [];
  for (const { ids, position } of order) {
    let batch = batches.at(-1);
    const count = (batch?.tokens.length ?? 0) + 1;
    if (!batch || count > batchLimits.texts || count * ids.length > batchLimits.tokens) {
      batch = { positions: [], tokens: [] };
      batches.push(batch);
    }
    batch.positions.push(position);
    batch.tokens.push(ids);
  }
  return batches;
}

/** BERT's inputs, `[texts, longest]`, padded with id 0 and mask 0. */
function padded(tokens: readonly (readonly number[])[], names: readonly string[]) {
  const width = Math.max(...tokens.map((ids) => ids.length));
  const dims = [tokens.length, width];
  const ids = new BigInt64Array(tokens.length * width);
  const mask = new BigInt64Array(tokens.length * width);
  tokens.forEach((row, r) => {
    row.forEach((id, c) => {
      ids[r * width + c] = BigInt(id);
      mask[r * width + c] = 1n;
    });
  });
  const all: Record<string, OnnxTensor> = {
    input_ids: { data: ids, dims },
    attention_mask: { data: mask, dims },
    token_type_ids: { data: new BigInt64Array(ids.length), dims },
  };
  return { inputs: Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name))), width };
}

/** Mean of the token states (Reimers and Gurevych 2019, §3), then unit length. Padding is not in `states`. */
function pool(states: Float32Array, dimension: number, normalise: boolean): Float32Array {
  const sums = new Float64Array(dimension);
  const count = states.length / dimension;
  for (let start = 0; start < states.length; start += dimension) {
    for (let d = 0; d < dimension; d++) sums[d] = (sums[d] ?? 0) + (states[start + d] ?? 0);
  }
  let square = 0;
  for (const sum of sums) square += sum * sum;
  const scale = normalise ? Math.max(Math.sqrt(square), 1e-12) : count;
  return Float32Array.from(sums, (sum) => sum / scale);
}

/** Compares the cosines of the catalogue's pairs; a sentence when one is off, else null. */
async function probe(embedder: TextEmbedder, { probe: pairs }: EmbeddingParameters): Promise<string | null> {
  for (const { a, b, cosine } of pairs) {
    const vectors: Float32Array[] = [];
    for (const text of [a, b]) {
      for (const batch of embedder.batches([text], "background")) vectors.push(...(await embedder.run(batch)));
    }
    const [left, right] = vectors;
    const found = left && right ? dot(left, right) : Number.NaN;
    if (!(Math.abs(found - cosine) <= probeTolerance)) {
      return `it gives ${found.toFixed(3)} for a pair of test sentences instead of ${cosine.toFixed(3)}`;
    }
  }
  return null;
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}
