import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { MediaService } from "#main/workers/media.worker.ts";
import { connectService } from "#main/workers/service.ts";
import { spawnWorker } from "#main/workers/spawn.ts";
import { corners, cornersOf, encodedFor } from "./quadrants.ts";

const worker = spawnWorker("media");
const media = connectService<MediaService>(worker, "media");
const root = mkdtempSync(join(tmpdir(), "understory-media-"));

beforeAll(async () => {
  writeFileSync(join(root, "a.png"), await encodedFor(1, "png"));
  writeFileSync(join(root, "b.heic"), readFileSync(new URL("../fixtures/heic/exif-turned.heic", import.meta.url)));
  writeFileSync(join(root, "really-a-png.jpg"), await encodedFor(1, "png"));
  writeFileSync(join(root, "page.jpg"), "<!doctype html>");
});
afterAll(async () => {
  await worker.terminate();
  rmSync(root, { recursive: true });
});

const render = (path: string, signal?: AbortSignal) =>
  media.render({ roots: [root], path, maxSide: 256, format: "webp", kind: "photo" }, signal);

test("renders originals by import root and path, whatever their names promise", async () => {
  for (const path of ["a.png", "b.heic", "really-a-png.jpg"]) {
    const made = await render(path);
    expect(made).toMatchObject({ width: 64, height: 32, mime: "image/webp" });
    expect(await cornersOf(made.bytes)).toEqual(corners);
  }
});

test("a picture sent with a mail is rendered from its part of the mailbox, and only if it is still the one", async () => {
  const picture = await encodedFor(1, "png");
  const mail = `From a@x.org Tue Apr  2 08:00:00 2024\nFrom: a@x.org\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nsee\n--x\nContent-Type: image/png; name=a.png\nContent-Transfer-Encoding: base64\n\n${Buffer.from(picture).toString("base64")}\n--x--\n`;
  const before = "From b@x.org Tue Apr  2 07:00:00 2024\nFrom: b@x.org\n\nfirst\n\n";
  writeFileSync(join(root, "box.mbox"), before + mail);
  const place = { roots: [root], path: "box.mbox", offset: before.length, bytes: mail.length, part: "2" };
  const shape = { maxSide: 256, format: "webp", kind: "photo" } as const;
  const sha256 = createHash("sha256").update(picture).digest("hex");
  const made = await media.render({ ...place, ...shape, sha256 });
  expect(await cornersOf(made.bytes)).toEqual(corners);
  await expect(media.render({ ...place, ...shape, sha256: "0".repeat(64) })).rejects.toMatchObject({
    code: "path_missing",
  });
});

test("refusals keep their codes across the thread", async () => {
  await expect(render("page.jpg")).rejects.toMatchObject({ code: "unsupported_format" });
  await expect(render("gone.jpg")).rejects.toMatchObject({ code: "path_missing" });
});

test("many at once are answered, and one that is not wanted any more is refused", async () => {
  const unwanted = AbortSignal.abort();
  const answers = await Promise.allSettled([
    ...Array.from({ length: 6 }, () => render("a.png")),
    render("a.png", unwanted),
    render("b.heic"),
  ]);
  expect(answers.map((one) => one.status)).toEqual([...Array(6).fill("fulfilled"), "rejected", "fulfilled"]);
  expect(answers[6]).toMatchObject({ reason: { code: "cancelled" } });
});

test("pixels for models come in memory that threads share, so that no copy stops the main thread", async () => {
  const pictures = await media.raster({ roots: [root], path: "a.png", maxSide: 256, smallSide: 16 });
  expect(pictures.raster).toMatchObject({ width: 64, height: 32 });
  expect(pictures.small).toMatchObject({ width: 32, height: 16 });
  for (const { width, height, rgb } of [pictures.raster, pictures.small]) {
    expect(rgb.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(rgb).toHaveLength(3 * width * height);
    const png = await sharp(rgb, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer();
    expect(await cornersOf(png)).toEqual(corners);
  }
});
