import { circle, type Drawing, ellipse, group, mix, n, path, rounded, stroke } from "./drawing.ts";

/** People and animals as quiet shapes: clothes have colour, faces are left to the memory of whoever looks. */

export interface Figure {
  readonly coat: string;
  readonly legs?: string;
  readonly hair?: string;
  readonly skin?: string;
  /** Share of head in the height: a child's is larger. */
  readonly child?: boolean;
  readonly skirt?: boolean;
  readonly arms?: "down" | "up" | "out" | "left" | "right";
  readonly bag?: string;
  readonly hat?: string;
  readonly long?: boolean;
}

/** A standing figure seen from behind or far, feet at (x, foot), `h` high. */
export function person(d: Drawing, x: number, foot: number, h: number, look: Figure): string {
  const skin = look.skin ?? "#d9a07e";
  const hair = look.hair ?? "#3b2a22";
  const legs = look.legs ?? "#2b3245";
  const head = h * (look.child ? 0.095 : 0.068);
  const shoulders = h * (look.child ? 0.125 : 0.115);
  const top = foot - h + head * 2.05;
  const hip = foot - h * (look.child ? 0.4 : 0.46);
  const shade = mix(look.coat, "#0b1020", 0.28);
  const parts: string[] = [d.soft(x + h * 0.06, foot, h * 0.22, h * 0.035, "#05060c", 0.55)];
  const leg = (s: number) =>
    path(
      `M${n(x + s * shoulders * 0.06)} ${n(hip)}L${n(x + s * shoulders * 0.78)} ${n(hip)}L${n(x + s * shoulders * 0.62)} ${n(foot - 2)}L${n(x + s * shoulders * 0.14)} ${n(foot - 2)}Z`,
      s < 0 ? legs : mix(legs, "#000010", 0.22),
    );
  parts.push(
    leg(-1),
    leg(1),
    ellipse(x - shoulders * 0.42, foot - 2, shoulders * 0.42, h * 0.014, "#1c1a1e"),
    ellipse(x + shoulders * 0.44, foot - 2, shoulders * 0.42, h * 0.014, "#1c1a1e"),
  );
  const limb = (s: number, up: boolean, out: boolean) => {
    const hx = x + s * (up ? shoulders * 1.5 : out ? shoulders * 2.3 : shoulders * 1.22);
    const hy = up ? top - h * 0.19 : out ? top + h * 0.12 : hip + h * 0.03;
    const ex = x + s * shoulders * (up ? 1.75 : 1.4);
    const ey = up ? top + h * 0.02 : top + h * 0.17;
    return (
      stroke(
        `M${n(x + s * shoulders * 0.85)} ${n(top + h * 0.045)}Q${n(ex)} ${n(ey)} ${n(hx)} ${n(hy)}`,
        s < 0 ? look.coat : shade,
        h * 0.058,
      ) + circle(hx, hy, h * 0.025, skin)
    );
  };
  const arms = look.arms ?? "down";
  parts.push(
    limb(-1, arms === "up", arms === "out" || arms === "left"),
    limb(1, arms === "up", arms === "out" || arms === "right"),
  );
  const hem = look.skirt ? foot - h * 0.22 : hip + h * 0.04;
  const flare = look.skirt ? 1.55 : 0.98;
  const body = `M${n(x - shoulders * 0.35)} ${n(top)}Q${n(x - shoulders)} ${n(top + 2)} ${n(x - shoulders)} ${n(top + h * 0.07)}L${n(x - shoulders * flare)} ${n(hem)}Q${n(x)} ${n(hem + h * 0.025)} ${n(x + shoulders * flare)} ${n(hem)}L${n(x + shoulders)} ${n(top + h * 0.07)}Q${n(x + shoulders)} ${n(top + 2)} ${n(x + shoulders * 0.35)} ${n(top)}Z`;
  parts.push(
    path(
      body,
      d.linear(
        [
          [0, mix(look.coat, "#fff3dc", 0.16)],
          [0.55, look.coat],
          [1, shade],
        ],
        0,
        0,
        1,
        0.6,
      ),
    ),
  );
  if (look.bag)
    parts.push(
      rounded(
        x - shoulders * 0.72,
        top + h * 0.05,
        shoulders * 1.44,
        h * 0.2,
        h * 0.045,
        d.linear([
          [0, mix(look.bag, "#ffffff", 0.18)],
          [1, mix(look.bag, "#000000", 0.25)],
        ]),
      ),
      rounded(x - shoulders * 0.45, top + h * 0.15, shoulders * 0.9, h * 0.07, h * 0.02, mix(look.bag, "#000000", 0.2)),
    );
  const cy = top - head * 0.95;
  parts.push(rounded(x - head * 0.35, cy + head * 0.5, head * 0.7, head * 0.8, head * 0.2, mix(skin, "#6b3a2a", 0.25)));
  const nape = look.long ? 2.5 : 0.78;
  parts.push(
    circle(x, cy, head, skin),
    path(
      `M${n(x - head * 1.05)} ${n(cy)}Q${n(x - head * 1.15)} ${n(cy - head * 1.12)} ${n(x)} ${n(cy - head * 1.12)}Q${n(x + head * 1.15)} ${n(cy - head * 1.12)} ${n(x + head * 1.05)} ${n(cy)}Q${n(x + head * 1.15)} ${n(cy + head * nape * 0.8)} ${n(x + head * 0.55)} ${n(cy + head * nape)}Q${n(x)} ${n(cy + head * (nape + 0.16))} ${n(x - head * 0.55)} ${n(cy + head * nape)}Q${n(x - head * 1.15)} ${n(cy + head * nape * 0.8)} ${n(x - head * 1.05)} ${n(cy)}Z`,
      d.linear(
        [
          [0, mix(hair, "#ffe0b0", 0.28)],
          [0.6, hair],
        ],
        0,
        0,
        1,
        0.5,
      ),
    ),
  );
  if (look.hat)
    parts.push(
      path(
        `M${n(x - head * 1.12)} ${n(cy - head * 0.05)}Q${n(x - head)} ${n(cy - head * 1.4)} ${n(x)} ${n(cy - head * 1.4)}Q${n(x + head)} ${n(cy - head * 1.4)} ${n(x + head * 1.12)} ${n(cy - head * 0.05)}Z`,
        look.hat,
      ),
      circle(x, cy - head * 1.45, head * 0.32, mix(look.hat, "#ffffff", 0.4)),
    );
  return parts.join("");
}

