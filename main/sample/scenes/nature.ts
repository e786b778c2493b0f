import {
  circle,
  type Drawing,
  ellipse,
  fade,
  group,
  mix,
  n,
  type Point,
  path,
  polygon,
  rect,
  stroke,
} from "./drawing.ts";

/** Parts that outdoor scenes share: light, clouds, ridges, trees, water, grass. (Longer than code should be: coordinates.) */

/** The sun or moon: a disc in a wide glow. */
export function sun(d: Drawing, x: number, y: number, r: number, disc: string, glow: string, strength = 0.8): void {
  d.add(
    d.soft(x, y, r * 9, r * 7, glow, strength * 0.55),
    d.soft(x, y, r * 3.4, r * 3.4, glow, strength),
    circle(x, y, r, disc),
  );
}

/** A cloud of soft puffs, lit from above. */
export function cloud(
  d: Drawing,
  x: number,
  y: number,
  size: number,
  light: string,
  shade: string,
  opacity = 0.85,
): void {
  const { random } = d;
  const puffs: string[] = [];
  const shades: string[] = [];
  for (let i = 0; i < 9; i++) {
    const along = (i / 8) * 2 - 1;
    const r = size * (0.34 - 0.2 * Math.abs(along)) * random.between(0.8, 1.25);
    const cx = x + along * size;
    const cy = y - (1 - along * along) * size * 0.16 + random.between(-6, 6);
    shades.push(ellipse(cx, cy + r * 0.35, r * 1.3, r * 0.72, shade));
    puffs.push(ellipse(cx, cy, r * 1.2, r * 0.72, light));
  }
  d.add(fade(opacity, d.blur(9, ...shades, ...puffs)));
}

/** Thin streaks of cloud, for evenings. */
export function streaks(d: Drawing, top: number, bottom: number, colour: string, count: number, opacity = 0.5): void {
  const parts: string[] = [];
  for (let i = 0; i < count; i++) {
    const y = d.random.between(top, bottom);
    const w = d.random.between(0.12, 0.5) * d.width;
    const x = d.random.between(-0.2, 1) * d.width;
    parts.push(
      ellipse(x + w / 2, y, w / 2, d.random.between(3, 11), colour, `opacity="${n(d.random.between(3, 9) / 10)}"`),
    );
  }
  d.add(fade(opacity, d.blur(5, ...parts)));
}

/** Outline of a hill or mountain chain from the left to the right edge; `sharp` 0 rolls, 1 is jagged. */
export function ridgeLine(d: Drawing, base: number, height: number, sharp: number, waves = 3): Point[] {
  const { random, width } = d;
  const parts = Array.from({ length: 5 }, (_, i) => ({
    f: (i + 1) * waves * random.between(0.5, 0.9),
    p: random.between(0, 6.28),
    a: 1 / (i + 1.2),
  }));
  const steps = 90;
  const points: Point[] = [];
  for (let i = 0; i <= steps; i++) {
    const t = i / steps;
    let y = 0;
    for (const { f, p, a } of parts) {
      const s = Math.sin(t * f * 3.14 + p);
      y += a * (sharp > 0.5 ? 1 - Math.abs(s) * 1.6 : s);
    }
    points.push([
      t * (width + 40) - 20,
      base - (y * 0.4 + 0.5) * height + random.between(-1, 1) * sharp * height * 0.05,
    ]);
  }
  return points;
}

const closed = (d: Drawing, top: readonly Point[]): Point[] => [
  ...top,
  [d.width + 20, d.height + 20],
  [-20, d.height + 20],
];

/** A chain of hills filled down to the bottom, a little lighter towards its foot (haze). */
export function hills(
  d: Drawing,
  base: number,
  height: number,
  colour: string,
  haze: string,
  sharp = 0,
  waves = 3,
): Point[] {
  const top = ridgeLine(d, base, height, sharp, waves);
  d.add(
    polygon(
      closed(d, top),
      d.linear([
        [0, colour],
        [1, mix(colour, haze, 0.75)],
      ]),
    ),
  );
  return top;
}

