import { z } from "zod";
import { llmTaskSchema, UnderstoryError } from "#contract";
import json from "./catalogue.json" with { type: "json" };
import { fileNameSchema, sha256Schema, sourceSchema } from "./sources/schema.ts";

/** A file of a model as it lies in the models folder; with `sha256` and no `verified`, as we have had it in hand. */
const modelFileSchema = z.object({
  role: z.enum([
    "weights",
    "tokeniser",
    "tokeniser-config",
    /** Text tower of an image–text pair; its picture tower is `weights`. */
    "caption-weights",
    "picture-config",
    /** OCR: finds lines; reads them; tells upside-down ones. */
    "detector",
    "recogniser",
    "direction",
    "configuration",
    /** Speech to text: hears; writes. */
    "encoder",
    "decoder",
  ]),
  name: fileNameSchema,
  /** About, where the file is not verified. */
  bytes: z.number().int().positive(),
  /** Null: not known to us. The hub's own hash is required, compared and kept when the file arrives. */
  sha256: sha256Schema.nullable(),
  /** False: size and hash are as published by others; we have not had the file in hand. */
  verified: z.literal(false).optional(),
});
export type ModelFile = z.infer<typeof modelFileSchema>;

/** What stands before and after the network of a text embedding model. */
const embeddingSchema = z.object({
  dimension: z.number().int().positive(),
  tokeniser: z.enum(["wordpiece", "unigram"]),
  /** Marks included; longer texts are cut. */
  maxTokens: z.number().int().min(8),
  pooling: z.enum(["mean", "cls"]),
  normalise: z.boolean(),
  /** Put before a text, as the model was trained. */
  prefix: z.object({ question: z.string(), background: z.string() }),
  /** Intra-operator threads that were fastest. */
  threads: z.number().int().positive(),
  /** Pairs of texts with the cosine that the measured file gives: tells a wrong or misread model before first use. None for a file that we have not had. */
  probe: z.array(z.object({ a: z.string(), b: z.string(), cosine: z.number() })),
});
export type EmbeddingParameters = z.infer<typeof embeddingSchema>;

const tripleSchema = z.tuple([z.number(), z.number(), z.number()]);

/** How a picture becomes the input of a network: scaled, cut to a square, `(value − mean) / std` a channel on 0–255. */
const pictureInputSchema = z.object({
  /** Side of the square, pixels. */
  size: z.number().int().positive(),
  /** The shorter side is scaled to this before the centre is cut out. */
  resize: z.number().int().positive(),
  mean: tripleSchema,
  std: tripleSchema,
  /** Layout `1 × 3 × size × size`. */
  channels: z.enum(["rgb", "bgr"]),
  input: z.string(),
});
export type PictureInput = z.infer<typeof pictureInputSchema>;

const tagsSchema = z.object({
  picture: pictureInputSchema,
  features: z.object({ output: z.string(), dimension: z.number().int().positive() }),
  /** Names of the classes lie with the code (`models/pictures/`). */
  logits: z.object({ output: z.string(), classes: z.number().int().positive() }),
  /** Least probability of a tag, and most tags of a picture. */
  threshold: z.number().min(0).max(1),
  most: z.number().int().positive(),
  threads: z.number().int().positive(),
});
export type TagsParameters = z.infer<typeof tagsSchema>;

const ocrSchema = z.object({
  detector: z.object({
    /** Sides are multiples of 32; the picture is scaled so that its shorter side has at least `least` and its longer at most `most`. */
    least: z.number().int().positive(),
    most: z.number().int().positive(),
    /** Probability of a pixel, mean probability of a box, and how far a box is widened (DB, Liao et al. 2020, §3.4). */
    pixel: z.number(),
    box: z.number(),
    unclip: z.number(),
  }),
  /** Height of a line, pixels; longest line in multiples of the height; least mean probability of a line that is kept. */
  recogniser: z.object({ height: z.number().int(), longest: z.number(), confidence: z.number() }),
  direction: z.object({ height: z.number().int(), width: z.number().int(), threshold: z.number() }).nullable(),
  threads: z.number().int().positive(),
});
export type OcrParameters = z.infer<typeof ocrSchema>;

const imageTextSchema = z.object({
  dimension: z.number().int().positive(),
  /** Pooled outputs by name, of the caption tower and of the picture tower. */
  outputs: z.object({ caption: z.string(), picture: z.string() }),
  maxTokens: z.number().int().positive(),
  /** Captions are padded to `maxTokens` (SigLIP) or not (CLIP). */
  padded: z.boolean(),
  threads: z.number().int().positive(),
});
export type ImageTextParameters = z.infer<typeof imageTextSchema>;

const rerankerSchema = z.object({
  maxTokens: z.number().int().positive(),
  threads: z.number().int().positive(),
});
export type RerankerParameters = z.infer<typeof rerankerSchema>;

const llmSchema = z.object({
  parameters: z.number().int().positive(),
  quantisation: z.string(),
  /** Longest context that the model was made for, and the one it is opened with, tokens. */
  trainedContext: z.number().int().positive(),
  context: z.number().int().positive(),
  /** False: a base model, which follows no instructions. */
  chat: z.boolean(),
  /** Tasks that measurements have shown it to be good for (`docs/models.md`). */
  tasks: z.array(llmTaskSchema),
});
export type LlmParameters = z.infer<typeof llmSchema>;

