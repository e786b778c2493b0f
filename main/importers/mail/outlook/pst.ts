import { readProperties, readTable } from "./ltp.ts";
import { ids, type MapiAttachment, type MapiItem, MapiProps } from "./mapi.ts";
import { namedAt } from "./msg.ts";
import { type Node, NodeDatabase, type ReadAt } from "./ndb.ts";

/** Node ids (MS-PST §2.4.1) and kinds of nodes, their last five bits (§2.2.2.1). */
const nameMap = 0x61;
const recipientTable = 0x692;
const attachmentTable = 0x671;
const kinds = { folder: 0x02, message: 0x04 } as const;

const maxDepth = 8;
const maxFolders = 50_000;

/** A folder of a data file, and the ids of the messages in it, in order. */
export interface PstFolder {
  readonly id: number;
  readonly parent: number;
  readonly name: string;
  readonly messages: readonly number[];
}

/** An Outlook data file (.pst, .ost), read message by message. */
export class Pst {
  readonly #db: NodeDatabase;
  #names: readonly (readonly [key: string, id: number])[] | null = null;

  private constructor(db: NodeDatabase) {
    this.#db = db;
  }

  /** Throws `damaged_file` or `unsupported_format`. */
  static async open(read: ReadAt): Promise<Pst> {
    return new Pst(await NodeDatabase.open(read));
  }

  /**
   * All folders with what is in them, by the file's list of nodes: a folder whose own table is broken loses nothing.
   * `lost`: pages of the list that could not be read.
   */
  async folders(): Promise<{ folders: PstFolder[]; lost: number }> {
    const lost = { pages: 0 };
    const folders = new Map<number, { node: Node; messages: number[] }>();
    const messages = new Map<number, number[]>();
    for await (const node of this.#db.nodes(lost)) {
      const kind = node.id & 0x1f;
      if (kind === kinds.folder && folders.size < maxFolders) folders.set(node.id, { node, messages: [] });
      else if (kind === kinds.message) {
        const list = messages.get(node.parent);
        if (list === undefined) messages.set(node.parent, [node.id]);
        else list.push(node.id);
      }
    }
    const found: PstFolder[] = [];
    for (const [id, { node }] of folders) {
      let name = "";
      try {
        name = (await readProperties(this.#db, node)).props.text(ids.displayName) ?? "";
      } catch {
        // Its messages are not lost with its name.
      }
      found.push({ id, parent: node.parent, name, messages: messages.get(id) ?? [] });
      messages.delete(id);
    }
    for (const [id, list] of messages) found.push({ id, parent: 0, name: "", messages: list });
    return { folders: found, lost: lost.pages };
  }

  /** Reads one message with all that is in it. Null when it is not there. Throws `damaged_file`. */
  async message(id: number): Promise<{ item: MapiItem; offset: number | null } | null> {
    const node = await this.#db.node(id);
    if (node === null) return null;
    this.#names ??= await this.#readNames();
    return { item: await this.#item(node, 0), offset: (await this.#db.placeOf(node.data))?.at ?? null };
  }

  async #item(node: Node, depth: number): Promise<MapiItem> {
    const { props, sub, ...read } = await readProperties(this.#db, node);
    let { damaged } = read;
    for (const [key, id] of this.#names ?? []) if (props.type(id) !== null) props.name(key, id);
    const rows = async (table: number) => {
      const found = sub.get(table);
      try {
        return found === undefined ? [] : await readTable(this.#db, found);
      } catch {
        damaged = true;
        return [];
      }
    };
    const recipients = (await rows(recipientTable)).map((row) => row.props);
    const attachments: MapiAttachment[] = [];
    for (const row of await rows(attachmentTable)) {
      const own = sub.get(row.id);
      try {
        attachments.push(
          own === undefined ? { props: row.props, data: null, item: null } : await this.#attachment(own, depth),
        );
      } catch {
        damaged = true;
        attachments.push({ props: row.props, data: null, item: null });
      }
    }
    return { props, recipients, attachments, damaged };
  }

  async #attachment(node: Node, depth: number): Promise<MapiAttachment> {
    const { props, objects } = await readProperties(this.#db, node);
    const object = objects.get(ids.attachData);
    if (object !== undefined && props.int(ids.attachMethod) === 5 && depth < maxDepth) {
      return { props, data: null, item: await this.#item(object, depth + 1) };
    }
    return { props, data: props.bytes(ids.attachData), item: null };
  }

  /** The map of named properties (MS-PST §2.4.7). */
  async #readNames(): Promise<(readonly [string, number])[]> {
    const node = await this.#db.node(nameMap);
    if (node === null) return [];
    let props = new MapiProps();
    try {
      props = (await readProperties(this.#db, node)).props;
    } catch {
      // Without names an appointment has no times; mail does not need them.
    }
    const guids = props.bytes(0x0002) ?? Buffer.alloc(0);
    const entries = props.bytes(0x0003) ?? Buffer.alloc(0);
    const strings = props.bytes(0x0004) ?? Buffer.alloc(0);
    const names: (readonly [string, number])[] = [];
    for (let at = 0; at + 8 <= entries.length; at += 8) {
      const about = entries.readUInt16LE(at + 4);
      const name = namedAt(
        { name: entries.readUInt32LE(at), about, index: entries.readUInt16LE(at + 6) },
        guids,
        strings,
      );
      if (name !== null) names.push(name);
    }
    return names;
  }
}
