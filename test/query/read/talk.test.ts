import { describe, expect, test } from "vitest";
import { asksLikely } from "#main/query/read/answers/yesno.ts";
import { saySpan } from "#main/query/read/phrases.ts";
import { archiveOf, type Draft, embedderOf, letters } from "../archive.ts";

const chat = "Ada & Bo";
const says = (by: string, at: string, text: string): Draft => ({
  chat,
  by,
  to: [by === "Ada" ? "Bo" : "Ada"],
  at,
  text,
});

describe("times as people say them", () => {
  test("a season has its name", () => {
    expect(saySpan("2022-06-01", "2022-08-31", "en")).toBe("summer 2022");
    expect(saySpan("2022-09-01", "2022-11-30", "de")).toBe("Herbst 2022");
    expect(saySpan("2022-06-01", "2022-07-31", "en")).toBe("1 June 2022 – 31 July 2022");
  });

  test.each([
    ["Last Friday I finally sold my old canoe!", "When did Ada sell the canoe?", "Friday 9 June 2023"],
    ["I sold my old canoe a few years ago.", "When did Ada sell the canoe?", "a few years ago"],
    ["I am selling my old canoe this weekend.", "When is Ada selling the canoe?", "the weekend of 17 June 2023"],
    ["I sold my old canoe last month.", "In which month did Ada sell the canoe?", "May 2023"],
  ])("%s", async (text, question, value) => {
    const archive = archiveOf([
      says("Bo", "2023-06-14T10:00:00", "Morning! How are things by the lake?"),
      says("Ada", "2023-06-14T10:02:00", text),
      says("Bo", "2023-06-14T10:03:00", "Good for you."),
    ]);
    const { claims } = await archive.ask(question);
    expect(claims[0]?.value).toBe(value);
  });
});

describe("what would be", () => {
  test.each([
    ["Would Ada go sailing again?", true],
    ["Is Bo likely to move?", true],
    ["Did Ada go sailing?", false],
  ])("%s", (question, likely) => {
    expect(asksLikely(question)).toBe(likely);
  });

  test("follows from how it turned out, and is told as likely only", async () => {
    const archive = archiveOf([
      says("Ada", "2023-06-14T10:02:00", "That sailing trip was awful, I was scared the whole day."),
      says("Bo", "2023-06-14T10:03:00", "Oh no! Glad you are home."),
    ]);
    const { claims } = await archive.ask("Would Ada go on a sailing trip again?");
    expect(claims[0]?.text).toMatch(/^Likely no: “That sailing trip was awful/);
  });
});

describe("whose matter it is", () => {
  test("what one of two says of their own is no answer about the other", async () => {
    const archive = archiveOf([
      says("Bo", "2023-06-14T10:00:00", "I adopted a grey parrot from the shelter in Lund!"),
      says("Ada", "2023-06-14T10:02:00", "Lovely. I spent the whole week mending the roof."),
      says("Bo", "2023-06-14T10:03:00", "The parrot already says good morning."),
      says("Ada", "2023-06-15T09:00:00", "The roof is done, at last."),
    ]);
    await archive.embed(letters);
    const embedder = embedderOf(letters);
    expect((await archive.ask("What did Bo adopt from the shelter?", { embedder })).answer).toContain("parrot");
    expect((await archive.ask("What did Ada adopt from the shelter?", { embedder })).outcome).toBe("not_found");
  });
});
