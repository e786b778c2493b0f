import { guidText, ids, type MapiAttachment, type MapiItem, MapiProps, namedKey, types } from "./mapi.ts";

/** First bytes of a TNEF stream (MS-OXTNEF §2.1.3.1), little-endian. */
const signature = 0x223e9f78;

/** Attributes (MS-OXTNEF §2.1.3.3). */
const attributes = {
  subject: 0x00018004,
  messageId: 0x00018009,
  body: 0x0002800c,
  messageClass: 0x00078008,
  attachTitle: 0x00018010,
  attachData: 0x0006800f,
  attachRendData: 0x00069002,
  messageProps: 0x00069003,
  recipients: 0x00069004,
  attachment: 0x00069005,
  codepage: 0x00069007,
} as const;

/** Properties of one object, and objects of one stream, above this are an attack. */
const maxProperties = 5_000;
const maxAttachments = 2_000;
const maxDepth = 8;

/** Whether bytes begin a TNEF stream (`winmail.dat`). */
export function isTnef(bytes: Uint8Array): boolean {
  return bytes[0] === 0x78 && bytes[1] === 0x9f && bytes[2] === 0x3e && bytes[3] === 0x22;
}

/** Reads little-endian values one after another; past the end it throws `RangeError`, as Buffer does. */
class Cursor {
  at = 0;
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get done(): boolean {
    return this.at >= this.bytes.length;
  }

  u8(): number {
    return this.bytes.readUInt8(this.at++);
  }

  u16(): number {
    this.at += 2;
    return this.bytes.readUInt16LE(this.at - 2);
  }

  u32(): number {
    this.at += 4;
    return this.bytes.readUInt32LE(this.at - 4);
  }

  take(length: number): Buffer {
    if (length > this.bytes.length - this.at) throw new RangeError("the stream ends inside a value");
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  /** A value and the bytes that fill it up to four. */
  padded(length: number): Buffer {
    const value = this.take(length);
    this.at = Math.min(this.bytes.length, this.at + ((4 - (length % 4)) % 4));
    return value;
  }
}

interface Draft {
  readonly props: MapiProps;
  data: Buffer | null;
  item: MapiItem | null;
}

/**
 * Reads a TNEF stream (MS-OXTNEF), as Outlook sends it in `winmail.dat`. Null when it is none. A stream that breaks off
 * gives what stands before the break, marked damaged. Never throws.
 */
export function readTnef(bytes: Buffer, depth = 0): MapiItem | null {
  if (!isTnef(bytes) || bytes.readUInt32LE(0) !== signature) return null;
  const props = new MapiProps();
  const recipients: MapiProps[] = [];
  const attachments: Draft[] = [];
  let damaged = false;
  const cursor = new Cursor(bytes);
  cursor.at = 6;
  try {
    while (!cursor.done) {
      cursor.u8();
      const attribute = cursor.u32();
      const data = cursor.take(cursor.u32());
      // A checksum that is wrong says nothing of what can be read.
      cursor.at = Math.min(bytes.length, cursor.at + 2);
      if (attribute === attributes.attachRendData) {
        if (attachments.length >= maxAttachments) throw new RangeError("too many attachments");
        const own = new MapiProps();
        own.codepage = props.codepage;
        attachments.push({ props: own, data: null, item: null });
        continue;
      }
      readAttribute(attribute, data, { props, recipients, attachment: attachments.at(-1) ?? null, depth });
    }
  } catch {
    damaged = true;
  }
  return { props, recipients, attachments: attachments.map(finish), damaged };
}

function readAttribute(
  attribute: number,
  data: Buffer,
  into: { props: MapiProps; recipients: MapiProps[]; attachment: Draft | null; depth: number },
): void {
  const { props, attachment } = into;
  if (attribute === attributes.codepage && data.length >= 4) props.codepage = data.readUInt32LE(0);
  else if (attribute === attributes.subject) props.set(ids.subject, types.string8, data);
  else if (attribute === attributes.body) props.set(ids.body, types.string8, data);
  else if (attribute === attributes.messageClass) props.set(ids.messageClass, types.string8, data);
  else if (attribute === attributes.messageProps) readProps(new Cursor(data), props, null, into.depth);
  else if (attribute === attributes.recipients) readRecipients(new Cursor(data), into.recipients, props.codepage);
  else if (attachment === null) return;
  else if (attribute === attributes.attachTitle) attachment.props.set(ids.attachFileName, types.string8, data);
  else if (attribute === attributes.attachData) attachment.data ??= data;
  else if (attribute === attributes.attachment) readProps(new Cursor(data), attachment.props, attachment, into.depth);
}

function finish({ props, data, item }: Draft): MapiAttachment {
  return { props, data: item === null ? (data ?? props.bytes(ids.attachData)) : null, item };
}

function readRecipients(cursor: Cursor, recipients: MapiProps[], codepage: number | null): void {
  const rows = Math.min(cursor.u32(), maxProperties);
  for (let row = 0; row < rows; row++) {
    const props = new MapiProps();
    props.codepage = codepage;
    readProps(cursor, props, null, maxDepth);
    recipients.push(props);
  }
}

const fixedSizes: Readonly<Record<number, number>> = {
  [types.int16]: 2,
  [types.int32]: 4,
  [types.float32]: 4,
  [types.float64]: 8,
  [types.currency]: 8,
  [types.appTime]: 8,
  [types.error]: 4,
  [types.boolean]: 2,
  [types.int64]: 8,
  [types.time]: 8,
  [types.guid]: 16,
};

/** MsgPropertyList (MS-OXTNEF §2.1.3.4). An object that is a message is read into `attachment`. */
function readProps(cursor: Cursor, props: MapiProps, attachment: Draft | null, depth: number): void {
  const count = Math.min(cursor.u32(), maxProperties);
  for (let i = 0; i < count; i++) {
    const type = cursor.u16();
    const id = cursor.u16();
    if (id >= 0x8000) readName(cursor, props, id);
    const base = type & 0xfff;
    const size = fixedSizes[base];
    const variable = size === undefined;
    const values = variable || (type & 0x1000) !== 0 ? cursor.u32() : 1;
    for (let value = 0; value < values; value++) {
      const raw = cursor.padded(variable ? cursor.u32() : size);
      if (value > 0) continue;
      if (base === types.object && attachment !== null && id === ids.attachData && depth < maxDepth) {
        // Behind the interface's GUID the message stands as a stream of its own; other objects are OLE pictures.
        attachment.item = readTnef(raw.subarray(16), depth + 1);
        if (attachment.item === null) attachment.data = raw.subarray(16);
      } else props.set(id, type, raw);
    }
  }
}

function readName(cursor: Cursor, props: MapiProps, id: number): void {
  const set = guidText(cursor.take(16));
  if (cursor.u32() === 0) {
    props.name(namedKey(set, cursor.u32()), id);
    return;
  }
  const name = cursor.padded(cursor.u32()).toString("utf16le").replace(/\0+$/, "");
  props.name(namedKey(set, name), id);
}
