import { deflateSync } from "node:zlib";
import { pngFile } from "../png.ts";
import { type Random, seededRandom } from "../random.ts";

export type Point = readonly [number, number];
/** Colour stops from 0 to 1: [offset, colour, opacity]. */
export type Stop = readonly [number, string, number?];

/** A number as SVG wants it: one decimal, no exponent. */
export const n = (value: number): string => String(Math.round(value * 10) / 10);

/**
 * One picture in the making: layers from back to front over shared definitions. All randomness comes from the picture's
 * own stream, so that a picture is the same whatever was drawn before it.
 */
export class Drawing {
  readonly width: number;
  readonly height: number;
  readonly random: Random;
  private readonly definitions: string[] = [];
  private readonly layers: string[] = [];
  private nextId = 0;
  private readonly blurs = new Set<string>();

  constructor(width: number, height: number, random: Random) {
    this.width = width;
    this.height = height;
    this.random = random;
  }

  add(...parts: string[]): void {
    this.layers.push(...parts);
  }

  private define(make: (id: string) => string): string {
    const id = `d${this.nextId++}`;
    this.definitions.push(make(id));
    return `url(#${id})`;
  }

  /** Linear gradient along (x1, y1) → (x2, y2) in fractions of the shape's box; downwards by default. */
  linear(stops: readonly Stop[], x1 = 0, y1 = 0, x2 = 0, y2 = 1): string {
    return this.define(
      (id) =>
        `<linearGradient id="${id}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}">${stops.map(stop).join("")}</linearGradient>`,
    );
  }

  /** Radial gradient inside the shape's box. */
  radial(stops: readonly Stop[], cx = 0.5, cy = 0.5, r = 0.5): string {
    return this.define(
      (id) => `<radialGradient id="${id}" cx="${cx}" cy="${cy}" r="${r}">${stops.map(stop).join("")}</radialGradient>`,
    );
  }

  clip(path: string): string {
    return this.define((id) => `<clipPath id="${id}"><path d="${path}"/></clipPath>`);
  }

  /** Wraps parts in a Gaussian blur: background out of focus, soft edges. Radius in units of the drawing. */
  blur(radius: number, ...parts: string[]): string {
    return this.filtered(`blur${n(radius).replace(".", "_")}`, radius, 30, parts);
  }

  /** The same for a layer that fills the picture: its rim may be cut, which halves the work. */
  blurLayer(radius: number, ...parts: string[]): string {
    return this.filtered(`layer${n(radius).replace(".", "_")}`, radius, 0, parts);
  }

  private filtered(id: string, radius: number, rim: number, parts: readonly string[]): string {
    if (!this.blurs.has(id)) {
      this.blurs.add(id);
      this.definitions.push(
        `<filter id="${id}" x="-${rim}%" y="-${rim}%" width="${100 + 2 * rim}%" height="${100 + 2 * rim}%"><feGaussianBlur stdDeviation="${radius}"/></filter>`,
      );
    }
    return `<g filter="url(#${id})">${parts.join("")}</g>`;
  }

  /** The whole picture filled from top to bottom. */
  backdrop(stops: readonly Stop[]): void {
    this.add(rect(0, 0, this.width, this.height, this.linear(stops)));
  }

  /** A soft round light or shadow: an ellipse that fades to nothing at its rim. */
  soft(cx: number, cy: number, rx: number, ry: number, colour: string, opacity: number): string {
    const fill = this.radial([
      [0, colour, opacity],
      [0.35, colour, opacity * 0.66],
      [0.7, colour, opacity * 0.2],
      [1, colour, 0],
    ]);
    return ellipse(cx, cy, rx, ry, fill);
  }

