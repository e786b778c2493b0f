import type { PictureTags, PictureText } from "#contract";
import type { Cite } from "./facts.ts";

type Line = PictureText["lines"][number];

/** Below this mean probability a line is shown as unsure. */
const sure = 0.8;

export function isUnsure(line: Pick<Line, "confidence">): boolean {
  return line.confidence < sure;
}

/** A citation's span in one line's own text, or null when the line is not cited. */
export function citedInLine(line: Pick<Line, "start" | "end">, cite: Cite): [number, number] | null {
  if (cite?.view !== "ocr") return null;
  const from = Math.max(line.start, cite.span[0]);
  const to = Math.min(line.end, cite.span[1]);
  return to > from ? [from - line.start, to - line.start] : null;
}

/** Corners of a line for an SVG polygon in a picture of this size. */
export function polygonPoints(quad: Line["quad"], width: number, height: number): string {
  const corners: string[] = [];
  for (let at = 0; at < quad.length; at += 2) {
    corners.push(`${round((quad[at] ?? 0) * width)},${round((quad[at + 1] ?? 0) * height)}`);
  }
  return corners.join(" ");
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** "0:12": where in a video a line stands, when it is another place than that of the line before. */
export function lineMoment(lines: readonly Pick<Line, "at">[], index: number): string | null {
  const at = lines[index]?.at ?? null;
  const before = index > 0 ? (lines[index - 1]?.at ?? null) : null;
  if (at === null || (index > 0 && before !== null && Math.floor(before) === Math.floor(at))) return null;
  const whole = Math.floor(at);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** The label that a citation's quote names, among what a model saw; null: none. */
export function citedTag(tags: PictureTags["tags"], quote: string | null): string | null {
  const words = quote?.toLowerCase() ?? "";
  const found = tags.filter(({ label }) => words.includes(label.toLowerCase()));
  return found.sort((a, b) => b.label.length - a.label.length)[0]?.label ?? null;
}

/** Lines that stand beside each other in the picture are one row of its text: rows of lines, each with its place among all. */
export function rowsOf<L extends Pick<Line, "start" | "end">>(ocr: {
  text: string;
  lines: readonly L[];
}): { line: L; index: number }[][] {
  const rows: { line: L; index: number }[][] = [];
  let end = 0;
  for (const [index, line] of ocr.lines.entries()) {
    const row = rows.at(-1);
    if (row && !ocr.text.slice(end, line.start).includes("\n")) row.push({ line, index });
    else rows.push([{ line, index }]);
    end = line.end;
  }
  return rows;
}
