import type { Entry } from "../types.ts";

/** Office programs' form before 2007, protected files since: a compound file ([MS-CFB]). */
const ole = "\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1";

/** MIME types of documents by their names' ending. */
const types: Readonly<Record<string, string>> = {
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  docm: "application/vnd.ms-word.document.macroEnabled.12",
  dotx: "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  xlsm: "application/vnd.ms-excel.sheet.macroEnabled.12",
  xlsb: "application/vnd.ms-excel.sheet.binary.macroEnabled.12",
  xltx: "application/vnd.openxmlformats-officedocument.spreadsheetml.template",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  pptm: "application/vnd.ms-powerpoint.presentation.macroEnabled.12",
  ppsx: "application/vnd.openxmlformats-officedocument.presentationml.slideshow",
  potx: "application/vnd.openxmlformats-officedocument.presentationml.template",
  odt: "application/vnd.oasis.opendocument.text",
  ott: "application/vnd.oasis.opendocument.text-template",
  ods: "application/vnd.oasis.opendocument.spreadsheet",
  odp: "application/vnd.oasis.opendocument.presentation",
  odg: "application/vnd.oasis.opendocument.graphics",
  fodt: "application/vnd.oasis.opendocument.text-flat-xml",
  fods: "application/vnd.oasis.opendocument.spreadsheet-flat-xml",
  rtf: "application/rtf",
  epub: "application/epub+zip",
  doc: "application/msword",
  dot: "application/msword",
  xls: "application/vnd.ms-excel",
  ppt: "application/vnd.ms-powerpoint",
  pps: "application/vnd.ms-powerpoint",
  pages: "application/vnd.apple.pages",
  numbers: "application/vnd.apple.numbers",
  key: "application/vnd.apple.keynote",
  html: "text/html",
  htm: "text/html",
  xhtml: "application/xhtml+xml",
};
const plainText = new Set(["html", "htm", "xhtml", "fodt", "fods"]);
/** Names of which a tree may hold hundreds of thousands, and that no document has. */
const neverDocument =
  /\.(?:jpe?g|png|heic|heif|gif|webp|avif|tiff?|mp4|mov|m4v|3gp|mp3|m4a|opus|ogg|json|xml|js|css|eml|emlx|mbox|ics|vcf|txt|md|sqlite|db|zip|apk|jar|ipa|kmz|xpi|whl|cbz)$/i;

const endingOf = (name: string): string => /\.([a-z0-9]{2,7})$/i.exec(name)?.[1]?.toLowerCase() ?? "";

/** What a file is, when it is a document: its MIME type, and how sure that is. */
export interface Recognised {
  readonly mime: string;
  readonly confidence: 1 | 2 | 3;
}

/** Recognises PDF, office files, books and web pages by their first bytes; the name decides between zips. */
export async function recogniseDocument(entry: Entry): Promise<Recognised | null> {
  if (neverDocument.test(entry.name)) return null;
  const ending = endingOf(entry.name);
  const named = types[ending];
  let head: string;
  try {
    head = Buffer.from(await entry.head()).toString("latin1");
  } catch {
    // Reading it will fail too, and say why.
    return named === undefined ? null : { mime: named, confidence: 1 };
  }
  const proved = formOf(head, ending);
  if (proved !== null) return { mime: proved, confidence: 3 };
  if (named === undefined) return null;
  const matches =
    (plainText.has(ending) && /^[^<]{0,512}<[!?a-z]/i.test(head)) ||
    (head.startsWith(ole) && !plainText.has(ending)) ||
    head.startsWith("PK\u0003\u0004");
  return { mime: named, confidence: matches ? 2 : 1 };
}

/** MIME type of what the bytes prove; null when they prove nothing. */
function formOf(head: string, ending: string): string | null {
  if (/^%PDF-\d/.test(head.replace(/^(\u00ef\u00bb\u00bf)?\s*/, ""))) return types.pdf ?? null;
  if (/^\s*\{\\rtf/.test(head)) return types.rtf ?? null;
  if (!head.startsWith("PK\u0003\u0004")) return null;
  // OpenDocument and EPUB begin with a stored member that names the type.
  const mime = /^mimetype(application\/(?:vnd\.oasis\.opendocument\.[a-z-]+|epub\+zip))/.exec(head.slice(30))?.[1];
  if (mime !== undefined) return mime;
  const first = /^(?:\[Content_Types\]\.xml|_rels\/|docProps\/|word\/|xl\/|ppt\/)/.test(head.slice(30));
  if (!first) return null;
  const named = types[ending];
  if (named?.startsWith("application/vnd.")) return named;
  const within = /(?:^|[^a-z])(word|xl|ppt)\//.exec(head)?.[1] ?? "word";
  return types[{ word: "docx", xl: "xlsx", ppt: "pptx" }[within] ?? "docx"] ?? null;
}
