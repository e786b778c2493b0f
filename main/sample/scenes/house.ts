import { circle, type Drawing, ellipse, group, mix, n, path, polygon, rect, rounded, stroke } from "./drawing.ts";
import { lyingCat, person } from "./figures.ts";
import { text } from "./lettering.ts";
import { wall, windowPane } from "./room-parts.ts";

/** The house: moving in, and the kitchen. */

/** Moving day: boxes, keys, an empty room full of light. */
export function movingBoxes(d: Drawing): string {
  const { width: w, height: h } = d;
  wall(d, "#efe4cc", "#dfcda8", 0.72, "#b07c4c");
  windowPane(
    d,
    w * 0.58,
    h * 0.07,
    430,
    470,
    ["#a4cde6", "#f2ead2"],
    ellipse(w * 0.66, h * 0.5, 200, 130, "#c98a3a") +
      ellipse(w * 0.86, h * 0.5, 190, 160, "#a8622c") +
      rect(w * 0.7, h * 0.3, 110, 300, "#9a5a44"),
  );
  d.add(
    polygon(
      [
        [w * 0.52, h * 0.74],
        [w * 0.84, h * 0.74],
        [w * 0.6, h],
        [w * 0.14, h],
      ],
      "#fff2c8",
      'opacity="0.35"',
    ),
  );
  const box = (x: number, y: number, bw: number, bh: number, label: string, tone: string) =>
    d.add(
      d.soft(x + bw / 2 + 30, y + 6, bw * 0.75, 34, "#2a1608", 0.6),
      rect(
        x,
        y - bh,
        bw,
        bh,
        d.linear(
          [
            [0, mix(tone, "#fff0d0", 0.25)],
            [1, mix(tone, "#3a1c08", 0.15)],
          ],
          0,
          0,
          1,
          1,
        ),
      ),
      polygon(
        [
          [x + bw, y - bh],
          [x + bw + 60, y - bh - 40],
          [x + bw + 60, y - 44],
          [x + bw, y],
        ],
        mix(tone, "#2a1404", 0.38),
      ),
      polygon(
        [
          [x, y - bh],
          [x + 60, y - bh - 40],
          [x + bw + 60, y - bh - 40],
          [x + bw, y - bh],
        ],
        mix(tone, "#fff0d0", 0.42),
      ),
      rect(x + bw * 0.42, y - bh, bw * 0.16, bh * 0.5, "#e9d9b4", 'opacity="0.8"'),
      text(label, x + bw / 2, y - bh * 0.22, { face: "hand", size: 66, fill: "#33261c", align: "middle" }),
    );
  box(w * 0.06, h * 0.72, 300, 220, "Winter", "#b98a56");
  box(w * 0.3, h * 0.76, 360, 280, "Books", "#c2935f");
  box(w * 0.12, h * 0.94, 430, 300, "Kitchen", "#c99a64");
  box(w * 0.52, h * 0.93, 320, 210, "Ida's room", "#bd8d58");
  d.add(lyingCat(d, w * 0.155, h * 0.645, 300, "#d98a3e", "#fff1dc"));
  d.add(
    group(
      `translate(${n(w * 0.86)} ${n(h * 0.88)}) rotate(-20)`,
      d.soft(20, 26, 160, 50, "#2a1608", 0.5),
      circle(-60, 0, 42, "none", 'stroke="#c9a04a" stroke-width="14"'),
      rounded(-20, -10, 150, 20, 8, "#d9b45a"),
      rect(86, 6, 14, 30, "#d9b45a"),
      rect(112, 6, 14, 22, "#d9b45a"),
      group("rotate(38)", rounded(-14, -8, 130, 17, 8, "#c2c6c8"), rect(80, 6, 12, 24, "#c2c6c8")),
      group(
        "rotate(110)",
        rounded(20, -26, 120, 56, 14, "#b8373a"),
        text("14", 62, 14, { face: "heavy", size: 44, fill: "#fff2dc" }),
      ),
    ),
  );
  return d.finish({ light: [0.72, 0.2, "#fff0c0", 0.45], vignette: 0.32 });
}

