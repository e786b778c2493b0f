import { circle, type Drawing, ellipse, group, mix, n, path, polygon, rect, rounded, stroke } from "./drawing.ts";
import { person } from "./figures.ts";
import { text } from "./lettering.ts";
import { cloud, flakes, grass, hills, stars, sun, tree, water } from "./nature.ts";

/** Days that people remember. (Longer than code should be: drawings are coordinates, and one scene is easier to change in one piece.) */

/** Fireworks over the harbour. */
export function fireworks(d: Drawing): string {
  const { width: w, height: h, random } = d;
  d.backdrop([
    [0, "#080a22"],
    [0.6, "#232a5a"],
    [1, "#0a0c20"],
  ]);
  stars(d, h * 0.5, 80);
  const burst = (x: number, y: number, r: number, c: string) => {
    const parts = [d.soft(x, y, r * 1.5, r * 1.5, c, 0.5)];
    for (let ring = 0; ring < 3; ring++) {
      const count = 14 + ring * 10;
      for (let i = 0; i < count; i++) {
        const a = (i / count) * 6.283 + ring;
        const rr = r * (0.4 + ring * 0.3) * random.between(0.9, 1.1);
        const ex = x + Math.cos(a) * rr;
        const ey = y + Math.sin(a) * rr + rr * rr * 0.00035;
        parts.push(
          stroke(
            `M${n(x + Math.cos(a) * rr * 0.45)} ${n(y + Math.sin(a) * rr * 0.45)}L${n(ex)} ${n(ey)}`,
            mix(c, "#ffffff", 0.3),
            3,
            'opacity="0.75"',
          ),
          circle(ex, ey, 5, "#fff8e0"),
        );
      }
    }
    d.add(parts.join(""));
  };
  burst(w * 0.32, h * 0.28, 240, "#ff8a5c");
  burst(w * 0.68, h * 0.2, 200, "#7ac3ff");
  burst(w * 0.55, h * 0.42, 130, "#ffd76b");
  burst(w * 0.87, h * 0.38, 120, "#e58aff");
  for (let i = 0; i < 20; i++) {
    const bh = random.between(60, 190);
    const x = i * 74 - 20;
    d.add(rect(x, h * 0.68 - bh, 70, bh, "#12152e"));
    for (let k = 0; k < 6; k++)
      if (random.chance(0.55))
        d.add(rect(x + 10 + (k % 3) * 20, h * 0.68 - bh + 16 + Math.floor(k / 3) * 34, 9, 14, "#ffcf7a"));
  }
  water(d, h * 0.68, "#0a0e28", "#2a2f60", "#ffb98a", w * 0.4, 130);
  for (const [x, c] of [
    [0.32, "#ff8a5c"],
    [0.68, "#7ac3ff"],
    [0.55, "#ffd76b"],
  ] as const)
    d.add(d.soft(w * x, h * 0.82, 90, 190, c, 0.45));
  d.add(rect(0, h * 0.9, w, h * 0.1, "#0a0a16"), stroke(`M0 ${n(h * 0.86)}H${n(w)}`, "#0a0a16", 8));
  for (const [i, c] of ["#2a3350", "#3a2a44", "#26304a", "#3a3040", "#2a2a48"].entries()) {
    d.add(
      person(d, w * (0.3 + i * 0.085), h * 0.98, h * (i % 2 ? 0.2 : 0.29), {
        coat: c,
        legs: "#0c0c1a",
        hair: "#14101a",
        skin: "#8a5a4a",
        child: i % 2 === 1,
        arms: i === 3 ? "up" : "down",
        ...(i % 2 ? { hat: "#5a3a4a" } : {}),
      }),
    );
  }
  return d.finish({ light: [0.35, 0.3, "#ff9a6b", 0.18], vignette: 0.5 });
}

