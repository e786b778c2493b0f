import { UnderstoryError } from "#contract";
import type { OnnxSession } from "#native/onnx.ts";
import { type Raster, resizeRaster } from "#native/raster.ts";
import { findModelFor, type ModelFor, type TagsParameters } from "../catalogue.ts";
import { checkModel } from "../opening.ts";
import { centreSquare, squeezed, tensorOf, unit } from "./input.ts";
import { labelOf } from "./labels.ts";
import type { PictureLook, PictureTagger } from "./ports.ts";

/**
 * Opens an installed model for tags and features. Throws `model_missing`, `model_damaged` (the model is then in
 * quarantine) or `model_unsupported`.
 */
export async function openPictureTagger(input: {
  modelId: string;
  folder: string;
  /** Another entry than the catalogue's of this id. */
  model?: ModelFor<"image-tags">;
}): Promise<PictureTagger> {
  const model = input.model ?? findModelFor("image-tags", input.modelId);
  const checked = await checkModel(input.folder, model, "weights");
  const session = await checked.open("weights", model.tags.threads);
  const look = (raster: Raster) => lookAt(session, model.tags, raster);
  try {
    await look(probePicture());
  } catch (error) {
    await session.dispose();
    throw await checked.refuse(error instanceof Error ? error.message : String(error));
  }
  return {
    modelId: checked.modelId,
    dimension: model.tags.features.dimension,
    look,
    dispose: () => session.dispose(),
  };
}

/** Any picture: a model of another shape does not get through it. */
function probePicture(): Raster {
  const side = 64;
  return { width: side, height: side, rgb: Uint8Array.from({ length: 3 * side * side }, (_, i) => (i * 37) % 256) };
}

/** Its middle, and the whole of it squeezed into the square: what stands at the edges of a wide picture counts too. */
async function lookAt(session: OnnxSession, parameters: TagsParameters, raster: Raster): Promise<PictureLook> {
  const { picture, features, logits, threshold, most } = parameters;
  const { size } = picture;
  // What is much larger is shrunk well first; what the media thread hands over is not.
  const whole =
    Math.min(raster.width, raster.height) > 2 * size
      ? await resizeRaster(raster, { width: size, height: size })
      : raster;
  const views = [await centreSquare(raster, picture), squeezed(whole, size)];
  const plane = 3 * size * size;
  const data = new Float32Array(views.length * plane);
  for (const [at, view] of views.entries()) data.set(tensorOf(view, picture), at * plane);
  const outputs = await session.run({ [picture.input]: { data, dims: [views.length, 3, size, size] } });
  const vectors = outputs[features.output]?.data;
  const scores = outputs[logits.output]?.data;
  if (!(vectors instanceof Float32Array) || vectors.length !== views.length * features.dimension) {
    throw new UnderstoryError("model_damaged", `The model gives no features of ${features.dimension} numbers.`);
  }
  if (!(scores instanceof Float32Array) || scores.length !== views.length * logits.classes) {
    throw new UnderstoryError("model_damaged", `The model does not tell ${logits.classes} classes apart.`);
  }
  const rows = (all: Float32Array, width: number) => views.map((_, at) => all.subarray(at * width, (at + 1) * width));
  const tags = Array.from(mean(rows(scores, logits.classes).map(softmax)), (score, index) => ({ score, index }))
    .filter(({ score }) => score >= threshold)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ score, index }) => ({ label: labelOf(index), score }));
  return { tags, features: unit(mean(rows(vectors, features.dimension).map(unit))) };
}

function mean(rows: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(rows[0]?.length ?? 0);
  for (const row of rows)
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (row[at] ?? 0) / rows.length;
  return sum;
}

function softmax(logits: Float32Array): Float32Array {
  const highest = logits.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const powers = logits.map((logit) => Math.exp(logit - highest));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}
