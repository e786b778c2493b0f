import { circle, type Drawing, ellipse, fade, group, mix, n, path, polygon, rect, rounded, stroke } from "./drawing.ts";
import { person } from "./figures.ts";
import { cloud, fir, forest, grass, hills, mist, peak, stars, sun, tree, water } from "./nature.ts";

/** Lakes among hills, and what stands by them. */

export interface LakeLook {
  readonly tent?: boolean;
  readonly kayak?: "shore" | "paddled";
  readonly fire?: boolean;
  readonly island?: boolean;
  readonly hour: "morning" | "day" | "night";
}

/** A lake among hills: with a tent, a red kayak, a fire or an island church. */
export function lake(d: Drawing, look: LakeLook): string {
  const { width: w, height: h } = d;
  const night = look.hour === "night";
  const morning = look.hour === "morning";
  if (night)
    d.backdrop([
      [0, "#0b1230"],
      [0.4, "#263763"],
      [0.58, "#5d6a8c"],
      [1, "#141b3a"],
    ]);
  else if (morning)
    d.backdrop([
      [0, "#8fb6d2"],
      [0.4, "#f4d9c0"],
      [0.58, "#fbe8c9"],
      [1, "#c9d8d2"],
    ]);
  else
    d.backdrop([
      [0, "#4d96cf"],
      [0.5, "#cfe6ec"],
      [1, "#dcecea"],
    ]);
  if (night) {
    stars(d, h * 0.5, 190);
    sun(d, w * 0.78, h * 0.14, 26, "#fff4d6", "#9fb4e0", 0.5);
  } else if (morning) sun(d, w * 0.28, h * 0.42, 34, "#fff8e2", "#ffd9a0", 0.9);
  else {
    cloud(d, w * 0.25, h * 0.16, 170, "#ffffff", "#aecbdd");
    cloud(d, w * 0.72, h * 0.12, 220, "#ffffff", "#aecbdd");
  }
  const haze = night ? "#3c4a74" : morning ? "#f3dcc4" : "#cfe3e6";
  if (look.island) {
    peak(d, w * 0.2, h * 0.56, w * 0.5, h * 0.36, "#9fb3bf", "#6f8796", "#f7f7f2");
    peak(d, w * 0.52, h * 0.56, w * 0.46, h * 0.29, "#a9bcc5", "#7d93a0", "#f7f7f2");
    peak(d, w * 0.84, h * 0.56, w * 0.55, h * 0.4, "#95abb9", "#667f90", "#ffffff");
  } else hills(d, h * 0.5, h * 0.22, night ? "#2a3760" : "#86a3b0", haze, 0.7, 1.6);
  hills(d, h * 0.545, h * 0.12, night ? "#1d294e" : morning ? "#7c9a95" : "#5f8f7c", haze, 0, 2);
  forest(d, h * 0.572, 40, 90, night ? "#13203c" : morning ? "#4f736c" : "#2f6650", 26);
  water(
    d,
    h * 0.57,
    night ? "#0d1634" : morning ? "#6f93a0" : "#2f7d96",
    night ? "#3d4c78" : morning ? "#e9d6c1" : "#7fb8bd",
    night ? "#ffdfa0" : "#ffffff",
    morning ? w * 0.28 : night ? w * 0.78 : null,
    110,
  );
  mist(d, h * 0.575, h * 0.05, night ? "#6b7aa8" : "#fff6e6", morning ? 0.85 : 0.4);
  if (look.island) islandChurch(d);
  if (look.kayak === "paddled") kayak(d, w * 0.58, h * 0.76, 470, true);
  const bank = night ? "#131a26" : morning ? "#6f7f52" : "#6c9a4d";
  if (look.tent || look.fire || look.kayak === "shore") {
    d.add(
      path(
        `M0 ${n(h * 0.83)}Q${n(w * 0.35)} ${n(h * 0.72)} ${n(w * 0.7)} ${n(h * 0.84)}T${n(w)} ${n(h * 0.87)}V${n(h)}H0Z`,
        d.linear([
          [0, bank],
          [1, mix(bank, "#0f1a12", 0.55)],
        ]),
      ),
    );
    for (const [x, s] of [
      [0.02, 1.2],
      [0.09, 0.9],
      [0.94, 1.3],
    ] as const)
      d.add(fir(d, w * x, h * 0.86, h * 0.5 * s, night ? "#0e1828" : "#27523f"));
  }
  if (look.tent) tent(d, w * 0.33, h * 0.87, 330, night);
  if (look.kayak === "shore") kayak(d, w * 0.72, h * 0.92, 420, false);
  if (look.fire) fire(d);
  if (!night && (look.tent || look.kayak === "shore")) grass(d, h * 0.86, "#5c8a40", ["#ffffff", "#f2c14e"], 120);
  return d.finish(
    night
      ? { light: [0.62, 0.85, "#ff9a4a", 0.3], vignette: 0.5 }
      : { light: [0.25, 0.3, "#fff0c8", 0.3], vignette: 0.26 },
  );
}