/** First day of term at the gate. */
export function schoolGate(d: Drawing): string {
  const { width: w, height: h } = d;
  d.backdrop([
    [0, "#7fbce0"],
    [0.6, "#e9f1e6"],
    [1, "#e9e2cc"],
  ]);
  cloud(d, w * 0.75, h * 0.12, 180, "#ffffff", "#b9d1de");
  d.add(
    rect(
      w * 0.16,
      h * 0.3,
      w * 0.68,
      h * 0.42,
      d.linear([
        [0, "#c9705a"],
        [1, "#9b4a3a"],
      ]),
    ),
    polygon(
      [
        [w * 0.4, h * 0.3],
        [w * 0.5, h * 0.14],
        [w * 0.6, h * 0.3],
      ],
      "#b55f4a",
    ),
    polygon(
      [
        [w * 0.13, h * 0.3],
        [w * 0.18, h * 0.24],
        [w * 0.82, h * 0.24],
        [w * 0.87, h * 0.3],
      ],
      "#5a4a4e",
    ),
    polygon(
      [
        [w * 0.385, h * 0.305],
        [w * 0.5, h * 0.12],
        [w * 0.615, h * 0.305],
        [w * 0.59, h * 0.305],
        [w * 0.5, h * 0.165],
        [w * 0.41, h * 0.305],
      ],
      "#4a3c42",
    ),
    circle(w * 0.5, h * 0.245, 30, "#fffaf0"),
    stroke(`M${n(w * 0.5)} ${n(h * 0.245)}v-18m0 18h12`, "#33333a", 5),
  );
  for (let i = 0; i < 8; i++)
    if (i !== 3 && i !== 4)
      d.add(
        rect(w * (0.19 + i * 0.082), h * 0.38, 68, 120, "#fffaf0"),
        rect(
          w * (0.19 + i * 0.082) + 7,
          h * 0.38 + 7,
          54,
          106,
          d.linear([
            [0, "#6f8fa6"],
            [1, "#c9dce2"],
          ]),
        ),
      );
  d.add(
    rounded(w * 0.36, h * 0.36, w * 0.28, 70, 8, "#22504a"),
    text("KINGFISHER PRIMARY", w * 0.5, h * 0.36 + 47, { face: "heavy", size: 35, fill: "#fff6df", align: "middle" }),
    rect(w * 0.44, h * 0.5, w * 0.12, h * 0.22, "#2f4a66"),
    rect(w * 0.497, h * 0.5, 6, h * 0.22, "#1c2c3e"),
  );
  d.add(
    tree(d, w * 0.07, h * 0.78, h * 0.55, "#5c9450", "#b6d46e"),
    tree(d, w * 0.94, h * 0.78, h * 0.5, "#6a9a4a", "#c9d96e"),
  );
  d.add(
    path(
      `M0 ${n(h * 0.72)}H${n(w)}V${n(h)}H0Z`,
      d.linear([
        [0, "#cfc6b2"],
        [1, "#a89d88"],
      ]),
    ),
    stroke(`M${n(w * 0.3)} ${n(h * 0.86)}l120 -40m60 30l90 -34`, "#ffffff", 7, 'opacity="0.5"'),
  );
  const bars = (from: number, to: number) => {
    for (let x = from; x < to; x += 38)
      d.add(rounded(x, h * 0.6, 9, h * 0.28, 4, "#2c3a44"), circle(x + 4.5, h * 0.595, 9, "#2c3a44"));
    d.add(rect(from, h * 0.64, to - from, 8, "#2c3a44"), rect(from, h * 0.84, to - from, 8, "#2c3a44"));
  };
  bars(0, w * 0.28);
  bars(w * 0.72, w);
  d.add(
    person(d, w * 0.46, h * 0.94, h * 0.33, {
      coat: "#2f6b86",
      legs: "#4a4a55",
      child: true,
      hair: "#7a4b2a",
      long: true,
      skirt: true,
      bag: "#d9583f",
      arms: "right",
    }),
    person(d, w * 0.555, h * 0.945, h * 0.25, {
      coat: "#2f6b86",
      legs: "#4a4a55",
      child: true,
      hair: "#9a6a3c",
      bag: "#f2b136",
      arms: "left",
    }),
  );
  return d.finish({ light: [0.12, 0.08, "#fff2c4", 0.4], vignette: 0.26 });
}

