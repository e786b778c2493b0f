import { circle, type Drawing, ellipse, group, mix, n, path, polygon, rect, rounded, stroke } from "./drawing.ts";
import { lines, text, textWidth } from "./lettering.ts";

/** Pictures that people take in order to read them later: tickets, signs, cards, notes. What they say is part of the story. */

/** A table top under the paper. */
function ground(d: Drawing, colour: string, kind: "wood" | "cloth" | "stone"): void {
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

/** A sheet lying a little askew, with its shadow; parts are drawn from its upper left corner. */
function sheet(d: Drawing, w: number, h: number, angle: number, paper: string, ...parts: string[]): void {
  const x = d.width / 2 - w / 2;
  const y = d.height / 2 - h / 2;
  d.add(
    group(
      `rotate(${angle} ${n(d.width / 2)} ${n(d.height / 2)}) translate(${n(x)} ${n(y)})`,
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

const bars = (d: Drawing, x: number, y: number, w: number, h: number): string => {
  const parts: string[] = [];
  for (let at = 0; at < w; ) {
    const bar = d.random.whole(1, 4) * 3;
    parts.push(rect(x + at, y, bar, h, "#1c1c20"));
    at += bar + d.random.whole(1, 3) * 3;
  }
  return parts.join("");
};

const code = (d: Drawing, x: number, y: number, side: number): string => {
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

const field = (label: string, value: string, x: number, y: number, size = 46): string =>
  text(label, x, y, { face: "medium", size: 21, fill: "#7a7468", spacing: 2 }) +
  text(value, x, y + size + 6, { face: "medium", size, fill: "#22303a" });

export interface TicketWords {
  readonly from: string;
  readonly to: string;
  readonly day: string;
  readonly leaves: string;
  readonly arrives: string;
  readonly train: string;
  readonly seats: string;
  readonly price: string;
  readonly order: string;
}

export function trainTicket(d: Drawing, words: TicketWords): string {
  ground(d, "#6e4a34", "wood");
  sheet(
    d,
    1180,
    560,
    -4,
    "#f8f1df",
    rounded(
      0,
      0,
      1180,
      104,
      8,
      d.linear(
        [
          [0, "#b8473f"],
          [1, "#8f2f34"],
        ],
        0,
        0,
        1,
        0,
      ),
    ),
    text("NORDBAHN", 44, 70, { face: "heavy", size: 54, fill: "#fff2dc", spacing: 5 }),
    text("Fahrkarte · Ticket", 1136, 66, { face: "medium", size: 32, fill: "#fff2dc", align: "end" }),
    field("VON / FROM", words.from, 44, 164, 58),
    field("NACH / TO", words.to, 560, 164, 58),
    stroke("M470 196h52m-16 -14l16 14l-16 14", "#b8473f", 7),
    field("DATUM", words.day, 44, 290),
    field("AB", words.leaves, 400, 290),
    field("AN", words.arrives, 560, 290),
    field("ZUG", words.train, 720, 290),
    field("PLATZ", words.seats, 44, 404),
    field("PREIS", words.price, 560, 404),
    text(words.order, 44, 530, { face: "mono", size: 25, fill: "#5c564c" }),
    stroke("M900 112V552", "#c9bda4", 4, 'stroke-dasharray="4 14"'),
    code(d, 930, 290, 216),
  );
  return d.finish({ light: [0.2, 0.1, "#ffe8bf", 0.3], vignette: 0.42 });
}

export interface BoardingWords {
  readonly name: string;
  readonly flight: string;
  readonly from: readonly [string, string];
  readonly to: readonly [string, string];
  readonly day: string;
  readonly leaves: string;
  readonly gate: string;
  readonly seat: string;
  readonly boarding: string;
}

export function boardingPass(d: Drawing, words: BoardingWords): string {
  ground(d, "#3f5a6e", "cloth");
  sheet(
    d,
    1240,
    540,
    5,
    "#ffffff",
    rounded(
      0,
      0,
      1240,
      96,
      8,
      d.linear(
        [
          [0, "#22506e"],
          [1, "#2f7a8a"],
        ],
        0,
        0,
        1,
        0,
      ),
    ),
    text("aerwing", 40, 66, { face: "display", size: 58, fill: "#ffffff" }),
    text("BOARDING PASS", 860, 62, { face: "medium", size: 32, fill: "#dff0f2", align: "end", spacing: 4 }),
    text(words.from[0], 40, 236, { face: "heavy", size: 120, fill: "#22303a" }),
    text(words.from[1], 44, 276, { face: "sans", size: 28, fill: "#6a7680" }),
    text(words.to[0], 600, 236, { face: "heavy", size: 120, fill: "#22303a" }),
    text(words.to[1], 604, 276, { face: "sans", size: 28, fill: "#6a7680" }),
    stroke("M320 200h220", "#2f7a8a", 5, 'stroke-dasharray="2 16"'),
    group(
      "translate(430 196) rotate(90)",
      path(
        "M0 -44Q10 -38 10 -14L52 16V28L10 16V38L24 50V58L0 50L-24 58V50L-10 38V16L-52 28V16L-10 -14Q-10 -38 0 -44Z",
        "#2f7a8a",
      ),
    ),
    field("PASSENGER", words.name, 40, 332, 40),
    field("FLIGHT", words.flight, 430, 332, 40),
    field("DATE", words.day, 640, 332, 40),
    field("GATE", words.gate, 40, 438, 52),
    field("SEAT", words.seat, 230, 438, 52),
    field("BOARDING", words.boarding, 430, 438, 52),
    field("DEPARTS", words.leaves, 640, 438, 52),
    stroke("M890 0V540", "#b9c6cc", 4, 'stroke-dasharray="4 14"'),
    code(d, 950, 150, 230),
    text(`${words.from[0]} – ${words.to[0]}`, 1065, 436, { face: "heavy", size: 44, fill: "#22303a", align: "middle" }),
    text(`${words.flight}  ·  ${words.seat}`, 1065, 486, {
      face: "medium",
      size: 32,
      fill: "#4a5660",
      align: "middle",
    }),
  );
  return d.finish({ light: [0.8, 0.1, "#fff4dc", 0.3], vignette: 0.4 });
}

export interface MenuWords {
  readonly house: string;
  readonly under: string;
  readonly dishes: readonly (readonly [string, string])[];
  readonly foot: string;
}

export function menu(d: Drawing, words: MenuWords): string {
  ground(d, "#7a5a3c", "wood");
  d.add(
    d.soft(d.width * 0.12, d.height * 0.1, 260, 260, "#ffdf9a", 0.7),
    ellipse(d.width * 0.1, d.height * 0.06, 74, 74, "#fff3cf"),
  );
  const w = 800;
  const h = d.height - 130;
  sheet(
    d,
    w,
    h,
    -2,
    "#f6ecd6",
    rect(26, 26, w - 52, h - 52, "none", 'stroke="#8a6a44" stroke-width="3"'),
    rect(36, 36, w - 72, h - 72, "none", 'stroke="#8a6a44" stroke-width="1.5"'),
    text(words.house, w / 2, 150, { face: "display", size: 74, fill: "#3f2a1c", align: "middle" }),
    text(words.under, w / 2, 204, { face: "hand", size: 46, fill: "#8a4a34", align: "middle" }),
    stroke(`M${n(w / 2 - 120)} 236h100m40 0h100`, "#8a6a44", 3),
    circle(w / 2, 236, 8, "#8a4a34"),
    ...words.dishes.map(
      ([dish, price], i) =>
        text(dish, 86, 330 + i * 112, { face: "serif", size: 39, fill: "#3f2a1c" }) +
        text(price, w - 86, 330 + i * 112, { face: "serif", size: 39, fill: "#3f2a1c", align: "end" }) +
        stroke(
          `M${n(100 + textWidth(dish, { face: "serif", size: 39 }))} ${n(324 + i * 112)}H${n(w - 104 - textWidth(price, { face: "serif", size: 39 }))}`,
          "#8a6a44",
          3,
          'stroke-dasharray="1 12"',
        ),
    ),
    text(words.foot, w / 2, h - 74, { face: "hand", size: 42, fill: "#8a4a34", align: "middle" }),
  );
  return d.finish({ light: [0.1, 0.08, "#ffd890", 0.45], vignette: 0.46 });
}

export interface ReceiptWords {
  readonly shop: string;
  readonly under: readonly string[];
  readonly items: readonly (readonly [string, string])[];
  readonly total: readonly [string, string];
  readonly foot: readonly string[];
}

export function receipt(d: Drawing, words: ReceiptWords): string {
  ground(d, "#8a8d88", "stone");
  const w = 640;
  const h = 300 + words.under.length * 36 + words.items.length * 50 + words.foot.length * 38 + 130;
  let teeth = `M0 ${h}`;
  for (let i = 0; i < 32; i++) teeth += `l10 14l10 -14`;
  let y = 160;
  const parts: string[] = [
    path(`${teeth}Z`, "#f1ece2"),
    text(words.shop, w / 2, 96, { face: "heavy", size: 52, fill: "#22242a", align: "middle" }),
  ];
  for (const line of words.under) {
    parts.push(text(line, w / 2, y, { face: "mono", size: 24, fill: "#44464c", align: "middle" }));
    y += 36;
  }
  y += 36;
  for (const [item, price] of words.items) {
    parts.push(
      text(item, 44, y, { face: "mono", size: 28, fill: "#2b2d33" }),
      text(price, w - 44, y, { face: "mono", size: 28, fill: "#2b2d33", align: "end" }),
    );
    y += 50;
  }
  parts.push(
    stroke(`M44 ${n(y - 14)}H${w - 44}`, "#2b2d33", 3, 'stroke-dasharray="10 8"'),
    text(words.total[0], 44, y + 42, { face: "heavy", size: 42, fill: "#22242a" }),
    text(words.total[1], w - 44, y + 42, { face: "heavy", size: 42, fill: "#22242a", align: "end" }),
  );
  y += 104;
  for (const line of words.foot) {
    parts.push(text(line, w / 2, y, { face: "mono", size: 24, fill: "#44464c", align: "middle" }));
    y += 38;
  }
  parts.push(bars(d, 150, y, 340, 70));
  sheet(d, w, h, 3, "#fbf8f1", ...parts);
  return d.finish({ light: [0.85, 0.1, "#fff6e0", 0.3], vignette: 0.4 });
}

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

export function prescription(
  d: Drawing,
  words: { practice: string; who: string; day: string; rx: readonly string[]; foot: string },
): string {
  ground(d, "#5c7a72", "wood");
  const w = 760;
  const h = 900;
  sheet(
    d,
    w,
    h,
    2,
    "#eaf4ea",
    rect(0, 0, w, 110, "#3f7a68", 'rx="8"'),
    text(words.practice, 40, 72, { face: "heavy", size: 44, fill: "#ffffff" }),
    group(`translate(${w - 80} 56)`, rect(-10, -30, 20, 60, "#ffffff"), rect(-30, -10, 60, 20, "#ffffff")),
    text(`Patient: ${words.who}`, 44, 184, { face: "medium", size: 36, fill: "#22303a" }),
    text(`Date: ${words.day}`, 44, 236, { face: "medium", size: 36, fill: "#22303a" }),
    stroke(`M44 266H${w - 44}`, "#8fb0a4", 3),
    text("Rx", 44, 380, { face: "display", size: 96, fill: "#3f7a68" }),
    lines(words.rx, 190, 366, 92, { face: "hand", size: 66, fill: "#22407a" }),
    text(words.foot, 44, h - 130, { face: "sans", size: 30, fill: "#4a5a58" }),
    stroke(`M${w - 330} ${h - 190}q40 -70 60 -10q20 40 50 -30q30 -50 40 20q20 30 60 -20`, "#22407a", 5),
    bars(d, 44, h - 96, 300, 56),
  );
  d.add(
    group(
      `translate(${n(d.width * 0.87)} ${n(d.height * 0.76)}) rotate(14)`,
      d.soft(20, 20, 160, 160, "#0c1a14", 0.5),
      rounded(
        -110,
        -150,
        220,
        300,
        14,
        d.linear(
          [
            [0, "#e6e9ec"],
            [1, "#aab2b8"],
          ],
          0,
          0,
          1,
          1,
        ),
      ),
      ...Array.from({ length: 8 }, (_, i) =>
        ellipse(
          -50 + (i % 2) * 100,
          -108 + Math.floor(i / 2) * 72,
          36,
          24,
          d.linear([
            [0, "#ffffff"],
            [0.5, i < 2 ? "#c9ced2" : "#f2c9a0"],
            [1, i < 2 ? "#9aa2a8" : "#d98a5a"],
          ]),
        ),
      ),
    ),
  );
  return d.finish({ light: [0.2, 0.1, "#fff6dc", 0.3], vignette: 0.4 });
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
