import { Parser } from "htmlparser2";
import { cleanText } from "../text/clean.ts";

/** What the markup of a Skype message says. */
export interface SkypeContent {
  readonly text: string;
  /** Addresses that do not stand in the text. */
  readonly links: readonly string[];
  /** Name of the file of a picture, film or document. */
  readonly file: string | null;
  /** The message was changed after it was sent. */
  readonly edited: boolean;
  /** People of calls and of changes in the group, by user id. */
  readonly people: readonly string[];
  /** New title of a group. */
  readonly title: string | null;
  /** `started`, `ended`, `missed` … of a call. */
  readonly call: string | null;
  /** Seconds. */
  readonly duration: number | null;
  /** Id of the quoted message. */
  readonly quotes: string | null;
}

/** Elements whose text nobody sees: marks of edits, and times of calls and changes. */
const silent = new Set("legacyquote e_m eventtime initiator meta title description partlist duration".split(" "));

/** Reads the mixture of HTML and own elements that stands in `content`. Never throws. */
export function readContent(content: string, plain: boolean): SkypeContent {
  const links: string[] = [];
  const people = new Set<string>();
  let [text, quoted, title] = ["", "", ""];
  let file: string | null = null;
  let call: string | null = null;
  let duration: number | null = null;
  let quotes: string | null = null;
  let edited = false;
  const open: string[] = [];
  const within = (name: string) => open.includes(name);
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        if (open.length < 200) open.push(tag);
        if (tag === "br" || (tag === "p" && text !== "")) text += "\n";
        if (tag === "e_m") edited = true;
        if (tag === "originalname" && attributes.v) file = attributes.v;
        if (tag === "uriobject" && attributes.uri) links.push(attributes.uri);
        if (tag === "a" && attributes.href) links.push(attributes.href);
        if (tag === "partlist") call = attributes.type ?? "";
        if (tag === "part" && attributes.identity) people.add(attributes.identity);
        if (tag === "quote") quotes = attributes.messageid ?? null;
      },
      ontext(value) {
        if (within("duration") && duration === null && /^\s*\d/.test(value)) duration = Number.parseFloat(value);
        else if (within("topicupdate") && within("value")) title += value;
        else if (within("target") || within("deletemember")) people.add(value.trim());
        else if (within("uriobject") || open.some((tag) => silent.has(tag))) return;
        else if (within("quote")) quoted += value;
        else text += value;
      },
      onclosetag(tag) {
        const at = open.lastIndexOf(tag);
        if (at >= 0) open.splice(at);
      },
    },
    { lowerCaseTags: true, lowerCaseAttributeNames: true, decodeEntities: true },
  );
  if (plain) text = content;
  else parser.end(content);
  const own = cleanText(text).trim();
  const above = cleanText(quoted).trim().replace(/^/gm, "> ");
  const whole = quoted.trim() === "" ? own : `${above}\n${own}`.trimEnd();
  return {
    text: whole,
    links: [...new Set(links)].filter((link) => /^https?:/i.test(link) && !whole.includes(link)),
    file,
    edited,
    people: [...people].filter((id) => id !== "" && id.length < 200).slice(0, 100),
    title: title === "" ? null : title.slice(0, 500),
    call,
    duration: duration !== null && Number.isFinite(duration) && duration >= 0 ? duration : null,
    quotes,
  };
}
