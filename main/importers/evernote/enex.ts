import { createHash } from "node:crypto";
import { xmlEvents } from "../text/xml.ts";
import type { Entry } from "../types.ts";

/** A file inside a note. */
export interface Resource {
  readonly md5: string;
  readonly bytes: Uint8Array | null;
  /** Bytes as the file says it; of one that is too large only this is known. */
  readonly size: number;
  readonly mime: string | null;
  readonly name: string | null;
}

/** A note as the file holds it; times as written. */
export interface EnexNote {
  readonly fields: ReadonlyMap<string, string>;
  readonly tags: readonly string[];
  readonly tasks: readonly { readonly text: string; readonly checked: boolean }[];
  readonly resources: readonly Resource[];
}

/** Files of one note that are held at once, bytes; more of them are listed without being read. */
const heldBytes = 128 * 1024 * 1024;
const fileBytes = 48 * 1024 * 1024;
const maxText = 16 * 1024 * 1024;
const maxList = 2_000;

/** Fields of a note and of its attributes that are texts. */
const simple = new Set(
  "title content created updated latitude longitude altitude author source-url place-name reminder-time reminder-done-time".split(
    " ",
  ),
);

/**
 * Notes of an .enex file one after the other, each when it ends. Throws `damaged_file` where the XML breaks, after all
 * notes that stood before, and `limit_exceeded` for what is too deep or too large.
 */
export async function* enexNotes(entry: Entry): AsyncGenerator<EnexNote> {
  let note: Draft | null = null;
  let text: string[] = [];
  let length = 0;
  const path: string[] = [];
  for await (const event of xmlEvents(entry)) {
    if (event.type === "text") {
      if (note === null) continue;
      const most = path.at(-1) === "data" ? (fileBytes * 4) / 3 + 1024 : maxText;
      length += event.text.length;
      if (length <= most) text.push(event.text);
      continue;
    }
    if (event.type === "open") {
      if (event.name === "note") note = new Draft();
      path.push(event.name);
      text = [];
      length = 0;
      continue;
    }
    const name = path.pop() ?? "";
    if (note !== null) {
      if (name === "note") {
        yield note;
        note = null;
      } else note.take(name, path, text, length);
    }
    text = [];
    length = 0;
  }
}

interface Part {
  bytes: Uint8Array | null;
  size: number;
  mime: string | null;
  name: string | null;
  md5: string;
}

const emptyPart = (): Part => ({ bytes: null, size: 0, mime: null, name: null, md5: "" });

class Draft implements EnexNote {
  readonly fields = new Map<string, string>();
  readonly tags: string[] = [];
  readonly tasks: { text: string; checked: boolean }[] = [];
  readonly resources: Resource[] = [];
  #part = emptyPart();
  #task = { text: "", checked: false };
  #held = 0;

  /** Takes an element in that has ended; `length` is that of its whole text, of which `parts` may be the beginning. */
  take(name: string, path: readonly string[], parts: readonly string[], length: number): void {
    const parent = path.at(-1);
    if (parent === "note" || parent === "note-attributes") {
      if (name === "tag" && this.tags.length < maxList) this.tags.push(parts.join(""));
      else if (name === "resource") this.#keepResource();
      else if (name === "task") this.#keepTask();
      else if (simple.has(name) && !this.fields.has(name)) this.fields.set(name, parts.join(""));
    } else if (parent === "resource") {
      if (name === "data") this.#data(parts, length);
      else if (name === "mime") this.#part.mime = parts.join("").trim() || null;
    } else if (parent === "resource-attributes" && name === "file-name") this.#part.name = parts.join("");
    else if (parent === "task" && name === "title") this.#task.text = parts.join("").trim();
    else if (parent === "task" && name === "taskStatus") this.#task.checked = /completed/i.test(parts.join(""));
  }

  #data(parts: readonly string[], length: number): void {
    const size = Math.floor((length * 3) / 4);
    const whole = parts.reduce((sum, part) => sum + part.length, 0) === length;
    if (!whole || this.#held + size > heldBytes) {
      this.#part.size = size;
      return;
    }
    const bytes = Buffer.from(parts.join(""), "base64");
    this.#held += bytes.length;
    this.#part.bytes = bytes;
    this.#part.size = bytes.length;
    this.#part.md5 = createHash("md5").update(bytes).digest("hex");
  }

  #keepResource(): void {
    if (this.resources.length < maxList) this.resources.push(this.#part);
    this.#part = emptyPart();
  }

  #keepTask(): void {
    if (this.#task.text !== "" && this.tasks.length < maxList) this.tasks.push(this.#task);
    this.#task = { text: "", checked: false };
  }
}
