import { circle, type Drawing, ellipse, group, mix, n, path, polygon, rect, rounded, stroke } from "./drawing.ts";
import { lines, text, textWidth } from "./lettering.ts";
import { ground, sheet } from "./paper-parts.ts";

/** Signs, boards and cards, with words that are part of the story. (Longer than code should be: drawings are coordinates, and one scene is easier to change in one piece.) */

export interface BoardWords {
  readonly title: string;
  readonly left: readonly string[];
  readonly right: readonly string[];
}

export function whiteboard(d: Drawing, words: BoardWords): string {
  const { width: w, height: h } = d;
  d.add(
    rect(
      0,
      0,
      w,
      h,
      d.linear([
        [0, "#c9c3b6"],
        [1, "#a39c8e"],
      ]),
    ),
  );
  d.add(
    ...[24, 16, 8].map((k) =>
      rounded(78 - k * 0.6, 82 - k * 0.4, w - 150 + k, h - 196 + k, 14 + k, "#2a241c", 'opacity="0.14"'),
    ),
    rounded(
      70,
      70,
      w - 140,
      h - 190,
      14,
      d.linear([
        [0, "#d9dcdd"],
        [1, "#9aa0a3"],
      ]),
    ),
    rounded(
      90,
      90,
      w - 180,
      h - 230,
      8,
      d.linear(
        [
          [0, "#ffffff"],
          [0.6, "#f3f6f6"],
          [1, "#dde4e6"],
        ],
        0,
        0,
        1,
        1,
      ),
    ),
    polygon(
      [
        [w * 0.62, 90],
        [w * 0.78, 90],
        [w * 0.54, h - 140],
        [w * 0.38, h - 140],
      ],
      "#ffffff",
      'opacity="0.55"',
    ),
  );
  d.add(
    text(words.title, w / 2, 196, { face: "hand", size: 96, fill: "#2a5a9a", align: "middle" }),
    stroke(`M${n(w * 0.26)} 222q${n(w * 0.24)} 16 ${n(w * 0.48)} -6`, "#2a5a9a", 6),
    lines(words.left, 150, 330, 84, { face: "hand", size: 62, fill: "#2b2d33" }),
    lines(words.right, w * 0.64, 330, 84, { face: "hand", size: 58, fill: "#b8373a" }),
  );
  const gx = w * 0.4;
  const gy = h * 0.68;
  d.add(
    stroke(`M${n(gx)} ${n(gy)}q90 -90 190 -30q110 60 210 -40`, "#8a5a34", 9),
    ...(
      [
        [40, 70, 40, "#3f8a4a"],
        [150, 110, 54, "#3f8a4a"],
        [270, 90, 34, "#3f8a4a"],
        [330, -90, 44, "#3f8a4a"],
        [90, -110, 30, "#d9833a"],
        [190, -150, 36, "#3f8a4a"],
      ] as const
    ).map(
      ([dx, dy, r, c]) =>
        circle(gx + dx, gy + dy, r, "none", `stroke="${c}" stroke-width="7"`) +
        stroke(
          `M${n(gx + dx - r * 0.6)} ${n(gy + dy + r * 0.5)}l${n(r * 1.2)} ${n(-r)}m${n(-r * 0.9)} ${n(-r * 0.1)}l${n(r * 0.7)} ${n(r * 0.9)}`,
          c,
          4,
        ),
    ),
  );
  d.add(
    rounded(w * 0.3, h - 122, w * 0.4, 26, 8, "#8f9598"),
    rounded(w * 0.36, h - 140, 110, 20, 8, "#2a5a9a"),
    rounded(w * 0.47, h - 140, 110, 20, 8, "#b8373a"),
    rounded(w * 0.57, h - 148, 90, 28, 6, "#3a3d44"),
    group(
      `translate(${n(w * 0.86)} ${n(h * 0.6)}) rotate(4)`,
      rect(
        -80,
        -80,
        160,
        160,
        d.linear([
          [0, "#ffe98a"],
          [1, "#f2c94a"],
        ]),
      ),
      lines(["ask", "Nadia!"], -50, -10, 54, { face: "hand", size: 52, fill: "#5a4210" }),
    ),
  );
  return d.finish({ light: [0.3, 0.1, "#ffffff", 0.3], vignette: 0.32 });
}

