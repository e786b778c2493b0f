import type { Attachment, RecordFlag, SourceLocation } from "#contract";
import { cleanLine } from "../text/clean.ts";
import type { Headers } from "./headers.ts";

/** A file that a message carries. */
export interface AttachedFile {
  readonly attachment: Attachment;
  /** Decoded; null when the source does not hold them. */
  readonly bytes: Buffer | null;
  /**
   * Which part of the message it is: counted as IMAP does (RFC 9051 §6.4.5, `2.1`); what stands inside a container that
   * is not MIME (TNEF, Outlook) is counted behind a slash: `2/1`.
   */
  readonly part: string;
  /** Charset that the message names for it. */
  readonly charset: string | null;
  /** Where it lies when it is a file of its own beside the message. */
  readonly place: SourceLocation | null;
  /** False for what no reader would show as an attachment: a calendar entry as another form of the text. */
  readonly listed: boolean;
}

/** A message inside a message; opened when it is its turn. */
export interface NestedMessage {
  readonly part: string;
  /** Null when it holds nothing. */
  open(): Message | null;
}

/** What a message shows and carries. */
export interface Body {
  readonly text: string;
  readonly files: readonly AttachedFile[];
  readonly messages: readonly NestedMessage[];
  readonly flags: Set<RecordFlag>;
}

/** A message, whatever it was written in. */
export interface Message {
  readonly headers: Headers;
  readonly body: Body;
}

/** Number of the n-th part (from 1) inside another one; "" is the message itself. */
export function partNumber(inside: string, index: number): string {
  return inside === "" ? String(index) : `${inside}.${index}`;
}

/** Number of the n-th member (from 1) of a container that is not MIME. */
export function memberNumber(inside: string, index: number): string {
  return inside === "" ? String(index) : `${inside}/${index}`;
}

/** Name of a file as a message gives it: one line, and only the last part of a path. Null when nothing is left. */
export function fileName(raw: string | null): string | null {
  const line = raw === null ? null : cleanLine(raw);
  const last = line?.split(/[/\\]/).at(-1)?.trim() ?? "";
  return last === "" ? null : last.slice(0, 255);
}

/** The Content-IDs (lower case) and locations (`location:…`) to which HTML refers. */
export function shownIds(html: readonly string[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const text of html) {
    for (const match of text.matchAll(/\bcid:([^"'\s)<>]{1,500})/gi))
      ids.add(percentDecoded(match[1] ?? "").toLowerCase());
    for (const match of text.matchAll(/\bsrc\s*=\s*["']([^"']{1,1000})["']/gi)) ids.add(`location:${match[1]?.trim()}`);
  }
  return ids;
}

/** A Content-ID as `shownIds` writes it. */
export function contentId(raw: string): string {
  return raw.replace(/[<>\s]/g, "").toLowerCase();
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("&amp;", "&"));
  } catch {
    return text;
  }
}
