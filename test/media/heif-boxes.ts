/**
 * Gives the primary image of the small HEIC fixture more properties (irot, imir), which its encoder does not write. The
 * fixture's layout is known: the primary item is the last of ipma, ipco stands right before ipma, and iloc (version 1,
 * 4-byte base offsets) points behind the meta box.
 */
export function withProperties(heic: Uint8Array, properties: readonly Uint8Array[]): Buffer {
  const source = Buffer.from(heic);
  const at = (type: string) => source.indexOf(type, 0, "latin1") - 4;
  const [meta, iprp, ipco, ipma, iloc] = [at("meta"), at("iprp"), at("ipco"), at("ipma"), at("iloc")];
  const known = countBoxes(source, ipco + 8, ipma);
  const boxes = Buffer.concat(properties);
  const links = Buffer.from(properties.map((_, i) => 0x80 | (known + 1 + i)));
  const ipmaEnd = ipma + source.readUInt32BE(ipma);
  const grow = (box: number, by: number) => source.writeUInt32BE(source.readUInt32BE(box) + by, box);
  const all = boxes.length + links.length;

  // The last entry of ipma: item id (2 bytes), number of links, links.
  const lastEntry = ipmaEnd - 5;
  source.writeUInt8(source.readUInt8(lastEntry + 2) + links.length, lastEntry + 2);
  const items = source.readUInt16BE(iloc + 14);
  for (let i = 0, entry = iloc + 16; i < items; i++, entry += 20) {
    const inFile = source.readUInt16BE(entry + 2) === 0;
    if (inFile) source.writeUInt32BE(source.readUInt32BE(entry + 6) + all, entry + 6);
  }
  grow(meta, all);
  grow(iprp, all);
  grow(ipco, boxes.length);
  grow(ipma, links.length);
  return Buffer.concat([
    source.subarray(0, ipma),
    boxes,
    source.subarray(ipma, ipmaEnd),
    links,
    source.subarray(ipmaEnd),
  ]);
}

function countBoxes(bytes: Buffer, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += bytes.readUInt32BE(at)) count++;
  return count;
}

/** Rotation by `quarters` × 90° anticlockwise (ISO/IEC 23008-12 §6.5.10). */
export const irot = (quarters: number): Uint8Array => Buffer.from([0, 0, 0, 9, ...Buffer.from("irot"), quarters]);

/** Mirroring: axis 0 exchanges top and bottom, axis 1 left and right (§6.5.12 in its second edition). */
export const imir = (axis: number): Uint8Array => Buffer.from([0, 0, 0, 9, ...Buffer.from("imir"), axis]);