/** A street name plate on brick. */
export function streetSign(d: Drawing, name: string, district: string): string {
  const { width: w, height: h, random } = d;
  d.add(rect(0, 0, w, h, "#c9b49a"));
  for (let r = 0; r < 17; r++)
    for (let c = 0; c < 9; c++)
      d.add(
        rounded(
          c * 182 - (r % 2) * 91,
          r * 66,
          174,
          58,
          4,
          mix(random.pick(["#b5674a", "#a8573c", "#c07a58", "#94482f", "#8a5a4a"]), "#5a2418", random.next() * 0.35),
        ),
      );
  d.add(
    rect(
      0,
      0,
      w,
      h,
      d.linear(
        [
          [0, "#fff0c8", 0.35],
          [1, "#1c0a08", 0.35],
        ],
        0,
        0,
        1,
        1,
      ),
    ),
  );
  for (let i = 0; i < 60; i++) {
    const x = random.next() ** 2 * w * 0.35;
    const y = random.between(0, h);
    d.add(
      group(
        `translate(${n(x)} ${n(y)}) rotate(${n(random.between(0, 360))})`,
        path(
          "M0 0Q34 -30 60 0Q34 34 0 0Z",
          d.linear([
            [0, "#8fb85c"],
            [1, "#3f6b3c"],
          ]),
        ),
        stroke("M4 0H52", "#c9dc9a", 2),
      ),
    );
  }
  d.add(
    ...[30, 20, 10].map((k) =>
      rounded(w * 0.18 - k * 0.2, h * 0.33 + k * 0.2, w * 0.68 + k, h * 0.32 + k, 12 + k, "#1c0a08", 'opacity="0.2"'),
    ),
    rounded(
      w * 0.18,
      h * 0.33,
      w * 0.68,
      h * 0.32,
      12,
      d.linear(
        [
          [0, "#ffffff"],
          [1, "#d6d6d0"],
        ],
        0,
        0,
        1,
        1,
      ),
    ),
    rounded(w * 0.18 + 16, h * 0.33 + 16, w * 0.68 - 32, h * 0.32 - 32, 6, "none", 'stroke="#22242a" stroke-width="5"'),
    text(name, w * 0.52, h * 0.5, { face: "heavy", size: 128, fill: "#22242a", align: "middle", spacing: 4 }),
    text(district, w * 0.52, h * 0.6, { face: "medium", size: 54, fill: "#b8373a", align: "middle", spacing: 4 }),
  );
  for (const [x, y] of [
    [0.2, 0.36],
    [0.84, 0.36],
    [0.2, 0.62],
    [0.84, 0.62],
  ] as const)
    d.add(circle(w * x, h * y, 9, "#8a8c90"), circle(w * x - 2, h * y - 2, 4, "#e9eaec"));
  return d.finish({ light: [0.15, 0.1, "#fff0c0", 0.35], vignette: 0.4 });
}

export function parkingSign(d: Drawing, rows: readonly string[]): string {
  const { width: w, height: h, random } = d;
  d.backdrop([
    [0, "#9fc0d6"],
    [0.6, "#e6e4da"],
    [1, "#b9b2a4"],
  ]);
  d.add(
    d.blur(
      16,
      ...Array.from({ length: 8 }, (_, i) =>
        rect(
          i * 190 - 40,
          h * random.between(0.3, 0.45),
          170,
          h * 0.5,
          random.pick(["#c98f74", "#d9c49a", "#a9b8b4", "#b5674a", "#8fa6b0"]),
        ),
      ),
      ...Array.from({ length: 6 }, () =>
        circle(random.between(0, w), h * random.between(0.35, 0.6), random.between(60, 120), "#7fa35c"),
      ),
      rect(0, h * 0.8, w, h * 0.2, "#77757a"),
      rounded(w * 0.02, h * 0.68, 420, 170, 60, "#3f6b8a"),
      rounded(w * 0.72, h * 0.7, 400, 150, 60, "#a84a42"),
    ),
  );
  const x = w * 0.5;
  d.add(
    rect(
      x - 17,
      h * 0.1,
      34,
      h,
      d.linear(
        [
          [0, "#c9cdd0"],
          [0.5, "#8f9598"],
          [1, "#5c6266"],
        ],
        0,
        0,
        1,
        0,
      ),
    ),
    ...[28, 18, 9].map((k) =>
      rounded(x - 300 - k * 0.2, h * 0.07, 600 + k, h * 0.74 + k, 26 + k, "#1c2430", 'opacity="0.16"'),
    ),
    rounded(
      x - 300,
      h * 0.07,
      600,
      h * 0.74,
      26,
      d.linear(
        [
          [0, "#ffffff"],
          [1, "#dcdfe0"],
        ],
        0,
        0,
        1,
        1,
      ),
    ),
    rounded(x - 286, h * 0.07 + 14, 572, h * 0.74 - 28, 18, "none", 'stroke="#1f4f9a" stroke-width="8"'),
    rounded(x - 95, h * 0.11, 190, 190, 20, "#1f4f9a"),
    text("P", x, h * 0.11 + 158, { face: "heavy", size: 180, fill: "#ffffff", align: "middle" }),
    ...rows.map((row, i) =>
      text(row, x, h * 0.37 + i * 88, {
        face: i === 0 ? "heavy" : "medium",
        size: i === 0 ? 66 : 52,
        fill: i === rows.length - 1 ? "#b8373a" : "#22303e",
        align: "middle",
      }),
    ),
  );
  return d.finish({ light: [0.2, 0.05, "#fff4d0", 0.3], vignette: 0.3 });
}

