import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  AutoModelForSequenceClassification,
  AutoTokenizer,
  env,
  mean_pooling,
  pipeline,
  Tensor,
} from "@huggingface/transformers";
import { z } from "zod";
import { type CatalogueModel, loadCatalogue, type ModelFor } from "#models/catalogue.ts";
import { modelPlaces, readInstalled } from "#models/installed.ts";
import type { TextEmbedder } from "#models/text/embed.ts";

/** transformers.js on the very files of an installed model. */
export interface Reference<Result> {
  run(first: string, second?: string): Promise<Result>;
  dispose(): Promise<void>;
}

/** Two threads wait for each other more than they help with networks of this size. */
const oneThread = { session_options: { intraOpNumThreads: 1 } };

/** Text embedding models of the catalogue that are installed in this folder. */
export function installedTextModels(folder: string): ModelFor<"text-embedding">[] {
  return loadCatalogue().models.filter(
    (model): model is ModelFor<"text-embedding"> =>
      model.purpose === "text-embedding" && readInstalled(folder, model) !== null,
  );
}

/** Lays a model's files out under the names that the reference looks for; gives the folder to remove afterwards. */
async function layOut(folder: string, model: CatalogueModel, maxTokens: number): Promise<string> {
  const layout = await mkdtemp(join(tmpdir(), "understory-reference-"));
  const { home } = modelPlaces(folder, model.id);
  await cp(join(home, "model.onnx"), join(layout, "m", "onnx", "model.onnx"));
  await cp(join(home, "tokenizer.json"), join(layout, "m", "tokenizer.json"));
  const config = await readFile(join(home, "tokenizer_config.json"), "utf8").catch(() => "{}");
  const known = { tokenizer_class: "BertTokenizer", ...z.record(z.string(), z.unknown()).parse(JSON.parse(config)) };
  const tokenizerConfig = { ...known, model_max_length: maxTokens };
  await writeFile(join(layout, "m", "tokenizer_config.json"), JSON.stringify(tokenizerConfig));
  const reranks = model.purpose === "reranker";
  const networkConfig = reranks
    ? { model_type: "bert", architectures: ["BertForSequenceClassification"], num_labels: 1 }
    : { model_type: "bert" };
  await writeFile(join(layout, "m", "config.json"), JSON.stringify(networkConfig));
  env.allowRemoteModels = false;
  env.localModelPath = layout;
  return layout;
}

/**
 * The reference's `feature-extraction` pipeline. It cuts a text that is too long without its closing mark, which no model
 * was trained with and Python's tokenizers do not do; such a text is given to the pipeline's own network with the mark.
 */
export async function openEmbeddingReference(
  folder: string,
  model: ModelFor<"text-embedding">,
): Promise<Reference<Float32Array>> {
  const { maxTokens, pooling, normalise } = model.embedding;
  const layout = await layOut(folder, model, maxTokens);
  const extract = await pipeline("feature-extraction", "m", { ...oneThread, dtype: "fp32", device: "cpu" });
  return {
    async run(text) {
      const ids = extract.tokenizer.encode(text);
      if (ids.length <= maxTokens) {
        return numbersOf(await extract(text, { pooling, normalize: normalise }));
      }
      const kept = [...ids.slice(0, maxTokens - 1), ids.at(-1) ?? 0];
      const whole = (fill: (id: number) => bigint) => new Tensor("int64", kept.map(fill), [1, kept.length]);
      const mask = whole(() => 1n);
      const outputs = await extract.model({
        input_ids: whole(BigInt),
        attention_mask: mask,
        token_type_ids: whole(() => 0n),
      });
      const hidden: Tensor = outputs.last_hidden_state;
      const pooled = pooling === "mean" ? mean_pooling(hidden, mask) : hidden.slice(null, 0);
      return numbersOf(normalise ? pooled.normalize(2, -1) : pooled);
    },
    async dispose() {
      await extract.dispose();
      await rm(layout, { recursive: true, force: true });
    },
  };
}

/** The reference's sequence classifier; `run` takes a question and a text that fit into the model's window together. */
export async function openRerankingReference(folder: string, model: ModelFor<"reranker">): Promise<Reference<number>> {
  const layout = await layOut(folder, model, model.reranker.maxTokens);
  const tokenizer = await AutoTokenizer.from_pretrained("m");
  const network = await AutoModelForSequenceClassification.from_pretrained("m", {
    ...oneThread,
    dtype: "fp32",
    device: "cpu",
  });
  return {
    async run(question, text = "") {
      const { logits } = await network(tokenizer(question, { text_pair: text }));
      return Number(logits.data[0]);
    },
    async dispose() {
      await network.dispose();
      await rm(layout, { recursive: true, force: true });
    },
  };
}

function numbersOf(tensor: Tensor): Float32Array {
  return Float32Array.from(tensor.data, Number);
}

/** Vectors of texts in their order, in the batches that the embedder makes. */
export async function embedAll(embedder: TextEmbedder, texts: readonly string[]): Promise<Float32Array[]> {
  const vectors = new Array<Float32Array>(texts.length);
  for (const batch of embedder.batches(texts, "background")) {
    const found = await embedder.run(batch);
    batch.positions.forEach((position, at) => {
      vectors[position] = found[at] ?? new Float32Array();
    });
  }
  return vectors;
}

/** How far two lists of vectors are apart. */
export interface Distance {
  /** Largest difference of two components. */
  readonly worst: number;
  readonly minCosine: number;
  /** Places of the pairs that are further apart than 1e-5. */
  readonly off: readonly number[];
}

export function distanceOf(ours: readonly Float32Array[], theirs: readonly Float32Array[]): Distance {
  const off: number[] = [];
  let worst = 0;
  let minCosine = 1;
  for (const [at, mine] of ours.entries()) {
    const other = theirs[at] ?? new Float32Array();
    let [far, dot, a, b] = [0, 0, 0, 0];
    mine.forEach((value, d) => {
      const their = other[d] ?? Number.NaN;
      far = Math.max(far, Math.abs(value - their));
      dot += value * their;
      a += value * value;
      b += their * their;
    });
    const cosine = dot / Math.sqrt(a * b);
    if (!(far <= 1e-5)) off.push(at);
    worst = Math.max(worst, Number.isNaN(far) ? Number.POSITIVE_INFINITY : far);
    minCosine = Math.min(minCosine, Number.isNaN(cosine) ? -1 : cosine);
  }
  return { worst, minCosine, off };
}
