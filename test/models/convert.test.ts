import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UnderstoryError } from "#contract";
import { buildBlazeface } from "#models/convert/blazeface.ts";
import { buildFaceRecognition } from "#models/convert/face-recognition.ts";
import { OnnxGraph } from "#models/convert/onnx.ts";
import { transpose } from "#models/convert/tensor.ts";
import { halfToNumber, readWeights } from "#models/convert/tfjs.ts";
import { readCheckpoint } from "#models/convert/torch.ts";
import { openOnnx } from "#native/onnx.ts";
import { legacyCheckpoint, pickle, zippedCheckpoint } from "./checkpoint.ts";

const floats = (...values: number[]) => Float32Array.from(values);
const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

/** What comes from outside is read or refused in words for a person; nothing else ever happens. */
async function expectReadOrRefused(read: () => unknown) {
  try {
    await read();
  } catch (error) {
    expect(error).toBeInstanceOf(UnderstoryError);
    expect(error).toMatchObject({ code: "model_unsupported" });
  }
}

describe("the ONNX writer", () => {
  it("writes a graph that the run-time opens and computes", async () => {
    const graph = new OnnxGraph();
    const w = graph.constant("w", { shape: [1, 1, 2, 2], data: floats(1, 2, 3, 4) });
    const b = graph.constant("b", { shape: [1], data: floats(-10) });
    const attributes = { strides: [1, 1], kernel_shape: [2, 2], auto_pad: "VALID", group: 1 };
    const conv = graph.node({ op: "Conv", inputs: ["x", w, b], output: "c", name: "conv", attributes });
    graph.node({ op: "Relu", inputs: [conv], output: "y" });
    const shape = ["n", 1, 2, 2] as const;
    const bytes = graph.serialise("small", [{ name: "x", shape }], [{ name: "y", shape: ["n", 1, 1, 1] }]);
    const session = await openOnnx(bytes, { threads: 1 });
    const { y } = await session.run({ x: { data: floats(1, 1, 1, 1, 0, 1, 2, 3), dims: [2, 1, 2, 2] } });
    await session.dispose();
    expect([...(y?.data ?? [])]).toEqual([0, 10]);
  });

  it("writes the same bytes each time", () => {
    const write = () => {
      const graph = new OnnxGraph();
      const pads = graph.constant("p", { shape: [2], data: BigInt64Array.from([0n, -1n]) });
      graph.node({ op: "Pad", inputs: ["x", pads], output: "y", attributes: { b: 1, a: [-1, 300] } });
      return graph.serialise("g", [{ name: "x", shape: [1] }], [{ name: "y", shape: [1] }]);
    };
    expect(write()).toEqual(write());
  });
});

describe("tensors", () => {
  it("turn their axes and back", () => {
    const tensor = { shape: [2, 3, 4], data: Float32Array.from({ length: 24 }, (_, i) => i) };
    const turned = transpose(tensor, [2, 0, 1]);
    expect(turned.shape).toEqual([4, 2, 3]);
    expect([...turned.data.subarray(0, 6)]).toEqual([0, 4, 8, 12, 16, 20]);
    expect(transpose(turned, [1, 2, 0])).toEqual(tensor);
  });
});

