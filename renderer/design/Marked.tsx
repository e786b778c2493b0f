import { Fragment, type ReactNode } from "react";

/** Text with [start, end) spans marked. Spans may overlap or lie outside: what is there is marked once. */
export function Marked({ text, marks }: { text: string; marks: readonly (readonly [number, number])[] }) {
  const pieces: ReactNode[] = [];
  let at = 0;
  for (const [start, end] of [...marks].sort((a, b) => a[0] - b[0])) {
    const from = Math.max(at, start);
    const to = Math.min(text.length, end);
    if (to <= from) continue;
    pieces.push(<Fragment key={`t${at}`}>{text.slice(at, from)}</Fragment>);
    pieces.push(<mark key={`m${from}`}>{text.slice(from, to)}</mark>);
    at = to;
  }
  pieces.push(<Fragment key={`t${at}`}>{text.slice(at)}</Fragment>);
  return pieces;
}
