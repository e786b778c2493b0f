import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { detectorSize } from "#models/ocr/detect.ts";
import {
  convexHull,
  cornersOf,
  halfTurn,
  type Quad,
  sidesOf,
  smallestRectangle,
  turned,
  upsideDown,
} from "#models/ocr/geometry.ts";
import { onnxMetadata } from "#models/ocr/metadata.ts";
import { type LineBox, readingOrder } from "#models/ocr/order.ts";
import { decodeCtc } from "#models/ocr/recognise.ts";
import { textRegions } from "#models/ocr/regions.ts";
import { cutStrip, openPyramid } from "#models/ocr/warp.ts";
import { smallOnnx } from "../onnx-maker.ts";

const rectangles = fc.record({
  centre: fc.record({
    x: fc.double({ min: 200, max: 300, noNaN: true }),
    y: fc.double({ min: 200, max: 300, noNaN: true }),
  }),
  length: fc.double({ min: 80, max: 160, noNaN: true }),
  height: fc.double({ min: 10, max: 40, noNaN: true }),
  angle: fc.double({ min: -1.5, max: 1.5, noNaN: true }),
});

describe("the smallest rectangle around points", () => {
  it("is the rectangle whose corners they are", () => {
    fc.assert(
      fc.property(rectangles, (rectangle) => {
        const found = smallestRectangle(convexHull(cornersOf(rectangle)));
        expect(found.length).toBeCloseTo(rectangle.length, 5);
        expect(found.height).toBeCloseTo(rectangle.height, 5);
        expect(Math.abs(halfTurn(found.angle - rectangle.angle))).toBeLessThan(1e-5);
        expect(found.centre.x).toBeCloseTo(rectangle.centre.x, 5);
      }),
    );
  });

  it("holds all points, whatever they are", () => {
    const points = fc.array(fc.record({ x: fc.integer({ min: 0, max: 60 }), y: fc.integer({ min: 0, max: 60 }) }), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(points, (list) => {
        const { centre, length, height, angle } = smallestRectangle(convexHull(list));
        for (const { x, y } of list) {
          const u = (x - centre.x) * Math.cos(angle) + (y - centre.y) * Math.sin(angle);
          const v = (y - centre.y) * Math.cos(angle) - (x - centre.x) * Math.sin(angle);
          expect(Math.abs(u)).toBeLessThanOrEqual(length / 2 + 1e-6);
          expect(Math.abs(v)).toBeLessThanOrEqual(height / 2 + 1e-6);
        }
      }),
    );
  });

  it("a quarter turn twice is the other end, four times the same", () => {
    fc.assert(
      fc.property(rectangles, (rectangle) => {
        const quad = cornersOf(rectangle);
        expect(turned(turned(quad))).toEqual(upsideDown(quad));
        expect(turned(turned(upsideDown(quad)))).toEqual(quad);
        expect(sidesOf(turned(quad)).length).toBeCloseTo(sidesOf(quad).height, 6);
      }),
    );
  });
});

/** A map that is 0.9 inside a quad. */
function mapWith(width: number, height: number, inside: (x: number, y: number) => boolean) {
  const data = new Float32Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) if (inside(x + 0.5, y + 0.5)) data[y * width + x] = 0.9;
  return { data, width, height };
}
const options = { pixel: 0.3, box: 0.5, unclip: 1.6 };