/** A seated head-and-shoulders shape behind a table. */
export function bust(
  d: Drawing,
  x: number,
  y: number,
  h: number,
  coat: string,
  hair: string,
  skin = "#d9a07e",
): string {
  const fill = d.linear(
    [
      [0, mix(coat, "#fff0d0", 0.2)],
      [1, mix(coat, "#0b1020", 0.3)],
    ],
    0,
    0,
    1,
    1,
  );
  return (
    path(
      `M${n(x - h * 0.36)} ${n(y)}Q${n(x - h * 0.36)} ${n(y - h * 0.42)} ${n(x - h * 0.1)} ${n(y - h * 0.48)}L${n(x + h * 0.1)} ${n(y - h * 0.48)}Q${n(x + h * 0.36)} ${n(y - h * 0.42)} ${n(x + h * 0.36)} ${n(y)}Z`,
      fill,
    ) +
    rounded(x - h * 0.07, y - h * 0.58, h * 0.14, h * 0.16, h * 0.05, mix(skin, "#6b3a2a", 0.2)) +
    ellipse(
      x,
      y - h * 0.73,
      h * 0.165,
      h * 0.19,
      d.linear(
        [
          [0, mix(skin, "#fff0dc", 0.25)],
          [1, skin],
        ],
        0,
        0,
        1,
        0.4,
      ),
    ) +
    path(
      `M${n(x - h * 0.18)} ${n(y - h * 0.7)}Q${n(x - h * 0.2)} ${n(y - h * 0.96)} ${n(x)} ${n(y - h * 0.95)}Q${n(x + h * 0.21)} ${n(y - h * 0.95)} ${n(x + h * 0.18)} ${n(y - h * 0.68)}Q${n(x + h * 0.1)} ${n(y - h * 0.84)} ${n(x - h * 0.03)} ${n(y - h * 0.84)}Q${n(x - h * 0.15)} ${n(y - h * 0.82)} ${n(x - h * 0.18)} ${n(y - h * 0.7)}Z`,
      hair,
    )
  );
}

