import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UnderstoryError } from "#contract";
import { findModelFor } from "#models/catalogue.ts";
import { modelPlaces } from "#models/installed.ts";
import { squeezed, tensorOf, unit } from "#models/pictures/input.ts";
import { describedLabel, labelOf, otherNamesOf } from "#models/pictures/labels.ts";
import type { PictureTagger } from "#models/pictures/ports.ts";
import { openPictureTagger } from "#models/pictures/tags.ts";
import { rasterPicture } from "#native/images.ts";
import type { Raster } from "#native/raster.ts";
import { rasteriseSvg } from "#native/rasterise.ts";
import { ensureModel } from "../model-cache.ts";
import { smallOnnx, weights } from "../onnx-maker.ts";
import { installed } from "./towers.ts";

const id = "efficientnet-lite0";
const found = await ensureModel(id);
const missing = "missing" in found ? found.missing : null;
const folder = "folder" in found ? found.folder : "";

async function drawn(inside: string, width = 480, height = 480): Promise<Raster> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 480 480" preserveAspectRatio="none">${inside}</svg>`;
  return rasterPicture(await rasteriseSvg(svg, { width, height, format: "jpeg" }), { maxSide: 1000 });
}

const umbrella = `<rect width="480" height="480" fill="#bcd9ee"/><path d="M40 240A200 190 0 0 1 440 240Q405 200 373 240Q340 200 306 240Q273 200 240 240Q207 200 173 240Q140 200 107 240Q75 200 40 240Z" fill="#c22"/><path d="M240 50V400Q240 440 270 440Q300 440 300 405" fill="none" stroke="#543" stroke-width="12"/>`;
const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

describe("a label", () => {
  it("is described with the kind of thing that it is", () => {
    expect(["agama", "lionfish", "clownfish", "goldfinch", "tabby cat", "Persian cat"].map(describedLabel)).toEqual([
      "agama, lizard",
      "lionfish, fish",
      "clownfish, fish",
      "goldfinch, bird",
      "tabby cat, cat",
      "Persian cat, cat",
    ]);
    expect(["espresso", "stage", "no such label"].map(describedLabel)).toEqual(["espresso", "stage", "no such label"]);
  });
});

describe("a whole picture squeezed into a square", () => {
  const picture = (width: number, height: number, at: (x: number, y: number) => number): Raster => {
    const rgb = Uint8Array.from({ length: 3 * width * height }, (_, i) => {
      const pixel = Math.floor(i / 3);
      return at(pixel % width, Math.floor(pixel / width)) + (i % 3);
    });
    return { width, height, rgb };
  };
  const channel = ({ rgb }: Raster, c: number) => [...rgb].filter((_, i) => i % 3 === c);

  it("keeps colours, and what is left stays left", () => {
    const flat = squeezed(
      picture(31, 17, () => 100),
      8,
    );
    expect([0, 1, 2].map((c) => new Set(channel(flat, c)))).toEqual([new Set([100]), new Set([101]), new Set([102])]);
    const halves = channel(
      squeezed(
        picture(40, 20, (x) => (x < 20 ? 10 : 200)),
        4,
      ),
      0,
    );
    expect(halves.slice(0, 4)).toEqual([10, 10, 200, 200]);
  });

  it("takes a picture of a single pixel", () => {
    expect(
      channel(
        squeezed(
          picture(1, 1, () => 7),
          3,
        ),
        0,
      ),
    ).toEqual(new Array(9).fill(7));
  });
});

describe("labels", () => {
  it("are readable names with other names beside them", () => {
    expect(labelOf(967)).toBe("espresso");
    expect(labelOf(504)).toBe("coffee mug");
    expect(otherNamesOf("sunglasses")).toContain("shades");
    expect(otherNamesOf("no such label")).toEqual([]);
    expect(() => labelOf(1000)).toThrow(RangeError);
  });
});

