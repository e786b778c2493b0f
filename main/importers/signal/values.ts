import { parseJson } from "../text/json.ts";

/**
 * Signal's plaintext export writes the frames of its backup format (`Backup.proto`) as JSON, one a line. How protobuf becomes
 * JSON is not specified, so every rendering is read: names with humps or underscores, oneofs flat or in an object of their
 * own, 64-bit numbers as numbers or strings, bytes as base64, hex or lists, enums as words or numbers.
 */

export type Fields = Readonly<Record<string, unknown>>;

const maxDepth = 40;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const humps = (name: string) => name.replace(/_+([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Names of oneofs whose choice may stand in an object of its own. */
const oneofs = new Set([
  "item",
  "directionalDetails",
  "destination",
  "update",
  "content",
  "associatedValue",
  "integrityCheck",
  "reply",
]);

function mended(value: unknown, depth: number): unknown {
  if (depth > maxDepth) return null;
  if (Array.isArray(value)) return value.map((one) => mended(one, depth + 1));
  if (!isFields(value)) return value;
  const out: Record<string, unknown> = Object.create(null);
  for (const [name, field] of Object.entries(value)) {
    const key = humps(name);
    const read = mended(field, depth + 1);
    if (oneofs.has(key) && isFields(read) && Object.keys(read).length <= 2) {
      for (const [inner, one] of Object.entries(read)) if (inner !== "case" && inner !== "$case") out[inner] ??= one;
    } else out[key] ??= read;
  }
  return out;
}

/** A line as an object; null for what is none. */
export function fieldsOf(line: string): Fields | null {
  try {
    const value = mended(parseJson(line), 0);
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}

function bytesOf(value: unknown): Uint8Array | null {
  if (Array.isArray(value) && value.length <= 64 && value.every((one) => Number.isInteger(one)))
    return Uint8Array.from(value);
  if (isFields(value)) return bytesOf(value.data);
  if (typeof value !== "string" || value === "" || value.length > 200) return null;
  if (/^(?:[0-9a-f]{2})+$/i.test(value)) return Buffer.from(value, "hex");
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(value) ? Buffer.from(value, "base64") : null;
}

/** Bytes as hex digits, however they are written; null for none. */
export function hexOf(value: unknown): string | null {
  const bytes = bytesOf(value);
  return bytes === null || bytes.length === 0 ? null : Buffer.from(bytes).toString("hex");
}

/** The id of an account (16 bytes) as it is usually written, `xxxxxxxx-xxxx-…`, lower case. */
export function accountId(value: unknown): string | null {
  const written = typeof value === "string" ? value.toLowerCase().replace(/^(?:pni|aci):/, "") : value;
  const plain = typeof written === "string" ? written.replaceAll("-", "") : "";
  const hex = /^[0-9a-f]{32}$/.test(plain) ? plain : hexOf(value);
  // A service id has a byte for its kind in front.
  const id = hex !== null && hex.length === 34 ? hex.slice(2) : hex;
  if (id === null || id.length !== 32) return null;
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** A phone number of digits, with its plus. */
export function phoneOf(value: unknown): string | null {
  const digits = typeof value === "number" || typeof value === "string" ? String(value).replace(/^\+/, "") : "";
  return /^[1-9]\d{4,17}$/.test(digits) ? `+${digits}` : null;
}

/** A word of an enum in lower case, by its name or by its number among `words`. */
export function wordOf(value: unknown, words: readonly string[]): string {
  if (typeof value === "string" && !/^\d+$/.test(value)) return value.toLowerCase();
  return words[Number(value ?? 0)] ?? "";
}
