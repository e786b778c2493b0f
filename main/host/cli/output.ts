import type { ErrorShape, Job, RecordSummary, RecordTime } from "#contract";

/** Exit codes of every command. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, nothingFound: 3 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** What mail and chats may hold to steer a terminal: control characters, and marks that turn the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is what it is for.
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Text of a record, safe to show on a terminal. */
export function plain(text: string): string {
  return text.replace(steering, "·");
}

/** On one line, cut to `length` characters. */
export function oneLine(text: string, length: number): string {
  const line = plain(text).replace(/\s+/g, " ").trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

/** One line of JSON; the control characters that JSON allows in strings are escaped too. Bytes become their number. */
export function jsonLine(value: unknown): string {
  const text = JSON.stringify(value, (_key, part: unknown) =>
    part instanceof Uint8Array ? { bytes: part.length } : part,
  );
  return text.replace(/[\u007f-\u009f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

export function bytesText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return `${unit === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}

/** "1 record", "2 records". */
export function count(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? "" : "s"}`;
}

/** The record's own wall time as far as it is known. */
export function timeText(time: RecordTime | null): string {
  const text = time?.local ?? time?.utc;
  if (!text) return "no date";
  return (
    text.replace("T", " ").replace(/(:\d\d)(:\d\d(\.\d+)?)?Z?$/, "$1") + (time?.confidence === "low" ? " (?)" : "")
  );
}

/** A record in a list. */
export function recordText(record: RecordSummary): string {
  const what = oneLine(record.subject ?? record.snippet, 70);
  const who = record.author ? ` ${oneLine(record.author, 30)}:` : "";
  return `${String(record.id).padStart(7)}  ${timeText(record.time).padEnd(16)}  ${record.kind.padEnd(8)} ${who} ${what || "—"}`;
}

export function errorText({ message, hint, code }: ErrorShape): string {
  return `understory: ${plain(message)}${hint ? `\n  ${plain(hint)}` : ""}\n  (${code})\n`;
}

/** Progress of long work, always on stderr: one bar that moves on a terminal, now and then a line elsewhere. */
export class Progress {
  readonly #stream: NodeJS.WriteStream;
  readonly #quiet: boolean;
  #shown = "";
  #lineAt = 0;

  constructor(options: { quiet: boolean; stream?: NodeJS.WriteStream }) {
    this.#stream = options.stream ?? process.stderr;
    this.#quiet = options.quiet;
  }

  show(job: Job): void {
    if (this.#quiet) return;
    const text = progressText(job);
    if (this.#stream.isTTY) {
      const line = text.slice(0, Math.max(20, (this.#stream.columns ?? 80) - 1));
      this.#stream.write(`\r${line.padEnd(this.#shown.length)}`);
      this.#shown = line;
    } else if (text !== this.#shown && Date.now() - this.#lineAt > 2_000) {
      this.#lineAt = Date.now();
      this.#shown = text;
      this.#stream.write(`${text}\n`);
    }
  }

  /** Clears the bar, so that the next words stand at the beginning of a line. */
  clear(): void {
    if (this.#stream.isTTY && this.#shown) this.#stream.write(`\r${" ".repeat(this.#shown.length)}\r`);
    this.#shown = "";
  }
}

/** `Reading 3 mailboxes  [#####.....]  52 %  1,204 records  8 s left`. */
export function progressText({ title, progress }: Job): string {
  const { done, total, secondsLeft, records, unit, note } = progress;
  const share = total ? Math.min(1, done / total) : null;
  const bar =
    share === null ? "" : `[${"#".repeat(Math.round(share * 20)).padEnd(20, ".")}] ${Math.floor(share * 100)} %`;
  const left = secondsLeft === null ? "" : `${Math.ceil(secondsLeft)} s left`;
  const amount = unit === "bytes" ? (records > 0 ? count(records, "record") : bytesText(done)) : `${done} ${unit}`;
  return [oneLine(title, 40), bar, amount, left, note ? oneLine(note, 40) : ""].filter(Boolean).join("  ");
}
