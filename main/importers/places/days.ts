import type { ImportedRecord, SourceLocation } from "#contract";
import { maxTrack, type Point, pathRecord } from "./record.ts";

const dayMs = 86_400_000;
/** Days that are held open at once, and points of all of them: files are mostly in order, some are grouped by device. */
const maxPoints = 2_000_000;

/**
 * Gathers points into tracks of a day (UTC), each point once. A history of a million points becomes some hundreds of
 * records; a day of more than `maxTrack` points becomes several, cut by the clock so that the parts are the same on
 * every export.
 */
export class Days {
  readonly #days = new Map<number, Map<string, Point>>();
  readonly #source: string;
  readonly #file: SourceLocation;
  #count = 0;
  /** Points left out because there were too many. */
  beyond = 0;

  readonly #name: string | null;

  constructor(source: string, file: SourceLocation, name: string | null = null) {
    this.#name = name;
    this.#source = source;
    this.#file = file;
  }

  add(point: Point): void {
    if (this.#count >= maxPoints) {
      this.beyond++;
      return;
    }
    const day = Math.floor(point.ms / dayMs);
    const points = this.#days.get(day) ?? new Map<string, Point>();
    this.#days.set(day, points);
    const key = `${point.ms},${point.lat},${point.lon}`;
    if (points.has(key)) return;
    points.set(key, point);
    this.#count++;
  }

  /** The tracks, by day. */
  *records(): Generator<ImportedRecord> {
    for (const [day, points] of [...this.#days].sort(([a], [b]) => a - b)) {
      const list = [...points.values()].sort((a, b) => a.ms - b.ms || a.lat - b.lat || a.lon - b.lon);
      yield* this.#parts(list, day * dayMs, dayMs, new Date(day * dayMs).toISOString().slice(0, 10));
    }
  }

  /** Halves a span of the clock until its points fit. */
  *#parts(points: readonly Point[], from: number, span: number, key: string): Generator<ImportedRecord> {
    if (points.length <= maxTrack || span <= 1_000) {
      for (let at = 0; at < points.length; at += maxTrack) {
        const part = at === 0 ? key : `${key}+${at}`;
        const options = { source: this.#source, key: part, name: this.#name };
        const record = pathRecord(points.slice(at, at + maxTrack), this.#file, options);
        if (record !== null) yield record;
      }
      return;
    }
    const middle = from + span / 2;
    yield* this.#parts(
      points.filter(({ ms }) => ms < middle),
      from,
      span / 2,
      `${key}<`,
    );
    yield* this.#parts(
      points.filter(({ ms }) => ms >= middle),
      middle,
      span / 2,
      `${key}>`,
    );
  }
}