describe("regions of a probability map", () => {
  it("are found where they are, at any angle, and widened", () => {
    fc.assert(
      fc.property(rectangles, (rectangle) => {
        const { centre, length, height, angle } = rectangle;
        const map = mapWith(500, 500, (x, y) => {
          const u = (x - centre.x) * Math.cos(angle) + (y - centre.y) * Math.sin(angle);
          const v = (y - centre.y) * Math.cos(angle) - (x - centre.x) * Math.sin(angle);
          return Math.abs(u) < length / 2 && Math.abs(v) < height / 2;
        });
        const regions = textRegions(map, options);
        expect(regions).toHaveLength(1);
        const [quad] = regions;
        if (!quad) return;
        const margin = (length * height * options.unclip) / (length + height);
        const sides = sidesOf(quad);
        expect(Math.abs(sides.length - length - margin)).toBeLessThan(4);
        expect(Math.abs(sides.height - height - margin)).toBeLessThan(4);
      }),
      { numRuns: 8 },
    );
  });

  it("a wedge keeps its own edges", () => {
    const map = mapWith(300, 100, (x, y) => x > 20 && x < 280 && Math.abs(y - 50) < 8 + ((x - 20) / 260) * 16);
    const [quad] = textRegions(map, options);
    const [a, b, c, d] = quad ?? [];
    expect((d?.y ?? 0) - (a?.y ?? 0)).toBeLessThan(((c?.y ?? 0) - (b?.y ?? 0)) * 0.75);
  });

  it("dust and faint spots are left out", () => {
    expect(
      textRegions(
        mapWith(60, 60, (x, y) => x < 2 && y < 2),
        options,
      ),
    ).toEqual([]);
    const faint = mapWith(60, 60, (x, y) => x > 10 && x < 50 && y > 20 && y < 40);
    faint.data.forEach((value, i) => {
      faint.data[i] = value / 2;
    });
    expect(textRegions(faint, options)).toEqual([]);
  });

  it("any map gives finite corners", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 40 }),
        fc.infiniteStream(fc.float({ min: 0, max: 1, noNaN: true })),
        (width, height, numbers) => {
          const data = Float32Array.from([...numbers.take(width * height)]);
          for (const quad of textRegions({ data, width, height }, { ...options, box: 0 })) {
            for (const { x, y } of quad) expect(Number.isFinite(x) && Number.isFinite(y)).toBe(true);
          }
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe("what the detector sees", () => {
  it("has sides of whole 32 pixels inside the bounds", () => {
    const sides = fc.integer({ min: 1, max: 20_000 });
    fc.assert(
      fc.property(sides, sides, (width, height) => {
        const seen = detectorSize({ width, height }, { least: 480, most: 736 });
        for (const side of [seen.width, seen.height]) {
          expect(side % 32).toBe(0);
          expect(side).toBeGreaterThanOrEqual(32);
          expect(side).toBeLessThanOrEqual(736);
        }
      }),
    );
  });
});

describe("a strip cut out of a picture", () => {
  const width = 64;
  const height = 48;
  const rgb = Uint8Array.from({ length: 3 * width * height }, (_, i) => (i * 7919) % 256);
  const pyramid = openPyramid({ width, height, rgb });
  const whole: Quad = [
    { x: 0, y: 0 },
    { x: width, y: 0 },
    { x: width, y: height },
    { x: 0, y: height },
  ];

  it("is the picture itself when the quad is all of it, in planes B, G, R", () => {
    const data = new Float32Array(3 * width * height);
    cutStrip(pyramid, whole, width, height, { data, offset: 0, stride: width });
    for (const [x, y] of [
      [0, 0],
      [63, 47],
      [20, 31],
    ] as const) {
      for (let c = 0; c < 3; c++) {
        const value = (rgb[(y * width + x) * 3 + c] ?? 0) / 127.5 - 1;
        expect(data[(2 - c) * width * height + y * width + x]).toBeCloseTo(value, 4);
      }
    }
  });

  it("read from the other end is turned by half", () => {
    const there = new Float32Array(3 * width * height);
    const back = new Float32Array(3 * width * height);
    cutStrip(pyramid, whole, width, height, { data: there, offset: 0, stride: width });
    cutStrip(pyramid, upsideDown(whole), width, height, { data: back, offset: 0, stride: width });
    expect(back[5 * width + 3]).toBeCloseTo(there[(height - 6) * width + (width - 4)] ?? 9, 4);
  });

  it("is finite for any quad, outside the picture too", () => {
    const point = fc.record({ x: fc.integer({ min: -200, max: 200 }), y: fc.integer({ min: -200, max: 200 }) });
    fc.assert(
      fc.property(fc.tuple(point, point, point, point), (quad) => {
        const data = new Float32Array(3 * 8 * 20);
        cutStrip(pyramid, quad, 20, 8, { data, offset: 0, stride: 20 });
        expect(data.every((value) => value >= -1.001 && value <= 1.001)).toBe(true);
      }),
    );
  });
});

describe("the best path of a recogniser's output", () => {
  const alphabet = ["", "a", "b", " "];
  const steps = (...classes: number[]) =>
    Float32Array.from(classes.flatMap((best) => alphabet.map((_, i) => (i === best ? 0.4 : 0.2))));
  it("joins repetitions, keeps what a blank parts, and has the mean probability", () => {
    const { text, confidence } = decodeCtc(steps(1, 1, 0, 1, 3, 2, 2), 4, alphabet);
    expect(text).toBe("aa b");
    expect(confidence).toBeCloseTo(0.4, 5);
  });
  it("is empty for blanks alone, and without blanks around it", () => {
    expect(decodeCtc(steps(0, 0), 4, alphabet)).toEqual({ text: "", confidence: 0 });
    expect(decodeCtc(steps(3, 1, 3), 4, alphabet).text).toBe("a");
  });
});

describe("metadata of an ONNX file", () => {
  const model = smallOnnx({
    inputs: [{ name: "x", kind: "float", dims: [1] }],
    outputs: [{ name: "y", kind: "float", dims: [1] }],
    nodes: [{ op: "Identity", inputs: ["x"], outputs: ["y"] }],
    metadata: { other: "1", character: "a\nß\n字" },
  });
  it("is read by its key", () => {
    expect(onnxMetadata(model, "character")).toBe("a\nß\n字");
    expect(onnxMetadata(model, "nothing")).toBeNull();
  });
  it("any bytes give a text, nothing, or a typed refusal", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 80 }),
          fc.nat(model.length).map((end) => model.subarray(0, end)),
        ),
        (bytes) => {
          try {
            onnxMetadata(bytes, "character");
          } catch (error) {
            expect(error).toMatchObject({ code: "model_damaged" });
          }
        },
      ),
    );
  });
});

