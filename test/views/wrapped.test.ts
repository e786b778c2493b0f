import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unwrap } from "#main/views/wrapped.ts";

describe("lines that a program broke", () => {
  it("are one line again, each letter in its place", () => {
    const mail = [
      "When I tried to build the shelf in the shed last Saturday, several",
      "screws were missing and the long board was split from end to end so",
      "I took it back.",
      "",
      "Yours",
      "Edda",
    ].join("\n");
    const read = unwrap(mail);
    expect(read).toContain("several screws were missing");
    expect(read).toContain("end to end so I took it back.\n\nYours\nEdda");
    expect(read.length).toBe(mail.length);
  });

  it("stay apart where the next word would have fitted", () => {
    const address = "We meet on the square before the old town hall at a quarter to nine\nEdda\nBring a coat";
    expect(unwrap(address)).toBe(address);
  });

  it.each([
    [
      "lists",
      "These are the things that we still have to buy before the holiday\n- rope\n- a tent peg for each corner",
    ],
    ["numbered lists", "These are the things that we still have to buy before the holiday\n1. unbelievably-long-thing"],
    ["quotations", "These are the things that we still have to buy before the holiday\n> unbelievably-long-thing"],
    ["changed code", "+  const everything = thingsThatWeStillHaveToBuy.beforeTheHoliday({\n+  unbelievablyLongThing"],
    ["sentences that end", "These are the things that we still have to buy before the holiday.\nUnbelievably long"],
    ["a person's short lines", "roses are red\nviolets are blue\nunbelievably"],
  ])("%s are left alone", (_, text) => {
    expect(unwrap(text)).toBe(text);
  });

  it("goes on in small letters where somebody wrapped short of the width", () => {
    const text =
      "The scale should keep the weight of the hive whenever there is\na last reading. If it only keeps it when the scale is on, all\nof it is lost.";
    expect(unwrap(text)).toContain(
      "whenever there is a last reading. If it only keeps it when the scale is on, all of it",
    );
  });

  it("goes on where no sentence ends with the line, and where a line names what stands alone on the next", () => {
    const text =
      "The first of the two scales that we bought reads minus one on\nCarniolan hives, so it stopped on all of our other hives as well.\nThe shop pointed me to:\nHX-5501-BLUE\nand that one fits.";
    const read = unwrap(text);
    expect(read).toContain("minus one on Carniolan hives");
    expect(read).toContain("pointed me to: HX-5501-BLUE\n");
  });

  it("whatever the text, only line ends change, and into blanks", () => {
    const line = fc.stringMatching(/^[a-z .>-]{0,90}$/);
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const text = lines.join("\n");
        const read = unwrap(text);
        expect(read.length).toBe(text.length);
        for (let at = 0; at < text.length; at++) {
          if (read[at] !== text[at]) expect([text[at], read[at]]).toEqual(["\n", " "]);
        }
        expect(unwrap(read).split("\n").length).toBeLessThanOrEqual(read.split("\n").length);
      }),
    );
  });
});
