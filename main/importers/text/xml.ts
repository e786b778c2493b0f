import { SaxesParser } from "saxes";
import { UnderstoryError } from "#contract";
import type { Entry } from "../types.ts";

/**
 * XML from strangers, streamed. Entities that a document defines for itself are never resolved (so no bomb goes off and
 * nothing outside is fetched); unknown ones stay as written. What is not well-formed is read as far as it goes.
 */

const maxDepth = 200;
/** Characters of one attribute or text; a picture of a message may stand in one as base64. */
const maxText = 64 * 1024 * 1024;

export type XmlEvent =
  | { readonly type: "open"; readonly name: string; readonly attributes: Readonly<Record<string, string>> }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "close"; readonly name: string };

/**
 * Surrogate halves written as two references (`&#55357;&#56832;`), which some phones do and no XML parser accepts, as
 * the character they mean; lone ones and control characters as U+FFFD.
 */
export function joinSurrogates(xml: string): string {
  return xml.replace(/&#(x[\da-f]{1,6}|\d{1,7});(?:&#(x[\da-f]{1,6}|\d{1,7});)?/gi, (whole, a: string, b?: string) => {
    const [high, low] = [numberOf(a), b === undefined ? 0 : numberOf(b)];
    if (high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff) return `&#x${pair(high, low)};`;
    return [a, b].map((one) => (one === undefined ? "" : reference(one))).join("") || whole;
  });
}

const numberOf = (digits: string) =>
  /^x/i.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number.parseInt(digits, 10);
const pair = (high: number, low: number) => (0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)).toString(16);

function reference(digits: string): string {
  const code = numberOf(digits);
  const sound = code === 9 || code === 10 || code === 13 || (code >= 0x20 && code < 0xd800) || code > 0xdfff;
  return sound && code <= 0x10ffff && code !== 0xfffe && code !== 0xffff ? `&#${digits};` : "\ufffd";
}

/**
 * The elements and texts of a document, in order. Throws `damaged_file` where it breaks, after all that stood before,
 * and `limit_exceeded` for what is nested too deep or too long.
 */
export async function* xmlEvents(entry: Entry): AsyncGenerator<XmlEvent> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let events: XmlEvent[] = [];
  let depth = 0;
  let fault: Error | null = null;
  let waiting = 0;
  parser.on("opentag", ({ name, attributes }) => {
    depth++;
    events.push({ type: "open", name, attributes });
  });
  parser.on("closetag", ({ name }) => {
    depth--;
    events.push({ type: "close", name });
  });
  const text = (value: string) => events.push({ type: "text", text: value });
  parser.on("text", text);
  parser.on("cdata", text);
  parser.on("error", (error) => {
    // An entity that is not known stays as it is written; anything else ends the reading.
    if (!/undefined entity/.test(error.message)) fault ??= error;
  });
  for await (const part of wholeReferences(decoded(entry))) {
    parser.write(joinSurrogates(part));
    waiting = events.length > 0 ? 0 : waiting + part.length;
    yield* events;
    events = [];
    if (fault !== null) throw broken(entry, fault);
    if (depth > maxDepth || waiting > maxText) {
      throw new UnderstoryError("limit_exceeded", `${entry.path} is not read on: its XML is too deep or too long.`, {
        hint: "What was read before is kept.",
        details: { path: entry.path },
      });
    }
  }
  parser.close();
  yield* events;
  if (fault !== null) throw broken(entry, fault);
}

function broken(entry: Entry, fault: Error): UnderstoryError {
  return new UnderstoryError("damaged_file", `${entry.path} is damaged: ${fault.message.slice(0, 160)}`, {
    hint: "What was read before the damage is kept.",
    details: { path: entry.path },
    cause: fault,
  });
}

/** The document's characters, by its byte order mark or its declared encoding. */
async function* decoded(entry: Entry): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null;
  for await (const chunk of entry.stream()) {
    decoder ??= decoderFor(chunk);
    yield decoder.decode(chunk, { stream: true });
  }
  if (decoder) yield decoder.decode();
}

function decoderFor(head: Uint8Array): TextDecoder {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder("utf-16le");
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder("utf-16be");
  const declaration = Buffer.from(head.subarray(0, 200)).toString("latin1");
  const label = /^[^<]{0,3}<\?xml[^>]*encoding=["']([\w.:-]+)["']/.exec(declaration)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}

/** A high surrogate's reference whose low one may follow, or a reference that is not closed. */
const tornEnd = /(?:&#(?:x0*d[89ab][\da-f]{2}|5(?:5[2-9]|6[0-3])\d{2});)?(?:&[#x\da-f]{0,9})?$/i;

/** Cuts chunks so that no reference and no pair of them is torn: its end waits for the next chunk. */
async function* wholeReferences(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of chunks) {
    const text = rest + chunk;
    const at = text.length - (tornEnd.exec(text.slice(-24))?.[0].length ?? 0);
    rest = text.slice(at);
    if (at > 0) yield text.slice(0, at);
  }
  if (rest !== "") yield rest;
}
