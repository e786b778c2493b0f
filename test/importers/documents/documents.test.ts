import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readDocument } from "#main/documents/index.ts";
import { documentsImporter, timeOf } from "#main/importers/documents/index.ts";
import type { SourceTree } from "#main/importers/types.ts";
import { docx, openDocument, paragraph, pdf } from "#test/documents/make.ts";
import { makeZip } from "#test/ingest/zip-maker.ts";
import { filesOf, memoryEntry, memoryTree, readContext, recordsOf } from "../memory-tree.ts";

const documents = { read: readDocument };

async function importDocuments(tree: SourceTree) {
  const items = [];
  for await (const claim of documentsImporter.recognise(tree)) {
    for await (const item of documentsImporter.read(claim, readContext(tree, { documents }))) items.push(item);
  }
  return { records: recordsOf(items), files: filesOf(items) };
}

describe("loose documents", () => {
  test("are records by their bytes, with title, text, name and the time that they give", async () => {
    const bytes = pdf([["Rent 2024"]], "/Title(Rent)/CreationDate(D:20240305093000+01'00')");
    const { records, files } = await importDocuments(memoryTree({ "papers/scan 1.pdf": bytes, "copy.bin": bytes }));
    expect(records).toHaveLength(2);
    expect(records[1]).toMatchObject({
      identity: `document:${createHash("sha256").update(bytes).digest("hex")}`,
      kind: "document",
      subject: "Rent",
      text: "Rent 2024",
      time: {
        utc: "2024-03-05T08:30:00Z",
        local: "2024-03-05T09:30:00",
        offset: "+01:00",
        source: "document:created",
        confidence: "normal",
      },
      files: [{ path: "papers/scan 1.pdf" }],
      props: { name: "scan 1.pdf", mime: "application/pdf" },
    });
    expect(records[0]?.identity).toBe(records[1]?.identity);
    expect(files).toMatchObject([{ status: "imported", reason: null }, { status: "imported" }]);
  });

  test("without a time of their own have the file's, marked as weak", async () => {
    const entry = { ...memoryEntry("a.rtf", "{\\rtf1 hello}"), modified: Date.UTC(2020, 1, 3) };
    const { records } = await importDocuments(memoryTree([entry]));
    expect(records[0]?.time).toMatchObject({ utc: "2020-02-03T00:00:00Z", source: "file-time", confidence: "low" });
    const timeless = await importDocuments(memoryTree({ "a.rtf": "{\\rtf1 hello}" }));
    expect(timeless.records[0]?.time).toBe(null);
  });

  test("are known by their content: wrong endings are no matter, other zips and pictures are left alone", async () => {
    const tree = memoryTree({
      "letter.dat": docx(paragraph("Hello")),
      noending: openDocument("<office:text><text:p>odt</text:p></office:text>"),
      "app.jar": makeZip([{ name: "META-INF/MANIFEST.MF", content: "x" }]),
      "a.jpg": pdf([["not looked at"]]),
      "note.txt": "%PDF-1.4",
      "x.bin": "nothing",
    });
    const { records } = await importDocuments(tree);
    expect(records.map(({ text, props }) => [text, props.mime])).toEqual([
      ["Hello", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
      ["odt", "application/vnd.oasis.opendocument.text"],
    ]);
  });

  test("that are scans are kept with a word; those that are cut off or no documents have failed", async () => {
    const { records, files } = await importDocuments(
      memoryTree({
        "cut.docx": docx(paragraph("x")).subarray(0, 200),
        "noise.pdf": "no pdf\u0000\u0001\u0002",
        "scan.pdf": pdf([[]]),
      }),
    );
    expect(records.map(({ props }) => props.name)).toEqual(["scan.pdf"]);
    expect(files).toMatchObject([
      { path: "cut.docx", status: "failed", reason: expect.stringMatching(/cut off/) },
      { path: "noise.pdf", status: "failed" },
      { path: "scan.pdf", status: "imported", reason: expect.stringMatching(/scan/) },
    ]);
  });

  test("that take too long are kept without text, and the import goes on", async () => {
    const tree = memoryTree({ "a.rtf": "{\\rtf1 hello}" });
    const slow = { read: async () => ({ text: null, title: null, created: null, reason: "It took too long." }) };
    const [claim] = await Array.fromAsync(documentsImporter.recognise(tree));
    if (!claim) throw new Error("no claim");
    const items = await Array.fromAsync(documentsImporter.read(claim, readContext(tree, { documents: slow })));
    expect(items).toMatchObject(
      [
        { type: "record", record: { text: null } },
        { status: "imported", reason: /long/ },
      ].map((item) => ("reason" in item ? { ...item, reason: expect.stringMatching(/long/) } : item)),
    );
  });
});

test.each([
  ["2024-03-05", { local: "2024-03-05", utc: null, precision: "day" }],
  ["2024-03-05T09:30:00Z", { local: null, utc: "2024-03-05T09:30:00Z", offset: null }],
  ["2024-03-05T09:30:00-05:30", { local: "2024-03-05T09:30:00", utc: "2024-03-05T15:00:00Z", offset: "-05:30" }],
  ["2019-08-07T10:11:12.123456789", { local: "2019-08-07T10:11:12", utc: null, precision: "second" }],
])("a document made at %s", (created, time) => expect(timeOf(created)).toMatchObject(time));

test("any bytes under any name end as a file of the ledger", async () => {
  const name = fc.constantFrom("a.pdf", "b.docx", "c.odt", "d.rtf", "e.html", "f", "g.xls", "h.epub");
  await fc.assert(
    fc.asyncProperty(
      name,
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom("", "%PDF-1.4\n", "PK\u0003\u0004", "{\\rtf"),
      async (path, bytes, start) => {
        const tree = memoryTree({ [path]: Buffer.concat([Buffer.from(start), bytes]) });
        const { files } = await importDocuments(tree);
        expect(files.length).toBeLessThanOrEqual(1);
        for (const { status, reason } of files) expect(status === "imported" || reason !== null).toBe(true);
      },
    ),
    { numRuns: 150 },
  );
});
