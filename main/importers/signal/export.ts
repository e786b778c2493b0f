import { z } from "zod";
import type { RecordTime } from "#contract";
import { flag, list, text } from "../chats/fields.ts";
import { type Civil, civilMs, isCivil, isoSeconds } from "../text/time.ts";
import type { Entry } from "../types.ts";
import { linesOf } from "./lines.ts";

/** Messages of the tool signal-export (`sigexport/models.py`): lines of data.json, or chat.md of its older versions. */

export interface ExportMessage {
  readonly line: number;
  /** `2024-02-11T20:15:30.123`; null for none: the tool writes a missing time as 1970. */
  readonly date: string | null;
  readonly sender: string;
  readonly body: string;
  readonly quote: string;
  readonly sticker: string | null;
  readonly reactions: readonly { readonly name: string; readonly emoji: string }[];
  /** Path null: the file was not exported. */
  readonly files: readonly { readonly name: string | null; readonly path: string | null }[];
  readonly deleted: boolean;
  readonly call: boolean;
  readonly missed: boolean;
}

const reaction = z.union([
  z.tuple([z.string(), z.string()]).transform(([name, emoji]) => ({ name, emoji })),
  z.object({ name: z.string(), emoji: z.string() }),
]);

const lineSchema = z.object({
  date: text,
  sender: text,
  body: text,
  quote: text,
  sticker: z
    .union([z.string(), z.object({ emoji: z.string() }).transform(({ emoji }) => emoji || "sticker")])
    .nullable()
    .catch(null),
  reactions: list(reaction),
  attachments: list(z.object({ name: text, path: text })),
  deleted: flag,
  call: flag,
  missed: flag,
});

const callText =
  /^(?:Incoming|Outgoing|Missed)(?: (?:voice|video|audio))? call(?: \((?:accepted|declined|unanswered|missed|[a-z ]{1,40})[^()]*\))?$/;

/** A call by its flag; in versions without one by the tool's own words, which stand for nobody or for oneself. */
function callOf(body: string, sender: string, told: boolean, missed: boolean): { call: boolean; missed: boolean } {
  const call = told || (callText.test(body) && (sender === "No-Sender" || sender === "Me" || /^Missed/.test(body)));
  return { call, missed: missed || (call && /^Missed/.test(body)) };
}

const datePattern = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d))?(?:[.,](\d{1,9}))?/;

/** The wall clock of the computer that exported; the first days of 1970 mean that there was no time. */
export function dateOf(written: string | null): string | null {
  const match = datePattern.exec(written ?? "");
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((one) => Number(one ?? 0));
  const civil: Civil = { year, month, day, hour, minute, second };
  if (!isCivil(civil) || Math.abs(civilMs(civil)) < 15 * 3_600_000) return null;
  const fraction = match[7] === undefined ? "" : `.${match[7].padEnd(3, "0").slice(0, 3)}`;
  return `${isoSeconds(civilMs(civil))}${fraction}`;
}

export function timeOf(date: string | null): RecordTime | null {
  if (date === null) return null;
  const precision = date.includes(".") ? "ms" : "second";
  return {
    utc: null,
    local: date,
    offset: null,
    zone: null,
    source: "date",
    precision,
    inferred: false,
    confidence: "normal",
  };
}

/** A line of data.json; null for what is no message. */
export function parseLine(line: string): Omit<ExportMessage, "line"> | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  const read = lineSchema.safeParse(value);
  if (!read.success || (read.data.sender === null && read.data.body === null)) return null;
  const { attachments, reactions, ...said } = read.data;
  const sender = said.sender ?? "No-Sender";
  const body = (said.body ?? "").trim();
  const gone = said.deleted && /^\(?This message was deleted\)?$/.test(body);
  return {
    date: dateOf(said.date),
    sender,
    body: gone ? "" : body,
    quote: unquoted(said.quote ?? ""),
    sticker: said.sticker === "" ? null : said.sticker,
    reactions,
    files: attachments.map(({ name, path }) => ({ name: name || null, path: path ? unescaped(path) : null })),
    deleted: said.deleted,
    ...callOf(body, sender, said.call, said.missed),
  };
}

