import { execFile } from "node:child_process";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { findFfmpeg, lookForFfmpeg, videoFrames } from "#native/video.ts";

const ffmpeg = await findFfmpeg();
const missing = ffmpeg === null ? "no ffmpeg on this machine" : null;
if (missing) console.warn(missing);
const folder = await mkdtemp(join(tmpdir(), "understory-video-"));
const at = (name: string) => join(folder, name);
const options = { count: 4, maxSide: 64 };

function box(type: string, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length + 8, 0);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, content]);
}

/** An MP4 with a cover and without a film. */
async function withCover(): Promise<Buffer> {
  const cover = await sharp({ create: { width: 40, height: 30, channels: 3, background: "#dc1414" } })
    .jpeg()
    .toBuffer();
  const kind = Buffer.from([0, 0, 0, 13, 0, 0, 0, 0]);
  const list = box(
    "ilst",
    box("\u00a9nam", box("data", kind, Buffer.from("A film"))),
    box("covr", box("data", kind, cover)),
  );
  const meta = box("meta", Buffer.alloc(4), box("hdlr", Buffer.alloc(25)), list);
  return Buffer.concat([
    box("ftyp", Buffer.from("isom\0\0\0\0isom")),
    box("mdat", Buffer.alloc(5000)),
    box("moov", box("mvhd", Buffer.alloc(100)), box("udta", meta)),
  ]);
}

beforeAll(async () => {
  await writeFile(at("cover.mp4"), await withCover());
  await writeFile(at("text.mp4"), "This is no film.");
  await writeFile(at("secret.txt"), "kept to itself");
  await writeFile(at("list.mp4"), `#EXTM3U\n#EXTINF:1,\nfile://${at("film.mp4")}\n#EXT-X-ENDLIST\n`);
  await writeFile(at("concat.mp4"), `ffconcat version 1.0\nfile ${at("film.mp4")}\n`);
  if (ffmpeg === null) return;
  // Red, then green, then blue, two seconds each.
  const parts = ["red", "lime", "blue"].flatMap((colour) => ["-f", "lavfi", "-i", `color=${colour}:s=160x90:d=2:r=5`]);
  const args = ["-v", "error", "-y", ...parts, "-filter_complex", "concat=n=3", "-pix_fmt", "yuv420p", at("film.mp4")];
  await promisify(execFile)(ffmpeg, args);
  const film = await readFile(at("film.mp4"));
  await writeFile(at("cut.mp4"), film.subarray(0, film.length / 3));
}, 60_000);

describe("frames by the system's ffmpeg", () => {
  test("are spread over the video, and small", async (context) => {
    if (missing) return context.skip(missing);
    const { frames, from, reason } = await videoFrames(at("film.mp4"), { count: 3, maxSide: 64 });
    expect([from, reason]).toEqual(["frames", null]);
    expect(frames.map((frame) => frame.at)).toEqual([1, 3, 5]);
    const strongest = frames.map(({ raster }) => {
      const [red = 0, green = 0, blue = 0] = raster.rgb.subarray(0, 3);
      return [red, green, blue].indexOf(Math.max(red, green, blue));
    });
    expect(strongest).toEqual([0, 1, 2]);
    expect(frames.map(({ raster }) => [raster.width, raster.height])).toEqual(Array(3).fill([64, 36]));
  }, 60_000);

  test("what leads to other files is not followed, what is cut or no film gives none, and says why", async (context) => {
    if (missing) return context.skip(missing);
    for (const name of ["list.mp4", "concat.mp4", "text.mp4", "cut.mp4", "not-there.mp4"]) {
      const { frames, from, reason } = await videoFrames(at(name), options);
      expect([name, frames.length, from]).toEqual([name, 0, "none"]);
      expect(reason).toMatch(/ffmpeg/);
    }
  }, 60_000);

  test("can be stopped", async (context) => {
    if (missing) return context.skip(missing);
    const stop = new AbortController();
    const work = videoFrames(at("film.mp4"), { ...options, signal: stop.signal });
    stop.abort();
    await expect(work).rejects.toMatchObject({ code: "cancelled" });
  });
});

describe("without ffmpeg", () => {
  test("the container's cover is all there is, and it is said", async () => {
    const { frames, from, reason } = await videoFrames(at("cover.mp4"), { ...options, ffmpeg: null });
    expect(from).toBe("cover");
    expect(reason).toMatch(/not installed/);
    expect(frames.map((frame) => [frame.at, frame.raster.width, frame.raster.height])).toEqual([[0, 40, 30]]);
  });

  test("a video without a cover gives nothing", async () => {
    for (const name of ["text.mp4", "not-there.mp4"]) {
      expect(await videoFrames(at(name), { ...options, ffmpeg: null })).toMatchObject({ frames: [], from: "none" });
    }
  });

  test("boxes that lie about their sizes give nothing", async () => {
    const whole = await withCover();
    for (const [index, value] of [5038, 0xffff_ffff, 7, 1].entries()) {
      const bytes = Buffer.from(whole);
      bytes.writeUInt32BE(value, whole.indexOf("moov") - 4);
      await writeFile(at(`lie${index}.mp4`), bytes);
      const { from } = await videoFrames(at(`lie${index}.mp4`), { ...options, ffmpeg: null });
      expect(["none", "cover"]).toContain(from);
    }
  });

  test("a program is only looked for at whole paths", async () => {
    expect(await lookForFfmpeg(".", "win32")).toBeNull();
  });
});
