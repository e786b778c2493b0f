import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UnderstoryError } from "#contract";
import { findModelFor } from "#models/catalogue.ts";
import { openPictureReader } from "#models/ocr/reader.ts";
import type { PictureReader, PictureReading } from "#models/pictures/ports.ts";
import { rasterPicture } from "#native/images.ts";
import type { Raster } from "#native/raster.ts";
import { rasteriseSvg } from "#native/rasterise.ts";
import { ensureModel } from "../model-cache.ts";
import { smallOnnx } from "../onnx-maker.ts";
import { installed } from "../pictures/towers.ts";
import { characterErrorRate, fromTheSide, type Page, pages, quarterTurned, rasterOf, tilted } from "./pages.ts";

const id = "pp-ocrv6-small";
const found = await ensureModel(id);
const missing = "missing" in found ? found.missing : null;
const folder = "folder" in found ? found.folder : "";

let reader: PictureReader;
beforeAll(async () => {
  if (!missing) reader = await openPictureReader({ modelId: id, folder });
}, 120_000);
afterAll(() => reader?.dispose());

const { languages, small, receipt, columns } = pages;
/** The first lines of a page: enough where only the way to them is tested. */
const short: Page = {
  ...languages,
  height: 340,
  pieces: languages.pieces.slice(0, 2),
  text: languages.text.split("\n").slice(0, 2).join("\n"),
};
const quarter = quarterTurned(short);

const cases: readonly (readonly [string, string, number, () => Promise<Raster>])[] = [
  ["English, German, French, Polish, Turkish and Czech", languages.text, 0.03, () => rasterOf(languages)],
  ["letters 14 pixels high", small.text, 0.01, () => rasterOf(small)],
  ["a receipt, price beside name", receipt.text, 0.01, () => rasterOf(receipt)],
  ["two columns under a heading", columns.text, 0.01, () => rasterOf(columns)],
  ["turned by 90°", short.text, 0.02, () => rasterOf(short, quarter.move, quarter.size)],
  ["upside down", short.text, 0.02, () => rasterOf(short, (x, y) => [short.width - x, short.height - y])],
  ["tilted by 12°", receipt.text, 0.01, () => rasterOf(receipt, tilted(receipt, 12), { width: 760, height: 1000 })],
  ["seen from the side", short.text, 0.04, () => rasterOf(short, fromTheSide(short, 0.5))],
];

/** Every line's text is where its offsets say, and its corners are inside the picture. */
function expectWellPlaced({ text, lines }: PictureReading): void {
  let last = 0;
  for (const { start, end, quad, confidence } of lines) {
    expect(start).toBe(last === 0 ? 0 : last + 1);
    expect(text.slice(start, end).trim()).toBe(text.slice(start, end));
    expect(end).toBeGreaterThan(start);
    expect(quad.every((part) => part >= 0 && part <= 1)).toBe(true);
    expect(confidence).toBeGreaterThan(0.5);
    last = end;
  }
  expect(last).toBe(text.length);
}

describe("text of pictures", () => {
  it.for(cases)("%s", async ([, expected, most, draw], context) => {
    if (missing) return context.skip(missing);
    const reading = await reader.read(await draw());
    expectWellPlaced(reading);
    expect(characterErrorRate(expected, reading.text), reading.text).toBeLessThanOrEqual(most);
  });

  it("the corners of a line begin where it is read from", async (context) => {
    if (missing) return context.skip(missing);
    const raster = await rasterOf(short, (x, y) => [short.width - x, short.height - y]);
    const reading = await reader.read(raster);
    const [first] = reading.lines;
    const [ax, ay, bx, by] = first?.quad ?? [];
    expect(ax).toBeGreaterThan(bx ?? 1);
    expect(ay).toBeGreaterThan(0.5);
    expect(by).toBeCloseTo(ay ?? 0, 1);
    expect(await reader.read(raster), "the same picture gives the same reading").toEqual(reading);
  });
});

describe("pictures without text, and odd ones", () => {
  it("a scene without letters has none", async (context) => {
    if (missing) return context.skip(missing);
    const scene = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"><rect width="800" height="360" fill="#a8cdea"/><rect y="360" width="800" height="240" fill="#4d7d3c"/><path d="M0 380L220 160L400 370L560 220L800 390Z" fill="#6b7280"/><circle cx="650" cy="100" r="50" fill="#ffe9a8"/></svg>`;
    const jpeg = await rasteriseSvg(scene, { width: 800, height: 600, format: "jpeg" });
    expect(await reader.read(await rasterPicture(jpeg, { maxSide: 800 }))).toEqual({ text: "", lines: [] });
  });

  it.for([
    [1, 1],
    [2000, 1],
    [1, 2000],
    [31, 33],
  ] as const)("%i × %i pixels are read without an error", async ([width, height], context) => {
    if (missing) return context.skip(missing);
    const rgb = Uint8Array.from({ length: 3 * width * height }, (_, i) => (i * 2654435761) % 256);
    expectWellPlaced(await reader.read({ width, height, rgb }));
  });

  it("a network of another shape gives a typed error", async (context) => {
    if (missing) return context.skip(missing);
    const flat = smallOnnx({
      inputs: [{ name: "x", kind: "float", dims: [1, 3, "h", "w"] }],
      outputs: [{ name: "y", kind: "float", dims: [1, 3, 1, 1] }],
      nodes: [{ op: "GlobalAveragePool", inputs: ["x"], outputs: ["y"] }],
      metadata: { character: "a\nb" },
    });
    const odd = await installed(findModelFor("ocr", id), [
      { role: "detector", name: "detector.onnx", bytes: flat },
      { role: "recogniser", name: "recogniser.onnx", bytes: flat },
      { role: "direction", name: "direction.onnx", bytes: flat },
    ]);
    const error = await openPictureReader({ modelId: "small-model", ...odd }).catch((thrown: unknown) => thrown);
    expect(error instanceof UnderstoryError && error.code).toBe("model_damaged");
  });
});
