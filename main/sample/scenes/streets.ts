import {
  circle,
  type Drawing,
  fade,
  group,
  mix,
  n,
  type Point,
  path,
  polygon,
  rect,
  rounded,
  stroke,
} from "./drawing.ts";
import { person } from "./figures.ts";
import { text } from "./lettering.ts";
import { cloud, hills, tree, water } from "./nature.ts";

/** Streets. (Longer than code should be: drawings are coordinates, and one scene is easier to change in one piece.) */

/** Streets and evenings out. */

interface House {
  readonly x: number;
  readonly w: number;
  readonly h: number;
  readonly colour: string;
  readonly gable: "steps" | "point" | "flat";
}

function house(d: Drawing, foot: number, look: House, lit: boolean): string {
  const { random } = d;
  const { x, w, h, colour } = look;
  const top = foot - h;
  const parts: string[] = [];
  const fill = d.linear(
    [
      [0, mix(colour, "#fff2dc", lit ? 0.05 : 0.22)],
      [1, mix(colour, "#1a1020", lit ? 0.4 : 0.16)],
    ],
    0,
    0,
    1,
    0.6,
  );
  if (look.gable === "steps") {
    const points: Point[] = [
      [x, foot],
      [x, top],
    ];
    for (let i = 0; i < 4; i++)
      points.push([x + (w / 8) * i, top - (i + 1) * 44], [x + (w / 8) * (i + 1), top - (i + 1) * 44]);
    for (let i = 3; i >= 0; i--)
      points.push([x + w - (w / 8) * (i + 1), top - (i + 1) * 44], [x + w - (w / 8) * i, top - (i + 1) * 44]);
    points.push([x + w, top], [x + w, foot]);
    parts.push(polygon(points, fill));
  } else if (look.gable === "point")
    parts.push(
      polygon(
        [
          [x, foot],
          [x, top],
          [x + w / 2, top - 150],
          [x + w, top],
          [x + w, foot],
        ],
        fill,
      ),
      polygon(
        [
          [x - 10, top + 4],
          [x + w / 2, top - 164],
          [x + w + 10, top + 4],
          [x + w - 14, top + 6],
          [x + w / 2, top - 128],
          [x + 14, top + 6],
        ],
        mix("#7a3a2c", "#1a1020", lit ? 0.4 : 0),
      ),
    );
  else
    parts.push(
      rect(x, top, w, h, fill),
      polygon(
        [
          [x - 6, top],
          [x + 24, top - 74],
          [x + w - 24, top - 74],
          [x + w + 6, top],
        ],
        mix("#6a5048", "#1a1020", lit ? 0.5 : 0.1),
      ),
      rect(x + w * 0.7, top - 120, 40, 70, mix(colour, "#3a2018", 0.4)),
    );
  const cols = w > 190 ? 3 : 2;
  const rows = Math.floor((h - 130) / 125);
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < cols; c++) {
      const wx = x + (w / cols) * (c + 0.5) - 25;
      const wy = top + 36 + r * 125;
      const on = lit ? random.chance(0.6) : false;
      parts.push(
        rect(wx - 6, wy - 6, 62, 88, mix("#f6efe2", "#1a1020", lit ? 0.45 : 0)),
        rect(
          wx,
          wy,
          50,
          76,
          on
            ? "#ffd98a"
            : d.linear([
                [0, lit ? "#2a3350" : "#6f8a9c"],
                [1, lit ? "#1a2038" : "#b9cdd4"],
              ]),
        ),
        rect(wx + 22, wy, 5, 76, mix("#f6efe2", "#1a1020", lit ? 0.45 : 0)),
        rect(wx, wy + 32, 50, 5, mix("#f6efe2", "#1a1020", lit ? 0.45 : 0)),
      );
      if (on) parts.push(d.soft(wx + 25, wy + 38, 80, 80, "#ffd27a", 0.4));
      if (!lit && random.chance(0.35))
        parts.push(
          rounded(wx - 4, wy + 70, 58, 14, 4, "#7a4a2c"),
          ...[6, 20, 34, 48].map((k) =>
            circle(wx + k, wy + 68, 9, random.pick(["#d9443c", "#e58aa0", "#6f9f58", "#f2b136"])),
          ),
        );
    }
  }
  const door = x + w * (cols === 3 ? 0.5 : 0.28);
  parts.push(
    rounded(
      door - 34,
      foot - 118,
      68,
      118,
      6,
      d.linear([
        [0, random.pick(["#2f4a66", "#7a2f3c", "#3f6b52", "#8a5a2c"])],
        [1, "#1c1a22"],
      ]),
    ),
    rect(door - 20, foot - 106, 40, 30, lit ? "#ffe0a0" : "#9fb6be"),
  );
  return parts.join("");
}

