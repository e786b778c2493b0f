import { emptyFilm, type FilmDraft, type FilmFacts, keepRaw } from "./facts.ts";
import type { Ranges } from "./ranges.ts";

/** AVI (Microsoft, "AVI RIFF File Reference") as far as it says when and how long. Frames are not read. */

const mostChunks = 1_000;
const mostValue = 64 * 1024;
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** `Mon Mar 10 15:04:43 2003` of C's ctime, or a date of digits; as an EXIF date. */
export function aviDate(raw: string): string | null {
  const said = raw.replace(/[\0\n\r]/g, " ").trim();
  const ctime = /^\w{3}\s+(\w{3})\s+(\d{1,2})\s+(\d\d:\d\d:\d\d)\s+(\d{4})/.exec(said);
  if (ctime) {
    const month = months.indexOf((ctime[1] ?? "").toLowerCase()) + 1;
    if (month === 0) return null;
    return `${ctime[4]}:${String(month).padStart(2, "0")}:${(ctime[2] ?? "").padStart(2, "0")} ${ctime[3]}`;
  }
  const digits = /^(\d{4})[:/-](\d{1,2})[:/-](\d{1,2})(?:[ T]+(\d\d:\d\d(?::\d\d)?))?/.exec(said);
  if (!digits) return null;
  const two = (text = "") => text.padStart(2, "0");
  return `${digits[1]}:${two(digits[2])}:${two(digits[3])}${digits[4] ? ` ${digits[4]}` : ""}`;
}

/** Reads the lists at the beginning. Never throws but what the entry throws. */
export async function readAvi(ranges: Ranges): Promise<FilmFacts> {
  const film = emptyFilm("avi", "video/x-msvideo");
  film.hasPicture = true;
  const head = await ranges.bytes(0, 12);
  const end = head.length >= 8 ? head.readUInt32LE(4) + 8 : 0;
  // OpenDML files go on in further RIFF parts, so a longer file is no fault.
  if (end > ranges.size) film.damaged = "the file is shorter than its parts say";
  await readList(ranges, 12, Math.min(ranges.size, Math.max(end, 12)), film, 0);
  return film;
}

async function readList(ranges: Ranges, start: number, end: number, film: FilmDraft, depth: number): Promise<void> {
  let at = start;
  for (let count = 0; at + 8 <= end && count < mostChunks; count++) {
    const head = await ranges.bytes(at, 12);
    if (head.length < 8) return;
    const type = head.toString("latin1", 0, 4);
    const size = head.readUInt32LE(4);
    const body = { start: at + 8, end: Math.min(end, at + 8 + size) };
    if (type === "LIST") {
      const kind = head.toString("latin1", 8, 12);
      if (kind !== "movi" && depth < 4) await readList(ranges, body.start + 4, body.end, film, depth + 1);
    } else if (size <= mostValue) {
      const bytes = await ranges.bytes(body.start, body.end - body.start);
      readChunk(type, bytes, film);
    }
    at = body.start + size + (size % 2);
  }
}

function readChunk(type: string, bytes: Buffer, film: FilmDraft): void {
  if (type === "avih" && bytes.length >= 40) {
    const seconds = (bytes.readUInt32LE(0) * bytes.readUInt32LE(16)) / 1e6;
    if (seconds > 0) film.duration ??= seconds;
    const [width, height] = [bytes.readUInt32LE(32), bytes.readUInt32LE(36)];
    if (width > 0 && height > 0 && width < 1e6 && height < 1e6) film.size ??= { width, height };
    return;
  }
  if (type !== "IDIT" && type !== "ICRD" && type !== "INAM" && type !== "ICMT" && type !== "ISFT") return;
  const text = new TextDecoder().decode(bytes).replace(/\0.*$/s, "").trim();
  if (text === "") return;
  keepRaw(film, `avi:${type}`, text);
  if (type === "INAM") film.title ??= text;
  else if (type === "ICMT") film.comment ??= text;
  else if (type === "IDIT" || type === "ICRD") {
    const date = aviDate(text);
    if (date !== null && type === "IDIT") film.times.unshift({ source: "avi:IDIT", value: date });
    else if (date !== null) film.times.push({ source: "avi:ICRD", value: date });
  }
}
