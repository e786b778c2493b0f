import { createHash, randomBytes } from "node:crypto";

/**
 * A recovery code: 160 random bits in Crockford's base 32 (https://www.crockford.com/base32.html), eight groups of four
 * and a ninth that checks them (the first 20 bits of their SHA-256). Reads aloud, and forgives what pens do.
 */

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const secretBytes = 20;
const bitsPerSign = 5;
const groupLength = 4;

export function makeRecoveryCode(): { code: string; bytes: Uint8Array } {
  const bytes = new Uint8Array(randomBytes(secretBytes));
  return { bytes, code: writeRecoveryCode(bytes) };
}

export function writeRecoveryCode(bytes: Uint8Array): string {
  const signs = encode(bytes) + check(bytes);
  return (signs.match(/.{4}/g) ?? []).join("-");
}

/** The 20 bytes, or null for a code with a slip: case, blanks, dashes, O for 0 and I or L for 1 are forgiven. */
export function readRecoveryCode(code: string): Uint8Array | null {
  const signs = code
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[\s\p{Pd}_.]/gu, "")
    .replaceAll("O", "0")
    .replace(/[IL]/g, "1");
  const secretSigns = (secretBytes * 8) / bitsPerSign;
  if (signs.length !== secretSigns + groupLength) return null;
  const bytes = decode(signs.slice(0, secretSigns));
  return bytes && check(bytes) === signs.slice(secretSigns) ? bytes : null;
}

function check(bytes: Uint8Array): string {
  return encode(createHash("sha256").update(bytes).digest().subarray(0, 5)).slice(0, groupLength);
}

/** Whole groups of five bytes only. */
function encode(bytes: Uint8Array): string {
  let signs = "";
  let pending = 0;
  let bits = 0;
  for (const byte of bytes) {
    pending = (pending << 8) | byte;
    bits += 8;
    while (bits >= bitsPerSign) {
      bits -= bitsPerSign;
      signs += alphabet[(pending >> bits) & 31];
    }
    pending &= (1 << bits) - 1;
  }
  return signs;
}

function decode(signs: string): Uint8Array | null {
  const bytes: number[] = [];
  let pending = 0;
  let bits = 0;
  for (const sign of signs) {
    const value = alphabet.indexOf(sign);
    if (value < 0) return null;
    pending = (pending << bitsPerSign) | value;
    bits += bitsPerSign;
    if (bits >= 8) {
      bits -= 8;
      bytes.push(pending >> bits);
    }
    pending &= (1 << bits) - 1;
  }
  return new Uint8Array(bytes);
}
