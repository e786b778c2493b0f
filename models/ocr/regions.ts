import { convexHull, cornersOf, type Point, type Rectangle, smallestRectangle, widened } from "./geometry.ts";

/** Probability of text for each pixel, row by row, as the detector gives it. */
export interface ProbabilityMap {
  readonly data: Float32Array;
  readonly width: number;
  readonly height: number;
}

export interface RegionOptions {
  /** Least probability of a pixel and least mean probability of a rectangle. */
  readonly pixel: number;
  readonly box: number;
  /** Rectangles are moved outwards by area × unclip / perimeter. */
  readonly unclip: number;
}

/** Most regions of one picture; more is noise or an attack. */
export const mostRegions = 1000;
/** Shortest side before widening, pixels of the map. */
const leastSide = 3;

/**
 * Lines of text from the map of a differentiable-binarisation detector (Liao et al. 2020, "Real-time Scene Text Detection
 * with Differentiable Binarization", §3.4): connected pixels above the threshold, smallest rectangle, widened because the
 * network is trained on shrunk regions. Rectangles are in pixels of the map, `length` along the longer side.
 */
export function textRegions(map: ProbabilityMap, options: RegionOptions): Rectangle[] {
  const regions: Rectangle[] = [];
  for (const outline of components(map, options.pixel)) {
    if (regions.length >= mostRegions) break;
    const rectangle = smallestRectangle(convexHull(outline));
    const { length, height } = rectangle;
    if (height < leastSide || meanInside(map, rectangle) < options.box) continue;
    regions.push(widened(rectangle, (length * height * options.unclip) / (2 * (length + height))));
  }
  return regions;
}

/** Corners of the outermost pixels, row by row, of every 8-connected component: enough for its convex hull. */
function components({ data, width, height }: ProbabilityMap, threshold: number): Point[][] {
  const found: Point[][] = [];
  const seen = new Uint8Array(data.length);
  const stack = new Int32Array(data.length);
  const left = new Int32Array(height);
  const right = new Int32Array(height);
  for (let start = 0; start < data.length; start++) {
    if (seen[start] === 1 || !((data[start] ?? 0) > threshold)) continue;
    let depth = 0;
    const top = Math.floor(start / width);
    let bottom = top - 1;
    stack[depth++] = start;
    seen[start] = 1;
    while (depth > 0) {
      const at = stack[--depth] ?? 0;
      const y = Math.floor(at / width);
      const x = at - y * width;
      for (; bottom < y; ) {
        bottom++;
        left[bottom] = width;
        right[bottom] = -1;
      }
      if (x < (left[y] ?? 0)) left[y] = x;
      if (x > (right[y] ?? 0)) right[y] = x;
      const fromX = x > 0 ? -1 : 0;
      const toX = x < width - 1 ? 1 : 0;
      for (let dy = y > 0 ? -1 : 0; dy <= (y < height - 1 ? 1 : 0); dy++) {
        for (let dx = fromX; dx <= toX; dx++) {
          const next = at + dy * width + dx;
          if (seen[next] === 0 && (data[next] ?? 0) > threshold) {
            seen[next] = 1;
            stack[depth++] = next;
          }
        }
      }
    }
    // The first pixel met lies in the top row: nothing of the component is above it.
    const outline: Point[] = [];
    for (let y = top; y <= bottom; y++) {
      const [from, to] = [left[y] ?? 0, (right[y] ?? 0) + 1];
      outline.push({ x: from, y }, { x: to, y }, { x: from, y: y + 1 }, { x: to, y: y + 1 });
    }
    found.push(outline);
  }
  return found;
}

/** Mean of the pixels whose centres lie inside a rectangle. */
function meanInside({ data, width, height }: ProbabilityMap, rectangle: Rectangle): number {
  const corners = cornersOf(rectangle);
  const ys = corners.map(({ y }) => y);
  let sum = 0;
  let count = 0;
  const last = Math.min(height - 1, Math.ceil(Math.max(...ys)) - 1);
  for (let row = Math.max(0, Math.floor(Math.min(...ys))); row <= last; row++) {
    const y = row + 0.5;
    let from = Number.POSITIVE_INFINITY;
    let to = Number.NEGATIVE_INFINITY;
    for (const [i, a] of corners.entries()) {
      const b = corners[(i + 1) % 4] ?? a;
      if (a.y === b.y || y < Math.min(a.y, b.y) || y > Math.max(a.y, b.y)) continue;
      const x = a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x);
      from = Math.min(from, x);
      to = Math.max(to, x);
    }
    const end = Math.min(width, Math.round(to));
    for (let x = Math.max(0, Math.round(from)); x < end; x++) {
      sum += data[row * width + x] ?? 0;
      count++;
    }
  }
  return count === 0 ? 0 : sum / count;
}
