import { limits } from "../types.ts";
import { type HeaderKind, parseHeader, type Stamp, splitSender } from "./header.ts";
import type { Line } from "./lines.ts";
import type { Survey } from "./survey.ts";
import { senderName } from "./survey.ts";

/** One entry of a chat file: a header and the lines that belong to it. */
export interface ChatEntry {
  /** Number of the header's line, from 0. */
  readonly line: number;
  readonly offset: number | null;
  readonly end: number | null;
  readonly stamp: Stamp;
  /** Null for a notice without a sender. */
  readonly sender: { readonly name: string; readonly stranger: boolean } | null;
  /** Text with the application's marks still in it. */
  readonly text: string;
}

interface Open {
  line: number;
  offset: number | null;
  stamp: Stamp;
  rest: string;
  lines: string[];
  length: number;
}

/** Joins lines to entries. Only headers of the file's own kind begin one: pasted ones of the other kind are text. */
export async function* readEntries(lines: AsyncIterable<Line>, survey: Survey): AsyncGenerator<ChatEntry> {
  let open: Open | null = null;
  let number = -1;
  for await (const line of lines) {
    number++;
    const header = headerOf(line.text, survey.kind, survey.mark);
    if (header !== null) {
      if (open !== null) yield close(open, line.offset, survey);
      open = { line: number, offset: line.offset, stamp: header.stamp, rest: header.rest, lines: [], length: 0 };
    } else if (open !== null && open.length < limits.textChars) {
      open.lines.push(line.text);
      open.length += line.text.length + 1;
    }
  }
  if (open !== null) yield close(open, null, survey);
}

function headerOf(text: string, kind: HeaderKind, mark: string) {
  const header = parseHeader(text);
  return header !== null && header.kind === kind && header.stamp.mark === mark ? header : null;
}

function close(open: Open, end: number | null, survey: Survey): ChatEntry {
  const split = splitSender(open.rest);
  const sender = split === null ? null : senderName(split.name);
  const known = sender !== null && sender.name !== "" && (survey.kind === "bracket" || survey.names.has(sender.name));
  const first = known && split !== null ? split.text : open.rest;
  const text = [first, ...open.lines].join("\n");
  return { line: open.line, offset: open.offset, end, stamp: open.stamp, sender: known ? sender : null, text };
}
