import { htmlToPlain } from "../text/html.ts";

/** ENML, the XHTML of Evernote's notes (xml.evernote.com/pub/enml2.dtd): to-dos, places of files, encrypted passages. */
export interface NoteText {
  readonly text: string | null;
  readonly items: { readonly text: string; readonly checked: boolean }[];
  /** MD5 of the files that the note shows, in order. */
  readonly shown: string[];
  readonly encrypted: boolean;
}

const open = "☐ ";
const done = "☑ ";

/** The text of a note as shown; a to-do begins with a box and is an item besides. Never throws. */
export function noteText(enml: string): NoteText {
  const shown = [...enml.matchAll(/<en-media\b[^<>]{0,2000}?\bhash\s*=\s*["']([0-9a-fA-F]{32})["']/g)].map((match) =>
    (match[1] ?? "").toLowerCase(),
  );
  const encrypted = /<en-crypt\b/.test(enml);
  const html = enml
    .replace(/<\?xml[^>]*\?>|<!DOCTYPE[^>]*>/g, "")
    .replace(/<en-todo\b([^<>]*)\/?>(?:\s*<\/en-todo>)?/g, (_, attributes: string) =>
      /checked\s*=\s*["']true["']/i.test(attributes) ? done : open,
    )
    // Since version 10 to-dos are list items with a style.
    .replace(
      /<li\b[^<>]*--en-checked:\s*(true|false)[^<>]*>/g,
      (_, checked: string) => `<li>${checked === "true" ? done : open}`,
    )
    .replace(/<en-crypt\b[^<>]*>[^<]*<\/en-crypt>/g, "")
    .replace(/<en-media\b[^<>]*\/?>/g, "");
  const text = htmlToPlain(html);
  const items: NoteText["items"] = [];
  for (const line of text.split("\n")) {
    const match = /^[\s*•-]*([☐☑]) ?(.*)$/u.exec(line);
    if (match?.[2]?.trim() && items.length < 5_000)
      items.push({ text: match[2].trim(), checked: match[1] === done.trim() });
  }
  return { text: text === "" ? null : text, items, shown: [...new Set(shown)], encrypted };
}
