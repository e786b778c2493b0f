import iconv from "iconv-lite";

/** Text from bytes, and whether its charset had to be guessed. */
export interface Decoded {
  readonly text: string;
  readonly guessed: boolean;
}

type Decode = (bytes: Uint8Array) => string;

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });
const looseUtf8 = new TextDecoder("utf-8");
const decoders = new Map<string, Decode | null>();

/** Labels seen in mail that say nothing about the bytes. */
const emptyLabels = new Set(["", "unknown", "unknown-8bit", "x-unknown", "8bit", "7bit", "binary", "default", "none"]);

/** Spellings outside the WHATWG list whose meaning is not in doubt. */
const aliases: Readonly<Record<string, string>> = {
  cp932: "shift_jis",
  cp936: "gbk",
  cp949: "euc-kr",
  uhc: "euc-kr",
  cp950: "big5",
  eucjp: "euc-jp",
  euckr: "euc-kr",
  "iso-2022-jp-1": "iso-2022-jp",
  "iso-2022-jp-2": "iso-2022-jp",
  "iso-2022-jp-ms": "iso-2022-jp",
  cp50220: "iso-2022-jp",
  cp50221: "iso-2022-jp",
  utf8mb4: "utf-8",
  "unicode-1-1-utf-7": "utf-7",
};

/** A decoder for a normalised label, by the WHATWG label table first, then by what iconv-lite knows besides; null: unknown. */
function decoderFor(label: string): Decode | null {
  const known = decoders.get(label);
  if (known !== undefined) return known;
  const decode = makeDecoder(label);
  // Labels come from strangers: the map stays small.
  if (decoders.size < 500) decoders.set(label, decode);
  return decode;
}

function makeDecoder(label: string): Decode | null {
  let encoding: string;
  let native: TextDecoder | null = null;
  try {
    native = new TextDecoder(label);
    encoding = native.encoding;
  } catch {
    encoding = label;
  }
  // Some run-times leave 0x80–0x9F of windows-1252 as control characters; iconv-lite follows the table.
  if (encoding === "windows-1252") return (bytes) => iconv.decode(Buffer.from(bytes), "windows-1252");
  if (native !== null && encoding === "iso-2022-jp") {
    const decoder = native;
    return (bytes) => decoder.decode(withoutEmptyShifts(bytes));
  }
  if (native !== null) {
    const decoder = native;
    return (bytes) => decoder.decode(bytes);
  }
  return iconv.encodingExists(encoding) ? (bytes) => iconv.decode(Buffer.from(bytes), encoding) : null;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ESC begins the shifts of ISO-2022-JP.
const emptyShift = /(?:\x1b\([BJ])+(?=\x1b[$(])/g;

/** The standard's decoder marks a shift to ASCII and back with nothing between as an error; joined words hold them. */
function withoutEmptyShifts(bytes: Uint8Array): Buffer {
  return Buffer.from(Buffer.from(bytes).toString("latin1").replace(emptyShift, ""), "latin1");
}

function normaliseLabel(label: string): string {
  const clean = label
    .trim()
    .replace(/^["']|["']$/g, "")
    .replace(/\*.*$/, "")
    .toLowerCase()
    .replace(/^cp-/, "cp");
  return aliases[clean] ?? clean;
}

/** True when no byte is above 0x7F. */
export function isAscii(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if ((bytes[i] ?? 0) > 0x7f) return false;
  return true;
}

/** UTF-8 text, or null when the bytes are not valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return null;
  }
}

/** ESC $ B, ESC $ @ or ESC ( J: ISO-2022-JP shifts, which no other text holds. */
function hasJapaneseShift(bytes: Uint8Array): boolean {
  for (let i = 0; i + 2 < bytes.length; i++) {
    if (bytes[i] !== 0x1b) continue;
    const second = bytes[i + 1];
    const third = bytes[i + 2];
    if (second === 0x24 && (third === 0x42 || third === 0x40)) return true;
    if (second === 0x28 && third === 0x4a) return true;
  }
  return false;
}

function guess(bytes: Uint8Array): Decoded {
  if (hasJapaneseShift(bytes)) return { text: decoderFor("iso-2022-jp")?.(bytes) ?? "", guessed: true };
  const utf8 = decodeUtf8(bytes);
  if (utf8 !== null) return { text: utf8, guessed: false };
  return { text: iconv.decode(Buffer.from(bytes), guessSingleByte(bytes)), guessed: true };
}

/**
 * A code page for bytes that are not UTF-8 and have no label. Words made of high bytes only are Cyrillic in practice
 * (Latin scripts mix them with ASCII letters): KOI8-R holds its small letters at 0xC0–0xDF, windows-1251 at 0xE0–0xFF.
 */
function guessSingleByte(bytes: Uint8Array): "windows-1252" | "windows-1251" | "koi8-r" {
  let high = 0;
  let runs = 0;
  let low = 0;
  let upperHalf = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte < 0x80) {
      if ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a) low++;
      continue;
    }
    high++;
    if (byte >= 0xe0) upperHalf++;
    if (byte >= 0xc0 && (bytes[i + 1] ?? 0) >= 0xc0) runs++;
  }
  if (high < 8 || runs < high * 0.6 || low > high) return "windows-1252";
  return upperHalf > high / 2 ? "windows-1251" : "koi8-r";
}

/**
 * Decodes bytes once. The label is read as the WHATWG Encoding Standard says (gb2312 means GBK, iso-8859-1 means
 * windows-1252). No label, an unknown one, or one that the bytes contradict (us-ascii or utf-8 over other bytes):
 * UTF-8 when valid, else a guess that is marked.
 */
export function decodeText(bytes: Uint8Array, label: string | null): Decoded {
  const name = label === null ? "" : normaliseLabel(label);
  if (emptyLabels.has(name) || /^(us-?ascii|ascii|ansi_x3\.4-1968)$/.test(name)) return guess(bytes);
  if (/^utf-?8$/.test(name)) {
    const text = decodeUtf8(bytes);
    if (text !== null) return { text, guessed: false };
    const loose = looseUtf8.decode(bytes);
    // Cut text keeps a few replacement marks; text without any multi-byte character was never UTF-8.
    return /[\u0080-\ufffc]/.test(loose) ? { text: loose, guessed: true } : guess(bytes);
  }
  const decode = decoderFor(name);
  return decode === null ? { ...guess(bytes), guessed: !isAscii(bytes) } : { text: decode(bytes), guessed: false };
}

/** Text of a file without any label: a byte order mark decides, then UTF-16 without one, then as `decodeText`. */
export function decodeFile(bytes: Uint8Array): Decoded {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return decodeText(bytes.subarray(3), "utf-8");
  if (first === 0xff && second === 0xfe) return { text: new TextDecoder("utf-16le").decode(bytes), guessed: false };
  if (first === 0xfe && second === 0xff) return { text: new TextDecoder("utf-16be").decode(bytes), guessed: false };
  if (first !== 0 && second === 0 && third !== 0 && bytes[3] === 0) {
    return { text: new TextDecoder("utf-16le").decode(bytes), guessed: true };
  }
  return decodeText(bytes, null);
}
