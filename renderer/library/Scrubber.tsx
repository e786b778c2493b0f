import { type KeyboardEvent, memo, type PointerEvent, useMemo, useRef, useState } from "react";
import { counted, monthName } from "../state/format.ts";
import type { Month } from "./rows.ts";

/** Width of the drawing; its height is in units that stretch to the window. */
const width = 26;
const drawn = 1000;
/** Year labels keep this distance, in the same units. */
const labelGap = 26;

/** Length of a month's tick. The square root keeps quiet months visible beside a loud one. */
function tickLength(count: number, most: number): number {
  return 4 + (width - 4) * Math.sqrt(count / most);
}

/** A hairline at the middle of the month's share of the height. */
function tickPath(month: Month, index: number, step: number, most: number): string {
  return `M${width - tickLength(month.count, most)} ${(index + 0.5) * step}H${width}`;
}

/** The first month of each year, where there is room for its label; `at` is its share of the height. */
function yearLabels(months: readonly Month[], step: number): { year: string; at: number }[] {
  let last = Number.NEGATIVE_INFINITY;
  return months.flatMap(({ month }, index) => {
    const year = month?.slice(0, 4);
    if (!year || months[index - 1]?.month?.slice(0, 4) === year || index * step - last < labelGap) return [];
    last = index * step;
    return [{ year, at: (index + 0.5) / months.length }];
  });
}

/** Months by volume at the right edge: a map of the archive's time that one can go to. */
export const Scrubber = memo(function Scrubber({
  months,
  place,
  onGo,
}: {
  months: readonly Month[];
  place: number;
  onGo: (index: number) => void;
}) {
  const bar = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const [dragging, setDragging] = useState(false);
  const [focused, setFocused] = useState(false);
  const most = useMemo(() => months.reduce((top, month) => Math.max(top, month.count), 1), [months]);
  const step = drawn / months.length;
  // One shape for all months: a long archive has hundreds, and they only change with the archive.
  const ticks = useMemo(
    () => months.map((month, index) => tickPath(month, index, step, most)).join(""),
    [months, step, most],
  );
  const labels = useMemo(() => yearLabels(months, step), [months, step]);
  if (months.length < 2) return null;

  let here = months.findIndex((month) => month.start > place) - 1;
  if (here < 0) here = months.findLastIndex((month) => month.start <= place);
  const name = (index: number) => {
    const month = months[index];
    return month ? (month.month ? monthName(month.month) : "No date") : "";
  };

  const pathOf = (index: number) => {
    const month = months[index];
    return month ? tickPath(month, index, step, most) : "";
  };

  function monthAt(event: PointerEvent): number {
    const box = bar.current?.getBoundingClientRect();
    if (!box || box.height === 0) return 0;
    const share = (event.clientY - box.top) / box.height;
    return Math.min(months.length - 1, Math.max(0, Math.floor(share * months.length)));
  }

  function go(index: number) {
    const month = months[Math.min(months.length - 1, Math.max(0, index))];
    if (month) onGo(month.start);
  }

  function onKeyDown(event: KeyboardEvent) {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 12, PageUp: -12 };
    const move = steps[event.key];
    if (move !== undefined) go(here + move);
    else if (event.key === "Home") go(0);
    else if (event.key === "End") go(months.length - 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const shown = pointed ?? (dragging || focused ? here : null);

  return (
    <div
      ref={bar}
      className="scrubber"
      role="slider"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label="Months"
      aria-valuemin={0}
      aria-valuemax={months.length - 1}
      aria-valuenow={here}
      aria-valuetext={`${name(here)}, ${counted(months[here]?.count ?? 0, "record")}`}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setDragging(true);
        go(monthAt(event));
      }}
      onPointerMove={(event) => {
        setPointed(monthAt(event));
        if (dragging) go(monthAt(event));
      }}
      onPointerUp={() => setDragging(false)}
      onPointerCancel={() => setDragging(false)}
      onPointerLeave={() => setPointed(null)}
      onFocus={(event) => setFocused(event.currentTarget.matches(":focus-visible"))}
      onBlur={() => setFocused(false)}
    >
      <svg viewBox={`0 0 ${width} ${drawn}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={ticks} />
        {pointed === null ? null : <path className="is-pointed" d={pathOf(pointed)} />}
        <path className="is-here" d={pathOf(here)} />
      </svg>
      {labels.map(({ year, at }) => (
        <span key={year} className="scrubber__year" style={{ top: `${at * 100}%` }}>
          {year}
        </span>
      ))}
      {shown === null ? null : (
        <span className="scrubber__tip" style={{ top: `${((shown + 0.5) / months.length) * 100}%` }}>
          {name(shown)} <span className="quiet">{counted(months[shown]?.count ?? 0, "record")}</span>
        </span>
      )}
    </div>
  );
});
