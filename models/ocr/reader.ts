import type { Raster } from "#native/raster.ts";
import { findModelFor, type ModelFor, type OcrParameters } from "../catalogue.ts";
import { checkModel } from "../opening.ts";
import type { PictureReader, PictureReading } from "../pictures/ports.ts";
import { makeDetector } from "./detect.ts";
import { type DirectionClassifier, makeDirectionClassifier } from "./direction.ts";
import { halfTurn, type Quad, sidesOf, turned, upsideDown } from "./geometry.ts";
import { onnxMetadata } from "./metadata.ts";
import { readingOrder } from "./order.ts";
import { probePicture, probeText } from "./probe.ts";
import { makeRecogniser, type Recognised, type Recogniser } from "./recognise.ts";
import { openPyramid, type Pyramid } from "./warp.ts";

/** The reader's three networks, as the pipeline below uses them. */
export interface ReaderParts {
  readonly find: (raster: Raster) => Promise<Quad[]>;
  readonly recogniser: Recogniser;
  readonly direction: DirectionClassifier | null;
  readonly parameters: Pick<OcrParameters, "recogniser" | "direction">;
}

/** Share of the probe's characters that must be read: an accurate model reads all, a wrong one next to none. */
const leastKnown = 0.7;
/** A region is read along its longer side when that is this many times the shorter; else along the page. */
const clearlyLong = 1.5;
/** Lines of one direction that are shown to the classifier, longest first. */
const votes = 3;
/** Least confidence of one or two characters, which any edge or knob may look like. */
const shortText = 0.9;
/** A line read worse than this is tried from its other end too. */
const doubtful = 0.8;

/**
 * Opens an installed OCR model: detector, recogniser and, where the model has one, direction classifier. Throws
 * `model_missing`, `model_damaged` (the model is then in quarantine) or `model_unsupported`.
 */
export async function openPictureReader(input: {
  modelId: string;
  folder: string;
  /** Another entry than the catalogue's of this id. */
  model?: ModelFor<"ocr">;
}): Promise<PictureReader> {
  const model = input.model ?? findModelFor("ocr", input.modelId);
  const checked = await checkModel(input.folder, model, "recogniser");
  const { detector, recogniser, direction, threads } = model.ocr;
  const characters = onnxMetadata(checked.bytesOf("recogniser"), "character");
  if (characters === null) throw await checked.refuse("its recogniser does not say which characters it knows");
  const sessions = [
    await checked.open("detector", threads),
    await checked.open("recogniser", threads),
    ...(direction === null ? [] : [await checked.open("direction", threads)]),
  ] as const;
  const [finds, reads, turns] = sessions;
  const close = async () => {
    await Promise.all(sessions.map((session) => session.dispose()));
  };
  const parts: ReaderParts = {
    find: makeDetector(finds, detector).find,
    recogniser: makeRecogniser(
      reads,
      characters.split("\n").filter((one) => one !== ""),
      recogniser,
    ),
    direction: turns && direction ? makeDirectionClassifier(turns, direction) : null,
    parameters: model.ocr,
  };
  const fault = await probe(parts);
  if (fault !== null) {
    await close();
    throw await checked.refuse(fault);
  }
  return { modelId: checked.modelId, read: (raster) => readPicture(parts, raster), dispose: close };
}

