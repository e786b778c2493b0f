import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NumberMap } from "#main/importers/mail/number-map.ts";

const whole = fc.oneof(fc.nat(50), fc.maxSafeNat());

describe("numbers by numbers", () => {
  test("answer as a Map does", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(whole, whole), { maxLength: 300 }), fc.array(whole), (pairs, others) => {
        const map = new NumberMap(10_000);
        const model = new Map<number, number>();
        for (const [key, value] of pairs) {
          map.set(key, value);
          model.set(key, value);
        }
        for (const key of [...model.keys(), ...others]) expect(map.get(key)).toBe(model.get(key));
      }),
    );
  });

  test("grow, and forget the oldest beyond their capacity, never the newest half", () => {
    const map = new NumberMap(10_000);
    const key = (at: number) => at * 9_007_199_254;
    for (let at = 0; at < 100_000; at++) map.set(key(at), at);
    const kept = Array.from({ length: 100_000 }, (_, at) => at).filter((at) => map.get(key(at)) === at);
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, at) => 100_000 - kept.length + at));
    expect(kept.length).toBeGreaterThanOrEqual(5_000);
    expect(kept.length).toBeLessThanOrEqual(10_000);
  });
});
