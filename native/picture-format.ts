import { isRawMagic, isRawTiff } from "./raw-preview.ts";

/** Picture formats that Understory can show; `raw`: what a camera's sensor saw, shown by the preview inside. */
export const pictureFormats = ["jpeg", "png", "heic", "avif", "webp", "gif", "tiff", "raw"] as const;
export type PictureFormat = (typeof pictureFormats)[number];

export const pictureMimes: Readonly<Record<PictureFormat, string>> = {
  jpeg: "image/jpeg",
  png: "image/png",
  heic: "image/heic",
  avif: "image/avif",
  webp: "image/webp",
  gif: "image/gif",
  tiff: "image/tiff",
  raw: "image/x-raw",
};

/** Major and compatible brands of ISO/IEC 23008-12 Annex B (HEVC-coded) and of AVIF. */
const heicBrands = new Set(["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]);
const avifBrands = new Set(["avif", "avis"]);

function ascii(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let i = start; i < Math.min(end, bytes.length); i++) text += String.fromCharCode(bytes[i] ?? 0);
  return text;
}

/** What the first bytes (32 are enough for most, 256 for all but RAW, 4,096 for nearly all) say, whatever the name is; null for anything else. */
export function sniffPicture(head: Uint8Array): PictureFormat | null {
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return "jpeg";
  if (ascii(head, 0, 8) === "\x89PNG\r\n\x1a\n") return "png";
  if (isRawMagic(head)) return "raw";
  const four = ascii(head, 0, 4);
  if (four === "GIF8") return "gif";
  if (four === "RIFF" && ascii(head, 8, 12) === "WEBP") return "webp";
  if (four === "II*\0" || four === "MM\0*" || four === "II+\0" || four === "MM\0+") {
    return isRawTiff(head) ? "raw" : "tiff";
  }
  if (ascii(head, 4, 8) === "ftyp") {
    const size = Math.min(head.length, new DataView(head.buffer, head.byteOffset, head.byteLength).getUint32(0), 256);
    // The major brand of both kinds may be the structural mif1: the codec brands decide, AVIF first.
    const brands = [ascii(head, 8, 12)];
    for (let at = 16; at + 4 <= size; at += 4) brands.push(ascii(head, at, at + 4));
    if (brands.some((brand) => avifBrands.has(brand))) return "avif";
    if (brands.some((brand) => heicBrands.has(brand))) return "heic";
  }
  return null;
}
