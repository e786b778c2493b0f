import { circle, type Drawing, ellipse, group, mix, n, path, polygon, rect, rounded, stroke } from "./drawing.ts";
import { person } from "./figures.ts";
import { cloud, flakes, forest, grass, hills, mist, peak, streaks, sun, tree, water } from "./nature.ts";

/** Land and sea. (Longer than code should be: drawings are coordinates, and one scene is easier to change in one piece.) */

/** The sea at dusk, a pier light far out. */
export function seaAtDusk(d: Drawing): string {
  const { width: w, height: h, random } = d;
  d.backdrop([
    [0, "#2c3566"],
    [0.3, "#7d5c8e"],
    [0.48, "#e58a76"],
    [0.58, "#fbc98a"],
    [1, "#fbc98a"],
  ]);
  streaks(d, h * 0.12, h * 0.5, "#ffd3a8", 16, 0.55);
  streaks(d, h * 0.08, h * 0.4, "#4b3f72", 9, 0.5);
  sun(d, w * 0.64, h * 0.535, 42, "#fff2cf", "#ffb46b", 0.9);
  hills(d, h * 0.575, h * 0.035, "#5d4a72", "#8d5f79", 0, 2);
  water(d, h * 0.58, "#27335c", "#d58b7c", "#ffe0ae", w * 0.64, 190);
  d.add(
    path(
      `M${n(w * 0.06)} ${n(h * 0.6)}L${n(w * 0.075)} ${n(h * 0.45)}L${n(w * 0.095)} ${n(h * 0.45)}L${n(w * 0.11)} ${n(h * 0.6)}Z`,
      "#2a2c4d",
    ),
    rect(w * 0.072, h * 0.422, w * 0.026, h * 0.03, "#ffe7a6"),
    d.soft(w * 0.085, h * 0.437, 120, 70, "#ffe2a0", 0.7),
    polygon(
      [
        [0, h * 0.6],
        [w * 0.2, h * 0.6],
        [w * 0.26, h * 0.618],
        [0, h * 0.64],
      ],
      "#22243f",
    ),
  );
  d.add(
    path(
      `M0 ${n(h * 0.9)}Q${n(w * 0.3)} ${n(h * 0.86)} ${n(w * 0.6)} ${n(h * 0.93)}T${n(w)} ${n(h * 0.9)}V${n(h)}H0Z`,
      d.linear([
        [0, "#8a6a6c"],
        [1, "#3c3048"],
      ]),
    ),
    stroke(
      `M0 ${n(h * 0.9)}Q${n(w * 0.3)} ${n(h * 0.86)} ${n(w * 0.6)} ${n(h * 0.93)}T${n(w)} ${n(h * 0.9)}`,
      "#ffe9cf",
      5,
      'opacity="0.7"',
    ),
  );
  for (let i = 0; i < 5; i++)
    d.add(
      stroke(
        `m${n(w * random.between(0.2, 0.6))} ${n(h * random.between(0.18, 0.36))}q12 -10 20 2q8 -12 20 -2`,
        "#2f2a4c",
        3,
      ),
    );
  d.add(
    person(d, w * 0.3, h * 0.95, h * 0.2, { coat: "#3a3358", legs: "#241f3a", hair: "#241a26", skin: "#a9766d" }),
    person(d, w * 0.345, h * 0.955, h * 0.13, {
      coat: "#7c3b52",
      legs: "#241f3a",
      hair: "#2d1c22",
      skin: "#a9766d",
      child: true,
      arms: "left",
    }),
  );
  return d.finish({ light: [0.64, 0.54, "#ff9d66", 0.25] });
}

