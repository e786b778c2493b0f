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

/** Elements that hold nothing, or that the parser closes by itself where the next one begins. */
const shallow = new Set(
  "br img hr input meta link area base col embed source track wbr p li td th tr dt dd option".split(" "),
);

/** Nesting above this is an attack: the converter's time grows with its square. */
const maxNesting = 1_000;

function isTooDeep(html: string): boolean {
  let depth = 0;
  for (const match of html.matchAll(/<(\/?)([a-z][a-z0-9]{0,20})/gi)) {
    if (shallow.has(match[2]?.toLowerCase() ?? "")) continue;
    depth = match[1] === "/" ? Math.max(0, depth - 1) : depth + 1;
    if (depth > maxNesting) return true;
  }
  return false;
}

/** Readable text of HTML: links kept, hidden pre-headers, styles and pictures left out. Never throws, never loads anything. */
export function htmlToPlain(html: string): string {
  let text: string;
  try {
    text = isTooDeep(html) ? stripTags(html) : convert(html);
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
