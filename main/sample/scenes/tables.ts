import { circle, type Drawing, ellipse, group, mix, n, path, polygon, rect, rounded, stroke } from "./drawing.ts";
import { bust } from "./figures.ts";
import { text } from "./lettering.ts";
import { flakes } from "./nature.ts";
import { bokeh, table, wall, windowPane } from "./room-parts.ts";

/** Tables that are laid. (Longer than code should be: drawings are coordinates, and one scene is easier to change in one piece.) */

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
