import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { access, type FileHandle, open } from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { UnderstoryError } from "#contract";
import { boxes } from "./heif.ts";
import { rasterPicture } from "./images.ts";
import type { Raster } from "./raster.ts";

/**
 * Pictures out of a video: frames by the system's ffmpeg when there is one, else only the cover that the container
 * carries. The program is never shipped or fetched. It reads a file that came from anyone, so it is started without a
 * shell, may open nothing but that file, knows only plain containers, and ends by the clock.
 */

export interface VideoFrame {
  /** Seconds into the video; 0 for a cover. */
  readonly at: number;
  readonly raster: Raster;
}

export interface VideoFrames {
  readonly frames: readonly VideoFrame[];
  /** `frames`: decoded from the video; `cover`: the container's own picture; `none`: nothing could be seen. */
  readonly from: "frames" | "cover" | "none";
  /** Why there are no frames of the video itself; null when there are. */
  readonly reason: string | null;
}

/** Longest run of the program for one frame, and for the length of a video. */
const frameMs = 20_000;
/** Longest time for all frames of one video. */
const videoMs = 120_000;
const mostOutput = 64 * 1024 * 1024;
const mostFrames = 64;
/** Largest table of contents that is read for a cover. */
const mostMoov = 32 * 1024 * 1024;
/** Playlists and lists of files, which lead to other files, are not among them. */
const containers = "mov,matroska,avi,mpegts,mpeg,asf,flv,ogg,mjpeg";

let found: Promise<string | null> | null = null;

/** Path of the system's ffmpeg, or null. Looked for once: on PATH, then where package managers put it. */
export function findFfmpeg(): Promise<string | null> {
  found ??= lookForFfmpeg(process.env.PATH ?? "", process.platform);
  return found;
}

/** As `findFfmpeg`, on a given search path. Relative entries are passed over: nothing is run from the current folder. */
export async function lookForFfmpeg(searchPath: string, platform: NodeJS.Platform): Promise<string | null> {
  const usual = platform === "win32" ? [] : ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/opt/local/bin"];
  const name = platform === "win32" ? "ffmpeg.exe" : "ffmpeg";
  for (const folder of [...searchPath.split(delimiter), ...usual]) {
    if (!isAbsolute(folder)) continue;
    const path = join(folder, name);
    const runs = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (!runs) continue;
    const { output } = await run(path, ["-version"], { timeoutMs: 5_000 });
    if (output.subarray(0, 14).toString("latin1") === "ffmpeg version") return path;
  }
  return null;
}

/**
 * Up to `count` frames spread over the video, upright, at most `maxSide` pixels wide and high. A video that cannot be
 * decoded gives what there is and says why; the only error is `cancelled`. `ffmpeg`: another program, null for none.
 */
export async function videoFrames(
  path: string,
  options: { count: number; maxSide: number; signal?: AbortSignal; ffmpeg?: string | null },
): Promise<VideoFrames> {
  const { count, maxSide, signal } = options;
  const ffmpeg = options.ffmpeg === undefined ? await findFfmpeg() : options.ffmpeg;
  stopWhenCancelled(signal);
  if (ffmpeg === null) return coverOnly(path, maxSide, "ffmpeg is not installed on this computer");
  const input = ["-protocol_whitelist", "file,pipe", "-format_whitelist", containers, "-i", `file:${resolve(path)}`];
  const seconds = await durationOf(ffmpeg, input, signal);
  if (seconds === null) return coverOnly(path, maxSide, "ffmpeg does not know this video");
  const end = Date.now() + videoMs;
  const frames: VideoFrame[] = [];
  const wanted = Math.max(1, Math.min(mostFrames, Math.floor(count)));
  for (let i = 0; i < wanted && Date.now() < end; i++) {
    const at = ((i + 0.5) / wanted) * seconds;
    const raster = await frameAt(ffmpeg, input, at, maxSide, signal);
    stopWhenCancelled(signal);
    if (raster) frames.push({ at, raster });
    // A video without length has one frame; one that gives nothing at its beginning gives nothing later.
    if (seconds === 0 || (i === 1 && frames.length === 0)) break;
  }
  if (frames.length > 0) return { frames, from: "frames", reason: null };
  return coverOnly(path, maxSide, "ffmpeg could not decode this video");
}

function stopWhenCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new UnderstoryError("cancelled", "Looking at the video was cancelled.");
}

