import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { createDocumentReader } from "#main/workers/documents.ts";
import { docx, openDocument, openXml, paragraph, pdf, relation } from "./make.ts";

/** The thread that the product reads documents in: what a parser leaves behind ends there too. */
const reader = createDocumentReader();
afterAll(() => reader.close());
const readDocument = (bytes: Uint8Array, name: string | null) =>
  reader.read(bytes, { name, mime: null }, new AbortController().signal);

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
        const read = await readDocument(cut ? bytes.subarray(0, at % bytes.length) : bytes, null);
        expect(read.text !== null || read.reason !== null).toBe(true);
        expect(read.reason ?? "").not.toMatch(/longer than|break its reader/);
      }),
      { numRuns: 120 },
    );
  },
);

test("any bytes at all", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
      const read = await readDocument(bytes, "x.html");
      expect(read.text !== null || read.reason !== null).toBe(true);
    }),
    { numRuns: 200 },
  );
});
