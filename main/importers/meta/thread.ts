import { baseName, folderOf } from "../files.ts";
import { cleanLine, fieldHash } from "../text/clean.ts";
import { reasonOf } from "../text/guard.ts";
import { jsonItems, parseJson } from "../text/json.ts";
import type { Entry, SourceTree } from "../types.ts";
import { repair } from "./repair.ts";
import { readParticipant } from "./schema.ts";

/** Where threads stand in an export, and what is known of one before its messages are read. */

const categories =
  /^(?:inbox|archived_threads|filtered_threads|filtered|message_requests|requests|e2ee_cutover|broadcast|ai_conversations|secret_conversations)$/i;

/** Number of a part: `message_10.json` → 10; the single `message.json` of old exports → 1; null for other names. */
export function partNumber(name: string): number | null {
  const match = /^message(?:_(\d{1,6}))?(?: ?\(\d{1,3}\))?\.(?:json|html)$/i.exec(name);
  return match === null ? null : Number(match[1] ?? 1);
}

/** Whether a folder is one of the export's shelves of threads, or lies in one. */
export function isShelved(folder: string): boolean {
  return folder.split("/").some((part) => categories.test(part));
}

/** Whether first bytes begin a thread. Its name helps where a large group fills them with its members. */
export function looksLikeThread(head: Uint8Array, name: string): boolean {
  const text = new TextDecoder().decode(head);
  if (!/^\s*\{/.test(text)) return false;
  const people = /"participants"\s*:\s*\[/.test(text);
  const messages = /"(?:sender_name|senderName|thread_path|threadName)"\s*:/.test(text);
  return (people && (messages || partNumber(name) !== null)) || (messages && /"messages"\s*:\s*\[/.test(text));
}

/** The folder that holds the threads' shelves (`…/messages`), and the root of the whole export. */
export function rootsOf(folder: string): { readonly messages: string; readonly root: string } {
  const parts = folder.split("/");
  const shelf = parts.findIndex((part) => categories.test(part));
  if (shelf < 0) return { messages: folder, root: folder };
  const messages = parts.slice(0, shelf);
  const root = messages.at(-1)?.toLowerCase() === "messages" ? messages.slice(0, -1) : messages;
  if (/^your_.*(?:activity|across)/i.test(root.at(-1) ?? "")) root.pop();
  return { messages: messages.join("/"), root: root.join("/") };
}

/** Names of the participants as far as they stand whole in the first bytes; null when they do not. */
export function participantsIn(head: Uint8Array): string[] | null {
  const text = new TextDecoder().decode(head);
  const start = /"participants"\s*:\s*(?=\[)/.exec(text);
  if (start === null) return null;
  const list = /^\[(?:[^"\]]|"(?:[^"\\]|\\.)*")*\]/.exec(text.slice(start.index + start[0].length))?.[0];
  if (list === undefined) return null;
  try {
    const value = parseJson(list);
    return Array.isArray(value) ? value.flatMap((one) => nameOf(one) ?? []) : null;
  } catch {
    return null;
  }
}

function nameOf(value: unknown): string | null {
  const one = readParticipant(value);
  return one === null ? null : cleanLine(one.plain ? one.name : repair(one.name));
}

export interface Thread {
  /** Opaque; the same on every export. */
  readonly key: string;
  readonly title: string | null;
  readonly participants: readonly string[];
  /** The newer end-to-end form: its text is right, and its files stand beside it. */
  readonly flat: boolean;
}

/** What the first part tells of the thread; a broken file tells as much as stands before the break. */
export async function surveyThread(entry: Entry, signal: AbortSignal): Promise<Thread> {
  const participants: string[] = [];
  let title: string | null = null;
  let path: string | null = null;
  let flatName: string | null = null;
  let flat = false;
  try {
    for await (const { path: keys, value } of jsonItems(entry, [
      "$.participants.*",
      "$.title",
      "$.thread_path",
      "$.threadName",
    ])) {
      const [key] = keys;
      if (key === "participants") {
        const name = nameOf(value);
        if (name !== null && participants.length < 5_000) participants.push(name);
        flat ||= typeof value === "string";
      } else if (typeof value === "string") {
        if (key === "title") title = cleanLine(repair(value));
        if (key === "thread_path") path = value;
        if (key === "threadName") flatName = value;
      }
    }
  } catch (error) {
    reasonOf(error, signal);
  }
  flat = path === null && (flat || flatName !== null);
  if (flatName !== null) title ??= cleanLine(flatName.replace(/_\d+$/, ""));
  const folder = baseName(path ?? "") || baseName(folderOf(entry.joined));
  return { key: keyOf(flat ? null : folder, title, participants), title, participants, flat };
}

/** A thread's number at the end of its folder is the same in every export; without one, its people and title are. */
function keyOf(folder: string | null, title: string | null, participants: readonly string[]): string {
  const number = folder === null ? null : /(?:^|_)(\d{6,30})$/.exec(folder)?.[1];
  if (number) return `meta:${number}`;
  return `meta:#${fieldHash([title, ...[...participants].sort()]).slice(0, 24)}`;
}

/** A file that a message names, wherever the export's root and its parts were put. */
export function findFile(uri: string, thread: Entry, tree: SourceTree): Entry | undefined {
  const clean = uri.normalize("NFC").replace(/^(?:\.?\/)+/, "");
  if (clean === "" || clean.split("/").includes("..")) return undefined;
  const folder = folderOf(thread.joined);
  const parts = folder === "" ? [] : folder.split("/");
  for (let depth = parts.length; depth >= 0; depth--) {
    const found = tree.joined.get([...parts.slice(0, depth), clean].join("/"));
    if (found !== undefined) return found;
  }
  // The root was renamed, or only the thread's folder is there: its last two names are enough.
  const tail = clean.split("/").slice(-2);
  const { messages } = rootsOf(folder);
  for (const path of [`${folder}/${tail.join("/")}`, `${messages}/${tail.join("/")}`, `${folder}/${tail.at(-1)}`]) {
    const found = tree.joined.get(path.replace(/^\//, ""));
    if (found !== undefined) return found;
  }
  return undefined;
}