/** A band on stage, seen over the crowd. */
export function concert(d: Drawing): string {
  const { width: w, height: h, random } = d;
  d.backdrop([
    [0, "#160f2e"],
    [0.6, "#3a1f56"],
    [1, "#0c0818"],
  ]);
  for (const [x, a, c] of [
    [0.1, 16, "#ff6b8a"],
    [0.3, 6, "#ffb25c"],
    [0.5, -2, "#8ad0ff"],
    [0.7, -8, "#ff8ad9"],
    [0.9, -17, "#ffd76b"],
    [0.4, 22, "#7a8aff"],
    [0.6, -24, "#ff7a5c"],
  ] as const)
    d.add(
      group(
        `rotate(${a} ${n(w * x)} 0)`,
        polygon(
          [
            [w * x - 10, -20],
            [w * x + 10, -20],
            [w * x + 150, h * 0.85],
            [w * x - 150, h * 0.85],
          ],
          d.linear([
            [0, c, 0.75],
            [1, c, 0.02],
          ]),
        ),
      ),
    );
  d.add(
    rect(0, 0, w, 46, "#0a0716"),
    ...[0.1, 0.3, 0.5, 0.7, 0.9].map((x) => circle(w * x, 46, 22, "#fff8e6")),
    rect(
      w * 0.06,
      h * 0.62,
      w * 0.88,
      h * 0.06,
      d.linear([
        [0, "#5a3a6a"],
        [1, "#1c1028"],
      ]),
    ),
  );
  d.add(
    text("small hours orchestra", w * 0.5, h * 0.25, {
      face: "display",
      size: 76,
      fill: "#ffe9c4",
      align: "middle",
      opacity: 0.9,
    }),
  );
  for (const [x, y, r] of [
    [0.66, 0.55, 60],
    [0.73, 0.57, 48],
    [0.6, 0.58, 44],
  ] as const)
    d.add(
      ellipse(
        w * x,
        h * y,
        r,
        r * 0.86,
        d.radial([
          [0, "#fff2dc"],
          [0.75, "#d9b98a"],
          [1, "#6a3a2a"],
        ]),
      ),
      rect(w * x - r, h * y, r * 2, r * 0.7, "#b8373a", 'opacity="0.8"'),
    );
  d.add(stroke(`M${n(w * 0.57)} ${n(h * 0.46)}l70 -14M${n(w * 0.76)} ${n(h * 0.45)}l-64 -12`, "#f2c34a", 9));
  const look = { skin: "#e0a888", legs: "#1c1830" };
  d.add(
    person(d, w * 0.5, h * 0.63, h * 0.28, {
      ...look,
      coat: "#b8373a",
      hair: "#1c1018",
      long: true,
      skirt: true,
      arms: "right",
    }),
    stroke(`M${n(w * 0.46)} ${n(h * 0.63)}V${n(h * 0.42)}`, "#c9c6d6", 5),
    circle(w * 0.46, h * 0.415, 11, "#c9c6d6"),
    person(d, w * 0.3, h * 0.63, h * 0.27, { ...look, coat: "#2f5a86", hair: "#2a1a14" }),
    group(
      `translate(${n(w * 0.3)} ${n(h * 0.49)}) rotate(-22)`,
      ellipse(-20, 0, 44, 32, "#d9783c"),
      ellipse(24, -4, 32, 24, "#d9783c"),
      rect(40, -9, 130, 12, "#4a2a1a"),
    ),
    person(d, w * 0.83, h * 0.63, h * 0.26, { ...look, coat: "#4f8a6a", hair: "#6a3b22" }),
    path(`M${n(w * 0.8)} ${n(h * 0.62)}q-30 -90 20 -130q60 40 44 130Z`, "#a8572c"),
    rect(w * 0.815, h * 0.34, 10, 130, "#3a2014"),
    person(d, w * 0.17, h * 0.63, h * 0.26, { ...look, coat: "#d9a12c", hair: "#2a1a14", arms: "out" }),
    rounded(w * 0.11, h * 0.51, 180, 22, 6, "#f3efe6"),
  );
  d.add(
    d.blur(
      3,
      ...Array.from({ length: 24 }, () =>
        circle(
          random.between(0, w),
          random.between(h * 0.05, h * 0.6),
          random.between(3, 9),
          "#fff3d0",
          'opacity="0.3"',
        ),
      ),
    ),
  );
  for (let row = 0; row < 3; row++)
    for (let i = 0; i < 14; i++) {
      const x = w * (i / 13) + random.between(-30, 30);
      const y = h * (0.76 + row * 0.1) + random.between(-14, 14);
      const s = 40 + row * 12;
      const c = mix("#2c1a44", "#07050e", row / 2);
      d.add(
        path(
          `M${n(x - s * 1.5)} ${n(h)}Q${n(x - s * 1.4)} ${n(y + s * 0.9)} ${n(x)} ${n(y + s * 0.9)}Q${n(x + s * 1.4)} ${n(y + s * 0.9)} ${n(x + s * 1.5)} ${n(h)}Z`,
          c,
        ),
        circle(x, y, s, c),
      );
      if (random.chance(0.22))
        d.add(
          stroke(`M${n(x + s)} ${n(y + s)}L${n(x + s * 1.3)} ${n(y - s * 2)}`, c, s * 0.5),
          circle(x + s * 1.3, y - s * 2.1, s * 0.36, c),
        );
    }
  return d.finish({ light: [0.5, 0.35, "#ff9ac0", 0.2], vignette: 0.55 });
}

