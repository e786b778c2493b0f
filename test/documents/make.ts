import { makeZip } from "#test/ingest/zip-maker.ts";

/** Makes documents by hand, as small as their readers allow. */

const relationships = (rows: readonly string[]) =>
  `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${rows.join("")}</Relationships>`;
export const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`;

const core = (title: string, created: string) =>
  `<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>${title}</dc:title><dcterms:created>${created}</dcterms:created></cp:coreProperties>`;

/** An Office Open XML file: its main part, and others by their names. `rels` are those of the main part. */
export function openXml(
  main: string,
  content: string,
  rels: readonly string[] = [],
  parts: Readonly<Record<string, string>> = {},
): Buffer {
  const [folder = "", name = ""] = main.split("/");
  return makeZip(
    Object.entries({
      "[Content_Types].xml": "<Types/>",
      "_rels/.rels": relationships([
        relation("r1", "officeDocument", main),
        relation("r2", "metadata/core-properties", "docProps/core.xml"),
      ]),
      "docProps/core.xml": core("Garden plan", "2021-04-05T06:07:08Z"),
      [main]: content,
      [`${folder}/_rels/${name}.rels`]: relationships(rels),
      ...parts,
    }).map(([part, text]) => ({ name: part, content: text, deflate: true })),
  );
}

export const relationsPart = relationships;

export const docx = (body: string, rels: readonly string[] = [], parts: Readonly<Record<string, string>> = {}) =>
  openXml("word/document.xml", `<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`, rels, parts);

export const paragraph = (text: string) => `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

/** An OpenDocument file of a body. */
export const openDocument = (body: string, styles = "", parts: Readonly<Record<string, string>> = {}) =>
  makeZip(
    Object.entries({
      mimetype: "application/vnd.oasis.opendocument.text",
      "META-INF/manifest.xml": "<manifest:manifest/>",
      "meta.xml":
        "<office:document-meta><office:meta><dc:title>Boat list</dc:title><meta:creation-date>2019-08-07T10:11:12.123456789</meta:creation-date></office:meta></office:document-meta>",
      "content.xml": `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body>${body}</office:body></office:document-content>`,
      ...parts,
    }).map(([name, content]) => ({ name, content, deflate: name !== "mimetype" })),
  );

/** A PDF of pages of lines, in Helvetica (ISO 32000-1 §7); `info` is its information dictionary, `extra` an entry of the trailer. */
export function pdf(pages: readonly (readonly string[])[], info = "", extra = ""): Buffer {
  const objects: string[] = [];
  const add = (body: string) => objects.push(body);
  const kids = pages.map((_, index) => `${4 + 2 * index} 0 R`).join(" ");
  add("<</Type/Catalog/Pages 2 0 R>>");
  add(`<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>`);
  add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>");
  for (const [index, lines] of pages.entries()) {
    const text = lines.map((line) => `(${line}) Tj T*`).join(" ");
    const stream = `BT /F1 12 Tf 14 TL 72 720 Td ${text} ET`;
    add(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>/Contents ${5 + 2 * index} 0 R>>`,
    );
    add(`<</Length ${stream.length}>>stream\n${stream}\nendstream`);
  }
  add(`<<${info}>>`);
  let file = "%PDF-1.4\n";
  const offsets = objects.map((body, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return at;
  });
  const start = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  for (const offset of offsets) file += `${String(offset).padStart(10, "0")} 00000 n \n`;
  file += `trailer\n<</Size ${objects.length + 1}/Root 1 0 R/Info ${objects.length} 0 R${extra}>>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, "latin1");
}
