import { UnderstoryError } from "#contract";

/**
 * Reads one entry of an ONNX file's `metadata_props` (ModelProto field 14, a list of key–value messages). The run-time's
 * JavaScript API does not give them out, and the characters of a recogniser stand nowhere else. Null: no such entry.
 * Throws `model_damaged` when the bytes are no protocol buffer.
 */
export function onnxMetadata(bytes: Uint8Array, key: string): string | null {
  const utf8 = new TextDecoder();
  for (const { field, value } of fieldsOf(bytes)) {
    if (field !== 14) continue;
    const entry = new Map(fieldsOf(value).map((one) => [one.field, one.value]));
    const name = entry.get(1);
    if (name && utf8.decode(name) === key) return utf8.decode(entry.get(2) ?? new Uint8Array());
  }
  return null;
}

/** Length-delimited fields of a message, in order; others are passed over (protocol buffers' wire format). */
function fieldsOf(bytes: Uint8Array): { field: number; value: Uint8Array }[] {
  const found: { field: number; value: Uint8Array }[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = bytes[at++];
      if (byte === undefined) break;
      // Beyond 2^53 only negative numbers go, whose value plays no part here.
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new UnderstoryError("model_damaged", "The model file ends in the middle of its description.");
  };
  while (at < bytes.length) {
    const tag = varint();
    const wire = tag % 8;
    if (wire === 0) varint();
    else if (wire === 1) at += 8;
    else if (wire === 5) at += 4;
    else if (wire === 2) {
      const length = varint();
      if (at + length > bytes.length) {
        throw new UnderstoryError("model_damaged", "The model file ends in the middle of a part.");
      }
      found.push({ field: Math.floor(tag / 8), value: bytes.subarray(at, at + length) });
      at += length;
    } else throw new UnderstoryError("model_damaged", "The model file is no ONNX model.");
  }
  return found;
}
