import { pad } from "./clock.ts";

/** What a camera writes about a picture. */
export interface ExifFacts {
  readonly make: string;
  readonly model: string;
  readonly software: string;
  /** 1 as stored; 6: turn a quarter clockwise to show. */
  readonly orientation: 1 | 6;
  /** Wall time, `YYYY:MM:DD HH:MM:SS`. */
  readonly taken: string;
  /** `+01:00`, or null for a camera that knows no zone. */
  readonly offset: string | null;
  readonly place: { readonly lat: number; readonly lon: number; readonly alt: number; readonly utc: Date } | null;
  readonly width: number;
  readonly height: number;
  readonly iso: number;
  readonly comment: string | null;
}

type Value =
  | { type: "ascii"; text: string }
  | { type: "short"; value: number }
  | { type: "long"; value: number }
  | { type: "byte" | "undefined"; bytes: Uint8Array }
  | { type: "rational"; values: readonly (readonly [number, number])[] };

const codes = { byte: 1, ascii: 2, short: 3, long: 4, rational: 5, undefined: 7 } as const;

const ascii = (text: string): Value => ({ type: "ascii", text });
const short = (value: number): Value => ({ type: "short", value });
const rational = (...values: (readonly [number, number])[]): Value => ({ type: "rational", values });

function payload(value: Value): { count: number; bytes: Buffer } {
  if (value.type === "ascii") {
    const bytes = Buffer.from(`${value.text}\0`, "latin1");
    return { count: bytes.byteLength, bytes };
  }
  if (value.type === "short" || value.type === "long") {
    const bytes = Buffer.alloc(value.type === "short" ? 2 : 4);
    if (value.type === "short") bytes.writeUInt16LE(value.value);
    else bytes.writeUInt32LE(value.value);
    return { count: 1, bytes };
  }
  if (value.type === "rational") {
    const bytes = Buffer.alloc(value.values.length * 8);
    value.values.forEach(([over, under], i) => {
      bytes.writeUInt32LE(over, i * 8);
      bytes.writeUInt32LE(under, i * 8 + 4);
    });
    return { count: value.values.length, bytes };
  }
  return { count: value.bytes.byteLength, bytes: Buffer.from(value.bytes) };
}

type Directory = readonly (readonly [tag: number, value: Value])[];

/** One directory with its long values behind it, to stand at `offset` in the block (TIFF 6.0, section 2). */
function directoryBytes(entries: Directory, offset: number): Buffer {
  const sorted = entries.toSorted(([a], [b]) => a - b);
  const head = Buffer.alloc(2 + sorted.length * 12 + 4);
  const tail: Buffer[] = [];
  let at = offset + head.byteLength;
  head.writeUInt16LE(sorted.length, 0);
  sorted.forEach(([tag, value], i) => {
    const { count, bytes } = payload(value);
    const entry = 2 + i * 12;
    head.writeUInt16LE(tag, entry);
    head.writeUInt16LE(codes[value.type], entry + 2);
    head.writeUInt32LE(count, entry + 4);
    if (bytes.byteLength <= 4) bytes.copy(head, entry + 8);
    else {
      const even = bytes.byteLength % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(1)]);
      head.writeUInt32LE(at, entry + 8);
      tail.push(even);
      at += even.byteLength;
    }
  });
  return Buffer.concat([head, ...tail]);
}

const degrees = (value: number): Value => {
  const size = Math.abs(value);
  const whole = Math.floor(size);
  const minutes = Math.floor((size - whole) * 60);
  return rational([whole, 1], [minutes, 1], [Math.round(((size - whole) * 60 - minutes) * 60 * 1000), 1000]);
};

/** The TIFF block of a picture: IFD0, Exif and, where the place is known, GPS (CIPA DC-008). */
export function exifBlock(facts: ExifFacts): Uint8Array {
  const { place } = facts;
  const exif: [number, Value][] = [
    [0x829a, rational([1, facts.iso > 400 ? 30 : 240])],
    [0x829d, rational([18, 10])],
    [0x8827, short(facts.iso)],
    [0x9000, { type: "undefined", bytes: Buffer.from("0232", "latin1") }],
    [0x9003, ascii(facts.taken)],
    [0x9004, ascii(facts.taken)],
    [0x920a, rational([facts.offset === null ? 88 : 57, 10])],
    [0xa001, short(1)],
    [0xa002, { type: "long", value: facts.width }],
    [0xa003, { type: "long", value: facts.height }],
  ];
  if (facts.offset !== null)
    exif.push([0x9010, ascii(facts.offset)], [0x9011, ascii(facts.offset)], [0x9012, ascii(facts.offset)]);
  if (facts.comment !== null)
    exif.push([0x9286, { type: "undefined", bytes: Buffer.from(`ASCII\0\0\0${facts.comment}`, "latin1") }]);
  const gps: [number, Value][] = [];
  if (place) {
    const { utc } = place;
    gps.push(
      [0x0000, { type: "byte", bytes: Uint8Array.of(2, 3, 0, 0) }],
      [0x0001, ascii(place.lat < 0 ? "S" : "N")],
      [0x0002, degrees(place.lat)],
      [0x0003, ascii(place.lon < 0 ? "W" : "E")],
      [0x0004, degrees(place.lon)],
      [0x0005, { type: "byte", bytes: Uint8Array.of(0) }],
      [0x0006, rational([Math.round(place.alt * 10), 10])],
      [0x0007, rational([utc.getUTCHours(), 1], [utc.getUTCMinutes(), 1], [utc.getUTCSeconds(), 1])],
      [0x001d, ascii(`${utc.getUTCFullYear()}:${pad(utc.getUTCMonth() + 1)}:${pad(utc.getUTCDate())}`)],
    );
  }
  const main = (exifAt: number, gpsAt: number): Directory => [
    [0x010f, ascii(facts.make)],
    [0x0110, ascii(facts.model)],
    [0x0112, short(facts.orientation)],
    [0x011a, rational([72, 1])],
    [0x011b, rational([72, 1])],
    [0x0128, short(2)],
    [0x0131, ascii(facts.software)],
    [0x0132, ascii(facts.taken)],
    [0x8769, { type: "long", value: exifAt }],
    ...(gps.length > 0 ? [[0x8825, { type: "long", value: gpsAt }] as const] : []),
  ];
  const exifAt = 8 + directoryBytes(main(0, 0), 8).byteLength;
  const exifBytes = directoryBytes(exif, exifAt);
  const gpsAt = exifAt + exifBytes.byteLength;
  return Buffer.concat([
    Buffer.from("II*\0\x08\0\0\0", "latin1"),
    directoryBytes(main(exifAt, gpsAt), 8),
    exifBytes,
    gps.length > 0 ? directoryBytes(gps, gpsAt) : Buffer.alloc(0),
  ]);
}

/** Puts the block into a JPEG as its first segment, APP1 (CIPA DC-008, section 4.7.2). */
export function withExif(jpeg: Uint8Array, block: Uint8Array): Uint8Array {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(0xffe1, 0);
  head.writeUInt16BE(block.byteLength + 8, 2);
  head.write("Exif\0\0", 4, "latin1");
  return Buffer.concat([jpeg.subarray(0, 2), head, block, jpeg.subarray(2)]);
}
