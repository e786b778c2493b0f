/**
 * Reading order of lines. Boxes are upright rectangles in a frame that is turned so that most text runs to the right;
 * units do not matter.
 */
export interface LineBox {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Pieces that stand in one row, from left to right. */
export type Row<T> = readonly T[];

/** Share of a line's height by which neighbouring rows may reach into each other: tilt, descenders, widened boxes. */
const overlap = 0.25;
/** A column of running text has at least this many lines … */
const columnLines = 3;
/** … of which the middle one is this many times wider than high; prices and numbers are shorter. */
const columnAspect = 6;
/** Least gap between columns in heights of a line. */
const gutterHeights = 0.6;

const heightOf = (box: LineBox) => box.bottom - box.top;
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/**
 * Rows in reading order: what stands above comes first, except that columns of running text are read one after the other
 * (recursive cuts along white space, after Nagy and Seth 1984). Pieces beside each other that are no columns, as on a
 * receipt, make one row.
 */
export function readingOrder<T extends LineBox>(boxes: readonly T[]): Row<T>[] {
  const strips = horizontalStrips(boxes);
  const rows: Row<T>[] = [];
  for (let from = 0; from < strips.length; ) {
    // The longest run of strips with a common gutter; a heading across the page ends it.
    let to = from + 1;
    let block = strips[from] ?? [];
    let split: [T[], T[]] | null = columns(block);
    for (let end = to; end < strips.length; end++) {
      const wider = [...block, ...(strips[end] ?? [])];
      if (gutters(wider).length === 0) break;
      block = wider;
      const found = columns(block);
      if (found) {
        split = found;
        to = end + 1;
      }
    }
    if (split) rows.push(...readingOrder(split[0]), ...readingOrder(split[1]));
    else rows.push(...rowsOf(strips[from] ?? []));
    from = to;
  }
  return rows;
}

/** Boxes in strips from the top, with white space between that goes all the way across. */
function horizontalStrips<T extends LineBox>(boxes: readonly T[]): T[][] {
  const strips: T[][] = [];
  let bottom = Number.NEGATIVE_INFINITY;
  for (const box of [...boxes].sort((a, b) => a.top + heightOf(a) * overlap - (b.top + heightOf(b) * overlap))) {
    const margin = heightOf(box) * overlap;
    const strip = strips.at(-1);
    if (!strip || box.top + margin >= bottom) strips.push([box]);
    else strip.push(box);
    bottom = Math.max(bottom, box.bottom - margin);
  }
  return strips;
}

/** Positions that no box covers, with boxes on both sides: middles of the gaps. */
function gutters(boxes: readonly LineBox[]): number[] {
  const least = median(boxes.map(heightOf)) * gutterHeights;
  const found: number[] = [];
  let right = Number.POSITIVE_INFINITY;
  for (const box of [...boxes].sort((a, b) => a.left - b.left)) {
    if (box.left - right >= least) found.push((box.left + right) / 2);
    right = right === Number.POSITIVE_INFINITY ? box.right : Math.max(right, box.right);
  }
  return found;
}

/** Both sides of the first gutter that parts columns of running text; null: there is none. */
function columns<T extends LineBox>(boxes: readonly T[]): [T[], T[]] | null {
  const isColumn = (side: readonly LineBox[]) =>
    side.length >= columnLines &&
    median(side.map((box) => (box.right - box.left) / Math.max(heightOf(box), 1e-9))) >= columnAspect;
  for (const at of gutters(boxes)) {
    const left = boxes.filter((box) => box.right <= at);
    const right = boxes.filter((box) => box.right > at);
    if (isColumn(left) && isColumn(right)) return [left, right];
  }
  return null;
}

/** Boxes whose middles are within half a height of each other make a row. */
function rowsOf<T extends LineBox>(boxes: readonly T[]): Row<T>[] {
  const middle = (box: LineBox) => (box.top + box.bottom) / 2;
  const rows: T[][] = [];
  for (const box of [...boxes].sort((a, b) => middle(a) - middle(b))) {
    const row = rows.at(-1);
    const last = row?.at(-1);
    const fits =
      last !== undefined && Math.abs(middle(box) - middle(last)) < Math.min(heightOf(box), heightOf(last)) / 2;
    const free = row?.every(
      (other) => other.right <= box.left + heightOf(box) / 2 || box.right <= other.left + heightOf(box) / 2,
    );
    if (row && fits && free) row.push(box);
    else rows.push([box]);
  }
  return rows.map((row) => row.sort((a, b) => a.left - b.left));
}
