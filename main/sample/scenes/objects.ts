import { circle, type Drawing, ellipse, group, mix, n, path, rect, rounded, stroke } from "./drawing.ts";

/** Things people photograph because they are theirs. */

export interface BicycleLook {
  readonly frame: string;
  readonly wall: "brick" | "garden";
  readonly bags: boolean;
}

/** A bicycle leaning by a wall. */
export function bicycle(d: Drawing, look: BicycleLook): string {
  const { width: w, height: h, random } = d;
  if (look.wall === "brick") {
    d.add(rect(0, 0, w, h * 0.8, "#b9a08a"));
    for (let r = 0; r < 24; r++)
      for (let c = 0; c < 15; c++)
        d.add(
          rounded(
            c * 104 - (r % 2) * 52,
            r * 36,
            99,
            32,
            3,
            mix(random.pick(["#a8573c", "#b5674a", "#94482f", "#c07a58"]), "#6a2f20", random.next() * 0.35),
          ),
        );
    d.add(
      rect(
        0,
        0,
        w,
        h * 0.8,
        d.linear(
          [
            [0, "#ffe2b0", 0.35],
            [1, "#2a100a", 0.25],
          ],
          0,
          0,
          1,
          1,
        ),
      ),
      rect(
        0,
        h * 0.79,
        w,
        h * 0.21,
        d.linear([
          [0, "#b9ae9c"],
          [1, "#7d7364"],
        ]),
      ),
    );
    for (let i = 0; i < 5; i++)
      d.add(stroke(`M${n(w * i * 0.26)} ${n(h * 0.79)}L${n(w * (i * 0.34 - 0.18))} ${n(h)}`, "#6a6052", 3));
  } else {
    d.add(
      rect(
        0,
        0,
        w,
        h * 0.72,
        d.linear([
          [0, "#cfe4d2"],
          [1, "#a9c79a"],
        ]),
      ),
    );
    d.add(
      d.blurLayer(
        12,
        ...Array.from({ length: 30 }, () =>
          circle(
            random.between(0, w),
            random.between(0, h * 0.6),
            random.between(50, 130),
            random.pick(["#6f9f58", "#8ab868", "#4f8450", "#b9d68a", "#3f7048"]),
            'opacity="0.8"',
          ),
        ),
      ),
    );
    for (let i = 0; i < 12; i++)
      d.add(
        rounded(
          i * 124 - 10,
          h * 0.22,
          108,
          h * 0.56,
          8,
          d.linear([
            [0, mix("#8a9a94", "#5a6a66", random.next())],
            [1, "#4a5854"],
          ]),
        ),
      );
    d.add(
      rect(0, h * 0.34, w, 26, "#4a5854"),
      rect(0, h * 0.62, w, 26, "#4a5854"),
      rect(
        0,
        h * 0.77,
        w,
        h * 0.23,
        d.linear([
          [0, "#c9b48a"],
          [1, "#8f7a52"],
        ]),
      ),
    );
    for (let i = 0; i < 160; i++)
      d.add(
        circle(
          random.between(0, w),
          h * random.between(0.78, 1),
          random.between(3, 9),
          random.pick(["#d9c8a2", "#a8946a", "#efe3c4"]),
          'opacity="0.7"',
        ),
      );
  }
  const y = h * 0.67;
  const lx = w * 0.3;
  const rx = w * 0.7;
  const r = 190;
  d.add(d.soft(w * 0.5, h * 0.865, 620, 46, "#160c08", 0.65));
  const wheel = (cx: number) => {
    const spokes = Array.from(
      { length: 18 },
      (_, i) =>
        `M${n(cx)} ${n(y)}l${n(Math.cos((i / 18) * 6.283) * (r - 14))} ${n(Math.sin((i / 18) * 6.283) * (r - 14))}`,
    ).join("");
    d.add(
      ellipse(cx + 18, y + 14, r, r, "none", 'stroke="#160c08" stroke-width="14" opacity="0.22"'),
      stroke(spokes, "#d9d9d4", 2, 'opacity="0.85"'),
      circle(cx, y, r, "none", 'stroke="#23232a" stroke-width="20"'),
      circle(cx, y, r - 14, "none", 'stroke="#c2c6c8" stroke-width="7"'),
      circle(cx, y, 15, "#8f9598"),
      stroke(
        `M${n(cx - r * 0.94)} ${n(y - 90)}A${r + 22} ${r + 22} 0 0 1 ${n(cx + r * 0.94)} ${n(y - 90)}`,
        mix(look.frame, "#ffffff", 0.1),
        12,
      ),
    );
  };
  wheel(lx);
  wheel(rx);
  const frame = d.linear([
    [0, mix(look.frame, "#ffffff", 0.35)],
    [0.5, look.frame],
    [1, mix(look.frame, "#000010", 0.3)],
  ]);
  const bx = w * 0.47;
  const by = y + 22;
  const sx = w * 0.425;
  const sy = y - 250;
  const hx = w * 0.635;
  const hy = y - 262;
  d.add(
    stroke(
      `M${n(lx)} ${n(y)}L${n(bx)} ${n(by)}L${n(sx + 6)} ${n(sy + 30)}L${n(lx)} ${n(y)}M${n(sx + 10)} ${n(sy + 50)}L${n(hx)} ${n(hy + 30)}L${n(bx)} ${n(by)}`,
      frame,
      22,
    ),
    stroke(`M${n(hx - 8)} ${n(hy)}L${n(hx + 14)} ${n(hy + 80)}Q${n(rx - 14)} ${n(y - 60)} ${n(rx)} ${n(y)}`, frame, 20),
    stroke(
      `M${n(sx + 4)} ${n(sy + 30)}L${n(sx - 6)} ${n(sy - 22)}M${n(hx - 8)} ${n(hy)}L${n(hx - 16)} ${n(hy - 46)}`,
      "#c2c6c8",
      13,
    ),
    stroke(
      `M${n(hx - 76)} ${n(hy - 26)}Q${n(hx - 10)} ${n(hy - 64)} ${n(hx + 56)} ${n(hy - 40)}Q${n(hx + 92)} ${n(hy - 18)} ${n(hx + 58)} ${n(hy + 10)}`,
      "#33333a",
      13,
    ),
    stroke(`M${n(hx - 78)} ${n(hy - 25)}l40 -14M${n(hx + 58)} ${n(hy + 10)}l14 -12`, "#7a4a2a", 18),
    path(
      `M${n(sx - 92)} ${n(sy - 40)}Q${n(sx - 10)} ${n(sy - 56)} ${n(sx + 76)} ${n(sy - 26)}Q${n(sx + 20)} ${n(sy - 14)} ${n(sx - 30)} ${n(sy - 4)}Q${n(sx - 96)} ${n(sy - 2)} ${n(sx - 92)} ${n(sy - 40)}Z`,
      d.linear([
        [0, "#a8683a"],
        [1, "#5c3418"],
      ]),
    ),
  );
  d.add(
    circle(bx, by, 44, "none", 'stroke="#b9bdbf" stroke-width="10"'),
    circle(bx, by, 16, "#6a6e72"),
    stroke(`M${n(bx)} ${n(by)}l44 66m-26 6h56M${n(bx)} ${n(by)}l-40 -62m-28 -4h50`, "#8f9598", 12),
    stroke(`M${n(lx)} ${n(y - 20)}L${n(bx)} ${n(by - 44)}M${n(lx)} ${n(y + 20)}L${n(bx)} ${n(by + 44)}`, "#4a4a50", 5),
    circle(lx, y, 26, "none", 'stroke="#8f9598" stroke-width="9"'),
    rounded(hx + 18, hy - 8, 44, 34, 12, "#3a3a40"),
    circle(hx + 66, hy + 9, 17, "#fff2c4"),
    circle(hx - 20, hy - 54, 15, "#d9b45a"),
  );
  if (look.bags)
    d.add(
      rounded(
        lx - 70,
        y - 190,
        180,
        190,
        18,
        d.linear([
          [0, "#f2b94a"],
          [1, "#c27f1c"],
        ]),
      ),
      rounded(lx - 70, y - 190, 180, 62, 18, "#d99a2c"),
      rect(lx + 6, y - 150, 20, 60, "#5c3a14"),
      rect(lx - 60, y - 206, 190, 14, "#33333a"),
    );
  else
    d.add(
      group(
        `translate(${n(hx + 40)} ${n(hy + 60)})`,
        path(
          "M-70 -40H70L52 60H-52Z",
          d.linear([
            [0, "#d9a86a"],
            [1, "#8f5a28"],
          ]),
        ),
        ...[-40, -10, 20, 48].map((k) => stroke(`M${k} -38L${n(k * 0.75)} 58`, "#7a4a1e", 4)),
        stroke("M-66 -10H66M-60 24H60", "#7a4a1e", 4),
        ...[-40, -14, 14, 38].map((k, i) =>
          group(
            `translate(${k} -52)`,
            stroke("M0 20V-10", "#4f7f45", 5),
            circle(0, -18, 20, ["#f2c14e", "#e58aa0", "#ffffff", "#d9583f"][i] ?? "#ffffff"),
            circle(0, -18, 8, "#8a5a1c"),
          ),
        ),
      ),
    );
  return d.finish({ light: [0.15, 0.1, "#fff0bf", 0.4], vignette: 0.34 });
}