/** A children's choir under paper stars. */
export function choir(d: Drawing): string {
  const { width: w, height: h } = d;
  d.backdrop([
    [0, "#3a2233"],
    [0.7, "#7a4a44"],
    [1, "#4a2a22"],
  ]);
  for (const x of [0.14, 0.5, 0.86])
    d.add(
      path(
        `M${n(w * x - 110)} ${n(h * 0.62)}V${n(h * 0.24)}Q${n(w * x)} ${n(h * 0.06)} ${n(w * x + 110)} ${n(h * 0.24)}V${n(h * 0.62)}Z`,
        d.linear([
          [0, "#29406e"],
          [1, "#6a8ab8"],
        ]),
      ),
      stroke(
        `M${n(w * x)} ${n(h * 0.15)}V${n(h * 0.62)}M${n(w * x - 110)} ${n(h * 0.4)}H${n(w * x + 110)}`,
        "#3a2428",
        9,
      ),
      d.soft(w * x, h * 0.36, 190, 260, "#ffcf8a", 0.25),
    );
  for (let i = 0; i < 11; i++) {
    const x = w * (0.05 + i * 0.09);
    const y = h * (0.12 + ((i * 5) % 7) * 0.028);
    d.add(
      stroke(`M${n(x)} 0V${n(y - 30)}`, "#f2dcae", 2),
      d.soft(x, y, 80, 80, "#ffe0a0", 0.7),
      polygon(
        Array.from(
          { length: 10 },
          (_, k) =>
            [
              x + Math.sin((k * Math.PI) / 5) * (k % 2 ? 13 : 34),
              y - Math.cos((k * Math.PI) / 5) * (k % 2 ? 13 : 34),
            ] as const,
        ),
        "#ffe6a6",
      ),
    );
  }
  const hairs = ["#7a4b2a", "#2a1a14", "#9a6a3c", "#1c1214", "#c9a05a", "#5a3420"];
  const skins = ["#e8b894", "#8a5a40", "#d9a07e", "#b87a54", "#efc3a0"];
  const scarves = ["#b8373a", "#4f8a6a", "#d9a12c"];
  for (let row = 0; row < 3; row++) {
    d.add(
      rect(
        w * 0.06,
        h * (0.66 + row * 0.115),
        w * 0.88,
        h * 0.12,
        d.linear([
          [0, mix("#8a4f32", "#2a140c", 0.2 * (2 - row))],
          [1, "#3f2014"],
        ]),
      ),
    );
    for (let i = 0; i < 9; i++) {
      const x = w * (0.13 + i * 0.0925) + (row % 2) * 46 - 20;
      const foot = h * (0.72 + row * 0.115);
      const skin = skins[(i + row * 2) % 5] ?? "#d9a07e";
      d.add(
        person(d, x, foot, h * 0.27, {
          coat: "#22304f",
          legs: "#1c1a28",
          child: true,
          hair: hairs[(i * 2 + row) % 6] ?? "#2a1a14",
          skin,
          long: (i + row) % 3 === 0,
        }),
      );
      const cy = foot - h * 0.27 + h * 0.0257 * 1.1;
      d.add(
        ellipse(x, cy + 6, h * 0.021, h * 0.021, skin),
        ellipse(x, cy + 13, 5, 6, "#6a2a2a"),
        circle(x - 8, cy + 1, 2.4, "#241612"),
        circle(x + 8, cy + 1, 2.4, "#241612"),
        rounded(x - 24, foot - h * 0.205, 48, 17, 8, scarves[(i + row) % 3] ?? "#b8373a"),
        rect(x - 24, foot - h * 0.14, 48, 34, "#fffaf0"),
      );
    }
  }
  return d.finish({ light: [0.5, 0.2, "#ffcf80", 0.35], vignette: 0.5 });
}