/** A cat lying, head to the left; `s` is its length. */
export function lyingCat(d: Drawing, x: number, y: number, s: number, fur: string, belly: string): string {
  const dark = mix(fur, "#2a1408", 0.45);
  const coat = d.linear([
    [0, mix(fur, "#fff0d0", 0.3)],
    [0.6, fur],
    [1, dark],
  ]);
  const stripes = [0.38, 0.48, 0.58, 0.68, 0.77]
    .map((t) =>
      stroke(
        `M${n(x + s * t)} ${n(y - s * 0.285)}q${n(s * 0.03)} ${n(s * 0.07)} ${n(s * 0.005)} ${n(s * 0.13)}`,
        dark,
        s * 0.018,
        'opacity="0.55"',
      ),
    )
    .join("");
  const ear = (ex: number, tilt: number) =>
    group(
      `translate(${n(ex)} ${n(y - s * 0.27)}) rotate(${tilt})`,
      path(`M${n(-s * 0.055)} 0L0 ${n(-s * 0.12)}L${n(s * 0.055)} 0Z`, coat),
      path(`M${n(-s * 0.028)} 0L0 ${n(-s * 0.08)}L${n(s * 0.028)} 0Z`, "#e2a196"),
    );
  const hx = x + s * 0.17;
  const hy = y - s * 0.2;
  return (
    d.soft(x + s * 0.5, y + s * 0.01, s * 0.62, s * 0.07, "#120a08", 0.6) +
    stroke(
      `M${n(x + s * 0.9)} ${n(y - s * 0.07)}Q${n(x + s * 1.14)} ${n(y - s * 0.02)} ${n(x + s * 1.04)} ${n(y - s * 0.16)}`,
      fur,
      s * 0.065,
    ) +
    path(
      `M${n(x + s * 0.12)} ${n(y)}Q${n(x + s * 0.08)} ${n(y - s * 0.22)} ${n(x + s * 0.32)} ${n(y - s * 0.27)}Q${n(x + s * 0.62)} ${n(y - s * 0.34)} ${n(x + s * 0.86)} ${n(y - s * 0.2)}Q${n(x + s * 1.0)} ${n(y - s * 0.1)} ${n(x + s * 0.93)} ${n(y)}Z`,
      coat,
    ) +
    stripes +
    ellipse(
      x + s * 0.76,
      y - s * 0.07,
      s * 0.15,
      s * 0.11,
      d.radial([
        [0, mix(fur, "#fff0d0", 0.25)],
        [1, fur],
      ]),
    ) +
    rounded(x + s * 0.14, y - s * 0.06, s * 0.34, s * 0.065, s * 0.03, belly) +
    ear(hx - s * 0.085, -16) +
    ear(hx + s * 0.085, 16) +
    ellipse(hx, hy, s * 0.145, s * 0.122, coat) +
    ellipse(hx, hy + s * 0.05, s * 0.075, s * 0.055, belly) +
    stroke(`M${n(hx - s * 0.085)} ${n(hy)}q${n(s * 0.03)} ${n(s * 0.024)} ${n(s * 0.06)} 0`, "#241812", s * 0.011) +
    stroke(`M${n(hx + s * 0.028)} ${n(hy)}q${n(s * 0.03)} ${n(s * 0.024)} ${n(s * 0.06)} 0`, "#241812", s * 0.011) +
    path(`M${n(hx - s * 0.016)} ${n(hy + s * 0.03)}h${n(s * 0.032)}l${n(-s * 0.016)} ${n(s * 0.018)}Z`, "#c4756c") +
    [-1, 1]
      .map((k) =>
        [-0.1, 0.05, 0.2]
          .map((a) =>
            stroke(
              `M${n(hx + k * s * 0.06)} ${n(hy + s * 0.05)}l${n(k * s * 0.13)} ${n(a * s * 0.12)}`,
              "#fff4e2",
              s * 0.004,
              'opacity="0.7"',
            ),
          )
          .join(""),
      )
      .join("") +
    [-0.03, 0, 0.03]
      .map((k) => stroke(`M${n(hx + s * k)} ${n(hy - s * 0.115)}v${n(s * 0.045)}`, dark, s * 0.013, 'opacity="0.7"'))
      .join("")
  );
}

