import type { RecordFlag } from "#contract";
import { decodeText } from "../text/charset.ts";
import { cleanLine, cleanText, sha256 } from "../text/clean.ts";
import { htmlToPlain } from "../text/html.ts";
import { limits } from "../types.ts";
import { unflow } from "./flowed.ts";
import { decodeWords, first } from "./headers.ts";
import { type Part, parseMime } from "./mime.ts";
import { mapiMessage } from "./outlook/message.ts";
import { isTnef, readTnef } from "./outlook/tnef.ts";
import {
  type AttachedFile,
  type Body,
  contentId,
  fileName,
  type Message,
  type NestedMessage,
  partNumber,
  shownIds,
} from "./parts.ts";
import { signedContent } from "./pkcs7.ts";
import { decodeTransfer, type Transferred } from "./transfer.ts";

/** Bytes that a message names but that lie in a file beside it: by part number, and by `name:…`. */
export type OutsideParts = ReadonlyMap<string, { readonly path: string; readonly bytes: Buffer }>;

const nothingOutside: OutsideParts = new Map();

/** Bytes of a delivery report that are kept as text. */
const maxReport = 64 * 1024;

/** Text, or HTML that becomes text only when it is the one to be shown. */
type Written = string | { readonly html: string };

interface Collected {
  readonly texts: Written[];
  readonly html: string[];
  /** Files with the ids by which HTML may show them. */
  readonly files: { file: AttachedFile; ids: readonly string[] }[];
  readonly messages: NestedMessage[];
  /** Texts inside winmail.dat: shown when the message has no other. */
  readonly spare: string[];
  readonly flags: Set<RecordFlag>;
  readonly outside: OutsideParts;
}

const none = (outside: OutsideParts): Collected => ({
  texts: [],
  html: [],
  files: [],
  messages: [],
  spare: [],
  flags: new Set(),
  outside,
});

/** Reads a message as its bytes are (RFC 5322, MIME). `inside`: number of the part that it is; "" for a whole message. */
export function mimeMessage(bytes: Buffer, inside = "", outside = nothingOutside): Message {
  const root = parseMime(bytes);
  return { headers: root.headers, body: readBody(root, inside, outside) };
}

/** Reads the body of a parsed message: one text, the files, the messages inside, and what it says of itself. */
export function readBody(root: Part, inside = "", outside = nothingOutside): Body {
  const found = none(outside);
  collect(root, rootNumber(root, inside), found, true, 0);
  const shown = shownIds(found.html);
  const files = found.files.map(({ file, ids }) =>
    ids.some((id) => shown.has(id)) ? { ...file, attachment: { ...file.attachment, inline: true } } : file,
  );
  const texts = found.texts.map(plainOf).filter((part) => part !== "");
  const joined = (texts.length > 0 ? texts : found.spare).join("\n\n");
  // Texts that were plain are clean each, and so they are together.
  const text = (texts.length > 0 && found.html.length === 0 ? joined : cleanText(joined)).replace(/^\n+/, "");
  if (text.includes("-----BEGIN PGP ")) {
    if (/^-----BEGIN PGP MESSAGE-----/m.test(text)) found.flags.add("encrypted");
    if (/^-----BEGIN PGP SIGNED MESSAGE-----/m.test(text)) found.flags.add("signed");
  }
  return { text, files, messages: found.messages, flags: found.flags };
}

/** A message of one part holds it as part 1. */
function rootNumber(root: Part, inside: string): string {
  return root.children.length > 0 ? inside : partNumber(inside, 1);
}

function merge(into: Collected, from: Collected): void {
  into.texts.push(...from.texts);
  into.html.push(...from.html);
  into.files.push(...from.files);
  into.messages.push(...from.messages);
  into.spare.push(...from.spare);
  for (const flag of from.flags) into.flags.add(flag);
}

function collect(part: Part, number: string, into: Collected, isRoot: boolean, depth: number): void {
  if (part.damaged) into.flags.add("damaged");
  const type = part.type.value;
  if (part.children.length > 0) {
    if (type === "multipart/alternative") {
      collectAlternative(part, number, into, depth);
      return;
    }
    if (type === "multipart/encrypted") {
      into.flags.add("encrypted");
      return;
    }
    const signed = type === "multipart/signed";
    if (signed) into.flags.add("signed");
    for (const [i, child] of part.children.entries()) {
      if (signed && /^application\/(?:pgp-signature|(?:x-)?pkcs7-signature)$/.test(child.type.value)) continue;
      collect(child, partNumber(number, i + 1), into, false, depth);
    }
    return;
  }
  if (/^application\/(?:x-)?pkcs7-mime$/.test(type)) {
    collectPkcs7(part, number, into, depth);
    return;
  }
  if (type === "message/rfc822" || type === "message/global") {
    const { bytes } = bytesOf(part, number, into);
    into.messages.push({ part: number, open: () => openNested(bytes, number) });
    return;
  }
  const name = partName(part);
  const attached = part.disposition.value === "attachment" || (name !== null && !isRoot);
  if ((type === "text/plain" || type === "text/html" || type === "text/enriched") && !attached) {
    const text = readText(part, number, into);
    if (type === "text/html") {
      into.html.push(text);
      into.texts.push({ html: text });
    } else into.texts.push(text);
    return;
  }
  if (/^application\/(?:vnd\.)?ms-tnef$/.test(type) || /^winmail\.dat$/i.test(name ?? "")) {
    if (collectTnef(bytesOf(part, number, into).bytes, number, into)) return;
  }
  into.files.push(fileOf(part, number, name, into));
}

