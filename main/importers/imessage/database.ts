import type { ForeignDatabase } from "#native/foreign-sqlite.ts";
import { limits } from "../types.ts";

/** Reading the tables of Messages. Columns differ by year and system: a column that is not there reads as null. */

type Value = null | number | bigint | string | Uint8Array;
export type Row = Readonly<Record<string, Value>>;

/** Rows of one table above this are no collection of messages. */
const maxRows = 20_000_000;
const pageRows = 20_000;
/** Bytes of one text or archive of a message. */
const valueBytes = 4 * limits.textChars;

export const textIn = (row: Row | undefined, name: string): string | null => {
  const value = row?.[name];
  return typeof value === "string" && value !== "" ? value : null;
};
export const numberIn = (row: Row | undefined, name: string): number => {
  const value = row?.[name];
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
};
export const bytesIn = (row: Row | undefined, name: string): Uint8Array | null => {
  const value = row?.[name];
  return value instanceof Uint8Array && value.length > 0 ? value : null;
};

export interface Conversation {
  readonly guid: string;
  /** `+15550100111`, `chat9001`. */
  readonly identifier: string | null;
  /** 43 group, 45 single; 0 where there is no such column. */
  readonly style: number;
  readonly name: string | null;
  /** Numbers and addresses of the others. */
  readonly handles: string[];
}

export interface AttachmentRow {
  readonly filename: string | null;
  readonly name: string | null;
  readonly mime: string | null;
  readonly bytes: number | null;
  readonly sticker: boolean;
}

const messageColumns = [
  "guid",
  "text",
  "subject",
  "handle_id",
  "other_handle",
  "service",
  "account",
  "destination_caller_id",
  "date",
  "date_read",
  "date_delivered",
  "date_played",
  "date_edited",
  "date_retracted",
  "is_from_me",
  "is_spam",
  "error",
  "item_type",
  "group_action_type",
  "group_title",
  "share_status",
  "share_direction",
  "associated_message_guid",
  "associated_message_type",
  "associated_message_emoji",
  "thread_originator_guid",
  "expressive_send_style_id",
  "balloon_bundle_id",
] as const;

const blobColumns = ["payload_data", "message_summary_info"] as const;

/** The tables that tell Messages from any other database. */
export function isMessages(db: ForeignDatabase): boolean {
  const message = db.columns("message");
  return message.has("guid") && message.has("is_from_me") && message.has("date") && db.columns("handle").has("id");
}

/** Reads columns that may be missing; values above the cap read as null. */
function selection(have: ReadonlySet<string>, names: readonly string[]): string {
  return names
    .map((name) =>
      have.has(name)
        ? `CASE WHEN octet_length("${name}") <= ${valueBytes} THEN "${name}" END AS "${name}"`
        : `NULL AS "${name}"`,
    )
    .join(", ");
}

export class MessagesDatabase {
  readonly conversations = new Map<number, Conversation>();
  readonly handles = new Map<number, string>();
  /** Messages in the bin of recently deleted ones. */
  readonly binned = new Set<number>();
  readonly #db: ForeignDatabase;
  readonly #message: string;
  readonly #attachment: string | null;
  readonly #chatOf = new Map<number, number>();
  readonly #attachmentsOf = new Map<number, number[]>();

