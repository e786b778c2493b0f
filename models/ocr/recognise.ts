import { UnderstoryError } from "#contract";
import type { OnnxSession } from "#native/onnx.ts";
import type { Quad } from "./geometry.ts";
import { cutStrip, type Pyramid } from "./warp.ts";

/** Text of one cut-out line; `confidence` is the mean probability of its characters, 0 when there are none. */
export interface Recognised {
  readonly text: string;
  readonly confidence: number;
}

export interface RecogniserOptions {
  /** Height of a line, pixels. */
  readonly height: number;
  /** Longest line in multiples of the height; longer ones are pressed together. */
  readonly longest: number;
}

export interface Recogniser {
  /** Lines in the order of the quads. */
  read(pyramid: Pyramid, quads: readonly Quad[]): Promise<Recognised[]>;
}

/**
 * Columns of pixels that go through the network together. Short words share a run; longer lines go alone, which costs the
 * processor no more than together (45 ms a line of 320 columns, 52 ms in a batch of six) and bounds the wide output.
 */
const batchColumns = 480;
/** Share of padding in a batch beyond which the next line begins another. */
const mostPadding = 0.1;
/** Narrowest input that the network takes. */
const leastWidth = 48;
/** Widths are multiples of this, which is what a step of the network's output stands for. */
const step = 8;

/** `characters` as the model's metadata lists them; index 0 of the output is the blank, the last one the space. */
export function makeRecogniser(
  session: OnnxSession,
  characters: readonly string[],
  { height, longest }: RecogniserOptions,
): Recogniser {
  const alphabet = ["", ...characters, " "];
  const input = session.inputNames[0] ?? "";
  const output = session.outputNames[0] ?? "";

  async function readBatch(pyramid: Pyramid, batch: readonly { quad: Quad; width: number }[]): Promise<Recognised[]> {
    const stride = Math.max(...batch.map(({ width }) => width));
    const image = 3 * height * stride;
    // Padding is 0, the middle grey, as in training.
    const data = new Float32Array(batch.length * image);
    for (const [i, { quad, width }] of batch.entries()) {
      cutStrip(pyramid, quad, width, height, { data, offset: i * image, stride });
    }
    const found = (await session.run({ [input]: { data, dims: [batch.length, 3, height, stride] } }))[output];
    const [lines, steps, classes] = found?.dims ?? [];
    if (!(found?.data instanceof Float32Array) || lines !== batch.length || classes !== alphabet.length || !steps) {
      throw new UnderstoryError(
        "model_damaged",
        `The recogniser gives ${found?.dims.join(" × ") ?? "nothing"} instead of ${batch.length} × steps × ${alphabet.length}.`,
      );
    }
    const scores = found.data;
    return batch.map((_, i) =>
      decodeCtc(scores.subarray(i * steps * classes, (i + 1) * steps * classes), classes, alphabet),
    );
  }

  return {
    async read(pyramid, quads) {
      const lines = quads
        .map((quad, at) => ({ quad, at, width: stripWidth(quad, height, longest) }))
        .sort((a, b) => a.width - b.width);
      const read = new Array<Recognised>(quads.length);
      for (let from = 0; from < lines.length; ) {
        let to = from + 1;
        const narrowest = lines[from]?.width ?? 0;
        for (; to < lines.length; to++) {
          const widest = lines[to]?.width ?? 0;
          if ((to - from + 1) * widest > batchColumns || narrowest < widest * (1 - mostPadding)) break;
        }
        const batch = lines.slice(from, to);
        const texts = await readBatch(pyramid, batch);
        for (const [i, { at }] of batch.entries()) read[at] = texts[i] ?? { text: "", confidence: 0 };
        from = to;
      }
      return read;
    },
  };
}

/** Width of the straightened line at the network's height. */
function stripWidth([a, b, c, d]: Quad, height: number, longest: number): number {
  const length = Math.max(Math.hypot(b.x - a.x, b.y - a.y), Math.hypot(c.x - d.x, c.y - d.y));
  const tall = Math.max(Math.hypot(d.x - a.x, d.y - a.y), Math.hypot(c.x - b.x, c.y - b.y), 1e-6);
  const width = Math.min(height * longest, Math.max(leastWidth, (height * length) / tall));
  return Math.ceil(width / step) * step;
}

/**
 * Best path of a CTC output (Graves et al. 2006, §3.2): the likeliest class of each step, repetitions joined, blanks left
 * out. `scores` are probabilities, so that a class above one half is the likeliest and the rest needs no look.
 */
export function decodeCtc(scores: Float32Array, classes: number, alphabet: readonly string[]): Recognised {
  let text = "";
  let sum = 0;
  let count = 0;
  let previous = 0;
  for (let start = 0; start < scores.length; start += classes) {
    let best = 0;
    let probability = scores[start] ?? 0;
    for (let c = 1; probability <= 0.5 && c < classes; c++) {
      const value = scores[start + c] ?? 0;
      if (value > probability) {
        best = c;
        probability = value;
      }
    }
    if (best !== 0 && best !== previous) {
      text += alphabet[best] ?? "";
      sum += probability;
      count++;
    }
    previous = best;
  }
  return { text: text.trim(), confidence: count === 0 ? 0 : Math.min(1, sum / count) };
}
