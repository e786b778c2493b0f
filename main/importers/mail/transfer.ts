/** Bytes after the transfer encoding is undone (RFC 2045 §6). `damaged`: the encoded text is cut. */
export interface Transferred {
  readonly bytes: Buffer;
  readonly damaged: boolean;
}

const hex = new Int8Array(256).fill(-1);
for (let digit = 0; digit < 16; digit++) {
  hex[digit.toString(16).charCodeAt(0)] = digit;
  hex[digit.toString(16).toUpperCase().charCodeAt(0)] = digit;
}

/** Quoted-printable. A wrong escape stays as written; blanks at a line's end are transport padding and are dropped. */
export function decodeQuotedPrintable(input: Buffer): Buffer {
  const out = Buffer.allocUnsafe(input.length);
  let length = 0;
  for (let at = 0; at < input.length; ) {
    let newline = input.indexOf(10, at);
    const last = newline < 0;
    if (last) newline = input.length;
    let end = newline;
    while (end > at && isBlank(input[end - 1])) end--;
    const soft = end > at && input[end - 1] === 0x3d;
    if (soft) end--;
    for (let i = at; i < end; i++) {
      const byte = input[i] ?? 0;
      const fits = byte === 0x3d && i + 2 < end;
      const high = fits ? (hex[input[i + 1] ?? 0] ?? -1) : -1;
      const low = high >= 0 ? (hex[input[i + 2] ?? 0] ?? -1) : -1;
      if (low >= 0) {
        out[length++] = high * 16 + low;
        i += 2;
      } else out[length++] = byte;
    }
    if (!soft && !last) out[length++] = 10;
    at = newline + 1;
  }
  return out.subarray(0, length);
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}

/** Base64. Padding ends a unit, also in the middle; text after the end (a list's footer) is left out. */
export function decodeBase64(input: Buffer): Transferred {
  let text = input.toString("latin1");
  const footer = /=[\r\n]+[^A-Za-z0-9+/\r\n]/.exec(text);
  if (footer !== null) text = text.slice(0, footer.index + 1);
  const padding = text.indexOf("=");
  const single = padding < 0 || /^[=\s]*$/.test(text.slice(padding, padding + 200));
  if (single) {
    const bytes = Buffer.from(text, "base64");
    return { bytes, damaged: padding < 0 && text.replace(/\s+/g, "").length % 4 === 1 };
  }
  return { bytes: Buffer.concat(text.split(/=+/).map((unit) => Buffer.from(unit, "base64"))), damaged: false };
}

/** Undoes a Content-Transfer-Encoding; unknown words leave the bytes as they are. */
export function decodeTransfer(input: Buffer, encoding: string): Transferred {
  if (encoding === "base64") return decodeBase64(input);
  if (encoding === "quoted-printable") return { bytes: decodeQuotedPrintable(input), damaged: false };
  return { bytes: input, damaged: false };
}
