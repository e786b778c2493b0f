import { describe, expect, test } from "vitest";
import { readDocument } from "#main/documents/index.ts";
import { makeZip } from "#test/ingest/zip-maker.ts";
import { docx, openDocument, openXml, paragraph, pdf, relation, relationsPart } from "./make.ts";

const read = (bytes: Uint8Array | string, name: string | null = null, mime: string | null = null) =>
  readDocument(Buffer.from(bytes), { name, mime });

describe("a PDF", () => {
  test("gives its lines, an empty line between pages, its title and the time it was made", async () => {
    const bytes = pdf(
      [["Dear Juno,", "the boat is gr\\374n."], ["Page two"]],
      "/Title(Boat letter)/CreationDate(D:20240305093000+01'00')",
    );
    expect(await read(bytes)).toEqual({
      text: "Dear Juno,\nthe boat is grün.\n\nPage two",
      title: "Boat letter",
      created: "2024-03-05T09:30:00+01:00",
      reason: null,
    });
  });

  test("is known by its content, whatever its name and its first line say", async () => {
    const bytes = Buffer.concat([Buffer.from("\u0000\u0001junk\n"), pdf([["Hello"]])]);
    expect(await read(bytes, "letter.docx", "text/plain")).toMatchObject({ text: "Hello" });
    expect(await read("%PDF-1.4 is how such a file begins, he wrote.")).toMatchObject({ reason: null });
  });

  test("without text says that it is a scan; one that is cut off or no PDF says so", async () => {
    expect(await read(pdf([[], []]))).toMatchObject({ text: null, reason: expect.stringMatching(/2 pages.*scans/) });
    const cut = pdf([["Hello"]]).subarray(0, 60);
    expect(await read(cut)).toMatchObject({ text: null, reason: expect.stringMatching(/damaged/) });
  });

  test("whose table of objects is lost is read all the same", async () => {
    const whole = pdf([["Still here"]]).toString("latin1");
    const cut = whole.slice(0, whole.indexOf("startxref")).replace(/0{6}\d{4} 0/g, "0000009999 0");
    expect(await read(Buffer.from(cut, "latin1"))).toMatchObject({ text: "Still here" });
  });

  test("with a password says so", async () => {
    const key = `/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<${"11".repeat(32)}>/U<${"22".repeat(32)}>>>/ID[<00><00>]`;
    expect(await read(pdf([["secret"]], "", key))).toMatchObject({
      text: null,
      reason: expect.stringMatching(/password/),
    });
  });

  test.each([
    ["D:20240305", "2024-03-05"],
    ["D:20240305093000Z", "2024-03-05T09:30:00Z"],
    ["D:202403050930-0500", "2024-03-05T09:30:00-05:00"],
    ["D:20241399", null],
    ["last spring", null],
  ])("made at %s", async (said, created) => {
    expect((await read(pdf([["x"]], `/CreationDate(${said})`))).created).toBe(created);
  });
});