  /** Reads all small tables. Throws `damaged_file`. */
  constructor(db: ForeignDatabase) {
    this.#db = db;
    const have = db.columns("message");
    const body = have.has("attributedbody")
      ? `, CASE WHEN ${have.has("text") ? `coalesce("text", '') = '' AND` : ""} octet_length("attributedBody") <= ${valueBytes} THEN "attributedBody" END AS body`
      : ", NULL AS body";
    this.#message = `SELECT ${selection(have, messageColumns)}, ${selection(have, blobColumns)}${body} FROM "message" WHERE ROWID = ?`;
    const attachment = db.columns("attachment");
    this.#attachment = attachment.has("filename")
      ? `SELECT ${selection(attachment, ["filename", "transfer_name", "mime_type", "total_bytes", "is_sticker"])} FROM "attachment" WHERE ROWID = ?`
      : null;
    this.#scan("handle", ["id"], (id, row) => {
      const handle = textIn(row, "id");
      if (handle !== null) this.handles.set(id, handle.slice(0, 320));
    });
    this.#readChats();
    this.#scan("chat_recoverable_message_join", ["message_id", "chat_id"], (_id, row) => {
      const message = numberIn(row, "message_id");
      this.binned.add(message);
      if (!this.#chatOf.has(message)) this.#chatOf.set(message, numberIn(row, "chat_id"));
    });
    this.#scan("message_attachment_join", ["message_id", "attachment_id"], (_id, row) => {
      const message = numberIn(row, "message_id");
      const known = this.#attachmentsOf.get(message);
      if (known === undefined) this.#attachmentsOf.set(message, [numberIn(row, "attachment_id")]);
      else if (known.length < 1000) known.push(numberIn(row, "attachment_id"));
    });
  }

  #readChats(): void {
    const columns = ["guid", "style", "chat_identifier", "display_name", "room_name"];
    this.#scan("chat", columns, (id, row) => {
      this.conversations.set(id, {
        guid: textIn(row, "guid") ?? `#${id}`,
        identifier: textIn(row, "chat_identifier") ?? textIn(row, "room_name"),
        style: numberIn(row, "style"),
        name: textIn(row, "display_name"),
        handles: [],
      });
    });
    this.#scan("chat_handle_join", ["chat_id", "handle_id"], (_id, row) => {
      const handle = this.handles.get(numberIn(row, "handle_id"));
      const handles = this.conversations.get(numberIn(row, "chat_id"))?.handles;
      if (handle !== undefined && handles !== undefined && !handles.includes(handle)) handles.push(handle);
    });
    this.#scan("chat_message_join", ["chat_id", "message_id"], (_id, row) => {
      const message = numberIn(row, "message_id");
      if (!this.#chatOf.has(message)) this.#chatOf.set(message, numberIn(row, "chat_id"));
    });
  }

  /**
   * Walks a table by its row numbers, which must rise: a damaged file can lead in circles. A table that is not there has
   * no rows.
   */
  #scan(table: string, names: readonly string[], take: (id: number, row: Row) => void): void {
    const have = this.#db.columns(table);
    if (have.size === 0) return;
    const sql = `SELECT ROWID AS "rowid", ${selection(have, names)} FROM "${table}" WHERE ROWID > ? ORDER BY ROWID LIMIT ${pageRows}`;
    let last = Number.MIN_SAFE_INTEGER;
    for (let rows = 0; rows < maxRows; ) {
      const before = rows;
      const from = last;
      this.#db.each(sql, [from], (row) => {
        const id = numberIn(row, "rowid");
        if (id <= last) return;
        last = id;
        rows++;
        take(id, row);
      });
      if (rows - before < pageRows) return;
    }
  }

  /** Row numbers of all messages and their raw dates, in the order of their row numbers. */
  index(take: (row: { id: number; date: number; associated: number }) => void): void {
    this.#scan("message", ["date", "associated_message_type"], (id, row) =>
      take({ id, date: numberIn(row, "date"), associated: numberIn(row, "associated_message_type") }),
    );
  }

  /** One message whole; `body` holds attributedBody where `text` is empty. */
  message(id: number): Row | undefined {
    return this.#db.get(this.#message, id);
  }

  conversationOf(message: number): Conversation | undefined {
    return this.conversations.get(this.#chatOf.get(message) ?? -1);
  }

  attachmentsOf(message: number): AttachmentRow[] {
    const sql = this.#attachment;
    if (sql === null) return [];
    return (this.#attachmentsOf.get(message) ?? []).flatMap((id) => {
      const row = this.#db.get(sql, id);
      return row === undefined ? [] : [attachmentRow(row)];
    });
  }

  /** File names of all attachments. */
  attachmentNames(take: (filename: string) => void): void {
    this.#scan("attachment", ["filename"], (_id, row) => {
      const filename = textIn(row, "filename");
      if (filename !== null) take(filename);
    });
  }
}

function attachmentRow(row: Row): AttachmentRow {
  const bytes = numberIn(row, "total_bytes");
  return {
    filename: textIn(row, "filename")?.slice(0, 4096) ?? null,
    name: textIn(row, "transfer_name")?.slice(0, 255) ?? null,
    mime: textIn(row, "mime_type")?.slice(0, 100) ?? null,
    bytes: Number.isSafeInteger(bytes) && bytes > 0 ? bytes : null,
    sticker: numberIn(row, "is_sticker") === 1,
  };
}
