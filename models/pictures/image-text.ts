import { z } from "zod";
import { UnderstoryError } from "#contract";
import type { OnnxSession, OnnxTensor } from "#native/onnx.ts";
import type { Raster } from "#native/raster.ts";
import { openTokenizer, type TextTokenizer } from "#native/tokenizer.ts";
import { findModelFor, type ModelFor } from "../catalogue.ts";
import { type CheckedModel, checkModel } from "../opening.ts";
import { unit } from "./input.ts";
import type { CaptionTower, PictureTower } from "./ports.ts";
import { makeProcessor, type PictureProcessor } from "./processor.ts";

/** What is opened: a tower of an installed model. `model` stands for the catalogue's entry of this id. */
export interface TowerInput {
  readonly modelId: string;
  readonly folder: string;
  readonly model?: ModelFor<"image-text-embedding">;
}

/**
 * Opens the picture tower of an image–text model (CLIP, Radford et al. 2021; SigLIP, Zhai et al. 2023). Throws
 * `model_missing`, `model_damaged` (the model is then in quarantine) or `model_unsupported`.
 */
export async function openPictureTower(input: TowerInput): Promise<PictureTower> {
  const model = input.model ?? findModelFor("image-text-embedding", input.modelId);
  const { dimension, outputs, threads } = model.imageText;
  const checked = await checkModel(input.folder, model, "weights");
  const processor = makeProcessor(await parsed(checked, "picture-config"));
  const session = await checked.open("weights", threads);
  const embed = (raster: Raster) => embedPicture(session, processor, outputs.picture, dimension, raster);
  await tried(checked, session, () =>
    embed({ width: 2, height: 2, rgb: Uint8Array.from({ length: 12 }, (_, i) => i * 20) }),
  );
  return { modelId: checked.modelId, dimension, embed, dispose: () => session.dispose() };
}

async function embedPicture(
  session: OnnxSession,
  processor: PictureProcessor,
  output: string,
  dimension: number,
  raster: Raster,
): Promise<Float32Array> {
  const { data, dims } = await processor.process(raster);
  return vectorOf(await session.run({ [session.inputNames[0] ?? ""]: { data, dims } }), output, dimension);
}

/** Opens the caption tower of an image–text model; throws what `openPictureTower` throws. */
export async function openCaptionTower(input: TowerInput): Promise<CaptionTower> {
  const model = input.model ?? findModelFor("image-text-embedding", input.modelId);
  const { dimension, outputs, maxTokens, padded, threads } = model.imageText;
  // Both towers make one space, which is named after the pictures' weights.
  const checked = await checkModel(input.folder, model, "weights");
  const json = await parsed(checked, "tokeniser");
  const config = await parsed(checked, "tokeniser-config");
  let tokenizer: TextTokenizer;
  try {
    tokenizer = openTokenizer(json, config, maxTokens);
  } catch {
    throw await checked.refuse("its tokenizer cannot be read");
  }
  const padding = padded ? paddingOf(json, config) : null;
  if (padded && padding === null) throw await checked.refuse("its tokenizer does not say how texts are filled up");
  const session = await checked.open("caption-weights", threads);
  async function embedOne(text: string): Promise<Float32Array> {
    const ids = tokenizer.encode(text);
    const filled = padding === null ? ids : [...ids, ...new Array<number>(maxTokens - ids.length).fill(padding)];
    return vectorOf(await session.run(captionInputs(session, filled, ids.length)), outputs.caption, dimension);
  }
  await tried(checked, session, () => embedOne("a photo of a boat"));
  return {
    modelId: checked.modelId,
    dimension,
    // One at a time: weights of 8 bits are scaled by what stands in a batch, and captions are short.
    async embed(texts) {
      const vectors: Float32Array[] = [];
      for (const text of texts) vectors.push(await embedOne(text));
      return vectors;
    },
    dispose: () => session.dispose(),
  };
}

function captionInputs(session: OnnxSession, ids: readonly number[], used: number): Record<string, OnnxTensor> {
  const dims = [1, ids.length];
  const all: Record<string, OnnxTensor> = {
    input_ids: { data: BigInt64Array.from(ids, BigInt), dims },
    attention_mask: { data: BigInt64Array.from(ids, (_, i) => (i < used ? 1n : 0n)), dims },
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => session.inputNames.includes(name)));
}

function vectorOf(outputs: Record<string, OnnxTensor>, name: string, dimension: number): Float32Array {
  const data = outputs[name]?.data;
  if (!(data instanceof Float32Array) || data.length !== dimension) {
    throw new UnderstoryError("model_damaged", `The model gives no ${name} of ${dimension} numbers.`);
  }
  return unit(data);
}

/** Runs a tower once: one of another shape is found out before it is used. */
async function tried(checked: CheckedModel, session: OnnxSession, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await session.dispose();
    throw await checked.refuse(error instanceof Error ? error.message : String(error));
  }
}

const objectSchema = z.record(z.string(), z.unknown());

async function parsed(
  checked: CheckedModel,
  role: "picture-config" | "tokeniser" | "tokeniser-config",
): Promise<object> {
  try {
    return objectSchema.parse(JSON.parse(new TextDecoder().decode(checked.bytesOf(role))));
  } catch {
    throw await checked.refuse(`its file for "${role}" is missing or cannot be read`);
  }
}

const tokenSchema = z.union([z.string(), z.object({ content: z.string() }).transform(({ content }) => content)]);
const addedSchema = z.object({ added_tokens: z.array(z.object({ id: z.number().int(), content: z.string() })) });

/** Id of the token that fills a text up, found by its name; null when the files do not say. */
function paddingOf(json: object, config: object): number | null {
  const name = z.object({ pad_token: tokenSchema }).safeParse(config).data?.pad_token;
  const added = addedSchema.safeParse(json).data?.added_tokens ?? [];
  return added.find(({ content }) => content === name)?.id ?? null;
}