/** Old gabled houses on a cobbled lane in the sun. */
export function gabledLane(d: Drawing): string {
  const { width: w, height: h, random } = d;
  d.backdrop([
    [0, "#6aaddb"],
    [0.6, "#d9ebee"],
    [1, "#f2efe2"],
  ]);
  cloud(d, w * 0.7, h * 0.13, 190, "#ffffff", "#b6d0de");
  d.add(
    polygon(
      [
        [w * 0.42, h * 0.6],
        [w * 0.42, h * 0.22],
        [w * 0.45, h * 0.02],
        [w * 0.48, h * 0.22],
        [w * 0.48, h * 0.6],
      ],
      "#7fa392",
    ),
    polygon(
      [
        [w * 0.55, h * 0.6],
        [w * 0.55, h * 0.26],
        [w * 0.58, h * 0.07],
        [w * 0.61, h * 0.26],
        [w * 0.61, h * 0.6],
      ],
      "#86a99a",
    ),
  );
  const looks: House[] = [
    { x: w * 0.3, w: 150, h: 330, colour: "#c98f74", gable: "point" },
    { x: w * 0.62, w: 150, h: 340, colour: "#d9c49a", gable: "steps" },
    { x: w * 0.17, w: 210, h: 470, colour: "#d9a86a", gable: "steps" },
    { x: w * 0.71, w: 210, h: 480, colour: "#a4503c", gable: "steps" },
    { x: -30, w: 280, h: 600, colour: "#b5573f", gable: "steps" },
    { x: w * 0.84, w: 270, h: 610, colour: "#e6d7b4", gable: "point" },
  ];
  for (const [i, look] of looks.entries()) d.add(house(d, h * (0.7 + Math.floor(i / 2) * 0.06), look, false));
  d.add(
    path(
      `M${n(w * 0.4)} ${n(h * 0.68)}H${n(w * 0.62)}L${n(w)} ${n(h * 0.86)}V${n(h)}H0V${n(h * 0.86)}Z`,
      d.linear([
        [0, "#c9bfae"],
        [1, "#8f8576"],
      ]),
    ),
  );
  for (let r = 0; r < 14; r++) {
    const t = (r / 14) ** 1.5;
    const y = h * (0.69 + t * 0.31);
    for (let x = -20 - (r % 2) * 20; x < w; x += 34 + t * 60)
      if (Math.abs(x - w * 0.5) < w * (0.1 + t * 0.75))
        d.add(
          rounded(
            x,
            y,
            28 + t * 52,
            10 + t * 22,
            6 + t * 6,
            mix("#d6ccba", "#7f7466", random.next() * 0.7),
            'opacity="0.6"',
          ),
        );
  }
  d.add(
    person(d, w * 0.47, h * 0.84, h * 0.24, { coat: "#7a8fa6", legs: "#4a4a52", hair: "#d9d4cc" }),
    person(d, w * 0.535, h * 0.845, h * 0.22, { coat: "#b06a7a", legs: "#4a4a52", hair: "#e6e1d8", skirt: true }),
    person(d, w * 0.59, h * 0.85, h * 0.14, {
      coat: "#d9583f",
      legs: "#34466b",
      child: true,
      long: true,
      hair: "#7a4b2a",
    }),
    person(d, w * 0.41, h * 0.855, h * 0.12, {
      coat: "#f2c14e",
      legs: "#34466b",
      child: true,
      hair: "#9a6a3c",
      arms: "up",
    }),
  );
  return d.finish({ light: [0.2, 0.05, "#fff2c4", 0.4], vignette: 0.28 });
}

