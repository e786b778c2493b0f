import type { PictureLook, PictureReading } from "#models/pictures/ports.ts";

/** What models found in several pictures of one film, as one view of it. A single picture passes through unchanged. */

/** All lines in order of time, each only where it is seen first: a sign stands in many frames. `at`: seconds, or null for a photo. */
export function joinReadings(readings: readonly PictureReading[], at: readonly (number | null)[]): PictureReading {
  const [only] = readings;
  if (only && readings.length === 1) {
    return { text: only.text, lines: only.lines.map((line) => ({ ...line, at: at[0] ?? null })) };
  }
  const known = new Set<string>();
  const lines: PictureReading["lines"] = [];
  let text = "";
  for (const [index, reading] of readings.entries()) {
    for (const line of reading.lines) {
      const words = reading.text.slice(line.start, line.end);
      if (known.has(words)) continue;
      known.add(words);
      if (text !== "") text += reading.text[line.start - 1] === " " ? " " : "\n";
      lines.push({ ...line, start: text.length, end: text.length + words.length, at: at[index] ?? null });
      text += words;
    }
  }
  return { text, lines };
}

/** Every label with its best score, best first, and the mean of the features. */
export function joinLooks(looks: readonly PictureLook[]): PictureLook {
  const best = new Map<string, number>();
  for (const { tags } of looks) {
    for (const { label, score } of tags) best.set(label, Math.max(score, best.get(label) ?? 0));
  }
  const tags = [...best].map(([label, score]) => ({ label, score })).sort((a, b) => b.score - a.score);
  return { tags, features: meanVector(looks.map(({ features }) => features)) };
}

/** Mean of unit vectors, of unit length again. */
export function meanVector(vectors: readonly Float32Array[]): Float32Array {
  const [first] = vectors;
  if (!first || vectors.length === 1) return first ?? new Float32Array(0);
  const sum = new Float64Array(first.length);
  for (const vector of vectors) for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (vector[at] ?? 0);
  const length = Math.max(Math.hypot(...sum), 1e-12);
  return Float32Array.from(sum, (value) => value / length);
}