/** A single peak with a lit and a shaded flank and snow. */
export function peak(
  d: Drawing,
  x: number,
  base: number,
  w: number,
  h: number,
  lit: string,
  dark: string,
  snow: string,
): void {
  const { random } = d;
  const side = (sign: 1 | -1): Point[] => {
    const out: Point[] = [];
    for (let i = 0; i <= 9; i++) {
      const t = i / 9;
      out.push([
        x + sign * (t * w * 0.5 + random.between(-0.012, 0.02) * w * (t > 0 ? 1 : 0)),
        base - h * (1 - t) ** 1.08 + random.between(-6, 6) * (t > 0 ? 1 : 0),
      ]);
    }
    return out;
  };
  const left = side(-1);
  const right = side(1);
  const spine: Point[] = Array.from({ length: 9 }, (_, i) => [
    x + random.between(-0.045, 0.05) * w * (i / 5) + (i % 2) * w * 0.02,
    base - h * (1 - i / 8),
  ]);
  const tip: Point = [x, base - h];
  spine[0] = tip;
  d.add(
    polygon(
      [...left.toReversed(), ...right],
      d.linear([
        [0, lit],
        [1, mix(lit, snow, 0.2)],
      ]),
    ),
    polygon(
      [...spine, ...right.toReversed()],
      d.linear([
        [0, dark],
        [1, mix(dark, lit, 0.5)],
      ]),
    ),
  );
  const cap = (edge: readonly Point[], toward: 1 | -1, colour: string) => {
    const zig: Point[] = [];
    for (let i = 0; i <= 6; i++) {
      const t = i / 6;
      zig.push([
        x + toward * w * 0.155 * (1 - t),
        base - h * (0.69 + 0.05 * (i % 2)) - t * h * 0.02 + random.between(-8, 8),
      ]);
    }
    return polygon([tip, ...edge.slice(1, 4), ...zig], colour);
  };
  d.add(cap(left, -1, snow), cap(right, 1, mix(snow, dark, 0.35)));
}

/** A fir: stacked boughs, darker on one side. */
export function fir(d: Drawing, x: number, foot: number, h: number, colour: string, snow?: string): string {
  const { random } = d;
  const parts: string[] = [rect(x - h * 0.02, foot - h * 0.1, h * 0.04, h * 0.11, mix(colour, "#2a1a12", 0.7))];
  const tiers = 6;
  for (let i = 0; i < tiers; i++) {
    const t = i / tiers;
    const top = foot - h * (0.08 + (1 - 0.08) * (1 - t * 0.78));
    const bottom = foot - h * (0.08 + 0.72 * (1 - (i + 1) / tiers));
    const half = h * (0.05 + 0.19 * ((i + 1) / tiers)) * random.between(0.92, 1.08);
    const tone = mix(colour, "#08120f", 0.28 * t);
    parts.unshift(
      path(
        `M${n(x)} ${n(top)}Q${n(x - half * 0.35)} ${n(bottom - h * 0.07)} ${n(x - half)} ${n(bottom)}Q${n(x)} ${n(bottom + h * 0.03)} ${n(x + half)} ${n(bottom)}Q${n(x + half * 0.35)} ${n(bottom - h * 0.07)} ${n(x)} ${n(top)}Z`,
        tone,
      ),
    );
    if (snow)
      parts.unshift(
        path(
          `M${n(x)} ${n(top)}Q${n(x - half * 0.3)} ${n(bottom - h * 0.08)} ${n(x - half * 0.8)} ${n(bottom - h * 0.012)}Q${n(x - half * 0.2)} ${n(bottom - h * 0.06)} ${n(x)} ${n(top + h * 0.06)}Z`,
          snow,
          'opacity="0.9"',
        ),
      );
  }
  return parts.toReversed().join("");
}

/** A row of firs along a base line. */
export function forest(
  d: Drawing,
  foot: number,
  low: number,
  high: number,
  colour: string,
  gap: number,
  snow?: string,
): void {
  for (let x = -30; x < d.width + 30; x += gap * d.random.between(0.6, 1.4)) {
    d.add(
      fir(
        d,
        x,
        foot + d.random.between(-4, 10),
        d.random.between(low, high),
        mix(colour, "#ffffff", d.random.between(0, 0.06)),
        snow,
      ),
    );
  }
}

/** A leafy tree: trunk, then leaf masses lit from the upper left. */
export function tree(
  d: Drawing,
  x: number,
  foot: number,
  h: number,
  leaf: string,
  light: string,
  trunk = "#4a3426",
): string {
  const { random } = d;
  const dark = mix(leaf, "#101a1c", 0.4);
  const masses: string[] = [];
  const back: string[] = [];
  for (let i = 0; i < 16; i++) {
    const a = random.between(0, 6.28);
    const r = Math.sqrt(random.next());
    const cx = x + Math.cos(a) * r * h * 0.27;
    const cy = foot - h * 0.68 + Math.sin(a) * r * h * 0.25;
    const size = h * random.between(0.09, 0.15);
    back.push(circle(cx + 4, cy + size * 0.3, size, dark));
    masses.push(circle(cx, cy, size * 0.92, mix(leaf, dark, random.between(0, 0.25))));
    if (random.chance(0.6))
      masses.push(
        circle(
          cx - size * 0.28,
          cy - size * 0.3,
          size * 0.55,
          mix(light, leaf, random.between(0.15, 0.6)),
          'opacity="0.8"',
        ),
      );
  }
  const stem = path(
    `M${n(x - h * 0.035)} ${n(foot)}Q${n(x - h * 0.015)} ${n(foot - h * 0.3)} ${n(x - h * 0.08)} ${n(foot - h * 0.6)}L${n(x)} ${n(foot - h * 0.45)}L${n(x + h * 0.09)} ${n(foot - h * 0.62)}Q${n(x + h * 0.015)} ${n(foot - h * 0.3)} ${n(x + h * 0.04)} ${n(foot)}Z`,
    trunk,
  );
  return d.soft(x + h * 0.1, foot, h * 0.34, h * 0.05, "#0c1410", 0.5) + back.join("") + stem + masses.join("");
}