/** The terrace on Alder Row with the agent's board. */
export function terrace(d: Drawing): string {
  const { width: w, height: h } = d;
  d.backdrop([
    [0, "#8ab6d6"],
    [0.5, "#f0dcc0"],
    [1, "#e9dcc4"],
  ]);
  cloud(d, w * 0.3, h * 0.12, 220, "#fff6e8", "#c9c6cc");
  const colours = ["#8fb0b8", "#e2b36a", "#c9705a", "#a9c09a", "#d9c9b4"];
  colours.forEach((colour, i) => {
    const x = -40 + i * 296;
    d.add(
      house(d, h * 0.8, { x, w: 292, h: 500, colour, gable: "flat" }, false),
      path(`M${n(x + 150)} ${n(h * 0.8)}V${n(h * 0.6)}l24 -20h84l24 20V${n(h * 0.8)}Z`, mix(colour, "#ffffff", 0.25)),
      rect(x + 172, h * 0.615, 88, 130, "#7f9bab"),
      rect(x + 212, h * 0.615, 6, 130, "#f6efe2"),
    );
  });
  d.add(
    rect(
      0,
      h * 0.8,
      w,
      h * 0.06,
      d.linear([
        [0, "#cfc5b4"],
        [1, "#a99f8f"],
      ]),
    ),
    rect(
      0,
      h * 0.86,
      w,
      h * 0.14,
      d.linear([
        [0, "#5c5a5e"],
        [1, "#3a383e"],
      ]),
    ),
  );
  for (let i = 0; i < 5; i++) d.add(rect(i * 330, h * 0.93, 160, 10, "#f2e9d4", 'opacity="0.7"'));
  d.add(tree(d, w * 0.9, h * 0.83, h * 0.6, "#b9682a", "#f0b84a"));
  const x = w * 0.53;
  d.add(
    d.soft(x, h * 0.82, 60, 12, "#1a1410", 0.6),
    rect(x - 9, h * 0.34, 18, h * 0.48, "#f6f2ea"),
    rounded(x - 150, h * 0.34, 300, 200, 8, "#22504a"),
    text("SOLD", x, h * 0.34 + 96, { face: "heavy", size: 96, fill: "#fff6df", align: "middle" }),
    text("Copper & Lane", x, h * 0.34 + 150, { face: "serif", size: 38, fill: "#fff6df", align: "middle" }),
    text("0117 496 0142", x, h * 0.34 + 184, { face: "sans", size: 26, fill: "#fff6df", align: "middle" }),
  );
  d.add(
    person(d, w * 0.37, h * 0.86, h * 0.25, { coat: "#35598a", legs: "#3a3a44" }),
    person(d, w * 0.425, h * 0.865, h * 0.23, {
      coat: "#9b3d3d",
      legs: "#33303a",
      hair: "#7a4b2a",
      long: true,
      arms: "up",
    }),
  );
  return d.finish({ light: [0.15, 0.15, "#ffd9a0", 0.4], vignette: 0.3 });
}

