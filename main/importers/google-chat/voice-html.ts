import { Parser } from "htmlparser2";
import type { Entry } from "../types.ts";

/** One text, call or voicemail of a Google Voice page. */
export interface VoiceItem {
  name: string | null;
  /** Telephone number with +, or null. */
  tel: string | null;
  me: boolean;
  /** ISO 8601 with an offset, as written. */
  time: string | null;
  text: string;
  /** Names of files, some of them without an ending. */
  files: string[];
  duration: string | null;
}

export interface VoicePage {
  readonly kind: "texts" | "call" | null;
  readonly items: readonly VoiceItem[];
  /** The people of a group conversation. */
  readonly people: readonly { readonly name: string | null; readonly tel: string | null }[];
  /** `missed`, `placed`, `received`, `voicemail`, `recorded`, `inbox` …, from the addresses of the labels. */
  readonly labels: readonly string[];
  readonly title: string;
}

const emptyItem = (): VoiceItem => ({
  name: null,
  tel: null,
  me: false,
  time: null,
  text: "",
  files: [],
  duration: null,
});
const maxItems = 1_000_000;

/** Reads a page by its classes, which do not depend on the language. Throws what reading the file throws. */
export async function readVoicePage(entry: Entry): Promise<VoicePage> {
  const items: VoiceItem[] = [];
  const people: { name: string | null; tel: string | null }[] = [];
  const labels: string[] = [];
  let kind: VoicePage["kind"] = null;
  let title = "";
  let item: VoiceItem | null = null;
  let inPeople = false;
  let inside: "title" | "name" | "text" | "none" = "none";
  let until = "";
  const parser = new Parser({
    onopentag(tag, attributes) {
      const classes = new Set((attributes.class ?? "").split(/\s+/));
      if (classes.has("hChatLog")) kind = "texts";
      if (classes.has("haudio")) {
        kind = "call";
        item = emptyItem();
        items.push(item);
      }
      if (tag === "div" && classes.has("message")) {
        item = emptyItem();
        if (items.length < maxItems) items.push(item);
      }
      if (classes.has("participants")) inPeople = true;
      if (classes.has("tags")) inPeople = false;
      if (tag === "title") [inside, until] = ["title", tag];
      if (tag === "a" && attributes.rel === "tag")
        labels.push(/#(\w{1,40})$/.exec(attributes.href ?? "")?.[1]?.toLowerCase() ?? "");
      if (tag === "a" && classes.has("tel")) {
        const tel = (attributes.href ?? "").replace(/^tel:/, "").trim();
        if (inPeople) people.push({ name: null, tel: tel || null });
        else if (item !== null) item.tel ??= tel || null;
      }
      // The owner's name is an <abbr>, everyone else's a <span>.
      if (classes.has("fn") && (inPeople || item !== null)) {
        const belongs = kind === "texts" || parents.some((one) => one.split(" ").includes("contributor")) || inPeople;
        if (belongs) {
          [inside, until] = ["name", tag];
          if (tag === "abbr" && item !== null && !inPeople) item.me = true;
        }
      }
      if ((classes.has("dt") || classes.has("published")) && item !== null) item.time ??= attributes.title ?? null;
      if (classes.has("duration") && item !== null) item.duration ??= attributes.title ?? null;
      if ((tag === "q" || classes.has("full-text")) && item !== null) [inside, until] = ["text", tag];
      if (tag === "br" && inside === "text" && item !== null) item.text += "\n";
      const source =
        tag === "img" || tag === "audio"
          ? attributes.src
          : tag === "a" && /video|audio|vcard|file/.test(attributes.class ?? "")
            ? attributes.href
            : undefined;
      if (source && item !== null && !inPeople && !/^(?:https?|tel):/.test(source)) item.files.push(decode(source));
      if (tag !== "br" && tag !== "img" && parents.length < 200) parents.push([...classes].join(" "));
    },
    ontext(text) {
      if (inside === "title" && title.length < 1_000) title += text;
      if (inside === "text" && item !== null) item.text += text;
      if (inside !== "name") return;
      const person = inPeople ? people.at(-1) : item;
      if (person) person.name = (person.name ?? "") + text;
    },
    onclosetag(tag) {
      if (tag !== "br" && tag !== "img") parents.pop();
      if (tag === until) [inside, until] = ["none", ""];
    },
  });
  const parents: string[] = [];
  const decoder = new TextDecoder();
  for await (const chunk of entry.stream()) parser.write(decoder.decode(chunk, { stream: true }));
  parser.end(decoder.decode());
  return { kind, items, people, labels, title: title.trim() };
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name).normalize("NFC");
  } catch {
    return name.normalize("NFC");
  }
}
