import type { RecordSummary } from "#contract";

export interface PlacedPhoto {
  record: RecordSummary;
  index: number;
  width: number;
}

export interface PhotoRow {
  height: number;
  photos: PlacedPhoto[];
}

/** Widest and tallest shape that a photo is shown in; more extreme ones are cut. */
const shape = { min: 0.6, max: 2.4 };
/** A last row may grow to this share of the target height; one or two photos alone are shown that large. */
const largest = 1.4;
/** What the empty part of a ragged last row costs, beside a row whose height is off. */
const emptiness = 0.3;

function ratioOf(record: RecordSummary): number {
  const ratio = record.size && record.size.height > 0 ? record.size.width / record.size.height : 4 / 3;
  return Math.min(shape.max, Math.max(shape.min, ratio));
}

/**
 * Sets photos in rows, edge to edge. Every row but the last is exactly `width` wide; rows are broken where their heights
 * stay nearest to `target` over the whole grid (shortest path over the breaks, as paragraphs are set), so that no photo
 * is left behind alone. A last row that cannot fill the width stays ragged.
 */
export function justify(
  photos: readonly { record: RecordSummary; index: number }[],
  width: number,
  target: number,
  gap: number,
): PhotoRow[] {
  const ratios = photos.map(({ record }) => ratioOf(record));
  const before = [0];
  for (const ratio of ratios) before.push((before.at(-1) ?? 0) + ratio);
  const count = photos.length;

  /** Height and cost of the row of photos [from, to). */
  function row(from: number, to: number): { height: number; cost: number } {
    const sum = (before[to] ?? 0) - (before[from] ?? 0);
    const free = width - gap * (to - from - 1);
    const full = free / sum;
    if (to < count || full <= target * largest) return { height: full, cost: Math.log(full / target) ** 2 };
    const height = target * (count <= 2 ? largest : 1);
    return { height, cost: emptiness * (1 - (sum * height) / free) };
  }

  const best: { cost: number; from: number }[] = [{ cost: 0, from: 0 }];
  for (let to = 1; to <= count; to++) {
    let least = { cost: Number.POSITIVE_INFINITY, from: to - 1 };
    for (let from = to - 1; from >= 0; from--) {
      // A row of so many is far too low, and longer ones are lower still.
      const sum = (before[to] ?? 0) - (before[from] ?? 0);
      if (from < to - 1 && (width - gap * (to - from - 1)) / sum < target / 3) break;
      const cost = (best[from]?.cost ?? 0) + row(from, to).cost;
      if (cost < least.cost) least = { cost, from };
    }
    best.push(least);
  }

  const rows: PhotoRow[] = [];
  for (let to = count; to > 0; to = best[to]?.from ?? 0) {
    const from = best[to]?.from ?? 0;
    const { height } = row(from, to);
    rows.unshift({
      height,
      photos: photos.slice(from, to).map((photo) => ({ ...photo, width: ratioOf(photo.record) * height })),
    });
  }
  return rows;
}