function islandChurch(d: Drawing): void {
  const { width: w, height: h } = d;
  const x = w * 0.5;
  const y = h * 0.66;
  d.add(
    ellipse(x, y + 14, 270, 20, "#1e4a58", 'opacity="0.6"'),
    path(
      `M${n(x - 230)} ${n(y + 8)}Q${n(x - 150)} ${n(y - 50)} ${n(x)} ${n(y - 56)}Q${n(x + 170)} ${n(y - 50)} ${n(x + 230)} ${n(y + 8)}Z`,
      "#6c7f58",
    ),
  );
  for (let i = 0; i < 9; i++)
    d.add(tree(d, x - 190 + i * 47, y + 4, i === 4 || i === 5 ? 70 : 105, "#33633f", "#88ad5a"));
  d.add(
    rect(
      x - 8,
      y - 128,
      92,
      74,
      d.linear(
        [
          [0, "#fffaf0"],
          [1, "#d9cdb8"],
        ],
        0,
        0,
        1,
        0,
      ),
    ),
    polygon(
      [
        [x - 20, y - 126],
        [x + 38, y - 168],
        [x + 96, y - 126],
      ],
      "#a6503c",
    ),
    rect(
      x - 52,
      y - 196,
      46,
      142,
      d.linear(
        [
          [0, "#fffdf6"],
          [1, "#cfc3ae"],
        ],
        0,
        0,
        1,
        0,
      ),
    ),
    polygon(
      [
        [x - 58, y - 194],
        [x - 29, y - 276],
        [x, y - 194],
      ],
      "#8f4535",
    ),
    circle(x - 29, y - 168, 9, "#5a6a76"),
  );
  for (let i = 0; i < 3; i++) d.add(rounded(x + 8 + i * 25, y - 104, 10, 30, 5, "#5f7380"));
  d.add(
    stroke(`M${n(x + 20)} ${n(y - 52)}L${n(x + 34)} ${n(y + 8)}`, "#e8dfcb", 12),
    fade(0.28, rect(x - 52, y + 14, 46, 120, "#fffaf0"), rect(x - 8, y + 14, 92, 60, "#f2e7d3")),
  );
  d.add(
    group(
      `translate(${n(w * 0.24)} ${n(h * 0.8)})`,
      d.soft(20, 22, 150, 16, "#123743", 0.6),
      path("M-110 0Q20 40 150 0L128 26Q20 44 -88 26Z", "#8a5a34"),
      stroke("M-60 4L-82 -84M90 4L104 -84", "#5b3a22", 5),
      path("M-96 -84Q12 -124 118 -84Z", "#d9443c"),
      circle(-20, -26, 13, "#d9a07e"),
      rounded(-36, -14, 34, 26, 10, "#35598a"),
      circle(34, -22, 11, "#e0ac8a"),
      rounded(20, -12, 28, 22, 9, "#f2c14e"),
    ),
  );
}