/** A bright beach at noon: parasol, bucket, gentle waves. */
export function beachNoon(d: Drawing): string {
  const { width: w, height: h } = d;
  d.backdrop([
    [0, "#4ea4d8"],
    [0.36, "#bfe3ee"],
    [1, "#eaf6f2"],
  ]);
  cloud(d, w * 0.22, h * 0.16, 150, "#ffffff", "#b7d3e2");
  cloud(d, w * 0.8, h * 0.24, 210, "#ffffff", "#b3d2df");
  water(d, h * 0.36, "#3fb0b5", "#2c7fb0", "#ffffff", null, 130);
  const shore = (y: number, bend: number) =>
    `M0 ${n(h * y)}Q${n(w * 0.28)} ${n(h * (y + bend))} ${n(w * 0.55)} ${n(h * (y + 0.02))}T${n(w)} ${n(h * (y - 0.03))}V${n(h)}H0Z`;
  d.add(
    path(shore(0.585, 0.06), "#8ed3cd"),
    path(shore(0.6, 0.06), "#ffffff", 'opacity="0.85"'),
    path(shore(0.618, 0.058), "#c7a877"),
    path(
      shore(0.65, 0.05),
      d.linear([
        [0, "#e2c691"],
        [0.4, "#f0dbab"],
        [1, "#dcb97f"],
      ]),
    ),
  );
  const x = w * 0.66;
  const y = h * 0.86;
  d.add(
    d.soft(x + 110, y + 10, 330, 70, "#8a5a2c", 0.5),
    stroke(`M${n(x)} ${n(y)}L${n(x - 46)} ${n(h * 0.42)}`, "#f7efe0", 11),
  );
  const stripes = ["#e4573d", "#fff3e0", "#e4573d", "#fff3e0", "#e4573d", "#fff3e0"];
  stripes.forEach((colour, i) => {
    const a = -250 + i * 83.3;
    d.add(
      group(
        `translate(${n(x - 46)} ${n(h * 0.41)}) rotate(-6)`,
        path(
          `M0 -110Q${n(a * 0.7)} -92 ${n(a)} 28Q${n(a + 41)} 8 ${n(a + 83.3)} 28Q${n((a + 83.3) * 0.7)} -92 0 -110Z`,
          colour,
        ),
      ),
    );
  });
  d.add(
    path(`M${n(w * 0.5)} ${n(h * 0.9)}l210 -34l120 40l-220 46Z`, "#3c6fa8"),
    path(`M${n(w * 0.54)} ${n(h * 0.893)}l210 -33l30 10l-212 36Z`, "#f1e7d0"),
  );
  d.add(
    d.soft(w * 0.27, h * 0.875, 110, 22, "#8a5a2c", 0.6),
    path(
      `M${n(w * 0.225)} ${n(h * 0.77)}h120l-18 106h-84Z`,
      d.linear(
        [
          [0, "#f0b429"],
          [1, "#d98a17"],
        ],
        0,
        0,
        1,
        0,
      ),
    ),
    ellipse(w * 0.225 + 60, h * 0.77, 60, 13, "#b56d10"),
    stroke(`M${n(w * 0.225)} ${n(h * 0.77)}q60 -90 120 0`, "#fff7e6", 6),
  );
  d.add(
    path(`M${n(w * 0.1)} ${n(h * 0.93)}q60 -120 130 -8q-60 26 -130 8Z`, "#d8b178"),
    stroke(`M${n(w * 0.145)} ${n(h * 0.872)}v-46`, "#7a5b36", 4),
    polygon(
      [
        [w * 0.145, h * 0.828],
        [w * 0.145 + 40, h * 0.84],
        [w * 0.145, h * 0.853],
      ],
      "#d9443c",
    ),
  );
  d.add(
    person(d, w * 0.42, h * 0.72, h * 0.17, {
      coat: "#f2c14e",
      legs: "#d9a07e",
      child: true,
      hair: "#8a5a34",
      arms: "up",
    }),
    person(d, w * 0.36, h * 0.735, h * 0.21, {
      coat: "#2f7f86",
      legs: "#d9a07e",
      child: true,
      hair: "#4b3226",
      arms: "right",
    }),
  );
  return d.finish({ light: [0.2, 0.05, "#fff3c4", 0.35], vignette: 0.22 });
}

