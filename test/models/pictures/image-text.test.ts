import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CLIPImageProcessor, PreTrainedTokenizer, RawImage, SiglipImageProcessor } from "@huggingface/transformers";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { UnderstoryError as Refusal, type UnderstoryError } from "#contract";
import { findModelFor } from "#models/catalogue.ts";
import { modelPlaces } from "#models/installed.ts";
import { openCaptionTower, openPictureTower } from "#models/pictures/image-text.ts";
import { makeProcessor } from "#models/pictures/processor.ts";
import { openOnnx } from "#native/onnx.ts";
import type { Raster } from "#native/raster.ts";
import { ensureModel } from "../model-cache.ts";
import { smallOnnx } from "../onnx-maker.ts";
import { clipConfig, siglipConfig, type TowerModel, tinyTowers } from "./towers.ts";

/** Soft colours with edges, as a photo has them. */
function picture(width: number, height: number): Raster {
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3;
      rgb[at] = (x * 255) / width;
      rgb[at + 1] = (y * 255) / height;
      rgb[at + 2] = (x >> 4) % 2 === (y >> 4) % 2 ? 220 : 30;
    }
  }
  return { width, height, rgb };
}

const shapes = [picture(640, 480), picture(300, 500), picture(224, 224), picture(97, 61), picture(251, 224)];
const asImage = ({ rgb, width, height }: Raster) => new RawImage(new Uint8ClampedArray(rgb), width, height, 3);
const largest = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((most, value, i) => Math.max(most, Math.abs(value - (b[i] ?? Number.NaN))), 0);
const jsonAt = async (path: string) =>
  z.record(z.string(), z.unknown()).parse(JSON.parse(await readFile(path, "utf8")));
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "opened",
    (error: UnderstoryError) => (error instanceof Refusal ? error.code : String(error)),
  );

describe("the picture's way into the network equals transformers.js", () => {
  const kinds = [
    ["CLIP", clipConfig, new CLIPImageProcessor(clipConfig)],
    ["SigLIP", siglipConfig, new SiglipImageProcessor(siglipConfig)],
    ["bilinear, larger than the crop", { ...clipConfig, resample: 2, size: { shortest_edge: 256 } }, null],
  ] as const;
  it.each(kinds)("%s", async (_, config, given) => {
    const reference = given ?? new CLIPImageProcessor(config);
    const ours = makeProcessor(config);
    for (const raster of shapes) {
      const { data, dims } = await ours.process(raster);
      const { pixel_values } = await reference(asImage(raster));
      expect(dims).toEqual(pixel_values.dims);
      expect(largest(data, pixel_values.data)).toBeLessThan(1e-5);
    }
  });

  it("a picture smaller than the crop gets black around it", async () => {
    const { data, dims } = await makeProcessor({
      size: { shortest_edge: 100 },
      do_center_crop: true,
      crop_size: 120,
    }).process({ width: 100, height: 100, rgb: new Uint8Array(30_000).fill(255) });
    expect(dims).toEqual([1, 3, 120, 120]);
    const plane = data.subarray(0, 120 * 120);
    expect([plane[0], plane[60 * 120 + 60], plane[119 * 120 + 119]]).toEqual([0, 1, 0]);
    expect(plane.reduce((sum, value) => sum + value, 0)).toBeCloseTo(100 * 100, 0);
  });

  it("a strip of a picture is not stretched without end", async () => {
    const { dims } = await makeProcessor(clipConfig).process(picture(4000, 1));
    expect(dims).toEqual([1, 3, 224, 224]);
  });
});

/** The tiny pair always; the real ones wherever they are installed. */
async function pairs(): Promise<
  readonly { name: string; folder: string; model: TowerModel; missing: string | null }[]
> {
  const tiny = await tinyTowers();
  const real = ["clip-vit-base-patch32", "siglip-base-patch16-224"].map(async (id) => {
    const found = await ensureModel(id);
    const model = findModelFor("image-text-embedding", id);
    return "folder" in found
      ? { name: id, model, folder: found.folder, missing: null }
      : { name: id, model, folder: "", missing: found.missing };
  });
  return [{ name: "the tiny pair", missing: null, ...tiny }, ...(await Promise.all(real))];
}

