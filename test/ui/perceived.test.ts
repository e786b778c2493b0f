import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Citation } from "#contract";
import { citeParam, evidenceLinks, quotedFrom } from "../../renderer/ask/segments.ts";
import { parseCite } from "../../renderer/record/facts.ts";
import { citedInLine, citedTag, isUnsure, lineMoment, polygonPoints, rowsOf } from "../../renderer/record/lines.ts";

/** Lines of a text with \n between, as a reader of pictures gives them. */
function linesOf(text: string) {
  let at = 0;
  return text.split("\n").map((line) => {
    const start = at;
    at += line.length + 1;
    return { start, end: start + line.length };
  });
}

const citation = (view: Citation["view"]): Citation => ({ recordId: 7, view, span: [4, 9], quote: "Berth" });

describe("a citation of text in a picture", () => {
  const lines = linesOf("Harbour office\nBerth 14\nOpen till six");

  it("lights exactly its lines, and in each only its own words", () => {
    // "office\nBerth"
    const cite = parseCite("ocr:8-20");
    expect(lines.map((line) => citedInLine(line, cite))).toEqual([[8, 14], [0, 5], null]);
  });

  it("lights a line if and only if it shares a letter with it", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ maxLength: 8 }).map((text) => text.replaceAll("\n", " ")),
          { minLength: 1, maxLength: 6 },
        ),
        fc.nat(60),
        fc.nat(60),
        (texts, a, b) => {
          const text = texts.join("\n");
          const span: [number, number] = [Math.min(a, b), Math.max(a, b)];
          for (const line of linesOf(text)) {
            const found = citedInLine(line, { view: "ocr", span });
            const inside = text.slice(Math.max(line.start, span[0]), Math.max(line.start, Math.min(line.end, span[1])));
            if (span[0] >= line.end || inside === "") expect(found).toBeNull();
            else {
              expect(found && text.slice(line.start + found[0], line.start + found[1])).toBe(inside);
            }
          }
        },
      ),
    );
  });

  it("lights nothing for a citation of another view or none", () => {
    const [line] = lines;
    if (!line) throw new Error("no line");
    expect(citedInLine(line, parseCite("text:0-4"))).toBeNull();
    expect(citedInLine(line, null)).toBeNull();
  });

  it("says on a card that its words stand in the picture, or are a guess", () => {
    expect(quotedFrom(citation("ocr"))).toBe("text in the picture");
    expect(quotedFrom(citation("tags"))).toMatch(/guess/);
    expect(quotedFrom(citation("text"))).toBeNull();
    expect(quotedFrom(undefined)).toBeNull();
  });

  it("goes by the address, for things seen in a picture as well", () => {
    expect(citeParam(citation("ocr"))).toBe("ocr:4-9");
    expect(parseCite(citeParam(citation("tags")))).toEqual({ view: "tags", span: [4, 9] });
    const links = evidenceLinks({
      claims: [{ id: "a", text: "Berth 14.", citations: [citation("ocr")], standing: "current" }],
      forest: { nodes: [], edges: [], objective: 0 },
    });
    expect(quotedFrom(links.citationOf.get(7))).toBe("text in the picture");
  });
});

describe("lines over a picture", () => {
  it("stand where they are in the picture, whatever its size", () => {
    const quad = [0.1, 0.2, 0.5, 0.25, 0.5, 0.35, 0.1, 0.3] satisfies Parameters<typeof polygonPoints>[0];
    expect(polygonPoints(quad, 1000, 400)).toBe("100,80 500,100 500,140 100,120");
    expect(polygonPoints(quad, 100, 40)).toBe("10,8 50,10 50,14 10,12");
  });

  it("of a video have their moment once, where it changes", () => {
    const lines = [{ at: 12.2 }, { at: 12.8 }, { at: 75 }];
    expect(lines.map((_, index) => lineMoment(lines, index))).toEqual(["0:12", null, "1:15"]);
    expect(lineMoment([{ at: null }], 0)).toBeNull();
  });

  it("that stand beside each other are read as one row", () => {
    const text = "until now from March\nper month";
    const lines = [
      { start: 0, end: 9 },
      { start: 10, end: 20 },
      { start: 21, end: 30 },
    ];
    expect(rowsOf({ text, lines }).map((row) => row.map(({ index }) => index))).toEqual([[0, 1], [2]]);
    expect(rowsOf({ text: "", lines: [] })).toEqual([]);
  });

  it("that were hard to read are marked", () => {
    expect(isUnsure({ confidence: 0.95 })).toBe(false);
    expect(isUnsure({ confidence: 0.6 })).toBe(true);
  });
});

describe("things seen in a picture", () => {
  const tags = [
    { label: "cup", score: 0.9 },
    { label: "coffee cup", score: 0.5 },
  ];

  it("are found again by the words of a citation, the longest name first", () => {
    expect(citedTag(tags, "A coffee cup")).toBe("coffee cup");
    expect(citedTag(tags, "cup")).toBe("cup");
    expect(citedTag(tags, "bicycle")).toBeNull();
    expect(citedTag(tags, null)).toBeNull();
  });
});
