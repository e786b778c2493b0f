import type { Attachment, RecordFlag } from "#contract";
import { decodeText } from "../text/charset.ts";
import { cleanLine, cleanText, sha256 } from "../text/clean.ts";
import { htmlToPlain } from "../text/html.ts";
import { limits } from "../types.ts";
import { unflow } from "./flowed.ts";
import { decodeWords, first } from "./headers.ts";
import { type Part, parseMime } from "./mime.ts";
import { signedContent } from "./pkcs7.ts";
import { decodeTransfer } from "./transfer.ts";

/** What a message shows and carries. */
export interface Body {
  text: string;
  attachments: Attachment[];
  /** Bytes of messages inside this one, as they stand. */
  messages: Buffer[];
  flags: Set<RecordFlag>;
}

/** Readable text of an attached file above this is not kept; the file stays where it is. */
const maxAttachedText = 200_000;

/** Text, or HTML that becomes text only when it is the one to be shown. */
type Written = string | { readonly html: string };

interface Collected {
  readonly texts: Written[];
  readonly html: string[];
  /** Attachments with the ids by which HTML may show them. */
  readonly files: { attachment: Attachment; ids: readonly string[] }[];
  readonly messages: Buffer[];
  readonly flags: Set<RecordFlag>;
}

const none = (): Collected => ({ texts: [], html: [], files: [], messages: [], flags: new Set() });

/** Reads the body of a parsed message: one text, the attachments, the messages inside, and what it says of itself. */
export function readBody(root: Part): Body {
  const found = none();
  collect(root, found, true, 0);
  const shown = shownIds(found.html);
  const attachments = found.files.map(({ attachment, ids }) =>
    ids.some((id) => shown.has(id)) ? { ...attachment, inline: true } : attachment,
  );
  const texts = found.texts.map(plainOf).filter((part) => part !== "");
  const text = cleanText(texts.join("\n\n")).replace(/^\n+/, "");
  if (/^-----BEGIN PGP MESSAGE-----/m.test(text)) found.flags.add("encrypted");
  if (/^-----BEGIN PGP SIGNED MESSAGE-----/m.test(text)) found.flags.add("signed");
  return { text, attachments, messages: found.messages, flags: found.flags };
}

function merge(into: Collected, from: Collected): void {
  into.texts.push(...from.texts);
  into.html.push(...from.html);
  into.files.push(...from.files);
  into.messages.push(...from.messages);
  for (const flag of from.flags) into.flags.add(flag);
}

function collect(part: Part, into: Collected, isRoot: boolean, depth: number): void {
  if (part.damaged) into.flags.add("damaged");
  const type = part.type.value;
  if (part.children.length > 0) {
    if (type === "multipart/alternative") {
      collectAlternative(part, into, depth);
      return;
    }
    if (type === "multipart/encrypted") {
      into.flags.add("encrypted");
      return;
    }
    const signed = type === "multipart/signed";
    if (signed) into.flags.add("signed");
    for (const child of part.children) {
      if (signed && /^application\/(?:pgp-signature|(?:x-)?pkcs7-signature)$/.test(child.type.value)) continue;
      collect(child, into, false, depth);
    }
    return;
  }
  if (/^application\/(?:x-)?pkcs7-mime$/.test(type)) {
    collectPkcs7(part, into, depth);
    return;
  }
  if (type === "message/rfc822" || type === "message/global") {
    into.messages.push(decodeTransfer(part.body, part.encoding).bytes);
    return;
  }
  const name = partName(part);
  const attached = part.disposition.value === "attachment" || (name !== null && !isRoot);
  if ((type === "text/plain" || type === "text/html" || type === "text/enriched") && !attached) {
    const text = readText(part, into);
    if (type === "text/html") {
      into.html.push(text);
      into.texts.push({ html: text });
    } else into.texts.push(text);
    return;
  }
  into.files.push(attachmentOf(part, name, into));
}

/** One text of several forms: the plain one, unless it is empty or only points to the HTML. */
function collectAlternative(part: Part, into: Collected, depth: number): void {
  const forms = part.children.map((child) => {
    const form = none();
    collect(child, form, false, depth);
    return form;
  });
  const written = (form: Collected) => form.texts.map(plainOf).join("").trim();
  const plain = forms.find((form) => form.html.length === 0 && written(form) !== "");
  const html = forms.findLast((form) => form.html.length > 0);
  const pointed = plain === undefined ? "" : written(plain);
  const useHtml =
    html !== undefined && (plain === undefined || (mayPointToHtml(pointed) && tellsMore(written(html), pointed)));
  const chosen = useHtml ? html : plain;
  for (const form of forms) {
    if (form !== chosen) form.texts.length = 0;
    merge(into, form);
  }
}