const commonSchema = z.object({
  id: z.string().regex(/^[a-z0-9][a-z0-9.-]*$/),
  /** Changes when the same id stands for other files. */
  version: z.string(),
  recommended: z.boolean(),
  /** Least memory of a machine that it is meant for, bytes; below the round size, of which the firmware keeps a part. */
  machineMemoryBytes: z.number().int().nonnegative(),
  title: z.string(),
  why: z.string(),
  licence: z.object({ name: z.string(), url: z.url() }),
  home: z.url(),
  /** BCP 47. */
  languages: z.array(z.string()).min(1),
  /** Growth of the process with the model open, bytes; measured, or estimated from the size where `memoryMeasured` is false. */
  memoryBytes: z.number().int().positive(),
  memoryMeasured: z.boolean(),
  quality: z.array(z.object({ measure: z.string(), value: z.number(), source: z.string() })),
  files: z.array(modelFileSchema).min(1),
  /** Tried in this order. */
  sources: z.array(sourceSchema).min(1),
});

/** One purpose, one set of parameters: a new purpose is one more member here. */
export const catalogueModelSchema = z.discriminatedUnion("purpose", [
  commonSchema.extend({ purpose: z.literal("text-embedding"), embedding: embeddingSchema }),
  commonSchema.extend({ purpose: z.literal("image-text-embedding"), imageText: imageTextSchema }),
  commonSchema.extend({ purpose: z.literal("image-tags"), tags: tagsSchema }),
  commonSchema.extend({ purpose: z.literal("ocr"), ocr: ocrSchema }),
  commonSchema.extend({ purpose: z.literal("reranker"), reranker: rerankerSchema }),
  commonSchema.extend({ purpose: z.literal("llm"), llm: llmSchema }),
  // Offered, kept and checked like the others; nothing runs them yet.
  commonSchema.extend({ purpose: z.enum(["speech-to-text", "face-detection", "face-embedding"]) }),
]);
export type CatalogueModel = z.infer<typeof catalogueModelSchema>;

export const catalogueSchema = z.object({ version: z.literal(1), models: z.array(catalogueModelSchema) });
export type Catalogue = z.infer<typeof catalogueSchema>;

let loaded: Catalogue | null = null;

/** The catalogue that comes with the product. A malformed one is a bug and throws. */
export function loadCatalogue(): Catalogue {
  loaded ??= catalogueSchema.parse(json);
  return loaded;
}

/** The model of this id. Throws `not_found` with the ids there are. */
export function findModel(id: string, catalogue: Catalogue = loadCatalogue()): CatalogueModel {
  const model = catalogue.models.find((one) => one.id === id);
  if (model) return model;
  throw new UnderstoryError("not_found", `There is no model "${id}" in the catalogue.`, {
    hint: `Known models: ${catalogue.models.map((one) => one.id).join(", ")}.`,
    details: { id },
  });
}

export type ModelFor<P extends CatalogueModel["purpose"]> = Extract<CatalogueModel, { purpose: P }>;

/** The model of this id, which must be for this purpose. Throws `not_found` or `bad_request`. */
export function findModelFor<P extends CatalogueModel["purpose"]>(
  purpose: P,
  id: string,
  catalogue: Catalogue = loadCatalogue(),
): ModelFor<P> {
  const isFor = (model: CatalogueModel): model is ModelFor<P> => model.purpose === purpose;
  const model = findModel(id, catalogue);
  if (isFor(model)) return model;
  throw new UnderstoryError("bad_request", `${model.title} is a model for ${model.purpose}, not for ${purpose}.`, {
    details: { id },
  });
}

/** Bytes and hash that a file may have. */
export interface Build {
  readonly bytes: number;
  readonly sha256: string;
  readonly verified: boolean;
}

/** Every build of a file whose hash some source of the catalogue names, the measured one first. */
export function buildsOf(model: CatalogueModel, name: string): Build[] {
  const builds: Build[] = [];
  for (const file of model.files) {
    if (file.name !== name || file.sha256 === null) continue;
    builds.push({ bytes: file.bytes, sha256: file.sha256, verified: file.verified !== false });
  }
  for (const source of model.sources) {
    if (source.kind !== "hub") continue;
    for (const file of source.files) if (file.name === name && file.other) builds.push(file.other);
  }
  return builds;
}

/** Whether we have had every file of a model in hand. */
export function isMeasured(model: CatalogueModel): boolean {
  return model.files.every((file) => file.sha256 !== null && file.verified !== false);
}

/**
 * Key of everything that is derived with a model: `id@version`, and the beginning of the weights' hash for a build of them
 * that we have not measured. What two builds give differs slightly and is never mixed in one index.
 */
export function derivedBy(model: CatalogueModel, weightsSha256: string): string {
  const measured = model.files.some((file) => file.sha256 === weightsSha256 && file.verified !== false);
  return `${model.id}@${model.version}${measured ? "" : `+${weightsSha256.slice(0, 8)}`}`;
}
