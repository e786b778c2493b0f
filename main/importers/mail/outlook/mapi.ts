import { decodeText } from "../../text/charset.ts";

/** Property types (MS-OXCDATA §2.11.1) that are read. */
export const types = {
  int16: 0x02,
  int32: 0x03,
  float32: 0x04,
  float64: 0x05,
  currency: 0x06,
  appTime: 0x07,
  error: 0x0a,
  boolean: 0x0b,
  object: 0x0d,
  int64: 0x14,
  string8: 0x1e,
  unicode: 0x1f,
  time: 0x40,
  guid: 0x48,
  binary: 0x102,
} as const;

/** Property ids (MS-OXPROPS) that are read. */
export const ids = {
  messageClass: 0x001a,
  subject: 0x0037,
  clientSubmitTime: 0x0039,
  sentRepresentingName: 0x0042,
  sentRepresentingAddressType: 0x0064,
  sentRepresentingAddress: 0x0065,
  startDate: 0x0060,
  endDate: 0x0061,
  transportHeaders: 0x007d,
  recipientType: 0x0c15,
  senderName: 0x0c1a,
  senderAddressType: 0x0c1e,
  senderAddress: 0x0c1f,
  deliveryTime: 0x0e06,
  messageFlags: 0x0e07,
  messageSize: 0x0e08,
  normalizedSubject: 0x0e1d,
  body: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  messageId: 0x1035,
  references: 0x1039,
  inReplyTo: 0x1042,
  flagStatus: 0x1090,
  displayName: 0x3001,
  addressType: 0x3002,
  address: 0x3003,
  creationTime: 0x3007,
  lastModified: 0x3008,
  containerClass: 0x3613,
  attachData: 0x3701,
  attachFileName: 0x3704,
  attachMethod: 0x3705,
  attachLongName: 0x3707,
  attachMime: 0x370e,
  attachContentId: 0x3712,
  attachContentLocation: 0x3713,
  smtpAddress: 0x39fe,
  givenName: 0x3a06,
  businessPhone: 0x3a08,
  homePhone: 0x3a09,
  surname: 0x3a11,
  company: 0x3a16,
  jobTitle: 0x3a17,
  department: 0x3a18,
  mobilePhone: 0x3a1c,
  otherPhone: 0x3a1f,
  birthday: 0x3a42,
  internetCodepage: 0x3fde,
  messageCodepage: 0x3ffd,
  senderSmtpAddress: 0x5d01,
  sentRepresentingSmtpAddress: 0x5d02,
  attachHidden: 0x7ffe,
} as const;

/** Property sets of named properties (MS-OXPROPS §1.3.2), as `namedKey` writes them. */
export const sets = {
  appointment: "00062002-0000-0000-c000-000000000046",
  task: "00062003-0000-0000-c000-000000000046",
  address: "00062004-0000-0000-c000-000000000046",
  common: "00062008-0000-0000-c000-000000000046",
  meeting: "6ed8da90-450b-101b-98da-00aa003f1305",
} as const;

