import { SaxesParser } from "saxes";
import { damagedDocument, tooMuch } from "./reading.ts";

/** Depth of nesting that no office program writes. */
const maxDepth = 256;

export interface Element {
  /** Without its name space's prefix, which programs choose as they like. */
  readonly name: string;
  /** By whole names. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** What is done with a document's elements. */
export interface XmlHandler {
  /** "skip": this element and all in it is passed over; no `close` follows for it. */
  open?(element: Element): "skip" | undefined;
  text?(text: string): void;
  close?(name: string): void;
  /** True: nothing more is wanted. */
  done?(): boolean;
}

export const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

/** An attribute by its local name, whatever its prefix; one without a prefix goes first. */
export function attribute(element: Element, name: string): string | null {
  const bare = element.attributes[name];
  if (bare !== undefined) return bare;
  for (const key in element.attributes) if (localName(key) === name) return element.attributes[key] ?? null;
  return null;
}

/** The `r:id` of an element that also has an `id` of its own. */
export function relationId(element: Element): string | null {
  for (const key in element.attributes) if (/:id$/.test(key)) return element.attributes[key] ?? null;
  return null;
}

/**
 * Walks through XML. Entities that a document defines for itself are never resolved, so that no bomb goes off and nothing
 * is fetched. Throws `damaged_file` where it breaks, after all that stood before, and `limit_exceeded` for a depth that
 * no program writes.
 */
export async function walkXml(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  handler: XmlHandler,
): Promise<void> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let depth = 0;
  let skipFrom = 0;
  let fault: unknown = null;
  parser.on("opentag", ({ name, attributes }) => {
    if (++depth > maxDepth) fault ??= tooMuch("Its XML is nested deeper than any program writes.");
    if (skipFrom > 0 || fault !== null) return;
    if (handler.open?.({ name: localName(name), attributes }) === "skip") skipFrom = depth;
  });
  parser.on("closetag", ({ name }) => {
    if (skipFrom === 0 && fault === null) handler.close?.(localName(name));
    if (skipFrom === depth) skipFrom = 0;
    depth--;
  });
  const text = (value: string) => {
    if (skipFrom === 0 && fault === null) handler.text?.(value);
  };
  parser.on("text", text);
  parser.on("cdata", text);
  parser.on("error", (error) => {
    if (!/undefined entity/.test(error.message))
      fault ??= damagedDocument(`Its XML breaks off (${error.message}).`, error);
  });
  let decoder: TextDecoder | null = null;
  for await (const chunk of chunks) {
    decoder ??= decoderOf(chunk);
    parser.write(decoder.decode(chunk, { stream: true }));
    if (fault !== null) throw fault;
    if (handler.done?.()) return;
  }
  if (decoder) parser.write(decoder.decode());
  parser.close();
  if (fault !== null) throw fault;
}

function decoderOf(head: Uint8Array): TextDecoder {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder("utf-16le");
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder("utf-16be");
  const start = Buffer.from(head.subarray(0, 200)).toString("latin1");
  try {
    return new TextDecoder(/^[^<]{0,3}<\?xml[^>]*encoding=["']([\w.:-]+)["']/.exec(start)?.[1] ?? "utf-8");
  } catch {
    return new TextDecoder();
  }
}
