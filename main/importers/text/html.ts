import { compile, type HtmlToTextOptions } from "html-to-text";

const hidden = ["[hidden]", '[style*="display:none"]', '[style*="display: none"]', '[style*="mso-hide:all"]'];

const options: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxInputLength: 8_000_000, maxDepth: 200, ellipsis: "" },
  selectors: [
    // Pictures are listed as attachments or not at all: no tracking address belongs into the text.
    { selector: "img", format: "skip" },
    { selector: "style", format: "skip" },
    { selector: "script", format: "skip" },
    { selector: "head", format: "skip" },
    { selector: "a", options: { hideLinkHrefIfSameAsText: true, ignoreHref: false, noAnchorUrl: true } },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: "table", format: "block" },
    { selector: "tr", format: "block" },
    ...hidden.map((selector) => ({ selector, format: "skip" })),
  ],
};

const convert = compile(options);

/** Tags away, the commonest entities read: for HTML that the converter refuses. */
function stripTags(html: string): string {
  return html
    .replace(/<(?:br|\/p|\/div|\/tr|\/li)\b[^<>]*>/gi, "\n")
    .replace(/<[^<>]*>/g, "")
    .replaceAll("&nbsp;", " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

/** Readable text of HTML: links kept, hidden pre-headers, styles and pictures left out. Never throws, never loads anything. */
export function htmlToPlain(html: string): string {
  let text: string;
  try {
    text = convert(html);
  } catch {
    text = stripTags(html);
  }
  return text
    .replaceAll("\u00a0", " ")
    .replace(/\u200b|\u034f|\u00ad|\ufeff/g, "")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
