/** Plane geometry for text regions. Coordinates are pixels, y downwards; the centre of the first pixel is (0.5, 0.5). */

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A rotated rectangle. `angle` (radians, clockwise on the screen) is the direction of the side of length `length`. */
export interface Rectangle {
  readonly centre: Point;
  readonly length: number;
  readonly height: number;
  readonly angle: number;
}

/** Corners clockwise on the screen, beginning where the text begins: top left, top right, bottom right, bottom left. */
export type Quad = readonly [Point, Point, Point, Point];

/** Convex hull of points (Andrew 1979, monotone chain). */
export function convexHull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const half = (list: readonly Point[]): Point[] => {
    const chain: Point[] = [];
    for (const point of list) {
      for (;;) {
        const a = chain.at(-2);
        const b = chain.at(-1);
        if (!a || !b || (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) > 0) break;
        chain.pop();
      }
      chain.push(point);
    }
    chain.pop();
    return chain;
  };
  const hull = [...half(sorted), ...half(sorted.reverse())];
  return hull.length > 0 ? hull : sorted.slice(0, 1);
}

/**
 * Rectangle of least area around a convex hull: one of its sides lies on a side of the hull (Freeman and Shapira 1975).
 * `length` is the longer side and `angle` in (−π/2, π/2].
 */
export function smallestRectangle(hull: readonly Point[]): Rectangle {
  let best: Rectangle | null = null;
  let bestArea = Number.POSITIVE_INFINITY;
  for (const [i, a] of hull.entries()) {
    const b = hull[(i + 1) % hull.length] ?? a;
    const angle = Math.atan2(b.y - a.y, b.x - a.x);
    const rectangle = rectangleAt(hull, angle);
    const area = rectangle.length * rectangle.height;
    if (area < bestArea) {
      best = rectangle;
      bestArea = area;
    }
  }
  const { centre, length, height, angle } = best ?? rectangleAt(hull, 0);
  return length >= height
    ? { centre, length, height, angle: halfTurn(angle) }
    : { centre, length: height, height: length, angle: halfTurn(angle + Math.PI / 2) };
}

/** Rectangle around points whose `length` runs at `angle`. */
function rectangleAt(points: readonly Point[], angle: number): Rectangle {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  let [lowU, highU, lowV, highV] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y } of points) {
    const u = x * cos + y * sin;
    const v = y * cos - x * sin;
    lowU = Math.min(lowU, u);
    highU = Math.max(highU, u);
    lowV = Math.min(lowV, v);
    highV = Math.max(highV, v);
  }
  const u = (lowU + highU) / 2;
  const v = (lowV + highV) / 2;
  return {
    centre: { x: u * cos - v * sin, y: u * sin + v * cos },
    length: highU - lowU,
    height: highV - lowV,
    angle,
  };
}

/** An angle without its direction, in (−π/2, π/2]. */
export function halfTurn(angle: number): number {
  const rest = angle - Math.PI * Math.floor(angle / Math.PI);
  return rest > Math.PI / 2 ? rest - Math.PI : rest;
}

export function cornersOf({ centre, length, height, angle }: Rectangle): Quad {
  const ux = (Math.cos(angle) * length) / 2;
  const uy = (Math.sin(angle) * length) / 2;
  const vx = (-Math.sin(angle) * height) / 2;
  const vy = (Math.cos(angle) * height) / 2;
  const corner = (u: number, v: number): Point => ({ x: centre.x + u * ux + v * vx, y: centre.y + u * uy + v * vy });
  return [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
}

/** The same corners with the text running a quarter turn further clockwise. */
export function turned([a, b, c, d]: Quad): Quad {
  return [b, c, d, a];
}

/** The same corners read from the other end. */
export function upsideDown([a, b, c, d]: Quad): Quad {
  return [c, d, a, b];
}

/** Mean length along the text and across it, and the direction of the text in (−π, π], clockwise on the screen. */
export function sidesOf([a, b, c, d]: Quad): { length: number; height: number; angle: number } {
  const along = { x: b.x - a.x + c.x - d.x, y: b.y - a.y + c.y - d.y };
  const across = { x: d.x - a.x + c.x - b.x, y: d.y - a.y + c.y - b.y };
  return {
    length: Math.hypot(along.x, along.y) / 2,
    height: Math.hypot(across.x, across.y) / 2,
    angle: Math.atan2(along.y, along.x),
  };
}
