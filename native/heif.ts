import { UnderstoryError } from "#contract";

/** What the boxes of a HEIF file say about its primary image, without decoding it. */
export interface HeifFacts {
  /** As shown: after clean aperture (clap), rotation (irot) and mirroring (imir), which are part of the image. */
  readonly width: number;
  readonly height: number;
  /** The image is turned or mirrored by its own boxes. */
  readonly transformed: boolean;
}

export interface Box {
  readonly type: string;
  /** First byte after the header. */
  readonly start: number;
  readonly end: number;
}

const maxBoxes = 10_000;

function damaged(why: string): UnderstoryError {
  return new UnderstoryError("damaged_file", `The HEIF structure is damaged: ${why}.`);
}

/** Direct boxes in [start, end) (ISO/IEC 14496-12 §4.2). A box that is cut by the end of the bytes is given as far as it goes. */
export function boxes(view: DataView, start: number, end: number): Box[] {
  const found: Box[] = [];
  let at = start;
  while (at + 8 <= end && found.length < maxBoxes) {
    let size = view.getUint32(at);
    let header = 8;
    if (size === 1) {
      if (at + 16 > end) break;
      size = Number(view.getBigUint64(at + 8));
      header = 16;
    } else if (size === 0) size = end - at;
    if (size < header) break;
    const type = String.fromCharCode(...[4, 5, 6, 7].map((i) => view.getUint8(at + i)));
    found.push({ type, start: at + header, end: Math.min(end, at + size) });
    at += size;
  }
  return found;
}

/** 1-based property indexes of one item, in the order in which they apply (ipma, ISO/IEC 23008-12 §9.3). */
function propertiesOf(view: DataView, ipma: Box, item: number): number[] {
  const version = view.getUint8(ipma.start);
  const wide = (view.getUint8(ipma.start + 3) & 1) === 1;
  const count = view.getUint32(ipma.start + 4);
  let at = ipma.start + 8;
  for (let entry = 0; entry < count && at < ipma.end; entry++) {
    const id = version < 1 ? view.getUint16(at) : view.getUint32(at);
    at += version < 1 ? 2 : 4;
    const links = view.getUint8(at++);
    const indexes: number[] = [];
    for (let link = 0; link < links; link++) {
      indexes.push(wide ? view.getUint16(at) & 0x7fff : view.getUint8(at) & 0x7f);
      at += wide ? 2 : 1;
    }
    if (id === item) return indexes;
  }
  return [];
}

/**
 * Size as shown of the primary image. EXIF orientation plays no part: in HEIF it only informs (§6.5.10 irot is
 * normative). Throws `damaged_file`.
 */
export function heifFacts(bytes: Uint8Array): HeifFacts {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const meta = boxes(view, 0, bytes.length).find((box) => box.type === "meta");
    if (!meta) throw damaged("there is no meta box");
    const inMeta = boxes(view, meta.start + 4, meta.end);
    const pitm = inMeta.find((box) => box.type === "pitm");
    const iprp = inMeta.find((box) => box.type === "iprp");
    if (!pitm || !iprp) throw damaged("there is no primary image");
    const primary = view.getUint8(pitm.start) === 0 ? view.getUint16(pitm.start + 4) : view.getUint32(pitm.start + 4);
    const inProperties = boxes(view, iprp.start, iprp.end);
    const ipco = inProperties.find((box) => box.type === "ipco");
    if (!ipco) throw damaged("there are no image properties");
    const all = boxes(view, ipco.start, ipco.end);
    let size: { width: number; height: number } | null = null;
    let transformed = false;
    for (const index of inProperties.filter((b) => b.type === "ipma").flatMap((b) => propertiesOf(view, b, primary))) {
      const property = all[index - 1];
      if (property?.type === "ispe") {
        size = { width: view.getUint32(property.start + 4), height: view.getUint32(property.start + 8) };
      } else if (size !== null && property?.type === "clap") {
        const part = (at: number) => Math.round(view.getUint32(at) / view.getUint32(at + 4));
        const cut = { width: part(property.start), height: part(property.start + 8) };
        if (cut.width >= 1 && cut.height >= 1 && cut.width <= size.width && cut.height <= size.height) size = cut;
      } else if (size !== null && property?.type === "irot") {
        const quarters = view.getUint8(property.start) & 3;
        if (quarters !== 0) transformed = true;
        if (quarters % 2 === 1) size = { width: size.height, height: size.width };
      } else if (property?.type === "imir") transformed = true;
    }
    if (size === null || size.width < 1 || size.height < 1) throw damaged("the primary image has no size");
    return { ...size, transformed };
  } catch (error) {
    if (error instanceof UnderstoryError) throw error;
    throw damaged("a box reaches past the end of the file");
  }
}