/** The kitchen: stripped to the plaster, or finished in green. */
export function kitchen(d: Drawing, look: { finished: boolean }): string {
  const { width: w, height: h, random } = d;
  if (!look.finished) {
    wall(d, "#cbbfae", "#b3a48e", 0.76, "#8f8577");
    for (let i = 0; i < 9; i++)
      d.add(
        d.blur(
          6,
          ellipse(
            random.between(0, w),
            random.between(0, h * 0.7),
            random.between(80, 220),
            random.between(50, 130),
            random.pick(["#b9a48c", "#d9cfc0", "#a48d78", "#c98f74"]),
            'opacity="0.55"',
          ),
        ),
      );
    for (let r = 0; r < 6; r++)
      for (let c = 0; c < 5; c++)
        if (random.chance(0.75))
          d.add(
            rounded(
              w * 0.62 + c * 96 - (r % 2) * 44,
              h * 0.26 + r * 54,
              90,
              48,
              3,
              mix("#a8573c", "#7a3a28", random.next()),
            ),
          );
    windowPane(d, w * 0.1, h * 0.12, 360, 330, ["#b6d6e8", "#eef2e6"], ellipse(w * 0.2, h * 0.44, 260, 90, "#8fae7a"));
    d.add(
      stroke(`M${n(w * 0.46)} 0q-20 120 6 200M${n(w * 0.46)} 0q30 100 2 190`, "#3a3a3e", 6),
      d.soft(w * 0.463, h * 0.23, 160, 150, "#fff0b4", 0.8),
      circle(w * 0.463, h * 0.215, 22, "#fffbe0"),
    );
    const lx = w * 0.5;
    d.add(
      d.soft(lx + 30, h * 0.95, 230, 30, "#1a1208", 0.5),
      stroke(
        `M${n(lx - 90)} ${n(h * 0.95)}L${n(lx - 20)} ${n(h * 0.32)}M${n(lx + 80)} ${n(h * 0.95)}L${n(lx + 20)} ${n(h * 0.32)}M${n(lx + 190)} ${n(h * 0.93)}L${n(lx + 40)} ${n(h * 0.32)}`,
        "#c9a565",
        16,
      ),
    );
    for (let i = 0; i < 6; i++)
      d.add(stroke(`M${n(lx - 28 - i * 10)} ${n(h * (0.4 + i * 0.09))}H${n(lx + 26 + i * 9)}`, "#e0c088", 15));
    const tin = (x: number, y: number, c: string) =>
      d.add(
        d.soft(x + 60, y + 4, 120, 22, "#1a1208", 0.6),
        rect(
          x,
          y - 130,
          130,
          130,
          d.linear(
            [
              [0, "#f2f2f0"],
              [0.4, "#c9cdce"],
              [1, "#7d8386"],
            ],
            0,
            0,
            1,
            0,
          ),
        ),
        rect(x, y - 94, 130, 56, c),
        ellipse(x + 65, y, 65, 14, "#7d8386"),
        ellipse(x + 65, y - 130, 65, 16, mix(c, "#ffffff", 0.15)),
        path(`M${n(x + 8)} ${n(y - 128)}q10 50 22 10q10 60 24 6Z`, c),
      );
    tin(w * 0.18, h * 0.93, "#5f8268");
    tin(w * 0.29, h * 0.97, "#5f8268");
    d.add(
      group(
        `translate(${n(w * 0.73)} ${n(h * 0.92)}) rotate(-12)`,
        rounded(-150, -16, 300, 32, 10, "#8a5a34"),
        rounded(130, -64, 120, 128, 10, "#e9dcc2"),
        rect(236, -64, 30, 128, "#5f8268"),
      ),
      polygon(
        [
          [w * 0.02, h],
          [w * 0.36, h * 0.97],
          [w * 0.7, h * 0.99],
          [w * 0.8, h],
        ],
        "#dfe3e4",
        'opacity="0.6"',
      ),
    );
    d.add(
      person(d, w * 0.86, h * 0.96, h * 0.56, {
        coat: "#3f5a78",
        legs: "#5c5a52",
        hair: "#5a4634",
        arms: "left",
        hat: "#f2b136",
      }),
    );
    return d.finish({ light: [0.46, 0.2, "#ffeab0", 0.35], vignette: 0.4 });
  }
  wall(d, "#f2eadb", "#e6d9c0", 0.84, "#b98a5a");
  const green = "#5f8268";
  windowPane(d, w * 0.38, h * 0.1, 360, 290, ["#a6d0e6", "#f1f2de"], ellipse(w * 0.5, h * 0.4, 230, 80, "#7fae62"));
  for (let r = 0; r < 4; r++)
    for (let c = 0; c < 24; c++)
      if (!(c > 7 && c < 17 && r < 1))
        d.add(
          rounded(
            c * 62 - (r % 2) * 30,
            h * 0.405 + r * 30,
            58,
            26,
            3,
            mix("#fffaf0", "#dfe3d8", random.next()),
            'opacity="0.9"',
          ),
        );
  const cupboard = (x: number, y: number, cw: number, ch: number) =>
    d.add(
      rect(
        x,
        y,
        cw,
        ch,
        d.linear(
          [
            [0, mix(green, "#ffffff", 0.18)],
            [1, mix(green, "#0f2018", 0.12)],
          ],
          0,
          0,
          1,
          1,
        ),
      ),
      rect(x + 16, y + 16, cw - 32, ch - 32, "none", `stroke="${mix(green, "#0f2018", 0.3)}" stroke-width="4"`),
      circle(x + cw - 30, y + ch * 0.5, 9, "#d9b45a"),
    );
  for (const x of [0.02, 0.165, 0.71, 0.855]) cupboard(w * x, h * 0.05, w * 0.135, h * 0.3);
  d.add(
    rect(
      0,
      h * 0.525,
      w,
      34,
      d.linear([
        [0, "#e0b27a"],
        [1, "#9a6a3c"],
      ]),
    ),
    rect(0, h * 0.525 + 34, w, 16, "#000000", 'opacity="0.2"'),
  );
  for (let i = 0; i < 6; i++) if (i !== 3) cupboard(w * (0.01 + i * 0.165), h * 0.57, w * 0.155, h * 0.29);
  d.add(
    rect(
      w * 0.505,
      h * 0.57,
      w * 0.155,
      h * 0.29,
      d.linear(
        [
          [0, "#e9ecec"],
          [1, "#a4abad"],
        ],
        0,
        0,
        1,
        1,
      ),
    ),
    rect(w * 0.515, h * 0.585, w * 0.135, 38, "#3a4046"),
    rounded(w * 0.525, h * 0.65, w * 0.115, 12, 6, "#7d8488"),
    circle(w * 0.53, h * 0.603, 7, "#8fd9a0"),
  );
  d.add(stroke(`M${n(w * 0.5)} ${n(h * 0.53)}V${n(h * 0.43)}q0 -50 46 -50q40 0 40 44`, "#c9a04a", 12));
  d.add(
    group(
      `translate(${n(w * 0.14)} ${n(h * 0.525)})`,
      rounded(-50, -96, 100, 96, 18, "#d9784a"),
      ...[-30, -6, 18, 34].map((a) => group(`rotate(${a} 0 -90)`, rounded(-6, -190, 12, 110, 6, "#b98a56"))),
    ),
    group(
      `translate(${n(w * 0.78)} ${n(h * 0.525)})`,
      ellipse(0, -18, 110, 34, "#7fa3b3"),
      ...[-60, -20, 24, 62].map((x, i) =>
        circle(
          x,
          -52 - (i % 2) * 12,
          34,
          d.radial(
            [
              [0, "#ffd98a"],
              [1, i % 2 ? "#d9443c" : "#f08a2c"],
            ],
            0.35,
            0.3,
            0.8,
          ),
        ),
      ),
    ),
  );
  for (const x of [0.3, 0.5, 0.7])
    d.add(
      stroke(`M${n(w * x)} 0V${n(h * 0.04)}`, "#33333a", 4),
      path(`M${n(w * x - 52)} ${n(h * 0.1)}Q${n(w * x)} ${n(h * 0.0)} ${n(w * x + 52)} ${n(h * 0.1)}Z`, "#c9a04a"),
      d.soft(w * x, h * 0.14, 150, 110, "#ffedb4", 0.6),
    );
  return d.finish({ light: [0.5, 0.2, "#fff2c8", 0.35], vignette: 0.28 });
}
