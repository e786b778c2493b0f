import { circle, type Drawing, ellipse, group, mix, n, path, polygon, rect, rounded, stroke } from "./drawing.ts";
import { lyingCat } from "./figures.ts";
import { text } from "./lettering.ts";
import { fir } from "./nature.ts";
import { table, wall, windowPane } from "./room-parts.ts";

/** Rooms. (Longer than code should be: drawings are coordinates, and one scene is easier to change in one piece.) */

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

/** A cot under a mobile, by moonlight. */
export function cot(d: Drawing): string {
  const { width: w, height: h } = d;
  wall(d, "#6d7fa6", "#55668f", 0.84, "#7a5a4a");
  windowPane(d, w * 0.62, h * 0.1, 360, 400, ["#141f48", "#3b4f86"], circle(w * 0.78, h * 0.24, 56, "#fff4d0"));
  d.add(d.soft(w * 0.78, h * 0.24, 220, 200, "#dfe4ff", 0.5));
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
      text("J", 130, -40, { face: "hand", size: 110, fill: "#4f8a6a" }),
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
