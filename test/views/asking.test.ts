import { describe, expect, it } from "vitest";
import { asks, endsAsking } from "#main/views/language/index.ts";

describe("a question without its mark", () => {
  it.each([
    "what did you pack for the mountains",
    "hey how was the trip",
    "did u like it",
    "so are you coming on friday",
    "whats new with your sister",
    "how many people came",
    "wann kommst du",
    "hast du den Schlüssel",
    "we are there\nwhere is everybody, where are you",
  ])("is asked: %s", (text) => {
    expect(asks(text)).toBe(true);
    expect(endsAsking(text)).toBe(true);
  });

  it.each([
    "what a day",
    "when I was small we had a dog",
    "how lovely",
    "I did it myself",
    "who knows",
    "was nice to see you",
    "What is done is done.",
    "",
  ])("is not asked: %s", (text) => {
    expect(asks(text)).toBe(false);
    expect(endsAsking(text)).toBe(false);
  });

  it("is known by the mark too, wherever that stands", () => {
    expect(asks("Really? I did not know")).toBe(true);
    expect(endsAsking("Really? I did not know")).toBe(false);
    expect(endsAsking("I did not know. Really?")).toBe(true);
  });
});
