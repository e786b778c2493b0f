import { decodeFile, decodeText } from "../text/charset.ts";
import { type Entry, limits } from "../types.ts";

/** A line of a chat file, without its line end. */
export interface Line {
  readonly text: string;
  /** Byte offset of the line in the file; null where the file is not UTF-8 and offsets would lie. */
  readonly offset: number | null;
}

/** A line above this is cut: it is no message. */
const maxLine = 4 * 1024 * 1024;

function decodeLine(bytes: Buffer): string {
  const end = bytes.at(-1) === 13 ? bytes.length - 1 : bytes.length;
  const text = bytes.toString("utf8", 0, end);
  return text.includes("\ufffd") ? decodeText(bytes.subarray(0, end), null).text : text;
}

async function isUtf16(entry: Entry): Promise<boolean> {
  const [first = 0, second = 0] = await entry.head();
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/** Streams the lines of a chat file; at most one line is in memory. */
export async function* readLines(entry: Entry): AsyncGenerator<Line> {
  if (await isUtf16(entry)) {
    const { text } = decodeFile(await entry.readAll(limits.messageBytes));
    for (const line of text.split("\n")) yield { text: line.replace(/\r$/, ""), offset: null };
    return;
  }
  let pieces: Buffer[] = [];
  let held = 0;
  let offset = 0;
  const take = (): Line => {
    const bytes = pieces.length === 1 ? (pieces[0] ?? Buffer.alloc(0)) : Buffer.concat(pieces);
    return { text: decodeLine(bytes), offset };
  };
  let position = 0;
  for await (const chunk of entry.stream()) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let newline = bytes.indexOf(10); newline >= 0; newline = bytes.indexOf(10, start)) {
      if (held < maxLine) pieces.push(bytes.subarray(start, newline));
      yield take();
      pieces = [];
      held = 0;
      start = newline + 1;
      offset = position + start;
    }
    if (start < bytes.length && held < maxLine) {
      // A copy: the stream may use its chunk again.
      pieces.push(Buffer.from(bytes.subarray(start)));
      held += bytes.length - start;
    }
    position += bytes.length;
  }
  if (pieces.length > 0) yield take();
}
