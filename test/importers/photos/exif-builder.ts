/** Builds EXIF blocks tag by tag (CIPA DC-008, TIFF 6.0), right or wrong as a test wants them. */

export type TagValue =
  /** ASCII, NUL added. Characters above U+007F are written as UTF-8. */
  | { readonly ascii: string }
  | { readonly short: number }
  | { readonly long: number }
  | { readonly bytes: readonly number[] | Uint8Array; readonly type?: 1 | 7 }
  /** Pairs of numerator and denominator. */
  | { readonly rationals: readonly (readonly [number, number])[] };

export type Ifd = Readonly<Record<number, TagValue>>;

export interface ExifBlock {
  readonly ifd0?: Ifd;
  readonly exif?: Ifd;
  readonly gps?: Ifd;
  readonly littleEndian?: boolean;
}

/** Numbers of the tags that tests use. */
export const tag = {
  imageDescription: 0x010e,
  make: 0x010f,
  model: 0x0110,
  orientation: 0x0112,
  dateTime: 0x0132,
  dateTimeOriginal: 0x9003,
  dateTimeDigitized: 0x9004,
  offsetTime: 0x9010,
  offsetTimeOriginal: 0x9011,
  offsetTimeDigitized: 0x9012,
  userComment: 0x9286,
  subSecTimeOriginal: 0x9291,
  gpsLatitudeRef: 1,
  gpsLatitude: 2,
  gpsLongitudeRef: 3,
  gpsLongitude: 4,
  gpsAltitudeRef: 5,
  gpsAltitude: 6,
  gpsTimeStamp: 7,
  gpsDateStamp: 29,
} as const;

const exifPointer = 0x8769;
const gpsPointer = 0x8825;

function encode(value: TagValue, little: boolean): { type: number; count: number; data: Buffer } {
  const u16 = (n: number) => {
    const out = Buffer.alloc(2);
    little ? out.writeUInt16LE(n) : out.writeUInt16BE(n);
    return out;
  };
  const u32 = (n: number) => {
    const out = Buffer.alloc(4);
    little ? out.writeUInt32LE(n) : out.writeUInt32BE(n);
    return out;
  };
  if ("ascii" in value) {
    const data = Buffer.from(`${value.ascii}\0`, "utf8");
    return { type: 2, count: data.length, data };
  }
  if ("short" in value) return { type: 3, count: 1, data: u16(value.short) };
  if ("long" in value) return { type: 4, count: 1, data: u32(value.long) };
  if ("bytes" in value) return { type: value.type ?? 7, count: value.bytes.length, data: Buffer.from(value.bytes) };
  const data = Buffer.concat(value.rationals.flatMap(([a, b]) => [u32(a), u32(b)]));
  return { type: 5, count: value.rationals.length, data };
}

/** The TIFF block, as PNG's eXIf, WebP's EXIF and (after `Exif\0\0`) JPEG's APP1 hold it. */
export function buildTiff({ ifd0 = {}, exif, gps, littleEndian = false }: ExifBlock): Buffer {
  const u16 = (out: Buffer, n: number, at: number) =>
    littleEndian ? out.writeUInt16LE(n, at) : out.writeUInt16BE(n, at);
  const u32 = (out: Buffer, n: number, at: number) =>
    littleEndian ? out.writeUInt32LE(n, at) : out.writeUInt32BE(n, at);
  const header = Buffer.alloc(8);
  header.write(littleEndian ? "II" : "MM", 0, "latin1");
  u16(header, 42, 2);
  u32(header, 8, 4);

  /** One directory at `start`, its long values after it. */
  const directory = (ifd: Ifd, start: number): Buffer => {
    const entries = Object.entries(ifd).map(([id, value]) => ({ id: Number(id), ...encode(value, littleEndian) }));
    const table = Buffer.alloc(2 + entries.length * 12 + 4);
    u16(table, entries.length, 0);
    const values: Buffer[] = [];
    let at = start + table.length;
    for (const [i, { id, type, count, data }] of entries.entries()) {
      const offset = 2 + i * 12;
      u16(table, id, offset);
      u16(table, type, offset + 2);
      u32(table, count, offset + 4);
      if (data.length <= 4) data.copy(table, offset + 8);
      else {
        u32(table, at, offset + 8);
        const padded = data.length % 2 === 0 ? data : Buffer.concat([data, Buffer.alloc(1)]);
        values.push(padded);
        at += padded.length;
      }
    }
    return Buffer.concat([table, ...values]);
  };

  const withPointers = (exifAt: number, gpsAt: number): Ifd => ({
    ...ifd0,
    ...(exif ? { [exifPointer]: { long: exifAt } } : {}),
    ...(gps ? { [gpsPointer]: { long: gpsAt } } : {}),
  });
  const exifAt = 8 + directory(withPointers(0, 0), 8).length;
  const exifPart = exif ? directory(exif, exifAt) : Buffer.alloc(0);
  const gpsAt = exifAt + exifPart.length;
  const gpsPart = gps ? directory(gps, gpsAt) : Buffer.alloc(0);
  return Buffer.concat([header, directory(withPointers(exifAt, gpsAt), 8), exifPart, gpsPart]);
}

function segment(payload: Buffer): Buffer {
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(payload.length + 2, 2);
  return Buffer.concat([head, payload]);
}

function afterSoi(jpeg: Uint8Array, app1: Buffer): Buffer {
  return Buffer.concat([jpeg.subarray(0, 2), app1, jpeg.subarray(2)]);
}

/** A JPEG with this TIFF block as its EXIF segment. */
export function withExif(jpeg: Uint8Array, tiff: Uint8Array): Buffer {
  return afterSoi(jpeg, segment(Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tiff])));
}

/** A JPEG with an XMP packet around these RDF properties (attributes and elements as a test writes them). */
export function withXmp(jpeg: Uint8Array, attributes: string, elements = ""): Buffer {
  return afterSoi(
    jpeg,
    segment(
      Buffer.concat([
        Buffer.from("http://ns.adobe.com/xap/1.0/\0", "latin1"),
        Buffer.from(xmpPacket(attributes, elements)),
      ]),
    ),
  );
}

export function xmpPacket(attributes: string, elements = ""): string {
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:xmp="http://ns.adobe.com/xap/1.0/" ${attributes}>${elements}</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`;
}

/** Degrees, minutes, seconds as the three rationals of a GPS coordinate. */
export function dms(degrees: number, minutes: number, hundredthSeconds: number): TagValue {
  return {
    rationals: [
      [degrees, 1],
      [minutes, 1],
      [hundredthSeconds, 100],
    ],
  };
}
