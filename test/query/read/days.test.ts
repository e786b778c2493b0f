import { describe, expect, test } from "vitest";
import { emptyPlan } from "#contract";
import { ordinalFits } from "#main/query/read/asked/ordinals.ts";
import { asksAhead, isOver } from "#main/query/read/sentences/pick.ts";
import { pastDays, saysNo, valuesOf } from "#main/query/read/sentences/values.ts";

/** A Sunday. */
const written = "2022-07-10";
const daysIn = (text: string) => pastDays(text, written, valuesOf(text, written, ["date"])).map(({ from }) => from);

describe("a weekday without more", () => {
  test.each([
    ["We won the final on Friday!", "2022-07-08"],
    ["I finally ran ten miles on Tuesday.", "2022-07-05"],
    ["See you on Friday!", "2022-07-15"],
    ["I booked us a table for dinner on Friday.", "2022-07-15"],
    ["We decided to meet on Friday.", "2022-07-15"],
  ])("%s", (text, day) => {
    expect(daysIn(text)).toEqual([day]);
  });
});

describe("a no", () => {
  test("that looks forward denies nothing", () => {
    expect(saysNo("Can't wait for the fair on Friday!")).toBe(false);
    expect(saysNo("I can't come to the fair on Friday.")).toBe(true);
  });
});

describe("one of several", () => {
  const plan = emptyPlan("When did Ada win her second tournament?");
  test.each([
    ["I won my second chess tournament!", 1],
    ["I won my fourth tournament.", -1],
    ["I won a tournament.", 0],
    ["It was my first day there, and we talked of the tournament.", 0],
  ])("%s", (text, fits) => {
    expect(ordinalFits(plan, text)).toBe(fits);
  });
});

test("what is to come is not told by what was", () => {
  const plan = (question: string) => ({ ...emptyPlan(question), answerType: "date" as const });
  expect(asksAhead(plan("When is Ada going to the fair?"))).toBe(true);
  expect(asksAhead(plan("When did Ada go to the fair?"))).toBe(false);
  const [ago, next] = valuesOf("We went three weeks ago and go again next month.", written, ["date"]);
  expect([ago, next].map((day) => day && isOver(day, written))).toEqual([true, false]);
});