describe("reading order", () => {
  const line = (name: string, left: number, top: number, width: number, height = 20) => ({
    name,
    left,
    top,
    right: left + width,
    bottom: top + height,
  });
  const names = (boxes: readonly (LineBox & { name: string })[]) =>
    readingOrder(boxes).map((row) => row.map(({ name }) => name).join(" "));

  it("goes down the rows, each from left to right, though boxes reach into each other", () => {
    expect(names([line("price", 400, 42, 60), line("b", 10, 58, 200, 22), line("name", 10, 40, 150, 22)])).toEqual([
      "name price",
      "b",
    ]);
  });
  it("reads columns of running text one after the other, under a heading across", () => {
    const left = [0, 1, 2, 3].map((i) => line(`l${i}`, 10, 60 + i * 30, 200));
    const right = [0, 1, 2, 3].map((i) => line(`r${i}`, 260, 65 + i * 30, 190));
    const foot = line("foot", 100, 220, 300);
    expect(names([...right, foot, ...left, line("head", 30, 10, 400)])).toEqual([
      "head",
      "l0",
      "l1",
      "l2",
      "l3",
      "r0",
      "r1",
      "r2",
      "r3",
      "foot",
    ]);
  });
  it("three columns are three", () => {
    const column = (name: string, x: number) => [0, 1, 2].map((i) => line(`${name}${i}`, x, 10 + i * 30, 150));
    expect(names([...column("c", 400), ...column("a", 0), ...column("b", 200)])).toEqual([
      "a0",
      "a1",
      "a2",
      "b0",
      "b1",
      "b2",
      "c0",
      "c1",
      "c2",
    ]);
  });
  it("prices are no column", () => {
    const rows = [0, 1, 2, 3].flatMap((i) => [line(`n${i}`, 10, i * 30, 200), line(`p${i}`, 300, i * 30 + 2, 60)]);
    expect(names(rows)).toEqual(["n0 p0", "n1 p1", "n2 p2", "n3 p3"]);
  });
  it("loses and doubles nothing", () => {
    const box = fc.record({
      left: fc.nat(500),
      top: fc.nat(500),
      width: fc.integer({ min: 1, max: 300 }),
      height: fc.integer({ min: 1, max: 60 }),
    });
    fc.assert(
      fc.property(fc.array(box, { maxLength: 40 }), (list) => {
        const boxes = list.map(({ left, top, width, height }, i) => line(String(i), left, top, width, height));
        expect(
          readingOrder(boxes)
            .flat()
            .map(({ name }) => Number(name))
            .sort((a, b) => a - b),
        ).toEqual(list.map((_, i) => i));
      }),
    );
  });
});
