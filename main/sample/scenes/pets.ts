import { circle, type Drawing, ellipse, group, mix, n, path, polygon, rect, rounded, stroke } from "./drawing.ts";
import { lyingCat, sittingDog } from "./figures.ts";
import { fir } from "./nature.ts";
import { wall, windowPane } from "./room-parts.ts";

/** The cat and the dog at home. */

/** The cat on a sofa, or on a window sill. */
export function catAtHome(d: Drawing, look: { sill: boolean; kitten: boolean }): string {
  const { width: w, height: h } = d;
  if (look.sill) {
    wall(d, "#d9cdb4", "#c9b792", 1, "#8a5a34");
    windowPane(
      d,
      w * 0.12,
      h * 0.08,
      w * 0.76,
      h * 0.62,
      ["#8fb8d6", "#f1e0c0"],
      ellipse(w * 0.3, h * 0.72, 420, 170, "#b9843a") +
        ellipse(w * 0.75, h * 0.72, 460, 200, "#8f6a34") +
        rect(w * 0.55, h * 0.3, 250, 330, "#a4614a") +
        polygon(
          [
            [w * 0.53, h * 0.31],
            [w * 0.64, h * 0.19],
            [w * 0.75, h * 0.31],
          ],
          "#5c4a4a",
        ),
    );
    d.add(
      rect(
        0,
        h * 0.74,
        w,
        h * 0.07,
        d.linear([
          [0, "#fffaf0"],
          [1, "#d6c8ac"],
        ]),
      ),
      rect(
        0,
        h * 0.81,
        w,
        h * 0.19,
        d.linear([
          [0, "#b59c74"],
          [1, "#8f7856"],
        ]),
      ),
    );
    d.add(
      group(
        `translate(${n(w * 0.82)} ${n(h * 0.76)})`,
        path(
          "M-60 -120H60L44 0H-44Z",
          d.linear(
            [
              [0, "#d9784a"],
              [1, "#8f4424"],
            ],
            0,
            0,
            1,
            0,
          ),
        ),
        ...[-50, -24, 0, 26, 52].map((a) =>
          group(
            `rotate(${a} 0 -120)`,
            path(
              "M0 -120Q-40 -230 0 -320Q40 -230 0 -120Z",
              d.linear([
                [0, "#7fb06a"],
                [1, "#3f6b3c"],
              ]),
            ),
          ),
        ),
      ),
    );
    d.add(lyingCat(d, w * 0.24, h * 0.775, 560, "#d98a3e", "#fff1dc"));
    return d.finish({ light: [0.5, 0.25, "#ffe6b0", 0.4], vignette: 0.34 });
  }
  wall(d, "#c9d3c4", "#a9b8a6", 0.8, "#9a6a42");
  d.add(
    rect(w * 0.1, h * 0.1, 250, 310, "#f6efe2"),
    rect(
      w * 0.1 + 22,
      h * 0.1 + 22,
      206,
      266,
      d.linear([
        [0, "#f2c9a0"],
        [0.5, "#d98a6a"],
        [1, "#3f5a78"],
      ]),
    ),
    circle(w * 0.1 + 130, h * 0.1 + 130, 30, "#fff2d0"),
    rect(w * 0.7, h * 0.14, 210, 210, "#3b332b"),
    rect(w * 0.7 + 16, h * 0.14 + 16, 178, 178, "#f2e6cf"),
    fir(d, w * 0.7 + 105, h * 0.14 + 180, 150, "#4f7a5a"),
  );
  const sofa = "#3f6b78";
  d.add(
    d.soft(w * 0.5, h * 0.94, 800, 70, "#120c08", 0.6),
    rounded(
      w * 0.1,
      h * 0.42,
      w * 0.8,
      h * 0.4,
      60,
      d.linear([
        [0, mix(sofa, "#ffffff", 0.22)],
        [1, sofa],
      ]),
    ),
    rounded(
      w * 0.04,
      h * 0.54,
      w * 0.13,
      h * 0.36,
      50,
      d.linear([
        [0, mix(sofa, "#ffffff", 0.2)],
        [1, mix(sofa, "#000000", 0.25)],
      ]),
    ),
    rounded(
      w * 0.83,
      h * 0.54,
      w * 0.13,
      h * 0.36,
      50,
      d.linear([
        [0, mix(sofa, "#ffffff", 0.1)],
        [1, mix(sofa, "#000000", 0.35)],
      ]),
    ),
    rounded(
      w * 0.15,
      h * 0.68,
      w * 0.35,
      h * 0.17,
      30,
      d.linear([
        [0, mix(sofa, "#ffffff", 0.28)],
        [1, mix(sofa, "#000000", 0.12)],
      ]),
    ),
    rounded(
      w * 0.5,
      h * 0.68,
      w * 0.35,
      h * 0.17,
      30,
      d.linear([
        [0, mix(sofa, "#ffffff", 0.24)],
        [1, mix(sofa, "#000000", 0.18)],
      ]),
    ),
  );
  d.add(
    group(
      `translate(${n(w * 0.25)} ${n(h * 0.6)}) rotate(-14)`,
      rounded(
        -120,
        -110,
        240,
        220,
        40,
        d.linear(
          [
            [0, "#f2c968"],
            [1, "#c98f2c"],
          ],
          0,
          0,
          1,
          1,
        ),
      ),
      stroke("M-90 -60h180M-90 0h180M-90 60h180", "#fff1cf", 7, 'opacity="0.6"'),
    ),
  );
  const s = look.kitten ? 340 : 480;
  d.add(lyingCat(d, w * 0.46, h * 0.72, s, "#d98a3e", "#fff1dc"));
  if (look.kitten)
    d.add(
      circle(
        w * 0.4,
        h * 0.7,
        38,
        d.radial(
          [
            [0, "#f2a0a8"],
            [1, "#b8485c"],
          ],
          0.35,
          0.3,
          0.8,
        ),
      ),
      stroke(
        `M${n(w * 0.38)} ${n(h * 0.69)}q30 -20 54 6m-56 12q30 -18 58 0M${n(w * 0.425)} ${n(h * 0.72)}q60 40 120 10`,
        "#ffd6da",
        4,
      ),
    );
  return d.finish({ light: [0.15, 0.15, "#fff0c4", 0.4], vignette: 0.36 });
}