/** Tomatoes on the vine in a raised bed, a full bowl beside them. */
export function tomatoes(d: Drawing): string {
  const { width: w, height: h, random } = d;
  d.backdrop([
    [0, "#bfe0ea"],
    [0.5, "#d9e8b8"],
    [1, "#7fa352"],
  ]);
  d.add(
    d.blurLayer(
      14,
      ...Array.from({ length: 34 }, () =>
        circle(
          random.between(0, w),
          random.between(0, h * 0.75),
          random.between(40, 130),
          random.pick(["#8ab868", "#6f9f58", "#b9d68a", "#f2e6a8", "#5c8f50"]),
          'opacity="0.75"',
        ),
      ),
      rect(0, h * 0.2, w, 20, "#8a6a4a"),
      rect(0, h * 0.44, w, 20, "#8a6a4a"),
    ),
  );
  const leaf = (x: number, y: number, a: number, s: number) =>
    group(
      `translate(${n(x)} ${n(y)}) rotate(${n(a)}) scale(${n(s * 10) === "0" ? 1 : s})`,
      path(
        "M0 0Q26 -20 20 -52Q48 -56 40 -86Q66 -100 44 -128Q30 -150 0 -190Q-30 -150 -44 -128Q-66 -100 -40 -86Q-48 -56 -20 -52Q-26 -20 0 0Z",
        d.linear([
          [0, "#8fc25e"],
          [1, "#3f7a3c"],
        ]),
      ),
      stroke("M0 0V-170M0 -50L28 -84M0 -50L-28 -84M0 -100L24 -126M0 -100L-24 -126", "#cfe39a", 3, 'opacity="0.6"'),
    );
  const tomato = (x: number, y: number, r: number, ripe: number) => {
    const c = mix("#8fb54a", "#e03a2c", ripe);
    return (
      ellipse(
        x,
        y,
        r * 1.06,
        r,
        d.radial(
          [
            [0, mix(c, "#ffffff", 0.55)],
            [0.35, mix(c, "#ff9a5c", 0.2)],
            [0.8, c],
            [1, mix(c, "#3a0808", 0.45)],
          ],
          0.36,
          0.3,
          0.8,
        ),
      ) +
      [0, 72, 144, 216, 288]
        .map((a) =>
          group(
            `translate(${n(x)} ${n(y - r * 0.82)}) rotate(${a})`,
            path(`M0 0Q${n(r * 0.14)} ${n(-r * 0.3)} 0 ${n(-r * 0.56)}Q${n(-r * 0.14)} ${n(-r * 0.3)} 0 0Z`, "#4f8a3c"),
          ),
        )
        .join("")
    );
  };
  for (const x of [0.16, 0.4, 0.62]) {
    d.add(
      stroke(
        `M${n(w * x)} ${n(h * 0.86)}Q${n(w * (x + 0.03))} ${n(h * 0.45)} ${n(w * (x - 0.01))} ${n(h * 0.02)}`,
        "#5c8a3f",
        17,
      ),
      stroke(`M${n(w * x + 30)} ${n(h * 0.88)}V0`, "#b98f5a", 10),
    );
    for (let i = 0; i < 9; i++)
      d.add(leaf(w * x, h * (0.1 + i * 0.085), (i % 2 ? 1 : -1) * random.between(48, 112), random.between(0.75, 1.2)));
    for (let t = 0; t < 3; t++) {
      const cx = w * x + random.between(-70, 70);
      const cy = h * (0.24 + t * 0.19) + random.between(-20, 20);
      d.add(stroke(`M${n(w * x)} ${n(cy - 60)}Q${n(cx)} ${n(cy - 60)} ${n(cx)} ${n(cy + 60)}`, "#5c8a3f", 7));
      for (let k = 0; k < 5; k++)
        d.add(
          tomato(
            cx + (k % 2 ? 44 : -40) + random.between(-10, 10),
            cy + k * 30,
            random.between(36, 52),
            Math.min(1, Math.max(0.1, 0.35 + t * 0.34 + random.between(-0.15, 0.15))),
          ),
        );
    }
  }
  d.add(
    rect(
      0,
      h * 0.85,
      w * 0.8,
      h * 0.15,
      d.linear([
        [0, "#b5885a"],
        [1, "#7a5432"],
      ]),
    ),
    rect(0, h * 0.845, w * 0.8, 22, "#cba272"),
    stroke(`M0 ${n(h * 0.925)}H${n(w * 0.8)}`, "#6a4628", 5),
  );
  const bx = w * 0.84;
  const by = h * 0.9;
  d.add(d.soft(bx, by + 56, 280, 50, "#142008", 0.6), ellipse(bx, by - 40, 216, 60, "#2f5a6e"));
  for (const [dx, dy, r, t] of [
    [-130, -60, 62, 1],
    [-20, -96, 70, 0.95],
    [100, -70, 66, 1],
    [-70, -30, 60, 0.85],
    [40, -34, 66, 1],
    [140, -36, 48, 0.7],
    [-150, -30, 46, 0.9],
  ] as const)
    d.add(tomato(bx + dx, by + dy, r, t));
  d.add(
    path(
      `M${n(bx - 218)} ${n(by - 40)}Q${n(bx - 190)} ${n(by + 70)} ${n(bx - 70)} ${n(by + 74)}H${n(bx + 70)}Q${n(bx + 190)} ${n(by + 70)} ${n(bx + 218)} ${n(by - 40)}Q${n(bx)} ${n(by + 24)} ${n(bx - 218)} ${n(by - 40)}Z`,
      d.linear(
        [
          [0, "#8fc1d4"],
          [0.5, "#4f8aa4"],
          [1, "#2c566c"],
        ],
        0,
        0,
        1,
        0,
      ),
    ),
    stroke(`M${n(bx - 190)} ${n(by)}Q${n(bx)} ${n(by + 60)} ${n(bx + 190)} ${n(by)}`, "#fffaf0", 9, 'opacity="0.75"'),
  );
  return d.finish({ light: [0.2, 0.05, "#fff3b8", 0.45], vignette: 0.3 });
}
