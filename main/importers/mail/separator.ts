import { type MailDate, monthNumber, parseMailDate } from "./dates.ts";
import { commonField, fieldName } from "./headers.ts";
import { lately } from "./lately.ts";

/** A parsed mbox separator line. */
export interface Separator {
  /** Second word: an address, Takeout's `<id>@xxx`, `-`, a login name; empty when there is none. */
  readonly sender: string;
  readonly date: MailDate | null;
}

/** What the first separator of a file says about the others. */
export interface MboxDialect {
  /** `From <40 hex> Mon Sep 17 00:00:00 2001`: patches of git, which elsewhere are text pasted into a body. */
  readonly patches: boolean;
  /** Separators without a date. */
  readonly dateless: boolean;
}

/** Longest separator line, bytes. */
export const maxSeparator = 1024;

const commit = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** Parses a line that begins `From `; null when it does not. */
export const parseSeparator = lately(16, maxSeparator, readSeparator);

function readSeparator(line: string): Separator | null {
  if (!line.startsWith("From ") && line !== "From") return null;
  const words = line
    .slice(5)
    .trim()
    .split(/[ \t]+/);
  // A date and what stands behind it are few words; a line of a thousand month names is an attack.
  for (let at = words.length - 1; at >= Math.max(0, words.length - 10); at--) {
    const word = words[at] ?? "";
    if (monthNumber(word) === null || !/^[a-z]{3}$/i.test(word)) continue;
    const from = /^(?:mon|tue|wed|thu|fri|sat|sun),?$/i.test(words[at - 1] ?? "") ? at - 1 : at;
    const date = separatorDate(words, at);
    if (date !== null) return { sender: words.slice(0, date.dayFirst ? from - 1 : from).join(" "), date: date.date };
  }
  // RFC 5322 order: `From x Mon, 4 Mar 2024 10:00:00 +0100`.
  return { sender: words[0] ?? "", date: null };
}

function separatorDate(words: readonly string[], at: number): { date: MailDate; dayFirst: boolean } | null {
  const rest = words.slice(at);
  const dayFirst = /^\d{1,2}$/.test(words[at - 1] ?? "") && /^\d{4}$/.test(words[at + 1] ?? "");
  const date = parseMailDate((dayFirst ? words.slice(at - 1) : rest).join(" "));
  if (date !== null || dayFirst) return date === null ? null : { date, dayFirst };
  // A two-digit year stands last in some old mailboxes.
  const two = /^(.*) (\d\d)$/.exec(rest.join(" "));
  const old = two === null ? null : parseMailDate(`${two[1]} ${Number(two[2]) < 50 ? "20" : "19"}${two[2]}`);
  return old === null ? null : { date: old, dayFirst };
}

/** True when `line` may stand on top of a message: a header field, or a stray quoted separator. */
function beginsMessage(line: string): boolean {
  return fieldName.test(line) || /^>From /.test(line);
}

/**
 * Whether `line` separates messages (RFC 4155 Appendix A, and the forms that programs write): it begins `From `, stands
 * after an empty line or at the start, holds a date, and a header field follows. Where the empty line is missing, a
 * date, an address and a common header field must make up for it.
 */
export function isSeparator(line: string, next: string, afterBlank: boolean, dialect: MboxDialect): boolean {
  const separator = parseSeparator(line);
  if (separator === null || !beginsMessage(next)) return false;
  const { sender, date } = separator;
  if (commit.test(sender) !== dialect.patches && commit.test(sender)) return false;
  if (date === null) return dialect.dateless && afterBlank && !/\s/.test(sender) && commonField.test(next);
  const address = sender.includes("@") || sender === "-" || sender === "MAILER-DAEMON";
  if (!afterBlank) return address && !/\s/.test(sender) && commonField.test(next);
  return address || !/\s/.test(sender);
}

/** Reads the first lines of a file: null when it is no mbox. */
export function detectDialect(head: Uint8Array): MboxDialect | null {
  const text = Buffer.from(head.subarray(0, 4096))
    .toString("latin1")
    .replace(/^\u00ef\u00bb\u00bf/, "")
    .replace(/^[\r\n]+/, "");
  const [line = "", next = ""] = text.split(/\r?\n/, 2);
  const separator = parseSeparator(line);
  if (separator === null || line.length > maxSeparator || !beginsMessage(next)) return null;
  const dialect = { patches: commit.test(separator.sender), dateless: separator.date === null };
  return isSeparator(line, next, true, dialect) ? dialect : null;
}
