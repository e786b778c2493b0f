import { createHash } from "node:crypto";

/** Text as the archive keeps it: \n line ends, NFC, no NUL, no lone surrogate, no blank lines at the end. */
export function cleanText(text: string): string {
  let clean = text;
  if (clean.includes("\r")) clean = clean.replace(/\r\n?/g, "\n");
  if (clean.includes("\0")) clean = clean.replaceAll("\0", "");
  return clean.toWellFormed().normalize("NFC").trimEnd();
}

/** A name or a title on one line: no control characters, blanks folded, trimmed; null when nothing is left. */
export function cleanLine(text: string): string | null {
  if (/^[!-~](?:[ -~]{0,500}[!-~])?$/.test(text) && !text.includes("  ")) return text;
  const line = text
    .toWellFormed()
    .normalize("NFC")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters in names are what this removes.
    .replace(/[\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/g, (run) =>
      /[\t\n\r]/.test(run) ? " " : "",
    )
    .replace(/[ \u00a0\u202f]+/g, " ")
    .trim();
  return line === "" ? null : line;
}

/** SHA-256 in hex. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** A short stable hash for identity keys: the first 128 bits of SHA-256 over the fields, joined so that no two lists collide. */
export function fieldHash(fields: readonly (string | null)[]): string {
  return sha256(JSON.stringify(fields)).slice(0, 32);
}