export function kayak(d: Drawing, x: number, y: number, s: number, paddled: boolean): void {
  const red = d.linear([
    [0, "#f0654a"],
    [0.5, "#d5392f"],
    [1, "#8f1d22"],
  ]);
  const hull = `M${n(-s * 0.5)} ${n(-s * 0.05)}Q${n(-s * 0.36)} ${n(-s * 0.04)} 0 ${n(-s * 0.045)}Q${n(s * 0.36)} ${n(-s * 0.04)} ${n(s * 0.5)} ${n(-s * 0.06)}Q${n(s * 0.36)} ${n(s * 0.07)} 0 ${n(s * 0.07)}Q${n(-s * 0.36)} ${n(s * 0.07)} ${n(-s * 0.5)} ${n(-s * 0.05)}Z`;
  const parts = [d.soft(0, s * 0.085, s * 0.56, s * 0.05, "#07141c", 0.65)];
  if (paddled) {
    parts.push(fade(0.3, group("scale(1 -0.7)", path(hull, "#a82028"))));
    parts.push(
      path(
        `M${n(-s * 0.09)} ${n(-s * 0.03)}Q${n(-s * 0.1)} ${n(-s * 0.22)} 0 ${n(-s * 0.23)}Q${n(s * 0.1)} ${n(-s * 0.22)} ${n(s * 0.09)} ${n(-s * 0.03)}Z`,
        d.linear(
          [
            [0, "#f6c544"],
            [1, "#c98a18"],
          ],
          0,
          0,
          1,
          0.4,
        ),
      ),
      rect(-s * 0.07, -s * 0.15, s * 0.14, s * 0.018, "#3b4a5e"),
      circle(0, -s * 0.285, s * 0.055, "#d9a07e"),
      path(
        `M${n(-s * 0.062)} ${n(-s * 0.28)}Q${n(-s * 0.07)} ${n(-s * 0.355)} 0 ${n(-s * 0.352)}Q${n(s * 0.07)} ${n(-s * 0.355)} ${n(s * 0.062)} ${n(-s * 0.28)}Q0 ${n(-s * 0.32)} ${n(-s * 0.062)} ${n(-s * 0.28)}Z`,
        "#4a2f22",
      ),
      stroke(`M${n(-s * 0.3)} ${n(-s * 0.21)}L${n(s * 0.3)} ${n(-s * 0.05)}`, "#2b2f38", 7),
      ellipse(
        -s * 0.33,
        -s * 0.218,
        s * 0.05,
        s * 0.022,
        "#f1e7d0",
        `transform="rotate(15 ${n(-s * 0.33)} ${n(-s * 0.218)})"`,
      ),
      ellipse(
        s * 0.33,
        -s * 0.042,
        s * 0.05,
        s * 0.022,
        "#f1e7d0",
        `transform="rotate(15 ${n(s * 0.33)} ${n(-s * 0.042)})"`,
      ),
    );
  }
  parts.push(
    path(hull, red),
    stroke(
      `M${n(-s * 0.44)} ${n(-s * 0.035)}Q0 ${n(-s * 0.015)} ${n(s * 0.44)} ${n(-s * 0.042)}`,
      "#ffb9a0",
      3,
      'opacity="0.7"',
    ),
    ellipse(0, -s * 0.038, s * 0.13, s * 0.018, "#3a1218"),
    rounded(s * 0.24, -s * 0.03, s * 0.07, s * 0.02, 4, "#fff1df"),
  );
  if (!paddled)
    parts.push(
      stroke(`M${n(-s * 0.42)} ${n(-s * 0.1)}L${n(s * 0.3)} ${n(-s * 0.16)}`, "#2b2f38", 7),
      ellipse(-s * 0.45, -s * 0.098, s * 0.055, s * 0.024, "#f6c544"),
      ellipse(s * 0.33, -s * 0.163, s * 0.055, s * 0.024, "#f6c544"),
    );
  else
    for (const k of [0.62, 0.8])
      parts.push(
        stroke(
          `M${n(-s * k)} ${n(s * 0.06)}Q0 ${n(s * 0.2 * k)} ${n(s * k)} ${n(s * 0.06)}`,
          "#ffffff",
          3,
          'opacity="0.4"',
        ),
      );
  d.add(group(`translate(${n(x)} ${n(y)}) rotate(${paddled ? 0 : -4})`, ...parts));
}

