import { decodeText } from "../text/charset.ts";
import { cleanLine } from "../text/clean.ts";

/**
 * A header block: lower-case field names to their unfolded values in order. Values are binary strings (one character a
 * byte), so that nothing is lost before a charset is known; `decodeWords` and its like make text of them.
 */
export type Headers = ReadonlyMap<string, readonly string[]>;

export interface HeaderBlock {
  readonly headers: Headers;
  /** Where the body begins in the bytes. */
  readonly bodyStart: number;
}

/** A header block above this is cut: no mail has one. */
const maxHeaderBytes = 1024 * 1024;

/** A field name (RFC 5322 §3.6.8) and its colon at the start of a line; old writers put a blank between. */
export const fieldName = /^([\x21-\x39\x3b-\x7e]{1,200})[ \t]*:/;

/** Fields that begin messages in practice: a line of these may follow a weak separator, or a damaged line. */
export const commonField =
  /^(?:>?From |(?:from|to|cc|date|subject|received|return-path|delivered-to|message-id|mime-version|content-type|reply-to|sender|status|x-[\w-]+)[ \t]*:)/i;

export function first(headers: Headers, name: string): string | null {
  return headers.get(name)?.[0] ?? null;
}

/** Index of the empty line that ends the header block of bytes[start, end); null when there is none. */
export function blankLine(bytes: Buffer, start: number, end: number): number | null {
  for (
    let newline = bytes.indexOf(10, start);
    newline >= 0 && newline < end;
    newline = bytes.indexOf(10, newline + 1)
  ) {
    const next = bytes[newline + 1];
    if (newline + 1 < end && (next === 10 || (next === 13 && bytes[newline + 2] === 10))) return newline + 1;
  }
  return null;
}

/** Reads the header block of bytes[start, end). Lines that are no header end it, as they would in a mail reader. */
export function parseHeaders(bytes: Buffer, start: number, end: number): HeaderBlock {
  const headers = new Map<string, string[]>();
  let bodyStart = start;
  const open = bytes[start];
  const leadingBlank = open === 10 || (open === 13 && bytes[start + 1] === 10);
  const stop = Math.min(end, start + maxHeaderBytes);
  const text = leadingBlank ? "" : bytes.toString("latin1", start, blankLine(bytes, start, stop) ?? stop);
  let values: string[] | null = null;
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf("\n", at);
    const next = newline < 0 ? text.length : newline + 1;
    let lineEnd = newline < 0 ? text.length : newline;
    if (lineEnd > at && text[lineEnd - 1] === "\r") lineEnd--;
    const line = text.slice(at, lineEnd);
    const lead = line[0];
    if (lead === " " || lead === "\t") {
      if (values !== null) values.push(`${values.pop() ?? ""}${line}`);
    } else {
      const match = fieldName.exec(line);
      if (match === null) {
        // An mbox separator, also a quoted one, sometimes stands on top or among the headers; so does a damaged line.
        const stray = /^>*From /.test(line) || commonField.test(text.slice(next, next + 100));
        if (!stray) return { headers: trimmed(headers), bodyStart: start + at };
        values = null;
      } else {
        const name = (match[1] ?? "").toLowerCase();
        const known = headers.get(name);
        values = known ?? [];
        if (known === undefined) headers.set(name, values);
        values.push(line.slice(match[0].length));
      }
    }
    at = next;
  }
  bodyStart = start + text.length;
  if (bytes[bodyStart] === 13 && bytes[bodyStart + 1] === 10) bodyStart += 2;
  else if (bytes[bodyStart] === 10) bodyStart += 1;
  return { headers: trimmed(headers), bodyStart: Math.min(bodyStart, end) };
}

function trimmed(headers: Map<string, string[]>): Headers {
  for (const values of headers.values()) for (let i = 0; i < values.length; i++) values[i] = (values[i] ?? "").trim();
  return headers;
}

const bytesOf = (binary: string) => Buffer.from(binary, "latin1");

/** Text of a raw header value without encoded words: ASCII, raw UTF-8 (RFC 6532), or a guess. */
export function decodeRaw(binary: string): { text: string; guessed: boolean } {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant; ESC begins a Japanese shift.
  if (/^[\x00-\x1a\x1c-\x7f]*$/.test(binary)) return { text: binary, guessed: false };
  return decodeText(bytesOf(binary), null);
}

function decodeQ(text: string): Buffer {
  return bytesOf(
    text
      .replaceAll("_", " ")
      .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  );
}

const encodedWord = /=\?([^?\s]{1,80})\?([QqBb])\?([^?]*)\?=/g;

/**
 * Decodes RFC 2047 encoded words, also inside quoted strings. Blanks between adjacent words are dropped; each word is
 * turned to bytes on its own, then the bytes of adjacent words of one charset are joined and decoded once, because
 * senders cut characters in two.
 */
