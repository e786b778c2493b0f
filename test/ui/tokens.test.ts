import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const tokens = readFileSync(join(import.meta.dirname, "../../renderer/design/tokens.css"), "utf8");

/** `--name: light-dark(#light, #dark);` → both colours by name. */
const colours = new Map(
  [...tokens.matchAll(/--([\w-]+):\s*light-dark\((#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\)/g)].map(
    ([, name = "", light = "", dark = ""]) => [name, { light, dark }] as const,
  ),
);

/** Relative luminance of a colour (WCAG 2.2, 1.4.3). */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

/** Pairs that carry text: at least 4.5 to 1. */
const text: readonly (readonly [string, string])[] = [
  ...["surface", "surface-raised", "surface-sunken"].flatMap((ground) =>
    ["text", "text-quiet", "accent", "conflict", "superseded", "danger"].map((ink) => [ink, ground] as const),
  ),
  ["on-accent", "accent"],
  ["on-accent", "accent-strong"],
  ["text", "accent-soft"],
  ["accent-strong", "accent-soft"],
  ["text", "mark"],
  ["text", "conflict-soft"],
  ["text", "danger-soft"],
  ["danger", "danger-soft"],
];

/** Edges of controls and drawn evidence: at least 3 to 1. */
const drawn: readonly (readonly [string, string])[] = ["surface", "surface-raised"].flatMap((ground) =>
  ["control-line", "support", "conflict", "accent"].map((line) => [line, ground] as const),
);

describe("colour tokens", () => {
  for (const theme of ["light", "dark"] as const) {
    const ratio = ([ink, ground]: readonly [string, string]) => {
      const [a, b] = [colours.get(ink), colours.get(ground)];
      if (!a || !b) throw new Error(`No colour ${a ? ground : ink} in tokens.css.`);
      return contrast(a[theme], b[theme]);
    };
    for (const pair of text) {
      it(`${pair.join(" on ")} can be read in the ${theme} theme`, () => {
        expect(ratio(pair)).toBeGreaterThanOrEqual(4.5);
      });
    }
    for (const pair of drawn) {
      it(`${pair.join(" on ")} can be seen in the ${theme} theme`, () => {
        expect(ratio(pair)).toBeGreaterThanOrEqual(3);
      });
    }
  }
});