/** A meadow with a kite. */
export function meadowKite(d: Drawing): string {
  const { width: w, height: h } = d;
  d.backdrop([
    [0, "#6fb1dc"],
    [0.55, "#d6ebe9"],
    [1, "#f6efd2"],
  ]);
  cloud(d, w * 0.7, h * 0.2, 230, "#ffffff", "#b9d2de");
  cloud(d, w * 0.18, h * 0.32, 140, "#ffffff", "#bcd4dd", 0.7);
  hills(d, h * 0.58, h * 0.1, "#8fb3a6", "#cfe0cc", 0, 2);
  hills(d, h * 0.66, h * 0.12, "#7fae6b", "#b7cd84", 0, 1.4);
  for (let i = 0; i < 6; i++)
    d.add(tree(d, w * (0.58 + i * 0.075), h * (0.63 + (i % 2) * 0.015), h * 0.13, "#4e7f50", "#a9c86e"));
  d.add(
    path(
      `M0 ${n(h * 0.72)}Q${n(w * 0.4)} ${n(h * 0.6)} ${n(w)} ${n(h * 0.78)}V${n(h)}H0Z`,
      d.linear([
        [0, "#a7c763"],
        [1, "#5d8a3c"],
      ]),
    ),
  );
  d.add(
    stroke(
      `M${n(w * 0.365)} ${n(h * 0.655)}Q${n(w * 0.42)} ${n(h * 0.42)} ${n(w * 0.62)} ${n(h * 0.22)}`,
      "#ffffff",
      2,
      'opacity="0.9"',
    ),
  );
  d.add(
    group(
      `translate(${n(w * 0.63)} ${n(h * 0.19)}) rotate(28)`,
      polygon(
        [
          [0, -92],
          [66, 0],
          [0, 120],
        ],
        "#d9443c",
      ),
      polygon(
        [
          [0, -92],
          [-66, 0],
          [0, 120],
        ],
        "#f2a541",
      ),
      polygon(
        [
          [-66, 0],
          [0, 0],
          [0, 120],
        ],
        "#fbe3a7",
      ),
      stroke("M0 120q-40 50 6 90t0 90", "#d9443c", 3),
      polygon(
        [
          [-18, 196],
          [22, 184],
          [-10, 222],
          [24, 214],
        ],
        "#3c6fa8",
      ),
    ),
  );
  d.add(
    person(d, w * 0.35, h * 0.8, h * 0.2, {
      coat: "#d9583f",
      legs: "#34466b",
      child: true,
      hair: "#7a4b2a",
      arms: "right",
      long: true,
    }),
    person(d, w * 0.24, h * 0.83, h * 0.31, { coat: "#35598a", legs: "#3a3a44", hair: "#38261d" }),
    person(d, w * 0.295, h * 0.82, h * 0.15, {
      coat: "#f2c14e",
      legs: "#4a5a7b",
      child: true,
      hair: "#9a6a3c",
      arms: "up",
    }),
  );
  grass(d, h * 0.8, "#6f9a45", ["#ffffff", "#f5d76e", "#e58aa0"], 300);
  return d.finish({ light: [0.1, 0.05, "#fff3c0", 0.35], vignette: 0.22 });
}

