import { unsupported } from "./tensor.ts";

/** Most members that are looked at. */
const memberCap = 20_000;

/**
 * The members of a zip in memory whose members are all stored and not packed, as torch writes its checkpoints (APPNOTE 4.3).
 * Nothing is copied. Throws `model_unsupported` for anything else.
 */
export function readStoredZip(bytes: Uint8Array): Map<string, Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  const members = new Map<string, Uint8Array>();
  for (let i = 0; i < Math.min(count, memberCap); i++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50) throw damaged();
    const packed = view.getUint16(at + 10, true) !== 0;
    const size = view.getUint32(at + 24, true);
    const nameLength = view.getUint16(at + 28, true);
    const local = view.getUint32(at + 42, true);
    const name = Buffer.from(bytes.subarray(at + 46, at + 46 + nameLength)).toString("utf8");
    if (packed || local + 30 > bytes.length || view.getUint32(local, true) !== 0x04034b50) throw damaged();
    const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    if (from + size > bytes.length) throw damaged();
    members.set(name, bytes.subarray(from, from + size));
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return members;
}

/** The end record stands within the last 64 kB. */
function findEnd(view: DataView): number {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 65_557); at--) {
    if (view.getUint32(at, true) === 0x06054b50) return at;
  }
  throw damaged();
}

function damaged() {
  return unsupported("they are no zip of stored members");
}