describe.each(await pairs())("two towers of $name", ({ folder, model, missing }) => {
  it("a picture's vector is what the network gives for the reference's input", async (context) => {
    if (missing) return context.skip(missing);
    const { home } = modelPlaces(folder, model.id);
    const tower = await openPictureTower({ modelId: model.id, folder, model });
    const config = await jsonAt(join(home, "preprocessor_config.json"));
    const reference = new CLIPImageProcessor(config);
    const bare = await openOnnx(await readFile(join(home, "vision_model.onnx")), { threads: 1 });
    for (const raster of shapes.slice(0, 3)) {
      const { pixel_values } = await reference(asImage(raster));
      const input = { data: Float32Array.from(pixel_values.data), dims: pixel_values.dims };
      const outputs = await bare.run({ [bare.inputNames[0] ?? ""]: input });
      const raw = Array.from(outputs[model.imageText.outputs.picture]?.data ?? [], Number);
      const length = Math.hypot(...raw);
      const vector = await tower.embed(raster);
      expect(vector).toHaveLength(model.imageText.dimension);
      expect(
        largest(
          vector,
          raw.map((value) => value / length),
        ),
      ).toBeLessThan(1e-4);
    }
    await Promise.all([tower.dispose(), bare.dispose()]);
  }, 60_000);

  it("a caption's vector is what the network gives for the reference's tokens", async (context) => {
    if (missing) return context.skip(missing);
    const { home } = modelPlaces(folder, model.id);
    const tower = await openCaptionTower({ modelId: model.id, folder, model });
    const tokenizer = new PreTrainedTokenizer(
      await jsonAt(join(home, "tokenizer.json")),
      await jsonAt(join(home, "tokenizer_config.json")),
    );
    const bare = await openOnnx(await readFile(join(home, "text_model.onnx")), { threads: 1 });
    const texts = ["a boat at dusk", "Two children on a sledge", "ok", ""];
    const vectors = await tower.embed(texts);
    for (const [i, text] of texts.entries()) {
      const { input_ids, attention_mask } = tokenizer(text, {
        padding: model.imageText.padded ? "max_length" : false,
        truncation: true,
        max_length: model.imageText.maxTokens,
      });
      const all = { input_ids, attention_mask };
      const inputs = Object.fromEntries(
        Object.entries(all)
          .filter(([name]) => bare.inputNames.includes(name))
          .map(([name, { data, dims }]) => [name, { data: BigInt64Array.from(data), dims }]),
      );
      const raw = Array.from((await bare.run(inputs))[model.imageText.outputs.caption]?.data ?? [], Number);
      const length = Math.hypot(...raw);
      expect(
        largest(
          vectors[i] ?? [],
          raw.map((value) => value / length),
        ),
      ).toBeLessThan(1e-4);
    }
    await Promise.all([tower.dispose(), bare.dispose()]);
  }, 60_000);

  it("both towers name one space", async (context) => {
    if (missing) return context.skip(missing);
    const pictures = await openPictureTower({ modelId: model.id, folder, model });
    const captions = await openCaptionTower({ modelId: model.id, folder, model });
    expect(captions.modelId).toBe(pictures.modelId);
    expect(captions.dimension).toBe(pictures.dimension);
    await Promise.all([pictures.dispose(), captions.dispose()]);
  }, 60_000);
});

describe("captions and models at their limits", () => {
  it("captions are filled up where the model wants it", async () => {
    const { folder, model } = await tinyTowers({ padded: true });
    const tower = await openCaptionTower({ modelId: model.id, folder, model });
    const [short, long] = await tower.embed(["a", "a b c d e"]);
    expect(largest(short ?? [], long ?? [])).toBeGreaterThan(1e-3);
    await tower.dispose();
  });

  it("a caption longer than the window is cut and keeps its closing mark", async () => {
    const { folder, model } = await tinyTowers();
    const tower = await openCaptionTower({ modelId: model.id, folder, model });
    // 24 tokens less two marks are 22 letters.
    const [cut, whole] = await tower.embed(["a b ".repeat(50), "a b ".repeat(11)]);
    expect(largest(cut ?? [], whole ?? [])).toBeLessThan(1e-6);
    await tower.dispose();
  });

  it("another dimension is damage, and the model is set aside", async () => {
    const { folder, model } = await tinyTowers({ dimension: 512 });
    expect(await codeOf(openPictureTower({ modelId: model.id, folder, model }))).toBe("model_damaged");
    expect(existsSync(modelPlaces(folder, model.id).home)).toBe(false);
    expect(existsSync(modelPlaces(folder, model.id).quarantine)).toBe(true);
  });

  it("bytes that are no network are damage", async () => {
    const { folder, model } = await tinyTowers({ picture: Buffer.from("not a network at all") });
    expect(await codeOf(openPictureTower({ modelId: model.id, folder, model }))).toBe("model_damaged");
  });

  it("an operator that is not known is unsupported, and the files stay", async () => {
    const strange = smallOnnx({
      inputs: [{ name: "pixel_values", kind: "float", dims: [1, 3, 224, 224] }],
      outputs: [{ name: "image_embeds", kind: "float", dims: [1, 3, 224, 224] }],
      nodes: [{ op: "Imagined", inputs: ["pixel_values"], outputs: ["image_embeds"] }],
    });
    const { folder, model } = await tinyTowers({ picture: strange });
    expect(await codeOf(openPictureTower({ modelId: model.id, folder, model }))).toBe("model_unsupported");
    expect(existsSync(modelPlaces(folder, model.id).home)).toBe(true);
  });

  it("picture settings of another kind are unsupported", async () => {
    const { folder, model } = await tinyTowers({ config: { size: { longest_edge: 10_000 } } });
    expect(await codeOf(openPictureTower({ modelId: model.id, folder, model }))).toBe("model_unsupported");
  });
});
