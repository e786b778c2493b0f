import { z } from "zod";
import { OnnxGraph } from "./onnx.ts";
import { finder, reshape, type Tensor, transpose, unsupported } from "./tensor.ts";
import { manifestSchema, parseJson, weightsOf } from "./tfjs.ts";

/** A TFJS graph model: nodes of TensorFlow's graph, strings in base 64, whole numbers as strings. */
const wholeNumbers = z.object({ list: z.object({ i: z.array(z.string().regex(/^\d{1,6}$/)) }) });
const nodeSchema = z.object({
  name: z.string(),
  op: z.string(),
  input: z.array(z.string()).default([]),
  attr: z
    .object({
      strides: wholeNumbers.optional(),
      ksize: wholeNumbers.optional(),
      padding: z.object({ s: z.string() }).optional(),
      fused_ops: z.object({ list: z.object({ s: z.array(z.string()).default([]) }) }).optional(),
    })
    .default({}),
});
type GraphNode = z.infer<typeof nodeSchema>;
const modelSchema = z.object({
  modelTopology: z.object({ node: z.array(nodeSchema).max(10_000) }),
  weightsManifest: manifestSchema,
});

const decode = (text: string): string => Buffer.from(text, "base64").toString("latin1");
const plainName = (input: string): string => input.split(":")[0] ?? input;

/** Sides along height and width of a list in the order of batch, height, width, channels. */
function sides(list: z.infer<typeof wholeNumbers> | undefined): number[] {
  return (list?.list.i ?? []).slice(1, 3).map(Number);
}

/** Every node after those that it needs. Throws for a cycle or an input that is nowhere. */
function inOrder(nodes: readonly GraphNode[], known: (name: string) => boolean): GraphNode[] {
  const done = new Set<string>();
  const order: GraphNode[] = [];
  for (let rest = nodes; rest.length > 0; ) {
    const waiting = rest.filter((node) => {
      const ready = node.input.every((input) => done.has(plainName(input)) || known(plainName(input)));
      if (ready) {
        order.push(node);
        done.add(node.name);
      }
      return !ready;
    });
    if (waiting.length === rest.length) throw unsupported("their graph has a cycle or a gap");
    rest = waiting;
  }
  return order;
}

/**
 * BlazeFace of a TFJS graph model, channels before height and width. `input` 1 × 3 × 256 × 256 → scores `Identity` (512
 * anchors), `Identity_1` (384), boxes with six points `Identity_2`, `Identity_3`.
 */
export function buildBlazeface(topology: Uint8Array, binary: Uint8Array): Uint8Array {
  const model = parseJson(modelSchema, topology);
  const weights = weightsOf(model.weightsManifest, binary);
  const find = finder(weights);
  const graph = new OnnxGraph();
  const constant = (name: string, tensor: Tensor) => graph.constant(name, tensor);
  const integers = (name: string, values: readonly number[]) =>
    graph.constant(name, { shape: [values.length], data: BigInt64Array.from(values, BigInt) });
  const padding = ({ attr }: GraphNode) => (decode(attr.padding?.s ?? "") === "SAME" ? "SAME_UPPER" : "VALID");

  function convolution(node: GraphNode, inputs: readonly string[]): void {
    const [x = "", kernelName = "", biasName] = inputs;
    const kernel = find(kernelName);
    const depthwise = node.op.includes("Depthwise");
    const turned = transpose(kernel, depthwise ? [2, 3, 0, 1] : [3, 2, 0, 1]);
    const [height = 1, width = 1, channels = 1] = kernel.shape;
    const w = depthwise ? reshape(turned, [turned.data.length / (height * width), 1, height, width]) : turned;
    const from = [x, constant(`${kernelName}_w`, w)];
    if (biasName !== undefined) {
      const bias = find(biasName);
      from.push(constant(`${biasName}_b`, reshape(bias, [bias.data.length])));
    }
    const [, activation, ...more] = (node.attr.fused_ops?.list.s ?? []).map(decode);
    if (more.length > 0 || (activation !== undefined && activation !== "Relu")) {
      throw unsupported(`they use ${activation}`);
    }
    const output = activation === undefined ? node.name : `${node.name}_pre`;
    const attributes = {
      auto_pad: padding(node),
      strides: sides(node.attr.strides),
      group: depthwise ? channels : 1,
      kernel_shape: [height, width],
    };
    graph.node({ op: "Conv", inputs: from, output, attributes });
    if (activation) graph.node({ op: "Relu", inputs: [output], output: node.name });
  }

  for (const node of inOrder(
    model.modelTopology.node.filter(({ op }) => op !== "Const"),
    (name) => weights.has(name),
  )) {
    const inputs = node.input.map(plainName);
    const [x = "", second = ""] = inputs;
    switch (node.op) {
      case "Placeholder":
        break;
      case "_FusedConv2D":
      case "DepthwiseConv2dNative":
        convolution(node, inputs);
        break;
      case "AddV2":
        graph.node({ op: "Add", inputs, output: node.name });
        break;
      case "Relu":
      case "Identity":
        graph.node({ op: node.op, inputs, output: node.name });
        break;
      case "MaxPool": {
        const [kernel, strides] = [sides(node.attr.ksize), sides(node.attr.strides)];
        const attributes = { kernel_shape: kernel, strides, auto_pad: padding(node) };
        graph.node({ op: "MaxPool", inputs, output: node.name, attributes });
        break;
      }
      case "Pad": {
        // Pairs in the order of batch, height, width, channels → all begins, then all ends, channels second.
        const pairs = [...find(second).data];
        const axes = [0, 3, 1, 2];
        const flat = [0, 1].flatMap((end) => axes.map((axis) => pairs[2 * axis + end] ?? 0));
        graph.node({ op: "Pad", inputs: [x, integers(`${second}_p`, flat)], output: node.name });
        break;
      }
      case "Reshape": {
        // Anchors stand behind each other in the order of height and width: channels go last first.
        const turned = `${node.name}_t`;
        graph.node({ op: "Transpose", inputs: [x], output: turned, attributes: { perm: [0, 2, 3, 1] } });
        const shape = integers(`${second}_r`, [...find(second).data]);
        graph.node({ op: "Reshape", inputs: [turned, shape], output: node.name });
        break;
      }
      default:
        throw unsupported(`they use ${node.op}`);
    }
  }
  return graph.serialise(
    "blazeface",
    [{ name: "input", shape: [1, 3, 256, 256] }],
    [
      { name: "Identity", shape: [1, 512, 1] },
      { name: "Identity_1", shape: [1, 384, 1] },
      { name: "Identity_2", shape: [1, 512, 16] },
      { name: "Identity_3", shape: [1, 384, 16] },
    ],
  );
}
