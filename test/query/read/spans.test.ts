import { describe, expect, test } from "vitest";
import { emptyPlan } from "#contract";
import { askedSpans, spanFeatures, spansIn } from "#main/query/read/spans/spans.ts";
import { tokensOf } from "#main/query/read/spans/words.ts";
import { archiveOf } from "../archive.ts";

const plan = (question: string, terms: readonly string[]) => ({ ...emptyPlan(question), terms: [...terms] });
const featuresOf = (question: string, terms: readonly string[], text: string, span: string) =>
  spansIn(askedSpans(plan(question, terms)), text, null, [])
    .filter(({ start, end }) => text.slice(start, end) === span)
    .flatMap(({ features }) => features.flat().map((at) => spanFeatures[at]));

describe("words of a sentence", () => {
  test("are told apart by place and ending", () => {
    const kinds = tokensOf("I really adopted Rex, and we started walking the dog.").map(
      ({ text, kind }) => `${text}:${kind}`,
    );
    expect(kinds.join(" ")).toBe("I:R really:B adopted:E Rex:U and:C we:R started:E walking:G the:D dog:N");
  });

  test("end clauses and sentences, and grow together", () => {
    const tokens = tokensOf("Oh, it is sugar-free. Nice!");
    expect(tokens.map(({ closes }) => closes)).toEqual([1, 0, 0, 0, 2, 2]);
    expect(tokens.map(({ joined }) => joined)).toEqual([false, false, false, true, false, false]);
  });
});

describe("spans", () => {
  test("say where they stand to the words of the question", () => {
    const features = featuresOf(
      "What did Ada plant?",
      ["plant"],
      "I planted a row of beans behind the shed.",
      "row of beans",
    );
    expect(features).toEqual(expect.arrayContaining(["len3", "firstN", "lastN", "beforeAsked", "near1", "behindP"]));
  });

  test("that are a day, or have one in them, are told from others", () => {
    const text = "We painted the shed last Friday.";
    const times = [{ start: text.indexOf("last"), end: text.length - 1 }];
    const spans = spansIn(askedSpans(plan("What did Ada paint?", ["paint"])), text, null, times);
    const of = (words: string) =>
      spans
        .filter(({ start, end }) => text.slice(start, end) === words)
        .flatMap(({ features }) => features.flat().map((at) => spanFeatures[at]))
        .filter((name) => name === "time" || name === "hasTime");
    expect([of("shed"), of("Friday"), of("shed last Friday")]).toEqual([[], ["time"], ["hasTime"]]);
  });

  test("never break a word that has grown together", () => {
    const text = "It is sugar-free jam.";
    const spans = spansIn(askedSpans(plan("What is it?", [])), text, null, []).map(({ start, end }) =>
      text.slice(start, end),
    );
    expect(spans).toContain("sugar-free jam");
    expect(spans.filter((one) => /^free|sugar$/.test(one))).toEqual([]);
  });

  test("stay within a sentence", () => {
    const text = "I planted beans. The shed leaks.";
    const spans = spansIn(askedSpans(plan("What?", [])), text, null, []);
    expect(spans.filter(({ start, end }) => text.slice(start, end).includes("."))).toEqual([]);
  });
});

test("a chat's answer is the words that were asked for, not the whole sentence", async () => {
  const chat = "Ada & Bo";
  const archive = archiveOf([
    { chat, by: "Bo", to: ["Ada"], at: "2023-05-01T10:00:00", text: "How is the allotment coming along?" },
    {
      chat,
      by: "Ada",
      to: ["Bo"],
      at: "2023-05-01T10:01:00",
      text: "Lovely! On Sunday I finally planted three rows of beans behind the shed.",
    },
    { chat, by: "Bo", to: ["Ada"], at: "2023-05-01T10:02:00", text: "Wow, great job!" },
  ]);
  const { claims } = await archive.ask("What did Ada plant behind the shed?");
  expect(claims[0]?.value).toContain("beans");
  expect(claims[0]?.value).not.toMatch(/Lovely|On Sunday/);
});
