import { type Attribute, OnnxGraph } from "./onnx.ts";
import { breathe, finder, reshape, type Tensor, transpose } from "./tensor.ts";
import { readWeights } from "./tfjs.ts";

/** Blocks of dlib's face recognition network (ResNet-29); those named `_down…` halve the sides. */
const blocks = [
  ...["conv32_1", "conv32_2", "conv32_3", "conv64_down", "conv64_1", "conv64_2", "conv64_3", "conv128_down"],
  ...["conv128_1", "conv128_2", "conv256_down", "conv256_1", "conv256_2", "conv256_down_out"],
];
/** Mean colour that dlib takes off, red, green, blue. */
const meanColour = [122.782, 117.001, 104.298];

/** dlib's face recognition of TFJS layers weights. `image` n × 3 × 150 × 150, RGB 0–255 → `descriptor` n × 128. */
export async function buildFaceRecognition(manifest: Uint8Array, weights: Uint8Array): Promise<Uint8Array> {
  const find = finder(readWeights(manifest, weights));
  const graph = new OnnxGraph();
  let count = 0;
  const add = (op: string, inputs: string[], attributes: Record<string, Attribute> = {}) =>
    graph.node({ op, inputs, output: `t${++count}`, attributes });
  const perChannel = (tensor: Tensor) => reshape(tensor, [1, tensor.data.length, 1, 1]);
  const padding = (name: string, sides: readonly number[]) =>
    graph.constant(name, { shape: [sides.length], data: BigInt64Array.from(sides, BigInt) });

  async function layer(x: string, at: string, stride: number, relu: boolean, pad: string): Promise<string> {
    await breathe();
    const kernel = graph.constant(`${at}w`, transpose(find(`${at}/conv/filters`), [3, 2, 0, 1]));
    const bias = graph.constant(`${at}b`, find(`${at}/conv/bias`));
    let y = add("Conv", [x, kernel, bias], { strides: [stride, stride], auto_pad: pad });
    y = add("Mul", [y, graph.constant(`${at}sw`, perChannel(find(`${at}/scale/weights`)))]);
    y = add("Add", [y, graph.constant(`${at}sb`, perChannel(find(`${at}/scale/biases`)))]);
    return relu ? add("Relu", [y]) : y;
  }

  const mean = graph.constant("mean", { shape: [1, 3, 1, 1], data: Float32Array.from(meanColour) });
  let x = add("Sub", ["image", mean]);
  x = add("Div", [x, graph.constant("d", { shape: [1], data: new Float32Array([255]) })]);
  x = await layer(x, "conv32_down", 2, true, "VALID");
  x = add("MaxPool", [x], { kernel_shape: [3, 3], strides: [2, 2] });
  // Side of the picture and channels at this place: 150 after a 7 × 7 convolution and a pool, both of stride 2.
  let side = Math.floor((Math.floor((150 - 7) / 2) + 1 - 3) / 2) + 1;
  let channels = 32;
  for (const at of blocks) {
    const down = at.includes("_down");
    let y = await layer(x, `${at}/conv1`, down ? 2 : 1, true, down ? "VALID" : "SAME_UPPER");
    y = await layer(y, `${at}/conv2`, 1, false, "SAME_UPPER");
    if (!down) {
      x = add("Relu", [add("Add", [y, x])]);
      continue;
    }
    const convolved = Math.floor((side - 3) / 2) + 1;
    const pooled = Math.floor((side - 2) / 2) + 1;
    const out = find(`${at}/conv2/conv/filters`).shape[3] ?? 0;
    let shortcut = add("AveragePool", [x], { kernel_shape: [2, 2], strides: [2, 2] });
    if (convolved !== pooled) y = add("Pad", [y, padding("padhw", [0, 0, 0, 0, 0, 0, 1, 1])]);
    if (out !== channels) {
      shortcut = add("Pad", [shortcut, padding(`padc${channels}`, [0, 0, 0, 0, 0, channels, 0, 0])]);
    }
    x = add("Relu", [add("Add", [shortcut, y])]);
    side = pooled;
    channels = out;
  }
  x = add("ReduceMean", [x], { axes: [2, 3], keepdims: 0 });
  graph.node({ op: "MatMul", inputs: [x, graph.constant("fc", find("fc"))], output: "descriptor" });
  return graph.serialise(
    "faceapi_rec",
    [{ name: "image", shape: ["n", 3, 150, 150] }],
    [{ name: "descriptor", shape: ["n", 128] }],
  );
}
