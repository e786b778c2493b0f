import type { Container, ImportedRecord, Party, RecordProps, RecordTime, SourceLocation } from "#contract";
import { blankRecord } from "../blank.ts";
import { cleanText, fieldHash } from "../text/clean.ts";
import { limits } from "../types.ts";

/** What all chat sources have in common: one message as a record. */

export interface ChatMessage {
  /** Unique and the same on every export, name space first: `telegram:<chat>/<id>`. Hashed when it is too long. */
  readonly identity: string;
  /** The id as the source writes it; null when it has none. */
  readonly nativeId: string | null;
  /** A notice of the application is `system`: calls, joins, renamed groups. */
  readonly kind: "message" | "system";
  readonly text: string | null;
  readonly author: Party | null;
  /** The others of a chat of two, or the recipients; members of a large group are left out. */
  readonly participants?: readonly Party[];
  readonly time: RecordTime | null;
  readonly container: Container;
  /** Where it stands in the chat, as the source shows it. */
  readonly sequence: number;
  /** Identity of the message that this one answers. */
  readonly replyTo?: string | null;
  readonly thread?: string | null;
  readonly place?: ImportedRecord["place"];
  readonly file: SourceLocation;
  readonly props?: RecordProps;
}

/** Identities are bounded; a longer one keeps its name space and gives way to its hash. */
export function boundedIdentity(identity: string): string {
  if (identity.length <= 900) return identity;
  return `${identity.slice(0, identity.indexOf(":") + 1)}#${fieldHash([identity])}`;
}

/** The record of a message. Texts are cleaned and cut to their cap; empty ones are null. */
export function chatRecord(message: ChatMessage): ImportedRecord {
  const text = message.text === null ? "" : cleanText(message.text).slice(0, limits.textChars).toWellFormed();
  const { replyTo = null } = message;
  return {
    ...blankRecord(),
    identity: boundedIdentity(message.identity),
    kind: message.kind,
    nativeId: message.nativeId,
    text: text.trim() === "" ? null : text,
    author: message.author,
    participants: [...(message.participants ?? [])],
    time: message.time,
    place: message.place ?? null,
    container: message.container,
    thread: message.thread ?? null,
    sequence: message.sequence,
    replyTo: replyTo === null ? null : boundedIdentity(replyTo),
    files: [message.file],
    props: message.props ?? {},
  };
}

/** A person of a chat: by shown name, and by address, number or user id where the source tells one. */
export function member(name: string | null, address: string | null, more: Partial<Party> = {}): Party {
  return { name, address, role: null, owner: false, ...more };
}

/** Counts equal keys, so that two equal messages of one moment have identities of their own. */
export class Repeats {
  readonly #counts = new Map<string, number>();

  /** 1 for the first, 2 for the second … */
  next(key: string): number {
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count;
  }
}
