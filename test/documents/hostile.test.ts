import fc from "fast-check";
import { expect, test } from "vitest";
import { readDocument } from "#main/documents/index.ts";
import { docx, openDocument, openXml, paragraph, pdf, relation } from "./make.ts";

const samples: Readonly<Record<string, Buffer>> = {
  pdf: pdf([["one", "two"], ["three"]], "/Title(t)/CreationDate(D:20200101)"),
  docx: docx(paragraph("hello") + paragraph("there")),
  xlsx: openXml("xl/workbook.xml", '<workbook><sheets><sheet name="a" r:id="s"/></sheets></workbook>', [
    relation("s", "worksheet", "sheet.xml"),
  ]),
  odt: openDocument("<office:text><text:p>hello</text:p></office:text>"),
  rtf: Buffer.from("{\\rtf1\\ansi{\\fonttbl{\\f0\\fcharset128 A;}}\\f0\\'82\\'a0\\u8364?\\par\\bin3 abc}"),
  html: Buffer.from("<html><title>a</title><table><tr><td>b</table>"),
};
const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 20 });

test.each(Object.keys(samples))(
  "any bytes of a %s changed or cut off give text or a reason, never a throw",
  async (kind) => {
    const sample = samples[kind] ?? Buffer.alloc(0);
    await fc.assert(
      fc.asyncProperty(changes, fc.nat(), fc.boolean(), async (list, at, cut) => {
        const bytes = Buffer.from(sample);
        for (const [place, value] of list) bytes[place % bytes.length] = value;
        const read = await readDocument(cut ? bytes.subarray(0, at % bytes.length) : bytes, { name: null, mime: null });
        expect(read.text !== null || read.reason !== null).toBe(true);
      }),
      { numRuns: 120 },
    );
  },
);

test("any bytes at all", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
      const read = await readDocument(bytes, { name: "x.html", mime: null });
      expect(read.text !== null || read.reason !== null).toBe(true);
    }),
    { numRuns: 200 },
  );
});