  /**
   * The finished SVG. `light` washes a corner (the sun, a lamp), the vignette and the grain bind the flat colours
   * together like paper does.
   */
  finish(
    options: { vignette?: number; grain?: number; light?: readonly [number, number, string, number] } = {},
  ): string {
    const { width, height } = this;
    const [x, y, colour, strength] = options.light ?? [0, 0, "#ffffff", 0];
    if (strength > 0) this.add(this.soft(x * width, y * height, width * 0.9, width * 0.9, colour, strength));
    const vignette = options.vignette ?? 0.34;
    if (vignette > 0) {
      const edge = this.radial(
        [
          [0.55, "#0b0a14", 0],
          [1, "#0b0a14", vignette],
        ],
        0.5,
        0.48,
        0.78,
      );
      this.add(rect(0, 0, width, height, edge));
    }
    const grain = options.grain ?? 0.5;
    if (grain > 0) {
      const paper = this.define(
        (id) =>
          `<pattern id="${id}" width="256" height="256" patternUnits="userSpaceOnUse"><image width="256" height="256" href="${grainTile()}"/></pattern>`,
      );
      this.add(rect(0, 0, width, height, paper, `opacity="${grain}"`));
    }
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><defs>${this.definitions.join("")}</defs>${this.layers.join("")}</svg>`;
  }
}

const stop = ([offset, colour, opacity]: Stop): string =>
  `<stop offset="${offset}" stop-color="${colour}"${opacity === undefined ? "" : ` stop-opacity="${Math.round(opacity * 1000) / 1000}"`}/>`;

let grainUri: string | null = null;
/** A tile of fine black and white specks, as a data URI. */
function grainTile(): string {
  if (grainUri === null) {
    const random = seededRandom(7, "grain");
    const side = 256;
    const raw = Buffer.alloc(side * (side * 2 + 1));
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) {
        const speck = random.next() + random.next() - 1;
        raw[y * (side * 2 + 1) + 1 + x * 2] = speck > 0 ? 255 : 0;
        raw[y * (side * 2 + 1) + 2 + x * 2] = Math.round(Math.abs(speck) * 26);
      }
    }
    const png = pngFile({ width: side, height: side, colourType: 4, data: deflateSync(raw) });
    grainUri = `data:image/png;base64,${Buffer.from(png).toString("base64")}`;
  }
  return grainUri;
}

export const rect = (x: number, y: number, w: number, h: number, fill: string, more = ""): string =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" fill="${fill}" ${more}/>`;
export const rounded = (x: number, y: number, w: number, h: number, r: number, fill: string, more = ""): string =>
  rect(x, y, w, h, fill, `rx="${n(r)}" ${more}`);
export const ellipse = (cx: number, cy: number, rx: number, ry: number, fill: string, more = ""): string =>
  `<ellipse cx="${n(cx)}" cy="${n(cy)}" rx="${n(rx)}" ry="${n(ry)}" fill="${fill}" ${more}/>`;
export const circle = (cx: number, cy: number, r: number, fill: string, more = ""): string =>
  ellipse(cx, cy, r, r, fill, more);
export const path = (d: string, fill: string, more = ""): string => `<path d="${d}" fill="${fill}" ${more}/>`;
export const stroke = (d: string, colour: string, width: number, more = ""): string =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${n(width)}" stroke-linecap="round" stroke-linejoin="round" ${more}/>`;
export const polygon = (points: readonly Point[], fill: string, more = ""): string =>
  `<polygon points="${points.map(([x, y]) => `${n(x)},${n(y)}`).join(" ")}" fill="${fill}" ${more}/>`;
export const group = (transform: string, ...parts: string[]): string =>
  `<g transform="${transform}">${parts.join("")}</g>`;
export const fade = (opacity: number, ...parts: string[]): string => `<g opacity="${opacity}">${parts.join("")}</g>`;
export const clipped = (clip: string, ...parts: string[]): string => `<g clip-path="${clip}">${parts.join("")}</g>`;

/** Mixes two #rrggbb colours; `t` 0 gives the first. */
export function mix(a: string, b: string, t: number): string {
  const channel = (i: number) => {
    const from = Number.parseInt(a.slice(i, i + 2), 16);
    const to = Number.parseInt(b.slice(i, i + 2), 16);
    return Math.round(from + (to - from) * t)
      .toString(16)
      .padStart(2, "0");
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}
