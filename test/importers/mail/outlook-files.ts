/** Builders of Outlook's formats, after their specifications (MS-OXTNEF, MS-CFB, MS-OXMSG), for files of our own. */

const unicodeType = 0x1f;

/** A property: id, type, and its value's bytes. */
export interface Prop {
  readonly id: number;
  readonly type: number;
  readonly value: Buffer;
  /** Named: its set's GUID (16 bytes) and number. */
  readonly named?: { readonly set: Buffer; readonly lid: number };
}

export const text = (id: number, value: string): Prop => ({
  id,
  type: unicodeType,
  value: Buffer.from(`${value}\0`, "utf16le"),
});
export const binary = (id: number, value: Buffer | string): Prop => ({ id, type: 0x102, value: Buffer.from(value) });
export const int = (id: number, value: number): Prop => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return { id, type: 0x03, value: bytes };
};
export const time = (id: number, iso: string): Prop => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE((BigInt(Date.parse(iso)) + 11_644_473_600_000n) * 10_000n);
  return { id, type: 0x40, value: bytes };
};

/** A GUID's 16 bytes from how it is written. */
export function guid(written: string): Buffer {
  const bytes = Buffer.from(written.replaceAll("-", ""), "hex");
  bytes.subarray(0, 4).reverse();
  bytes.subarray(4, 6).reverse();
  bytes.subarray(6, 8).reverse();
  return bytes;
}

export const appointmentSet = guid("00062002-0000-0000-C000-000000000046");
export const meetingSet = guid("6ED8DA90-450B-101B-98DA-00AA003F1305");

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u16 = (value: number) => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
};
const padded = (value: Buffer) => Buffer.concat([value, Buffer.alloc((4 - (value.length % 4)) % 4)]);

function tnefProps(props: readonly Prop[]): Buffer {
  const one = ({ id, type, value, named }: Prop) => {
    const name = named === undefined ? Buffer.alloc(0) : Buffer.concat([named.set, u32(0), u32(named.lid)]);
    const varying = type === 0x1f || type === 0x102 || type === 0x0d;
    return Buffer.concat([u16(type), u16(id), name, ...(varying ? [u32(1), u32(value.length)] : []), padded(value)]);
  };
  return Buffer.concat([u32(props.length), ...props.map(one)]);
}

function attribute(level: number, id: number, data: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from([level]),
    u32(id),
    u32(data.length),
    data,
    u16(data.reduce((sum, byte) => (sum + byte) & 0xffff, 0)),
  ]);
}

export interface TnefFile {
  readonly props: readonly Prop[];
  readonly data?: Buffer;
}

/** A TNEF stream: properties of the message, and files. */
export function tnef(props: readonly Prop[], files: readonly TnefFile[] = []): Buffer {
  return Buffer.concat([
    u32(0x223e9f78),
    u16(1),
    attribute(1, 0x00069003, tnefProps(props)),
    ...files.flatMap((file) => [
      attribute(2, 0x00069002, Buffer.alloc(14)),
      ...(file.data === undefined ? [] : [attribute(2, 0x0006800f, file.data)]),
      attribute(2, 0x00018010, Buffer.from("SHORT~1.TXT\0")),
      attribute(2, 0x00069005, tnefProps(file.props)),
    ]),
  ]);
}

/** A storage to be written: streams are bytes, storages are objects. */
export interface Tree {
  readonly [name: string]: Buffer | Tree;
}

const endOfChain = 0xfffffffe;
const none = 0xffffffff;