/** Seconds as the container says; 0 when it does not say; null when it is no video. */
async function durationOf(ffmpeg: string, input: string[], signal?: AbortSignal): Promise<number | null> {
  // Without an output the program only tells what it would read.
  const { messages } = await run(ffmpeg, ["-nostdin", "-hide_banner", ...input], { timeoutMs: frameMs, signal });
  stopWhenCancelled(signal);
  if (!/^ *Stream #.*: Video:/m.test(messages)) return null;
  const [, hours, minutes, seconds] = /Duration: (\d+):(\d+):([\d.]+)/.exec(messages) ?? [];
  return Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
}

async function frameAt(
  ffmpeg: string,
  input: string[],
  at: number,
  maxSide: number,
  signal?: AbortSignal,
): Promise<Raster | null> {
  const scale = `scale=w='min(${maxSide},iw)':h='min(${maxSide},ih)':force_original_aspect_ratio=decrease`;
  const { output } = await run(
    ffmpeg,
    // biome-ignore format: options stand with their values
    [
      "-nostdin", "-hide_banner", "-loglevel", "error", "-threads", "1", "-ss", at.toFixed(3), ...input,
      "-map", "0:v:0", "-an", "-sn", "-dn", "-frames:v", "1", "-vf", scale, "-threads", "1",
      "-f", "image2pipe", "-c:v", "png", "pipe:1",
    ],
    { timeoutMs: frameMs, signal },
  );
  if (output.length === 0) return null;
  const raster = await rasterPicture(output, { maxSide }).catch(() => null);
  return raster && { width: raster.width, height: raster.height, rgb: raster.rgb };
}

/** Runs a program without a shell and with next to no environment; ended by the clock, by its output's size or by `signal`. */
function run(
  program: string,
  args: readonly string[],
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal | undefined },
): Promise<{ output: Buffer; messages: string }> {
  return new Promise((resolve) => {
    const { PATH, SystemRoot } = process.env;
    const child = spawn(program, args, {
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
      env: { ...(PATH ? { PATH } : {}), ...(SystemRoot ? { SystemRoot } : {}) },
    });
    const kept: { output: Buffer[]; messages: Buffer[] } = { output: [], messages: [] };
    let bytes = 0;
    const kill = () => void child.kill("SIGKILL");
    const keep = (list: Buffer[]) => (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > mostOutput) kill();
      else list.push(chunk);
    };
    const timer = setTimeout(kill, timeoutMs);
    if (signal?.aborted) kill();
    signal?.addEventListener("abort", kill, { once: true });
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", kill);
      resolve({ output: Buffer.concat(kept.output), messages: Buffer.concat(kept.messages).toString("utf8") });
    };
    child.stdout.on("data", keep(kept.output));
    child.stderr.on("data", keep(kept.messages));
    child.once("error", done);
    child.once("close", done);
  });
}

async function coverOnly(path: string, maxSide: number, reason: string): Promise<VideoFrames> {
  const bytes = await coverOf(path).catch(() => null);
  const raster = bytes && (await rasterPicture(bytes, { maxSide }).catch(() => null));
  if (!raster) return { frames: [], from: "none", reason: `${reason}, and it carries no cover picture` };
  const { width, height, rgb } = raster;
  return { frames: [{ at: 0, raster: { width, height, rgb } }], from: "cover", reason };
}

/** The cover of an MP4 or MOV (`moov/udta/meta/ilst/covr/data`, as iTunes writes it); null: none. */
async function coverOf(path: string): Promise<Uint8Array | null> {
  const file = await open(path, "r");
  try {
    const moov = await readMoov(file, (await file.stat()).size);
    if (!moov) return null;
    const view = new DataView(moov.buffer, moov.byteOffset, moov.byteLength);
    let inside = { start: 0, end: moov.length };
    for (const type of ["udta", "meta", "ilst", "covr", "data"]) {
      const box = boxes(view, inside.start, inside.end).find((one) => one.type === type);
      if (!box) return null;
      // `meta` begins with version and flags, `data` with its kind and language.
      inside = { start: box.start + (type === "meta" ? 4 : type === "data" ? 8 : 0), end: box.end };
    }
    return moov.subarray(inside.start, inside.end);
  } finally {
    await file.close();
  }
}

/** What is in the `moov` box at the top of a file, found without reading the film itself. */
async function readMoov(file: FileHandle, size: number): Promise<Uint8Array | null> {
  const head = Buffer.alloc(16);
  let at = 0;
  for (let count = 0; count < 1000 && at + 8 <= size; count++) {
    const { bytesRead } = await file.read(head, 0, 16, at);
    if (bytesRead < 8) return null;
    let length = head.readUInt32BE(0);
    let header = 8;
    if (length === 1 && bytesRead === 16) {
      length = Number(head.readBigUInt64BE(8));
      header = 16;
    } else if (length === 0) length = size - at;
    if (length < header) return null;
    if (head.toString("latin1", 4, 8) === "moov") {
      if (length > mostMoov) return null;
      const moov = Buffer.alloc(length - header);
      const part = await file.read(moov, 0, moov.length, at + header);
      return moov.subarray(0, part.bytesRead);
    }
    at += length;
  }
  return null;
}
