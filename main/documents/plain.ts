import { decodeFile, decodeText } from "#main/importers/text/charset.ts";
import { htmlToPlain } from "#main/importers/text/html.ts";
import type { Reading } from "./reading.ts";

/** Plain text, Markdown, CSV and the like, as they stand; the charset by its mark, else by what the bytes look like. */
export async function readText(bytes: Uint8Array, reading: Reading): Promise<void> {
  reading.out.add(decodeFile(bytes).text);
}

/** A web page: its text without scripts, styles and pictures. Nothing is fetched. */
export async function readHtml(bytes: Uint8Array, reading: Reading): Promise<void> {
  const head = Buffer.from(bytes.subarray(0, 4096)).toString("latin1");
  const label = /<meta[^>]{0,200}charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(head)?.[1] ?? null;
  const marked = (bytes[0] ?? 0) >= 0xef;
  const html = (label === null || marked ? decodeFile(bytes) : decodeText(bytes, label)).text;
  const title = /<title[^>]{0,200}>([^<]{1,2000})<\/title\s*>/i.exec(html);
  reading.title = title?.[1] === undefined ? null : htmlToPlain(title[1]);
  // Outside of a head the title would be a line of the text.
  reading.out.add(htmlToPlain(title === null ? html : html.replace(title[0], () => "")));
}

/** True for bytes that a person could read as text. */
export function looksLikeText(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, 4096);
  const wide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (wide) return true;
  // UTF-16 without a mark: Latin letters have every other byte zero.
  const isWide = head.length >= 4 && head[0] !== 0 && head[1] === 0 && head[2] !== 0 && head[3] === 0;
  let odd = 0;
  for (const byte of head) {
    if (byte === 0 && isWide) continue;
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0x0c && byte !== 0x1b) odd++;
  }
  return odd <= head.length / 100;
}