/** Writes a compound file with sectors of 512 bytes; members of a storage hang in one chain of siblings. */
export function cfb(tree: Tree): Buffer {
  const entries: { name: string; kind: number; right: number; child: number; data: Buffer | null }[] = [];
  const add = (name: string, kind: number, data: Buffer | null) => {
    entries.push({ name, kind, right: none, child: none, data });
    return entries.length - 1;
  };
  const fill = (id: number, members: Tree) => {
    let before = -1;
    for (const [name, member] of Object.entries(members)) {
      const own = Buffer.isBuffer(member) ? add(name, 2, member) : add(name, 1, null);
      const target = before < 0 ? entries[id] : entries[before];
      if (target !== undefined) {
        if (before < 0) target.child = own;
        else target.right = own;
      }
      before = own;
      if (!Buffer.isBuffer(member)) fill(own, member);
    }
  };
  fill(add("Root Entry", 5, null), tree);

  const sectors: Buffer[] = [];
  const fat: number[] = [];
  const put = (data: Buffer): number => {
    if (data.length === 0) return endOfChain;
    const first = sectors.length;
    for (let at = 0; at < data.length; at += 512) {
      const sector = Buffer.alloc(512);
      data.copy(sector, 0, at, at + 512);
      sectors.push(sector);
      fat.push(sectors.length);
    }
    fat[fat.length - 1] = endOfChain;
    return first;
  };
  const mini: Buffer[] = [];
  const miniFat: number[] = [];
  const starts = entries.map(({ data }) => {
    if (data === null || data.length === 0) return endOfChain;
    if (data.length >= 4096) return put(data);
    const first = mini.length;
    for (let at = 0; at < data.length; at += 64) {
      const sector = Buffer.alloc(64);
      data.copy(sector, 0, at, at + 64);
      mini.push(sector);
      miniFat.push(mini.length);
    }
    miniFat[miniFat.length - 1] = endOfChain;
    return first;
  });
  const miniStream = Buffer.concat(mini);
  const miniStart = put(miniStream);
  const miniFatStart = put(Buffer.concat(miniFat.map(u32)));
  const directory = Buffer.concat(
    entries.map(({ name, kind, right, child, data }, i) => {
      const entry = Buffer.alloc(128);
      entry.write(name, "utf16le");
      entry.writeUInt16LE(2 * name.length + 2, 64);
      entry[66] = kind;
      entry[67] = 1;
      entry.writeUInt32LE(none, 68);
      entry.writeUInt32LE(right, 72);
      entry.writeUInt32LE(child, 76);
      entry.writeUInt32LE(kind === 5 ? miniStart : (starts[i] ?? endOfChain), 116);
      entry.writeUInt32LE(kind === 5 ? miniStream.length : (data?.length ?? 0), 120);
      return entry;
    }),
  );
  const directoryStart = put(directory);
  const tables = Math.ceil((fat.length + Math.ceil(fat.length / 127) + 1) / 128);
  const tableStart = sectors.length;
  for (let i = 0; i < tables; i++) fat.push(0xfffffffd);
  const table = Buffer.alloc(tables * 512, 0xff);
  for (const [i, next] of fat.entries()) table.writeUInt32LE(next, 4 * i);
  const header = Buffer.alloc(512);
  header.write("d0cf11e0a1b11ae1", "hex");
  header.writeUInt16LE(0x3e, 24);
  header.writeUInt16LE(3, 26);
  header.writeUInt16LE(0xfffe, 28);
  header.writeUInt16LE(9, 30);
  header.writeUInt16LE(6, 32);
  header.writeUInt32LE(tables, 44);
  header.writeUInt32LE(directoryStart, 48);
  header.writeUInt32LE(4096, 56);
  header.writeUInt32LE(miniFatStart, 60);
  header.writeUInt32LE(Math.ceil(miniFat.length / 128), 64);
  header.writeUInt32LE(endOfChain, 68);
  for (let i = 0; i < 109; i++) header.writeUInt32LE(i < tables ? tableStart + i : none, 76 + 4 * i);
  return Buffer.concat([header, ...sectors, table]);
}

const hex = (value: number) => value.toString(16).toUpperCase().padStart(4, "0");

/** A storage's properties (MS-OXMSG §2.4): fixed ones in the table, the others as streams. */
function msgProps(props: readonly Prop[], header: number): Tree {
  const table = props.map(({ id, type, value }) => {
    const entry = Buffer.alloc(16);
    entry.writeUInt16LE(type, 0);
    entry.writeUInt16LE(id, 2);
    if (value.length <= 8 && type !== unicodeType && type !== 0x102) value.copy(entry, 8);
    else entry.writeUInt32LE(value.length, 8);
    return entry;
  });
  const streams = props.filter(({ type }) => type === unicodeType || type === 0x102);
  return {
    "__properties_version1.0": Buffer.concat([Buffer.alloc(header), ...table]),
    ...Object.fromEntries(
      streams.map(({ id, type, value }) => [
        `__substg1.0_${hex(id)}${hex(type)}`,
        type === unicodeType ? value.subarray(0, -2) : value,
      ]),
    ),
  };
}

export interface MsgParts {
  readonly recipients?: readonly (readonly Prop[])[];
  readonly files?: readonly { readonly props: readonly Prop[]; readonly message?: Tree }[];
}

/** The storage of a message; `header` is 32 for a file and 24 for a message inside one. */
export function msgTree(props: readonly Prop[], { recipients = [], files = [] }: MsgParts = {}, header = 32): Tree {
  const numbered = (index: number) => index.toString(16).toUpperCase().padStart(8, "0");
  const named = props.flatMap((prop) => (prop.named === undefined ? [] : [{ ...prop, named: prop.named }]));
  const sets = [...new Set(named.map((prop) => prop.named.set))];
  const names =
    named.length === 0
      ? {}
      : {
          "__nameid_version1.0": {
            "__substg1.0_00020102": Buffer.concat(sets),
            "__substg1.0_00030102": Buffer.concat(
              named.map((prop) =>
                Buffer.concat([
                  u32(prop.named.lid),
                  u16((sets.indexOf(prop.named.set) + 3) << 1),
                  u16(prop.id - 0x8000),
                ]),
              ),
            ),
            "__substg1.0_00040102": Buffer.alloc(0),
          },
        };
  return {
    ...msgProps(props, header),
    ...names,
    ...Object.fromEntries(recipients.map((one, i) => [`__recip_version1.0_#${numbered(i)}`, msgProps(one, 8)])),
    ...Object.fromEntries(
      files.map(({ props: own, message }, i) => [
        `__attach_version1.0_#${numbered(i)}`,
        { ...msgProps(own, 8), ...(message === undefined ? {} : { "__substg1.0_3701000D": message }) },
      ]),
    ),
  };
}