describe("a Word document", () => {
  test("gives paragraphs, tables by tabs, notes by their marks, comments, header and footer once", async () => {
    const body = `${paragraph("The plan")}
      <w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:footnoteReference w:id="2"/></w:r></w:p>
      <w:tbl><w:tr><w:tc>${paragraph("one")}${paragraph("more")}</w:tc><w:tc>${paragraph("two")}</w:tc></w:tr></w:tbl>`;
    const rels = [
      relation("a", "footnotes", "footnotes.xml"),
      relation("b", "comments", "comments.xml"),
      relation("c", "header", "header1.xml"),
      relation("d", "header", "header2.xml"),
      relation("e", "footer", "footer1.xml"),
    ];
    const bytes = docx(body, rels, {
      "word/footnotes.xml": `<w:footnotes><w:footnote w:type="separator" w:id="0">${paragraph("---")}</w:footnote><w:footnote w:id="2">${paragraph("see the map")}</w:footnote></w:footnotes>`,
      "word/comments.xml": `<w:comments><w:comment w:id="1" w:author="Mara">${paragraph("really?")}</w:comment></w:comments>`,
      "word/header1.xml": `<w:hdr>${paragraph("Ada Lind, Lakeside 4")}</w:hdr>`,
      "word/header2.xml": `<w:hdr>${paragraph("Ada Lind, Lakeside 4")}</w:hdr>`,
      "word/footer1.xml": `<w:ftr>${paragraph("7")}</w:ftr>`,
    });
    expect(await read(bytes, "x.bin")).toEqual({
      text: "Ada Lind, Lakeside 4\nThe plan\na\tb[1]\none more\ttwo\n[1] see the map\nComment by Mara: really?",
      title: "Garden plan",
      created: "2021-04-05T06:07:08Z",
      reason: null,
    });
  });

  test("leaves out what was deleted, hidden or is told twice", async () => {
    const body = `<w:p><w:r><w:t>kept </w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>
      <w:ins><w:r><w:t>added</w:t></w:r></w:ins><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r>
      <w:r><w:instrText> PAGE </w:instrText></w:r></w:p>
      <mc:AlternateContent><mc:Choice><w:p><w:r><w:t>box</w:t></w:r></w:p></mc:Choice><mc:Fallback><w:p><w:r><w:t>box</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent>`;
    expect((await read(docx(body))).text).toBe("kept added\nbox");
  });

  test("that is cut off inside keeps what stands before", async () => {
    const bytes = docx(`${paragraph("first")}<w:p><w:r><w:t>sec</w:p>`);
    const { text, reason } = await read(bytes);
    expect(text).toContain("first");
    expect(reason).toMatch(/breaks off/);
  });

  test("as one file of XML, as Word 2003 wrote it", async () => {
    const xml = `<?xml version="1.0"?><w:wordDocument xmlns:w="w"><o:DocumentProperties><o:Title>Old</o:Title></o:DocumentProperties><w:body><w:sect>${paragraph("Hello")}</w:sect></w:body></w:wordDocument>`;
    expect(await read(xml)).toMatchObject({ text: "Hello", title: "Old" });
  });
});

test("slides come in the order of the show, with notes; a hidden one is marked", async () => {
  const slide = (text: string, more = "") =>
    `<p:sld ${more}><p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sp><p:sp><p:nvSpPr><p:nvPr><p:ph type="sldNum"/></p:nvPr></p:nvSpPr><a:p><a:fld><a:t>9</a:t></a:fld></a:p></p:sp></p:sld>`;
  const bytes = openXml(
    "ppt/presentation.xml",
    '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="b"/><p:sldId id="257" r:id="a"/></p:sldIdLst></p:presentation>',
    [relation("a", "slide", "slides/slide1.xml"), relation("b", "slide", "slides/slide2.xml")],
    {
      "ppt/slides/slide1.xml": slide("Second", 'show="0"'),
      "ppt/slides/slide2.xml": slide("First"),
      "ppt/slides/_rels/slide2.xml.rels": relationsPart([relation("n", "notesSlide", "../notesSlides/n.xml")]),
      "ppt/notesSlides/n.xml": slide("say hello"),
    },
  );
  expect((await read(bytes)).text).toBe("First\nNotes: say hello\n\n(hidden slide)\nSecond");
});

