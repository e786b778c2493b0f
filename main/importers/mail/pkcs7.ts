/** DER of 1.2.840.113549.1.7.1 (id-data), the type of a signed message's content (RFC 5652 §4). */
const idData = Buffer.from("06092a864886f70d010701", "hex");

interface Element {
  readonly tag: number;
  readonly start: number;
  /** End of the content; for the indefinite form the end of the bytes. */
  readonly end: number;
  readonly indefinite: boolean;
}

function readElement(bytes: Buffer, at: number): Element | null {
  const tag = bytes[at];
  const length = bytes[at + 1];
  if (tag === undefined || length === undefined) return null;
  if (length === 0x80) return { tag, start: at + 2, end: bytes.length, indefinite: true };
  if (length < 0x80) return { tag, start: at + 2, end: Math.min(bytes.length, at + 2 + length), indefinite: false };
  const size = length & 0x7f;
  if (size > 6 || at + 2 + size > bytes.length) return null;
  const start = at + 2 + size;
  return { tag, start, end: Math.min(bytes.length, start + bytes.readUIntBE(at + 2, size)), indefinite: false };
}

/**
 * The message inside an S/MIME signed-data (opaque signature): the eContent OCTET STRING, whole or in pieces.
 * The signature itself is not checked. Null when there is no such content.
 */
export function signedContent(bytes: Buffer): Buffer | null {
  const at = bytes.indexOf(idData);
  if (at < 0) return null;
  const explicit = readElement(bytes, at + idData.length);
  if (explicit?.tag !== 0xa0) return null;
  const octets = readElement(bytes, explicit.start);
  if (octets === null) return null;
  if (octets.tag === 0x04) return bytes.subarray(octets.start, octets.end);
  if (octets.tag !== 0x24) return null;
  const pieces: Buffer[] = [];
  for (let next = octets.start; next < octets.end; ) {
    const piece = readElement(bytes, next);
    if (piece?.tag !== 0x04) break;
    pieces.push(bytes.subarray(piece.start, piece.end));
    next = piece.end;
  }
  return pieces.length === 0 ? null : Buffer.concat(pieces);
}