/** A wet street at night, one umbrella. */
export function rainyNight(d: Drawing): string {
  const { width: w, height: h, random } = d;
  d.backdrop([
    [0, "#0f1530"],
    [0.6, "#2c3560"],
    [1, "#0c1024"],
  ]);
  const looks: House[] = [
    { x: w * 0.28, w: 170, h: 420, colour: "#4a4668", gable: "point" },
    { x: w * 0.58, w: 180, h: 430, colour: "#3f4a68", gable: "flat" },
    { x: w * 0.08, w: 280, h: 600, colour: "#54405c", gable: "flat" },
    { x: w * 0.7, w: 300, h: 620, colour: "#44385a", gable: "flat" },
    { x: -120, w: 250, h: 800, colour: "#3a3450", gable: "flat" },
    { x: w * 0.9, w: 250, h: 820, colour: "#352f4a", gable: "flat" },
  ];
  for (const [i, look] of looks.entries()) d.add(house(d, h * (0.66 + Math.floor(i / 2) * 0.045), look, true));
  d.add(
    path(
      `M${n(w * 0.4)} ${n(h * 0.65)}H${n(w * 0.6)}L${n(w * 1.1)} ${n(h)}H${n(-w * 0.1)}Z`,
      d.linear([
        [0, "#3b4068"],
        [0.4, "#262b4c"],
        [1, "#12152c"],
      ]),
    ),
  );
  const glow = (x: number, y: number, c: string, len: number) => d.add(d.soft(x, y + len * 0.5, 36, len, c, 0.6));
  for (let i = 0; i < 16; i++)
    glow(
      w * random.between(0.12, 0.88),
      h * random.between(0.7, 0.86),
      random.pick(["#ffcf7a", "#ff9a5c", "#8fb6ff", "#ff7a7a"]),
      random.between(60, 170),
    );
  for (const [x, s] of [
    [0.36, 0.7],
    [0.69, 0.85],
    [0.14, 1.25],
    [0.93, 1.3],
  ] as const) {
    const y = h * (0.66 + s * 0.12);
    d.add(
      rect(w * x - 5 * s, y - 330 * s, 10 * s, 330 * s, "#14162a"),
      d.soft(w * x, y - 340 * s, 190 * s, 190 * s, "#ffd27a", 0.85),
      rounded(w * x - 18 * s, y - 366 * s, 36 * s, 44 * s, 8, "#fff3cc"),
    );
  }
  d.add(
    fade(
      0.35,
      group(
        `translate(0 ${n(h * 1.74)}) scale(1 -1)`,
        d.blur(8, person(d, w * 0.5, h * 0.86, h * 0.3, { coat: "#9b3d3d", legs: "#22233a" })),
      ),
    ),
  );
  d.add(
    person(d, w * 0.5, h * 0.88, h * 0.31, { coat: "#b8473f", legs: "#22233a", hair: "#2a1a14", long: true }),
    path(
      `M${n(w * 0.5 - 150)} ${n(h * 0.6)}Q${n(w * 0.5 - 130)} ${n(h * 0.47)} ${n(w * 0.5)} ${n(h * 0.465)}Q${n(w * 0.5 + 130)} ${n(h * 0.47)} ${n(w * 0.5 + 150)} ${n(h * 0.6)}q-38 -30 -75 0q-38 -30 -75 0q-38 -30 -75 0q-38 -30 -75 0Z`,
      d.linear([
        [0, "#f6c544"],
        [1, "#c27f1c"],
      ]),
    ),
    stroke(`M${n(w * 0.5)} ${n(h * 0.47)}V${n(h * 0.7)}`, "#22182a", 6),
  );
  for (let i = 0; i < 260; i++) {
    const x = random.between(-50, w);
    const y = random.between(-50, h);
    const len = random.between(20, 70);
    d.add(stroke(`M${n(x)} ${n(y)}l${n(len * 0.16)} ${n(len)}`, "#cfdcff", 1.6, 'opacity="0.3"'));
  }
  return d.finish({ light: [0.5, 0.62, "#ffb870", 0.22], vignette: 0.6 });
}

