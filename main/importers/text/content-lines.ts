import { decodeText, isAscii } from "./charset.ts";

/**
 * Content lines of iCalendar (RFC 5545 §3.1) and vCard (versit 2.1 §2.1.3, RFC 2426 §2.6, RFC 6350 §3.2). A fold may
 * fall inside a UTF-8 sequence, so lines are joined as octets and decoded after, each by its own CHARSET.
 */
export interface ContentLine {
  /** `item1` of `item1.TEL`, lower case, or null. */
  readonly group: string | null;
  /** Upper case. */
  readonly name: string;
  /** By upper-case name; a bare word of vCard 2.1 stands under TYPE, ENCODING or VALUE. */
  readonly params: ReadonlyMap<string, readonly string[]>;
  /** Decoded from its charset and quoted-printable; escapes and base64 as written. */
  readonly value: string;
  /** The charset had to be guessed. */
  readonly guessed: boolean;
}

const lineStart = /^(?:[A-Za-z0-9_-]+\.)?[A-Za-z0-9_-]+[ \t]*(?=[;:])/;
/** Writers of capitals keep to them, but in names of their own: `Note: bring tea` is a line of text. */
const capitalStart = /^(?:[A-Za-z0-9_-]+\.)?(?:[A-Z0-9_-]+|[Xx]-[A-Za-z0-9_-]+)[ \t]*(?=[;:])/;
const encodings = new Set(["QUOTED-PRINTABLE", "BASE64", "B", "8BIT", "7BIT"]);
const valueKinds = new Set(["INLINE", "URL", "CONTENT-ID", "CID"]);

/** One byte a character, so that octets can be joined as strings. UTF-16 files become UTF-8 first. */
function octets(bytes: Uint8Array): string {
  const [a, b, c] = bytes;
  if (a === 0xff && b === 0xfe) return Buffer.from(new TextDecoder("utf-16le").decode(bytes)).toString("latin1");
  if (a === 0xfe && b === 0xff) return Buffer.from(new TextDecoder("utf-16be").decode(bytes)).toString("latin1");
  const bom = a === 0xef && b === 0xbb && c === 0xbf;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1", bom ? 3 : 0);
}

/**
 * The content lines of a file, in order; never throws. A line that begins like no property goes on with the one above,
 * as broken writers leave raw line breaks in texts, and as base64 of vCard 2.1 stands.
 */
export function* contentLines(bytes: Uint8Array): Generator<ContentLine> {
  let parts: string[] = [];
  let first = "";
  let soft = false;
  let old = false;
  let start = lineStart;
  const flush = function* (): Generator<ContentLine> {
    if (parts.length === 0) return;
    const line = parseLine(parts.join(""));
    parts = [];
    if (line === null) return;
    if (line.name === "VERSION") old = line.value.trim() === "2.1";
    else if (line.name === "BEGIN") old = false;
    if (first.startsWith("BEGIN:")) start = capitalStart;
    yield line;
  };
  for (const physical of physicalLines(octets(bytes))) {
    if (soft) {
      soft = physical.endsWith("=");
      parts.push(soft ? physical.slice(0, -1) : physical);
      continue;
    }
    const blank = physical.startsWith(" ") || physical.startsWith("\t");
    if (parts.length > 0 && blank) {
      // Version 2.1 folds at a blank, which belongs to the text; later ones put one in.
      parts.push(physical.slice(old ? 0 : 1));
      continue;
    }
    if (parts.length > 0 && !start.test(physical)) {
      parts.push("\n", physical);
      continue;
    }
    yield* flush();
    first = physical;
    soft = physical.endsWith("=") && /;(?:ENCODING=)?QUOTED-PRINTABLE[;:]/i.test(first);
    parts.push(soft ? physical.slice(0, -1) : physical);
  }
  yield* flush();
}

function* physicalLines(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    let end = at;
    while (end < text.length && text[end] !== "\n" && text[end] !== "\r") end++;
    yield text.slice(at, end);
    at = text[end] === "\r" && text[end + 1] === "\n" ? end + 2 : end + 1;
  }
}

