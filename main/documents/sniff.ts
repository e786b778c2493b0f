import { looksLikeText } from "./plain.ts";

/** Forms that can be told from the first bytes. `zip`: one of the office forms, its parts decide. */
export type DocumentForm =
  | "pdf"
  | "zip"
  | "ole"
  | "rtf"
  | "html"
  | "flat-opendocument"
  | "word-xml"
  | "text"
  | "unknown";

/** What a document is, by its content; its name decides only between forms that are text. */
export function formOf(bytes: Uint8Array, about: { name: string | null; mime: string | null }): DocumentForm {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
  if (head.startsWith("PK\u0003\u0004") || head.startsWith("PK\u0005\u0006")) return "zip";
  if (head.startsWith("\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1")) return "ole";
  const text = head.replace(/^(\u00ef\u00bb\u00bf)?\s*/, "");
  if (text.startsWith("{\\rtf")) return "rtf";
  if (/^<(\?xml|office:document)/.test(text)) {
    if (/<office:document[\s>]/.test(head)) return "flat-opendocument";
    if (/<w:wordDocument[\s>]/.test(head)) return "word-xml";
  }
  // Some programs write mail headers or other noise before a PDF: its mark stands within the first 1024 bytes.
  if (/(?:^|[\r\n])%PDF-\d\.\d/.test(head) && (hasObject(bytes) || !looksLikeText(bytes))) return "pdf";
  if (!looksLikeText(bytes)) return "unknown";
  const saysHtml = /^(text\/html|application\/xhtml)/i.test(about.mime ?? "") || /\.x?html?$/i.test(about.name ?? "");
  if (/^(<!--[\s\S]*?-->\s*)?<(!doctype html|html[\s>]|head[\s>]|body[\s>])/i.test(text)) return "html";
  if (/^<\?xml[\s\S]*<(!doctype )?html[\s>]/i.test(text)) return "html";
  return saysHtml && /<[a-z!]/i.test(head) ? "html" : "text";
}

/** What a PDF is made of, and a text that only speaks of PDFs is not. */
const hasObject = (bytes: Uint8Array): boolean =>
  /\d \d+ obj\b/.test(Buffer.from(bytes.subarray(0, 8192)).toString("latin1"));
