import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Font, parse } from "opentype.js/dist/opentype.mjs";
import { rasterPicture } from "#native/images.ts";
import type { Raster } from "#native/raster.ts";
import { rasteriseSvg } from "#native/rasterise.ts";

/** Pages with known text, drawn from packaged fonts: turned, tilted and seen from the side by moving their points. */

const require = createRequire(import.meta.url);
/** A letter is taken from the first file that has it. */
const files = {
  sans: ["barlow/files/barlow-latin-400-normal.woff", "barlow/files/barlow-latin-ext-400-normal.woff"],
  serif: [
    "playfair-display/files/playfair-display-latin-400-normal.woff",
    "playfair-display/files/playfair-display-latin-ext-400-normal.woff",
  ],
  mono: ["ibm-plex-mono/files/ibm-plex-mono-latin-500-normal.woff"],
} as const;
export type Face = keyof typeof files;

const loaded = new Map<string, Font>();
function fontAt(path: string): Font {
  const found = loaded.get(path);
  if (found) return found;
  const bytes = readFileSync(require.resolve(`@fontsource/${path}`));
  const font = parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  loaded.set(path, font);
  return font;
}

export interface Piece {
  readonly text: string;
  /** Baseline begins here, pixels of the untouched page. */
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly face?: Face;
}

export interface Page {
  readonly width: number;
  readonly height: number;
  readonly pieces: readonly Piece[];
  /** Expected text: rows by \n, pieces of a row by a space. */
  readonly text: string;
  readonly paper?: string;
  readonly ink?: string;
}

export type Move = (x: number, y: number) => readonly [number, number];

/** SVG of a page whose points are moved; `size` is the picture's, when the move changes it. */
function drawing(page: Page, move: Move, size: { width: number; height: number }): string {
  const at = (x: number, y: number) =>
    move(x, y)
      .map((value) => value.toFixed(2))
      .join(" ");
  let paths = "";
  for (const { text, x, y, size: height, face = "sans" } of page.pieces) {
    let left = x;
    for (const letter of text) {
      const font = files[face].map(fontAt).find((one) => one.hasChar(letter));
      if (!font) throw new Error(`No packaged ${face} font has ${letter}.`);
      let data = "";
      for (const c of font.getPath(letter, left, y, height).commands) {
        if (c.type === "Z") data += "Z";
        else if (c.type === "Q") data += `Q${at(c.x1, c.y1)} ${at(c.x, c.y)}`;
        else if (c.type === "C") data += `C${at(c.x1, c.y1)} ${at(c.x2, c.y2)} ${at(c.x, c.y)}`;
        else data += `${c.type}${at(c.x, c.y)}`;
      }
      if (data) paths += `<path d="${data}"/>`;
      left += font.getAdvanceWidth(letter, height);
    }
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}"><rect width="100%" height="100%" fill="${page.paper ?? "#fbfaf6"}"/><g fill="${page.ink ?? "#222"}">${paths}</g></svg>`;
}

/** A page as the bytes of a JPEG. */
export function jpegOf(
  page: Page,
  move: Move = (x, y) => [x, y],
  size: { width: number; height: number } = page,
): Promise<Uint8Array> {
  const { width, height } = size;
  return rasteriseSvg(drawing(page, move, size), { width, height, format: "jpeg", quality: 85 });
}

export async function rasterOf(...drawn: Parameters<typeof jpegOf>): Promise<Raster> {
  return rasterPicture(await jpegOf(...drawn), { maxSide: 4000 });
}

/** Around the page's middle, degrees clockwise. */
export function tilted(page: Page, degrees: number): Move {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const [mx, my] = [page.width / 2, page.height / 2];
  return (x, y) => [mx + (x - mx) * cos - (y - my) * sin, my + (x - mx) * sin + (y - my) * cos];
}

/** A quarter turn clockwise; the picture is as wide as the page was high. */
export function quarterTurned(page: Page): { move: Move; size: { width: number; height: number } } {
  return { move: (x, y) => [page.height - y, x], size: { width: page.height, height: page.width } };
}

/** Seen from the side: the right edge is further away by `depth` (0.3: a third smaller there). */
export function fromTheSide(page: Page, depth: number): Move {
  const my = page.height / 2;
  return (x, y) => {
    const z = 1 + (depth * x) / page.width;
    return [x / z, my + (y - my) / z];
  };
}