/** A gig poster pasted on a wall. */
export function poster(
  d: Drawing,
  words: { band: readonly string[]; where: string; day: string; struck: string; doors: string },
): string {
  const { width: w, height: h, random } = d;
  d.add(
    rect(
      0,
      0,
      w,
      h,
      d.linear([
        [0, "#8a8f94"],
        [1, "#5a5e66"],
      ]),
    ),
  );
  for (let i = 0; i < 600; i++)
    d.add(
      circle(
        random.between(0, w),
        random.between(0, h),
        random.between(1, 6),
        random.chance(0.5) ? "#ffffff" : "#1c1c22",
        'opacity="0.1"',
      ),
    );
  for (const [x, y, a, c] of [
    [-60, 120, -6, "#d9a12c"],
    [w - 250, 640, 7, "#4f8a8a"],
    [-90, 900, 4, "#b55f7a"],
  ] as const)
    d.add(
      group(
        `rotate(${a} ${n(x)} ${n(y)})`,
        rect(x, y, 330, 460, c),
        rect(x + 30, y + 40, 270, 30, "#ffffff", 'opacity="0.5"'),
        circle(x + 165, y + 230, 90, "#ffffff", 'opacity="0.35"'),
      ),
    );
  const pw = w - 250;
  const ph = h - 170;
  sheet(
    d,
    pw,
    ph,
    1.5,
    "#24123f",
    rect(
      0,
      0,
      pw,
      ph,
      d.linear([
        [0, "#1c1040"],
        [0.55, "#7a2f6a"],
        [0.8, "#e0704a"],
        [1, "#f6b45a"],
      ]),
    ),
    circle(
      pw / 2,
      ph * 0.5,
      220,
      d.linear([
        [0, "#fff0b8"],
        [1, "#f6a04a"],
      ]),
    ),
    ...Array.from({ length: 7 }, (_, i) =>
      rect(pw / 2 - 240, ph * 0.5 + 26 + i * 28, 480, 6 + i * 2, mix("#7a2f6a", "#e0704a", i / 7)),
    ),
    ...Array.from({ length: 60 }, () =>
      circle(random.between(0, pw), random.between(0, ph * 0.4), random.between(1, 4), "#fff0d0", 'opacity="0.8"'),
    ),
    path(
      `M0 ${n(ph * 0.78)}Q${n(pw * 0.2)} ${n(ph * 0.66)} ${n(pw * 0.36)} ${n(ph * 0.74)}T${n(pw * 0.7)} ${n(ph * 0.7)}T${n(pw)} ${n(ph * 0.76)}V${n(ph)}H0Z`,
      "#24123f",
    ),
    ...words.band.map((line, i) =>
      text(line, pw / 2, 170 + i * 122, { face: "display", size: 128, fill: "#fff2d0", align: "middle" }),
    ),
    text(words.where, pw / 2, ph * 0.84, { face: "heavy", size: 62, fill: "#ffd98a", align: "middle", spacing: 5 }),
    text(words.struck, pw / 2, ph * 0.9, { face: "medium", size: 46, fill: "#c9a0b8", align: "middle" }),
    stroke(
      `M${n(pw / 2 - textWidth(words.struck, { face: "medium", size: 46 }) / 2 - 8)} ${n(ph * 0.888)}h${n(textWidth(words.struck, { face: "medium", size: 46 }) + 16)}`,
      "#ff8a6b",
      6,
    ),
    text(words.doors, pw / 2, ph * 0.965, { face: "medium", size: 36, fill: "#f2d9c4", align: "middle" }),
    group(
      `rotate(-7 ${n(pw * 0.5)} ${n(ph * 0.62)})`,
      rect(40, ph * 0.56, pw - 80, 110, "#fff3c4"),
      text(words.day, pw / 2, ph * 0.56 + 80, { face: "heavy", size: 70, fill: "#b8273a", align: "middle" }),
    ),
    polygon(
      [
        [-20, -20],
        [90, -26],
        [84, 10],
        [-24, 20],
      ],
      "#f6f0dc",
      'opacity="0.7"',
    ),
    polygon(
      [
        [pw - 80, -24],
        [pw + 26, -10],
        [pw + 22, 24],
        [pw - 84, 14],
      ],
      "#f6f0dc",
      'opacity="0.7"',
    ),
  );
  return d.finish({ light: [0.3, 0.05, "#ffe8c4", 0.25], vignette: 0.44 });
}