describe("a sheet", () => {
  const workbook = (rows: string, more: { shared?: string; styles?: string; pr?: string; state?: string } = {}) =>
    openXml(
      "xl/workbook.xml",
      `<workbook><workbookPr ${more.pr ?? ""}/><sheets><sheet name="Costs" sheetId="1" ${more.state ?? ""} r:id="s"/><sheet name="Code" sheetId="2" state="veryHidden" r:id="s"/></sheets></workbook>`,
      [
        relation("s", "worksheet", "/xl/worksheets/sheet1.xml"),
        relation("t", "sharedStrings", "sharedStrings.xml"),
        relation("u", "styles", "styles.xml"),
      ],
      {
        "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
        "xl/sharedStrings.xml": `<sst>${more.shared ?? ""}</sst>`,
        "xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy\\ hh:mm"/><numFmt numFmtId="165" formatCode="0.0&quot;m&quot;"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="10"/><xf numFmtId="165"/><xf numFmtId="20"/></cellXfs></styleSheet>`,
      },
    );

  test("is its name and its rows: gaps kept, shared texts, days, shares, times", async () => {
    const rows = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="D1" t="inlineStr"><is><t>in</t></is></c></row><row r="2"/>
      <row r="3"><c r="A3" s="1"><v>45356</v></c><c r="B3" s="2"><v>45356.75</v></c><c r="C3" s="3"><v>0.19</v></c><c r="D3" s="4"><v>2.5</v></c><c r="E3" s="5"><v>0.5</v></c><c r="F3"><f>A1+B1</f><v>0.30000000000000004</v></c><c r="G3" t="b"><v>1</v></c></row>`;
    const { text } = await read(
      workbook(rows, { shared: "<si><r><t>Ro</t></r><r><t>of</t></r><rPh><t>ルーフ</t></rPh></si>" }),
    );
    expect(text).toBe("Costs\nRoof\t\t\tin\n2024-03-05\t2024-03-05 18:00\t19%\t2.5\t12:00\t0.3\tTRUE");
  });

  test("hidden by a person is marked; days may count from 1904; a cell far out is no million tabs", async () => {
    const rows = '<row><c r="A1" s="1"><v>0</v></c><c r="XFD1"><v>5</v></c></row>';
    const { text } = await read(workbook(rows, { pr: 'date1904="1"', state: 'state="hidden"' }));
    expect(text).toBe("Costs (hidden sheet)\n1904-01-01\t5");
  });
});

describe("an OpenDocument", () => {
  test("text: paragraphs, blanks, notes, comments; deleted text is left out", async () => {
    const body = `<office:text><text:tracked-changes><text:p>gone</text:p></text:tracked-changes>
      <text:h>Boats</text:h><text:p>two<text:s text:c="3"/>oars<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>of ash</text:p></text:note-body></text:note> here<office:annotation><dc:creator>Mara</dc:creator><dc:date>2020-01-01</dc:date><text:p>sure?</text:p></office:annotation></text:p></office:text>`;
    expect(await read(openDocument(body))).toEqual({
      text: "Boats\ntwo   oars[1] here\n[1] of ash\nComment by Mara: sure?",
      title: "Boat list",
      created: "2019-08-07T10:11:12.123456789",
      reason: null,
    });
  });

  test("sheets: rows by tabs, repeats bounded, hidden ones marked", async () => {
    const body = `<office:spreadsheet><table:table table:name="Oars" table:style-name="ta1">
      <table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell table:number-columns-repeated="2"/><table:table-cell office:date-value="2020-02-03"/></table:table-row>
      <table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>
      </table:table></office:spreadsheet>`;
    const styles = '<style:style style:name="ta1"><style:table-properties table:display="false"/></style:style>';
    expect((await read(openDocument(body, styles))).text).toBe("Oars (hidden sheet)\na\t\t\t2020-02-03");
  });

  test("with a password says so; one in a single file is read", async () => {
    const locked = openDocument("", "", { "META-INF/manifest.xml": "<m:manifest><m:encryption-data/></m:manifest>" });
    expect(await read(locked)).toMatchObject({ text: null, reason: expect.stringMatching(/password/) });
    const flat =
      '<?xml version="1.0"?><office:document xmlns:office="o"><office:body><office:text><text:p>flat</text:p></office:text></office:body></office:document>';
    expect((await read(flat)).text).toBe("flat");
  });
});

describe("Rich Text", () => {
  test("code pages, Unicode, tables, properties; hidden text and pictures left out", async () => {
    const rtf = String.raw`{\rtf1\ansi\ansicpg1252\uc1{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial;}}{\info{\title Note \'e4}{\creatim\yr2018\mo3\dy4\hr5\min6}}
\f0 Gr\'fc\u223?e {\v secret}{\f1\'cf\'f0\'e8\'e2\'e5\'f2}\par {\pict\bin4 }}}}} a\cell b\cell\row{\*\generator x;} end\emdash\u-10179?\u-8704?}`;
    expect(await read(rtf)).toEqual({
      text: "Grüße Привет\n a\tb\n end—😀",
      title: "Note ä",
      created: "2018-03-04T05:06:00",
      reason: null,
    });
  });

  test("that is cut off or nested without end is read as far as it goes", async () => {
    expect(await read("{\\rtf1 half")).toMatchObject({ text: "half", reason: expect.stringMatching(/cut off/) });
    expect((await read(`{\\rtf1 top ${"{".repeat(100_000)}deep`)).text).toBe("top");
  });
});