/** Reads a picture of which the text is known; a sentence when it is misread, else null. */
async function probe(parts: ReaderParts): Promise<string | null> {
  try {
    const { text } = await readPicture(parts, probePicture());
    const known = [...probeText].filter((letter) => text.includes(letter)).length;
    return known >= probeText.length * leastKnown ? null : `it reads "${text}" where "${probeText}" stands`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

interface Line extends Recognised {
  readonly quad: Quad;
}

/** Finds, straightens, reads and orders the lines of a picture. */
export async function readPicture(parts: ReaderParts, raster: Raster): Promise<PictureReading> {
  const regions = await parts.find(raster);
  if (regions.length === 0) return { text: "", lines: [] };
  const pyramid = openPyramid(raster);
  const quads = await facing(parts, pyramid, regions);
  const read = await readBothWays(parts, pyramid, quads);
  const least = parts.parameters.recogniser.confidence;
  return laidOut(
    read.filter(({ text, confidence }) => confidence >= (text.length <= 2 ? Math.max(least, shortText) : least)),
    raster,
  );
}

/** The same quads, turned so that they begin where their text begins. */
async function facing(parts: ReaderParts, pyramid: Pyramid, regions: readonly Quad[]): Promise<Quad[]> {
  const page = pageAngle(regions);
  const quads = regions.map((region) => {
    const { length, height, angle } = sidesOf(region);
    const along = length >= clearlyLong * height || Math.abs(halfTurn(angle - page)) <= Math.PI / 4;
    return rightwards(along ? region : turned(region));
  });
  const { direction, parameters } = parts;
  if (!direction || !parameters.direction) return quads;
  const { threshold } = parameters.direction;
  const sides = quads.map((quad, at) => ({ at, quad, ...sidesOf(quad) }));
  // Lines across and lines down the picture are each one direction: a page is not half upside down.
  for (const across of [true, false]) {
    const members = sides.filter(({ angle }) => angle <= Math.PI / 4 === across).sort((a, b) => b.length - a.length);
    const chances = await direction.upsideDown(
      pyramid,
      members.slice(0, votes).map(({ quad }) => quad),
    );
    if (2 * chances.filter((chance) => chance >= threshold).length <= chances.length) continue;
    for (const { at, quad } of members) quads[at] = upsideDown(quad);
  }
  return quads;
}

/** The same corners with the text running to the right or, when it stands, downwards: angle in (−π/4, 3π/4]. */
function rightwards(quad: Quad): Quad {
  const { angle } = sidesOf(quad);
  return angle > -Math.PI / 4 && angle <= (3 * Math.PI) / 4 ? quad : upsideDown(quad);
}

/** Angle, without direction, along which most of the text runs: long regions, weighted by their length. */
function pageAngle(regions: readonly Quad[]): number {
  const long = regions.map(sidesOf).filter(({ length, height }) => length >= 2 * clearlyLong * height);
  return (
    commonAngle(
      long.map(({ angle, length }) => ({ angle, weight: length })),
      halfTurn,
    ) ?? 0
  );
}

/** Neighbours within this of an angle count for it. */
const sameAngle = Math.PI / 18;

/** The angle with most weight near it, then the weighted mean of what is near; null for none. */
function commonAngle(
  angles: readonly { angle: number; weight: number }[],
  wrap: (difference: number) => number,
): number | null {
  let best: number | null = null;
  let most = 0;
  for (const { angle: around } of angles) {
    let weight = 0;
    let turn = 0;
    for (const one of angles) {
      const difference = wrap(one.angle - around);
      if (Math.abs(difference) > sameAngle) continue;
      weight += one.weight;
      turn += one.weight * difference;
    }
    if (weight > most) {
      most = weight;
      best = around + turn / weight;
    }
  }
  return best;
}

/** Reads every line; doubtful ones that the classifier takes for upside down are read from their other end too. */
async function readBothWays(parts: ReaderParts, pyramid: Pyramid, quads: readonly Quad[]): Promise<Line[]> {
  const read = await parts.recogniser.read(pyramid, quads);
  const lines = quads.map((quad, i): Line => ({ quad, ...(read[i] ?? { text: "", confidence: 0 }) }));
  const { direction, parameters } = parts;
  if (!direction || !parameters.direction) return lines;
  const { threshold } = parameters.direction;
  const doubted = lines.map((line, at) => ({ ...line, at })).filter(({ confidence }) => confidence < doubtful);
  const chances = await direction.upsideDown(
    pyramid,
    doubted.map(({ quad }) => quad),
  );
  const turnedOver = doubted.filter((_, i) => (chances[i] ?? 0) >= threshold);
  const again = await parts.recogniser.read(
    pyramid,
    turnedOver.map(({ quad }) => upsideDown(quad)),
  );
  for (const [i, { at, quad, confidence }] of turnedOver.entries()) {
    const other = again[i];
    if (other && other.confidence > confidence) lines[at] = { quad: upsideDown(quad), ...other };
  }
  return lines;
}

/** Text in reading order with the place of every line in it. */
function laidOut(lines: readonly Line[], { width, height }: Raster): PictureReading {
  const page = commonAngle(
    lines.map(({ quad }) => sidesOf(quad)).map(({ angle, length }) => ({ angle, weight: length })),
    (difference) => Math.atan2(Math.sin(difference), Math.cos(difference)),
  );
  const boxes = lines.map((line) => ({ line, ...boxIn(line.quad, page ?? 0) }));
  const part = (value: number, whole: number) => Math.min(1, Math.max(0, value / whole));
  const placed: PictureReading["lines"] = [];
  let text = "";
  for (const row of readingOrder(boxes)) {
    for (const [i, { line }] of row.entries()) {
      if (text !== "") text += i === 0 ? "\n" : " ";
      const [a, b, c, d] = line.quad;
      placed.push({
        start: text.length,
        end: text.length + line.text.length,
        quad: [
          part(a.x, width),
          part(a.y, height),
          part(b.x, width),
          part(b.y, height),
          part(c.x, width),
          part(c.y, height),
          part(d.x, width),
          part(d.y, height),
        ],
        confidence: line.confidence,
        at: null,
      });
      text += line.text;
    }
  }
  return { text, lines: placed };
}

/** Upright box of a quad in a frame turned by `angle`; a line that is tilted against the frame keeps its own height. */
function boxIn(quad: Quad, angle: number): { left: number; right: number; top: number; bottom: number } {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const us = quad.map(({ x, y }) => x * cos + y * sin);
  const vs = quad.map(({ x, y }) => y * cos - x * sin);
  const [v0, v1, v2, v3] = [vs[0] ?? 0, vs[1] ?? 0, vs[2] ?? 0, vs[3] ?? 0];
  const middle = (v0 + v1 + v2 + v3) / 4;
  const along = Math.abs((us[1] ?? 0) - (us[0] ?? 0)) > Math.abs(v1 - v0);
  const half = along ? Math.abs(v3 - v0 + v2 - v1) / 4 : (Math.max(...vs) - Math.min(...vs)) / 2;
  return { left: Math.min(...us), right: Math.max(...us), top: middle - half, bottom: middle + half };
}
