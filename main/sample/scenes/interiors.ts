import {
  circle,
  clipped,
  type Drawing,
  ellipse,
  group,
  mix,
  n,
  path,
  polygon,
  rect,
  rounded,
  stroke,
} from "./drawing.ts";
import { bust, lyingCat, person, sittingDog } from "./figures.ts";
import { text } from "./lettering.ts";
import { fir, flakes, stars } from "./nature.ts";

/** Rooms and tables. */

function wall(d: Drawing, top: string, bottom: string, floor: number, wood: string): void {
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
function windowPane(
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

function table(d: Drawing, y: number, wood: string): void {
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

const bokeh = (d: Drawing, count: number, colours: readonly string[], bottom: number): string =>
  d.blur(
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

export interface CakeLook {
  readonly candles: number;
  readonly icing: string;
  readonly sponge: string;
  readonly on: "cherries" | "rocket" | "strawberries" | "dinosaur";
  readonly name: string;
  readonly wall: readonly [string, string];
}

/** A birthday cake in a dim room, its candles lit. */
export function birthdayCake(d: Drawing, look: CakeLook): string {
  const { width: w, height: h } = d;
  d.backdrop([
    [0, look.wall[0]],
    [0.62, look.wall[1]],
    [1, look.wall[1]],
  ]);
  d.add(bokeh(d, 22, ["#ffd27a", "#ff9f6b", "#ffe9b8", "#f27d72"], 0.6));
  const flags = ["#e4573d", "#f2b136", "#4f9a8a", "#3b74b8", "#e58aa0"];
  d.add(stroke(`M0 ${n(h * 0.07)}Q${n(w / 2)} ${n(h * 0.25)} ${n(w)} ${n(h * 0.05)}`, "#fff2dc", 3));
  for (let i = 0; i < 13; i++) {
    const t = (i + 0.5) / 13;
    const y = (1 - t) ** 2 * h * 0.07 + 2 * t * (1 - t) * h * 0.25 + t * t * h * 0.05;
    d.add(
      polygon(
        [
          [w * t - 34, y],
          [w * t + 34, y - 2],
          [w * t, y + 76],
        ],
        flags[i % 5] ?? "#e4573d",
      ),
    );
  }
  d.add(
    d.blur(
      4,
      bust(d, w * 0.14, h * 0.73, 380, "#35598a", "#4a2f22"),
      bust(d, w * 0.88, h * 0.74, 420, "#9b4a4a", "#6a3b22"),
      bust(d, w * 0.34, h * 0.72, 260, "#d9a12c", "#8a5a34"),
    ),
  );
  table(d, h * 0.71, "#8a4f2f");
  const x = w * 0.53;
  const y = h * 0.86;
  const rx = 290;
  const ry = 66;
  const top = y - 200;
  const dark = mix(look.sponge, "#120604", 0.35);
  d.add(
    d.soft(x + 20, y + 34, 500, 90, "#100604", 0.75),
    ellipse(
      x,
      y + 30,
      rx + 110,
      ry + 26,
      d.linear([
        [0, "#fffdf6"],
        [1, "#c9bda8"],
      ]),
    ),
    ellipse(x, y + 24, rx + 80, ry + 16, "#eee4d2"),
    path(
      `M${n(x - rx)} ${n(top)}V${n(y)}A${rx} ${ry} 0 0 0 ${n(x + rx)} ${n(y)}V${n(top)}Z`,
      d.linear(
        [
          [0, mix(look.sponge, "#ffdca8", 0.2)],
          [0.5, look.sponge],
          [1, dark],
        ],
        0,
        0,
        1,
        0,
      ),
    ),
    path(
      `M${n(x - rx)} ${n(y - 92)}A${rx} ${ry} 0 0 0 ${n(x + rx)} ${n(y - 92)}v-20A${rx} ${ry} 0 0 1 ${n(x - rx)} ${n(y - 112)}Z`,
      mix(look.icing, "#ffffff", 0.3),
    ),
  );
  let drip = `M${n(x - rx - 4)} ${n(top)}`;
  for (let i = 0; i < 14; i++) {
    const a = Math.PI - ((i + 0.5) / 14) * Math.PI;
    const b = Math.PI - ((i + 1) / 14) * Math.PI;
    const drop = d.random.between(26, 92);
    drip += `Q${n(x + Math.cos(a) * rx)} ${n(top + Math.sin(a) * ry + drop * 1.5)} ${n(x + Math.cos(b) * (rx + 4))} ${n(top + Math.sin(b) * ry + 12)}`;
  }
  d.add(
    path(
      `${drip}A${rx} ${ry} 0 0 0 ${n(x - rx - 4)} ${n(top)}Z`,
      d.linear(
        [
          [0, mix(look.icing, "#ffffff", 0.25)],
          [0.6, look.icing],
          [1, mix(look.icing, "#1c0a10", 0.3)],
        ],
        0,
        0,
        1,
        0,
      ),
    ),
    ellipse(
      x,
      top,
      rx + 4,
      ry,
      d.radial([
        [0, mix(look.icing, "#fff6dc", 0.5)],
        [1, look.icing],
      ]),
    ),
  );
  d.add(
    text(look.name, x, y - 18, { face: "hand", size: 108, fill: mix(look.icing, "#ffffff", 0.75), align: "middle" }),
  );
  const rim = (i: number, count: number) => {
    const a = (i / count) * Math.PI * 2;
    return [x + Math.cos(a) * rx * 0.88, top + Math.sin(a) * ry * 0.86] as const;
  };
  const around = (draw: (cx: number, cy: number) => string, back: boolean) => {
    for (let i = 0; i < 16; i++) {
      const [cx, cy] = rim(i, 16);
      if (cy < top === back) d.add(draw(cx, cy));
    }
  };
  const dot =
    look.on === "strawberries"
      ? (cx: number, cy: number) =>
          path(
            `M${n(cx - 24)} ${n(cy - 14)}Q${n(cx)} ${n(cy - 30)} ${n(cx + 24)} ${n(cy - 14)}Q${n(cx + 18)} ${n(cy + 20)} ${n(cx)} ${n(cy + 26)}Q${n(cx - 18)} ${n(cy + 20)} ${n(cx - 24)} ${n(cy - 14)}Z`,
            d.linear(
              [
                [0, "#f0605a"],
                [1, "#b3222c"],
              ],
              0,
              0,
              1,
              1,
            ),
          ) + path(`M${n(cx - 16)} ${n(cy - 20)}l16 8l16 -8l-6 -10h-20Z`, "#5c9a4a")
      : (cx: number, cy: number) =>
          circle(
            cx,
            cy - 10,
            18,
            d.radial(
              [
                [0, mix(look.on === "cherries" ? "#d2313a" : "#f2b136", "#ffffff", 0.5)],
                [1, look.on === "cherries" ? "#a81e2c" : "#d98a1c"],
              ],
              0.35,
              0.3,
              0.7,
            ),
          );
  around(dot, true);
  for (let i = 0; i < look.candles; i++) {
    const a = ((i + 0.5) / look.candles) * Math.PI * 2;
    const cx = x + Math.cos(a) * rx * 0.55;
    const cy = top + Math.sin(a) * ry * 0.5;
    const colour = flags[i % 5] ?? "#e4573d";
    d.add(
      d.soft(cx, cy - 128, 90, 96, "#ffcf70", 0.75),
      rounded(
        cx - 8,
        cy - 96,
        16,
        98,
        5,
        d.linear(
          [
            [0, mix(colour, "#ffffff", 0.5)],
            [1, colour],
          ],
          0,
          0,
          1,
          0,
        ),
      ),
      stroke(`M${n(cx - 7)} ${n(cy - 30)}l14 -14m-14 -20l14 -14`, "#ffffff", 4, 'opacity="0.8"'),
      path(`M${n(cx)} ${n(cy - 160)}q20 36 0 54q-20 -18 0 -54Z`, "#ff9f2e"),
      path(`M${n(cx)} ${n(cy - 144)}q10 22 0 34q-10 -12 0 -34Z`, "#fff6cf"),
    );
  }
  if (look.on === "rocket")
    d.add(
      group(
        `translate(${n(x)} ${n(top - 20)}) rotate(12)`,
        path(
          "M-40 0Q-56 -120 0 -190Q56 -120 40 0Z",
          d.linear(
            [
              [0, "#ffffff"],
              [1, "#b9c6d6"],
            ],
            0,
            0,
            1,
            0,
          ),
        ),
        path("M-40 -20L-74 26L-34 8ZM40 -20L74 26L34 8Z", "#d9443c"),
        path("M-24 -140Q0 -196 24 -140Z", "#d9443c"),
        circle(0, -92, 20, "#3b74b8"),
        circle(0, -92, 13, "#bfe3f2"),
      ),
    );
  if (look.on === "dinosaur")
    d.add(
      group(
        `translate(${n(x)} ${n(top)})`,
        path(
          "M-140 8Q-110 -40 -60 -56Q-10 -110 40 -66Q70 -44 76 -100Q78 -150 118 -154Q150 -154 150 -128Q130 -116 114 -112Q112 -20 66 4L62 24H36L32 4H-24L-30 24H-56L-58 2Q-110 24 -140 8Z",
          d.linear([
            [0, "#a7d36c"],
            [1, "#4f8f47"],
          ]),
        ),
        circle(126, -138, 5, "#1c2a18"),
        polygon(
          [
            [-60, -58],
            [-44, -90],
            [-26, -80],
          ],
          "#f2b136",
        ),
        polygon(
          [
            [-22, -86],
            [-2, -118],
            [16, -86],
          ],
          "#f2b136",
        ),
        polygon(
          [
            [24, -80],
            [46, -100],
            [58, -62],
          ],
          "#f2b136",
        ),
      ),
    );
  around(dot, false);
  flakes(d, 50, flags, 3, 7);
  return d.finish({ light: [0.53, 0.52, "#ffb652", 0.4], vignette: 0.52 });
}

/** Coffee and a croissant on a café table, seen from above at a slant. */
export function coffee(d: Drawing): string {
  const { width: w, height: h } = d;
  table(d, 0, "#a06a42");
  d.add(d.soft(w * 0.2, h * 0.1, 700, 500, "#ffe3b0", 0.55));
  const cup = (x: number, y: number, r: number) => {
    d.add(
      d.soft(x + 40, y + 56, r * 1.9, r * 1.5, "#1c0d06", 0.7),
      ellipse(
        x,
        y,
        r * 1.6,
        r * 1.3,
        d.linear(
          [
            [0, "#ffffff"],
            [1, "#cfc6ba"],
          ],
          0,
          0,
          1,
          1,
        ),
      ),
      ellipse(
        x,
        y,
        r * 1.25,
        r * 1,
        d.linear(
          [
            [0, "#d9d0c4"],
            [1, "#fffdf8"],
          ],
          0,
          0,
          1,
          1,
        ),
      ),
      stroke(
        `M${n(x + r * 0.85)} ${n(y - r * 0.1)}q${n(r * 0.7)} ${n(-r * 0.25)} ${n(r * 0.62)} ${n(r * 0.2)}q${n(-r * 0.15)} ${n(r * 0.3)} ${n(-r * 0.7)} ${n(r * 0.2)}`,
        "#f4eee4",
        r * 0.16,
      ),
      ellipse(
        x,
        y - r * 0.1,
        r,
        r * 0.84,
        d.linear(
          [
            [0, "#ffffff"],
            [1, "#ddd4c8"],
          ],
          0,
          0,
          1,
          1,
        ),
      ),
      ellipse(
        x,
        y - r * 0.1,
        r * 0.88,
        r * 0.73,
        d.radial([
          [0, "#c98b52"],
          [0.7, "#8f5527"],
          [1, "#5c3115"],
        ]),
      ),
    );
    for (let i = 0; i < 4; i++)
      d.add(
        path(
          `M${n(x)} ${n(y + r * (0.42 - i * 0.06))}C${n(x - r * (0.62 - i * 0.13))} ${n(y + r * (0.1 - i * 0.02))} ${n(x - r * (0.42 - i * 0.09))} ${n(y - r * (0.56 - i * 0.1))} ${n(x)} ${n(y - r * (0.3 - i * 0.07))}C${n(x + r * (0.42 - i * 0.09))} ${n(y - r * (0.56 - i * 0.1))} ${n(x + r * (0.62 - i * 0.13))} ${n(y + r * (0.1 - i * 0.02))} ${n(x)} ${n(y + r * (0.42 - i * 0.06))}Z`,
          i % 2 ? "#a9683a" : "#fbe9cf",
        ),
      );
  };
  cup(w * 0.3, h * 0.4, 180);
  const x = w * 0.67;
  const y = h * 0.63;
  d.add(
    d.soft(x + 30, y + 60, 420, 270, "#1c0d06", 0.65),
    ellipse(
      x,
      y,
      360,
      250,
      d.linear(
        [
          [0, "#f7f4ee"],
          [1, "#a9c0c4"],
        ],
        0,
        0,
        1,
        1,
      ),
    ),
    ellipse(
      x,
      y,
      290,
      195,
      d.linear(
        [
          [0, "#d3dfe0"],
          [1, "#ffffff"],
        ],
        0,
        0,
        1,
        1,
      ),
    ),
    d.soft(x + 10, y + 40, 260, 120, "#4a2a10", 0.55),
  );
  const segments = [
    [-190, 46, 62, 54, -62],
    [-120, -18, 88, 74, -34],
    [0, -44, 108, 84, 0],
    [120, -18, 88, 74, 34],
    [190, 46, 62, 54, 62],
  ] as const;
  for (const i of [0, 4, 1, 3, 2]) {
    const [sx, sy, rx, ry, a] = segments[i] ?? [0, 0, 1, 1, 0];
    d.add(
      group(
        `translate(${n(x + sx)} ${n(y + sy)}) rotate(${a})`,
        ellipse(
          0,
          0,
          rx,
          ry,
          d.linear([
            [0, "#f6c878"],
            [0.4, "#d9923f"],
            [1, "#8a4a1a"],
          ]),
        ),
        ...[-0.5, -0.1, 0.3].map((k) =>
          stroke(
            `M${n(-rx * 0.7)} ${n(ry * k)}Q0 ${n(ry * (k - 0.32))} ${n(rx * 0.7)} ${n(ry * k)}`,
            "#7a3f14",
            4,
            'opacity="0.55"',
          ),
        ),
        ellipse(-rx * 0.15, -ry * 0.5, rx * 0.45, ry * 0.16, "#ffe9b4", 'opacity="0.6"'),
      ),
    );
  }
  for (let i = 0; i < 26; i++)
    d.add(
      ellipse(
        x + d.random.between(-300, 300),
        y + d.random.between(90, 230),
        d.random.between(3, 10),
        d.random.between(2, 5),
        "#d9a050",
      ),
    );
  d.add(
    group(
      `translate(${n(w * 0.93)} ${n(h * 0.2)}) rotate(28)`,
      d.soft(14, 14, 260, 180, "#1c0d06", 0.5),
      rect(-210, -140, 420, 280, "#f4ead6"),
      ...Array.from({ length: 8 }, (_, i) =>
        rect(-180, -60 + i * 22, i % 3 === 2 ? 190 : 330, 7, "#8a8176", 'opacity="0.6"'),
      ),
      text("The Harbour Post", -180, -86, { face: "display", size: 42, fill: "#3b332b" }),
    ),
  );
  d.add(
    group(
      `translate(${n(w * 0.13)} ${n(h * 0.83)}) rotate(-24)`,
      rounded(
        -150,
        -9,
        230,
        16,
        8,
        d.linear([
          [0, "#f3f3f0"],
          [1, "#8f928f"],
        ]),
      ),
      ellipse(
        116,
        0,
        52,
        30,
        d.linear([
          [0, "#ffffff"],
          [1, "#8f928f"],
        ]),
      ),
    ),
  );
  return d.finish({ light: [0.15, 0.1, "#ffe2ae", 0.35], vignette: 0.42 });
}

/** Breakfast at a long table: eggs, tulips, bread, light from the window. */
export function easterBreakfast(d: Drawing): string {
  const { width: w, height: h, random } = d;
  wall(d, "#e9dfc6", "#d9c9a6", 0.8, "#8a5a34");
  windowPane(
    d,
    w * 0.56,
    h * 0.09,
    420,
    380,
    ["#a9d3e8", "#e9f3e0"],
    ellipse(w * 0.62, h * 0.46, 240, 110, "#8fb86a") + ellipse(w * 0.84, h * 0.44, 240, 130, "#6fa05a"),
  );
  d.add(
    d.blur(
      3,
      bust(d, w * 0.2, h * 0.66, 400, "#7a8fa6", "#d9d4cc"),
      bust(d, w * 0.42, h * 0.66, 380, "#b06a7a", "#e6e1d8"),
    ),
  );
  table(d, h * 0.6, "#b98252");
  d.add(
    path(
      `M${n(w * 0.06)} ${n(h)}L${n(w * 0.24)} ${n(h * 0.62)}H${n(w * 0.78)}L${n(w * 0.97)} ${n(h)}Z`,
      d.linear([
        [0, "#fbf6ea"],
        [1, "#d6d9d6"],
      ]),
    ),
  );
  for (let i = 0; i < 12; i++)
    d.add(
      stroke(
        `M${n(w * (0.24 + i * 0.049))} ${n(h * 0.62)}L${n(w * (0.06 + i * 0.0827))} ${n(h)}`,
        "#7fa0b8",
        5,
        'opacity="0.28"',
      ),
    );
  const vase = w * 0.5;
  for (let i = 0; i < 9; i++) {
    const a = (i - 4) * 0.17;
    const tx = vase + a * 330;
    const ty = h * 0.33 + Math.abs(i - 4) * 22 + random.between(-10, 14);
    const c = ["#e4573d", "#f2b136", "#e58aa0", "#ffffff"][i % 4] ?? "#e4573d";
    d.add(
      stroke(`M${n(vase)} ${n(h * 0.6)}Q${n(vase + a * 120)} ${n(h * 0.5)} ${n(tx)} ${n(ty)}`, "#5c8f4a", 7),
      path(
        `M${n(tx - 34)} ${n(ty - 40)}Q${n(tx - 40)} ${n(ty + 24)} ${n(tx)} ${n(ty + 28)}Q${n(tx + 40)} ${n(ty + 24)} ${n(tx + 34)} ${n(ty - 40)}L${n(tx + 14)} ${n(ty - 16)}L${n(tx)} ${n(ty - 50)}L${n(tx - 14)} ${n(ty - 16)}Z`,
        d.linear([
          [0, mix(c, "#ffffff", 0.25)],
          [1, mix(c, "#5a1020", 0.2)],
        ]),
      ),
    );
  }
  d.add(
    d.soft(vase + 20, h * 0.75, 150, 30, "#3a2414", 0.5),
    path(
      `M${n(vase - 56)} ${n(h * 0.55)}Q${n(vase - 92)} ${n(h * 0.68)} ${n(vase - 54)} ${n(h * 0.75)}H${n(vase + 54)}Q${n(vase + 92)} ${n(h * 0.68)} ${n(vase + 56)} ${n(h * 0.55)}Z`,
      d.linear(
        [
          [0, "#dfeef2"],
          [0.5, "#8fb6c9"],
          [1, "#5c8298"],
        ],
        0,
        0,
        1,
        0,
      ),
    ),
  );
  const bx = w * 0.25;
  const by = h * 0.85;
  d.add(d.soft(bx, by + 40, 250, 50, "#3a2414", 0.5), ellipse(bx, by - 14, 190, 60, "#7a4a26"));
  for (let i = 0; i < 7; i++) {
    const c = ["#e58aa0", "#8fc1d9", "#f2d06b", "#a3c97a", "#f3a26d", "#c3a3d9", "#fff4e0"][i] ?? "#ffffff";
    const ex = bx - 120 + (i % 4) * 80 + (i > 3 ? 40 : 0);
    const ey = by - 36 + (i > 3 ? 22 : 0);
    d.add(
      group(
        `translate(${n(ex)} ${n(ey)}) rotate(${n(random.between(-24, 24))})`,
        ellipse(
          0,
          0,
          42,
          54,
          d.radial(
            [
              [0, mix(c, "#ffffff", 0.55)],
              [1, mix(c, "#5a3020", 0.12)],
            ],
            0.35,
            0.3,
            0.8,
          ),
        ),
        stroke("M-38 -8q12 14 24 0t24 0t24 0", "#ffffff", 6, 'opacity="0.75"'),
      ),
    );
  }
  d.add(
    path(
      `M${n(bx - 196)} ${n(by - 16)}Q${n(bx)} ${n(by + 60)} ${n(bx + 196)} ${n(by - 16)}L${n(bx + 150)} ${n(by + 62)}Q${n(bx)} ${n(by + 96)} ${n(bx - 150)} ${n(by + 62)}Z`,
      d.linear([
        [0, "#c98f52"],
        [1, "#7a4a22"],
      ]),
    ),
  );
  for (let i = 0; i < 8; i++)
    d.add(
      stroke(`M${n(bx - 160 + i * 44)} ${n(by + 10 + Math.sin(i * 0.45) * 20)}l18 62`, "#5c3416", 5, 'opacity="0.5"'),
    );
  const px = w * 0.76;
  const py = h * 0.85;
  d.add(
    d.soft(px + 10, py + 30, 260, 60, "#3a2414", 0.45),
    ellipse(
      px,
      py,
      230,
      74,
      d.linear([
        [0, "#ffffff"],
        [1, "#c9cfd4"],
      ]),
    ),
    path(
      `M${n(px - 170)} ${n(py)}Q${n(px - 190)} ${n(py - 110)} ${n(px - 20)} ${n(py - 116)}Q${n(px + 180)} ${n(py - 110)} ${n(px + 166)} ${n(py - 6)}Q${n(px)} ${n(py + 36)} ${n(px - 170)} ${n(py)}Z`,
      d.linear([
        [0, "#e8b06a"],
        [0.6, "#b9722e"],
        [1, "#7a4416"],
      ]),
    ),
  );
  for (let i = 0; i < 4; i++)
    d.add(stroke(`M${n(px - 110 + i * 66)} ${n(py - 90)}q34 40 14 92`, "#fbe3b8", 9, 'opacity="0.7"'));
  return d.finish({ light: [0.75, 0.1, "#fff1c8", 0.45], vignette: 0.34 });
}

/** The living room with a Christmas tree. */
export function christmasTree(d: Drawing): string {
  const { width: w, height: h, random } = d;
  wall(d, "#43525f", "#2f3b48", 0.82, "#6a3f26");
  windowPane(
    d,
    w * 0.08,
    h * 0.13,
    330,
    400,
    ["#0e1a3a", "#33466e"],
    Array.from({ length: 50 }, () =>
      circle(random.between(w * 0.08, w * 0.34), random.between(h * 0.13, h * 0.52), random.between(2, 5), "#ffffff"),
    ).join("") + rect(0, h * 0.47, w * 0.4, 60, "#dfe8f4"),
  );
  const x = w * 0.6;
  const foot = h * 0.86;
  d.add(
    d.soft(x, h * 0.5, 620, 560, "#ffcf7a", 0.4),
    d.soft(x + 20, foot + 12, 430, 60, "#120804", 0.7),
    rect(x - 34, foot - 90, 68, 100, "#4a2c1a"),
    path(
      `M${n(x - 90)} ${n(foot - 30)}h180l-22 70h-136Z`,
      d.linear(
        [
          [0, "#b8373a"],
          [1, "#6e1c22"],
        ],
        0,
        0,
        1,
        0,
      ),
    ),
  );
  d.add(fir(d, x, foot - 10, h * 0.78, "#2f6a4c"));
  const spots: [number, number][] = [];
  for (let i = 0; i < 70; i++) {
    const t = 0.06 + random.next() * 0.8;
    spots.push([x + random.between(-1, 1) * t * 215, foot - h * 0.74 + t * h * 0.68]);
  }
  spots.forEach(([sx, sy], i) => {
    if (i % 3 === 0) {
      const c = random.pick(["#d9443c", "#f2b136", "#c9d6e4", "#b8373a"]);
      d.add(
        circle(
          sx,
          sy,
          19,
          d.radial(
            [
              [0, mix(c, "#ffffff", 0.7)],
              [0.5, c],
              [1, mix(c, "#1c0408", 0.4)],
            ],
            0.35,
            0.3,
            0.75,
          ),
        ),
      );
    } else d.add(d.soft(sx, sy, 34, 34, "#ffe2a0", 0.9), circle(sx, sy, 5, "#fffbe6"));
  });
  const star: [number, number][] = Array.from({ length: 10 }, (_, i) => [
    x + Math.sin((i * Math.PI) / 5) * (i % 2 ? 18 : 46),
    foot - h * 0.775 - Math.cos((i * Math.PI) / 5) * (i % 2 ? 18 : 46),
  ]);
  d.add(d.soft(x, foot - h * 0.775, 150, 150, "#ffe9a8", 0.8), polygon(star, "#ffd768"));
  const gift = (gx: number, gw: number, gh: number, c: string, ribbon: string) =>
    d.add(
      d.soft(gx + gw / 2, foot + 64, gw * 0.8, 24, "#120804", 0.6),
      rect(
        gx,
        foot + 60 - gh,
        gw,
        gh,
        d.linear(
          [
            [0, mix(c, "#ffffff", 0.2)],
            [1, mix(c, "#100408", 0.3)],
          ],
          0,
          0,
          1,
          1,
        ),
      ),
      rect(gx + gw * 0.42, foot + 60 - gh, gw * 0.16, gh, ribbon),
      stroke(`M${n(gx + gw / 2)} ${n(foot + 60 - gh)}q-60 -50 -50 -6q20 20 50 6q60 -50 50 -6q-20 20 -50 6`, ribbon, 11),
    );
  gift(x - 330, 170, 120, "#3b74b8", "#fff2dc");
  gift(x + 120, 210, 150, "#b8373a", "#f2d06b");
  gift(x - 130, 140, 86, "#e9dcc2", "#4f8a6a");
  gift(x + 360, 120, 100, "#4f8a6a", "#f7efe0");
  d.add(lyingCat(d, w * 0.1, h * 0.95, 290, "#d98a3e", "#fff1dc"));
  return d.finish({ light: [0.6, 0.45, "#ffb85c", 0.35], vignette: 0.5 });
}

/** The cat on a sofa, or on a window sill. */
export function catAtHome(d: Drawing, look: { sill: boolean; kitten: boolean }): string {
  const { width: w, height: h } = d;
  if (look.sill) {
    wall(d, "#d9cdb4", "#c9b792", 1, "#8a5a34");
    windowPane(
      d,
      w * 0.12,
      h * 0.08,
      w * 0.76,
      h * 0.62,
      ["#8fb8d6", "#f1e0c0"],
      ellipse(w * 0.3, h * 0.72, 420, 170, "#b9843a") +
        ellipse(w * 0.75, h * 0.72, 460, 200, "#8f6a34") +
        rect(w * 0.55, h * 0.3, 250, 330, "#a4614a") +
        polygon(
          [
            [w * 0.53, h * 0.31],
            [w * 0.64, h * 0.19],
            [w * 0.75, h * 0.31],
          ],
          "#5c4a4a",
        ),
    );
    d.add(
      rect(
        0,
        h * 0.74,
        w,
        h * 0.07,
        d.linear([
          [0, "#fffaf0"],
          [1, "#d6c8ac"],
        ]),
      ),
      rect(
        0,
        h * 0.81,
        w,
        h * 0.19,
        d.linear([
          [0, "#b59c74"],
          [1, "#8f7856"],
        ]),
      ),
    );
    d.add(
      group(
        `translate(${n(w * 0.82)} ${n(h * 0.76)})`,
        path(
          "M-60 -120H60L44 0H-44Z",
          d.linear(
            [
              [0, "#d9784a"],
              [1, "#8f4424"],
            ],
            0,
            0,
            1,
            0,
          ),
        ),
        ...[-50, -24, 0, 26, 52].map((a) =>
          group(
            `rotate(${a} 0 -120)`,
            path(
              "M0 -120Q-40 -230 0 -320Q40 -230 0 -120Z",
              d.linear([
                [0, "#7fb06a"],
                [1, "#3f6b3c"],
              ]),
            ),
          ),
        ),
      ),
    );
    d.add(lyingCat(d, w * 0.24, h * 0.775, 560, "#d98a3e", "#fff1dc"));
    return d.finish({ light: [0.5, 0.25, "#ffe6b0", 0.4], vignette: 0.34 });
  }
  wall(d, "#c9d3c4", "#a9b8a6", 0.8, "#9a6a42");
  d.add(
    rect(w * 0.1, h * 0.1, 250, 310, "#f6efe2"),
    rect(
      w * 0.1 + 22,
      h * 0.1 + 22,
      206,
      266,
      d.linear([
        [0, "#f2c9a0"],
        [0.5, "#d98a6a"],
        [1, "#3f5a78"],
      ]),
    ),
    circle(w * 0.1 + 130, h * 0.1 + 130, 30, "#fff2d0"),
    rect(w * 0.7, h * 0.14, 210, 210, "#3b332b"),
    rect(w * 0.7 + 16, h * 0.14 + 16, 178, 178, "#f2e6cf"),
    fir(d, w * 0.7 + 105, h * 0.14 + 180, 150, "#4f7a5a"),
  );
  const sofa = "#3f6b78";
  d.add(
    d.soft(w * 0.5, h * 0.94, 800, 70, "#120c08", 0.6),
    rounded(
      w * 0.1,
      h * 0.42,
      w * 0.8,
      h * 0.4,
      60,
      d.linear([
        [0, mix(sofa, "#ffffff", 0.22)],
        [1, sofa],
      ]),
    ),
    rounded(
      w * 0.04,
      h * 0.54,
      w * 0.13,
      h * 0.36,
      50,
      d.linear([
        [0, mix(sofa, "#ffffff", 0.2)],
        [1, mix(sofa, "#000000", 0.25)],
      ]),
    ),
    rounded(
      w * 0.83,
      h * 0.54,
      w * 0.13,
      h * 0.36,
      50,
      d.linear([
        [0, mix(sofa, "#ffffff", 0.1)],
        [1, mix(sofa, "#000000", 0.35)],
      ]),
    ),
    rounded(
      w * 0.15,
      h * 0.68,
      w * 0.35,
      h * 0.17,
      30,
      d.linear([
        [0, mix(sofa, "#ffffff", 0.28)],
        [1, mix(sofa, "#000000", 0.12)],
      ]),
    ),
    rounded(
      w * 0.5,
      h * 0.68,
      w * 0.35,
      h * 0.17,
      30,
      d.linear([
        [0, mix(sofa, "#ffffff", 0.24)],
        [1, mix(sofa, "#000000", 0.18)],
      ]),
    ),
  );
  d.add(
    group(
      `translate(${n(w * 0.25)} ${n(h * 0.6)}) rotate(-14)`,
      rounded(
        -120,
        -110,
        240,
        220,
        40,
        d.linear(
          [
            [0, "#f2c968"],
            [1, "#c98f2c"],
          ],
          0,
          0,
          1,
          1,
        ),
      ),
      stroke("M-90 -60h180M-90 0h180M-90 60h180", "#fff1cf", 7, 'opacity="0.6"'),
    ),
  );
  const s = look.kitten ? 340 : 480;
  d.add(lyingCat(d, w * 0.46, h * 0.72, s, "#d98a3e", "#fff1dc"));
  if (look.kitten)
    d.add(
      circle(
        w * 0.4,
        h * 0.7,
        38,
        d.radial(
          [
            [0, "#f2a0a8"],
            [1, "#b8485c"],
          ],
          0.35,
          0.3,
          0.8,
        ),
      ),
      stroke(
        `M${n(w * 0.38)} ${n(h * 0.69)}q30 -20 54 6m-56 12q30 -18 58 0M${n(w * 0.425)} ${n(h * 0.72)}q60 40 120 10`,
        "#ffd6da",
        4,
      ),
    );
  return d.finish({ light: [0.15, 0.15, "#fff0c4", 0.4], vignette: 0.36 });
}

/** The dog: on summer grass, or by the fire. */
export function dog(d: Drawing, look: { fireside: boolean }): string {
  const { width: w, height: h, random } = d;
  if (look.fireside) {
    wall(d, "#5c3f3a", "#44302e", 0.78, "#5a3622");
    d.add(
      rect(
        w * 0.5,
        h * 0.2,
        w * 0.42,
        h * 0.6,
        d.linear([
          [0, "#8a7a6c"],
          [1, "#5c4d44"],
        ]),
      ),
    );
    for (let r = 0; r < 8; r++)
      for (let c = 0; c < 5; c++)
        d.add(
          rounded(
            w * 0.5 + c * w * 0.086 - (r % 2) * 40 + 6,
            h * 0.21 + r * h * 0.074,
            w * 0.08,
            h * 0.066,
            8,
            mix("#9a897a", "#4a3c34", random.next() * 0.7),
            'opacity="0.6"',
          ),
        );
    d.add(
      rect(
        w * 0.47,
        h * 0.17,
        w * 0.48,
        44,
        d.linear([
          [0, "#7a4a2a"],
          [1, "#4a2a16"],
        ]),
      ),
      path(
        `M${n(w * 0.58)} ${n(h * 0.8)}V${n(h * 0.5)}Q${n(w * 0.71)} ${n(h * 0.36)} ${n(w * 0.84)} ${n(h * 0.5)}V${n(h * 0.8)}Z`,
        "#140a08",
      ),
      d.soft(w * 0.71, h * 0.72, 420, 340, "#ff8a34", 0.75),
    );
    for (const [dx, s, c] of [
      [-60, 1, "#e85c24"],
      [50, 1.1, "#f0792c"],
      [0, 1.4, "#f9a83a"],
      [-10, 0.9, "#ffe9a8"],
    ] as const)
      d.add(
        path(
          `M${n(w * 0.71 + dx - 46 * s)} ${n(h * 0.785)}Q${n(w * 0.71 + dx - 60 * s)} ${n(h * 0.785 - 90 * s)} ${n(w * 0.71 + dx)} ${n(h * 0.785 - 170 * s)}Q${n(w * 0.71 + dx + 60 * s)} ${n(h * 0.785 - 80 * s)} ${n(w * 0.71 + dx + 46 * s)} ${n(h * 0.785)}Z`,
          c,
        ),
      );
    d.add(rounded(w * 0.6, h * 0.765, w * 0.22, 36, 14, "#4a2a18"));
    for (let i = 0; i < 4; i++)
      d.add(
        path(
          `M${n(w * (0.55 + i * 0.08))} ${n(h * 0.205)}h54v60q0 26 34 30q20 20 -6 34h-56q-26 -6 -26 -40Z`,
          ["#b8373a", "#f2efe6", "#4f8a6a", "#c98f2c"][i] ?? "#b8373a",
        ),
        rect(w * (0.55 + i * 0.08) - 4, h * 0.2, 62, 24, "#ffffff"),
      );
    d.add(
      ellipse(
        w * 0.4,
        h * 0.9,
        560,
        84,
        d.radial([
          [0, "#b85c44"],
          [0.7, "#8f3a34"],
          [1, "#6e2a2a"],
        ]),
      ),
      ellipse(w * 0.4, h * 0.9, 470, 64, "none", 'stroke="#f2d9a8" stroke-width="5" opacity="0.6"'),
    );
    d.add(sittingDog(d, w * 0.32, h * 0.92, 500, "#b8844e"));
    return d.finish({ light: [0.71, 0.68, "#ff8a34", 0.45], vignette: 0.55 });
  }
  d.backdrop([
    [0, "#8cc3e6"],
    [0.45, "#e6f1e4"],
    [1, "#7aa650"],
  ]);
  d.add(
    d.blur(
      14,
      ...Array.from({ length: 14 }, (_, i) =>
        circle(
          i * w * 0.08,
          h * random.between(0.36, 0.5),
          random.between(70, 150),
          random.pick(["#6f9f58", "#8ab868", "#4f8450", "#a7c97a"]),
        ),
      ),
      rect(0, h * 0.5, w, h * 0.5, "#8fbb5c"),
    ),
  );
  d.add(
    rect(
      0,
      h * 0.62,
      w,
      h * 0.4,
      d.linear([
        [0, "#9cc465"],
        [1, "#557f34"],
      ]),
    ),
  );
  d.add(
    sittingDog(d, w * 0.52, h * 0.88, 610, "#b8844e"),
    circle(
      w * 0.24,
      h * 0.88,
      52,
      d.radial(
        [
          [0, "#fff2a8"],
          [0.6, "#d6d93c"],
          [1, "#8f9a20"],
        ],
        0.35,
        0.3,
        0.8,
      ),
    ),
    stroke(`M${n(w * 0.24 - 46)} ${n(h * 0.87)}q44 30 92 0`, "#ffffff", 6, 'opacity="0.8"'),
  );
  const blades: string[] = [];
  for (let i = 0; i < 240; i++) {
    const x = random.between(0, w);
    const y = h * random.between(0.86, 1.03);
    blades.push(
      stroke(
        `M${n(x)} ${n(y)}q${n(random.between(-12, 12))} -30 ${n(random.between(-24, 24))} ${n(-random.between(36, 80))}`,
        random.pick(["#6d9c40", "#8fbf55", "#4a7430", "#b6d46e"]),
        random.between(3, 6),
      ),
    );
  }
  d.add(blades.join(""));
  return d.finish({ light: [0.2, 0.08, "#fff4c8", 0.4], vignette: 0.26 });
}

/** A desk by the window: screen, drawings, lamp, plant. */
export function desk(d: Drawing): string {
  const { width: w, height: h } = d;
  wall(d, "#e6e1d4", "#d6cdb8", 1, "#9a6a42");
  windowPane(
    d,
    w * 0.56,
    h * 0.08,
    480,
    430,
    ["#a6cfe4", "#eef3e2"],
    Array.from({ length: 9 }, (_, i) =>
      rect(w * 0.55 + i * 62, h * (0.3 + ((i * 7) % 5) * 0.03), 56, 300, mix("#7d97a8", "#b9c9cf", (i % 4) / 4)),
    ).join(""),
  );
  table(d, h * 0.72, "#c2935f");
  d.add(
    d.soft(w * 0.36, h * 0.8, 420, 60, "#3a2010", 0.5),
    rounded(w * 0.14, h * 0.26, 600, 380, 16, "#22262c"),
    rect(
      w * 0.14 + 18,
      h * 0.26 + 18,
      564,
      330,
      d.linear([
        [0, "#f7faf4"],
        [1, "#dfe9dc"],
      ]),
    ),
    rect(w * 0.14 + 260, h * 0.26 + 380, 80, 80, "#3a4048"),
    rounded(w * 0.14 + 190, h * 0.26 + 450, 220, 20, 8, "#2b3038"),
  );
  const px = w * 0.14 + 50;
  const py = h * 0.26 + 50;
  d.add(
    stroke(
      `M${n(px)} ${n(py + 240)}Q${n(px + 140)} ${n(py + 60)} ${n(px + 290)} ${n(py + 150)}T${n(px + 500)} ${n(py + 30)}`,
      "#c9a56a",
      20,
      'opacity="0.7"',
    ),
  );
  for (const [cx, cy, r, c] of [
    [60, 60, 44, "#7fb06a"],
    [170, 60, 30, "#a7c97a"],
    [230, 220, 50, "#5c9a6a"],
    [370, 230, 36, "#8fbf6a"],
    [430, 120, 46, "#6fa86a"],
    [320, 60, 26, "#d98aa0"],
    [110, 180, 22, "#f2b136"],
  ] as const)
    d.add(circle(px + cx, py + cy, r, c, 'opacity="0.85"'), circle(px + cx, py + cy, r * 0.4, mix(c, "#ffffff", 0.4)));
  d.add(
    rounded(w * 0.2, h * 0.82, 420, 60, 12, "#e9ebe8"),
    ...Array.from({ length: 36 }, (_, i) =>
      rounded(w * 0.2 + 14 + (i % 12) * 33, h * 0.82 + 10 + Math.floor(i / 12) * 15, 26, 10, 3, "#c2c8c6"),
    ),
    rounded(w * 0.53, h * 0.82, 62, 84, 30, "#eef0ee"),
  );
  d.add(
    group(
      `translate(${n(w * 0.74)} ${n(h * 0.86)}) rotate(-6)`,
      d.soft(14, 20, 260, 100, "#3a2010", 0.4),
      polygon(
        [
          [-190, -70],
          [170, -70],
          [210, 80],
          [-210, 80],
        ],
        "#fffdf6",
      ),
      stroke("M-150 40Q-60 -60 40 0T170 -40", "#4f8a6a", 5),
      circle(-80, -10, 26, "none", 'stroke="#7a9a5a" stroke-width="5"'),
      circle(60, 30, 34, "none", 'stroke="#7a9a5a" stroke-width="5"'),
      stroke("M120 50l90 -120", "#d9443c", 12),
    ),
  );
  d.add(
    group(
      `translate(${n(w * 0.92)} ${n(h * 0.73)})`,
      path(
        "M-66 -110H66L48 10H-48Z",
        d.linear(
          [
            [0, "#f4eee4"],
            [1, "#b9ad98"],
          ],
          0,
          0,
          1,
          0,
        ),
      ),
      ...[-62, -38, -12, 14, 40, 64].map((a, i) =>
        group(
          `rotate(${a} 0 -108)`,
          stroke("M0 -108V-250", "#4f7a45", 6),
          ellipse(
            0,
            -290 - (i % 2) * 20,
            42,
            70,
            d.linear([
              [0, "#8fc27a"],
              [1, "#3f7048"],
            ]),
          ),
        ),
      ),
    ),
  );
  d.add(
    stroke(`M${n(w * 0.07)} ${n(h * 0.75)}L${n(w * 0.045)} ${n(h * 0.5)}L${n(w * 0.115)} ${n(h * 0.3)}`, "#c98f2c", 12),
    ellipse(w * 0.07, h * 0.755, 80, 20, "#c98f2c"),
    d.soft(w * 0.13, h * 0.42, 260, 240, "#fff0b8", 0.7),
    path(
      `M${n(w * 0.105)} ${n(h * 0.27)}l72 28l-6 60q-80 10 -112 -44Z`,
      d.linear([
        [0, "#f2c34a"],
        [1, "#b9791c"],
      ]),
    ),
  );
  d.add(
    rounded(
      w * 0.045,
      h * 0.82,
      110,
      120,
      16,
      d.linear(
        [
          [0, "#5c8aa0"],
          [1, "#345468"],
        ],
        0,
        0,
        1,
        0,
      ),
    ),
    ellipse(w * 0.045 + 55, h * 0.82, 55, 14, "#3a2014"),
    stroke(`M${n(w * 0.045 + 108)} ${n(h * 0.85)}q50 6 10 60`, "#4a7488", 13),
  );
  return d.finish({ light: [0.8, 0.1, "#fff3cf", 0.4], vignette: 0.32 });
}

/** A bookshelf wall with a reading chair. */
export function bookshelf(d: Drawing): string {
  const { width: w, height: h, random } = d;
  wall(d, "#3f5148", "#34443c", 0.9, "#7a4a2c");
  const x = w * 0.06;
  const shelfW = w * 0.88;
  d.add(
    rect(
      x - 20,
      h * 0.05,
      shelfW + 40,
      h * 0.86,
      d.linear([
        [0, "#6a4128"],
        [1, "#4a2c1a"],
      ]),
    ),
  );
  for (let row = 0; row < 4; row++) {
    const y = h * (0.08 + row * 0.205);
    d.add(
      rect(
        x,
        y,
        shelfW,
        h * 0.185,
        d.linear([
          [0, "#2b1a10"],
          [1, "#3f2718"],
        ]),
      ),
    );
    let at = x + 12;
    while (at < x + shelfW - 60) {
      const kind = random.next();
      if (kind < 0.03) {
        d.add(
          group(
            `translate(${n(at + 46)} ${n(y + h * 0.185)})`,
            path("M-34 -62H34L26 0H-26Z", "#d9784a"),
            ...[-40, -10, 24, 50].map((a) => group(`rotate(${a} 0 -60)`, ellipse(0, -104, 16, 46, "#5c9a5c"))),
          ),
        );
        at += 100;
      } else if (kind < 0.06) {
        d.add(
          rect(at + 8, y + h * 0.06, 92, h * 0.12, "#f2e6cf"),
          rect(
            at + 16,
            y + h * 0.068,
            76,
            h * 0.104,
            d.linear([
              [0, "#f2b98a"],
              [1, "#3f6a86"],
            ]),
          ),
        );
        at += 120;
      } else {
        const bw = random.between(20, 50);
        const bh = h * random.between(0.115, 0.172);
        const c = random.pick([
          "#9b3d3d",
          "#c98f2c",
          "#35598a",
          "#4f8a6a",
          "#e9dcc2",
          "#6a4a78",
          "#d9784a",
          "#2f4a56",
          "#b9a07a",
          "#7a2f3c",
        ]);
        const tilt = random.chance(0.07) ? 9 : 0;
        d.add(
          group(
            `translate(${n(at)} ${n(y + h * 0.185)}) rotate(${tilt})`,
            rect(
              0,
              -bh,
              bw - 3,
              bh,
              d.linear(
                [
                  [0, mix(c, "#ffffff", 0.24)],
                  [0.4, c],
                  [1, mix(c, "#000000", 0.4)],
                ],
                0,
                0,
                1,
                0,
              ),
            ),
            rect(0, -bh * 0.86, bw - 3, 5, mix(c, "#ffe9b0", 0.6)),
            rect(0, -bh * 0.2, bw - 3, 5, mix(c, "#ffe9b0", 0.6)),
          ),
        );
        at += bw + (tilt ? 24 : 0);
      }
    }
    d.add(
      rect(
        x - 6,
        y + h * 0.185,
        shelfW + 12,
        h * 0.02,
        d.linear([
          [0, "#9a6a42"],
          [1, "#5c3a22"],
        ]),
      ),
      rect(x, y, shelfW, 26, "#000000", 'opacity="0.28"'),
    );
  }
  d.add(
    d.soft(w * 0.8, h * 0.95, 380, 60, "#0c0604", 0.7),
    rounded(
      w * 0.62,
      h * 0.5,
      430,
      330,
      90,
      d.linear([
        [0, "#d98a52"],
        [1, "#9a4f2a"],
      ]),
    ),
    rounded(w * 0.585, h * 0.68, 130, 270, 50, "#b5683a"),
    rounded(w * 0.87, h * 0.68, 130, 270, 50, "#8f4824"),
    rounded(
      w * 0.66,
      h * 0.76,
      330,
      110,
      34,
      d.linear([
        [0, "#eaa468"],
        [1, "#b5683a"],
      ]),
    ),
    group(
      `translate(${n(w * 0.77)} ${n(h * 0.765)}) rotate(-8)`,
      path("M-100 0Q-50 -30 0 0Q50 -30 100 0V26Q50 -4 0 26Q-50 -4 -100 26Z", "#fffaf0"),
      stroke("M0 0V26", "#8a7a66", 3),
    ),
  );
  d.add(
    stroke(`M${n(w * 0.55)} ${n(h * 0.95)}V${n(h * 0.34)}`, "#c9a04a", 9),
    ellipse(w * 0.55, h * 0.95, 80, 18, "#a8822f"),
    d.soft(w * 0.55, h * 0.42, 360, 330, "#ffdf9a", 0.65),
    path(
      `M${n(w * 0.5)} ${n(h * 0.37)}L${n(w * 0.525)} ${n(h * 0.23)}H${n(w * 0.575)}L${n(w * 0.6)} ${n(h * 0.37)}Z`,
      d.linear([
        [0, "#fff3d0"],
        [1, "#f2c978"],
      ]),
    ),
  );
  return d.finish({ light: [0.55, 0.4, "#ffcf80", 0.35], vignette: 0.46 });
}

/** Moving day: boxes, keys, an empty room full of light. */
export function movingBoxes(d: Drawing): string {
  const { width: w, height: h } = d;
  wall(d, "#efe4cc", "#dfcda8", 0.72, "#b07c4c");
  windowPane(
    d,
    w * 0.58,
    h * 0.07,
    430,
    470,
    ["#a4cde6", "#f2ead2"],
    ellipse(w * 0.66, h * 0.5, 200, 130, "#c98a3a") +
      ellipse(w * 0.86, h * 0.5, 190, 160, "#a8622c") +
      rect(w * 0.7, h * 0.3, 110, 300, "#9a5a44"),
  );
  d.add(
    polygon(
      [
        [w * 0.52, h * 0.74],
        [w * 0.84, h * 0.74],
        [w * 0.6, h],
        [w * 0.14, h],
      ],
      "#fff2c8",
      'opacity="0.35"',
    ),
  );
  const box = (x: number, y: number, bw: number, bh: number, label: string, tone: string) =>
    d.add(
      d.soft(x + bw / 2 + 30, y + 6, bw * 0.75, 34, "#2a1608", 0.6),
      rect(
        x,
        y - bh,
        bw,
        bh,
        d.linear(
          [
            [0, mix(tone, "#fff0d0", 0.25)],
            [1, mix(tone, "#3a1c08", 0.15)],
          ],
          0,
          0,
          1,
          1,
        ),
      ),
      polygon(
        [
          [x + bw, y - bh],
          [x + bw + 60, y - bh - 40],
          [x + bw + 60, y - 44],
          [x + bw, y],
        ],
        mix(tone, "#2a1404", 0.38),
      ),
      polygon(
        [
          [x, y - bh],
          [x + 60, y - bh - 40],
          [x + bw + 60, y - bh - 40],
          [x + bw, y - bh],
        ],
        mix(tone, "#fff0d0", 0.42),
      ),
      rect(x + bw * 0.42, y - bh, bw * 0.16, bh * 0.5, "#e9d9b4", 'opacity="0.8"'),
      text(label, x + bw / 2, y - bh * 0.22, { face: "hand", size: 66, fill: "#33261c", align: "middle" }),
    );
  box(w * 0.06, h * 0.72, 300, 220, "Winter", "#b98a56");
  box(w * 0.3, h * 0.76, 360, 280, "Books", "#c2935f");
  box(w * 0.12, h * 0.94, 430, 300, "Kitchen", "#c99a64");
  box(w * 0.52, h * 0.93, 320, 210, "Ida's room", "#bd8d58");
  d.add(lyingCat(d, w * 0.155, h * 0.645, 300, "#d98a3e", "#fff1dc"));
  d.add(
    group(
      `translate(${n(w * 0.86)} ${n(h * 0.88)}) rotate(-20)`,
      d.soft(20, 26, 160, 50, "#2a1608", 0.5),
      circle(-60, 0, 42, "none", 'stroke="#c9a04a" stroke-width="14"'),
      rounded(-20, -10, 150, 20, 8, "#d9b45a"),
      rect(86, 6, 14, 30, "#d9b45a"),
      rect(112, 6, 14, 22, "#d9b45a"),
      group("rotate(38)", rounded(-14, -8, 130, 17, 8, "#c2c6c8"), rect(80, 6, 12, 24, "#c2c6c8")),
      group(
        "rotate(110)",
        rounded(20, -26, 120, 56, 14, "#b8373a"),
        text("14", 62, 14, { face: "heavy", size: 44, fill: "#fff2dc" }),
      ),
    ),
  );
  return d.finish({ light: [0.72, 0.2, "#fff0c0", 0.45], vignette: 0.32 });
}

/** The kitchen: stripped to the plaster, or finished in green. */
export function kitchen(d: Drawing, look: { finished: boolean }): string {
  const { width: w, height: h, random } = d;
  if (!look.finished) {
    wall(d, "#cbbfae", "#b3a48e", 0.76, "#8f8577");
    for (let i = 0; i < 9; i++)
      d.add(
        d.blur(
          6,
          ellipse(
            random.between(0, w),
            random.between(0, h * 0.7),
            random.between(80, 220),
            random.between(50, 130),
            random.pick(["#b9a48c", "#d9cfc0", "#a48d78", "#c98f74"]),
            'opacity="0.55"',
          ),
        ),
      );
    for (let r = 0; r < 6; r++)
      for (let c = 0; c < 5; c++)
        if (random.chance(0.75))
          d.add(
            rounded(
              w * 0.62 + c * 96 - (r % 2) * 44,
              h * 0.26 + r * 54,
              90,
              48,
              3,
              mix("#a8573c", "#7a3a28", random.next()),
            ),
          );
    windowPane(d, w * 0.1, h * 0.12, 360, 330, ["#b6d6e8", "#eef2e6"], ellipse(w * 0.2, h * 0.44, 260, 90, "#8fae7a"));
    d.add(
      stroke(`M${n(w * 0.46)} 0q-20 120 6 200M${n(w * 0.46)} 0q30 100 2 190`, "#3a3a3e", 6),
      d.soft(w * 0.463, h * 0.23, 160, 150, "#fff0b4", 0.8),
      circle(w * 0.463, h * 0.215, 22, "#fffbe0"),
    );
    const lx = w * 0.5;
    d.add(
      d.soft(lx + 30, h * 0.95, 230, 30, "#1a1208", 0.5),
      stroke(
        `M${n(lx - 90)} ${n(h * 0.95)}L${n(lx - 20)} ${n(h * 0.32)}M${n(lx + 80)} ${n(h * 0.95)}L${n(lx + 20)} ${n(h * 0.32)}M${n(lx + 190)} ${n(h * 0.93)}L${n(lx + 40)} ${n(h * 0.32)}`,
        "#c9a565",
        16,
      ),
    );
    for (let i = 0; i < 6; i++)
      d.add(stroke(`M${n(lx - 28 - i * 10)} ${n(h * (0.4 + i * 0.09))}H${n(lx + 26 + i * 9)}`, "#e0c088", 15));
    const tin = (x: number, y: number, c: string) =>
      d.add(
        d.soft(x + 60, y + 4, 120, 22, "#1a1208", 0.6),
        rect(
          x,
          y - 130,
          130,
          130,
          d.linear(
            [
              [0, "#f2f2f0"],
              [0.4, "#c9cdce"],
              [1, "#7d8386"],
            ],
            0,
            0,
            1,
            0,
          ),
        ),
        rect(x, y - 94, 130, 56, c),
        ellipse(x + 65, y, 65, 14, "#7d8386"),
        ellipse(x + 65, y - 130, 65, 16, mix(c, "#ffffff", 0.15)),
        path(`M${n(x + 8)} ${n(y - 128)}q10 50 22 10q10 60 24 6Z`, c),
      );
    tin(w * 0.18, h * 0.93, "#5f8268");
    tin(w * 0.29, h * 0.97, "#5f8268");
    d.add(
      group(
        `translate(${n(w * 0.73)} ${n(h * 0.92)}) rotate(-12)`,
        rounded(-150, -16, 300, 32, 10, "#8a5a34"),
        rounded(130, -64, 120, 128, 10, "#e9dcc2"),
        rect(236, -64, 30, 128, "#5f8268"),
      ),
      polygon(
        [
          [w * 0.02, h],
          [w * 0.36, h * 0.97],
          [w * 0.7, h * 0.99],
          [w * 0.8, h],
        ],
        "#dfe3e4",
        'opacity="0.6"',
      ),
    );
    d.add(
      person(d, w * 0.86, h * 0.96, h * 0.56, {
        coat: "#3f5a78",
        legs: "#5c5a52",
        hair: "#5a4634",
        arms: "left",
        hat: "#f2b136",
      }),
    );
    return d.finish({ light: [0.46, 0.2, "#ffeab0", 0.35], vignette: 0.4 });
  }
  wall(d, "#f2eadb", "#e6d9c0", 0.84, "#b98a5a");
  const green = "#5f8268";
  windowPane(d, w * 0.38, h * 0.1, 360, 290, ["#a6d0e6", "#f1f2de"], ellipse(w * 0.5, h * 0.4, 230, 80, "#7fae62"));
  for (let r = 0; r < 4; r++)
    for (let c = 0; c < 24; c++)
      if (!(c > 7 && c < 17 && r < 1))
        d.add(
          rounded(
            c * 62 - (r % 2) * 30,
            h * 0.405 + r * 30,
            58,
            26,
            3,
            mix("#fffaf0", "#dfe3d8", random.next()),
            'opacity="0.9"',
          ),
        );
  const cupboard = (x: number, y: number, cw: number, ch: number) =>
    d.add(
      rect(
        x,
        y,
        cw,
        ch,
        d.linear(
          [
            [0, mix(green, "#ffffff", 0.18)],
            [1, mix(green, "#0f2018", 0.12)],
          ],
          0,
          0,
          1,
          1,
        ),
      ),
      rect(x + 16, y + 16, cw - 32, ch - 32, "none", `stroke="${mix(green, "#0f2018", 0.3)}" stroke-width="4"`),
      circle(x + cw - 30, y + ch * 0.5, 9, "#d9b45a"),
    );
  for (const x of [0.02, 0.165, 0.71, 0.855]) cupboard(w * x, h * 0.05, w * 0.135, h * 0.3);
  d.add(
    rect(
      0,
      h * 0.525,
      w,
      34,
      d.linear([
        [0, "#e0b27a"],
        [1, "#9a6a3c"],
      ]),
    ),
    rect(0, h * 0.525 + 34, w, 16, "#000000", 'opacity="0.2"'),
  );
  for (let i = 0; i < 6; i++) if (i !== 3) cupboard(w * (0.01 + i * 0.165), h * 0.57, w * 0.155, h * 0.29);
  d.add(
    rect(
      w * 0.505,
      h * 0.57,
      w * 0.155,
      h * 0.29,
      d.linear(
        [
          [0, "#e9ecec"],
          [1, "#a4abad"],
        ],
        0,
        0,
        1,
        1,
      ),
    ),
    rect(w * 0.515, h * 0.585, w * 0.135, 38, "#3a4046"),
    rounded(w * 0.525, h * 0.65, w * 0.115, 12, 6, "#7d8488"),
    circle(w * 0.53, h * 0.603, 7, "#8fd9a0"),
  );
  d.add(stroke(`M${n(w * 0.5)} ${n(h * 0.53)}V${n(h * 0.43)}q0 -50 46 -50q40 0 40 44`, "#c9a04a", 12));
  d.add(
    group(
      `translate(${n(w * 0.14)} ${n(h * 0.525)})`,
      rounded(-50, -96, 100, 96, 18, "#d9784a"),
      ...[-30, -6, 18, 34].map((a) => group(`rotate(${a} 0 -90)`, rounded(-6, -190, 12, 110, 6, "#b98a56"))),
    ),
    group(
      `translate(${n(w * 0.78)} ${n(h * 0.525)})`,
      ellipse(0, -18, 110, 34, "#7fa3b3"),
      ...[-60, -20, 24, 62].map((x, i) =>
        circle(
          x,
          -52 - (i % 2) * 12,
          34,
          d.radial(
            [
              [0, "#ffd98a"],
              [1, i % 2 ? "#d9443c" : "#f08a2c"],
            ],
            0.35,
            0.3,
            0.8,
          ),
        ),
      ),
    ),
  );
  for (const x of [0.3, 0.5, 0.7])
    d.add(
      stroke(`M${n(w * x)} 0V${n(h * 0.04)}`, "#33333a", 4),
      path(`M${n(w * x - 52)} ${n(h * 0.1)}Q${n(w * x)} ${n(h * 0.0)} ${n(w * x + 52)} ${n(h * 0.1)}Z`, "#c9a04a"),
      d.soft(w * x, h * 0.14, 150, 110, "#ffedb4", 0.6),
    );
  return d.finish({ light: [0.5, 0.2, "#fff2c8", 0.35], vignette: 0.28 });
}

/** A cot under a mobile, by moonlight. */
export function cot(d: Drawing): string {
  const { width: w, height: h } = d;
  wall(d, "#6d7fa6", "#55668f", 0.84, "#7a5a4a");
  windowPane(d, w * 0.62, h * 0.1, 360, 400, ["#141f48", "#3b4f86"], circle(w * 0.78, h * 0.24, 56, "#fff4d0"));
  d.add(d.soft(w * 0.78, h * 0.24, 220, 200, "#dfe4ff", 0.5));
  stars(d, 0, 0);
  d.add(
    stroke(
      `M${n(w * 0.4)} 0V${n(h * 0.1)}M${n(w * 0.24)} ${n(h * 0.13)}Q${n(w * 0.4)} ${n(h * 0.06)} ${n(w * 0.56)} ${n(h * 0.13)}`,
      "#f2e6cf",
      6,
    ),
  );
  for (const [x, y, c] of [
    [0.24, 0.25, "#f2c34a"],
    [0.33, 0.31, "#e58aa0"],
    [0.42, 0.27, "#ffffff"],
    [0.5, 0.33, "#8fc1d9"],
    [0.56, 0.24, "#f2c34a"],
  ] as const)
    d.add(
      stroke(`M${n(w * x)} ${n(h * 0.11)}V${n(h * y)}`, "#f2e6cf", 2),
      c === "#f2c34a"
        ? polygon(
            Array.from(
              { length: 10 },
              (_, i) =>
                [
                  w * x + Math.sin((i * Math.PI) / 5) * (i % 2 ? 18 : 42),
                  h * y + 30 - Math.cos((i * Math.PI) / 5) * (i % 2 ? 18 : 42),
                ] as const,
            ),
            c,
          )
        : ellipse(w * x, h * y + 30, 44, 30, c),
    );
  const x = w * 0.14;
  const y = h * 0.5;
  const cw = w * 0.52;
  d.add(
    d.soft(w * 0.4, h * 0.93, 520, 50, "#0c0a18", 0.7),
    rect(x, y + 40, cw, h * 0.3, "#3b4668"),
    ellipse(x + cw * 0.5, y + 170, cw * 0.46, 70, "#fffaf0"),
    path(
      `M${n(x + 30)} ${n(y + 190)}Q${n(x + cw * 0.4)} ${n(y + 70)} ${n(x + cw - 30)} ${n(y + 190)}V${n(y + 280)}H${n(x + 30)}Z`,
      d.linear([
        [0, "#f6d9a8"],
        [1, "#d9a86a"],
      ]),
    ),
    circle(x + cw * 0.22, y + 140, 58, "#b87a54"),
    path(`M${n(x + cw * 0.22 - 60)} ${n(y + 130)}q8 -64 62 -62q50 4 56 52q-56 -30 -118 10Z`, "#2a1a14"),
    stroke(`M${n(x + cw * 0.22 - 26)} ${n(y + 146)}q10 8 20 0m16 0q10 8 20 0`, "#2a1a14", 4),
  );
  for (let i = 0; i <= 15; i++)
    d.add(
      rounded(
        x + (i * cw) / 15 - 7,
        y + 20,
        14,
        h * 0.32,
        6,
        d.linear(
          [
            [0, "#fffaf0"],
            [1, "#c9bda4"],
          ],
          0,
          0,
          1,
          0,
        ),
      ),
    );
  d.add(
    rounded(x - 24, y, cw + 48, 30, 12, "#fff6e4"),
    rounded(x - 24, y + h * 0.32, cw + 48, 34, 12, "#e9dcc4"),
    rounded(x - 24, y - 40, 26, h * 0.47, 10, "#f4ead6"),
    rounded(x + cw - 2, y - 40, 26, h * 0.47, 10, "#dccfb4"),
  );
  d.add(
    group(
      `translate(${n(w * 0.8)} ${n(h * 0.9)})`,
      d.soft(10, 6, 140, 26, "#0c0a18", 0.6),
      ellipse(0, -90, 84, 96, "#b98a5a"),
      circle(0, -220, 70, "#c29564"),
      circle(-56, -272, 28, "#b98a5a"),
      circle(56, -272, 28, "#b98a5a"),
      ellipse(0, -200, 32, 26, "#ecd6b0"),
      circle(-24, -232, 7, "#2a1a14"),
      circle(24, -232, 7, "#2a1a14"),
      ellipse(0, -212, 10, 7, "#2a1a14"),
      ellipse(0, -80, 46, 60, "#ecd6b0"),
    ),
  );
  return d.finish({ light: [0.78, 0.25, "#c9d2ff", 0.3], vignette: 0.5 });
}

/** A child's arm in plaster, covered in drawings. */
export function plaster(d: Drawing): string {
  const { width: w, height: h } = d;
  d.add(
    rect(
      0,
      0,
      w,
      h,
      d.linear(
        [
          [0, "#8fb0a8"],
          [1, "#5f8a86"],
        ],
        0,
        0,
        1,
        1,
      ),
    ),
  );
  for (let i = 0; i < 9; i++)
    for (let j = 0; j < 7; j++)
      d.add(circle(60 + i * 170 + (j % 2) * 85, 60 + j * 170, 16, "#ffffff", 'opacity="0.14"'));
  d.add(d.soft(w * 0.5, h * 0.72, 640, 180, "#132824", 0.55));
  const skin = d.linear([
    [0, "#efc3a0"],
    [1, "#cf9470"],
  ]);
  d.add(
    group(
      `translate(${n(w * 0.5)} ${n(h * 0.56)}) rotate(-10)`,
      rounded(250, -96, 200, 170, 70, skin),
      ...[-78, -34, 10, 52].map((y, i) => rounded(400, y - 18, 170 - Math.abs(i - 1.4) * 30, 40, 20, skin)),
      group("rotate(-38 300 -90)", rounded(280, -120, 190, 52, 26, skin)),
      path(
        "M-760 -160Q-400 -190 -40 -150Q200 -130 290 -104V86Q120 130 -60 142Q-400 190 -760 170Z",
        d.linear([
          [0, "#ffffff"],
          [0.5, "#f3f0ea"],
          [1, "#c3bdb2"],
        ]),
      ),
      ...Array.from({ length: 12 }, (_, i) =>
        stroke(`M${-640 + i * 78} -168q40 160 -16 326`, "#d6d0c4", 4, 'opacity="0.7"'),
      ),
      text("Get well Ida!", -520, -20, { face: "hand", size: 118, fill: "#3b74b8" }),
      text("Opa", 60, 70, { face: "hand", size: 86, fill: "#b8373a" }),
      text("J♥".slice(0, 1), 130, -40, { face: "hand", size: 110, fill: "#4f8a6a" }),
      path("M-500 110q-30 -60 0 -70q30 -4 34 24q8 -28 36 -22q30 14 -4 64q-20 22 -32 30q-20 -12 -34 -26Z", "#d9443c"),
      circle(-200, 90, 44, "#f2c34a"),
      stroke("M-222 84v2m44 -2v2m-48 14q26 26 54 0", "#5a3a10", 7),
      stroke("M-60 92l40 -50l24 30l30 -56l36 76Z", "#6a4a88", 8),
      polygon(
        [
          [200, 60],
          [212, 30],
          [224, 60],
          [254, 62],
          [230, 80],
          [240, 108],
          [212, 92],
          [186, 108],
          [194, 80],
          [170, 62],
        ],
        "#f08a2c",
      ),
    ),
  );
  return d.finish({ light: [0.2, 0.1, "#fff6dc", 0.4], vignette: 0.36 });
}

/** Many people round a garden table under lanterns. */
export function gardenParty(d: Drawing): string {
  const { width: w, height: h, random } = d;
  d.backdrop([
    [0, "#2f3f6b"],
    [0.4, "#8a6d8f"],
    [0.62, "#e0a080"],
    [1, "#3f5a3c"],
  ]);
  d.add(
    d.blur(
      8,
      ...Array.from({ length: 16 }, (_, i) =>
        circle(
          i * w * 0.07,
          h * random.between(0.34, 0.5),
          random.between(80, 150),
          random.pick(["#2f4a40", "#3d5a48", "#27403c"]),
        ),
      ),
    ),
  );
  d.add(
    rect(
      0,
      h * 0.56,
      w,
      h * 0.44,
      d.linear([
        [0, "#55764a"],
        [1, "#24402c"],
      ]),
    ),
  );
  for (const [y0, sag, y1] of [
    [0.1, 0.34, 0.06],
    [0.02, 0.22, 0.16],
  ] as const) {
    d.add(stroke(`M0 ${n(h * y0)}Q${n(w / 2)} ${n(h * sag)} ${n(w)} ${n(h * y1)}`, "#2a2233", 4));
    for (let i = 0; i < 11; i++) {
      const t = (i + 0.5) / 11;
      const y = (1 - t) ** 2 * h * y0 + 2 * t * (1 - t) * h * sag + t * t * h * y1;
      const c = random.pick(["#ffd27a", "#ff9f6b", "#fff0c0", "#f27d72"]);
      d.add(
        d.soft(w * t, y + 44, 110, 110, c, 0.7),
        ellipse(
          w * t,
          y + 44,
          28,
          32,
          d.radial([
            [0, "#fffbe6"],
            [1, c],
          ]),
        ),
        rect(w * t - 10, y + 10, 20, 8, "#4a3a3a"),
      );
    }
  }
  const coats = ["#7a8fa6", "#b06a7a", "#35598a", "#d9a12c", "#4f8a6a", "#8a5aa0", "#d9583f"];
  const hairs = ["#d9d4cc", "#e6e1d8", "#38261d", "#8a5a34", "#6a3b22", "#2a1a14", "#4a2f22"];
  for (let i = 0; i < 7; i++)
    d.add(
      bust(
        d,
        w * (0.1 + i * 0.133),
        h * (0.71 + (i % 2) * 0.012),
        i === 3 || i === 5 ? 240 : 330,
        coats[i] ?? "#35598a",
        hairs[i] ?? "#38261d",
        i === 5 ? "#a86a48" : "#dca582",
      ),
    );
  d.add(
    path(
      `M${n(-w * 0.02)} ${n(h)}L${n(w * 0.05)} ${n(h * 0.7)}H${n(w * 0.95)}L${n(w * 1.02)} ${n(h)}Z`,
      d.linear([
        [0, "#f6ead2"],
        [1, "#b9a684"],
      ]),
    ),
  );
  for (let i = 0; i < 7; i++) {
    const x = w * (0.11 + i * 0.13);
    d.add(
      ellipse(x, h * 0.79, 66, 20, "#ffffff"),
      ellipse(x, h * 0.788, 46, 13, random.pick(["#d9a86a", "#b9723a", "#e0c06a", "#a8573c"])),
      path(`M${n(x + 74)} ${n(h * 0.735)}h30l-6 44q-9 8 -18 0Z`, i % 2 ? "#b8373a" : "#f2dc9a", 'opacity="0.85"'),
      stroke(`M${n(x + 89)} ${n(h * 0.78)}v32m-14 0h28`, "#f3efe6", 4),
    );
  }
  for (const x of [0.25, 0.5, 0.75])
    d.add(
      d.soft(w * x, h * 0.85, 130, 100, "#ffdf8a", 0.8),
      rounded(w * x - 12, h * 0.86, 24, 70, 6, "#fffaf0"),
      path(`M${n(w * x)} ${n(h * 0.82)}q18 30 0 44q-18 -14 0 -44Z`, "#ffb23e"),
    );
  d.add(
    group(
      `translate(${n(w * 0.5)} ${n(h * 0.97)})`,
      ellipse(0, 0, 190, 40, "#ffffff"),
      rect(
        -130,
        -90,
        260,
        90,
        d.linear(
          [
            [0, "#8a4f2f"],
            [1, "#54290f"],
          ],
          0,
          0,
          1,
          0,
        ),
      ),
      ellipse(0, -90, 130, 28, "#fff3df"),
      text("75", 0, -14, { face: "display", size: 74, fill: "#fff3df", align: "middle" }),
    ),
  );
  return d.finish({ light: [0.5, 0.5, "#ffc070", 0.35], vignette: 0.46 });
}