describe("other forms", () => {
  test("a book: chapters by the spine; one under a lock says so", async () => {
    const parts = {
      mimetype: "application/epub+zip",
      "META-INF/container.xml": '<container><rootfiles><rootfile full-path="OEBPS/c.opf"/></rootfiles></container>',
      "OEBPS/c.opf":
        '<package><metadata><dc:title>Tides</dc:title></metadata><manifest><item id="a" href="one%20a.xhtml" media-type="application/xhtml+xml"/><item id="b" href="two.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="b"/><itemref idref="a"/></spine></package>',
      "OEBPS/one a.xhtml": "<html><body><p>Chapter one</p></body></html>",
      "OEBPS/two.xhtml": "<html><body><p>Before</p></body></html>",
    };
    const zip = (all: Record<string, string>) =>
      makeZip(Object.entries(all).map(([name, content]) => ({ name, content })));
    expect(await read(zip(parts))).toMatchObject({ text: "Before\n\nChapter one", title: "Tides", reason: null });
    const lock = '<encryption><CipherReference URI="OEBPS/one%20a.xhtml"/></encryption>';
    const locked = await read(zip({ ...parts, "META-INF/encryption.xml": lock }));
    expect(locked).toMatchObject({ text: "Before", reason: expect.stringMatching(/lock/) });
  });

  test("a web page by its content or its name; its charset by its own word", async () => {
    const html = Buffer.from(
      "<!doctype html><meta charset=windows-1251><title>\u00cf</title><p>\u00cf\u00f0\u00e8<script>x()</script>",
      "latin1",
    );
    expect(await read(html)).toMatchObject({ text: "При", title: "П" });
    expect((await read("see <b>this</b>", "a.html")).text).toBe("see this");
    expect((await read("see <b>this</b>", "a.txt")).text).toBe("see <b>this</b>");
  });

  test("plain text in any charset; bytes that are no text are none", async () => {
    expect((await read(Buffer.from("h\u00e9llo", "latin1"))).text).toBe("héllo");
    expect((await read(Buffer.from("\ufeffwide", "utf16le"))).text).toBe("wide");
    expect(await read(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 1, 0, 0]))).toMatchObject({ text: null });
    expect(await read("")).toMatchObject({ text: null, reason: "It is empty." });
  });

  test("old and locked office files say what to do", async () => {
    const ole = (stream: string) =>
      Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.from(`${stream}\0`, "utf16le")]);
    expect((await read(ole("WordDocument"))).reason).toMatch(/\.docx/);
    expect((await read(ole("EncryptedPackage"))).reason).toMatch(/password/);
  });
});

describe("bombs", () => {
  test("a part that unpacks without end is stopped and what came before is kept", async () => {
    const bytes = docx(paragraph("kept") + paragraph("x".repeat(5_000_000)));
    const { text, reason } = await read(bytes);
    expect(text?.startsWith("kept")).toBe(true);
    expect(text?.length).toBeLessThanOrEqual(2_000_000);
    expect(reason).toMatch(/first 2000000 characters/);
  });

  test("entities of a document's own are not resolved, depth is bounded", async () => {
    const laughs = '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>';
    const bomb = openXml("word/document.xml", `${laughs}<w:document><w:p><w:t>&b;</w:t></w:p></w:document>`);
    expect((await read(bomb)).text).toBe("&b;");
    const deep = docx("<w:sdt>".repeat(100_000));
    expect(await read(deep)).toMatchObject({ text: null, reason: expect.stringMatching(/nested/) });
  });
});
