import { circle, type Drawing, ellipse, group, n, path, rect, rounded, stroke } from "./drawing.ts";
import { lines, text, textWidth } from "./lettering.ts";
import { bars, code, field, ground, sheet } from "./paper-parts.ts";

/** Printed papers that people photograph in order to read them later: what they say is part of the story. */

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
