/**
 * Blanks out what a mail repeats of others and its signature. Letters become spaces and line ends stay, so every offset
 * in the result is an offset in the mail. When nothing would be left (a bare forward), the mail is given as it is.
 */
export function maskQuoted(text: string): string {
  const lines = text.split("\n");
  const masked: string[] = [];
  let history = false;
  for (const [at, line] of lines.entries()) {
    if (!history && (line === "-- " || line === "--" || historyBegins(line) || headerBlock(lines, at))) history = true;
    const introduces = /^(?:on|am|le|el)\b.{4,200}(?:wrote|schrieb|écrit|escribió).{0,80}:\s*$/i.test(line);
    masked.push(history || line.startsWith(">") || introduces ? " ".repeat(line.length) : line);
  }
  const result = masked.join("\n");
  return result.trim() === "" ? text : result;
}

function historyBegins(line: string): boolean {
  return /^-{3,}\s*(?:original message|ursprüngliche nachricht|message d'origine)\s*-{3,}/i.test(line);
}

/** Outlook's way of quoting: From, Sent, To, Subject on lines of their own, then the old mail. */
function headerBlock(lines: readonly string[], at: number): boolean {
  if (!/^(?:from|von):\s/i.test(lines[at] ?? "")) return false;
  const next = lines.slice(at + 1, at + 5).join("\n");
  return /^(?:sent|gesendet|date|datum):\s/im.test(next) && /^(?:to|an|subject|betreff):\s/im.test(next);
}
