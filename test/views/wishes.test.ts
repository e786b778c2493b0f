import { describe, expect, it } from "vitest";
import { greetsFrom, greetsTo, wishes, wishesByNumber } from "#main/views/language/index.ts";

describe("wishes", () => {
  it("are told from talk of a feast, in both languages", () => {
    for (const said of ["Happy birthday, Werner!", "Merry Christmas to all", "Frohe Ostern!", "congrats, well done"])
      expect(wishes(said), said).toBe(true);
    for (const said of ["the birthday is on Friday", "wir waren an Ostern dort", "she was happy"])
      expect(wishes(said), said).toBe(false);
  });

  it("may name a birthday by its number alone", () => {
    expect(wishesByNumber("Alles Liebe zum 75.!")).toBe(true);
    expect(wishesByNumber("congratulations on your 40th")).toBe(true);
    expect(wishesByNumber("congratulations on your new job")).toBe(false);
  });

  it("say where they come from and where they go", () => {
    expect([greetsFrom("Love from Whitby"), greetsTo("Love from Whitby")]).toEqual([true, false]);
    expect([greetsFrom("Liebe Grüße nach Lübeck"), greetsTo("Liebe Grüße nach Lübeck")]).toEqual([false, true]);
  });
});