describe("numbers for a network", () => {
  const pixel = { width: 1, height: 1, rgb: Uint8Array.of(255, 127, 0) };
  it("are planes of (value − mean) / std in the order of the channels", () => {
    const mean = [127, 127, 0] as const;
    const std = [128, 1, 2] as const;
    expect([...tensorOf(pixel, { mean, std, channels: "rgb" })]).toEqual([1, 0, 0]);
    expect([...tensorOf(pixel, { mean, std, channels: "bgr" })]).toEqual([0, 0, 1]);
  });
  it("have unit length, and what is no number is refused", () => {
    expect([...unit(Float32Array.of(3, 4))]).toEqual([Math.fround(0.6), Math.fround(0.8)]);
    expect([...unit(Float32Array.of(0, 0))]).toEqual([0, 0]);
    expect(() => unit(Float32Array.of(Number.NaN, 1))).toThrow(RangeError);
  });
});

describe("EfficientNet-lite0", () => {
  let tagger: PictureTagger;
  beforeAll(async () => {
    if (!missing) tagger = await openPictureTagger({ modelId: id, folder });
  }, 120_000);
  afterAll(() => tagger?.dispose());

  it("names what it is sure of and gives features of unit length", async (context) => {
    if (missing) return context.skip(missing);
    const { tags, features } = await tagger.look(await drawn(umbrella));
    expect(tags[0]?.label).toBe("umbrella");
    expect(tags.map(({ score }) => score)).toEqual(tags.map(({ score }) => score).sort((a, b) => b - a));
    expect(features).toHaveLength(1280);
    expect(cosine(features, features)).toBeCloseTo(1, 5);
  });

  it("says nothing about a picture without a thing on it", async (context) => {
    if (missing) return context.skip(missing);
    const { tags } = await tagger.look(await drawn(`<rect width="480" height="480" fill="#8899aa"/>`));
    expect(tags).toEqual([]);
  });

  it("a picture is like itself made smaller, and unlike another", async (context) => {
    if (missing) return context.skip(missing);
    const large = await tagger.look(await drawn(umbrella));
    const smaller = await tagger.look(await drawn(umbrella, 260, 260));
    const other = await tagger.look(
      await drawn(`<rect width="480" height="480" fill="#285"/><circle cx="240" cy="240" r="120" fill="#fd2"/>`),
    );
    expect(cosine(large.features, smaller.features)).toBeGreaterThan(0.9);
    expect(cosine(large.features, other.features)).toBeLessThan(0.6);
  });

  it.for([
    [1, 1],
    [3000, 1],
    [1, 700],
  ] as const)("a picture of %i × %i pixels is looked at", async ([width, height], context) => {
    if (missing) return context.skip(missing);
    const rgb = new Uint8Array(3 * width * height).fill(90);
    expect((await tagger.look({ width, height, rgb })).features).toHaveLength(1280);
  });
});

it("a network of another shape is set aside when it is opened", async () => {
  const bytes = smallOnnx({
    inputs: [{ name: "image", kind: "float", dims: ["n", 3, 224, 224] }],
    outputs: [
      { name: "features", kind: "float", dims: ["n", 3] },
      { name: "logits", kind: "float", dims: ["n", 5] },
    ],
    nodes: [
      { op: "GlobalAveragePool", inputs: ["image"], outputs: ["mean"] },
      { op: "Flatten", inputs: ["mean"], outputs: ["features"], attributes: { axis: 1 } },
      { op: "MatMul", inputs: ["features", "mix"], outputs: ["logits"] },
    ],
    weights: [weights("mix", [3, 5], 3)],
  });
  const small = await installed(findModelFor("image-tags", id), [{ role: "weights", name: "model.onnx", bytes }]);
  const error = await openPictureTagger({ modelId: "small-model", ...small }).catch((thrown: unknown) => thrown);
  expect(error instanceof UnderstoryError && error.code).toBe("model_damaged");
  expect(existsSync(modelPlaces(small.folder, "small-model").home)).toBe(false);
});