/** The couple under the arch, guests with confetti. */
export function wedding(d: Drawing): string {
  const { width: w, height: h } = d;
  d.backdrop([
    [0, "#86b9dd"],
    [0.45, "#fbe3c0"],
    [0.6, "#f9d2a4"],
    [1, "#9fb878"],
  ]);
  sun(d, w * 0.5, h * 0.44, 44, "#fff8e4", "#ffd592", 0.8);
  hills(d, h * 0.56, h * 0.08, "#8fa98a", "#e6d8a8", 0, 2);
  water(d, h * 0.53, "#7fa9b3", "#f2d3ac", "#fff6e0", w * 0.5, 50);
  hills(d, h * 0.64, h * 0.05, "#7f9f62", "#c3cf86", 0, 1.2);
  d.add(
    rect(
      0,
      h * 0.68,
      w,
      h * 0.32,
      d.linear([
        [0, "#a9c46c"],
        [1, "#5f8a40"],
      ]),
    ),
    polygon(
      [
        [w * 0.47, h * 0.7],
        [w * 0.53, h * 0.7],
        [w * 0.66, h],
        [w * 0.34, h],
      ],
      "#f6ead2",
      'opacity="0.85"',
    ),
  );
  const x = w * 0.5;
  const foot = h * 0.82;
  d.add(
    stroke(
      `M${n(x - 200)} ${n(foot)}V${n(h * 0.4)}Q${n(x)} ${n(h * 0.1)} ${n(x + 200)} ${n(h * 0.4)}V${n(foot)}`,
      "#b98a5a",
      18,
    ),
  );
  for (let i = 0; i <= 52; i++) {
    const t = i / 52;
    const a = Math.PI * (1 - t);
    const px = t < 0.22 ? x - 200 : t > 0.78 ? x + 200 : x + Math.cos(Math.PI * (1 - (t - 0.22) / 0.56)) * 200;
    const py =
      t < 0.22
        ? foot - (t / 0.22) * (foot - h * 0.4)
        : t > 0.78
          ? h * 0.4 + ((t - 0.78) / 0.22) * (foot - h * 0.4)
          : h * 0.4 - Math.sin(Math.PI * ((t - 0.22) / 0.56)) * h * 0.155;
    d.add(
      circle(
        px + Math.cos(a * 9) * 14,
        py + Math.sin(a * 7) * 14,
        d.random.between(14, 26),
        d.random.pick(["#5f8f56", "#7fae66", "#4f7f4c"]),
      ),
      circle(
        px + d.random.between(-18, 18),
        py + d.random.between(-18, 18),
        d.random.between(8, 17),
        d.random.pick(["#ffffff", "#f6c9c9", "#f2a0a8", "#fff0d0"]),
      ),
    );
  }
  d.add(
    person(d, x - 46, foot + 10, h * 0.31, {
      coat: "#ffffff",
      legs: "#ffffff",
      hair: "#a8602c",
      long: true,
      skirt: true,
      arms: "right",
    }),
    path(
      `M${n(x - 92)} ${n(foot - 90)}Q${n(x - 150)} ${n(foot)} ${n(x - 170)} ${n(foot + 14)}H${n(x + 6)}Q${n(x - 8)} ${n(foot - 50)} ${n(x - 10)} ${n(foot - 90)}Z`,
      d.linear([
        [0, "#ffffff"],
        [1, "#e2dccf"],
      ]),
    ),
    person(d, x + 52, foot + 10, h * 0.335, { coat: "#2c3e5c", legs: "#22304a", hair: "#2a1a14", arms: "left" }),
  );
  const coats = ["#d98aa0", "#4f8a8a", "#c98f2c", "#6a5a9a", "#b8584a", "#5f82a8"];
  for (let i = 0; i < 6; i++) {
    const left = i % 2 === 0;
    const k = Math.floor(i / 2);
    d.add(
      person(
        d,
        left ? w * (0.24 - k * 0.085) : w * (0.76 + k * 0.085),
        h * (0.93 + k * 0.03),
        h * (k === 1 ? 0.27 : 0.4),
        {
          coat: coats[i] ?? "#d98aa0",
          legs: "#33384a",
          child: k === 1,
          skirt: i === 0 || i === 3,
          long: i === 0 || i === 3,
          arms: left ? "right" : "left",
          hair: ["#7a4b2a", "#d9d4cc", "#38261d", "#9a6a3c", "#2a1a14", "#5a3420"][i] ?? "#38261d",
        },
      ),
    );
  }
  flakes(d, 140, ["#f2a0a8", "#ffffff", "#f2d06b", "#9fc3d9"], 3, 9, 0.95);
  grass(d, h * 0.93, "#6f9a45", ["#ffffff", "#f5d76e"], 90);
  return d.finish({ light: [0.5, 0.4, "#ffd9a0", 0.45], vignette: 0.26 });
}

