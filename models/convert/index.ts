import { readFile, writeFile } from "node:fs/promises";
import { UnderstoryError } from "#contract";
import type { BuilderName } from "../sources/schema.ts";
import { buildBlazeface } from "./blazeface.ts";
import { buildEfficientnetLite0 } from "./efficientnet.ts";
import { buildFaceRecognition } from "./face-recognition.ts";
import { readCheckpoint } from "./torch.ts";

/**
 * Makes an ONNX file of weights that come in another form: for sources that have no ONNX file. Inputs and result are pinned
 * by the catalogue; the same input gives the same bytes on every machine.
 */

/** The bytes of the inputs, in the catalogue's order → the bytes of the ONNX file. Throws `model_unsupported`. */
const builders: Readonly<Record<BuilderName, (inputs: readonly Uint8Array[]) => Promise<Uint8Array>>> = {
  "efficientnet-lite0": async ([checkpoint]) => buildEfficientnetLite0(await readCheckpoint(need(checkpoint))),
  blazeface: async ([graph, weights]) => buildBlazeface(need(graph), need(weights)),
  "face-recognition": async ([manifest, weights]) => buildFaceRecognition(need(manifest), need(weights)),
};

function need(input: Uint8Array | undefined): Uint8Array {
  if (input) return input;
  throw new UnderstoryError("model_unsupported", "The catalogue names too few inputs for a conversion.");
}

/** Converts the files at `inputs` (each checked against its hash before) into the file `target`. */
export async function convert(
  builder: BuilderName,
  inputs: readonly string[],
  target: string,
  signal?: AbortSignal,
): Promise<void> {
  const bytes: Uint8Array[] = [];
  for (const path of inputs) bytes.push(await readFile(path));
  signal?.throwIfAborted();
  const converted = await builders[builder](bytes);
  signal?.throwIfAborted();
  await writeFile(target, converted, { flush: true });
}