/** High mountains, by day or at dawn, walkers on a near ridge. */
export function mountains(d: Drawing, look: { dawn: boolean; walkers: number }): string {
  const { width: w, height: h } = d;
  if (look.dawn)
    d.backdrop([
      [0, "#3d4f86"],
      [0.35, "#b98aa4"],
      [0.55, "#f6bd9a"],
      [1, "#fbe0bd"],
    ]);
  else
    d.backdrop([
      [0, "#3f8ccb"],
      [0.6, "#cde5ee"],
      [1, "#eef4ec"],
    ]);
  if (look.dawn) {
    streaks(d, h * 0.1, h * 0.4, "#ffd9c0", 12, 0.5);
    sun(d, w * 0.22, h * 0.44, 30, "#fff2d8", "#ffc08a", 0.8);
  } else cloud(d, w * 0.3, h * 0.14, 200, "#ffffff", "#a9c9de");
  const lit = look.dawn ? "#e3a596" : "#b5bfc4";
  const dark = look.dawn ? "#6d6391" : "#71879a";
  const snow = look.dawn ? "#ffe6d6" : "#ffffff";
  peak(d, w * 0.12, h * 0.74, w * 0.6, h * 0.4, mix(lit, "#ffffff", 0.25), mix(dark, "#ffffff", 0.3), snow);
  peak(d, w * 0.9, h * 0.74, w * 0.7, h * 0.44, mix(lit, "#ffffff", 0.18), mix(dark, "#ffffff", 0.22), snow);
  peak(d, w * 0.54, h * 0.78, w * 0.84, h * 0.62, lit, dark, snow);
  mist(d, h * 0.7, h * 0.09, look.dawn ? "#ffdcc4" : "#f2f7f4", 0.8);
  hills(d, h * 0.76, h * 0.12, look.dawn ? "#5a5a86" : "#5f8476", look.dawn ? "#d99f96" : "#a8c3a8", 0.7, 1.8);
  forest(d, h * 0.8, 50, 110, look.dawn ? "#3a4468" : "#2f5d4c", 30);
  mist(d, h * 0.83, h * 0.05, look.dawn ? "#ffd2b4" : "#e8f2ea", 0.5);
  d.add(
    path(
      `M0 ${n(h * 0.98)}L${n(w * 0.12)} ${n(h * 0.86)}L${n(w * 0.25)} ${n(h * 0.84)}L${n(w * 0.42)} ${n(h * 0.9)}L${n(w * 0.62)} ${n(h * 0.86)}L${n(w * 0.8)} ${n(h * 0.93)}L${n(w)} ${n(h * 0.88)}V${n(h)}H0Z`,
      d.linear([
        [0, look.dawn ? "#3b3a5c" : "#5d7a48"],
        [1, look.dawn ? "#1d1e38" : "#2c4328"],
      ]),
    ),
  );
  const coats = ["#d9443c", "#f2b136", "#35598a", "#4f8a6a"];
  for (let i = 0; i < look.walkers; i++) {
    const child = i % 2 === 1;
    d.add(
      person(d, w * (0.17 + i * 0.05), h * (0.865 + i * 0.006), h * (child ? 0.095 : 0.15), {
        coat: coats[i % 4] ?? "#d9443c",
        legs: "#2b3245",
        child,
        bag: child ? "#3a3f58" : "#8a5a34",
        arms: i === 0 ? "out" : "down",
      }),
    );
  }
  return d.finish({ light: look.dawn ? [0.2, 0.42, "#ffb98a", 0.35] : [0.1, 0.05, "#fff4cf", 0.3], vignette: 0.28 });
}

/** An avenue in autumn. */
export function autumnPath(d: Drawing): string {
  const { width: w, height: h, random } = d;
  d.backdrop([
    [0, "#f2d9a4"],
    [0.5, "#fbeccb"],
    [1, "#caa063"],
  ]);
  sun(d, w * 0.5, h * 0.46, 36, "#fffbe8", "#ffdf9a", 0.9);
  for (const [z, size] of [
    [0.2, 0.3],
    [0.4, 0.45],
    [0.65, 0.66],
    [1, 0.98],
  ] as const) {
    const foot = h * (0.56 + z * 0.24);
    if (z === 0.2)
      d.add(
        path(
          `M0 ${n(h * 0.58)}H${n(w)}V${n(h)}H0Z`,
          d.linear([
            [0, "#d9a44c"],
            [1, "#8a4f22"],
          ]),
        ),
        path(
          `M${n(w * 0.485)} ${n(h * 0.58)}L${n(w * 0.515)} ${n(h * 0.58)}L${n(w * 0.82)} ${n(h)}H${n(w * 0.18)}Z`,
          d.linear([
            [0, "#f3dcb0"],
            [1, "#a87c50"],
          ]),
        ),
      );
    for (const side of [-1, 1]) {
      const leaf = random.pick(["#c9571f", "#d98324", "#b8431f", "#e0a02e"]);
      d.add(tree(d, w * (0.5 + side * (0.06 + z * 0.36)), foot, h * size, leaf, "#f8cf62", "#3f2a1e"));
    }
  }
  d.add(
    person(d, w * 0.46, h * 0.78, h * 0.2, { coat: "#2f4a66", legs: "#33303a", hair: "#38261d" }),
    person(d, w * 0.525, h * 0.785, h * 0.185, {
      coat: "#9b3d3d",
      legs: "#33303a",
      hair: "#7a4b2a",
      long: true,
      skirt: true,
    }),
    person(d, w * 0.57, h * 0.8, h * 0.115, {
      coat: "#d9a12c",
      legs: "#3b4a6e",
      child: true,
      hair: "#9a6a3c",
      arms: "up",
    }),
  );
  for (let i = 0; i < 320; i++) {
    const t = random.next() ** 0.7;
    const x = random.between(0, w);
    const y = h * (0.6 + t * 0.4);
    d.add(
      ellipse(
        x,
        y,
        3 + t * 11,
        2 + t * 5,
        random.pick(["#c9571f", "#e0a02e", "#b8431f", "#f0c04a", "#8f3a1c"]),
        `transform="rotate(${n(random.between(0, 180))} ${n(x)} ${n(y)})"`,
      ),
    );
  }
  for (let i = 0; i < 40; i++)
    d.add(
      ellipse(
        random.between(0, w),
        random.between(h * 0.2, h * 0.7),
        8,
        4,
        random.pick(["#c9571f", "#e0a02e", "#f0c04a"]),
      ),
    );
  return d.finish({ light: [0.5, 0.42, "#ffe2a0", 0.5], vignette: 0.36 });
}