export function recipeCard(
  d: Drawing,
  words: { title: string; parts: readonly string[]; steps: readonly string[] },
): string {
  ground(d, "#a8583f", "cloth");
  const w = 1080;
  const h = 780;
  d.add(
    group(
      `translate(${n(d.width * 0.9)} ${n(d.height * 0.84)})`,
      d.soft(10, 40, 190, 60, "#1c0806", 0.6),
      path(
        "M0 -110Q-110 -140 -130 -20Q-120 110 -30 110Q0 96 30 110Q120 110 130 -20Q110 -140 0 -110Z",
        d.radial(
          [
            [0, "#ff9a7a"],
            [0.5, "#d9443c"],
            [1, "#8f1f24"],
          ],
          0.35,
          0.3,
          0.8,
        ),
      ),
      stroke("M0 -106Q6 -150 34 -168", "#5a3a1c", 12),
      path("M14 -140Q70 -190 120 -150Q70 -110 14 -140Z", "#7fae4c"),
    ),
  );
  sheet(
    d,
    w,
    h,
    -3,
    "#fbf2da",
    stroke(`M40 150H${w - 40}`, "#d98a7a", 4),
    ...Array.from({ length: 8 }, (_, i) => stroke(`M40 ${224 + i * 68}H${w - 40}`, "#b9cdd9", 2)),
    text(words.title, 56, 124, { face: "hand", size: 92, fill: "#8f2f34" }),
    lines(words.parts, 60, 212, 68, { face: "hand", size: 52, fill: "#2f3f6b" }),
    lines(words.steps, 500, 212, 68, { face: "hand", size: 52, fill: "#2f3f6b" }),
    ellipse(860, 690, 90, 74, "#b9783a", 'opacity="0.16"'),
    ellipse(860, 690, 66, 52, "#fbf2da", 'opacity="0.6"'),
    circle(420, 700, 20, "#b9783a", 'opacity="0.16"'),
  );
  return d.finish({ light: [0.15, 0.1, "#fff0c4", 0.35], vignette: 0.4 });
}

export function wifiCard(d: Drawing, network: string, password: string): string {
  ground(d, "#c2935f", "wood");
  const w = 1000;
  const h = 620;
  d.add(
    group(
      `translate(${n(d.width * 0.1)} ${n(d.height * 0.84)})`,
      d.soft(10, 60, 200, 60, "#2a1608", 0.6),
      path(
        "M-110 -60H110L84 90H-84Z",
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
      ...[-56, -24, 8, 40].map((a) =>
        group(
          `rotate(${a} 0 -60)`,
          ellipse(
            0,
            -160,
            36,
            100,
            d.linear([
              [0, "#8fc27a"],
              [1, "#3f7048"],
            ]),
          ),
        ),
      ),
    ),
  );
  const arcs = [60, 110, 160].map((r) =>
    stroke(
      `M${n(250 - r * 0.72)} ${n(330 - r * 0.72)}A${r} ${r} 0 0 1 ${n(250 + r * 0.72)} ${n(330 - r * 0.72)}`,
      "#3f8a6a",
      24,
    ),
  );
  sheet(
    d,
    w,
    h,
    4,
    "#ffffff",
    rounded(18, 18, w - 36, h - 36, 16, "none", 'stroke="#3f8a6a" stroke-width="6"'),
    ...arcs,
    circle(250, 336, 24, "#3f8a6a"),
    text("Welcome!", 480, 150, { face: "hand", size: 96, fill: "#3f8a6a" }),
    text("NETWORK", 484, 226, { face: "medium", size: 28, fill: "#7a8680", spacing: 4 }),
    text(network, 480, 286, { face: "mono", size: 56, fill: "#22303a" }),
    text("PASSWORD", 484, 366, { face: "medium", size: 28, fill: "#7a8680", spacing: 4 }),
    text(password, 480, 418, { face: "mono", size: 37, fill: "#22303a" }),
    text("(guests: please no streaming at dinner)", w / 2, 540, {
      face: "hand",
      size: 46,
      fill: "#8a7a5c",
      align: "middle",
    }),
  );
  return d.finish({ light: [0.85, 0.1, "#fff2c8", 0.35], vignette: 0.36 });
}
