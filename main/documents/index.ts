import { limits, UnderstoryError } from "#contract";
import { cleanLine, cleanText } from "#main/importers/text/clean.ts";
import type { DocumentText } from "#main/importers/types.ts";
import { readEpub } from "./epub.ts";
import { readOle } from "./ole.ts";
import { readFlatOpenDocument, readOpenDocument } from "./opendocument.ts";
import { OfficePackage } from "./package.ts";
import { readPdf } from "./pdf.ts";
import { readHtml, readText } from "./plain.ts";
import { damagedDocument, newReading, type Reader, type Reading } from "./reading.ts";
import { readRtf } from "./rtf.ts";
import { readSheets } from "./sheets.ts";
import { readSlides } from "./slides.ts";
import { type DocumentForm, formOf } from "./sniff.ts";
import { readWord, readWordXml } from "./word.ts";

/** Largest document that is opened, bytes. */
export const documentBytes = 128 * 1024 * 1024;

const previewBytes = 64 * 1024 * 1024;

const readers: Readonly<Record<DocumentForm, Reader>> = {
  pdf: readPdf,
  zip: readOffice,
  ole: readOle,
  rtf: readRtf,
  html: readHtml,
  "flat-opendocument": readFlatOpenDocument,
  "word-xml": readWordXml,
  text: readText,
  async unknown() {
    throw damagedDocument("It is no document that can be read, whatever its name says.");
  },
};

/**
 * Text of a document from a stranger. `about` are hints, the content decides. Never throws: what was read before a fault
 * is kept and the fault is the reason. It may take long or need much memory: a thread of its own runs it.
 */
export async function readDocument(
  bytes: Uint8Array,
  about: { readonly name: string | null; readonly mime: string | null },
): Promise<DocumentText> {
  const reading = newReading();
  if (bytes.length === 0) reading.reasons.push("It is empty");
  else if (bytes.length > documentBytes) {
    reading.reasons.push(`It is larger than ${documentBytes / 1024 / 1024} MB`);
  } else {
    try {
      await readers[formOf(bytes, about)](bytes, reading);
    } catch (error) {
      const why = error instanceof UnderstoryError ? error.message : `It cannot be read (${messageOf(error)})`;
      reading.reasons.push(why.replace(/\.$/, ""));
      const broken = !(error instanceof UnderstoryError) || error.code === "damaged_file";
      const read = finished(reading);
      return broken && read.text === null ? { ...read, unusable: true } : read;
    }
  }
  return finished(reading);
}

function finished({ out, title, created, reasons }: Reading): DocumentText {
  const text = cleanText(tidy(out.toString())).replace(/^\n+/, "");
  if (out.full) reasons.push(`Only the first ${limits.textChars} characters were read`);
  if (text.trim() === "" && reasons.length === 0) reasons.push("There is no text in it");
  return {
    text: text.trim() === "" ? null : text,
    title: title === null ? null : ownTitle(title),
    created,
    reason: reasons.length === 0 ? null : `${reasons.slice(0, 3).join(". ")}.`,
  };
}

/** A title that a person gave: without what printing programs put before it, and none of the words that stand for no title. */
function ownTitle(title: string): string | null {
  const line = cleanLine(title.slice(0, 1000).replace(/^\s*Microsoft (Word|Excel|PowerPoint) - /, ""));
  return line !== null && /^(untitled|powerpoint presentation|word document)$/i.test(line) ? null : line;
}

/** Control characters away, blanks at the ends of lines away, never two empty lines in a row. */
function tidy(text: string): string {
  return (
    text
      .replace(/\r\n?|\u2028|\u2029|\f|\v/g, "\n")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes.
      .replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad]/g, "")
      .replace(/[ \u00a0\t]+$/gm, "")
      .replace(/\n{3,}/g, "\n\n")
  );
}

/** One of the forms that are zips inside: what its parts are says which. */
async function readOffice(bytes: Uint8Array, reading: Reading): Promise<void> {
  const office = await OfficePackage.open(bytes);
  const { names } = office;
  const mime = Buffer.from((await office.bytes("mimetype", 1000).catch(() => null)) ?? [])
    .toString("latin1")
    .trim();
  if (mime === "application/epub+zip" || office.has("META-INF/container.xml")) return readEpub(office, reading);
  if (
    mime.startsWith("application/vnd.oasis.opendocument") ||
    (office.has("content.xml") && office.has("META-INF/manifest.xml"))
  ) {
    return readOpenDocument(office, reading);
  }
  const main = [...(await office.relations("")).values()].find(({ type }) => type === "officeDocument")?.target ?? "";
  const within = (folder: string) =>
    main.toLowerCase().startsWith(folder) || (main === "" && names.some((name) => name.startsWith(folder)));
  if (/\.bin$/i.test(main)) {
    reading.reasons.push("It is Excel's binary form, which is not read; save it as .xlsx to have its text");
    return;
  }
  if (within("word/")) return readWord(office, reading);
  if (within("ppt/")) return readSlides(office, reading);
  if (within("xl/")) return readSheets(office, reading);
  if (names.some((name) => name.endsWith(".iwa") || name === "index.xml" || name === "index.apxl")) {
    const preview = await office.bytes("QuickLook/Preview.pdf", previewBytes).catch(() => null);
    if (preview !== null) return readPdf(preview, reading);
    reading.reasons.push(
      "It is a file of Apple Pages, Numbers or Keynote, which is not read; export it as PDF to have its text",
    );
    return;
  }
  if (main !== "") return readWord(office, reading);
  throw damagedDocument("It is no document that can be read, whatever its name says.");
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 200);
