import { blankLine } from "./headers.ts";
import { isSeparator, type MboxDialect, maxSeparator } from "./separator.ts";

/** One message of an mbox, as bytes. */
export interface MboxMessage {
  /** Where its separator line begins in the file. */
  readonly offset: number;
  /** Where the next separator begins, or the file's end: the cursor after this message. */
  readonly end: number;
  /** The separator line, without its line end. */
  readonly separator: string;
  /** The message with its From-quoting undone; null when it is larger than the cap. */
  readonly bytes: Buffer | null;
}

const newlineFrom = Buffer.from("\nFrom ");
const quotedFrom = Buffer.from(">From ");

/** Bytes that must follow a separator line so that the next line can be judged. */
const lookAhead = 256;

/** Undoes mboxrd quoting: exactly one `>` goes from each line that matches `^>+From ` (mbox(5) of qmail). */
export function unquoteFrom(bytes: Buffer): Buffer {
  const pieces: Buffer[] = [];
  let kept = 0;
  for (let at = bytes.indexOf(quotedFrom); at >= 0; at = bytes.indexOf(quotedFrom, at + 1)) {
    let start = at;
    while (start > 0 && bytes[start - 1] === 0x3e) start--;
    if (start > 0 && bytes[start - 1] !== 10) continue;
    pieces.push(bytes.subarray(kept, start));
    kept = start + 1;
  }
  return kept === 0 ? bytes : Buffer.concat([...pieces, bytes.subarray(kept)]);
}

/** Header blocks above this are not searched for a Content-Length. */
const maxHeader = 64 * 1024;

/** Content-Length of the top header block, or null. */
function contentLength(header: string): number | null {
  const match = /^content-length[ \t]*:[ \t]*(\d{1,10})[ \t\r]*$/im.exec(header);
  return match === null ? null : Number(match[1]);
}

/**
 * A growing window over a stream. Memory is never written twice, so slices that were handed out stay what they are.
 */
class Window {
  bytes = Buffer.alloc(0);
  /** Offset in the file of bytes[0]. */
  base = 0;
  private room = Buffer.allocUnsafe(256 * 1024);
  private from = 0;
  private to = 0;

  append(chunk: Uint8Array): void {
    if (this.to + chunk.length > this.room.length) {
      const rest = this.to - this.from;
      const room = Buffer.allocUnsafe(Math.max(256 * 1024, 2 * rest + chunk.length));
      this.room.copy(room, 0, this.from, this.to);
      this.room = room;
      this.from = 0;
      this.to = rest;
    }
    this.room.set(chunk, this.to);
    this.to += chunk.length;
    this.bytes = this.room.subarray(this.from, this.to);
  }

  drop(count: number): void {
    this.from += count;
    this.base += count;
    this.bytes = this.room.subarray(this.from, this.to);
  }
}

/**
 * Splits an mbox of any size, whatever the chunks of the stream are. At most one message (and the cap) is in memory.
 * A message above `cap` bytes comes without its bytes.
 */
export async function* splitMbox(
  chunks: AsyncIterable<Uint8Array>,
  dialect: MboxDialect,
  cap: number,
): AsyncGenerator<MboxMessage> {
  const splitter = new Splitter(dialect, cap);
  for await (const chunk of chunks) {
    splitter.window.append(chunk);
    yield* splitter.take(false);
  }
  yield* splitter.take(true);
}

class Splitter {
  readonly window = new Window();
  private readonly dialect: MboxDialect;
  private readonly cap: number;
  /** Offset of the open message's separator; null before the first one. */
  private offset: number | null = null;
  private separator = "";
  /** Index in the window from which to look for the next separator. */
  private scan = 0;
  /** Still to be asked whether Content-Length names the end. */
  private lengthOpen = false;
  /** The open message is above the cap: its bytes are not kept. */
  private dropping = false;

  constructor(dialect: MboxDialect, cap: number) {
    this.dialect = dialect;
    this.cap = cap;
  }

  /** The messages that are whole by now; at the end of the file also the last one. */
  *take(atEnd: boolean): Generator<MboxMessage> {
    if (this.offset === null && !this.begin(atEnd)) return;
    for (;;) {
      const found = this.next(atEnd);
      if (found === "more") return;
      yield this.close(found.at, found.byLength);
      if (this.window.bytes.length === 0) {
        this.offset = null;
        return;
      }
      this.open();
    }
  }

  /** Skips a byte order mark and empty lines before the first separator. */
  private begin(atEnd: boolean): boolean {
    const { bytes } = this.window;
    let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    while (bytes[at] === 10 || bytes[at] === 13) at++;
    if (bytes.length < at + maxSeparator && !atEnd) return false;
    this.window.drop(at);
    if (this.window.bytes.length === 0) return false;
    this.open();
    return true;
  }