/** Still or moving water with the light's path on it. */
export function water(
  d: Drawing,
  top: number,
  near: string,
  far: string,
  glint: string,
  light: number | null,
  amount = 120,
): void {
  const { random, width, height } = d;
  d.add(
    rect(
      0,
      top,
      width,
      height - top,
      d.linear([
        [0, far],
        [0.25, mix(far, near, 0.45)],
        [1, near],
      ]),
    ),
  );
  const parts: string[] = [];
  for (let i = 0; i < amount; i++) {
    const t = random.next() ** 1.7;
    const y = top + 3 + t * (height - top);
    const spread = light === null ? width : width * (0.05 + t * 0.2);
    const x = light === null ? random.between(0, width) : light + (random.next() + random.next() - 1) * spread;
    const w = (10 + t * 90) * random.between(0.5, 1.3);
    parts.push(ellipse(x, y, w, 0.8 + t * 3.2, glint, `opacity="${n(random.between(2, 8) / 10)}"`));
  }
  for (let i = 0; i < amount * 0.7; i++) {
    const t = random.next() ** 1.5;
    parts.push(
      ellipse(
        random.between(0, width),
        top + t * (height - top),
        30 + t * 150,
        0.8 + t * 3,
        i % 2 ? mix(near, "#000020", 0.35) : mix(far, glint, 0.35),
        'opacity="0.28"',
      ),
    );
  }
  d.add(parts.join(""));
}

/** Mist lying on a level. */
export function mist(d: Drawing, y: number, h: number, colour: string, opacity: number): void {
  d.add(
    rect(
      0,
      y - h,
      d.width,
      h * 2,
      d.linear([
        [0, colour, 0],
        [0.5, colour, opacity],
        [1, colour, 0],
      ]),
    ),
  );
}

/** Blades of grass and a few flowers in the foreground. */
export function grass(d: Drawing, top: number, colour: string, flowers: readonly string[], amount = 260): void {
  const { random, width, height } = d;
  const items = Array.from({ length: amount }, () => ({
    x: random.between(-10, width + 10),
    t: random.next() ** 0.8,
  })).sort((a, b) => a.t - b.t);
  const parts: string[] = [];
  for (const { x, t } of items) {
    const y = top + t * (height - top) + 20;
    const h = (18 + t * 95) * random.between(0.6, 1.3);
    const lean = random.between(-0.35, 0.35) * h;
    const tone = mix(colour, random.chance(0.5) ? "#f3e9a8" : "#0f2418", random.between(0.05, 0.4));
    parts.push(
      stroke(`M${n(x)} ${n(y)}Q${n(x + lean * 0.2)} ${n(y - h * 0.6)} ${n(x + lean)} ${n(y - h)}`, tone, 1.4 + t * 3),
    );
    if (flowers.length > 0 && random.chance(0.2)) {
      const bloom = flowers[random.whole(0, flowers.length - 1)] ?? "#ffffff";
      const r = 3 + t * 9;
      parts.push(
        group(
          `translate(${n(x + lean)} ${n(y - h)})`,
          ...[0, 72, 144, 216, 288].map((a) => group(`rotate(${a})`, ellipse(0, -r * 0.8, r * 0.5, r * 0.8, bloom))),
          circle(0, 0, r * 0.42, "#f2c14e"),
        ),
      );
    }
  }
  d.add(parts.join(""));
}

export function stars(d: Drawing, bottom: number, count: number): void {
  const parts: string[] = [];
  for (let i = 0; i < count; i++) {
    parts.push(
      circle(
        d.random.between(0, d.width),
        d.random.between(0, bottom),
        d.random.between(0.6, 2.2),
        "#fff6e0",
        `opacity="${n(d.random.between(3, 10) / 10)}"`,
      ),
    );
  }
  d.add(parts.join(""));
}

/** Falling or lying specks: snow, sparks, confetti. */
export function flakes(
  d: Drawing,
  count: number,
  colours: readonly string[],
  low: number,
  high: number,
  bottom = 1,
): void {
  const near: string[] = [];
  const far: string[] = [];
  for (let i = 0; i < count; i++) {
    const r = d.random.between(low, high);
    const colour = colours[d.random.whole(0, colours.length - 1)] ?? "#ffffff";
    (r > (low + high) * 0.65 ? near : far).push(
      circle(
        d.random.between(0, d.width),
        d.random.between(0, d.height * bottom),
        r,
        colour,
        `opacity="${n(d.random.between(4, 10) / 10)}"`,
      ),
    );
  }
  d.add(far.join(""), d.blurLayer(2, ...near));
}
