import { findModelFor } from "#models/catalogue.ts";
import { openPictureReader } from "#models/ocr/reader.ts";
import type { Raster } from "#native/raster.ts";
import { ensureModel } from "../model-cache.ts";
import { characterErrorRate, fromTheSide, pages, quarterTurned, rasterOf, tilted } from "./pages.ts";

/**
 * Prints the character error rate and processor time of each page, for one or more detector sizes:
 *
 *     npx --no node test/models/ocr/measure.ts 480,736 736,960
 */
const id = "pp-ocrv6-small";
const found = await ensureModel(id);
if ("missing" in found) throw new Error(found.missing);
const { languages, small, receipt, columns } = pages;
const quarter = quarterTurned(languages);
const cases: readonly (readonly [string, string, Raster])[] = [
  ["six languages", languages.text, await rasterOf(languages)],
  ["14 pixels", small.text, await rasterOf(small)],
  ["receipt", receipt.text, await rasterOf(receipt)],
  ["two columns", columns.text, await rasterOf(columns)],
  ["turned by 90°", languages.text, await rasterOf(languages, quarter.move, quarter.size)],
  ["upside down", receipt.text, await rasterOf(receipt, (x, y) => [receipt.width - x, receipt.height - y])],
  ["tilted by 6°", receipt.text, await rasterOf(receipt, tilted(receipt, 6), receipt)],
  ["tilted by 15°", receipt.text, await rasterOf(receipt, tilted(receipt, 15), { width: 800, height: 1000 })],
  ["from the side", columns.text, await rasterOf(columns, fromTheSide(columns, 0.6))],
  ["further", languages.text, await rasterOf(languages, fromTheSide(languages, 0.6))],
];
const base = findModelFor("ocr", id);
const sizes = process.argv.slice(2).map((size) => size.split(",").map(Number));
for (const [least, most] of sizes.length > 0 ? sizes : [[base.ocr.detector.least, base.ocr.detector.most]]) {
  const detector = { ...base.ocr.detector, least: least ?? 480, most: most ?? 736 };
  const model = { ...base, ocr: { ...base.ocr, detector } };
  const reader = await openPictureReader({ modelId: id, folder: found.folder, model });
  console.log(`least ${detector.least}, most ${detector.most}`);
  for (const [name, expected, raster] of cases) {
    const before = process.cpuUsage();
    const { text } = await reader.read(raster);
    const { user, system } = process.cpuUsage(before);
    const rate = characterErrorRate(expected, text).toFixed(3);
    console.log(`  ${name.padEnd(16)} CER ${rate}  ${Math.round((user + system) / 1000)} ms`);
  }
  await reader.dispose();
}
