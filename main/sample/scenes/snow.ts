import { circle, type Drawing, group, mix, n, path, rect, rounded, stroke } from "./drawing.ts";
import { person } from "./figures.ts";
import { fir, flakes, forest, hills, sun, tree } from "./nature.ts";

/** Snow. */

export interface SnowLook {
  readonly kind: "forest" | "sledges" | "garden";
}

/** Snow: a quiet forest path, a sledging hill, or the back garden with a snowman. */
export function snow(d: Drawing, look: SnowLook): string {
  const { width: w, height: h, random } = d;
  d.backdrop(
    look.kind === "forest"
      ? [
          [0, "#8da9c9"],
          [0.5, "#f3d9d2"],
          [1, "#eef1f8"],
        ]
      : [
          [0, "#7fa8d0"],
          [0.55, "#e3edf4"],
          [1, "#ffffff"],
        ],
  );
  if (look.kind === "forest") sun(d, w * 0.5, h * 0.4, 30, "#fff9ea", "#ffd9b0", 0.9);
  hills(d, h * 0.6, h * 0.16, "#b4c6dc", "#e8eef6", 0, 1.6);
  forest(d, h * 0.62, 70, 150, "#6d88a0", 30, "#f4f8fc");
  if (look.kind === "forest") {
    forest(d, h * 0.7, 160, 280, "#466a78", 95, "#ffffff");
    d.add(
      path(
        `M0 ${n(h * 0.7)}Q${n(w * 0.5)} ${n(h * 0.64)} ${n(w)} ${n(h * 0.71)}V${n(h)}H0Z`,
        d.linear([
          [0, "#fdf3ee"],
          [0.4, "#e4ecf6"],
          [1, "#b9cbe2"],
        ]),
      ),
    );
    d.add(
      path(
        `M${n(w * 0.49)} ${n(h * 0.68)}Q${n(w * 0.6)} ${n(h * 0.76)} ${n(w * 0.42)} ${n(h * 0.84)}T${n(w * 0.3)} ${n(h)}H${n(w * 0.62)}Q${n(w * 0.6)} ${n(h * 0.9)} ${n(w * 0.62)} ${n(h * 0.84)}T${n(w * 0.51)} ${n(h * 0.68)}Z`,
        "#c3d3e8",
        'opacity="0.75"',
      ),
    );
    for (const [x, s] of [
      [0.06, 1.1],
      [0.18, 0.85],
      [0.82, 0.9],
      [0.95, 1.15],
    ] as const)
      d.add(
        d.soft(w * x + 40, h * 0.94, 190, 26, "#7d97bb", 0.6),
        fir(d, w * x, h * 0.94, h * 0.66 * s, "#2d5460", "#ffffff"),
      );
    d.add(
      person(d, w * 0.5, h * 0.8, h * 0.17, { coat: "#c23b3b", legs: "#2f3a55", hat: "#f2b136" }),
      person(d, w * 0.545, h * 0.8, h * 0.11, { coat: "#3b74b8", legs: "#2f3a55", child: true, hat: "#d9443c" }),
    );
  } else if (look.kind === "sledges") {
    d.add(
      path(
        `M0 ${n(h * 0.46)}Q${n(w * 0.3)} ${n(h * 0.52)} ${n(w * 0.55)} ${n(h * 0.74)}T${n(w)} ${n(h * 0.88)}V${n(h)}H0Z`,
        d.linear([
          [0, "#ffffff"],
          [0.6, "#dbe6f3"],
          [1, "#b4c8e2"],
        ]),
      ),
    );
    for (let i = 0; i < 5; i++)
      d.add(
        stroke(
          `M${n(w * (0.02 + i * 0.05))} ${n(h * (0.5 + i * 0.03))}Q${n(w * (0.32 + i * 0.02))} ${n(h * (0.6 + i * 0.04))} ${n(w * (0.6 + i * 0.08))} ${n(h * (0.86 + i * 0.03))}`,
          "#a9bfdc",
          5,
          'opacity="0.6"',
        ),
      );
    const sledge = (x: number, y: number, s: number, coats: readonly string[]) =>
      group(
        `translate(${n(w * x)} ${n(h * y)}) rotate(24) scale(${s})`,
        d.soft(10, 14, 190, 22, "#6d88b4", 0.6),
        stroke("M-120 10H110Q140 8 142 -24", "#7a4a26", 9),
        rounded(-110, -26, 220, 16, 6, "#b97a40"),
        stroke("M-70 -10V8M60 -10V8", "#7a4a26", 8),
        ...coats.map((c, i) =>
          group(
            `translate(${-52 + i * 78} -30)`,
            path("M-36 8Q-40 -74 0 -80Q40 -74 36 8Z", c),
            stroke("M14 -52Q50 -44 64 -14", mix(c, "#000000", 0.15), 18),
            circle(4, -104, 26, "#e0ac8a"),
            path("M-24 -106Q-26 -140 4 -140Q34 -140 32 -106Z", i % 2 ? "#f2b136" : "#d9443c"),
            circle(4, -142, 9, "#ffffff"),
          ),
        ),
      );
    d.add(
      sledge(0.36, 0.68, 1.15, ["#3b74b8", "#d9583f"]),
      sledge(0.16, 0.55, 0.62, ["#4f8a6a"]),
      person(d, w * 0.08, h * 0.56, h * 0.16, { coat: "#70507e", legs: "#2f3a55", hat: "#ffffff", arms: "up" }),
      fir(d, w * 0.9, h * 0.9, h * 0.5, "#2d5460", "#ffffff"),
      fir(d, w * 0.99, h * 0.95, h * 0.42, "#335e68", "#ffffff"),
    );
    for (let i = 0; i < 26; i++)
      d.add(
        circle(
          w * 0.3 + random.between(-90, 60),
          h * 0.7 + random.between(-60, 50),
          random.between(3, 10),
          "#ffffff",
          'opacity="0.8"',
        ),
      );
  } else {
    for (let x = -10; x < w; x += 64)
      d.add(
        rounded(
          x,
          h * 0.42,
          54,
          h * 0.3,
          4,
          d.linear([
            [0, mix("#9a7a5c", "#6a4e3a", random.next())],
            [1, "#5d4636"],
          ]),
        ),
        rounded(x - 2, h * 0.405, 58, 22, 11, "#ffffff"),
      );
    d.add(
      tree(d, w * 0.86, h * 0.72, h * 0.7, "#a9b4bd", "#ffffff", "#4a3a34"),
      path(
        `M0 ${n(h * 0.69)}Q${n(w * 0.4)} ${n(h * 0.64)} ${n(w)} ${n(h * 0.7)}V${n(h)}H0Z`,
        d.linear([
          [0, "#ffffff"],
          [1, "#bccfe6"],
        ]),
      ),
    );
    const x = w * 0.44;
    const y = h * 0.9;
    const ball = (cy: number, r: number) =>
      circle(
        x,
        cy,
        r,
        d.radial(
          [
            [0, "#ffffff"],
            [0.7, "#eaf1f9"],
            [1, "#b9cbe2"],
          ],
          0.36,
          0.3,
          0.75,
        ),
      );
    d.add(
      d.soft(x + 50, y, 260, 40, "#7d97bb", 0.6),
      stroke(
        `M${n(x + 80)} ${n(y - 250)}L${n(x + 210)} ${n(y - 350)}m-26 -34l26 34l34 -12M${n(x - 80)} ${n(y - 250)}L${n(x - 200)} ${n(y - 320)}`,
        "#5b3f2a",
        8,
      ),
      ball(y - 110, 138),
      ball(y - 270, 98),
      ball(y - 392, 70),
      rounded(x - 82, y - 350, 164, 30, 14, "#c23b3b"),
      rounded(x + 28, y - 340, 36, 110, 10, "#c23b3b"),
      rounded(x - 80, y - 458, 160, 16, 8, "#33333d"),
      rounded(x - 52, y - 545, 104, 92, 8, "#3d3d49"),
      rect(x - 52, y - 478, 104, 18, "#b8373a"),
      path(`M${n(x)} ${n(y - 396)}l86 18l-86 14Z`, "#f08a2c"),
      circle(x - 24, y - 412, 8, "#23232b"),
      circle(x + 24, y - 412, 8, "#23232b"),
      circle(x, y - 280, 9, "#33333d"),
      circle(x, y - 235, 9, "#33333d"),
    );
    d.add(
      person(d, x - 250, h * 0.92, h * 0.26, {
        coat: "#d9583f",
        legs: "#34466b",
        child: true,
        hat: "#3b74b8",
        arms: "right",
      }),
      person(d, x + 300, h * 0.93, h * 0.33, {
        coat: "#4f8a6a",
        legs: "#34466b",
        child: true,
        hat: "#f2b136",
        arms: "up",
        long: true,
      }),
    );
  }
  flakes(d, look.kind === "sledges" ? 90 : 160, ["#ffffff"], 1.5, 6);
  return d.finish({ light: [0.5, 0.3, look.kind === "forest" ? "#ffd4b0" : "#ffffff", 0.25], vignette: 0.24 });
}