/** What Outlook packs into winmail.dat stands in its place. */
function collectTnef(bytes: Buffer, number: string, into: Collected): boolean {
  const item = isTnef(bytes) ? readTnef(bytes) : null;
  if (item === null) return false;
  const { body } = mapiMessage(item, number);
  into.files.push(...body.files.map((file) => ({ file, ids: [] })));
  into.messages.push(...body.messages);
  if (body.text !== "") into.spare.push(body.text);
  for (const flag of body.flags) into.flags.add(flag);
  return true;
}

function besideOf(part: Part, number: string, { outside }: Collected) {
  // A line end may stand where the bytes were taken out.
  if (outside.size === 0 || part.body.length > 4) return undefined;
  return outside.get(number) ?? outside.get(`name:${partName(part)}`);
}

function openNested(bytes: Buffer, number: string): Message | null {
  const message = mimeMessage(bytes, number);
  return message.headers.size === 0 ? null : message;
}

/** The bytes of a part: from the message, or from the file beside it that a partial message leaves them in. */
function bytesOf(part: Part, number: string, into: Collected): Transferred {
  const beside = besideOf(part, number, into);
  return beside === undefined ? decodeTransfer(part.body, part.encoding) : { bytes: beside.bytes, damaged: false };
}

/** One text of several forms: the plain one, unless it is empty or only points to the HTML. */
function collectAlternative(part: Part, number: string, into: Collected, depth: number): void {
  const forms = part.children.map((child, i) => {
    const form = none(into.outside);
    collect(child, partNumber(number, i + 1), form, false, depth);
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
function collectPkcs7(part: Part, number: string, into: Collected, depth: number): void {
  const kind = part.type.params.get("smime-type")?.toLowerCase() ?? "";
  const { bytes } = bytesOf(part, number, into);
  const content = kind === "enveloped-data" || kind === "authenveloped-data" ? null : signedContent(bytes);
  if (content === null) {
    into.flags.add(kind === "signed-data" ? "signed" : "encrypted");
    return;
  }
  into.flags.add("signed");
  if (depth >= limits.depth) return;
  const root = parseMime(content);
  collect(root, rootNumber(root, number), into, true, depth + 1);
}

function readText(part: Part, number: string, into: Collected): string {
  const { bytes, damaged } = bytesOf(part, number, into);
  if (damaged) into.flags.add("damaged");
  const { text, guessed } = decodeText(bytes, part.type.params.get("charset") ?? null);
  if (guessed) into.flags.add("charset-guessed");
  if (part.type.value !== "text/plain" || part.type.params.get("format")?.toLowerCase() !== "flowed") return text;
  return unflow(text, part.type.params.get("delsp")?.toLowerCase() === "yes");
}

/** Content-Disposition's name beats Content-Type's; only the last part of a path is kept. */
function partName(part: Part): string | null {
  return fileName(part.disposition.params.get("filename") ?? part.type.params.get("name") ?? null);
}

function fileOf(part: Part, number: string, name: string | null, into: Collected): Collected["files"][number] {
  const mime = part.type.value;
  const { bytes, damaged } = bytesOf(part, number, into);
  const beside = besideOf(part, number, into);
  // Apple Mail names the length of what it has not fetched, or keeps elsewhere.
  const elsewhere = first(part.headers, "x-apple-content-length") !== null && bytes.length === 0;
  const missing = mime === "message/external-body" || elsewhere;
  if (damaged) into.flags.add("damaged");
  const description = first(part.headers, "content-description");
  const file: AttachedFile = {
    attachment: {
      name: name ?? (description === null ? null : cleanLine(decodeWords(description).text)),
      path: beside?.path ?? null,
      mime,
      bytes: missing ? null : bytes.length,
      sha256: missing ? null : sha256(bytes),
      text: mime === "message/delivery-status" && !missing ? reportText(bytes) : null,
      inline: false,
      missing,
    },
    bytes: missing ? null : bytes,
    part: number,
    charset: part.type.params.get("charset") ?? null,
    place: beside ? { path: beside.path, offset: null, bytes: bytes.length, role: null } : null,
    listed: !(mime === "text/calendar" && name === null && part.disposition.value !== "attachment"),
  };
  return { file, ids: [...contentIds(part)] };
}

/** What a mail server says of a mail that it could not deliver. */
function reportText(bytes: Buffer): string | null {
  const text = cleanText(decodeText(bytes.subarray(0, maxReport), null).text);
  return text === "" ? null : text;
}

function* contentIds(part: Part): Generator<string> {
  const id = first(part.headers, "content-id");
  if (id !== null) yield contentId(id);
  const location = first(part.headers, "content-location");
  if (location !== null) yield `location:${location.trim()}`;
}
