import { readCfb, type Storage } from "./cfb.ts";
import { guidText, ids, type MapiAttachment, type MapiItem, MapiProps, namedKey, types } from "./mapi.ts";

const maxDepth = 8;
const maxMembers = 10_000;

/** Names of the named properties of a file: key to id. */
type Names = readonly (readonly [key: string, id: number])[];

/** Reads an Outlook message file (MS-OXMSG): .msg and .oft. Null when it is none. Never throws. */
export function readMsg(bytes: Buffer): MapiItem | null {
  const root = readCfb(bytes);
  if (root === null || !root.streams.has("__properties_version1.0")) return null;
  try {
    return readItem(root, readNames(root), 32, 0);
  } catch {
    return null;
  }
}

/** Streams whose property is of varying length; the others' values stand in the table of properties. */
const varying = new Set<number>([types.string8, types.unicode, types.binary, types.guid]);

function readProps(storage: Storage, headerBytes: number, names: Names): { props: MapiProps; damaged: boolean } {
  const props = new MapiProps();
  let damaged = false;
  const table = storage.streams.get("__properties_version1.0")?.read() ?? Buffer.alloc(0);
  for (let at = headerBytes; at + 16 <= table.length; at += 16) {
    const type = table.readUInt16LE(at);
    if (!varying.has(type & 0xfff) && (type & 0x1000) === 0)
      props.set(table.readUInt16LE(at + 2), type, table.subarray(at + 8, at + 16));
  }
  for (const [name, stream] of storage.streams) {
    const match = /^__substg1\.0_([0-9A-F]{4})([0-9A-F]{4})(?:-0{8})?$/i.exec(name);
    if (match === null) continue;
    const type = Number.parseInt(match[2] ?? "", 16);
    // Of several values the list stands under the bare name, and the first under `-00000000`.
    if ((type & 0x1000) !== 0 && !name.includes("-")) continue;
    try {
      props.set(Number.parseInt(match[1] ?? "", 16), type, stream.read());
    } catch {
      damaged = true;
    }
  }
  for (const [key, id] of names) if (props.type(id) !== null) props.name(key, id);
  return { props, damaged };
}

function readItem(storage: Storage, names: Names, headerBytes: number, depth: number): MapiItem {
  let { props, damaged } = readProps(storage, headerBytes, names);
  const recipients: MapiProps[] = [];
  const attachments: MapiAttachment[] = [];
  const members = [...storage.storages].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, maxMembers);
  for (const [name, member] of members) {
    if (/^__recip_version1\.0_/i.test(name)) recipients.push(readProps(member, 8, names).props);
    else if (/^__attach_version1\.0_/i.test(name)) {
      const read = readProps(member, 8, names);
      damaged ||= read.damaged;
      const inside = member.storages.get("__substg1.0_3701000D");
      const message = inside?.streams.has("__properties_version1.0") && depth < maxDepth;
      const item = message && inside !== undefined ? readItem(inside, names, 24, depth + 1) : null;
      attachments.push({ props: read.props, data: item === null ? read.props.bytes(ids.attachData) : null, item });
    }
  }
  return { props, recipients, attachments, damaged };
}

const publicStrings = "00020329-0000-0000-c000-000000000046";

/** The map of named properties (MS-OXMSG §2.2.3). */
function readNames(root: Storage): Names {
  const map = root.storages.get("__nameid_version1.0");
  const stream = (name: string) => map?.streams.get(name)?.read() ?? Buffer.alloc(0);
  const guids = stream("__substg1.0_00020102");
  const entries = stream("__substg1.0_00030102");
  const strings = stream("__substg1.0_00040102");
  const names: [string, number][] = [];
  for (let at = 0; at + 8 <= entries.length && names.length < maxMembers; at += 8) {
    const name = namedAt(
      { name: entries.readUInt32LE(at), about: entries.readUInt16LE(at + 4), index: entries.readUInt16LE(at + 6) },
      guids,
      strings,
    );
    if (name !== null) names.push(name);
  }
  return names;
}

/** One entry of a map of names; message files and stores write them alike (MS-PST §2.4.7.1). */
export function namedAt(
  entry: { readonly name: number; readonly about: number; readonly index: number },
  guids: Buffer,
  strings: Buffer,
): [key: string, id: number] | null {
  const which = entry.about >> 1;
  const start = 16 * (which - 3);
  if (which > 2 && start + 16 > guids.length) return null;
  const set = which > 2 ? guidText(guids.subarray(start, start + 16)) : which === 2 ? publicStrings : "";
  const id = 0x8000 + entry.index;
  if ((entry.about & 1) === 0) return [namedKey(set, entry.name), id];
  if (entry.name + 4 > strings.length) return null;
  const length = strings.readUInt32LE(entry.name);
  return [namedKey(set, strings.toString("utf16le", entry.name + 4, entry.name + 4 + Math.min(length, 1000))), id];
}