  private open(): void {
    const { bytes, base } = this.window;
    const newline = bytes.subarray(0, maxSeparator + 2).indexOf(10);
    const end = newline < 0 ? Math.min(bytes.length, maxSeparator) : newline;
    this.offset = base;
    this.separator = bytes.toString("latin1", 0, end).trimEnd();
    this.scan = newline < 0 ? end : newline;
    this.lengthOpen = true;
    this.dropping = false;
  }

  private next(atEnd: boolean): "more" | { at: number; byLength: boolean } {
    if (this.lengthOpen) {
      const byLength = this.byContentLength(atEnd);
      if (byLength === "more") return "more";
      this.lengthOpen = false;
      if (byLength !== null) return { at: byLength, byLength: true };
    }
    for (;;) {
      const { bytes } = this.window;
      const hit = bytes.indexOf(newlineFrom, this.scan);
      if (hit < 0) {
        this.scan = Math.max(this.scan, bytes.length - newlineFrom.length + 1);
        if (atEnd) return { at: bytes.length, byLength: false };
        this.spare();
        return "more";
      }
      const verdict = this.judge(hit + 1, atEnd);
      if (verdict === "more") {
        this.scan = hit;
        this.spare();
        return "more";
      }
      if (verdict) return { at: hit + 1, byLength: false };
      this.scan = hit + 1;
    }
  }

  /** Whether a separator begins at an index of the window. */
  private judge(at: number, atEnd: boolean): boolean | "more" {
    const { bytes } = this.window;
    const newline = bytes.subarray(at, at + maxSeparator + 2).indexOf(10);
    if (newline < 0) return bytes.length - at > maxSeparator || atEnd ? false : "more";
    const nextStart = at + newline + 1;
    const nextEnd = Math.min(bytes.length, nextStart + lookAhead);
    const nextLine = bytes.toString("latin1", nextStart, nextEnd);
    if (!nextLine.includes("\n") && nextEnd - nextStart < lookAhead && !atEnd) return "more";
    const line = bytes.toString("latin1", at, at + newline).trimEnd();
    return isSeparator(line, nextLine, this.afterBlank(at), this.dialect);
  }

  private afterBlank(at: number): boolean {
    const { bytes } = this.window;
    if (at === 0) return true;
    return bytes[at - 2] === 10 || (bytes[at - 2] === 13 && bytes[at - 3] === 10);
  }

  /** The end that Content-Length names, if it is the file's end or a separator stands there; null: look for it. */
  private byContentLength(atEnd: boolean): number | null | "more" {
    const { bytes } = this.window;
    const start = this.scan + 1;
    const stop = blankLine(bytes, start, Math.min(bytes.length, start + maxHeader));
    if (stop === null) return atEnd || bytes.length - start >= maxHeader ? null : "more";
    const length = contentLength(bytes.toString("latin1", start, stop));
    if (length === null || length > this.cap) return null;
    let at = stop + (bytes[stop] === 13 ? 2 : 1) + length;
    if (at + 4 + maxSeparator + lookAhead > bytes.length && !atEnd) return "more";
    if (at === bytes.length) return at;
    for (let lines = 0; lines < 2 && (bytes[at] === 10 || (bytes[at] === 13 && bytes[at + 1] === 10)); lines++) {
      at += bytes[at] === 13 ? 2 : 1;
    }
    if (at >= bytes.length) return at === bytes.length ? at : null;
    return bytes[at - 1] === 10 && this.judge(at, atEnd) === true ? at : null;
  }

  /** Lets go of the bytes of a message that is above the cap. */
  private spare(): void {
    if (!this.dropping && this.window.bytes.length <= this.cap + 2 * maxSeparator) return;
    this.dropping = true;
    const keep = Math.max(0, this.scan - 4);
    this.window.drop(keep);
    this.scan -= keep;
  }

  private close(at: number, byLength: boolean): MboxMessage {
    const { bytes, base } = this.window;
    const offset = this.offset ?? base;
    const newline = bytes.subarray(0, maxSeparator + 2).indexOf(10);
    const bodyStart = this.dropping || newline < 0 ? at : Math.min(at, newline + 1);
    const raw = bytes.subarray(bodyStart, at);
    const tooLarge = this.dropping || raw.length > this.cap;
    // A body with a bare `From ` line and a true Content-Length was never quoted (mboxcl2).
    const quoted = !(byLength && raw.includes(newlineFrom));
    const message = {
      offset,
      end: base + at,
      separator: this.separator,
      bytes: tooLarge ? null : quoted ? unquoteFrom(raw) : raw,
    };
    this.window.drop(at);
    return message;
  }
}
