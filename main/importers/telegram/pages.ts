import { Parser } from "htmlparser2";
import type { Entry } from "../types.ts";

/**
 * Pages of an HTML export as messages, streamed. What the pages hold is given in the form of result.json
 * (`export_output_html.cpp` writes the one, `export_output_json.cpp` the other), so that one reader serves both.
 */

/** A message as its page shows it. Absent means: the page does not say. */
export interface PageMessage {
  id: string;
  service: boolean;
  /** The page leaves the sender out, because it is that of the message above. */
  joined: boolean;
  /** `title` of the date: `29.10.2023 02:30:00 UTC+02:00`. */
  date: string | null;
  from: string;
  /** Null: not forwarded. "": forwarded by the same as the message above. */
  forwarded: string | null;
  text: string;
  links: { text: string; href: string }[];
  reply: string | null;
  /** Addresses of what was sent, with the kind of it: `photo_wrap`, `media_voice_message` … */
  media: { kind: string; href: string | null; title: string; description: string; status: string }[];
  question: string;
  answers: string[];
  signature: string;
  reactions: { emoji: string; count: string; by: string[] }[];
}

export interface PageItem {
  /** The chat's title, from the page's head. */
  readonly title?: string;
  readonly message?: PageMessage;
}

const blank = (id: string, classes: ReadonlySet<string>): PageMessage => ({
  id,
  service: classes.has("service"),
  joined: classes.has("joined"),
  date: null,
  from: "",
  forwarded: null,
  text: "",
  links: [],
  reply: null,
  media: [],
  question: "",
  answers: [],
  signature: "",
  reactions: [],
});

/** What the text inside an element is. */
type Role =
  | "none"
  | "head"
  | "title"
  | "notice"
  | "from"
  | "forwarder"
  | "text"
  | "mediaTitle"
  | "description"
  | "status"
  | "question"
  | "answer"
  | "signature"
  | "emoji"
  | "count";

interface Open {
  readonly role: Role;
  readonly pre: boolean;
  /** The message that ends with it. */
  readonly message: boolean;
}

/** Characters of one text, elements one in another. */
const maxText = 1_000_000;
const maxDepth = 500;
const maxListed = 1_000;

class PageReader {
  items: PageItem[] = [];
  #stack: Open[] = [];
  #message: PageMessage | null = null;
  #title = "";
  #forwarded = 0;
  #links: { from: number; href: string }[] = [];

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const classes = new Set((attributes.class ?? "").split(/\s+/));
    const above = this.#stack.at(-1);
    const id = /^message(-?\d{1,20})$/.exec(attributes.id ?? "")?.[1];
    const begins = id !== undefined && classes.has("message");
    if (begins) {
      this.#end();
      this.#message = blank(id, classes);
      this.#forwarded = 0;
    }
    const role = begins ? "none" : this.#role(name, classes, attributes, above?.role ?? "none");
    if (this.#stack.length > maxDepth) throw new RangeError("its elements are nested too deep");
    this.#stack.push({ role, pre: (above?.pre ?? false) || name === "pre", message: begins });
    if (name === "br" && role === "text") this.#add(role, "\n", true);
  }

  #role(name: string, classes: ReadonlySet<string>, attributes: Readonly<Record<string, string>>, above: Role): Role {
    const message = this.#message;
    if (classes.has("page_header")) return "head";
    if (message === null) return above === "head" && classes.has("text") ? "title" : above;
    if (message.service) return classes.has("body") ? "notice" : classes.has("userpic_wrap") ? "none" : above;
    if (classes.has("date")) {
      if (this.#forwarded === 0 && classes.has("pull_right")) message.date = attributes.title ?? null;
      return "none";
    }
    if (classes.has("forwarded") && classes.has("body")) {
      message.forwarded = "";
      this.#forwarded = this.#stack.length + 1;
      return "none";
    }
    if (classes.has("from_name")) return this.#forwarded > 0 ? "forwarder" : "from";
    if (classes.has("initials")) {
      const reaction = message.reactions.at(-1);
      if (above === "emoji" || above === "count" || reaction === undefined) return "none";
      if (attributes.title && reaction.by.length < maxListed) reaction.by.push(attributes.title);
      return "none";
    }
    if (classes.has("userpic_wrap") || classes.has("userpics")) return "none";
    if (classes.has("reply_to")) return "none";
    if (classes.has("signature")) return "signature";
    if (classes.has("reaction")) {
      if (message.reactions.length < maxListed) message.reactions.push({ emoji: "", count: "", by: [] });
      return "none";
    }
    if (classes.has("emoji") && message.reactions.length > 0) return "emoji";
    if (classes.has("count") && message.reactions.length > 0) return "count";
    const kind = [...classes].find((one) => /^(?:media_(?!wrap|poll)\w+|\w+_wrap)$/.test(one) && one !== "media_wrap");
    if (kind !== undefined && message.media.length < maxListed) {
      message.media.push({ kind, href: attributes.href ?? null, title: "", description: "", status: "" });
      return "none";
    }
    if (classes.has("question")) return "question";
    if (classes.has("answer")) {
      if (message.answers.length < maxListed) message.answers.push("");
      return "answer";
    }
    if (above === "answer" && classes.has("details")) return "none";
    if (message.media.length > 0 && above !== "text") {
      if (classes.has("title")) return "mediaTitle";
      if (classes.has("description")) return "description";
      if (classes.has("status") || classes.has("video_duration")) return "status";
    }
    if (classes.has("text")) return "text";
    if (name === "a") this.#link(attributes, above);
    return above;
  }

