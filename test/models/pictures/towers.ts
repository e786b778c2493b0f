import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CatalogueModel, findModelFor, type ModelFile, type ModelFor } from "#models/catalogue.ts";
import { modelPlaces } from "#models/installed.ts";
import { smallOnnx, weights } from "../onnx-maker.ts";
import { sha256 } from "../small-model.ts";

export type TowerModel = ModelFor<"image-text-embedding">;

const dimension = 16;
const words = [..."abcdefghijklmnopqrstuvwxyz"];

/** Means of 4 × 4 fields of a picture, mixed into a vector. */
export const pictureTower = smallOnnx({
  inputs: [{ name: "pixel_values", kind: "float", dims: ["n", 3, 224, 224] }],
  outputs: [{ name: "image_embeds", kind: "float", dims: ["n", dimension] }],
  nodes: [
    {
      op: "AveragePool",
      inputs: ["pixel_values"],
      outputs: ["fields"],
      attributes: { kernel_shape: [56, 56], strides: [56, 56] },
    },
    { op: "Flatten", inputs: ["fields"], outputs: ["flat"], attributes: { axis: 1 } },
    { op: "MatMul", inputs: ["flat", "mix"], outputs: ["image_embeds"] },
  ],
  weights: [weights("mix", [48, dimension], 7)],
});

/** Mean of the tokens' vectors. */
export const captionTower = smallOnnx({
  inputs: [{ name: "input_ids", kind: "int64", dims: ["n", "tokens"] }],
  outputs: [{ name: "text_embeds", kind: "float", dims: ["n", dimension] }],
  nodes: [
    { op: "Gather", inputs: ["table", "input_ids"], outputs: ["states"], attributes: { axis: 0 } },
    { op: "ReduceMean", inputs: ["states"], outputs: ["text_embeds"], attributes: { axes: [1], keepdims: 0 } },
  ],
  weights: [weights("table", [words.length * 2 + 4, dimension], 9)],
});

const special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"];
const added = special.map((content, id) => ({
  id,
  content,
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
  special: true,
}));
export const tokenizerJson = {
  version: "1.0",
  truncation: null,
  padding: null,
  added_tokens: added,
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
    single: [
      { SpecialToken: { id: "[CLS]", type_id: 0 } },
      { Sequence: { id: "A", type_id: 0 } },
      { SpecialToken: { id: "[SEP]", type_id: 0 } },
    ],
    pair: [],
    special_tokens: {
      "[CLS]": { id: "[CLS]", ids: [2], tokens: ["[CLS]"] },
      "[SEP]": { id: "[SEP]", ids: [3], tokens: ["[SEP]"] },
    },
  },
  decoder: { type: "WordPiece", prefix: "##", cleanup: true },
  model: {
    type: "WordPiece",
    unk_token: "[UNK]",
    continuing_subword_prefix: "##",
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(
      [...special, ...words, ...words.map((letter) => `##${letter}`)].map((token, id) => [token, id]),
    ),
  },
};
export const tokenizerConfig = { tokenizer_class: "BertTokenizer", pad_token: "[PAD]", unk_token: "[UNK]" };

/** As CLIP's own file says it. */
export const clipConfig = {
  crop_size: { height: 224, width: 224 },
  do_center_crop: true,
  do_convert_rgb: true,
  do_normalize: true,
  do_rescale: true,
  do_resize: true,
  image_mean: [0.48145466, 0.4578275, 0.40821073],
  image_processor_type: "CLIPFeatureExtractor",
  image_std: [0.26862954, 0.26130258, 0.27577711],
  resample: 3,
  rescale_factor: 0.00392156862745098,
  size: { shortest_edge: 224 },
};

/** As SigLIP's own file says it. */
export const siglipConfig = {
  do_normalize: true,
  do_rescale: true,
  do_resize: true,
  image_mean: [0.5, 0.5, 0.5],
  image_processor_type: "SiglipImageProcessor",
  image_std: [0.5, 0.5, 0.5],
  resample: 3,
  rescale_factor: 0.00392156862745098,
  size: { height: 224, width: 224 },
};

const asBytes = (json: object) => Buffer.from(JSON.stringify(json), "utf8");

/** Puts files as an installed model into a new models folder. */
export async function installed<M extends CatalogueModel>(
  base: M,
  files: readonly { role: ModelFile["role"]; name: string; bytes: Uint8Array }[],
): Promise<{ folder: string; model: M }> {
  const model: M = {
    ...base,
    id: "small-model",
    files: files.map(({ role, name, bytes }) => ({
      role,
      name,
      bytes: bytes.length,
      sha256: sha256(bytes),
      verified: true,
    })),
  };
  const folder = await mkdtemp(join(tmpdir(), "understory-models-"));
  const { home, manifest } = modelPlaces(folder, model.id);
  await mkdir(home, { recursive: true });
  for (const { name, bytes } of files) await writeFile(join(home, name), bytes);
  await writeFile(
    manifest,
    JSON.stringify({
      id: model.id,
      version: model.version,
      source: "local",
      verified: true,
      installedAt: "2026-01-01T00:00:00Z",
      files: files.map(({ name, bytes }) => ({ name, bytes: bytes.length, sha256: sha256(bytes), verified: true })),
    }),
  );
  return { folder, model };
}

/** The tiny pair as an installed model; parts can be put in the place of its own. */
export async function tinyTowers(
  changes: { picture?: Uint8Array; config?: object; dimension?: number; padded?: boolean } = {},
): Promise<{ folder: string; model: TowerModel }> {
  const base = findModelFor("image-text-embedding", "clip-vit-base-patch32");
  const entry: TowerModel = {
    ...base,
    imageText: {
      ...base.imageText,
      dimension: changes.dimension ?? dimension,
      maxTokens: 24,
      padded: changes.padded ?? false,
    },
  };
  return installed(entry, [
    { role: "weights", name: "vision_model.onnx", bytes: changes.picture ?? pictureTower },
    { role: "caption-weights", name: "text_model.onnx", bytes: captionTower },
    { role: "tokeniser", name: "tokenizer.json", bytes: asBytes(tokenizerJson) },
    { role: "tokeniser-config", name: "tokenizer_config.json", bytes: asBytes(tokenizerConfig) },
    { role: "picture-config", name: "preprocessor_config.json", bytes: asBytes(changes.config ?? clipConfig) },
  ]);
}
