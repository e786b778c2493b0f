import { Tokenizer, TokenParser, TokenType } from "@streamparser/json";
import { UnderstoryError } from "#contract";
import type { Entry } from "../types.ts";

/**
 * JSON from strangers: streamed, so that a file of gigabytes is no burden; whole numbers beyond 2^53 as strings, because
 * they are ids; bounded in depth and in the size of one value. What comes out is `unknown`, for the importer's schema.
 */

/** Bytes of one value that is handed out, and of all that stands between two of them. */
const valueBytes = 64 * 1024 * 1024;
const maxDepth = 200;

function damaged(path: string, why: string, cause?: unknown): UnderstoryError {
  return new UnderstoryError("damaged_file", `${path} is damaged: ${why}`, {
    hint: "What was read before the damage is kept.",
    details: { path },
    cause,
  });
}

/** Keeps a number's digits where a double would not. */
class LosslessTokenizer extends Tokenizer {
  digits = "";

  protected override parseNumber(digits: string): number {
    this.digits = digits;
    return super.parseNumber(digits);
  }
}

/** A value, and the keys and places that lead to it from the root. */
export interface JsonItem {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/**
 * Streams the values at `paths` (`$.messages.*`, `$.name`), each as soon as it is read to its end; others are skipped.
 * Throws `damaged_file` where the JSON ends or breaks, after all that stood before it; `limit_exceeded` for a value that
 * is too large or too deep.
 */
export async function* jsonItems(entry: Entry, paths: readonly string[]): AsyncGenerator<JsonItem> {
  const tokens = new LosslessTokenizer();
  const values = new TokenParser({ paths: [...paths], keepStack: false });
  let found: JsonItem[] = [];
  let depth = 0;
  let since = 0;
  let fault: unknown = null;
  const fail = (error: unknown) => {
    fault ??= error;
  };
  tokens.onToken = (info) => {
    if (info.token === TokenType.LEFT_BRACE || info.token === TokenType.LEFT_BRACKET) depth++;
    if (info.token === TokenType.RIGHT_BRACE || info.token === TokenType.RIGHT_BRACKET) depth--;
    if (depth > maxDepth) throw tooMuch(entry, `its JSON is nested more than ${maxDepth} levels deep`);
    const lossy = typeof info.value === "number" && Number.isInteger(info.value) && !Number.isSafeInteger(info.value);
    if (lossy && /^-?\d+$/.test(tokens.digits)) {
      values.write({ ...info, token: TokenType.STRING, value: tokens.digits });
    } else values.write(info);
  };
  tokens.onError = fail;
  values.onError = fail;
  values.onValue = ({ value, key, stack }) => {
    const keys = [...stack.slice(1).map((one) => one.key), key];
    found.push({ path: keys.filter((one) => one !== undefined), value });
    since = 0;
  };
  let first = true;
  for await (const chunk of entry.stream()) {
    since += chunk.length;
    if (since > valueBytes + chunk.length) throw tooMuch(entry, "one of its values is too large");
    try {
      tokens.write(first ? withoutBom(chunk) : chunk);
    } catch (error) {
      fail(error);
    }
    first = false;
    yield* found;
    found = [];
    if (fault !== null) throw asError(entry.path, fault);
  }
  try {
    tokens.end();
  } catch (error) {
    fail(error);
  }
  yield* found;
  if (fault !== null) throw asError(entry.path, fault);
  if (!values.isEnded) throw damaged(entry.path, "it ends in the middle of its JSON.");
}

function asError(path: string, fault: unknown): UnderstoryError {
  if (fault instanceof UnderstoryError) return fault;
  const why = fault instanceof Error ? fault.message.slice(0, 120) : String(fault);
  return damaged(path, `it is no JSON (${why}).`, fault);
}

function tooMuch(entry: Entry, what: string): UnderstoryError {
  return new UnderstoryError("limit_exceeded", `${entry.path} is not read on: ${what}.`, {
    hint: "What was read before is kept.",
    details: { path: entry.path },
  });
}

function withoutBom(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** A small JSON text as a value; whole numbers beyond 2^53 stay strings. Throws `SyntaxError` or `RangeError` (too deep). */
export function parseJson(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    const lossy = typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
    return lossy && context?.source !== undefined && /^-?\d+$/.test(context.source) ? context.source : value;
  });
}

/** A small file as a value. Throws `limit_exceeded` above `cap` bytes, `damaged_file` when it is no JSON. */
export async function readJson(entry: Entry, cap: number): Promise<unknown> {
  const text = new TextDecoder().decode(await entry.readAll(cap));
  try {
    return parseJson(text);
  } catch (error) {
    throw asError(entry.path, error);
  }
}