/** Dancing in the barn under strings of bulbs. */
export function barnDance(d: Drawing): string {
  const { width: w, height: h, random } = d;
  d.backdrop([
    [0, "#3a2418"],
    [0.7, "#6e452a"],
    [1, "#4a2c1a"],
  ]);
  for (let i = 0; i < 18; i++)
    d.add(
      rect(
        i * 80,
        0,
        76,
        h * 0.7,
        d.linear([
          [0, mix("#5a3a24", "#2a180e", random.next() * 0.5)],
          [1, mix("#8a5c38", "#5a3a24", random.next())],
        ]),
      ),
    );
  d.add(
    path(
      `M${n(w * 0.33)} ${n(h * 0.66)}V${n(h * 0.3)}Q${n(w * 0.5)} ${n(h * 0.16)} ${n(w * 0.67)} ${n(h * 0.3)}V${n(h * 0.66)}Z`,
      d.linear([
        [0, "#2c3a6e"],
        [0.7, "#c98a8a"],
        [1, "#f2b88a"],
      ]),
    ),
    polygon(
      [
        [w * 0.33, h * 0.66],
        [w * 0.33, h * 0.6],
        [w * 0.5, h * 0.57],
        [w * 0.67, h * 0.61],
        [w * 0.67, h * 0.66],
      ],
      "#3a4a44",
    ),
    stroke(
      `M0 ${n(h * 0.14)}L${n(w * 0.5)} ${n(-h * 0.1)}L${n(w)} ${n(h * 0.14)}M0 ${n(h * 0.2)}H${n(w)}`,
      "#24140c",
      34,
    ),
  );
  for (const [y0, sag, y1] of [
    [0.06, 0.4, 0.1],
    [0.12, 0.3, 0.04],
    [0.2, 0.46, 0.2],
  ] as const) {
    d.add(stroke(`M0 ${n(h * y0)}Q${n(w / 2)} ${n(h * sag)} ${n(w)} ${n(h * y1)}`, "#1c100a", 3));
    for (let i = 0; i < 17; i++) {
      const t = (i + 0.5) / 17;
      const y = (1 - t) ** 2 * h * y0 + 2 * t * (1 - t) * h * sag + t * t * h * y1;
      d.add(d.soft(w * t, y + 14, 62, 62, "#ffcf7a", 0.85), circle(w * t, y + 14, 10, "#fff8dc"));
    }
  }
  d.add(
    rect(
      0,
      h * 0.68,
      w,
      h * 0.32,
      d.linear([
        [0, "#7a4c2c"],
        [1, "#3a2012"],
      ]),
    ),
    d.soft(w * 0.5, h * 0.84, 620, 170, "#ffca7a", 0.6),
  );
  const pair = (x: number, foot: number, s: number, a: string, b: string) =>
    d.add(
      person(d, x - s * 0.17, foot, s, {
        coat: a,
        legs: "#2a2430",
        skirt: true,
        long: true,
        hair: "#5a3420",
        arms: "right",
      }),
      person(d, x + s * 0.19, foot + 4, s * 1.07, { coat: b, legs: "#2a2430", hair: "#2a1a14", arms: "left" }),
    );
  pair(w * 0.2, h * 0.8, 270, "#c9707a", "#3f5a78");
  pair(w * 0.8, h * 0.81, 270, "#4f8a8a", "#5a4a6a");
  pair(w * 0.5, h * 0.87, 350, "#ffffff", "#2c3e5c");
  pair(w * 0.3, h * 0.96, 350, "#d9a12c", "#7a3a3a");
  d.add(
    person(d, w * 0.66, h * 0.94, 250, {
      coat: "#e58aa0",
      child: true,
      skirt: true,
      long: true,
      hair: "#7a4b2a",
      arms: "up",
    }),
    person(d, w * 0.73, h * 0.96, 200, { coat: "#5f82a8", child: true, hair: "#9a6a3c", arms: "up" }),
  );
  return d.finish({ light: [0.5, 0.6, "#ffbf6b", 0.4], vignette: 0.55 });
}
