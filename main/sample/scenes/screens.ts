import { circle, type Drawing, ellipse, group, n, path, polygon, rect, rounded, stroke } from "./drawing.ts";
import { text } from "./lettering.ts";

/** Screenshots of a phone: flat colours, written as PNG. */

function statusBar(d: Drawing, time: string, ink: string): void {
  d.add(
    text(time, 56, 62, { face: "medium", size: 38, fill: ink }),
    rounded(d.width - 110, 34, 56, 28, 7, "none", `stroke="${ink}" stroke-width="4"`),
    rect(d.width - 103, 41, 34, 14, ink),
    ...[0, 1, 2, 3].map((i) => rect(d.width - 206 + i * 18, 60 - 8 - i * 7, 12, 8 + i * 7, ink)),
  );
}

/** The heating app with its error. */
export function heatingApp(d: Drawing): string {
  const { width: w, height: h } = d;
  d.add(
    rect(
      0,
      0,
      w,
      h,
      d.linear([
        [0, "#22384e"],
        [1, "#101c2a"],
      ]),
    ),
  );
  statusBar(d, "06:52", "#ffffff");
  d.add(
    text("Hearth", w / 2, 190, { face: "display", size: 76, fill: "#ffffff", align: "middle" }),
    text("14 Alder Row · Living room", w / 2, 246, { face: "sans", size: 36, fill: "#9fb6c9", align: "middle" }),
    circle(w / 2, 590, 260, "none", 'stroke="#33506b" stroke-width="34"'),
    path(
      `M${n(w / 2 - 184)} 774A260 260 0 0 1 ${n(w / 2 - 247)} 510`,
      "none",
      'stroke="#6ec1ff" stroke-width="34" stroke-linecap="round"',
    ),
    text("11°", w / 2 + 18, 660, { face: "medium", size: 210, fill: "#ffffff", align: "middle" }),
    text("target 19°", w / 2, 740, { face: "sans", size: 42, fill: "#9fb6c9", align: "middle" }),
    rounded(60, 960, w - 120, 330, 34, "#5a2430"),
    circle(150, 1060, 46, "#ff7a6b"),
    rect(143, 1032, 14, 36, "#5a2430"),
    circle(150, 1084, 8, "#5a2430"),
    text("Boiler fault E119", 226, 1052, { face: "heavy", size: 56, fill: "#ffffff" }),
    text("Low water pressure: 0.3 bar", 226, 1112, { face: "sans", size: 40, fill: "#ffd0ca" }),
    text("since Sun 14 Jan, 05:40", 226, 1164, { face: "sans", size: 36, fill: "#ffd0ca" }),
    rounded(226, 1200, 280, 62, 31, "#ff7a6b"),
    text("Call engineer", 366, 1242, { face: "medium", size: 34, fill: "#3a1018", align: "middle" }),
  );
  for (const [i, line] of ["Hot water  off", "Heating  off", "Outside  −2°"].entries()) {
    d.add(
      rounded(60 + i * ((w - 120) / 3), 1340, (w - 160) / 3, 130, 24, "#1c3044"),
      text(line, 60 + i * ((w - 120) / 3) + (w - 160) / 6, 1418, {
        face: "medium",
        size: 32,
        fill: "#c9d9e6",
        align: "middle",
      }),
    );
  }
  return d.finish({ grain: 0, vignette: 0 });
}

/** A message from the streaming service about its price. */
export function priceNotice(d: Drawing): string {
  const { width: w, height: h } = d;
  d.add(rect(0, 0, w, h, "#faf6ee"));
  statusBar(d, "21:14", "#22242a");
  d.add(
    rect(
      0,
      100,
      w,
      360,
      d.linear(
        [
          [0, "#3a1f56"],
          [1, "#b8473f"],
        ],
        0,
        0,
        1,
        1,
      ),
    ),
    circle(w / 2, 250, 86, "none", 'stroke="#fff2dc" stroke-width="12"'),
    ...[0, 72, 144, 216, 288].map((a) => group(`rotate(${a} ${n(w / 2)} 250)`, circle(w / 2, 204, 20, "#fff2dc"))),
    circle(w / 2, 250, 14, "#fff2dc"),
    text("Reelhouse", w / 2, 424, { face: "display", size: 70, fill: "#fff2dc", align: "middle" }),
  );
  d.add(
    text("Your plan is changing", 70, 580, { face: "heavy", size: 68, fill: "#22242a" }),
    ...["From 1 March 2025 the Family plan", "costs a little more each month."].map((line, i) =>
      text(line, 70, 660 + i * 56, { face: "sans", size: 42, fill: "#4a4640" }),
    ),
    rounded(70, 790, w - 140, 300, 30, "#ffffff"),
    text("until now", 120, 870, { face: "sans", size: 36, fill: "#8a8478" }),
    text("£9.99", 120, 960, { face: "medium", size: 84, fill: "#8a8478" }),
    stroke("M112 932h214", "#b8473f", 7),
    stroke(`M${n(w * 0.45)} 930h90m-24 -24l24 24l-24 24`, "#b8473f", 9),
    text("from 1 March", w * 0.6, 870, { face: "sans", size: 36, fill: "#8a8478" }),
    text("£12.99", w * 0.6, 960, { face: "heavy", size: 92, fill: "#22242a" }),
    text("per month, 4 screens", 120, 1046, { face: "sans", size: 36, fill: "#4a4640" }),
    rounded(70, 1160, w - 140, 110, 55, "#b8473f"),
    text("Keep my plan", w / 2, 1232, { face: "medium", size: 46, fill: "#fff2dc", align: "middle" }),
    text("Change or cancel any time in Account", w / 2, 1350, {
      face: "sans",
      size: 36,
      fill: "#8a8478",
      align: "middle",
    }),
  );
  return d.finish({ grain: 0, vignette: 0 });
}

