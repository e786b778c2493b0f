import { OnnxGraph } from "./onnx.ts";
import { breathe, finder, sizeOf, type Tensor, unsupported } from "./tensor.ts";

/** Blocks of EfficientNet-B0 (Tan, Le 2019, table 1): repeats, kernel, stride, expansion, channels in and out. */
const stages = [
  [1, 3, 1, 1, 32, 16],
  [2, 3, 2, 6, 16, 24],
  [2, 5, 2, 6, 24, 40],
  [3, 3, 2, 6, 40, 80],
  [3, 5, 1, 6, 80, 112],
  [4, 5, 2, 6, 112, 192],
  [1, 3, 1, 6, 192, 320],
] as const;

/** Added to the variance by batch normalisation, as the weights were trained. */
const epsilon = 1e-3;

/**
 * EfficientNet-lite0 (no squeeze and excitation, ReLU6) of a torch checkpoint. Batch normalisation is folded into the
 * convolutions in 64 bits. `image` n × 3 × 224 × 224 → `features` n × 1280, `logits` n × 1000.
 */
export async function buildEfficientnetLite0(tensors: ReadonlyMap<string, Tensor>): Promise<Uint8Array> {
  const find = finder(tensors);
  const graph = new OnnxGraph();
  graph.constant("c0", { shape: [1], data: new Float32Array([0]) });
  graph.constant("c6", { shape: [1], data: new Float32Array([6]) });
  let convolutions = 0;

  async function convolution(
    x: string,
    weights: string,
    norm: string,
    stride: number,
    group: number,
    relu: boolean,
  ): Promise<string> {
    await breathe();
    const n = ++convolutions;
    const { shape, data } = find(weights);
    const { scale, bias } = normalisation(find, norm, shape[0] ?? 0);
    const perChannel = sizeOf(shape.slice(1));
    const folded = data.map((value, i) => value * (scale[Math.floor(i / perChannel)] ?? 0));
    const w = graph.constant(`w${n}`, { shape, data: folded });
    const b = graph.constant(`b${n}`, { shape: [bias.length], data: bias });
    const out = graph.node({
      op: "Conv",
      inputs: [x, w, b],
      output: `t${n}`,
      name: `conv${n}`,
      attributes: { auto_pad: "SAME_UPPER", strides: [stride, stride], group, kernel_shape: shape.slice(2) },
    });
    if (!relu) return out;
    return graph.node({ op: "Clip", inputs: [out, "c0", "c6"], output: `${out}r`, name: `relu6_${n}` });
  }

  let x = await convolution("image", "_conv_stem.weight", "_bn0", 2, 1, true);
  let block = 0;
  for (const [repeats, , stride, expansion, channelsIn, channelsOut] of stages) {
    for (let i = 0; i < repeats; i++, block++) {
      const at = `_blocks.${block}.`;
      const step = i === 0 ? stride : 1;
      const channels: number = i === 0 ? channelsIn : channelsOut;
      let y = x;
      if (expansion > 1) y = await convolution(y, `${at}_expand_conv.weight`, `${at}_bn0`, 1, 1, true);
      y = await convolution(y, `${at}_depthwise_conv.weight`, `${at}_bn1`, step, channels * expansion, true);
      y = await convolution(y, `${at}_project_conv.weight`, `${at}_bn2`, 1, 1, false);
      if (step === 1 && channels === channelsOut) {
        y = graph.node({ op: "Add", inputs: [y, x], output: `res${block}`, name: `add${block}` });
      }
      x = y;
    }
  }
  x = await convolution(x, "_conv_head.weight", "_bn1", 1, 1, true);
  graph.node({ op: "GlobalAveragePool", inputs: [x], output: "gap", name: "gap" });
  graph.node({ op: "Flatten", inputs: ["gap"], output: "features", name: "flat", attributes: { axis: 1 } });
  const weights = graph.constant("fcw", find("_fc.weight"));
  const bias = graph.constant("fcb", find("_fc.bias"));
  const inputs = ["features", weights, bias];
  graph.node({ op: "Gemm", inputs, output: "logits", name: "fc", attributes: { transB: 1 } });
  return graph.serialise(
    "efficientnet_lite0",
    [{ name: "image", shape: ["n", 3, 224, 224] }],
    [
      { name: "features", shape: ["n", 1280] },
      { name: "logits", shape: ["n", 1000] },
    ],
  );
}

/** Scale and bias that a batch normalisation of `channels` channels comes down to. */
function normalisation(find: (name: string) => Tensor, norm: string, channels: number) {
  const part = (name: string): Float32Array => {
    const { data } = find(`${norm}.${name}`);
    if (data.length !== channels) throw unsupported(`${norm}.${name} has another size than the network needs`);
    return data;
  };
  const [gamma, beta, mean, variance] = [part("weight"), part("bias"), part("running_mean"), part("running_var")];
  const scale = Float64Array.from(gamma, (value, i) => value / Math.sqrt((variance[i] ?? 0) + epsilon));
  const bias = Float32Array.from(beta, (value, i) => value - (mean[i] ?? 0) * (scale[i] ?? 0));
  return { scale, bias };
}
