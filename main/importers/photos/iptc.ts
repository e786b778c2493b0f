import { decodeText } from "./tiff.ts";

/** What IPTC-IIM says of a picture (IIM 4.2, record 2); null: not there. */
export interface IptcFacts {
  readonly title: string | null;
  readonly caption: string | null;
  readonly keywords: readonly string[];
  readonly date: string | null;
  readonly time: string | null;
}

const mostSets = 5_000;

/** The IIM records inside Photoshop's image resources (0x0404), or null. */
export function iptcOfResources(bytes: Buffer): Buffer | null {
  for (let at = 0, count = 0; at + 12 <= bytes.length && count < 1_000; count++) {
    if (bytes.toString("latin1", at, at + 4) !== "8BIM") return null;
    const id = bytes.readUInt16BE(at + 4);
    const name = bytes[at + 6] ?? 0;
    const sizeAt = at + 6 + name + 1 + ((name + 1) % 2);
    if (sizeAt + 4 > bytes.length) return null;
    const size = bytes.readUInt32BE(sizeAt);
    if (id === 0x0404) return bytes.subarray(sizeAt + 4, sizeAt + 4 + size);
    at = sizeAt + 4 + size + (size % 2);
  }
  return null;
}

/** Reads the data sets; what is cut is kept as far as it goes. */
export function readIptc(bytes: Buffer | null): IptcFacts {
  const sets = new Map<number, Buffer[]>();
  let unicode = false;
  for (let at = 0, count = 0; bytes && at + 5 <= bytes.length && count < mostSets; count++) {
    if (bytes[at] !== 0x1c) break;
    const [record = 0, number = 0] = bytes.subarray(at + 1, at + 3);
    const size = bytes.readUInt16BE(at + 3);
    // Extended data sets (§1.5.1) hold pictures, no words.
    if (size & 0x8000) break;
    const value = bytes.subarray(at + 5, at + 5 + size);
    // 1:90 ESC % G announces UTF-8.
    if (record === 1 && number === 90) unicode ||= value.includes("\u001b%G");
    if (record === 2) {
      const known = sets.get(number);
      if (known) known.push(value);
      else sets.set(number, [value]);
    }
    at += 5 + size;
  }
  const decode = (value: Buffer) => (unicode ? new TextDecoder().decode(value) : decodeText(value));
  const first = (number: number) => {
    const value = sets.get(number)?.[0];
    return value === undefined ? null : decode(value);
  };
  const keywords = (sets.get(25) ?? []).map(decode).filter((one) => one !== "");
  return { title: first(5), caption: first(120), keywords, date: first(55), time: first(60) };
}
