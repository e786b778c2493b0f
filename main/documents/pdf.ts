import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist";
import { damagedDocument, isoOrNull, type Reading } from "./reading.ts";

/** Pages that are read of one PDF. */
const maxPages = 5000;
/** Marks and fields of one page that are looked at. */
const maxMarks = 2000;

type Pdf = typeof import("pdfjs-dist/legacy/build/pdf.mjs");
let loaded: Promise<Pdf> | null = null;

/** pdf.js, loaded when the first PDF is met. It asks for the classes of a canvas when it starts; nothing is ever drawn. */
function pdfjs(): Promise<Pdf> {
  for (const name of ["DOMMatrix", "Path2D"]) {
    if (!Reflect.has(globalThis, name)) Reflect.set(globalThis, name, class {});
  }
  loaded ??= import("pdfjs-dist/legacy/build/pdf.mjs");
  return loaded;
}

/** Tables of the East Asian encodings that PDFs name and do not carry. */
const cMaps = (): string => {
  const packageJson = createRequire(import.meta.url).resolve("pdfjs-dist/package.json");
  return join(dirname(packageJson), "cmaps") + sep;
};

/**
 * PDF (ISO 32000): the text layer in the order of the page's own commands, which is the order of reading in what programs
 * write, an empty line between pages; values of form fields and the words of notes after their page. No fonts, pictures
 * or scripts are opened and nothing is fetched.
 */
export async function readPdf(bytes: Uint8Array, reading: Reading): Promise<void> {
  const { getDocument } = await pdfjs();
  const task = getDocument({
    // pdf.js takes the buffer for its own.
    data: Uint8Array.from(bytes),
    cMapUrl: cMaps(),
    cMapPacked: true,
    disableFontFace: true,
    useSystemFonts: false,
    useWasm: false,
    useWorkerFetch: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    enableXfa: false,
    maxImageSize: 0,
    verbosity: 0,
  });
  try {
    await readPages(await task.promise, reading);
  } catch (error) {
    if (error instanceof Error && error.name === "PasswordException")
      reading.reasons.push("It is protected with a password");
    else if (error instanceof Error && error.name === "InvalidPDFException") {
      throw damagedDocument("It is cut off or damaged and cannot be opened.", error);
    } else throw error;
  } finally {
    await task.destroy().catch(() => undefined);
  }
}

async function readPages(document: PDFDocumentProxy, reading: Reading): Promise<void> {
  await readInfo(document, reading);
  const pages = Math.min(document.numPages, maxPages);
  let blank = 0;
  let broken = 0;
  for (let number = 1; number <= pages && !reading.out.full; number++) {
    try {
      const page = await document.getPage(number);
      const text = `${await pageText(page)}${await pageMarks(page)}`.trim();
      page.cleanup();
      if (text === "") blank++;
      else reading.out.line(`${text}\n`);
    } catch {
      broken++;
    }
  }
  if (broken > 0) reading.reasons.push(`${broken} of its ${document.numPages} pages are damaged`);
  if (document.numPages > pages) reading.reasons.push(`Only its first ${maxPages} pages were read`);
  if (blank > 0 && blank + broken >= pages) {
    reading.reasons.push(
      pages === 1
        ? "Its page holds no text: it is a scan or a picture"
        : `Its ${pages} pages hold no text: they are scans or pictures`,
    );
  } else if (blank > pages / 2) reading.reasons.push(`${blank} of its ${pages} pages hold no text: they may be scans`);
}

async function readInfo(document: PDFDocumentProxy, reading: Reading): Promise<void> {
  const { info } = await document.getMetadata().catch(() => ({ info: {} }));
  const field = (name: string): string | null => {
    const value: unknown = Reflect.get(info, name);
    return typeof value === "string" ? value : null;
  };
  reading.title = field("Title");
  reading.created = pdfTime(field("CreationDate") ?? "");
}

/** `D:20240305093000+01'00'` as ISO 8601; what is left out stays out (ISO 32000-1 §7.9.4). */
export function pdfTime(text: string): string | null {
  const parts = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(?:(\d\d)(\d\d)(\d\d)?)?\s*(?:(Z)|([+-])(\d\d)'?(\d\d)?)?/.exec(
    text.trim(),
  );
  if (!parts) return null;
  const [, year, month, day, hour, minute, second, zulu, sign, zoneHour, zoneMinute] = parts;
  if (month === undefined || day === undefined) return null;
  if (hour === undefined) return isoOrNull(`${year}-${month}-${day}`);
  const zone = sign === undefined ? (zulu ?? "") : `${sign}${zoneHour}:${zoneMinute ?? "00"}`;
  return isoOrNull(`${year}-${month}-${day}T${hour}:${minute}:${second ?? "00"}${zone}`);
}

async function pageText(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent();
  let text = "";
  let lastY: number | null = null;
  let lastHeight = 0;
  for (const item of items) {
    if (!("str" in item)) continue;
    const y: unknown = item.transform[5];
    if (typeof y === "number" && item.str.trim() !== "") {
      // A gap of more than two lines between two pieces is the space between two paragraphs.
      const gap = lastY === null ? 0 : Math.abs(lastY - y);
      if (text.endsWith("\n") && !text.endsWith("\n\n") && gap > 2.2 * Math.max(lastHeight, item.height, 1))
        text += "\n";
      lastY = y;
      lastHeight = item.height;
    }
    text += item.str;
    if (item.hasEOL) text = `${text.trimEnd()}\n`;
  }
  return text;
}

/** Values of form fields, and words that a reader has written on the page. */
async function pageMarks(page: PDFPageProxy): Promise<string> {
  const marks: unknown[] = await page.getAnnotations().catch(() => []);
  const lines: string[] = [];
  for (const mark of marks.slice(0, maxMarks)) {
    if (typeof mark !== "object" || mark === null) continue;
    const field = (name: string): unknown => Reflect.get(mark, name);
    const value = field("fieldValue");
    const contents: unknown = Reflect.get(Object(field("contentsObj")), "str");
    if (field("subtype") === "Widget" && typeof value === "string" && value.trim() !== "" && value !== "Off") {
      const label = field("alternativeText") || field("fieldName");
      lines.push(typeof label === "string" && label !== "" ? `${label}: ${value}` : value);
    } else if (field("subtype") !== "Link" && typeof contents === "string" && contents.trim() !== "") {
      lines.push(`Note: ${contents}`);
    }
  }
  return lines.length === 0 ? "" : `\n${lines.join("\n")}`;
}
