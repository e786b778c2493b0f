import type { RecordFlag } from "#contract";
import { cleanText } from "../text/clean.ts";
import { withoutMarks } from "./header.ts";
import {
  anyLocation,
  attachedWords,
  beforeEdited,
  beforeOmitted,
  callNotice,
  isDeleted,
  isOmitted,
  locationLine,
  missedNotice,
  phraseKey,
  pollOf,
} from "./words.ts";

/** What a message says, without the words of the application. */
export interface Content {
  /** Null when only a file, a place or a deletion is there. */
  readonly text: string | null;
  readonly flags: readonly RecordFlag[];
  /** Files that the message names and that lie beside the chat. */
  readonly files: readonly string[];
  /** Files that it names, or media that was left out (null: no name is told). */
  readonly missing: readonly (string | null)[];
  readonly place: { readonly lat: number; readonly lon: number } | null;
  readonly links: readonly string[];
  /** Something that people write or send; false: the application's own line, if it is marked as one. */
  readonly personal: boolean;
}

const nothing: Content = { text: null, flags: [], files: [], missing: [], place: null, links: [], personal: true };

/** File names that WhatsApp gives, so that one is known as a file even where it is not there. */
const mediaName = /^(?:[A-Z]{3}-\d{8}-WA\d{4,}\.|\d{8}-(?:PHOTO|VIDEO|AUDIO|GIF|STICKER)-|.+\.vcf$)/i;

/**
 * Reads the text of a message. `lies` tells whether a file of that name lies beside the chat: the best proof that words
 * are the name of an attachment, in any language.
 */
export function readContent(raw: string, lies: (name: string) => boolean): Content {
  const edited = beforeEdited(raw);
  const marked = (edited ?? raw).trim();
  const text = cleanText(withoutMarks(marked)).trim();
  const flags: RecordFlag[] = edited === null ? [] : ["edited"];
  if (isDeleted(text)) return { ...nothing, flags: [...flags, "deleted"] };
  return readFiles(marked, text, flags, lies) ?? readOmitted(marked, text, flags) ?? readWords(marked, text, flags);
}

function captioned(caption: string, flags: RecordFlag[], files: string[], missing: (string | null)[]): Content {
  const text = cleanText(withoutMarks(caption)).trim();
  const all: RecordFlag[] = missing.length > 0 ? [...flags, "missing-media"] : flags;
  return { ...nothing, text: text === "" ? null : text, flags: all, files, missing };
}

function readFiles(marked: string, text: string, flags: RecordFlag[], lies: (name: string) => boolean): Content | null {
  // iOS: `<attached: FILE>`, the word in any language, the caption before or after.
  for (const match of marked.matchAll(/[\u200e\u200f]?<[^:：<>\n]{1,40}[:：] ?([^<>\n]{1,255})>/g)) {
    const name = withoutMarks(match[1] ?? "")
      .trim()
      .normalize("NFC");
    const there = lies(name);
    if (!there && !(/^[\u200e\u200f]/.test(match[0]) && /\.[A-Za-z0-9]{2,5}$/.test(name))) continue;
    const caption = `${marked.slice(0, match.index)}\n${marked.slice(match.index + match[0].length)}`;
    return captioned(caption, flags, there ? [name] : [], there ? [] : [name]);
  }
  // Android: `FILE (file attached)`, the caption on the lines below.
  const end = text.indexOf("\n");
  const line = (end < 0 ? text : text.slice(0, end)).trim();
  const caption = end < 0 ? "" : text.slice(end + 1);
  const match = line.length > 320 ? null : /^(.{1,255}?) \(([^()]{2,40})\)$/.exec(line);
  const name = (match?.[1] ?? line).normalize("NFC");
  if (name.length <= 255 && name.includes(".") && lies(name)) return captioned(caption, flags, [name], []);
  if (match === null || !/\.[A-Za-z0-9]{1,6}$/.test(name)) return null;
  return attachedWords.has(phraseKey(match[2] ?? "")) || mediaName.test(name)
    ? captioned(caption, flags, [], [name])
    : null;
}

function readOmitted(marked: string, text: string, flags: RecordFlag[]): Content | null {
  const end = text.indexOf("\n");
  if (isOmitted(end < 0 ? text : text.slice(0, end))) {
    return captioned(end < 0 ? "" : text.slice(end + 1), flags, [], [null]);
  }
  const before = marked.length > 5_000 ? null : beforeOmitted(marked);
  if (before === null) return null;
  // `Report.pdf • 3 pages document omitted`: the name of a document stands before.
  const document = /^[\u200e\u200f]?([^\n•]{1,250}\.[A-Za-z0-9]{2,5}) • /.exec(before);
  if (document === null) return captioned(before, flags, [], [null]);
  return captioned("", flags, [], [withoutMarks(document[1] ?? "").trim()]);
}

function readWords(marked: string, text: string, flags: RecordFlag[]): Content {
  const poll = pollOf(text);
  if (poll !== null) return captioned(poll.lines.join("\n"), [...flags, "poll"], [], []);
  const place = text.includes("\n") ? null : readPlace(text, /^[\u200e\u200f]/.test(marked));
  if (place !== null) return { ...nothing, ...place, flags };
  const call: RecordFlag[] = callNotice.test(text) && text.length < 200 ? ["call"] : [];
  if (call.length > 0 && missedNotice.test(text)) call.push("missed");
  return { ...nothing, text: text === "" ? null : text, flags: [...flags, ...call], personal: false };
}

/** `location: https://maps…?q=1.5,2.5`, perhaps with the place's name before the link. */
function readPlace(text: string, marked: boolean): Pick<Content, "text" | "place" | "links"> | null {
  const said = locationLine.exec(text)?.[1] ?? (marked ? anyLocation.exec(text)?.[1] : undefined);
  const link = said === undefined ? null : /https:\/\/\S{1,500}/.exec(said);
  if (said === undefined || link === null) return null;
  const at = /[?&@/=](-?\d{1,2}(?:\.\d+)?),(-?\d{1,3}(?:\.\d+)?)/.exec(link[0]);
  const [lat, lon] = [Number(at?.[1]), Number(at?.[2])];
  const name = said.slice(0, link.index).replace(/[(\s]+$/, "");
  const known = Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
  // "Location: https://…" of a video call is what somebody typed.
  if (!known && !/^https:\/\/[^/]*(?:maps|foursquare|goo\.gl)/i.test(link[0])) return null;
  return { text: name === "" ? null : name, place: known ? { lat, lon } : null, links: [link[0].replace(/\)$/, "")] };
}
