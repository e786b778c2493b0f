import { cleanLine } from "../text/clean.ts";
import { decodeRaw, decodeWords } from "./headers.ts";
import { lately } from "./lately.ts";

export interface Mailbox {
  readonly name: string | null;
  /** Lower-cased in the domain; null when the source gives only a name. */
  readonly address: string | null;
}

/** `guessed`: a name's charset had to be guessed. */
interface AddressList {
  readonly mailboxes: readonly Mailbox[];
  readonly guessed: boolean;
}

/** Addresses of one field above this are left out. */
const maxMailboxes = 5_000;

function cleanAddress(raw: string): string | null {
  // A source route (RFC 5322 §4.4) stands before the address proper.
  const text = decodeRaw(raw.replace(/^\s*@[^:]*:/, "").replace(/\s+/g, "")).text.replace(/^mailto:/i, "");
  const line = cleanLine(text);
  if (line === null || line === "") return null;
  const at = line.lastIndexOf("@");
  return (at < 0 ? line : line.slice(0, at) + line.slice(at).toLowerCase()).slice(0, 320);
}

function cleanName(raw: string): { name: string | null; guessed: boolean } {
  const { text, guessed } = decodeWords(raw.trim());
  const name = cleanLine(text)?.replace(/^'(.+)'$/, "$1") ?? null;
  return { name: name === "" ? null : name, guessed };
}

interface Draft {
  phrase: string;
  angle: string | null;
  comment: string;
  quoted: boolean;
}

const empty = (): Draft => ({ phrase: "", angle: null, comment: "", quoted: false });

/**
 * Parses an address list (RFC 5322 §3.4) before any word is decoded, so that a comma or a bracket inside an encoded
 * name stays a part of the name. Groups are flattened; an empty group gives nobody.
 */
export function parseAddresses(binary: string | null): AddressList {
  return binary === null ? nobody : listOf(binary);
}

const nobody: AddressList = { mailboxes: [], guessed: false };

const listOf = lately(2_000, 300, readAddresses);

function readAddresses(binary: string): AddressList {
  const drafts = tokenise(binary);
  const mailboxes: Mailbox[] = [];
  let guessed = false;
  const name = (raw: string) => {
    const cleaned = cleanName(raw);
    guessed ||= cleaned.guessed;
    return cleaned.name;
  };
  for (let i = 0; i < drafts.length && mailboxes.length < maxMailboxes; i++) {
    let draft = drafts[i];
    if (draft === undefined) continue;
    const next = drafts[i + 1];
    // `Vale, Ines <ines@…>`: a comma in an unquoted name, which some programs write.
    if (isBareName(draft) && next !== undefined && next.angle !== null && !next.quoted && next.phrase.trim() !== "") {
      draft = { ...next, phrase: `${draft.phrase.trim()}, ${next.phrase.trim()}` };
      i++;
    }
    const mailbox = finish(draft, name);
    if (mailbox.name !== null || mailbox.address !== null) mailboxes.push(mailbox);
  }
  return { mailboxes, guessed };
}

function isBareName(draft: Draft): boolean {
  return draft.angle === null && !draft.quoted && !/[@?]/.test(draft.phrase) && draft.phrase.trim() !== "";
}

function finish(draft: Draft, name: (raw: string) => string | null): Mailbox {
  const { phrase, angle, comment } = draft;
  if (angle !== null) {
    const address = cleanAddress(angle);
    const shown = name(phrase) ?? name(comment);
    return { name: shown?.toLowerCase() === address?.toLowerCase() ? null : shown, address };
  }
  const words = phrase.trim().split(/\s+/);
  const address = words.find((word) => /^[^@\s]+@[^@\s]+$/.test(word) && !word.startsWith("=?"));
  if (address !== undefined) {
    const rest = words.filter((word) => word !== address).join(" ");
    return { name: name(rest) ?? name(comment), address: cleanAddress(address) };
  }
  return { name: name(phrase) ?? name(comment), address: null };
}

function tokenise(text: string): Draft[] {
  const drafts: Draft[] = [];
  let draft = empty();
  let state: "phrase" | "quote" | "angle" | "comment" = "phrase";
  let depth = 0;
  // A quote that never ends would swallow the list: then quotes are ordinary characters.
  const quotes = (text.match(/(?<!\\)"/g) ?? []).length % 2 === 0;
  const end = () => {
    drafts.push(draft);
    draft = empty();
  };
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? "";
    if (state === "comment") {
      if (char === "\\") draft.comment += text[++i] ?? "";
      else if (char === "(") depth++;
      else if (char === ")" && --depth === 0) state = "phrase";
      else draft.comment += char;
    } else if (state === "quote") {
      if (char === "\\") draft.phrase += text[++i] ?? "";
      else if (char === '"') state = "phrase";
      else draft.phrase += char;
    } else if (state === "angle") {
      if (char === ">") state = "phrase";
      else draft.angle = (draft.angle ?? "") + char;
    } else if (char === '"') {
      if (quotes) {
        state = "quote";
        draft.quoted = true;
      }
    } else if (char === "(") {
      state = "comment";
      depth = 1;
      if (draft.comment !== "") draft.comment += " ";
    } else if (char === "<") {
      state = "angle";
      draft.angle = "";
    } else if (char === "," || char === ";") end();
    else if (char === ":" && draft.angle === null && !/@|^\s*mailto$/i.test(draft.phrase)) draft = empty();
    else draft.phrase += char;
  }
  end();
  return drafts;
}
