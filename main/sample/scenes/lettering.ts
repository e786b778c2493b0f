import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Font, type PathCommand, parse } from "opentype.js/dist/opentype.mjs";
import { n } from "./drawing.ts";

/** Letters as vector paths from packaged fonts: pictures with text look the same with any system fonts, or none. */

const files = {
  sans: "@fontsource/barlow/files/barlow-latin-400-normal.woff",
  medium: "@fontsource/barlow/files/barlow-latin-600-normal.woff",
  heavy: "@fontsource/barlow/files/barlow-latin-800-normal.woff",
  serif: "@fontsource/playfair-display/files/playfair-display-latin-400-normal.woff",
  display: "@fontsource/playfair-display/files/playfair-display-latin-800-normal.woff",
  hand: "@fontsource/caveat/files/caveat-latin-600-normal.woff",
  mono: "@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-500-normal.woff",
} as const;
export type Face = keyof typeof files;

const require = createRequire(import.meta.url);
const loaded = new Map<Face, Font>();

function font(face: Face): Font {
  let found = loaded.get(face);
  if (!found) {
    const bytes = readFileSync(require.resolve(files[face]));
    found = parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    loaded.set(face, found);
  }
  return found;
}

export interface TextStyle {
  readonly face?: Face;
  /** Letter height, in the drawing's units. */
  readonly size: number;
  readonly fill?: string;
  readonly align?: "start" | "middle" | "end";
  /** Extra space between letters, in the drawing's units. */
  readonly spacing?: number;
  readonly opacity?: number;
}

export function textWidth(text: string, style: TextStyle): number {
  const face = font(style.face ?? "sans");
  return face.getAdvanceWidth(text, style.size) + (style.spacing ?? 0) * Math.max(0, text.length - 1);
}

/** Path data of our own, with a blank between all numbers: some readers stop at the package's shortest form. */
function outline(commands: readonly PathCommand[]): string {
  let data = "";
  for (const c of commands) {
    if (c.type === "Z") data += "Z";
    else if (c.type === "Q") data += `Q${n(c.x1)} ${n(c.y1)} ${n(c.x)} ${n(c.y)}`;
    else if (c.type === "C") data += `C${n(c.x1)} ${n(c.y1)} ${n(c.x2)} ${n(c.y2)} ${n(c.x)} ${n(c.y)}`;
    else data += `${c.type}${n(c.x)} ${n(c.y)}`;
  }
  return data;
}

/** One line of text with its baseline at (x, y), as an SVG path. Throws for a letter that the face does not have. */
export function text(line: string, x: number, y: number, style: TextStyle): string {
  if (line === "") return "";
  const face = font(style.face ?? "sans");
  for (const letter of line) {
    if (!face.hasChar(letter))
      throw new Error(`The face ${style.face ?? "sans"} has no letter ${letter} (in "${line}").`);
  }
  const width = textWidth(line, style);
  const left = style.align === "middle" ? x - width / 2 : style.align === "end" ? x - width : x;
  let data = "";
  if (style.spacing) {
    let at = left;
    for (const letter of line) {
      data += outline(face.getPath(letter, at, y, style.size).commands);
      at += face.getAdvanceWidth(letter, style.size) + style.spacing;
    }
  } else {
    data = outline(face.getPath(line, left, y, style.size).commands);
  }
  const opacity = style.opacity === undefined ? "" : ` opacity="${style.opacity}"`;
  return `<path d="${data}" fill="${style.fill ?? "#222222"}"${opacity}/>`;
}

/** Several lines, `leading` apart. */
export function lines(texts: readonly string[], x: number, y: number, leading: number, style: TextStyle): string {
  return texts.map((line, i) => text(line, x, y + i * leading, style)).join("");
}