/** The dog: on summer grass, or by the fire. */
export function dog(d: Drawing, look: { fireside: boolean }): string {
  const { width: w, height: h, random } = d;
  if (look.fireside) {
    wall(d, "#5c3f3a", "#44302e", 0.78, "#5a3622");
    d.add(
      rect(
        w * 0.5,
        h * 0.2,
        w * 0.42,
        h * 0.6,
        d.linear([
          [0, "#8a7a6c"],
          [1, "#5c4d44"],
        ]),
      ),
    );
    for (let r = 0; r < 8; r++)
      for (let c = 0; c < 5; c++)
        d.add(
          rounded(
            w * 0.5 + c * w * 0.086 - (r % 2) * 40 + 6,
            h * 0.21 + r * h * 0.074,
            w * 0.08,
            h * 0.066,
            8,
            mix("#9a897a", "#4a3c34", random.next() * 0.7),
            'opacity="0.6"',
          ),
        );
    d.add(
      rect(
        w * 0.47,
        h * 0.17,
        w * 0.48,
        44,
        d.linear([
          [0, "#7a4a2a"],
          [1, "#4a2a16"],
        ]),
      ),
      path(
        `M${n(w * 0.58)} ${n(h * 0.8)}V${n(h * 0.5)}Q${n(w * 0.71)} ${n(h * 0.36)} ${n(w * 0.84)} ${n(h * 0.5)}V${n(h * 0.8)}Z`,
        "#140a08",
      ),
      d.soft(w * 0.71, h * 0.72, 420, 340, "#ff8a34", 0.75),
    );
    for (const [dx, s, c] of [
      [-60, 1, "#e85c24"],
      [50, 1.1, "#f0792c"],
      [0, 1.4, "#f9a83a"],
      [-10, 0.9, "#ffe9a8"],
    ] as const)
      d.add(
        path(
          `M${n(w * 0.71 + dx - 46 * s)} ${n(h * 0.785)}Q${n(w * 0.71 + dx - 60 * s)} ${n(h * 0.785 - 90 * s)} ${n(w * 0.71 + dx)} ${n(h * 0.785 - 170 * s)}Q${n(w * 0.71 + dx + 60 * s)} ${n(h * 0.785 - 80 * s)} ${n(w * 0.71 + dx + 46 * s)} ${n(h * 0.785)}Z`,
          c,
        ),
      );
    d.add(rounded(w * 0.6, h * 0.765, w * 0.22, 36, 14, "#4a2a18"));
    for (let i = 0; i < 4; i++)
      d.add(
        path(
          `M${n(w * (0.55 + i * 0.08))} ${n(h * 0.205)}h54v60q0 26 34 30q20 20 -6 34h-56q-26 -6 -26 -40Z`,
          ["#b8373a", "#f2efe6", "#4f8a6a", "#c98f2c"][i] ?? "#b8373a",
        ),
        rect(w * (0.55 + i * 0.08) - 4, h * 0.2, 62, 24, "#ffffff"),
      );
    d.add(
      ellipse(
        w * 0.4,
        h * 0.9,
        560,
        84,
        d.radial([
          [0, "#b85c44"],
          [0.7, "#8f3a34"],
          [1, "#6e2a2a"],
        ]),
      ),
      ellipse(w * 0.4, h * 0.9, 470, 64, "none", 'stroke="#f2d9a8" stroke-width="5" opacity="0.6"'),
    );
    d.add(sittingDog(d, w * 0.32, h * 0.92, 500, "#b8844e"));
    return d.finish({ light: [0.71, 0.68, "#ff8a34", 0.45], vignette: 0.55 });
  }
  d.backdrop([
    [0, "#8cc3e6"],
    [0.45, "#e6f1e4"],
    [1, "#7aa650"],
  ]);
  d.add(
    d.blurLayer(
      14,
      ...Array.from({ length: 14 }, (_, i) =>
        circle(
          i * w * 0.08,
          h * random.between(0.36, 0.5),
          random.between(70, 150),
          random.pick(["#6f9f58", "#8ab868", "#4f8450", "#a7c97a"]),
        ),
      ),
      rect(0, h * 0.5, w, h * 0.5, "#8fbb5c"),
    ),
  );
  d.add(
    rect(
      0,
      h * 0.62,
      w,
      h * 0.4,
      d.linear([
        [0, "#9cc465"],
        [1, "#557f34"],
      ]),
    ),
  );
  d.add(
    sittingDog(d, w * 0.52, h * 0.88, 610, "#b8844e"),
    circle(
      w * 0.24,
      h * 0.88,
      52,
      d.radial(
        [
          [0, "#fff2a8"],
          [0.6, "#d6d93c"],
          [1, "#8f9a20"],
        ],
        0.35,
        0.3,
        0.8,
      ),
    ),
    stroke(`M${n(w * 0.24 - 46)} ${n(h * 0.87)}q44 30 92 0`, "#ffffff", 6, 'opacity="0.8"'),
  );
  const blades: string[] = [];
  for (let i = 0; i < 240; i++) {
    const x = random.between(0, w);
    const y = h * random.between(0.86, 1.03);
    blades.push(
      stroke(
        `M${n(x)} ${n(y)}q${n(random.between(-12, 12))} -30 ${n(random.between(-24, 24))} ${n(-random.between(36, 80))}`,
        random.pick(["#6d9c40", "#8fbf55", "#4a7430", "#b6d46e"]),
        random.between(3, 6),
      ),
    );
  }
  d.add(blades.join(""));
  return d.finish({ light: [0.2, 0.08, "#fff4c8", 0.4], vignette: 0.26 });
}
