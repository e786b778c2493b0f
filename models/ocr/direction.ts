import { UnderstoryError } from "#contract";
import type { OnnxSession } from "#native/onnx.ts";
import type { Quad } from "./geometry.ts";
import { cutStrip, type Pyramid } from "./warp.ts";

export interface DirectionOptions {
  readonly height: number;
  readonly width: number;
}

/** Tells whether lines stand on their heads. */
export interface DirectionClassifier {
  /** Probability that each line is upside down, in order. */
  upsideDown(pyramid: Pyramid, quads: readonly Quad[]): Promise<number[]>;
}

export function makeDirectionClassifier(
  session: OnnxSession,
  { height, width }: DirectionOptions,
): DirectionClassifier {
  const input = session.inputNames[0] ?? "";
  const output = session.outputNames[0] ?? "";
  return {
    async upsideDown(pyramid, quads) {
      if (quads.length === 0) return [];
      const image = 3 * height * width;
      const data = new Float32Array(quads.length * image);
      for (const [i, quad] of quads.entries()) {
        const [a, b, , d] = quad;
        const length = Math.hypot(b.x - a.x, b.y - a.y);
        const tall = Math.max(1e-6, Math.hypot(d.x - a.x, d.y - a.y));
        const columns = Math.max(1, Math.min(width, Math.ceil((height * length) / tall)));
        // Of a long line its beginning is enough; pressed together it could not be read.
        const share = Math.min(1, (width * tall) / (height * Math.max(length, 1e-6)));
        cutStrip(pyramid, begun(quad, share), columns, height, { data, offset: i * image, stride: width });
      }
      const found = (await session.run({ [input]: { data, dims: [quads.length, 3, height, width] } }))[output];
      if (!(found?.data instanceof Float32Array) || found.dims[0] !== quads.length || found.dims[1] !== 2) {
        throw new UnderstoryError("model_damaged", "The direction classifier does not give two numbers for a line.");
      }
      const scores = found.data;
      return quads.map((_, i) => scores[2 * i + 1] ?? 0);
    },
  };
}

/** The first `share` of a quad, along its text. */
function begun([a, b, c, d]: Quad, share: number): Quad {
  const part = (from: Quad[0], to: Quad[0]) => ({
    x: from.x + (to.x - from.x) * share,
    y: from.y + (to.y - from.y) * share,
  });
  return [a, part(a, b), part(d, c), d];
}
