import { describe, expect, it } from "vitest";
import { answerTokens, datesAgree, listF1, tokenF1, wantedDays } from "#test/bench/answer-score.ts";
import { says } from "#test/bench/judge-answer.ts";

describe("an expected answer is met", () => {
  it.each([
    ["Sunday 7 May 2023: “…”", "7 May 2023"],
    ["It was on May 7.", "7 May 2023"],
    ["am 7.5.2023", "On 7 May 2023"],
    ["€ 1,240 in all", "1240 euros"],
    ["1.240,00 €", "€1,240"],
    ["24,90 €", "€24.90"],
    ["£231", "£231.00"],
    ["6 Äpfel", "Six"],
    ["2 hours at most", "Two hours"],
    ["leaves at 5.40 pm", "17:40"],
    ["6 birch, 2 alder", "Six birches and two alders"],
    ["Thursday 14 May 2024", "In May 2024"],
  ])("by “%s” for “%s”", (given, wanted) => {
    expect(says(given, wanted)).toBe(true);
  });

  it.each([
    ["8 May 2023", "7 May 2023"],
    ["7 May 2022", "7 May 2023"],
    ["€1,250", "€1,240"],
    ["No: it was cancelled", "Yes"],
    ["from Ida in Bled", "From Maja in Bled"],
  ])("not by “%s” for “%s”", (given, wanted) => {
    expect(says(given, wanted)).toBe(false);
  });
});

describe("scores of answers", () => {
  it("count tokens without case, articles and endings", () => {
    expect(answerTokens("The Adoption Agencies, and a cat")).toEqual(["adopt", "agenc", "cat"].map((one) => one));
    expect(tokenF1("researching adoption agencies", "adoption agencies")).toBeCloseTo(0.8);
    expect(tokenF1("", "adoption")).toBe(0);
  });

  it("take for each item of a list the best one given", () => {
    expect(listF1("pottery, running", "Running, pottery")).toBe(1);
    expect(listF1("pottery", "running, pottery")).toBe(0.5);
  });

  it("know the days that a gold answer points to", () => {
    expect(wantedDays("The sunday before 25 May 2023")).toEqual({ from: "2023-05-21", to: "2023-05-21" });
    expect(wantedDays("The week before 9 June 2023")).toEqual({ from: "2023-06-02", to: "2023-06-08" });
    expect(wantedDays("two days before 9 June 2023")).toEqual({ from: "2023-06-07", to: "2023-06-07" });
    expect(wantedDays("June 2023")).toEqual({ from: "2023-06-01", to: "2023-06-30" });
    expect(wantedDays("2022")).toEqual({ from: "2022-01-01", to: "2022-12-31" });
    expect(wantedDays("a cat")).toBeNull();
  });

  it("take a day for right when it lies in the wanted ones", () => {
    expect(datesAgree("21 May 2023", { from: "2023-05-21", to: "2023-05-21" })).toBe(true);
    expect(datesAgree("22 May 2023", { from: "2023-05-21", to: "2023-05-21" })).toBe(false);
    expect(datesAgree("May 2023", { from: "2023-05-21", to: "2023-05-21" })).toBe(false);
    expect(datesAgree("the week before 9 June 2023", { from: "2023-06-02", to: "2023-06-08" })).toBe(true);
    expect(datesAgree("the week before 9 June 2023", { from: "2023-06-09", to: "2023-06-09" })).toBe(false);
  });
});