export function decodeWords(binary: string): { text: string; guessed: boolean } {
  if (!binary.includes("=?")) return decodeRaw(binary);
  let text = "";
  let guessed = false;
  let charset = "";
  let pending: Buffer[] = [];
  const add = (decoded: { text: string; guessed: boolean }) => {
    text += decoded.text;
    guessed ||= decoded.guessed;
  };
  const flush = () => {
    if (pending.length > 0) add(decodeText(Buffer.concat(pending), charset));
    pending = [];
  };
  let end = 0;
  for (const match of binary.matchAll(encodedWord)) {
    const gap = binary.slice(end, match.index);
    end = match.index + match[0].length;
    const label = (match[1] ?? "").replace(/\*.*$/, "").toLowerCase();
    const follows = pending.length > 0 && /^[ \t\r\n]*$/.test(gap);
    if (!follows || label !== charset) flush();
    if (!follows) add(decodeRaw(gap));
    charset = label;
    const payload = match[3] ?? "";
    pending.push(match[2]?.toUpperCase() === "B" ? Buffer.from(payload, "base64") : decodeQ(payload));
  }
  flush();
  add(decodeRaw(binary.slice(end)));
  return { text, guessed };
}

/** A structured value with parameters: `text/plain; charset="utf-8"`. */
export interface Structured {
  /** Lower-case value before the first `;`. */
  readonly value: string;
  /** Lower-case names to decoded values; RFC 2231 sections are joined. */
  readonly params: ReadonlyMap<string, string>;
}

/** Splits at `;` outside quoted strings; backslashes inside them are undone. */
function sections(binary: string): string[] {
  const parts: string[] = [];
  let part = "";
  let quoted = false;
  for (let i = 0; i < binary.length; i++) {
    const char = binary[i] ?? "";
    if (quoted && char === "\\" && i + 1 < binary.length) {
      const next = binary[++i] ?? "";
      // Windows paths are written without escaping: only quotes and backslashes are escaped in earnest.
      part += next === '"' || next === "\\" ? next : `\\${next}`;
    } else if (char === '"') quoted = !quoted;
    else if (char === ";" && !quoted) {
      parts.push(part);
      part = "";
    } else part += char;
  }
  parts.push(part);
  return parts;
}

/** Parses Content-Type, Content-Disposition and their like (RFC 2045, RFC 2231, and RFC 2047 words where senders put them). */
export function parseStructured(binary: string | null): Structured {
  const params = new Map<string, string>();
  if (binary === null) return { value: "", params };
  const [value = "", ...rest] = sections(binary);
  const pieces = new Map<string, { index: number; text: string; extended: boolean }[]>();
  for (const section of rest) {
    const equals = section.indexOf("=");
    if (equals < 0) continue;
    const match = /^([^*\s]{1,60})(?:\*(\d{1,3}))?(\*)?$/.exec(section.slice(0, equals).trim());
    if (match === null) continue;
    const name = (match[1] ?? "").toLowerCase();
    const text = section.slice(equals + 1).trim();
    const index = match[2] === undefined ? -1 : Number(match[2]);
    const list = pieces.get(name) ?? [];
    if (list.length < 1000) list.push({ index, text, extended: match[3] !== undefined });
    pieces.set(name, list);
  }
  for (const [name, list] of pieces) params.set(name, joinSections(list));
  const clean = value
    .replace(/\([^()]*\)/g, "")
    .trim()
    .toLowerCase();
  return { value: clean, params };
}

function joinSections(list: { index: number; text: string; extended: boolean }[]): string {
  const plain = list.find((piece) => piece.index < 0 && !piece.extended);
  const extended = list.filter((piece) => piece.index >= 0 || piece.extended);
  if (extended.length === 0) return plain === undefined ? "" : decodeWords(plain.text).text;
  extended.sort((a, b) => a.index - b.index);
  let charset: string | null = null;
  const bytes = extended.map((piece, i) => {
    if (!piece.extended) return bytesOf(piece.text);
    let text = piece.text;
    const marks = i === 0 ? /^([^']*)'[^']*'/.exec(text) : null;
    if (marks !== null) {
      charset = marks[1] === "" ? null : (marks[1] ?? null);
      text = text.slice(marks[0].length);
    }
    return bytesOf(
      text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    );
  });
  const joined = Buffer.concat(bytes);
  return charset === null ? decodeWords(joined.toString("latin1")).text : decodeText(joined, charset).text;
}

/** Message-IDs of a value, trimmed, without `<>`, case kept. Blanks inside come from folding and are dropped. */
export function messageIds(binary: string | null): string[] {
  if (binary === null) return [];
  const ids: string[] = [];
  for (const match of binary.matchAll(/<([^<>]{1,998})>/g)) {
    const id = cleanLine(decodeRaw((match[1] ?? "").replace(/\s+/g, "")).text);
    if (id !== null) ids.push(id);
  }
  return ids;
}

/** The one Message-ID of a message: as `messageIds`, or a bare token where the marks are missing. */
export function ownMessageId(binary: string | null): string | null {
  if (binary === null) return null;
  const bare = cleanLine(decodeRaw(binary).text);
  return messageIds(binary)[0] ?? (bare !== null && /^[^\s<>]{3,900}$/.test(bare) ? bare : null);
}