/** A map with the way to the barn. */
export function mapRoute(d: Drawing): string {
  const { width: w, height: h, random } = d;
  d.add(rect(0, 0, w, h, "#e9efe0"));
  for (let i = 0; i < 16; i++)
    d.add(
      polygon(
        Array.from(
          { length: 6 },
          (_, k) =>
            [
              random.between(0, w * 0.9) * 0.4 + i * 56 + Math.cos(k) * random.between(60, 150),
              ((i * 211) % 1300) + Math.sin(k) * random.between(60, 150),
            ] as const,
        ),
        random.pick(["#d3e6bf", "#dfe9cf", "#c9dfb4", "#efe6cc"]),
      ),
    );
  d.add(
    path(`M${n(w * 0.62)} 0Q${n(w * 0.7)} 300 ${n(w * 0.82)} 420T${n(w)} 900V0Z`, "#a9d3e6"),
    stroke(`M${n(w * 0.62)} 0Q${n(w * 0.7)} 300 ${n(w * 0.82)} 420T${n(w)} 900`, "#f2e3bd", 16),
  );
  for (const [a, b] of [
    ["M0 900Q400 760 1100 980", 26],
    ["M300 0Q260 500 420 1500", 22],
    ["M0 420Q420 480 900 260", 18],
    ["M560 1500Q620 1000 500 620T700 200", 16],
  ] as const)
    d.add(stroke(a, "#ffffff", b), stroke(a, "#d9d3c4", 2));
  d.add(
    stroke("M640 280Q600 380 500 470Q420 560 440 700Q470 820 400 900Q360 960 380 1080", "#2f6bd6", 20),
    circle(640, 280, 26, "#ffffff"),
    circle(640, 280, 16, "#2f6bd6"),
    path("M380 1086Q300 990 300 940A80 80 0 1 1 460 940Q460 990 380 1086Z", "#d9443c"),
    circle(380, 940, 30, "#ffffff"),
    ellipse(380, 1092, 40, 10, "#000000", 'opacity="0.2"'),
    text("Whitby", 690, 300, { face: "heavy", size: 50, fill: "#33424e" }),
    text("Robin's Dike Lane", 90, 640, { face: "sans", size: 34, fill: "#6a7268" }),
    text("North Sea", 830, 330, { face: "serif", size: 46, fill: "#5a8aa6" }),
  );
  d.add(
    rounded(40, 110, w - 80, 110, 55, "#ffffff"),
    circle(106, 165, 18, "#2f6bd6"),
    text("Thornwick Barn, YO22", 150, 180, { face: "medium", size: 46, fill: "#22242a" }),
    rounded(0, 1180, w, h - 1180, 40, "#ffffff"),
    rounded(w / 2 - 50, 1204, 100, 10, 5, "#c9c9c4"),
    text("17 min", 70, 1300, { face: "heavy", size: 76, fill: "#2f8a4a" }),
    text("(7.4 miles)", 330, 1300, { face: "sans", size: 46, fill: "#6a6a66" }),
    text("Parking in the lower field, not at the barn", 70, 1370, { face: "sans", size: 38, fill: "#4a4a46" }),
    rounded(70, 1410, 300, 90, 45, "#2f6bd6"),
    text("Start", 220, 1470, { face: "medium", size: 44, fill: "#ffffff", align: "middle" }),
  );
  statusBar(d, "13:05", "#22242a");
  return d.finish({ grain: 0, vignette: 0 });
}
