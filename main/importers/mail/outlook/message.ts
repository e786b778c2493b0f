import type { RecordFlag, RecordTime } from "#contract";
import { mimeOf } from "../../media.ts";
import { cleanText, sha256 } from "../../text/clean.ts";
import { htmlToPlain } from "../../text/html.ts";
import { timeFromInstant } from "../../text/time.ts";
import { type Headers, parseHeaders } from "../headers.ts";
import {
  type AttachedFile,
  type Body,
  contentId,
  fileName,
  type Message,
  memberNumber,
  type NestedMessage,
  shownIds,
} from "../parts.ts";
import { calendarOf } from "./calendar.ts";
import { ids, type MapiAttachment, type MapiItem, type MapiProps, subjectOf } from "./mapi.ts";
import { readRtf, unpackRtf } from "./rtf.ts";

/** Reads an item as a message. `inside`: number of the part that it is; "" for a whole message. */
export function mapiMessage(item: MapiItem, inside = ""): Message {
  return { headers: mapiHeaders(item), body: mapiBody(item, inside) };
}

/** The header fields that the message came with; where it came with none, fields made of its properties. */
function mapiHeaders(item: MapiItem): Headers {
  const { props } = item;
  const transport = (props.text(ids.transportHeaders) ?? "").replace(/^Microsoft Mail Internet Headers[^\n]*\n/i, "");
  const bytes = Buffer.from(transport.replace(/^[\r\n]+/, ""));
  const headers = new Map(parseHeaders(bytes, 0, bytes.length).headers);
  const add = (name: string, value: string | null) => {
    // Raw UTF-8, one character a byte, as a header block is kept.
    const line = value?.replace(/[\r\n]+/g, " ").trim() ?? "";
    if (!headers.has(name) && line !== "") headers.set(name, [Buffer.from(line).toString("latin1")]);
  };
  add("from", authorOf(props));
  for (const [name, type] of [
    ["to", 1],
    ["cc", 2],
    ["bcc", 3],
  ] as const) {
    const list = item.recipients.filter((one) => ((one.int(ids.recipientType) ?? 0) & 0xf) === type).map(recipientOf);
    add(name, list.filter((one) => one !== null).join(", "));
  }
  add("subject", subjectOf(props));
  add("message-id", props.text(ids.messageId));
  add("references", props.text(ids.references));
  add("in-reply-to", props.text(ids.inReplyTo));
  const sent = props.time(ids.clientSubmitTime);
  if (sent !== null) add("date", new Date(sent).toUTCString().replace("GMT", "-0000"));
  return headers;
}

/** When the store says that it came, for a message that says nothing: UTC. */
export function deliveryOf(props: MapiProps): RecordTime | null {
  const ms = props.time(ids.deliveryTime) ?? props.time(ids.clientSubmitTime) ?? props.time(ids.lastModified);
  return ms === null ? null : timeFromInstant(ms, { source: "mapi:MessageDeliveryTime" });
}

function mailbox(name: string | null, address: string | null): string | null {
  const clean = name?.replace(/["\\]/g, "") ?? null;
  if (address === null) return clean === null ? null : `"${clean}"`;
  return clean === null || clean === address ? `<${address}>` : `"${clean}" <${address}>`;
}

/** An address that mail can be sent to; names inside an Exchange organisation are none. */
function smtp(address: string | null, kind: string | null): string | null {
  if (address === null || kind?.toUpperCase() === "EX" || !address.includes("@")) return null;
  return address.replace(/[<>\s]/g, "");
}

function authorOf(props: MapiProps): string | null {
  const name = props.text(ids.sentRepresentingName) ?? props.text(ids.senderName);
  const address =
    smtp(props.text(ids.sentRepresentingSmtpAddress), null) ??
    smtp(props.text(ids.sentRepresentingAddress), props.text(ids.sentRepresentingAddressType)) ??
    smtp(props.text(ids.senderSmtpAddress), null) ??
    smtp(props.text(ids.senderAddress), props.text(ids.senderAddressType));
  return mailbox(name, address);
}

function recipientOf(props: MapiProps): string | null {
  const address = smtp(props.text(ids.smtpAddress), null) ?? smtp(props.text(ids.address), props.text(ids.addressType));
  return mailbox(props.text(ids.displayName), address);
}

/** HTML of an item, as HTML or as RTF that wraps it. */
function htmlOf(props: MapiProps): string | null {
  const html = props.html(ids.html);
  if (html !== null) return html;
  const rtf = rtfOf(props);
  return rtf !== null && "html" in rtf ? rtf.html : null;
}

function rtfOf(props: MapiProps) {
  const packed = props.bytes(ids.rtf);
  const rtf = packed === null ? null : unpackRtf(packed);
  return rtf === null ? null : readRtf(rtf);
}

/** The text of an item: plain, else of its HTML, else of its RTF. */
export function textOf(props: MapiProps): string {
  const plain = cleanText(props.text(ids.body) ?? "").replace(/^\n+/, "");
  if (plain.trim() !== "") return plain;
  const html = props.html(ids.html);
  if (html !== null) return cleanText(htmlToPlain(html));
  const rtf = rtfOf(props);
  return rtf === null ? "" : cleanText("html" in rtf ? htmlToPlain(rtf.html) : rtf.text).replace(/^\n+/, "");
}

function mapiBody(item: MapiItem, inside: string): Body {
  const { props } = item;
  const text = textOf(props);
  const flags = new Set<RecordFlag>();
  if (item.damaged) flags.add("damaged");
  if (/^-----BEGIN PGP MESSAGE-----/m.test(text)) flags.add("encrypted");
  const named = item.attachments.some((one) => one.props.text(ids.attachContentId) !== null);
  const html = named ? htmlOf(props) : null;
  const shown = shownIds(html === null ? [] : [html]);
  const files: AttachedFile[] = [];
  const messages: NestedMessage[] = [];
  for (const [i, attachment] of item.attachments.entries()) {
    const part = memberNumber(inside, i + 1);
    const { item: nested } = attachment;
    if (nested !== null) messages.push({ part, open: () => mapiMessage(nested, part) });
    else files.push(fileOf(attachment, part, shown));
  }
  const calendar = calendarOf(item);
  if (calendar !== null) files.push(calendarFile(calendar, memberNumber(inside, item.attachments.length + 1)));
  return { text, files, messages, flags };
}

function fileOf({ props, data }: MapiAttachment, part: string, shown: ReadonlySet<string>): AttachedFile {
  const name = fileName(
    props.text(ids.attachLongName) ?? props.text(ids.attachFileName) ?? props.text(ids.displayName),
  );
  const mime = props.text(ids.attachMime)?.trim().toLowerCase() ?? (name === null ? null : mimeOf(name));
  const id = props.text(ids.attachContentId);
  const location = props.text(ids.attachContentLocation);
  const inline =
    (id !== null && shown.has(contentId(id))) || (location !== null && shown.has(`location:${location.trim()}`));
  return {
    attachment: {
      name,
      path: null,
      mime: mime ?? "application/octet-stream",
      bytes: data?.length ?? null,
      sha256: data === null ? null : sha256(data),
      text: null,
      inline,
      missing: data === null,
    },
    bytes: data,
    part,
    charset: null,
    place: null,
    listed: true,
  };
}

function calendarFile(bytes: Buffer, part: string): AttachedFile {
  const about = { name: null, path: null, mime: "text/calendar", bytes: bytes.length, sha256: sha256(bytes) };
  return {
    attachment: { ...about, text: null, inline: false, missing: false },
    bytes,
    part,
    charset: "utf-8",
    place: null,
    listed: false,
  };
}