/** A sitting dog, seen from the side, looking left; `h` is its height. */
export function sittingDog(d: Drawing, x: number, foot: number, h: number, fur: string): string {
  const dark = mix(fur, "#1c0f08", 0.5);
  const coat = d.linear(
    [
      [0, mix(fur, "#fff0d0", 0.35)],
      [0.5, fur],
      [1, dark],
    ],
    0,
    0,
    1,
    0.7,
  );
  return (
    d.soft(x + h * 0.08, foot, h * 0.5, h * 0.06, "#0c0a08", 0.6) +
    stroke(
      `M${n(x + h * 0.34)} ${n(foot - h * 0.06)}Q${n(x + h * 0.6)} ${n(foot - h * 0.04)} ${n(x + h * 0.58)} ${n(foot - h * 0.22)}`,
      fur,
      h * 0.055,
    ) +
    path(
      `M${n(x - h * 0.14)} ${n(foot)}L${n(x - h * 0.15)} ${n(foot - h * 0.45)}Q${n(x - h * 0.15)} ${n(foot - h * 0.68)} ${n(x + h * 0.03)} ${n(foot - h * 0.68)}Q${n(x + h * 0.22)} ${n(foot - h * 0.5)} ${n(x + h * 0.34)} ${n(foot - h * 0.28)}Q${n(x + h * 0.46)} ${n(foot)} ${n(x + h * 0.3)} ${n(foot)}Z`,
      coat,
    ) +
    ellipse(x + h * 0.2, foot - h * 0.14, h * 0.17, h * 0.15, mix(fur, "#fff0d0", 0.1)) +
    rounded(x - h * 0.17, foot - h * 0.4, h * 0.1, h * 0.4, h * 0.045, mix(fur, "#fff0d0", 0.22)) +
    rounded(x - h * 0.03, foot - h * 0.36, h * 0.1, h * 0.36, h * 0.045, fur) +
    path(
      `M${n(x - h * 0.12)} ${n(foot - h * 0.42)}Q${n(x - h * 0.03)} ${n(foot - h * 0.3)} ${n(x + h * 0.05)} ${n(foot - h * 0.45)}L${n(x + h * 0.02)} ${n(foot - h * 0.62)}L${n(x - h * 0.12)} ${n(foot - h * 0.6)}Z`,
      "#f4e6cf",
      'opacity="0.9"',
    ) +
    stroke(
      `M${n(x - h * 0.13)} ${n(foot - h * 0.63)}Q${n(x)} ${n(foot - h * 0.57)} ${n(x + h * 0.11)} ${n(foot - h * 0.64)}`,
      "#b8373a",
      h * 0.035,
    ) +
    ellipse(x - h * 0.02, foot - h * 0.8, h * 0.165, h * 0.155, coat) +
    path(
      `M${n(x - h * 0.08)} ${n(foot - h * 0.82)}Q${n(x - h * 0.34)} ${n(foot - h * 0.8)} ${n(x - h * 0.33)} ${n(foot - h * 0.71)}Q${n(x - h * 0.22)} ${n(foot - h * 0.66)} ${n(x - h * 0.05)} ${n(foot - h * 0.68)}Z`,
      mix(fur, "#fff0d0", 0.45),
    ) +
    ellipse(x - h * 0.315, foot - h * 0.755, h * 0.036, h * 0.028, "#1c1512") +
    circle(x - h * 0.105, foot - h * 0.835, h * 0.02, "#1c1512") +
    path(
      `M${n(x + h * 0.03)} ${n(foot - h * 0.93)}Q${n(x + h * 0.2)} ${n(foot - h * 0.92)} ${n(x + h * 0.17)} ${n(foot - h * 0.64)}Q${n(x + h * 0.06)} ${n(foot - h * 0.66)} ${n(x + h * 0.03)} ${n(foot - h * 0.93)}Z`,
      dark,
    )
  );
}