/** Café tables by a river with a bridge and a castle hill. */
export function riverside(d: Drawing): string {
  const { width: w, height: h, random } = d;
  d.backdrop([
    [0, "#5aa3d4"],
    [0.5, "#f2e2c4"],
    [1, "#f2e2c4"],
  ]);
  cloud(d, w * 0.2, h * 0.14, 170, "#ffffff", "#bccfda");
  hills(d, h * 0.42, h * 0.2, "#5c8a5a", "#9fba7a", 0, 1);
  d.add(
    rect(w * 0.4, h * 0.2, 240, 80, "#e2d4b4"),
    rect(w * 0.38, h * 0.14, 60, 140, "#d9c8a2"),
    polygon(
      [
        [w * 0.37, h * 0.14],
        [w * 0.401, h * 0.08],
        [w * 0.432, h * 0.14],
      ],
      "#a4503c",
    ),
    rect(w * 0.55, h * 0.17, 54, 110, "#e6d8ba"),
  );
  const colours = ["#e6c07a", "#d98a6a", "#f2e3bd", "#a9bfa0", "#d9a0a0", "#efd9a0"];
  for (const [i, colour] of colours.entries()) {
    d.add(house(d, h * 0.62, { x: -30 + i * 250, w: 246, h: 300 + (i % 3) * 50, colour, gable: "flat" }, false));
  }
  water(d, h * 0.66, "#3f7f78", "#7fb0a0", "#fff6dc", null, 80);
  d.add(
    rect(
      0,
      h * 0.6,
      w,
      h * 0.07,
      d.linear([
        [0, "#e2d6bf"],
        [1, "#a99b82"],
      ]),
    ),
  );
  d.add(
    path(
      `M${n(w * 0.3)} ${n(h * 0.62)}H${n(w)}V${n(h * 0.7)}Q${n(w * 0.92)} ${n(h * 0.69)} ${n(w * 0.9)} ${n(h * 0.8)}Q${n(w * 0.8)} ${n(h * 0.66)} ${n(w * 0.68)} ${n(h * 0.8)}Q${n(w * 0.58)} ${n(h * 0.66)} ${n(w * 0.46)} ${n(h * 0.8)}Q${n(w * 0.4)} ${n(h * 0.7)} ${n(w * 0.3)} ${n(h * 0.66)}Z`,
      d.linear([
        [0, "#f6ecd8"],
        [1, "#bcae94"],
      ]),
    ),
  );
  for (let i = 0; i < 24; i++) d.add(rounded(w * 0.3 + i * 42, h * 0.585, 16, h * 0.045, 5, "#efe3cb"));
  d.add(rect(w * 0.29, h * 0.575, w * 0.72, 14, "#fbf3e2"));
  for (const [x, c] of [
    [0.52, "#d9583f"],
    [0.6, "#35598a"],
    [0.78, "#4f8a6a"],
  ] as const)
    d.add(person(d, w * x, h * 0.6, h * 0.13, { coat: c }));
  d.add(
    path(
      `M0 ${n(h * 0.84)}L${n(w * 0.5)} ${n(h * 0.9)}V${n(h)}H0Z`,
      d.linear([
        [0, "#d6c8ac"],
        [1, "#a08f72"],
      ]),
    ),
  );
  for (const [x, y, c] of [
    [0.13, 0.92, "#b8373a"],
    [0.33, 0.97, "#f2ead6"],
  ] as const) {
    d.add(
      d.soft(w * x, h * y, 170, 26, "#3a2a18", 0.5),
      rect(w * x - 5, h * (y - 0.36), 10, h * 0.36, "#5a4a3a"),
      polygon(
        [
          [w * x - 190, h * (y - 0.26)],
          [w * x, h * (y - 0.4)],
          [w * x + 190, h * (y - 0.26)],
        ],
        d.linear([
          [0, mix(c, "#ffffff", 0.25)],
          [1, c],
        ]),
      ),
      rounded(w * x - 100, h * (y - 0.11), 200, 16, 8, "#f6efe2"),
      rounded(w * x - 50, h * (y - 0.11) - 40, 26, 40, 6, "#fffaf0"),
      rounded(w * x + 14, h * (y - 0.11) - 54, 22, 54, 6, random.chance(0.5) ? "#f2b136" : "#d98a3c"),
    );
  }
  d.add(tree(d, w * 0.97, h * 1.0, h * 0.8, "#5c9450", "#b6d46e"));
  return d.finish({ light: [0.15, 0.1, "#fff0bf", 0.4], vignette: 0.28 });
}
