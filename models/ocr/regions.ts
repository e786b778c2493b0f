import { convexHull, cornersOf, type Point, type Quad, type Rectangle, smallestRectangle } from "./geometry.ts";

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
  /** Regions are widened on every side by area × unclip / perimeter. */
  readonly unclip: number;
}

/** Most regions of one picture; more is noise or an attack. */
export const mostRegions = 1000;
/** Shortest side before widening, pixels of the map. */
const leastSide = 3;
/** Edges are fitted for regions this many times longer than high … */
const fittedAspect = 4;
/** … and kept when they bring the ends this share of the height together; less is the raggedness of letters. */
const leastTaper = 0.15;
/** Share of the length left out of the fit at each end, where regions are round. */
const roundEnds = 0.1;

/**
 * Lines of text from the map of a differentiable-binarisation detector (Liao et al. 2020, "Real-time Scene Text Detection
 * with Differentiable Binarization", §3.4): connected pixels above the threshold, smallest rectangle, widened because the
 * network is trained on shrunk regions. A line seen from the side, higher at one end, keeps its own upper and lower edge.
 * Quads are in pixels of the map and run along their longer side.
 */
export function textRegions(map: ProbabilityMap, options: RegionOptions): Quad[] {
  const regions: Quad[] = [];
  for (const { outline, pixels } of components(map, options.pixel)) {
    if (regions.length >= mostRegions) break;
    const rectangle = smallestRectangle(convexHull(outline));
    const { length, height } = rectangle;
    if (height < leastSide || meanInside(map, rectangle) < options.box) continue;
    const margin = (length * height * options.unclip) / (2 * (length + height));
    const edges = length >= fittedAspect * height ? fittedEdges(pixels, map.width, rectangle) : null;
    regions.push(widened(rectangle, edges, margin));
  }
  return regions;
}

/** Where an edge crosses the ends of a rectangle, measured from its middle line. */
interface Edge {
  readonly start: number;
  readonly end: number;
}

/** Corners of the rectangle, or of the trapezium between fitted edges, with every side moved outwards. */
function widened(rectangle: Rectangle, edges: { upper: Edge; lower: Edge } | null, margin: number): Quad {
  const { centre, length, height, angle } = rectangle;
  const grown = { ...rectangle, length: length + 2 * margin, height: height + 2 * margin };
  if (!edges) return cornersOf(grown);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const corner = (end: -1 | 1, { start, end: last }: Edge, outwards: number): Point => {
    const u = (end * grown.length) / 2;
    const v = (start + last) / 2 + ((last - start) / length) * u + outwards;
    return { x: centre.x + u * cos - v * sin, y: centre.y + u * sin + v * cos };
  };
  const { upper, lower } = edges;
  return [corner(-1, upper, -margin), corner(1, upper, -margin), corner(1, lower, margin), corner(-1, lower, margin)];
}

/** Upper and lower edge of a region by least squares over its columns; null when they are as good as parallel. */
function fittedEdges(
  pixels: Int32Array,
  width: number,
  { centre, length, height, angle }: Rectangle,
): { upper: Edge; lower: Edge } | null {
  const columns = Math.floor(length);
  const upper = new Float64Array(columns).fill(Number.POSITIVE_INFINITY);
  const lower = new Float64Array(columns).fill(Number.NEGATIVE_INFINITY);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  for (const at of pixels) {
    const row = Math.floor(at / width);
    const x = at - row * width + 0.5 - centre.x;
    const y = row + 0.5 - centre.y;
    const column = Math.floor(x * cos + y * sin + length / 2);
    const v = y * cos - x * sin;
    if (v - 0.5 < (upper[column] ?? 0)) upper[column] = v - 0.5;
    if (v + 0.5 > (lower[column] ?? 0)) lower[column] = v + 0.5;
  }
  const above = fittedLine(upper);
  const below = fittedLine(lower);
  const taper = Math.abs(below.end - above.end - (below.start - above.start));
  const open = Math.min(below.start - above.start, below.end - above.end) > 0;
  return open && taper >= leastTaper * height ? { upper: above, lower: below } : null;
}

/** Values of the least-squares line at both ends; columns without a pixel are left out. */
function fittedLine(values: Float64Array): Edge {
  const skip = Math.floor(values.length * roundEnds);
  let [n, sx, sy, sxx, sxy] = [0, 0, 0, 0, 0];
  for (let x = skip; x < values.length - skip; x++) {
    const y = values[x] ?? 0;
    if (!Number.isFinite(y)) continue;
    n++;
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  const spread = n * sxx - sx * sx;
  const slope = spread > 0 ? (n * sxy - sx * sy) / spread : 0;
  const start = n > 0 ? (sy - slope * sx) / n : 0;
  return { start, end: start + slope * values.length };
}

/**
 * 8-connected components above a threshold: the corners of the outermost pixels of each row, which are enough for the
 * convex hull, and all pixels by index. `pixels` is only good until the next one is asked for.
 */
function* components(
  { data, width, height }: ProbabilityMap,
  threshold: number,
): Generator<{ outline: Point[]; pixels: Int32Array }> {
  const seen = new Uint8Array(data.length);
  const queue = new Int32Array(data.length);
  const left = new Int32Array(height);
  const right = new Int32Array(height);
  for (let start = 0; start < data.length; start++) {
    if (seen[start] === 1 || !((data[start] ?? 0) > threshold)) continue;
    // The first pixel met lies in the top row, and the queue goes down by one row at most at a time.
    const top = Math.floor(start / width);
    let bottom = top - 1;
    let length = 1;
    queue[0] = start;
    seen[start] = 1;
    for (let next = 0; next < length; next++) {
      const at = queue[next] ?? 0;
      const y = Math.floor(at / width);
      const x = at - y * width;
      while (bottom < y) {
        bottom++;
        left[bottom] = x;
        right[bottom] = x;
      }
      if (x < (left[y] ?? 0)) left[y] = x;
      if (x > (right[y] ?? 0)) right[y] = x;
      const lastX = x < width - 1 ? 1 : 0;
      const lastY = y < height - 1 ? 1 : 0;
      for (let dy = y > 0 ? -1 : 0; dy <= lastY; dy++) {
        for (let dx = x > 0 ? -1 : 0; dx <= lastX; dx++) {
          const beside = at + dy * width + dx;
          if (seen[beside] === 0 && (data[beside] ?? 0) > threshold) {
            seen[beside] = 1;
            queue[length++] = beside;
          }
        }
      }
    }
    const outline: Point[] = [];
    for (let y = top; y <= bottom; y++) {
      const [from, to] = [left[y] ?? 0, (right[y] ?? 0) + 1];
      outline.push({ x: from, y }, { x: to, y }, { x: from, y: y + 1 }, { x: to, y: y + 1 });
    }
    yield { outline, pixels: queue.subarray(0, length) };
  }
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
