import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importedRecordSchema } from "#contract";
import { noteText } from "#main/importers/evernote/enml.ts";
import { evernoteImporter } from "#main/importers/evernote/index.ts";
import { filesOf, importAll, memoryTree, recordsOf } from "#test/importers/memory-tree.ts";

const shell = (...notes: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export3.dtd">\n<en-export>${notes.join("\n")}</en-export>`;
const content = (enml: string) =>
  `<content><![CDATA[<?xml version="1.0"?><!DOCTYPE en-note SYSTEM "x"><en-note>${enml}</en-note>]]></content>`;
const read = async (text: string, name = "Harbour.enex") => importAll(evernoteImporter, memoryTree({ [name]: text }));
const pdf = Buffer.from("%PDF plan").toString("base64");

describe("Evernote", () => {
  it("reads notes with tags, times, place and files", async () => {
    const note = `<note><title>Plan &amp; rope</title>${content('<div>Take <b>rope</b></div><en-todo checked="true"/>mast<br/><en-todo/>sail<en-media type="application/pdf" hash="x"/>')}
      <created>20240305T101112Z</created><updated>20240306T000000Z</updated><tag>boat</tag><tag>work</tag>
      <note-attributes><latitude>47.1</latitude><longitude>8.2</longitude><author>Ida</author><source-url>https://example.org/</source-url></note-attributes>
      <task><title>Paint</title><taskStatus>completed</taskStatus></task>
      <resource><data encoding="base64">\n${pdf.slice(0, 5)}\n${pdf.slice(5)}</data><mime>application/pdf</mime><resource-attributes><file-name>plan.pdf</file-name></resource-attributes></resource></note>`;
    const items = await read(shell(note));
    const [record, part] = recordsOf(items);
    expect(record).toMatchObject({
      kind: "note",
      subject: "Plan & rope",
      author: { name: "Ida" },
      time: { utc: "2024-03-05T10:11:12Z" },
      place: { lat: 47.1, lon: 8.2 },
      container: { title: "Harbour", kind: "notebook" },
      props: {
        labels: ["boat", "work"],
        links: ["https://example.org/"],
        items: [
          { text: "mast", checked: true },
          { text: "sail", checked: false },
          { text: "Paint", checked: true },
        ],
        attachments: [{ name: "plan.pdf", mime: "application/pdf", bytes: 9 }],
        modified: { utc: "2024-03-06T00:00:00Z" },
      },
    });
    expect(record?.text).toBe("Take rope\n☑ mast\n☐ sail");
    expect(part).toMatchObject({
      kind: "document",
      text: "%PDF plan",
      partOf: { identity: record?.identity, role: "attachment" },
    });
    expect(recordsOf(await read(shell(note), "other name.enex"))[0]?.identity).toBe(record?.identity);
  });

  it("marks encrypted passages and shows none of them", () => {
    expect(noteText('<en-note>a<en-crypt cipher="AES">QUJD</en-crypt>b</en-note>')).toMatchObject({
      text: "ab",
      encrypted: true,
    });
    expect(noteText('<ul><li style="--en-checked:true;">x</li></ul>').items).toEqual([{ text: "x", checked: true }]);
  });

  it("keeps notes before a break", async () => {
    const items = await read(
      shell(`<note><title>a</title>${content("x")}</note>`, "<note><title>b</title>").replace("</en-export>", ""),
    );
    expect(recordsOf(items).map(({ subject }) => subject)).toEqual(["a"]);
    expect(filesOf(items)[0]).toMatchObject({ status: "imported", reason: expect.stringContaining("damaged") });
    expect(filesOf(await read("hello"))[0]?.status).toBe("failed");
  });

  it("gives records or a reason for anything", async () => {
    const words = fc.constantFrom(
      "<note>",
      "</note>",
      "<resource>",
      "<data>",
      "####",
      "</data>",
      "</resource>",
      "<title>",
      "</title>",
      "<created>99999999T999999Z</created>",
      "<content>",
      "<![CDATA[",
      "]]>",
      "</content>",
      "&bomb;",
      "<tag/>",
      "<latitude>x</latitude>",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
          fc.array(fc.oneof(words, fc.string()), { maxLength: 25 }).map((parts) => parts.join("")),
        ),
        async (text) => {
          const items = await read(`<en-export>${text}`);
          for (const record of recordsOf(items)) expect(importedRecordSchema.safeParse(record).success).toBe(true);
          expect(filesOf(items)).toHaveLength(1);
        },
      ),
      { numRuns: 300 },
    );
    expect(filesOf(await read(`<en-export>${"<note>".repeat(10_000)}`))[0]?.reason).toContain("too deep");
    expect(
      filesOf(
        await read(`<!DOCTYPE x [<!ENTITY a "${"b".repeat(1000)}">]>${shell(`<note><title>&a;</title></note>`)}`),
      ),
    ).toHaveLength(1);
  });
});