/** A lighthouse on a cliff: in summer light, or in a winter storm. */
export function lighthouse(d: Drawing, look: { storm: boolean }): string {
  const { width: w, height: h, random } = d;
  const { storm } = look;
  d.backdrop(
    storm
      ? [
          [0, "#2b3443"],
          [0.5, "#6d7c8c"],
          [1, "#a9b6bd"],
        ]
      : [
          [0, "#5aa5d8"],
          [0.55, "#d8ecef"],
          [1, "#f4f2e2"],
        ],
  );
  for (let i = 0; i < 4; i++)
    cloud(
      d,
      w * random.between(0.05, 0.95),
      h * random.between(0.08, 0.34),
      random.between(160, 290),
      storm ? "#8793a0" : "#ffffff",
      storm ? "#3b4656" : "#b3cfdf",
      storm ? 0.75 : 0.85,
    );
  water(d, h * 0.56, storm ? "#2d4a58" : "#2c7a98", storm ? "#71858f" : "#86c3cc", "#ffffff", null, 150);
  const cliff = d.linear([
    [0, storm ? "#6c6a62" : "#c9b48a"],
    [1, storm ? "#2f322f" : "#7d6648"],
  ]);
  d.add(
    path(
      `M${n(w)} ${n(h * 0.5)}L${n(w * 0.78)} ${n(h * 0.47)}L${n(w * 0.56)} ${n(h * 0.5)}L${n(w * 0.5)} ${n(h * 0.62)}L${n(w * 0.53)} ${n(h * 0.7)}L${n(w * 0.44)} ${n(h * 0.82)}L${n(w)} ${n(h * 0.9)}Z`,
      cliff,
    ),
    path(
      `M${n(w)} ${n(h * 0.49)}L${n(w * 0.78)} ${n(h * 0.455)}L${n(w * 0.555)} ${n(h * 0.49)}Q${n(w * 0.7)} ${n(h * 0.53)} ${n(w)} ${n(h * 0.55)}Z`,
      storm ? "#4d5a45" : "#7ba35a",
    ),
  );
  for (let i = 0; i < 16; i++)
    d.add(
      stroke(
        `M${n(w * random.between(0.54, 0.98))} ${n(h * random.between(0.56, 0.64))}l${n(random.between(-20, 14))} ${n(random.between(50, 130))}`,
        storm ? "#24282a" : "#8a7150",
        random.between(2, 7),
        'opacity="0.5"',
      ),
    );
  const x = w * 0.73;
  const y = h * 0.485;
  d.add(
    path(
      `M${n(x - 46)} ${n(y)}L${n(x - 30)} ${n(h * 0.17)}H${n(x + 30)}L${n(x + 46)} ${n(y)}Z`,
      d.linear(
        [
          [0, "#ffffff"],
          [0.6, "#ece6da"],
          [1, "#a9a49b"],
        ],
        0,
        0,
        1,
        0,
      ),
    ),
  );
  for (const t of [0.2, 0.6]) {
    const yy = h * 0.17 + (y - h * 0.17) * t;
    const half = 30 + 16 * t;
    const half2 = 30 + 16 * (t + 0.2);
    d.add(
      polygon(
        [
          [x - half, yy],
          [x + half, yy],
          [x + half2, yy + (y - h * 0.17) * 0.2],
          [x - half2, yy + (y - h * 0.17) * 0.2],
        ],
        d.linear(
          [
            [0, "#e2574a"],
            [1, "#93282a"],
          ],
          0,
          0,
          1,
          0,
        ),
      ),
    );
  }
  d.add(
    rounded(x - 42, h * 0.16, 84, 14, 4, "#3a3f4a"),
    rect(x - 22, h * 0.11, 44, h * 0.05, storm ? "#fff0b0" : "#dff0f2"),
    path(`M${n(x - 28)} ${n(h * 0.11)}Q${n(x)} ${n(h * 0.06)} ${n(x + 28)} ${n(h * 0.11)}Z`, "#8f2a2c"),
  );
  if (storm)
    d.add(
      polygon(
        [
          [x, h * 0.13],
          [0, h * 0.02],
          [0, h * 0.26],
        ],
        d.linear(
          [
            [0, "#fff2b8", 0],
            [1, "#fff2b8", 0.75],
          ],
          0,
          0,
          1,
          0,
        ),
      ),
      d.soft(x, h * 0.135, 130, 130, "#fff2c0", 0.9),
    );
  d.add(
    rect(x + 60, y - 60, 130, 62, "#f2ede2"),
    polygon(
      [
        [x + 50, y - 58],
        [x + 125, y - 104],
        [x + 200, y - 58],
      ],
      "#8a4a3a",
    ),
    rect(x + 90, y - 38, 22, 40, "#46586a"),
    rect(x + 140, y - 44, 24, 22, storm ? "#ffdf8a" : "#7d98a8"),
  );
  const wave = (yy: number, colour: string, amp: number) => {
    let p = `M-20 ${n(h * yy)}`;
    for (let i = 0; i < 7; i++) p += `q${n(w / 14)} ${n(-amp * random.between(0.6, 1.3))} ${n(w / 7)} 0`;
    return (
      path(
        `${p}V${n(h + 10)}H-20Z`,
        d.linear([
          [0, mix(colour, "#ffffff", 0.3)],
          [0.3, colour],
          [1, mix(colour, "#06202c", 0.4)],
        ]),
      ) + stroke(p, "#ffffff", storm ? 5 : 3, `opacity="${storm ? 0.6 : 0.45}" stroke-dasharray="90 34 40 60"`)
    );
  };
  d.add(
    wave(0.8, storm ? "#4b6672" : "#4d9db2", storm ? 70 : 26),
    wave(0.9, storm ? "#2f4855" : "#2f7d96", storm ? 90 : 30),
  );
  if (storm) {
    for (let i = 0; i < 90; i++)
      d.add(
        circle(
          w * 0.48 + random.between(-130, 120),
          h * 0.78 - random.next() ** 2 * 330,
          random.between(2, 9),
          "#ffffff",
          'opacity="0.75"',
        ),
      );
    flakes(d, 160, ["#eef3f6"], 1, 4);
  } else
    for (let i = 0; i < 7; i++)
      d.add(
        stroke(
          `m${n(w * random.between(0.08, 0.6))} ${n(h * random.between(0.2, 0.45))}q16 -14 26 2q10 -16 26 -2`,
          "#f8fbfb",
          4,
        ),
      );
  return d.finish({
    light: storm ? [0.5, 0.3, "#c8d4dc", 0.12] : [0.15, 0.1, "#fff4cc", 0.35],
    vignette: storm ? 0.5 : 0.24,
  });
}
