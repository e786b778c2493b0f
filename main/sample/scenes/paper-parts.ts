import { circle, type Drawing, group, mix, n, rect, rounded, stroke } from "./drawing.ts";
import { text } from "./lettering.ts";

/** Sheets on a table, bars and codes. */

/** Pictures that people take in order to read them later: tickets, signs, cards, notes. What they say is part of the story. */

/** A table top under the paper. */
export function ground(d: Drawing, colour: string, kind: "wood" | "cloth" | "stone"): void {
  const { width: w, height: h, random } = d;
  d.add(
    rect(
      0,
      0,
      w,
      h,
      d.linear(
        [
          [0, mix(colour, "#fff2dc", 0.22)],
          [1, mix(colour, "#120a06", 0.3)],
        ],
        0,
        0,
        1,
        1,
      ),
    ),
  );
  if (kind === "wood") {
    for (let i = 0; i < 6; i++) d.add(rect(0, i * (h / 6), w, 3, mix(colour, "#120a06", 0.5), 'opacity="0.5"'));
    for (let i = 0; i < 46; i++)
      d.add(
        stroke(
          `M${n(random.between(-200, w))} ${n(random.between(0, h))}q${n(random.between(100, 260))} ${n(random.between(-9, 9))} ${n(random.between(240, 620))} 0`,
          mix(colour, "#120a06", 0.5),
          random.between(1, 3),
          'opacity="0.25"',
        ),
      );
  } else if (kind === "cloth") {
    for (let x = 0; x < w; x += 90) d.add(rect(x, 0, 45, h, "#ffffff", 'opacity="0.13"'));
    for (let y = 0; y < h; y += 90) d.add(rect(0, y, w, 45, "#ffffff", 'opacity="0.13"'));
  } else
    for (let i = 0; i < 420; i++)
      d.add(
        circle(
          random.between(0, w),
          random.between(0, h),
          random.between(1, 5),
          random.chance(0.5) ? "#ffffff" : "#2a2420",
          'opacity="0.12"',
        ),
      );
}

/** A sheet lying a little askew in the middle, with its shadow; parts are drawn from its upper left corner. Narrow ones are shown nearer. */
export function sheet(d: Drawing, w: number, h: number, angle: number, paper: string, ...parts: string[]): void {
  const near = Math.min(1.3, Math.max(1, (0.86 * d.height) / h), Math.max(1, (0.86 * d.width) / w));
  d.add(
    group(
      `translate(${n(d.width / 2)} ${n(d.height / 2)}) rotate(${angle}) scale(${near.toFixed(3)}) translate(${n(-w / 2)} ${n(-h / 2)})`,
      ...[26, 18, 11, 5].map((k) =>
        rounded(k * 0.4 - k, k * 0.9 - k * 0.4, w + k * 1.6, h + k * 1.2, 10 + k, "#0c0604", 'opacity="0.13"'),
      ),
      rounded(
        0,
        0,
        w,
        h,
        8,
        d.linear(
          [
            [0, mix(paper, "#ffffff", 0.45)],
            [1, mix(paper, "#8a7a66", 0.14)],
          ],
          0,
          0,
          1,
          1,
        ),
      ),
      ...parts,
    ),
  );
}

export const bars = (d: Drawing, x: number, y: number, w: number, h: number): string => {
  const parts: string[] = [];
  for (let at = 0; at < w; ) {
    const bar = d.random.whole(1, 4) * 3;
    parts.push(rect(x + at, y, bar, h, "#1c1c20"));
    at += bar + d.random.whole(1, 3) * 3;
  }
  return parts.join("");
};

export const code = (d: Drawing, x: number, y: number, side: number): string => {
  const cells = 25;
  const s = side / cells;
  const parts: string[] = [];
  const eye = (cx: number, cy: number) =>
    parts.push(
      rect(x + cx * s, y + cy * s, 7 * s, 7 * s, "#1c1c20"),
      rect(x + (cx + 1) * s, y + (cy + 1) * s, 5 * s, 5 * s, "#ffffff"),
      rect(x + (cx + 2) * s, y + (cy + 2) * s, 3 * s, 3 * s, "#1c1c20"),
    );
  for (let r = 0; r < cells; r++)
    for (let c = 0; c < cells; c++) {
      const corner = (r < 8 && c < 8) || (r < 8 && c > 16) || (r > 16 && c < 8);
      if (!corner && d.random.chance(0.48)) parts.push(rect(x + c * s, y + r * s, s + 0.3, s + 0.3, "#1c1c20"));
    }
  eye(0, 0);
  eye(18, 0);
  eye(0, 18);
  return parts.join("");
};

export const field = (label: string, value: string, x: number, y: number, size = 46): string =>
  text(label, x, y, { face: "medium", size: 21, fill: "#7a7468", spacing: 2 }) +
  text(value, x, y + size + 6, { face: "medium", size, fill: "#22303a" });