  #link(attributes: Readonly<Record<string, string>>, above: Role): void {
    const message = this.#message;
    const href = attributes.href ?? "";
    if (message === null) return;
    if (above !== "text") {
      const reply = /(?:GoToMessage\(|#go_to_message)(-?\d{1,20})/.exec(`${attributes.onclick ?? ""} ${href}`)?.[1];
      if (reply !== undefined) message.reply ??= reply;
    } else if (/^(?:https?|mailto|tel|tg):/i.test(href) && message.links.length < maxListed) {
      this.#links.push({ from: message.text.length, href });
    }
  }

  text(said: string): void {
    const above = this.#stack.at(-1);
    if (above !== undefined) this.#add(above.role, said, above.pre);
  }

  #add(role: Role, said: string, pre: boolean): void {
    if (role === "title") this.#title = folded(this.#title, said);
    const message = this.#message;
    if (message === null) return;
    const media = message.media.at(-1);
    const reaction = message.reactions.at(-1);
    if (role === "notice") message.text = folded(message.text, said);
    else if (role === "text") message.text = pre ? (message.text + said).slice(0, maxText) : folded(message.text, said);
    else if (role === "from") message.from = folded(message.from, said);
    else if (role === "forwarder") message.forwarded = folded(message.forwarded ?? "", said);
    else if (role === "question") message.question = folded(message.question, said);
    else if (role === "answer") message.answers.push(folded(message.answers.pop() ?? "", said));
    else if (role === "signature") message.signature = folded(message.signature, said);
    else if (role === "mediaTitle" && media) media.title = folded(media.title, said);
    else if (role === "description" && media) media.description = folded(media.description, said);
    else if (role === "status" && media) media.status = folded(media.status, said);
    else if (role === "emoji" && reaction) reaction.emoji = folded(reaction.emoji, said);
    else if (role === "count" && reaction) reaction.count = folded(reaction.count, said);
  }

  close(name: string): void {
    const closed = this.#stack.pop();
    const message = this.#message;
    if (name === "a" && closed?.role === "text" && message !== null) {
      const link = this.#links.pop();
      if (link) message.links.push({ text: message.text.slice(link.from).trim(), href: link.href });
    }
    if (closed?.role === "title" && this.#stack.at(-1)?.role !== "title") this.#tell();
    if (this.#forwarded > this.#stack.length) this.#forwarded = 0;
    if (closed?.message) this.#end();
  }

  #tell(): void {
    const title = this.#title.trim();
    if (title !== "") this.items.push({ title });
    this.#title = "";
  }

  #end(): void {
    const message = this.#message;
    this.#links = [];
    if (message !== null) this.items.push({ message: { ...message, text: trimmed(message.text) } });
    this.#message = null;
  }

  /** What a page that breaks off has begun. */
  finish(): void {
    this.#end();
  }
}

/** Blanks and line ends in HTML's source are one blank. */
function folded(before: string, said: string): string {
  const more = said.replace(/[ \t\r\n]+/g, " ");
  const joined = /(?:^|[ \n])$/.test(before) ? before + more.replace(/^ /, "") : before + more;
  return joined.length > maxText ? joined.slice(0, maxText) : joined;
}

const trimmed = (text: string) => text.replace(/ +\n/g, "\n").trim();

/** Streams the title and the messages of a page, as far as they can be read. Throws what reading throws. */
export async function* pageItems(page: Entry): AsyncGenerator<PageItem> {
  const reader = new PageReader();
  const parser = new Parser(
    {
      onopentag: (name, attributes) => reader.open(name, attributes),
      ontext: (said) => reader.text(said),
      onclosetag: (name) => reader.close(name),
    },
    { decodeEntities: true, lowerCaseTags: true },
  );
  const decoder = new TextDecoder();
  for await (const chunk of page.stream()) {
    parser.write(decoder.decode(chunk, { stream: true }));
    yield* reader.items;
    reader.items = [];
  }
  parser.write(decoder.decode());
  parser.end();
  reader.finish();
  yield* reader.items;
}
