import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CatalogueModel, findModelFor, type ModelFile, type ModelFor } from "#models/catalogue.ts";
import { OnnxGraph, type Port } from "#models/convert/onnx.ts";
import { modelPlaces } from "#models/installed.ts";
import { sha256 } from "../small-model.ts";

/** Networks of a few kilobytes whose results can be worked out by hand, with a tokenizer of a dozen words. */

export const vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "b", "river", "boat", "cake", "##s", "broken"];
export const idOf = (token: string) => Math.max(vocabulary.indexOf(token), 1);

export function smallTokenizer(): object {
  const special = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
  const second = (part: object) => JSON.parse(JSON.stringify(part).replace('"type_id":0', '"type_id":1'));
  const text = (id: string) => ({ Sequence: { id, type_id: 0 } });
  const single = [special("[CLS]"), text("A"), special("[SEP]")];
  return {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: vocabulary.slice(0, 4).map((content, id) => ({ id, content, special: true, normalized: false })),
    normalizer: {
      type: "BertNormalizer",
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: {
      type: "TemplateProcessing",
      single,
      pair: [...single, second(text("B")), second(special("[SEP]"))],
      special_tokens: Object.fromEntries(["[CLS]", "[SEP]"].map((id) => [id, { id, ids: [idOf(id)], tokens: [id] }])),
    },
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(vocabulary.map((token, id) => [token, id])),
    },
  };
}

export const dimension = 4;

/** Row of the table for a token: what the small encoder gives for it, whatever stands around it. */
export function stateOf(id: number): number[] {
  return Array.from({ length: dimension }, (_, d) => Math.sin(1 + id * dimension + d));
}

const integers = (name: string): Port => ({ name, shape: ["texts", "tokens"], element: "int64" });

interface EncoderOptions {
  /** Numbers of a state. */
  readonly size?: number;
  /** Adds the mean of the whole batch to every state: a text depends on its company, as with one scale for all. */
  readonly shared?: boolean;
  /** The state of "broken" is no number. */
  readonly broken?: boolean;
  /** An operator that no run-time has. */
  readonly unknown?: boolean;
}

/** `last_hidden_state` is the table's row of each token. */
export function smallEncoder({ size = dimension, shared, broken, unknown }: EncoderOptions = {}): Uint8Array {
  const graph = new OnnxGraph();
  const rows = vocabulary.flatMap((token, id) =>
    Array.from({ length: size }, (_, d) => (broken && token === "broken" ? Number.NaN : (stateOf(id)[d] ?? 0.5))),
  );
  const table = graph.constant("table", { shape: [vocabulary.length, size], data: Float32Array.from(rows) });
  const states = graph.node({ op: "Gather", inputs: [table, "input_ids"], output: "states" });
  const added = shared
    ? graph.node({ op: "ReduceMean", inputs: [states], output: "average", attributes: { keepdims: 0 } })
    : graph.constant("nothing", { shape: [], data: Float32Array.of(0) });
  const [op, inputs] = unknown ? ["FancyAttention", [states]] : ["Add", [states, added]];
  graph.node({ op: String(op), inputs: [inputs].flat(), output: "last_hidden_state" });
  return graph.serialise(
    "encoder",
    [integers("input_ids"), integers("attention_mask")],
    [{ name: "last_hidden_state", shape: ["texts", "tokens", size] }],
  );
}

/** Logit: over the tokens of the second text, ten times the id, plus the ids of all tokens; padding counts nothing. */
export function smallCrossEncoder({ scores = 1, broken = false } = {}): Uint8Array {
  const graph = new OnnxGraph();
  const number = (name: string, value: number) => graph.constant(name, { shape: [1], data: Float32Array.of(value) });
  const values = vocabulary.map((token, id) => (broken && token === "broken" ? Number.NaN : id));
  const table = graph.constant("table", { shape: [vocabulary.length], data: Float32Array.from(values) });
  const ids = graph.node({ op: "Gather", inputs: [table, "input_ids"], output: "ids" });
  const cast = (name: string) =>
    graph.node({ op: "Cast", inputs: [name], output: `${name}_float`, attributes: { to: 1 } });
  const tenfold = graph.node({ op: "Mul", inputs: [cast("token_type_ids"), number("ten", 10)], output: "tenfold" });
  const weights = graph.node({ op: "Add", inputs: [tenfold, number("one", 1)], output: "weights" });
  const weighted = graph.node({ op: "Mul", inputs: [ids, weights], output: "weighted" });
  const kept = graph.node({ op: "Mul", inputs: [weighted, cast("attention_mask")], output: "kept" });
  const axes = graph.constant("axes", { shape: [1], data: BigInt64Array.of(1n) });
  const sum = graph.node({ op: "ReduceSum", inputs: [kept, axes], output: "sum", attributes: { keepdims: 1 } });
  const ones = graph.constant("ones", { shape: [1, scores], data: new Float32Array(scores).fill(1) });
  graph.node({ op: "MatMul", inputs: [sum, ones], output: "logits" });
  return graph.serialise(
    "reranker",
    [integers("input_ids"), integers("attention_mask"), integers("token_type_ids")],
    [{ name: "logits", shape: ["texts", scores] }],
  );
}

interface SmallFiles {
  readonly weights: Uint8Array;
  /** Content of tokenizer.json. */
  readonly tokeniser?: string;
}

function fileOf(role: ModelFile["role"], name: string, bytes: Uint8Array): ModelFile {
  return { role, name, bytes: bytes.length, sha256: sha256(bytes) };
}

/** Puts a small model into a models folder as the installer does, and gives its entry. */
async function install<Model extends CatalogueModel>(folder: string, base: Model, given: SmallFiles): Promise<Model> {
  const tokeniser = new TextEncoder().encode(given.tokeniser ?? JSON.stringify(smallTokenizer()));
  const entries: [ModelFile, Uint8Array][] = [
    [fileOf("weights", "model.onnx", given.weights), given.weights],
    [fileOf("tokeniser", "tokenizer.json", tokeniser), tokeniser],
  ];
  const model: Model = { ...base, version: "1", files: entries.map(([file]) => file) };
  const { home, manifest } = modelPlaces(folder, model.id);
  await mkdir(home, { recursive: true });
  for (const [{ name }, bytes] of entries) await writeFile(join(home, name), bytes);
  const { id, version } = model;
  const files = entries.map(([{ name, bytes, sha256 }]) => ({ name, bytes, sha256, verified: true }));
  const installed = {
    id,
    version,
    source: "local",
    verified: true,
    installedAt: "2026-01-01T00:00:00Z",
    files,
  };
  await writeFile(manifest, JSON.stringify(installed));
  return model;
}

export function installSmallEncoder(
  folder: string,
  files: SmallFiles,
  changes: Partial<ModelFor<"text-embedding">["embedding"]> = {},
): Promise<ModelFor<"text-embedding">> {
  const base = findModelFor("text-embedding", "minilm-l6-v2-int8");
  const embedding = { ...base.embedding, dimension, maxTokens: 16, probe: [], ...changes };
  return install(folder, { ...base, id: "small-encoder", title: "Small encoder", embedding }, files);
}

export function installSmallReranker(folder: string, files: SmallFiles): Promise<ModelFor<"reranker">> {
  const base = findModelFor("reranker", "ms-marco-minilm-l6-v2");
  const reranker = { ...base.reranker, maxTokens: 12 };
  return install(folder, { ...base, id: "small-reranker", title: "Small reranker", reranker }, files);
}
