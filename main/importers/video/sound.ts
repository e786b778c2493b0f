import { emptyFilm, type FilmDraft, type FilmFacts, type SoundFormat } from "./facts.ts";
import type { Ranges } from "./ranges.ts";

/** Sound files: which they are, and how long they play where the headers tell it. Nothing is decoded. */

const mimes: Readonly<Record<SoundFormat, string>> = {
  m4a: "audio/mp4",
  ogg: "audio/ogg",
  mp3: "audio/mpeg",
  wav: "audio/wav",
  amr: "audio/amr",
  flac: "audio/flac",
  aac: "audio/aac",
};

/** By the first bytes; null for anything else. MP4 containers are told elsewhere. */
export function sniffSound(head: Uint8Array): SoundFormat | null {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 16)).toString("latin1");
  if (text.startsWith("OggS")) return "ogg";
  if (text.startsWith("fLaC")) return "flac";
  if (text.startsWith("#!AMR")) return "amr";
  if (text.startsWith("RIFF") && text.slice(8, 12) === "WAVE") return "wav";
  if (text.startsWith("ID3")) return "mp3";
  if (head[0] === 0xff && ((head[1] ?? 0) & 0xf6) === 0xf0) return "aac";
  if (head[0] === 0xff && ((head[1] ?? 0) & 0xe0) === 0xe0 && mp3Frame(Buffer.from(head), 0) !== null) return "mp3";
  return null;
}

/** Never throws but what the entry throws. */
export async function readSound(ranges: Ranges, format: SoundFormat): Promise<FilmFacts> {
  const film: FilmDraft = emptyFilm(format, mimes[format]);
  const seconds = await durations[format](ranges);
  if (seconds !== null && Number.isFinite(seconds) && seconds > 0) film.duration = Math.round(seconds * 1000) / 1000;
  return film;
}

const durations: Readonly<Record<SoundFormat, (ranges: Ranges) => Promise<number | null>>> = {
  m4a: async () => null,
  ogg: oggSeconds,
  mp3: mp3Seconds,
  wav: wavSeconds,
  amr: amrSeconds,
  flac: flacSeconds,
  aac: async () => null,
};

/** Granule position of the last page (RFC 3533 §6): samples, at 48 kHz for Opus (RFC 7845 §4). */
async function oggSeconds(ranges: Ranges): Promise<number | null> {
  const head = await ranges.bytes(0, 256);
  const opus = head.indexOf("OpusHead");
  const vorbis = head.indexOf("\x01vorbis", 0, "latin1");
  let rate = 0;
  let skip = 0;
  if (opus >= 0 && opus + 12 <= head.length) {
    rate = 48_000;
    skip = head.readUInt16LE(opus + 10);
  } else if (vorbis >= 0 && vorbis + 16 <= head.length) rate = head.readUInt32LE(vorbis + 12);
  if (rate === 0) return null;
  // A page has at most 65,307 bytes.
  const start = Math.max(0, ranges.size - 65_536);
  const tail = await ranges.bytes(start, ranges.size - start);
  for (let at = tail.lastIndexOf("OggS"); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf("OggS", at - 1)) {
    if (at + 14 > tail.length) continue;
    const granule = tail.readBigInt64LE(at + 6);
    if (granule > 0n) return (Number(granule) - skip) / rate;
  }
  return null;
}

const rates = [44_100, 48_000, 32_000];
const kilobits1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const kilobits2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];

interface Mp3Frame {
  readonly rate: number;
  readonly bitsPerSecond: number;
  readonly samples: number;
  /** Where a Xing header would stand, from the frame's first byte. */
  readonly xing: number;
}

