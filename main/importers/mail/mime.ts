import { limits } from "../types.ts";
import { first, type Headers, parseHeaders, parseStructured, type Structured } from "./headers.ts";

/** One entity of a MIME tree (RFC 2045, RFC 2046). Bytes are not decoded yet. */
export interface Part {
  readonly headers: Headers;
  readonly type: Structured;
  readonly disposition: Structured;
  /** Lower-case Content-Transfer-Encoding. */
  readonly encoding: string;
  /** Body as it stands in the message; empty for a multipart. */
  readonly body: Buffer;
  readonly children: readonly Part[];
  /** A multipart whose closing boundary is missing, or whose boundary never comes. */
  readonly damaged: boolean;
}

/** Parts of one message above this are left out, and the message is marked damaged. */
const maxParts = 10_000;

/** Parses a message or a part. Never throws: what is broken is read as far as it goes and marked. */
export function parseMime(bytes: Buffer): Part {
  return parsePart(bytes, 0, bytes.length, "text/plain", 0, { left: maxParts });
}

function parsePart(
  bytes: Buffer,
  start: number,
  end: number,
  defaultType: string,
  depth: number,
  budget: { left: number },
): Part {
  budget.left--;
  const { headers, bodyStart } = parseHeaders(bytes, start, end);
  const written = parseStructured(first(headers, "content-type"));
  const type = /^[\w!#$&^.+-]+\/[\w!#$&^.+*-]+$/.test(written.value) ? written : { ...written, value: defaultType };
  const part = {
    headers,
    type,
    disposition: parseStructured(first(headers, "content-disposition")),
    encoding:
      /[\w-]+/.exec(
        (first(headers, "content-transfer-encoding") ?? "").replace(/\([^()]*\)/g, "").toLowerCase(),
      )?.[0] ?? "",
  };
  const body = bytes.subarray(bodyStart, end);
  if (!type.value.startsWith("multipart/")) return { ...part, body, children: [], damaged: false };
  const boundary = boundaryOf(type, body);
  if (boundary === null || depth >= limits.depth) {
    return { ...part, type: { ...type, value: "text/plain" }, body, children: [], damaged: true };
  }
  const { ranges, closed } = splitParts(bytes, bodyStart, end, boundary);
  const childType = type.value === "multipart/digest" ? "message/rfc822" : "text/plain";
  const children: Part[] = [];
  for (const range of ranges) {
    if (budget.left <= 0) break;
    children.push(parsePart(bytes, range.start, range.end, childType, depth + 1, budget));
  }
  if (children.length === 0) {
    // No boundary at all: what stands there is still the person's text.
    return { ...part, type: { ...type, value: "text/plain" }, body, children, damaged: true };
  }
  return { ...part, body: body.subarray(0, 0), children, damaged: !closed || budget.left <= 0 };
}

/** The boundary parameter, or the first line of the body where the parameter is missing. */
function boundaryOf(type: Structured, body: Buffer): string | null {
  const boundary = type.params.get("boundary")?.trimEnd();
  if (boundary !== undefined && boundary !== "" && boundary.length <= 500) return boundary;
  const line = /^\s*--([^\r\n]{1,200}?)[ \t]*\r?\n/.exec(body.toString("latin1", 0, 1000));
  return line?.[1] ?? null;
}

/** Finds the parts between boundary lines: at a line's start, and nothing but blanks or the closing `--` behind. */
function splitParts(bytes: Buffer, start: number, end: number, boundary: string) {
  const mark = Buffer.from(`--${boundary}`, "utf8");
  const ranges: { start: number; end: number }[] = [];
  let open = -1;
  for (let at = bytes.indexOf(mark, start); at >= 0 && at < end; at = bytes.indexOf(mark, at + 1)) {
    if (at !== start && bytes[at - 1] !== 10) continue;
    let after = at + mark.length;
    const closing = bytes[after] === 0x2d && bytes[after + 1] === 0x2d;
    if (closing) after += 2;
    while (after < end && (bytes[after] === 0x20 || bytes[after] === 0x09 || bytes[after] === 0x0d)) after++;
    if (after < end && bytes[after] !== 10) continue;
    // The line end before a boundary belongs to the boundary (RFC 2046 §5.1.1).
    const stop = bytes[at - 1] === 10 ? (bytes[at - 2] === 13 ? at - 2 : at - 1) : at;
    if (open >= 0) ranges.push({ start: open, end: Math.max(open, stop) });
    if (ranges.length >= maxParts) return { ranges, closed: false };
    open = Math.min(after + 1, end);
    if (closing) return { ranges, closed: true };
  }
  if (open >= 0 && open < end) ranges.push({ start: open, end });
  return { ranges, closed: false };
}