describe("a torch checkpoint", () => {
  const tensors = [
    { name: "plain", shape: [2, 2], strides: [2, 1], storage: floats(1, 2, 3, 4) },
    { name: "turned", shape: [3, 2], strides: [1, 3], storage: floats(1, 2, 3, 4, 5, 6) },
    { name: "single", shape: [], strides: [], storage: floats(7) },
  ];
  it.each([
    ["legacy", legacyCheckpoint],
    ["zip", zippedCheckpoint],
  ])("of the %s form is read with its shapes and strides", async (_, write) => {
    const found = await readCheckpoint(write(tensors));
    expect([...found.keys()]).toEqual(["plain", "turned", "single"]);
    expect(found.get("plain")).toEqual({ shape: [2, 2], data: floats(1, 2, 3, 4) });
    expect(found.get("turned")).toEqual({ shape: [3, 2], data: floats(1, 4, 2, 5, 3, 6) });
    expect(found.get("single")).toEqual({ shape: [], data: floats(7) });
  });

  it.each([
    ["runs a program", pickle(Buffer.from("cos\nsystem\n(X\x04\0\0\0truetR"))],
    ["calls what is allowed elsewhere", pickle(Buffer.from("cbuiltins\neval\n)R"))],
    ["imports by the stack", pickle(Buffer.from("X\x02\0\0\0osX\x06\0\0\0system\x93"))],
    ["is a name that holds itself", pickle(Buffer.from("]q\0h\0ah\0h\0\x93"))],
  ])("that %s is refused", async (_, bytes) => {
    await expect(readCheckpoint(bytes)).rejects.toMatchObject({ code: "model_unsupported" });
  });

  it.each([
    ["a tensor larger than its storage", [4, 4], [4, 1]],
    ["a huge tensor of one number", [2 ** 30, 2], [0, 0]],
    ["a size beyond all numbers", [2 ** 31 - 1, 2 ** 31 - 1, 2 ** 31 - 1], [0, 0, 0]],
  ])("with %s is refused", async (_, shape, strides) => {
    const bytes = legacyCheckpoint([{ name: "x", shape, strides, storage: floats(1, 2) }]);
    await expect(readCheckpoint(bytes)).rejects.toMatchObject({ code: "model_unsupported" });
  });

  it("of any bytes is read or refused", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), (bytes) => expectReadOrRefused(() => readCheckpoint(bytes))),
      { numRuns: 300 },
    );
  });

  it("with any bytes changed, or cut anywhere, is read or refused", async () => {
    const valid = [legacyCheckpoint(tensors), zippedCheckpoint(tensors)];
    const change = fc.tuple(fc.nat(), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...valid),
        fc.array(change, { maxLength: 6 }),
        fc.nat(),
        async (bytes, changes, cut) => {
          const other = Buffer.from(bytes);
          for (const [at, value] of changes) other[at % other.length] = value;
          const end = cut % 3 === 0 ? cut % other.length : other.length;
          await expectReadOrRefused(() => readCheckpoint(other.subarray(0, end)));
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe("TFJS weights", () => {
  const weights = (...list: object[]) => json([{ weights: list }]);

  it("are read plain, as half floats and quantised", () => {
    const manifest = weights(
      { name: "plain", shape: [2], dtype: "float32" },
      { name: "half", shape: [2], dtype: "float32", quantization: { dtype: "float16" } },
      { name: "bytes", shape: [2, 1], dtype: "float32", quantization: { dtype: "uint8", scale: 0.5, min: -1 } },
    );
    const binary = Buffer.concat([
      Buffer.from(floats(1.5, -2).buffer),
      Buffer.from([0, 0x3c, 0, 0xc0]),
      Buffer.from([0, 4]),
    ]);
    const found = readWeights(manifest, binary);
    expect([...found.values()].map(({ data }) => [...data])).toEqual([
      [1.5, -2],
      [1, -2],
      [-1, 1],
    ]);
    expect(found.get("bytes")?.shape).toEqual([2, 1]);
  });

  it("give every half float as it is", () => {
    expect([0x0001, 0x03ff, 0x0400, 0x7bff, 0x8000].map(halfToNumber)).toEqual([
      2 ** -24,
      1023 * 2 ** -24,
      2 ** -14,
      65504,
      -0,
    ]);
    expect(halfToNumber(0x7c00)).toBe(Number.POSITIVE_INFINITY);
    expect(halfToNumber(0x7e00)).toBeNaN();
  });

  it("are refused when the file is shorter than they say, or not what a network needs", async () => {
    const refused = expect.objectContaining({ code: "model_unsupported" });
    const short = weights({ name: "x", shape: [2 ** 40, 2 ** 13, 0, 9], dtype: "float32" });
    expect(() => readWeights(weights({ name: "x", shape: [3], dtype: "float32" }), new Uint8Array(8))).toThrow(refused);
    await expectReadOrRefused(() => readWeights(short, new Uint8Array(8)));
    await expect(buildFaceRecognition(weights(), new Uint8Array(0))).rejects.toMatchObject({
      code: "model_unsupported",
    });
    const cycle = {
      node: [
        { name: "a", op: "Relu", input: ["b"] },
        { name: "b", op: "Relu", input: ["a"] },
      ],
    };
    const graph = json({ modelTopology: cycle, weightsManifest: [] });
    expect(() => buildBlazeface(graph, new Uint8Array(0))).toThrow(refused);
  });

  it("of any bytes are read or refused", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array(), fc.uint8Array(), async (manifest, binary) => {
        await expectReadOrRefused(() => readWeights(manifest, binary));
        await expectReadOrRefused(() => buildBlazeface(manifest, binary));
      }),
    );
  });
});
