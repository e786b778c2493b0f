import type { ImportedRecord } from "#contract";
import { blankRecord } from "../blank.ts";
import { FilesBeside } from "../chats/beside.ts";
import { boundedIdentity } from "../chats/message.ts";
import { type FileEnds, messageItems } from "../chats/sent.ts";
import { folderOf } from "../files.ts";
import { cleanLine } from "../text/clean.ts";
import { throwIfCancelled } from "../text/guard.ts";
import { jsonItems } from "../text/json.ts";
import type { Claim, Entry, ImportedItem, ReadContext } from "../types.ts";
import { withJsonEscapes } from "./escapes.ts";
import { chatOf, messageRecord, type TelegramChat } from "./record.ts";
import { type ChatHeader, contactSchema, messageSchema, ownerSchema } from "./schema.ts";

/** result.json: one chat, or a whole account with its chats in two lists. */

const headerKeys = ["name", "type", "id"] as const;
const lists = ["chats", "left_chats"] as const;
const headerPaths = ["$", ...lists.map((list) => `$.${list}.list.*`)].flatMap((chat) =>
  headerKeys.map((key) => `${chat}.${key}`),
);
const messagePaths = ["$.messages.*", ...lists.map((list) => `$.${list}.list.*.messages.*`)];
const otherPaths = ["$.personal_information", "$.contacts.list.*"];

/** Thrown where a chat's messages stand before what says which chat it is. */
class HeaderMissing extends Error {}

type Headers = Map<string, ChatHeader>;

/** `$` for the only chat, `chats.3` for one of an account's. */
const chatKey = (path: readonly (string | number)[]) =>
  path.length > 4 || path[1] === "list" ? `${path[0]}.${path[2]}` : "$";

function noteHeader(headers: Headers, path: readonly (string | number)[], value: unknown): void {
  const key = chatKey(path);
  const header = headers.get(key) ?? { name: null, type: null, id: null };
  const name = path.at(-1);
  const said = typeof value === "string" || typeof value === "number" ? String(value).slice(0, 1_000) : null;
  if (name === "name" || name === "type" || name === "id") header[name] = said;
  headers.set(key, header);
}

/** All headers and the owner, for files in which they stand behind the messages. */
async function survey(entry: Entry): Promise<{ headers: Headers; owner: string | null }> {
  const headers: Headers = new Map();
  let owner: string | null = null;
  for await (const { path, value } of jsonItems(entry, [...headerPaths, "$.personal_information"])) {
    if (path[0] === "personal_information") owner = ownerOf(value) ?? owner;
    else noteHeader(headers, path, value);
  }
  return { headers, owner };
}

function ownerOf(value: unknown): string | null {
  const read = ownerSchema.safeParse(value);
  return read.success && read.data.user_id !== null ? `user${read.data.user_id}` : null;
}

export async function* readJsonExport(
  claim: Claim,
  context: ReadContext,
  ends: FileEnds,
): AsyncGenerator<ImportedItem> {
  const found = context.tree.get(claim.primary);
  if (found === undefined) return;
  const entry = withJsonEscapes(found);
  ends.use(entry.path);
  const done = typeof context.resume === "number" ? context.resume : 0;
  const state: State = { headers: new Map(), owner: null, surveyed: false, done };
  try {
    yield* readChats(entry, claim, context, ends, state);
  } catch (error) {
    if (!(error instanceof HeaderMissing)) throw error;
    yield* readChats(entry, claim, context, ends, { ...(await survey(entry)), surveyed: true, done: state.done });
  }
}

interface State {
  readonly headers: Headers;
  owner: string | null;
  /** All headers are known. */
  readonly surveyed: boolean;
  /** Messages that have been handed out. */
  done: number;
}

async function* readChats(
  entry: Entry,
  claim: Claim,
  context: ReadContext,
  ends: FileEnds,
  state: State,
): AsyncGenerator<ImportedItem> {
  const { headers, surveyed, done: resume } = state;
  const files = new FilesBeside(claim, context.tree, folderOf(entry.joined));
  let chat: TelegramChat | null = null;
  let open: string | null = null;
  let index = 0;
  for await (const { path, value } of jsonItems(entry, [...headerPaths, ...messagePaths, ...otherPaths])) {
    throwIfCancelled(context.signal);
    if (path[0] === "personal_information") {
      state.owner = ownerOf(value) ?? state.owner;
      continue;
    }
    if (path[0] === "contacts") {
      const record = contactRecord(value, entry.path);
      if (record === null || ++index <= resume) continue;
      yield { type: "record", record, cursor: index };
      state.done = index;
      continue;
    }
    const message = path.at(-2) === "messages" ? messageSchema.safeParse(value) : null;
    if (message === null) {
      noteHeader(headers, path, value);
      continue;
    }
    index++;
    const key = chatKey(path);
    if (open !== key) {
      chat = null;
      open = key;
    }
    if (!message.success || message.data.id === null || message.data.type === "unsupported") {
      const why =
        message.success && message.data.type === "unsupported"
          ? "Telegram Desktop could not export some messages of a newer kind."
          : "Some entries are no messages.";
      ends.leaveOut(entry.path, why);
      continue;
    }
    const { id } = message.data;
    if (chat === null) {
      const header = headers.get(key);
      if (!surveyed && (header === undefined || header.id === null)) throw new HeaderMissing();
      chat = chatOf(header ?? { name: null, type: null, id: null }, message.data, state.owner);
    }
    const { record, entries, shown } = messageRecord({ ...message.data, id }, chat, { path: entry.path, index, files });
    for (const one of [...entries, ...shown]) ends.use(one.path);
    if (index <= resume) continue;
    yield* messageItems(record, entries, { before: index - 1, after: index }, ends, context);
    state.done = index;
  }
}

/** One of the address book of the account. */
function contactRecord(value: unknown, path: string): ImportedRecord | null {
  const read = contactSchema.safeParse(value);
  if (!read.success) return null;
  const { user_id: id, first_name: first, last_name: last, phone_number: phone } = read.data;
  const name = cleanLine([first, last].filter(Boolean).join(" "));
  if (id === null && phone === null) return null;
  const number = phone?.replace(/[^\d+]/g, "").slice(0, 40) ?? "";
  return {
    ...blankRecord(),
    identity: boundedIdentity(`telegram:contact/${id ?? number}`),
    kind: "contact",
    nativeId: id,
    subject: name?.slice(0, 500) ?? null,
    participants: [
      { name: name?.slice(0, 200) ?? null, address: id === null ? number : `user${id}`, role: null, owner: false },
    ],
    container: { key: "telegram:contacts", title: "Telegram contacts", kind: "addressbook" },
    files: [{ path, offset: null, bytes: null, role: null }],
    props: {
      contact: {
        phones: number === "" ? [] : [{ value: number, label: null, preferred: false }],
        emails: [],
        organisation: null,
        unit: null,
        birthday: null,
        photo: null,
      },
    },
  };
}