function unquoted(quote: string): string {
  return quote
    .split("\n")
    .map((line) => line.replace(/^> ?/, ""))
    .join("\n")
    .trim();
}

function unescaped(path: string): string {
  return path.replace(/^\.\//, "").replaceAll("%20", " ");
}

const header = /^\[(\d{4}-\d\d-\d\d[ T,]+\d\d:\d\d(?::\d\d)?)\] ([^\n]{1,200}?):(?: (.*)|)$/;

/** Whether a line begins a message of chat.md. */
export const isHeader = (line: string): boolean => header.test(line);

async function* jsonMessages(entry: Entry, fault: () => void): AsyncGenerator<ExportMessage> {
  for await (const { text: line, number, cut } of linesOf(entry)) {
    if (line.trim() === "") continue;
    const message = cut ? null : parseLine(line.replace(/^\ufeff/, ""));
    if (message === null) fault();
    else yield { ...message, line: number };
  }
}

async function* markdownMessages(entry: Entry, fault: () => void): AsyncGenerator<ExportMessage> {
  let open: { line: number; date: string; sender: string; lines: string[] } | null = null;
  for await (const { text: line, number } of linesOf(entry)) {
    const match = header.exec(line.replace(/^\ufeff/, ""));
    if (match !== null) {
      if (open !== null) yield fromMarkdown(open);
      open = { line: number, date: match[1] ?? "", sender: match[2] ?? "", lines: [match[3] ?? ""] };
    } else if (open === null) {
      if (line.trim() !== "") fault();
    } else if (open.lines.length < 100_000) open.lines.push(line);
  }
  if (open !== null) yield fromMarkdown(open);
}

/** The tool's marks in chat.md: a quote in front, then words, `(- Ada: 👍 -)`, `(( 🦆 ))` and links to files. */
function fromMarkdown(open: { line: number; date: string; sender: string; lines: string[] }): ExportMessage {
  const { line, date, sender, lines } = open;
  const quote: string[] = [];
  const rest = [...lines];
  if (rest[0]?.trim() === "") {
    const at = rest.findIndex((one) => one.trim() !== "");
    if (at > 0 && rest[at]?.startsWith("> ")) {
      rest.splice(0, at);
      while (rest[0]?.startsWith(">")) quote.push(rest.shift() ?? "");
    }
  }
  const reactions: { name: string; emoji: string }[] = [];
  const files: { name: string | null; path: string | null }[] = [];
  let sticker: string | null = null;
  const body = rest
    .join("\n")
    .replace(/^\(- (.{1,4000}?) -\)/gm, (_, said: string) => {
      for (const one of said.split(", ")) {
        const [, name, emoji] = /^(.*): (\S+)$/.exec(one) ?? [];
        if (name !== undefined && emoji !== undefined) reactions.push({ name, emoji });
      }
      return "";
    })
    .replace(/^\(\( (.{1,100}?) \)\)/gm, (_, emoji: string) => {
      sticker = emoji;
      return "";
    })
    .replace(/!?\[([^\]\n]{0,500})\]\((?:\.\/)?(media\/[^)\n]{1,1000})\)/g, (_, name: string, path: string) => {
      files.push({ name: name === "" ? null : name, path: unescaped(path) });
      return "";
    })
    .replace(/\(media not exported\)/g, () => {
      files.push({ name: null, path: null });
      return "";
    })
    .trim();
  const deleted = body === "(This message was deleted)";
  const shared = {
    line,
    date: dateOf(date),
    sender,
    quote: unquoted(quote.join("\n")),
    sticker,
    reactions,
    files,
    deleted,
  };
  return { ...shared, body: deleted ? "" : body, ...callOf(body, sender, false, false) };
}

/** Streams the messages of a chat; `fault` is told of what is none. */
export function exportMessages(entry: Entry, fault: () => void): AsyncGenerator<ExportMessage> {
  return /\.md$/i.test(entry.name) ? markdownMessages(entry, fault) : jsonMessages(entry, fault);
}
