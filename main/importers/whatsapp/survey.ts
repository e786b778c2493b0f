import { cleanLine } from "../text/clean.ts";
import type { Entry } from "../types.ts";
import { readContent } from "./content.ts";
import { type HeaderKind, parseHeader, type Stamp, splitSender, withoutMarks } from "./header.ts";
import { readLines } from "./lines.ts";
import { OrderEvidence, type OrderVerdict } from "./order.ts";
import { groupNotice, groupWord, ownerWord } from "./words.ts";

/** What a first pass over a chat file tells about all of it. */
export interface Survey {
  readonly kind: HeaderKind;
  readonly order: OrderVerdict;
  /** Mark between the numbers of dates: files of one phone share it. */
  readonly mark: string;
  /** Senders of people's messages and how many they wrote. */
  readonly names: ReadonlyMap<string, number>;
  /** The chat's title as its notices tell it, or null. */
  readonly title: string | null;
  /** The first line and the first message of a person: they stay when a chat grows. */
  readonly opening: string;
  /** Notices tell of a group: joined, renamed, pictured. */
  readonly group: boolean;
  /** Names of files that messages may carry. */
  readonly mentions: ReadonlySet<string>;
}

/** Senders and mentions above this are no chat. */
const maxNames = 20_000;
const maxMentions = 500_000;

const surveys = new WeakMap<Entry, Promise<Survey | null>>();

/** Reads a chat once from end to end and remembers what it found; null when no header is in it. */
export function surveyOf(entry: Entry): Promise<Survey | null> {
  const known = surveys.get(entry);
  if (known !== undefined) return known;
  const survey = surveyChat(entry);
  surveys.set(entry, survey);
  return survey;
}

/** The sender as a name: without marks and without the `~` of people who are not in the address book. */
export function senderName(raw: string): { name: string; stranger: boolean } {
  const line = cleanLine(withoutMarks(raw)) ?? "";
  const stranger = /^~\s*\S/.test(line);
  return { name: stranger ? line.replace(/^~\s*/, "") : line, stranger };
}

/** File names that a line may carry: `<attached: FILE>`, `FILE (file attached)`, or FILE alone. */
export function mentionsOf(text: string): string[] {
  if (!text.includes(".")) return [];
  const found: string[] = [];
  for (const match of text.matchAll(/<[^:：<>]{1,40}[:：] ?([^<>]{1,255})>/g)) found.push(match[1] ?? "");
  const line = withoutMarks(text).trim();
  if (line.length > 320) return found;
  const bracket = /^(.{1,255}?) \([^()]{2,40}\)$/.exec(line);
  if (bracket !== null) found.push(bracket[1] ?? "");
  if (/^[^<>:"/\\|?*]{1,250}\.[A-Za-z0-9]{2,5}$/.test(line)) found.push(line);
  return found.map((name) => withoutMarks(name).trim().normalize("NFC"));
}

/** A day in the name of a media file: `IMG-20240312-WA0001.jpg`, `00000005-PHOTO-2024-03-13-19-15-44.jpg`. */
function dayIn(name: string): string | null {
  const match =
    /^[A-Z]{3}-(20\d\d)(\d\d)(\d\d)-WA\d/.exec(name) ?? /-[A-Z]+-(20\d\d)-(\d\d)-(\d\d)-\d\d-\d\d-\d\d\./.exec(name);
  return match === null ? null : `${match[1]}-${match[2]}-${match[3]}`;
}

async function surveyChat(entry: Entry): Promise<Survey | null> {
  const evidence = new OrderEvidence();
  const names = new Map<string, number>();
  const noticeSenders = new Map<string, number>();
  const mentions = new Set<string>();
  let kind: HeaderKind | null = null;
  let mark = "";
  let quoted: string | null = null;
  let stamp: Stamp | null = null;
  let opening = "";
  let opener: string | null = null;
  let first: string | null = null;
  let group = false;
  for await (const { text } of readLines(entry)) {
    const header = parseHeader(text);
    const begins = header !== null && (kind === null || (header.kind === kind && header.stamp.mark === mark));
    let content = text;
    if (begins) {
      kind = header.kind;
      mark = header.stamp.mark;
      stamp = header.stamp;
      evidence.add(header.stamp);
      const sender = splitSender(header.rest);
      if (opening === "") {
        opening = withoutMarks(text);
        opener = sender === null ? null : senderName(sender.name).name;
      }
      content = sender?.text ?? header.rest;
      const notice = sender === null || (kind === "bracket" && isNotice(sender.text));
      if (sender !== null && (names.size < maxNames || names.has(sender.name))) {
        const { name } = senderName(sender.name);
        const list = notice ? noticeSenders : names;
        list.set(name, (list.get(name) ?? 0) + 1);
        if (!notice) first ??= withoutMarks(text);
      }
      group ||= notice && content.length < 120 && groupWord.test(content);
      quoted ??= quotedTitle(withoutMarks(header.rest));
    }
    if (stamp === null || mentions.size >= maxMentions) continue;
    for (const name of mentionsOf(content)) {
      mentions.add(name);
      const day = dayIn(name);
      if (day !== null && begins) evidence.addDay(stamp, day);
    }
  }
  if (kind === null) return null;
  if (kind === "dash") dropNotices(names);
  const silent = (name: string | null) => name !== null && noticeSenders.has(name) && !names.has(name);
  const title = silent(opener) ? opener : silent(quoted) || names.size > 2 ? quoted : null;
  return {
    kind,
    order: evidence.verdict(),
    mark,
    names,
    title,
    opening: `${opening}\n${first ?? ""}`,
    group,
    mentions,
  };
}

/** iOS: the application's own lines begin with a mark; so do attachments, polls and places, which people send. */
function isNotice(text: string): boolean {
  return /^[\u200e\u200f]/.test(text) && !readContent(text, () => false).personal;
}

/**
 * Android: a notice whose text holds a colon is no sender. It says what was done, once or twice: with a quoted name, or
 * after the name of somebody who writes or the word for the owner ("Ada changed the subject to …").
 */
function dropNotices(names: Map<string, number>): void {
  const all = [...names.keys()];
  for (const [name, count] of names) {
    if (count > 2) continue;
    const [first = "", ...words] = name.split(" ");
    const actor = ownerWord.test(first) || all.some((other) => other !== name && name.startsWith(`${other} `));
    const acted = actor && words.length >= 2 && groupNotice.test(name);
    if (acted || /["“”„«»「」『』]/.test(name)) names.delete(name);
  }
}

/** The group's name in the notice of its making: `Boris created group “Climbing”`. */
function quotedTitle(notice: string): string | null {
  const match = /^[^:]{1,120}["“„«「]([^"“”„«»「」]{1,100})["”“»」]\s*[.。]?$/u.exec(
    notice.replace(/^[^:]{1,60}: /, ""),
  );
  return match === null ? null : cleanLine(match[1] ?? "");
}
