import { z } from "zod";

/** How the catalogue names the places that a model's files come from. */

export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);
/** A plain file name: no folder, nothing hidden. */
export const fileNameSchema = z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9._-]*$/);

/** Another build of a file, which one source has instead of the measured one. */
const otherBuildSchema = z.object({
  bytes: z.number().int().positive(),
  sha256: sha256Schema,
  /** False: size and hash are as published by others. It must match them, and the probe before first use. */
  verified: z.boolean(),
  note: z.string(),
});

/** Files of a model hub, `base/path`. */
const hubSourceSchema = z.object({
  kind: z.literal("hub"),
  label: z.string(),
  base: z.url({ protocol: /^https$/ }),
  files: z.array(z.object({ name: fileNameSchema, path: z.string(), other: otherBuildSchema.optional() })).min(1),
});
export type HubSource = z.infer<typeof hubSourceSchema>;

/** Programs under `models/convert/` that make one ONNX file of weights in another form. */
export const builders = ["efficientnet-lite0", "blazeface", "face-recognition"] as const;
export type BuilderName = (typeof builders)[number];

/** The source gives weights in another form; one file of the model is made of them here. */
const conversionSchema = z.object({
  builder: z.enum(builders),
  /** What the source gives, pinned like the files of a model. */
  inputs: z.array(z.object({ name: fileNameSchema, bytes: z.number().int().positive(), sha256: sha256Schema })).min(1),
  /** The file of the model that comes out; its hash is the one in `files`. */
  output: fileNameSchema,
});
export type Conversion = z.infer<typeof conversionSchema>;

/**
 * Members of archives that a package manager downloads. A file that is a member of several packages is split: its parts are
 * joined in the order of the packages.
 */
const packagesOf = (name: RegExp) => ({
  label: z.string(),
  packages: z
    .array(
      z.object({
        name: z.string().regex(name),
        version: z.string().regex(/^[0-9][0-9A-Za-z.-]*$/),
        /** Of the archive. */
        bytes: z.number().int().positive(),
        /** `path`: member of the archive, then of the zip that this member is, and so on. */
        members: z.array(z.object({ name: fileNameSchema, path: z.array(z.string()).min(1) })).min(1),
      }),
    )
    .min(1),
  conversion: conversionSchema.optional(),
});

const pythonSourceSchema = z.object({ kind: z.literal("python"), ...packagesOf(/^[a-z0-9-]+$/) });
const npmSourceSchema = z.object({ kind: z.literal("npm"), ...packagesOf(/^(@[a-z0-9-]+\/)?[a-z0-9.-]+$/) });
/** `group:artefact`. */
const mavenSourceSchema = z.object({ kind: z.literal("maven"), ...packagesOf(/^[a-z0-9.-]+:[a-z0-9.-]+$/) });
const localSourceSchema = z.object({ kind: z.literal("local"), label: z.string() });

export const sourceSchema = z.discriminatedUnion("kind", [
  hubSourceSchema,
  pythonSourceSchema,
  npmSourceSchema,
  mavenSourceSchema,
  localSourceSchema,
]);
export type ModelSource = z.infer<typeof sourceSchema>;
/** A source that a package manager brings. */
export type PackageSource = Extract<ModelSource, { packages: unknown }>;
export type SourceKind = ModelSource["kind"];