/** Header of an MPEG layer III frame (ISO/IEC 11172-3 §2.4.1.3), or null. */
function mp3Frame(bytes: Buffer, at: number): Mp3Frame | null {
  if (at + 4 > bytes.length || bytes[at] !== 0xff) return null;
  const [second = 0, third = 0, fourth = 0] = bytes.subarray(at + 1, at + 4);
  const version = (second >> 3) & 3;
  const layer = (second >> 1) & 3;
  if ((second & 0xe0) !== 0xe0 || version === 1 || layer !== 1) return null;
  const first = version === 3;
  const kilobits = (first ? kilobits1 : kilobits2)[third >> 4];
  const base = rates[(third >> 2) & 3];
  if (!kilobits || !base) return null;
  const mono = fourth >> 6 === 3;
  return {
    rate: first ? base : version === 2 ? base / 2 : base / 4,
    bitsPerSecond: kilobits * 1000,
    samples: first ? 1152 : 576,
    xing: 4 + (first ? (mono ? 17 : 32) : mono ? 9 : 17),
  };
}

/** From the count of frames that an encoder noted, else from the first frame's bit rate. */
async function mp3Seconds(ranges: Ranges): Promise<number | null> {
  let at = 0;
  const tag = await ranges.bytes(0, 10);
  if (tag.toString("latin1", 0, 3) === "ID3" && tag.length === 10) {
    at = 10 + [6, 7, 8, 9].reduce((sum, i) => sum * 128 + ((tag[i] ?? 0) & 0x7f), 0);
  }
  const bytes = await ranges.bytes(at, Math.min(16_384, ranges.size - at));
  for (let offset = 0; offset + 4 <= bytes.length; offset++) {
    const frame = mp3Frame(bytes, offset);
    if (!frame) continue;
    const mark = offset + frame.xing;
    const name = bytes.toString("latin1", mark, mark + 4);
    if ((name === "Xing" || name === "Info") && mark + 12 <= bytes.length && ((bytes[mark + 7] ?? 0) & 1) === 1) {
      return (bytes.readUInt32BE(mark + 8) * frame.samples) / frame.rate;
    }
    return ((ranges.size - at - offset) * 8) / frame.bitsPerSecond;
  }
  return null;
}

async function wavSeconds(ranges: Ranges): Promise<number | null> {
  let bytesPerSecond = 0;
  for (let at = 12, count = 0; count < 100; count++) {
    const head = await ranges.bytes(at, 20);
    if (head.length < 8) return null;
    const size = head.readUInt32LE(4);
    const type = head.toString("latin1", 0, 4);
    if (type === "fmt " && head.length >= 20) bytesPerSecond = head.readUInt32LE(16);
    if (type === "data") return bytesPerSecond > 0 ? Math.min(size, ranges.size - at - 8) / bytesPerSecond : null;
    at += 8 + size + (size % 2);
  }
  return null;
}

/** Bytes of a speech frame by its mode (3GPP TS 26.101 §4.2, RFC 4867 §5.3); a frame is 20 ms. */
const amrFrames = [13, 14, 16, 18, 20, 21, 27, 32, 6, 1, 1, 1, 1, 1, 1, 1];
const amrWideFrames = [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 1, 1, 1, 1, 1, 1];
const mostAmr = 4 * 1024 * 1024;

async function amrSeconds(ranges: Ranges): Promise<number | null> {
  if (ranges.size > mostAmr) return null;
  const bytes = await ranges.bytes(0, ranges.size);
  const wide = bytes.toString("latin1", 0, 9) === "#!AMR-WB\n";
  const sizes = wide ? amrWideFrames : amrFrames;
  let frames = 0;
  for (let at = wide ? 9 : 6; at < bytes.length; frames++) at += sizes[((bytes[at] ?? 0) >> 3) & 15] ?? 1;
  return frames * 0.02;
}

/** STREAMINFO (RFC 9639 §8.2): 20 bits of rate, 36 bits of samples. */
async function flacSeconds(ranges: Ranges): Promise<number | null> {
  const bytes = await ranges.bytes(0, 26);
  if (bytes.length < 26 || ((bytes[4] ?? 0) & 0x7f) !== 0) return null;
  const rate = bytes.readUIntBE(18, 3) >> 4;
  const samples = ((bytes[21] ?? 0) & 15) * 2 ** 32 + bytes.readUInt32BE(22);
  return rate > 0 && samples > 0 ? samples / rate : null;
}