/** Splits name, parameters and value: quotes guard `:`, `;` and `,` (RFC 5545 §3.2). */
function parseLine(raw: string): ContentLine | null {
  const start = lineStart.exec(raw)?.[0];
  if (start === undefined) return null;
  const dot = start.indexOf(".");
  const params = new Map<string, string[]>();
  let at = start.length;
  while (raw[at] === ";") {
    const end = unquotedEnd(raw, at + 1);
    addParam(params, raw.slice(at + 1, end));
    at = end;
  }
  const encoded = raw.slice(at + 1);
  const quoted = params.get("ENCODING")?.[0]?.toUpperCase() === "QUOTED-PRINTABLE";
  const octetsOfValue = quoted ? unquote(encoded) : encoded;
  const octetBytes = Buffer.from(octetsOfValue, "latin1");
  const label = params.get("CHARSET")?.[0] ?? null;
  const plain =
    isAscii(octetBytes) && (label === null || /^(?:utf-?8|us-ascii|windows-125\d|iso-8859-\d+)$/i.test(label));
  const { text, guessed } = plain ? { text: octetsOfValue, guessed: false } : decodeText(octetBytes, label);
  return {
    group: dot < 0 ? null : start.slice(0, dot).toLowerCase(),
    name: start
      .slice(dot + 1)
      .trim()
      .toUpperCase(),
    params,
    value: text,
    guessed,
  };
}

/** Index of the next `;` or `:` outside quotes; the end of the line when there is none. */
function unquotedEnd(raw: string, from: number): number {
  let quoted = false;
  for (let at = from; at < raw.length; at++) {
    const sign = raw[at];
    if (sign === '"') quoted = !quoted;
    else if (!quoted && (sign === ";" || sign === ":")) return at;
  }
  return raw.length;
}

function addParam(params: Map<string, string[]>, raw: string): void {
  const equals = raw.indexOf("=");
  const { text } = decodeText(Buffer.from(raw, "latin1"), null);
  if (equals < 0) {
    const word = text.trim().toUpperCase();
    const name = encodings.has(word) ? "ENCODING" : valueKinds.has(word) ? "VALUE" : "TYPE";
    if (word !== "") put(params, name, [text.trim()]);
    return;
  }
  const at = text.indexOf("=");
  put(params, text.slice(0, at).trim().toUpperCase(), splitValues(text.slice(at + 1)).map(circumflex));
}

function put(params: Map<string, string[]>, name: string, values: readonly string[]): void {
  const known = params.get(name);
  if (known === undefined) params.set(name, [...values]);
  else known.push(...values);
}

/** Values between commas, without their quotes. */
function splitValues(text: string): string[] {
  const values: string[] = [];
  for (const match of text.matchAll(/"([^"]*)"?|[^",]+/g)) values.push(match[1] ?? match[0]);
  return values;
}

/** RFC 6868: `^n`, `^^` and `^'` in parameters. */
function circumflex(text: string): string {
  return text.replace(/\^([n^'])/g, (_, sign: string) => (sign === "n" ? "\n" : sign === "^" ? "^" : '"'));
}

/** Quoted-printable without soft breaks, octets in and out. */
function unquote(text: string): string {
  return text.replace(/=([\dA-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Escapes of a text value: `\n`, `\,`, `\;`, `\\`; any other backslash drops out, as readers do. */
export function unescapeText(value: string): string {
  return value.replace(/\\([\s\S])/g, (_, sign: string) => (sign === "n" || sign === "N" ? "\n" : sign));
}

/** Parts of a structured value (`N`, `ADR`, `CATEGORIES`) at an unescaped separator, each still escaped. */
export function splitEscaped(value: string, separator: ";" | ","): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < value.length; at++) {
    if (value[at] === "\\") at++;
    else if (value[at] === separator) {
      parts.push(value.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(value.slice(from));
  return parts;
}
