import { type EmbeddingParameters, findModelFor, type ModelFor } from "../catalogue.ts";
import { type BatchLimits, batchLimits, dependsOnBatch, groupRows, oneByOne, trialTexts } from "./batches.ts";
import { failed, openTextNetwork, type TextNetwork, tryOut } from "./network.ts";
import { centred, centreOf, centreTexts, type TextReading, wholeWords } from "./tokens.ts";

export { batchLimits } from "./batches.ts";

/** Largest difference to the catalogue's cosines that another processor or build may make. */
const probeTolerance = 0.05;

export interface TextEmbedder {
  /** Identity of the vector space (`derivedBy`). */
  readonly modelId: string;
  readonly dimension: number;
  /** Tokenises and groups by length: what `run` takes. Texts are the caller's, prefixes are put here. */
  batches(texts: readonly string[], use: "question" | "background"): EmbedBatch[];
  /**
   * One vector for each text of the batch, in the batch's order; never one with a number that is none. A part of a batch
   * may be run instead of the whole: what a text gets does not depend on its company. Throws `inference_failed`.
   */
  run(batch: EmbedBatch): Promise<Float32Array[]>;
  /** As `run`, with the states of the tokens from the same pass. */
  read(batch: EmbedBatch): Promise<TextReading[]>;
  dispose(): Promise<void>;
}

/** Texts of like length that go through the model together; `positions` are their places in the caller's list. */
export interface EmbedBatch {
  readonly positions: readonly number[];
  readonly tokens: readonly (readonly number[])[];
}

/**
 * Opens an installed text embedding model: every file is checked against its hash, and the model against the catalogue's
 * probe. Throws `model_missing`, `model_unsupported` or `model_damaged` (the model is then in quarantine).
 * `model` stands for the catalogue's entry of this id.
 */
export async function openTextEmbedder(input: {
  modelId: string;
  folder: string;
  model?: ModelFor<"text-embedding">;
}): Promise<TextEmbedder> {
  const model = input.model ?? findModelFor("text-embedding", input.modelId);
  const parameters = model.embedding;
  const network = await openTextNetwork(input.folder, model, parameters);
  const { prefix, dimension } = parameters;
  const tokensOf = (text: string, use: "question" | "background") => network.tokenizer.encode(prefix[use] + text);
  const vectors = async (rows: readonly (readonly number[])[]) =>
    (await runRows(network, model, rows)).map(({ vector }) => vector);
  // Prefixes end where a word ends, so that their tokens are the first of any text that has them.
  const marks = network.tokenizer.encode("").length;
  const prefixes = Object.values(prefix).map((text) => network.tokenizer.encode(text).slice(1, 1 - marks));
  const ownTokens = (row: TokenRows) => withoutMarks(row, prefixes, marks);
  let centre: Promise<Float32Array> | null = null;
  const findCentre = async () => {
    const found: Float32Array[] = [];
    // One by one: what a network of dynamic quantisation gives must not depend on the others.
    for (const text of centreTexts) {
      for (const row of await runRows(network, model, [tokensOf(text, "background")]))
        found.push(ownTokens(row).states);
    }
    return centreOf(found, dimension);
  };
  const limits = await tryOut(network, async () => {
    const fault = await probe(parameters, async (text) => (await vectors([tokensOf(text, "background")]))[0]);
    if (fault) throw failed(model.title, fault);
    const rows = trialTexts.map((text) => tokensOf(text, "background"));
    return (await dependsOnBatch(rows, vectors)) ? oneByOne : batchLimits;
  });
  return {
    modelId: network.modelId,
    dimension,
    batches: (texts, use) =>
      groupByLength(
        texts.map((text) => tokensOf(text, use)),
        limits,
      ),
    run: ({ tokens }) => vectors(tokens),
    async read({ tokens }) {
      centre ??= findCentre();
      const middle = await centre;
      return (await runRows(network, model, tokens)).map((row) => {
        const { ids, states } = ownTokens(row);
        const words = wholeWords(ids.map((id) => network.tokenizer.piece(id)));
        return { vector: row.vector, words, states: centred(states, middle) };
      });
    },
    dispose: () => network.dispose(),
  };
}

/** Tokens of texts as batches: shortest first, as many together as the limits allow. */
export function groupByLength(tokens: readonly (readonly number[])[], limits: BatchLimits = batchLimits): EmbedBatch[] {
  return groupRows(tokens, (ids) => ids.length, limits).map(({ positions, rows }) => ({ positions, tokens: rows }));
}

/** Tokens of a text with their states as the network gives them, and the vector that they make together. */
interface TokenRows {
  readonly ids: readonly number[];
  readonly states: Float32Array;
  readonly vector: Float32Array;
}

async function runRows(
  network: TextNetwork,
  { title, embedding }: ModelFor<"text-embedding">,
  tokens: readonly (readonly number[])[],
): Promise<TokenRows[]> {
  const { dimension, pooling, normalise } = embedding;
  const rows = tokens.map((ids) => ({ ids }));
  const { data, dims, width } = await network.run(rows, 3);
  if (dims[1] !== width || dims[2] !== dimension) throw failed(title, `gives no vectors of ${dimension} numbers`);
  return tokens.map((ids, row) => {
    const start = row * width * dimension;
    const states = data.subarray(start, start + ids.length * dimension);
    const vector = pool(pooling === "cls" ? states.subarray(0, dimension) : states, dimension, normalise);
    if (!vector.every(Number.isFinite)) throw failed(title, "gives numbers that are none");
    return { ids, states, vector };
  });
}

/** Leaves out the opening mark with the prefix behind it, and the closing marks. */
function withoutMarks(
  { ids, states }: TokenRows,
  prefixes: readonly (readonly number[])[],
  marks: number,
): { ids: readonly number[]; states: Float32Array } {
  const dimension = states.length / ids.length;
  const prefix = prefixes.find((one) => one.length > 0 && one.every((id, at) => ids[1 + at] === id));
  const from = 1 + (prefix?.length ?? 0);
  const to = Math.max(from, ids.length - (marks - 1));
  return { ids: ids.slice(from, to), states: states.subarray(from * dimension, to * dimension) };
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

/** Compares the cosines of the catalogue's pairs, as background texts; what is wrong when one is off, else null. */
async function probe(
  { probe: pairs }: EmbeddingParameters,
  vectorOf: (text: string) => Promise<Float32Array | undefined>,
): Promise<string | null> {
  for (const { a, b, cosine } of pairs) {
    const [left, right] = [await vectorOf(a), await vectorOf(b)];
    const found = left && right ? cosineOf(left, right) : Number.NaN;
    if (!(Math.abs(found - cosine) <= probeTolerance)) {
      return `gives ${found.toFixed(3)} for a pair of test sentences instead of ${cosine.toFixed(3)}`;
    }
  }
  return null;
}

function cosineOf(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
