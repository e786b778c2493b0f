import { limits, UnderstoryError } from "#contract";

/** What a reader has found so far. It is filled as reading goes on, so that what stands before a break is kept. */
export interface Reading {
  readonly out: TextBuilder;
  title: string | null;
  /** ISO 8601, as the document says it. */
  created: string | null;
  /** Sentences about what was not read. */
  readonly reasons: string[];
}

/** Reads one form of document into a `Reading`. What it throws becomes a reason. */
export type Reader = (bytes: Uint8Array, reading: Reading) => Promise<void>;

export function newReading(cap: number = limits.textChars): Reading {
  return { out: new TextBuilder(cap), title: null, created: null, reasons: [] };
}

/** Text that grows to a cap and no further. */
export class TextBuilder {
  readonly #cap: number;
  readonly #parts: string[] = [];
  #length = 0;
  #full = false;

  constructor(cap: number) {
    this.#cap = cap;
  }

  /** True once something did not fit: reading on is no use. */
  get full(): boolean {
    return this.#full;
  }

  get room(): number {
    return this.#cap - this.#length;
  }

  add(text: string): void {
    if (this.#full || text === "") return;
    const fits = text.length <= this.room;
    const part = fits ? text : text.slice(0, this.room);
    this.#full = !fits;
    this.#parts.push(part);
    this.#length += part.length;
  }

  /** A line of its own. */
  line(text: string): void {
    this.add(`${text}\n`);
  }

  toString(): string {
    return this.#parts.join("");
  }
}

export function tooMuch(what: string): UnderstoryError {
  return new UnderstoryError("limit_exceeded", what, { hint: "What was read before is kept." });
}

export function damagedDocument(what: string, cause?: unknown): UnderstoryError {
  return new UnderstoryError("damaged_file", what, { hint: "What was read before is kept.", cause });
}

const isoTime = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;
/** Birthdays of the empty templates of Excel, python-docx and python-pptx, which their files carry for ever. */
const templateTimes = new Set(["2006-09-16T00:00:00Z", "2013-12-23T23:15:00Z", "2013-01-27T09:14:16Z"]);

/** A time as ISO 8601 writes it; null for what is none, and for what only says when a template was made. */
export function isoOrNull(text: string | null | undefined): string | null {
  const clean = (text ?? "").trim();
  const parts = isoTime.exec(clean);
  if (!parts || templateTimes.has(clean)) return null;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0));
  const sound =
    Number(year) > 1900 && Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31;
  return sound && Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60 ? clean : null;
}
