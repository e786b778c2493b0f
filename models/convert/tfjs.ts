import { z } from "zod";
import { sizeOf, type Tensor, unsupported } from "./tensor.ts";

/** Weights as TensorFlow.js stores them: a JSON manifest and the numbers behind each other in a binary file. */
const weightSchema = z.object({
  name: z.string(),
  shape: z.array(z.number().int().nonnegative()).max(8),
  dtype: z.enum(["float32", "int32"]),
  quantization: z
    .union([
      z.object({ dtype: z.literal("float16") }),
      z.object({ dtype: z.enum(["uint8", "uint16"]), scale: z.number(), min: z.number() }),
    ])
    .optional(),
});
export const manifestSchema = z.array(z.object({ weights: z.array(weightSchema) }));
type Weight = z.infer<typeof weightSchema>;

/** Parses JSON that comes from outside. Throws `model_unsupported`. */
export function parseJson<T>(schema: z.ZodType<T>, bytes: Uint8Array): T {
  try {
    return schema.parse(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch {
    throw unsupported("their description cannot be read");
  }
}

/** The weights by name, from a manifest in a file of its own. */
export function readWeights(manifest: Uint8Array, binary: Uint8Array): Map<string, Tensor> {
  return weightsOf(parseJson(manifestSchema, manifest), binary);
}

/** The weights by name, as 32-bit floats (whole numbers too: there they are shapes and paddings). */
export function weightsOf(manifest: z.infer<typeof manifestSchema>, binary: Uint8Array): Map<string, Tensor> {
  const view = new DataView(binary.buffer, binary.byteOffset, binary.byteLength);
  const tensors = new Map<string, Tensor>();
  let offset = 0;
  for (const weight of manifest.flatMap((group) => group.weights)) {
    const count = sizeOf(weight.shape);
    const { width, read } = layoutOf(weight);
    if (!(offset + count * width <= binary.length))
      throw unsupported("their file is shorter than its description says");
    const data = new Float32Array(count);
    for (let i = 0; i < count; i++) data[i] = read(view, offset + i * width);
    tensors.set(weight.name, { shape: weight.shape, data });
    offset += count * width;
  }
  return tensors;
}

function layoutOf({ dtype, quantization }: Weight): { width: number; read: (view: DataView, at: number) => number } {
  if (quantization?.dtype === "float16")
    return { width: 2, read: (view, at) => halfToNumber(view.getUint16(at, true)) };
  if (quantization) {
    const { scale, min } = quantization;
    if (quantization.dtype === "uint8") return { width: 1, read: (view, at) => view.getUint8(at) * scale + min };
    return { width: 2, read: (view, at) => view.getUint16(at, true) * scale + min };
  }
  if (dtype === "int32") return { width: 4, read: (view, at) => view.getInt32(at, true) };
  return { width: 4, read: (view, at) => view.getFloat32(at, true) };
}

/** IEEE 754 binary16. */
export function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