function tent(d: Drawing, x: number, y: number, s: number, glow: boolean): void {
  const cloth = glow
    ? d.radial(
        [
          [0, "#ffd98a"],
          [0.6, "#e98f3f"],
          [1, "#8a4a2c"],
        ],
        0.4,
        0.75,
        0.7,
      )
    : d.linear(
        [
          [0, "#f6a74b"],
          [1, "#d8702f"],
        ],
        0,
        0,
        1,
        0.6,
      );
  d.add(
    d.soft(x + 30, y + 6, s * 0.85, s * 0.12, "#101a10", 0.65),
    path(
      `M${n(x - s * 0.2)} ${n(y - s * 0.6)}L${n(x + s * 0.42)} ${n(y - s * 0.52)}L${n(x + s * 0.78)} ${n(y - s * 0.04)}L${n(x + s * 0.18)} ${n(y)}Z`,
      mix("#c25f2c", glow ? "#ffb45e" : "#5a2c1c", 0.3),
    ),
    path(
      `M${n(x - s * 0.2)} ${n(y - s * 0.6)}Q${n(x - s * 0.38)} ${n(y - s * 0.2)} ${n(x - s * 0.62)} ${n(y)}L${n(x + s * 0.2)} ${n(y)}Q${n(x + s * 0.02)} ${n(y - s * 0.25)} ${n(x - s * 0.2)} ${n(y - s * 0.6)}Z`,
      cloth,
    ),
    path(
      `M${n(x - s * 0.2)} ${n(y - s * 0.56)}Q${n(x - s * 0.27)} ${n(y - s * 0.2)} ${n(x - s * 0.36)} ${n(y)}L${n(x - s * 0.05)} ${n(y)}Q${n(x - s * 0.12)} ${n(y - s * 0.22)} ${n(x - s * 0.2)} ${n(y - s * 0.56)}Z`,
      glow ? "#fff0c2" : "#5b3120",
    ),
    path(
      `M${n(x - s * 0.2)} ${n(y - s * 0.56)}Q${n(x - s * 0.12)} ${n(y - s * 0.22)} ${n(x - s * 0.05)} ${n(y)}L${n(x + s * 0.03)} ${n(y)}Q${n(x - s * 0.08)} ${n(y - s * 0.3)} ${n(x - s * 0.2)} ${n(y - s * 0.56)}Z`,
      "#fbd08f",
    ),
    stroke(
      `M${n(x - s * 0.2)} ${n(y - s * 0.6)}L${n(x - s * 0.9)} ${n(y + s * 0.04)}M${n(x + s * 0.42)} ${n(y - s * 0.52)}L${n(x + s * 0.98)} ${n(y - s * 0.01)}`,
      "#efe6d0",
      2,
    ),
  );
}

function fire(d: Drawing): void {
  const { width: w, height: h, random } = d;
  const x = w * 0.63;
  const y = h * 0.93;
  d.add(
    d.soft(x, y - 50, 420, 300, "#ff9a3c", 0.6),
    stroke(
      `M${n(x - 70)} ${n(y + 8)}L${n(x + 66)} ${n(y - 20)}M${n(x + 72)} ${n(y + 10)}L${n(x - 62)} ${n(y - 22)}`,
      "#4b2a18",
      20,
    ),
  );
  const flame = (s: number, colour: string) =>
    path(
      `M${n(x - 56 * s)} ${n(y - 8)}Q${n(x - 80 * s)} ${n(y - 90 * s)} ${n(x - 12 * s)} ${n(y - 130 * s)}Q${n(x - 8 * s)} ${n(y - 170 * s)} ${n(x + 8 * s)} ${n(y - 200 * s)}Q${n(x + 20 * s)} ${n(y - 130 * s)} ${n(x + 52 * s)} ${n(y - 100 * s)}Q${n(x + 78 * s)} ${n(y - 40 * s)} ${n(x + 52 * s)} ${n(y - 8)}Z`,
      colour,
    );
  d.add(flame(1, "#f0702c"), flame(0.72, "#f9a83a"), flame(0.42, "#fff0b8"));
  for (let i = 0; i < 40; i++)
    d.add(
      circle(
        x + random.between(-120, 120),
        y - random.between(120, 480),
        random.between(1.5, 4),
        "#ffc76b",
        `opacity="${n(random.between(3, 9) / 10)}"`,
      ),
    );
  d.add(
    person(d, x - 205, y + 26, 210, {
      coat: "#8a4a3a",
      legs: "#2a2233",
      child: true,
      hair: "#5a3420",
      skin: "#e8a878",
      long: true,
    }),
    person(d, x + 190, y + 20, 290, { coat: "#3c4f6e", legs: "#221f2c", hair: "#2a1d18", skin: "#e0a070" }),
    person(d, x + 290, y + 34, 180, {
      coat: "#a4682f",
      legs: "#2a2233",
      child: true,
      hair: "#8a5a34",
      skin: "#e8a878",
    }),
  );
}
