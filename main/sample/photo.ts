import { renderPicture } from "#native/images.ts";
import { rasteriseSvg } from "#native/rasterise.ts";
import { moment } from "./clock.ts";
import { exifBlock, withExif } from "./exif.ts";
import { pngChunk, withPngChunks } from "./png.ts";
import { hash32, seededRandom } from "./random.ts";
import { Drawing } from "./scenes/drawing.ts";
import { framingOf, type Picture, places } from "./story/pictures.ts";

/** Units in which scenes are drawn, by shape. */
const canvas = { landscape: [1400, 1050], portrait: [1050, 1400], screen: [1080, 1560] } as const;
/** Width of the stored picture in pixels, by camera. */
const pixels = { phone: 1440, compact: 1600, screen: 1080 } as const;

const compactNames = new Map<string, string>();

/** Where a picture lies in the archive, `/` between: `photos/2023/IMG_20230305_155812.jpg`. */
export function picturePath(picture: Picture): string {
  const digits = picture.at.replace(/\D/g, "");
  const folder = `photos/${digits.slice(0, 4)}`;
  const day = digits.slice(0, 8);
  const time = digits.slice(8);
  if (picture.camera === "phone") return `${folder}/IMG_${day}_${time}.jpg`;
  if (picture.camera === "screen") return `${folder}/Screenshot_${day}-${time}.png`;
  // A counter like a camera's: from the day, so that adding a picture renames no other.
  let name = compactNames.get(picture.id);
  if (name === undefined) {
    const days = Math.floor(moment(picture.at, picture.zone).utc.getTime() / 86_400_000) - 19_400;
    name = `DSC${String(days * 9 + (hash32(picture.id) % 9)).padStart(5, "0")}.JPG`;
    compactNames.set(picture.id, name);
  }
  return `${folder}/${name}`;
}

/** The finished picture file with its EXIF. `scale` shrinks its sides. */
export async function pictureFile(picture: Picture, seed: number, scale = 1): Promise<Uint8Array> {
  const [w, h] = canvas[picture.shape];
  const drawing = new Drawing(w, h, seededRandom(seed, picture.id));
  const svg = picture.scene(drawing);
  const framing = framingOf(picture);
  const [left, top, wide, high] = framing?.crop ?? [0, 0, w, h];
  // A phone held upright stores its picture lying on its side, with orientation 6.
  const turned = high > wide && picture.camera === "phone";
  const width = Math.round(pixels[picture.camera] * scale);
  const height = Math.round((width * (turned ? wide : high)) / (turned ? high : wide));
  const scene = framing?.mirror ? `<g transform="translate(${w} 0) scale(-1 1)">${svg}</g>` : svg;
  const inner = turned ? `<g transform="translate(${-top} ${left + wide}) rotate(-90)">${scene}</g>` : scene;
  const box = turned ? `0 0 ${high} ${wide}` : `${left} ${top} ${wide} ${high}`;
  const whole = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${box}">${inner}</svg>`;
  const screen = picture.camera === "screen";
  const bytes = await rasteriseSvg(whole, { width, height, format: screen ? "png" : "jpeg", quality: 80 });
  const at = moment(picture.at, picture.zone);
  const compact = picture.camera === "compact";
  const block = exifBlock({
    make: compact ? "Kestrel" : "Fernway",
    model: compact ? "Kestrel X20" : "Fernway P7",
    software: compact ? "X20 1.3" : "FernOS 14",
    orientation: turned ? 6 : 1,
    taken: picture.at.replaceAll("-", ":"),
    offset: compact ? null : at.offset,
    place: picture.place === null ? null : { ...places[picture.place], utc: at.utc },
    width,
    height,
    iso: at.hour >= 18 || at.hour < 7 ? 800 : 100,
    comment: screen ? "Screenshot" : null,
  });
  return screen ? withPngChunks(bytes, [pngChunk("eXIf", block)]) : withExif(bytes, block);
}

/** The same picture as a messenger sends it: small, upright, without metadata. */
export async function sentPicture(file: Uint8Array): Promise<Uint8Array> {
  return (await renderPicture(file, { maxSide: 860, format: "jpeg", quality: 68 })).bytes;
}
