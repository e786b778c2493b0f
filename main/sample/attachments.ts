import { moment } from "./clock.ts";
import type { MailAttachment } from "./story/mail.ts";

/** Bytes and type of an attachment of the story. */
export function attachmentBytes(attachment: MailAttachment): { mime: string; bytes: Uint8Array } {
  const { kind, content, name } = attachment;
  if (kind === "text")
    return { mime: "text/plain; charset=utf-8", bytes: Buffer.from(`${content.join("\n")}\n`, "utf8") };
  if (kind === "pdf") return { mime: "application/pdf", bytes: onePagePdf(content) };
  const [start = "", end = "", summary = "", place = ""] = content;
  const stamp = (wall: string) => `${moment(wall, "London").utc.toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`;
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Sample//Story//EN",
    "METHOD:PUBLISH",
    "BEGIN:VEVENT",
    `UID:${name}-${stamp(start)}@story.example`,
    `DTSTAMP:${stamp(start)}`,
    `DTSTART:${stamp(start)}`,
    `DTEND:${stamp(end)}`,
    `SUMMARY:${summary.replace(/([,;])/g, "\\$1")}`,
    `LOCATION:${place.replace(/([,;])/g, "\\$1")}`,
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return {
    mime: "text/calendar; charset=utf-8; method=PUBLISH",
    bytes: Buffer.from(`${lines.join("\r\n")}\r\n`, "utf8"),
  };
}

/** The smallest PDF that shows a few lines (ISO 32000-1, section 7.5): five objects, one page, one built-in font. */
function onePagePdf(lines: readonly string[]): Uint8Array {
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, "\\$&")}) Tj T*`).join("\n");
  const stream = `BT\n/F1 12 Tf\n18 TL\n72 770 Td\n${shown}\nET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
  ];
  let file = "%PDF-1.4\n";
  const offsets: number[] = [];
  objects.forEach((object, i) => {
    offsets.push(file.length);
    file += `${i + 1} 0 obj\n${object}\nendobj\n`;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  file += `xref\n0 6\n0000000000 65535 f \n${table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file, "latin1");
}