/** A GUID as it is written, from its 16 bytes (MS-DTYP §2.3.4). */
export function guidText(bytes: Buffer): string {
  const hex = Buffer.from(bytes.subarray(0, 16));
  hex.subarray(0, 4).reverse();
  hex.subarray(4, 6).reverse();
  hex.subarray(6, 8).reverse();
  return hex.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Key of a named property: its set, and its number (hex) or name. */
export function namedKey(set: string, name: number | string): string {
  return `${set}:${typeof name === "number" ? name.toString(16) : name}`;
}

/** Milliseconds since 1970 of 100 ns since 1601 (MS-DTYP §2.3.3); null for zero and what no calendar holds. */
export function fileTime(value: bigint): number | null {
  const ms = Number(value / 10_000n) - 11_644_473_600_000;
  return value <= 0n || ms < -11_644_473_000_000 || ms > 253_402_300_799_999 ? null : ms;
}

/** A charset label for a Windows code page. */
function charsetOf(codepage: number | null): string | null {
  if (codepage === null || codepage === 0) return null;
  const known: Readonly<Record<number, string>> = {
    65001: "utf-8",
    65000: "utf-7",
    1200: "utf-16le",
    20127: "us-ascii",
    932: "shift_jis",
    936: "gbk",
    949: "euc-kr",
    950: "big5",
    20866: "koi8-r",
    21866: "koi8-u",
    50220: "iso-2022-jp",
    50221: "iso-2022-jp",
    50222: "iso-2022-jp",
    51932: "euc-jp",
    51936: "gbk",
    51949: "euc-kr",
    54936: "gb18030",
    874: "windows-874",
  };
  if (codepage >= 1250 && codepage <= 1258) return `windows-${codepage}`;
  if (codepage > 28590 && codepage <= 28606) return `iso-8859-${codepage - 28590}`;
  return known[codepage] ?? `cp${codepage}`;
}

/** The properties of one object: a message, a recipient, an attachment. Values are decoded when they are asked for. */
export class MapiProps {
  /** Code page of 8-bit strings, where the object itself does not say it. */
  codepage: number | null = null;
  readonly #values = new Map<number, { readonly type: number; readonly raw: Buffer }>();
  readonly #named = new Map<string, number>();

  /** `raw`: the value's bytes, little-endian; of several values the first. */
  set(id: number, type: number, raw: Buffer): void {
    if (!this.#values.has(id)) this.#values.set(id, { type: type & 0xfff, raw });
  }

  /** Says which id a named property has in this object. */
  name(key: string, id: number): void {
    this.#named.set(key, id);
  }

  get size(): number {
    return this.#values.size;
  }

  /** Id of a named property; 0, which no property has, when it is not there. */
  idOf(set: string, name: number | string): number {
    return this.#named.get(namedKey(set, name)) ?? 0;
  }

  type(id: number): number | null {
    return this.#values.get(id)?.type ?? null;
  }

  /** Bytes of any value. */
  bytes(id: number): Buffer | null {
    return this.#values.get(id)?.raw ?? null;
  }

  /** Text without its closing NUL; null for what is no string, and for empty ones. */
  text(id: number): string | null {
    const value = this.#values.get(id);
    if (value === undefined) return null;
    const text = this.#decode(value.type, value.raw);
    const end = text?.indexOf("\0") ?? -1;
    const cut = end < 0 ? text : (text?.slice(0, end) ?? null);
    return cut === "" ? null : cut;
  }

  #decode(type: number, raw: Buffer): string | null {
    if (type === types.unicode) return raw.toString("utf16le", 0, raw.length & ~1).toWellFormed();
    if (type !== types.string8) return null;
    return decodeText(raw, charsetOf(this.codepage ?? this.int(ids.messageCodepage))).text;
  }

  /** Text of a string or of bytes in the message's own charset, as HTML is kept. */
  html(id: number): string | null {
    const value = this.#values.get(id);
    if (value?.type !== types.binary) return this.text(id);
    const { text } = decodeText(value.raw, charsetOf(this.int(ids.internetCodepage) ?? this.codepage));
    return text === "" ? null : text;
  }

  int(id: number): number | null {
    const value = this.#values.get(id);
    if (value === undefined) return null;
    if (value.type === types.int16 && value.raw.length >= 2) return value.raw.readInt16LE(0);
    if (value.type === types.int32 && value.raw.length >= 4) return value.raw.readInt32LE(0);
    if (value.type === types.boolean) return value.raw[0] ?? 0;
    return null;
  }

  /** Milliseconds since 1970, UTC. */
  time(id: number): number | null {
    const value = this.#values.get(id);
    if (value?.type !== types.time || value.raw.length < 8) return null;
    return fileTime(value.raw.readBigUInt64LE(0));
  }
}

/** An attachment: a file, or a message. */
export interface MapiAttachment {
  readonly props: MapiProps;
  /** Null when it is a message, or lies elsewhere. */
  readonly data: Buffer | null;
  /** The message that it is. */
  readonly item: MapiItem | null;
}

/** A message, appointment, contact … as Outlook keeps it, in whichever file. */
export interface MapiItem {
  readonly props: MapiProps;
  readonly recipients: readonly MapiProps[];
  readonly attachments: readonly MapiAttachment[];
  /** Something of it could not be read. */
  readonly damaged: boolean;
}

/** The subject without the mark that a store puts before it (a 1, and the length of `Re: ` as a character). */
export function subjectOf(props: MapiProps): string | null {
  const subject = props.text(ids.subject) ?? props.text(ids.normalizedSubject);
  return subject !== null && subject.charCodeAt(0) === 1 ? subject.slice(2) : subject;
}
