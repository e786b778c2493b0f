import { expect, test } from "vitest";
import { RateMeter } from "#main/jobs/index.ts";

test("no promise before three seconds; then rate and time left of the last seconds", () => {
  let now = 0;
  const meter = new RateMeter(() => now, 10_000);
  meter.restart(500);
  now = 2000;
  expect(meter.measure(1500, 10_000)).toEqual({ rate: null, secondsLeft: null });
  now = 4000;
  expect(meter.measure(2500, 10_000)).toEqual({ rate: 500, secondsLeft: 15 });
  // It gets slower: what was long ago is forgotten.
  while (now < 30_000) {
    now += 1000;
    meter.measure(2500 + (now - 4000) / 10, 10_000);
  }
  expect(meter.measure(5100, 10_000).rate).toBeCloseTo(100, 0);
  expect(meter.measure(5100, null).secondsLeft).toBe(null);
});
