import type { Reading } from "./reading.ts";

/** Streams that tell the programs apart, by their names in UTF-16. */
const kinds: readonly (readonly [stream: string, reason: string])[] = [
  ["EncryptedPackage", "It is protected with a password"],
  ["WordDocument", "It is in Word's form before 2007, which is not read; save it as .docx to have its text"],
  [
    "PowerPoint Document",
    "It is in PowerPoint's form before 2007, which is not read; save it as .pptx to have its text",
  ],
  ["Workbook", "It is in Excel's form before 2007, which is not read; save it as .xlsx to have its text"],
  ["Book", "It is in Excel's form before 1997, which is not read; save it as .xlsx to have its text"],
];

/** Compound files ([MS-CFB]): the office programs' form before 2007, and the shell of protected ones since. */
export async function readOle(bytes: Uint8Array, { reasons }: Reading): Promise<void> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = kinds.find(([stream]) => buffer.includes(Buffer.from(`${stream}\0`, "utf16le")));
  reasons.push(found?.[1] ?? "It is an old office file whose text is not read");
}
