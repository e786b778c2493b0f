import Driver from "better-sqlite3-multiple-ciphers";

type Value = null | number | string | Uint8Array;

/** Columns of a recent system; leave some out to be an older one. */
const tables: Readonly<Record<string, string>> = {
  handle: "ROWID INTEGER PRIMARY KEY, id TEXT, service TEXT",
  chat: "ROWID INTEGER PRIMARY KEY, guid TEXT, style INTEGER, chat_identifier TEXT, display_name TEXT",
  chat_handle_join: "chat_id INTEGER, handle_id INTEGER",
  chat_message_join: "chat_id INTEGER, message_id INTEGER, PRIMARY KEY (chat_id, message_id)",
  attachment:
    "ROWID INTEGER PRIMARY KEY, guid TEXT, filename TEXT, mime_type TEXT, transfer_name TEXT, total_bytes INTEGER",
  message_attachment_join: "message_id INTEGER, attachment_id INTEGER",
  chat_recoverable_message_join: "chat_id INTEGER, message_id INTEGER, delete_date INTEGER",
  message: `ROWID INTEGER PRIMARY KEY, guid TEXT, text TEXT, handle_id INTEGER, other_handle INTEGER, service TEXT, account TEXT,
    date INTEGER, date_read INTEGER, date_edited INTEGER, is_from_me INTEGER, item_type INTEGER, group_action_type INTEGER,
    group_title TEXT, attributedBody BLOB, message_summary_info BLOB, payload_data BLOB, balloon_bundle_id TEXT,
    associated_message_guid TEXT, associated_message_type INTEGER, associated_message_emoji TEXT, thread_originator_guid TEXT`,
};

/** A database of Messages with these rows, as bytes. */
export function chatDatabase(
  rows: Readonly<Record<string, readonly Readonly<Record<string, Value>>[]>>,
  schema: Readonly<Record<string, string>> = tables,
): Uint8Array {
  const driver = new Driver(":memory:");
  for (const [table, columns] of Object.entries(schema)) driver.exec(`CREATE TABLE ${table} (${columns})`);
  for (const [table, list] of Object.entries(rows)) {
    for (const row of list) {
      const names = Object.keys(row);
      driver
        .prepare(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`)
        .run(...Object.values(row));
    }
  }
  const bytes = driver.serialize();
  driver.close();
  return bytes;
}

/** Nanoseconds since 2001, as recent systems count. */
export const nanoseconds = (iso: string) => (Date.parse(iso) - 978_307_200_000) * 1e6;

/** An archived attributed string, as `attributedBody` holds it. */
export function archivedString(text: string): Uint8Array {
  const utf8 = Buffer.from(text);
  const size = utf8.length;
  const length =
    size < 0x80
      ? Buffer.from([size])
      : size < 0x10000
        ? Buffer.from([0x81, size & 0xff, size >> 8])
        : Buffer.from([0x82, size & 0xff, (size >> 8) & 0xff, (size >> 16) & 0xff, size >> 24]);
  const name = (word: string) => Buffer.concat([Buffer.from([0x84, word.length]), Buffer.from(word, "latin1")]);
  return Buffer.concat([
    Buffer.from([4, 11]),
    Buffer.from("streamtyped\x81\xe8\x03", "latin1"),
    name("@"),
    Buffer.from([0x84, 0x84]),
    name("NSMutableAttributedString"),
    Buffer.from([0, 0x84]),
    name("NSAttributedString"),
    Buffer.from([0, 0x84]),
    name("NSObject"),
    Buffer.from([0, 0x85, 0x92, 0x84, 0x84]),
    name("NSMutableString"),
    Buffer.from([1, 0x84]),
    name("NSString"),
    Buffer.from([1, 0x95]),
    name("+"),
    length,
    utf8,
    Buffer.from([0x86, 0x86]),
  ]);
}

export type PlistInput = string | number | Uint8Array | readonly PlistInput[] | { readonly [key: string]: PlistInput };

/** A binary property list of strings, small whole numbers, doubles, bytes, lists, dictionaries, and `{ uid: n }`. */
export function binaryPlist(value: PlistInput): Uint8Array {
  const objects: Buffer[] = [];
  const long = (kind: number, count: number) =>
    count < 15 ? Buffer.from([(kind << 4) | count]) : Buffer.from([(kind << 4) | 15, 0x11, count >> 8, count & 0xff]);
  const references = (list: number[]) => Buffer.concat(list.map((one) => Buffer.from([one >> 8, one & 0xff])));
  const add = (one: PlistInput): number => {
    const at = objects.push(Buffer.alloc(0)) - 1;
    objects[at] = encode(one);
    return at;
  };
  const encode = (one: PlistInput): Buffer => {
    if (typeof one === "string") {
      const text = Buffer.from(one, "utf16le").swap16();
      return Buffer.concat([long(6, one.length), text]);
    }
    if (typeof one === "number") {
      const bytes = Buffer.alloc(9);
      bytes[0] = 0x23;
      bytes.writeDoubleBE(one, 1);
      return bytes;
    }
    if (one instanceof Uint8Array) return Buffer.concat([long(4, one.length), one]);
    if (Array.isArray(one)) return Buffer.concat([long(10, one.length), references(one.map(add))]);
    const entries = Object.entries(one);
    const [first] = entries;
    if (entries.length === 1 && first?.[0] === "uid") return Buffer.from([0x80, Number(first[1])]);
    const keys = entries.map(([key]) => add(key));
    return Buffer.concat([long(13, entries.length), references([...keys, ...entries.map(([, each]) => add(each))])]);
  };
  add(value);
  const table = 8 + objects.reduce((sum, { length }) => sum + length, 0);
  let at = 8;
  const offsets = objects.map((object) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(at);
    at += object.length;
    return bytes;
  });
  const trailer = Buffer.alloc(32);
  trailer[6] = 4;
  trailer[7] = 2;
  trailer.writeBigUInt64BE(BigInt(objects.length), 8);
  trailer.writeBigUInt64BE(BigInt(table), 24);
  return Buffer.concat([Buffer.from("bplist00"), ...objects, ...offsets, trailer]);
}
