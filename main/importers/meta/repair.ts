const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Text that the exporter wrote as UTF-8 read for Latin-1. It is mended when all of its code units are below 256, one is
 * not ASCII, and the bytes are valid UTF-8; anything else is right as it stands ("café", curly quotes).
 */
export function repair(text: string): string {
  let beyondAscii = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0xff) return text;
    if (unit > 0x7f) beyondAscii = true;
  }
  if (!beyondAscii) return text;
  try {
    return strict.decode(Buffer.from(text, "latin1"));
  } catch {
    return text;
  }
}