/** A plain part that only says "see the HTML part", in any language. */
function mayPointToHtml(plain: string): boolean {
  return plain.length < 400 && /html/i.test(plain);
}

function tellsMore(html: string, plain: string): boolean {
  return html.length > plain.length && !html.includes(plain);
}

function plainOf(written: Written): string {
  return typeof written === "string" ? cleanText(written) : htmlToPlain(written.html);
}

/** S/MIME (RFC 8551): what is signed stands inside and is read; what is enveloped cannot be. */
function collectPkcs7(part: Part, into: Collected, depth: number): void {
  const kind = part.type.params.get("smime-type")?.toLowerCase() ?? "";
  const bytes = decodeTransfer(part.body, part.encoding).bytes;
  const content = kind === "enveloped-data" || kind === "authenveloped-data" ? null : signedContent(bytes);
  if (content === null) {
    into.flags.add(kind === "signed-data" ? "signed" : "encrypted");
    return;
  }
  into.flags.add("signed");
  if (depth < limits.depth) collect(parseMime(content), into, true, depth + 1);
}

function readText(part: Part, into: Collected): string {
  const { bytes, damaged } = decodeTransfer(part.body, part.encoding);
  if (damaged) into.flags.add("damaged");
  const { text, guessed } = decodeText(bytes, part.type.params.get("charset") ?? null);
  if (guessed) into.flags.add("charset-guessed");
  if (part.type.value !== "text/plain" || part.type.params.get("format")?.toLowerCase() !== "flowed") return text;
  return unflow(text, part.type.params.get("delsp")?.toLowerCase() === "yes");
}

/** Content-Disposition's name beats Content-Type's; only the last part of a path is kept. */
function partName(part: Part): string | null {
  const name = part.disposition.params.get("filename") ?? part.type.params.get("name") ?? null;
  const line = name === null ? null : cleanLine(name);
  const last = line?.split(/[/\\]/).at(-1)?.trim() ?? "";
  return last === "" ? null : last.slice(0, 255);
}

function attachmentOf(part: Part, name: string | null, into: Collected): Collected["files"][number] {
  const mime = part.type.value;
  const missing = mime === "message/external-body";
  const { bytes, damaged } = missing
    ? { bytes: Buffer.alloc(0), damaged: false }
    : decodeTransfer(part.body, part.encoding);
  if (damaged) into.flags.add("damaged");
  const ids = [...contentIds(part)];
  const description = first(part.headers, "content-description");
  const attachment: Attachment = {
    name: name ?? (description === null ? null : cleanLine(decodeWords(description).text)),
    path: null,
    mime,
    bytes: missing ? null : bytes.length,
    sha256: missing ? null : sha256(bytes),
    text: attachedText(mime, bytes, part.type.params.get("charset") ?? null),
    inline: false,
    missing,
  };
  return { attachment, ids };
}

function attachedText(mime: string, bytes: Buffer, charset: string | null): string | null {
  const readable = mime.startsWith("text/") || mime === "application/json" || mime === "message/delivery-status";
  if (!readable || bytes.length === 0 || bytes.length > maxAttachedText) return null;
  const { text } = decodeText(bytes, charset);
  const clean = cleanText(mime === "text/html" ? htmlToPlain(text) : text);
  return clean === "" ? null : clean;
}

function* contentIds(part: Part): Generator<string> {
  const id = first(part.headers, "content-id");
  if (id !== null) yield id.replace(/[<>\s]/g, "").toLowerCase();
  const location = first(part.headers, "content-location");
  if (location !== null) yield `location:${location.trim()}`;
}

/** The Content-IDs and locations to which HTML refers. */
function shownIds(html: readonly string[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const text of html) {
    for (const match of text.matchAll(/\bcid:([^"'\s)<>]{1,500})/gi))
      ids.add(percentDecoded(match[1] ?? "").toLowerCase());
    for (const match of text.matchAll(/\bsrc\s*=\s*["']([^"']{1,1000})["']/gi)) ids.add(`location:${match[1]?.trim()}`);
  }
  return ids;
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("&amp;", "&"));
  } catch {
    return text;
  }
}
