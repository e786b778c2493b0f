import { circle, clipped, type Drawing, mix, n, path, rect, stroke } from "./drawing.ts";

/** What rooms are made of. */

/** Rooms and tables. */

export function wall(d: Drawing, top: string, bottom: string, floor: number, wood: string): void {
  const { width: w, height: h } = d;
  d.add(
    rect(
      0,
      0,
      w,
      h * floor,
      d.linear(
        [
          [0, top],
          [1, bottom],
        ],
        0,
        0,
        0.6,
        1,
      ),
    ),
  );
  d.add(
    rect(
      0,
      h * floor,
      w,
      h * (1 - floor),
      d.linear([
        [0, mix(wood, "#000000", 0.25)],
        [0.3, wood],
        [1, mix(wood, "#000000", 0.3)],
      ]),
    ),
  );
  for (let i = 0; i < 9; i++)
    d.add(
      stroke(
        `M${n(w * (0.5 + (i - 4) * 0.09))} ${n(h * floor)}L${n(w * (0.5 + (i - 4) * 0.24))} ${n(h)}`,
        mix(wood, "#1a0d06", 0.5),
        2,
        'opacity="0.45"',
      ),
    );
  d.add(
    rect(0, h * floor - 22, w, 22, mix(bottom, "#ffffff", 0.45)),
    rect(0, h * floor, w, 12, "#000000", 'opacity="0.16"'),
  );
}

/** A window with the world outside; `view` draws inside it. */
export function windowPane(
  d: Drawing,
  x: number,
  y: number,
  w: number,
  h: number,
  sky: readonly [string, string],
  view: string,
): void {
  const clip = d.clip(`M${n(x)} ${n(y)}h${n(w)}v${n(h)}h${n(-w)}Z`);
  d.add(
    rect(x - 18, y - 18, w + 36, h + 36, "#f6efe2"),
    clipped(
      clip,
      rect(
        x,
        y,
        w,
        h,
        d.linear([
          [0, sky[0]],
          [1, sky[1]],
        ]),
      ),
      view,
    ),
    rect(x + w / 2 - 6, y, 12, h, "#f6efe2"),
    rect(x, y + h * 0.46, w, 10, "#f6efe2"),
    rect(x - 34, y + h + 16, w + 68, 22, "#fffaf0"),
    rect(x - 34, y + h + 38, w + 68, 10, "#000000", 'opacity="0.12"'),
  );
}

export function table(d: Drawing, y: number, wood: string): void {
  const { width: w, height: h, random } = d;
  d.add(
    path(
      `M0 ${n(y)}H${n(w)}V${n(h)}H0Z`,
      d.linear([
        [0, mix(wood, "#fff0d8", 0.25)],
        [0.25, wood],
        [1, mix(wood, "#1e0e06", 0.4)],
      ]),
    ),
  );
  for (let i = 0; i < 26; i++) {
    const yy = y + random.next() ** 1.3 * (h - y);
    const x = random.between(-200, w);
    d.add(
      stroke(
        `M${n(x)} ${n(yy)}q${n(random.between(100, 300))} ${n(random.between(-8, 8))} ${n(random.between(300, 700))} 0`,
        mix(wood, "#1e0e06", 0.45),
        random.between(1, 3.5),
        'opacity="0.3"',
      ),
    );
  }
}

export const bokeh = (d: Drawing, count: number, colours: readonly string[], bottom: number): string =>
  d.blurLayer(
    6,
    ...Array.from({ length: count }, () =>
      circle(
        d.random.between(0, d.width),
        d.random.between(0, d.height * bottom),
        d.random.between(16, 62),
        colours[d.random.whole(0, colours.length - 1)] ?? "#ffd27a",
        `opacity="${n(d.random.between(2, 6) / 10)}"`,
      ),
    ),
  );