function rows(
  list: readonly string[],
  x: number,
  y: number,
  leading: number,
  size: number,
  face: Face = "sans",
): Piece[] {
  return list.map((text, i) => ({ text, x, y: y + i * leading, size, face }));
}

const languageRows = [
  "Meeting on Friday at 3 pm, room B12, call +1 415 555 0100",
  "Rechnung Nr. 2024-118: 1.234,50 € für Müller & Söhne",
  "Déjeuner à l'hôtel, reçu n° 42, très à côté, ça va",
  "Zażółć gęślą jaźń, łódź płynie do Gdańska o świcie",
  "Güneş İstanbul'da doğuyor, çay ve ekmek üç lira",
  "Příliš žluťoučký kůň úpěl ďábelské ódy v září",
];
const languages: Page = {
  width: 1280,
  height: 720,
  pieces: rows(languageRows, 60, 110, 100, 40),
  text: languageRows.join("\n"),
};

const smallRows = [
  "Boarding begins forty minutes before departure at gate A13",
  "Please keep your passport and this card ready for the crew",
  "Hand luggage up to eight kilograms, one small bag beside it",
  "Seats may change until the doors are closed, thank you",
  "Flight LH 454 from Frankfurt to San Francisco, seat 31K",
];
const small: Page = {
  width: 1280,
  height: 720,
  pieces: rows(smallRows, 300, 200, 40, 14),
  text: smallRows.join("\n"),
};

const items: readonly (readonly [string, string])[] = [
  ["Vollmilch 1 L", "1,29"],
  ["Roggenbrot geschnitten", "2,49"],
  ["Bio Äpfel 1,2 kg", "3,58"],
  ["Espresso Bohnen", "8,99"],
  ["Pfand", "0,25"],
  ["SUMME EUR", "16,60"],
];
const receipt: Page = {
  width: 700,
  height: 1000,
  pieces: [
    { text: "MARKT AM HAFEN", x: 180, y: 110, size: 40, face: "mono" },
    { text: "12.03.2024 17:42", x: 190, y: 180, size: 30, face: "mono" },
    ...items.flatMap(([name, price], i): Piece[] => [
      { text: name, x: 60, y: 280 + i * 70, size: 30, face: "mono" },
      { text: price, x: 550, y: 280 + i * 70, size: 30, face: "mono" },
    ]),
    { text: "Vielen Dank!", x: 230, y: 800, size: 30, face: "mono" },
  ],
  text: ["MARKT AM HAFEN", "12.03.2024 17:42", ...items.map((pair) => pair.join(" ")), "Vielen Dank!"].join("\n"),
};

const leftColumn = [
  "The harbour was quiet when",
  "the first boats came back.",
  "Nets lay folded on the pier",
  "and gulls waited on posts.",
  "A man counted the crates",
  "twice and wrote it down.",
];
const rightColumn = [
  "In the afternoon the wind",
  "turned and brought the rain.",
  "Children ran from the beach",
  "with towels on their heads.",
  "By evening all was dry again",
  "and the lamps were lit.",
];
const columns: Page = {
  width: 1200,
  height: 800,
  pieces: [
    { text: "Notes from the harbour, a day in late summer by the sea", x: 120, y: 100, size: 38, face: "serif" },
    ...rows(leftColumn, 80, 230, 72, 34, "serif"),
    ...rows(rightColumn, 660, 250, 72, 34, "serif"),
  ],
  text: ["Notes from the harbour, a day in late summer by the sea", ...leftColumn, ...rightColumn].join("\n"),
};

export const pages = { languages, small, receipt, columns } as const;

/** Levenshtein distance over the length of what was expected; white space counts as one space. */
export function characterErrorRate(expected: string, found: string): number {
  const a = [...expected.replace(/\s+/g, " ")];
  const b = [...found.replace(/\s+/g, " ")];
  let previous = b.map((_, j) => j).concat(b.length);
  for (const [i, letter] of a.entries()) {
    const row = [i + 1];
    for (const [j, other] of b.entries()) {
      const replaced = (previous[j] ?? 0) + (letter === other ? 0 : 1);
      row.push(Math.min(replaced, (previous[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1));
    }
    previous = row;
  }
  return (previous.at(-1) ?? 0) / Math.max(1, a.length);
}
