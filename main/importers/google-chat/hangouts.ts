import { z } from "zod";
import type { Attachment, Container, ImportedRecord, Party, RecordProps } from "#contract";
import { chatRecord, member } from "../chats/message.ts";
import { FileEnds, messageItems, missingFile } from "../chats/sent.ts";
import { baseName, folderOf } from "../files.ts";
import { attachmentOf } from "../media.ts";
import { cleanLine, fieldHash } from "../text/clean.ts";
import { reasonOf, throwIfCancelled } from "../text/guard.ts";
import { jsonItems } from "../text/json.ts";
import { timeFromInstant } from "../text/time.ts";
import type { Claim, Entry, ImportedItem, Importer, ReadContext, SourceTree } from "../types.ts";
import { FolderFiles } from "./folder-files.ts";

/** Hangouts.json of Takeout: all conversations in one file, in the layout of 2013 and in the later one. */

const text = z.string().optional().catch(undefined);
const idSchema = z.object({ gaia_id: text, chat_id: text }).optional().catch(undefined);
const ids = z.array(idSchema).optional().catch(undefined);
const conversationSchema = z.object({
  type: text,
  name: text,
  self_conversation_state: z
    .object({ self_read_state: z.object({ participant_id: idSchema }).optional().catch(undefined) })
    .optional()
    .catch(undefined),
  participant_data: z
    .array(
      z.object({
        id: idSchema,
        fallback_name: text,
        phone_number: z.object({ e164: text }).optional().catch(undefined),
      }),
    )
    .optional()
    .catch(undefined),
});
const segmentSchema = z.object({
  type: text,
  text: text,
  link_data: z.object({ link_target: text }).optional().catch(undefined),
});
const eventSchema = z.object({
  conversation_id: z.object({ id: text }).optional().catch(undefined),
  sender_id: idSchema,
  self_event_state: z.object({ user_id: idSchema }).optional().catch(undefined),
  timestamp: z
    .union([z.string(), z.number().transform(String)])
    .optional()
    .catch(undefined),
  event_id: text,
  event_type: text,
  chat_message: z
    .object({
      message_content: z
        .object({
          segment: z.array(segmentSchema).optional().catch(undefined),
          attachment: z
            .array(z.object({ embed_item: z.unknown().optional() }))
            .optional()
            .catch(undefined),
        })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
  hangout_event: z
    .object({
      event_type: text,
      hangout_duration_secs: z
        .union([z.number(), z.string().transform(Number)])
        .optional()
        .catch(undefined),
      participant_id: ids,
    })
    .optional()
    .catch(undefined),
  membership_change: z.object({ type: text, participant_id: ids }).optional().catch(undefined),
  conversation_rename: z.object({ new_name: text, old_name: text }).optional().catch(undefined),
});
type HangoutsEvent = z.infer<typeof eventSchema>;
type Id = z.infer<typeof idSchema>;

interface Chat {
  readonly container: Container;
  readonly party: (id: Id, role: Party["role"]) => Party;
  readonly others: readonly Id[];
  readonly files: FolderFiles;
}

const keyOf = (id: Id) => id?.gaia_id ?? id?.chat_id ?? "";

async function* recognise(free: SourceTree): AsyncGenerator<Claim> {
  for (const entry of free.entries) {
    if (!/\.json$/i.test(entry.name) || !/hangout/i.test(entry.joined)) continue;
    const head = new TextDecoder().decode(await entry.head().catch(() => new Uint8Array()));
    const known =
      /^\s*\{[^[]*"conversations?(?:_state)?"\s*:\s*\[/.test(head) && /"conversation_id"|"conversation"/.test(head);
    if (!known && entry.name !== "Hangouts.json") continue;
    const beside = free.joined
      .inFolder(folderOf(entry.joined))
      .filter((other) => other !== entry && !/\.(?:json|html)$/i.test(other.name));
    const mine = /^hangouts$/i.test(baseName(folderOf(entry.joined))) ? beside.map(({ path }) => path) : [];
    yield { primary: entry.path, companions: mine, label: "Hangouts", confidence: known ? 3 : 1 };
  }
}

function chatOf(value: unknown, id: string, files: FolderFiles): Chat {
  const parsed = conversationSchema.safeParse(value).data ?? {};
  const people = new Map(
    (parsed.participant_data ?? []).map((one) => [
      keyOf(one.id),
      { name: cleanLine(one.fallback_name ?? ""), phone: one.phone_number?.e164 ?? null },
    ]),
  );
  const self = keyOf(parsed.self_conversation_state?.self_read_state?.participant_id);
  const others = (parsed.participant_data ?? []).map((one) => one.id).filter((one) => keyOf(one) !== self);
  const names = others.map((one) => people.get(keyOf(one))?.name ?? keyOf(one)).slice(0, 8);
  const title = cleanLine(parsed.name ?? "") ?? cleanLine(names.join(", "));
  return {
    container: { key: `hangouts:${id}`, title, kind: "chat" },
    party: (one, role) => {
      const person = people.get(keyOf(one));
      return member(person?.name ?? null, person?.phone ?? (keyOf(one) || null), {
        role,
        owner: self !== "" && keyOf(one) === self,
      });
    },
    others: others.length > 8 ? [] : others,
    files,
  };
}

const idOf = (value: unknown) => z.object({ id: z.string() }).safeParse(value).data?.id ?? null;

async function* read(claim: Claim, context: ReadContext): AsyncGenerator<ImportedItem> {
  const entry = context.tree.get(claim.primary);
  if (entry === undefined) return;
  const ends = new FileEnds(claim);
  const files = new FolderFiles(claim.companions.flatMap((path) => context.tree.get(path) ?? []));
  const resume = typeof context.resume === "number" ? context.resume : -1;
  let index = 0;
  let place = -1;
  let id: string | null = null;
  let chat = chatOf(null, "", files);
  const inner = (top: string, head: string, events: string) => [
    `$.${top}.*.conversation_id`,
    `$.${top}.*.${head}`,
    `$.${top}.*.${events}.*`,
  ];
  const paths = [
    "$.conversations.*.conversation.conversation_id",
    "$.conversations.*.conversation.conversation",
    "$.conversations.*.events.*",
    ...inner("conversation_state", "conversation_state.conversation", "conversation_state.event"),
  ];
  try {
    for await (const { path, value } of jsonItems(entry, paths)) {
      throwIfCancelled(context.signal);
      if (Number(path[1]) !== place) [place, id, chat] = [Number(path[1]), null, chatOf(null, "", files)];
      if (path.at(-1) === "conversation_id") id = idOf(value);
      else if (path.at(-1) === "conversation") chat = chatOf(value, id ?? idOf(idWithin(value)) ?? "", files);
      else {
        const event = eventSchema.safeParse(value).data;
        if (event === undefined) {
          ends.leaveOut(entry.path, "Something among the events is no event.");
          continue;
        }
        if (chat.container.key === "hangouts:") chat = chatOf(null, id ?? event.conversation_id?.id ?? "?", files);
        const { record, found } = eventRecord(event, chat, entry.path);
        for (const file of found) ends.use(file.path);
        const cursor = { before: index - 1, after: index };
        if (index++ > resume) yield* messageItems(record, found, cursor, ends, context);
      }
    }
    ends.use(entry.path);
  } catch (error) {
    ends.broke(entry.path, reasonOf(error, context.signal), index > 0);
  }
  yield* ends.items("No message names this file.");
}

const idWithin = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "id" in value ? value.id : null;

function eventRecord(event: HangoutsEvent, chat: Chat, path: string): { record: ImportedRecord; found: Entry[] } {
  const found: Entry[] = [];
  const micros = /^\d{1,17}$/.test(event.timestamp ?? "") ? Number(event.timestamp) : null;
  const time = micros === null ? null : timeFromInstant(micros / 1000, { source: "timestamp", precision: "ms" });
  const author = keyOf(event.sender_id) === "" ? null : chat.party(event.sender_id, "author");
  const content = event.chat_message?.message_content;
  const segments = content?.segment ?? [];
  const text = segments.map((one) => (/^line_break$/i.test(one.type ?? "") ? "\n" : (one.text ?? ""))).join("");
  const hidden = segments.flatMap((one) => one.link_data?.link_target ?? []).filter((link) => !text.includes(link));
  const { attachments, links, place } = embedded(content?.attachment ?? [], chat, found);
  const key = event.event_id ?? fieldHash([event.timestamp ?? null, keyOf(event.sender_id), text]);
  const system = event.chat_message === undefined;
  const record = chatRecord({
    identity: `hangouts:${key}`,
    nativeId: event.event_id ?? null,
    kind: system ? "system" : "message",
    text: system ? noticeOf(event, chat) : text,
    author,
    participants: chat.others
      .filter((id) => keyOf(id) !== keyOf(event.sender_id))
      .map((id) => chat.party(id, "member")),
    time,
    container: chat.container,
    sequence: micros !== null && Number.isSafeInteger(micros) ? micros : 0,
    place,
    file: { path, offset: null, bytes: null, role: null },
    props: propsOf(event, author, attachments, [...hidden, ...links]),
  });
  return { record, found };
}

/** A line for an event that has no words of its own: who came and went, what the chat was called, that there was a call. */
function noticeOf(event: HangoutsEvent, chat: Chat): string | null {
  const names = (list: readonly Id[] | undefined) =>
    (list ?? [])
      .slice(0, 50)
      .map((id) => chat.party(id, null).name ?? keyOf(id))
      .join(", ");
  const change = event.membership_change;
  if (change !== undefined)
    return `${/leave/i.test(change.type ?? "") ? "Left" : "Joined"}: ${names(change.participant_id)}`;
  if (event.conversation_rename !== undefined) return `Renamed: ${event.conversation_rename.new_name ?? ""}`;
  if (event.hangout_event !== undefined)
    return /end/i.test(event.hangout_event.event_type ?? "") ? "Call ended" : "Call";
  return event.event_type ?? null;
}

function propsOf(event: HangoutsEvent, author: Party | null, attachments: Attachment[], links: string[]): RecordProps {
  const seconds = event.hangout_event?.hangout_duration_secs;
  const flags = [
    ...(event.hangout_event === undefined ? [] : ["call" as const]),
    ...(attachments.some(({ missing }) => missing) ? ["missing-media" as const] : []),
  ];
  return {
    ...(author?.owner ? { direction: "out" as const } : {}),
    ...(attachments.length > 0 ? { attachments } : {}),
    ...(links.length > 0 ? { links: [...new Set(links)] } : {}),
    ...(flags.length > 0 ? { flags } : {}),
    ...(seconds !== undefined && Number.isFinite(seconds) && seconds >= 0 ? { duration: seconds } : {}),
    ...(event.event_type === undefined ? {} : { extra: { event: event.event_type.slice(0, 100) } }),
  };
}

/** What is embedded: photos by the name at the end of their address, places, other addresses. */
function embedded(items: readonly { embed_item?: unknown }[], chat: Chat, found: Entry[]) {
  const attachments: Attachment[] = [];
  const links: string[] = [];
  let place: ImportedRecord["place"] = null;
  const walk = (value: unknown, name: string, depth: number): void => {
    if (depth > 8 || typeof value !== "object" || value === null) return;
    const { url, latitude, longitude } = embedSchema.safeParse(value).data ?? {};
    if (latitude !== undefined && longitude !== undefined)
      place = { lat: latitude, lon: longitude, alt: null, name: null, confidence: "normal" };
    if (/plus_?photo|video/i.test(name) && url !== undefined) {
      const file = chat.files.take(lastName(url));
      if (file === undefined) attachments.push(missingFile(lastName(url) || null));
      else {
        found.push(file);
        attachments.push(attachmentOf(file));
      }
      links.push(url);
      return;
    }
    for (const [key, inside] of Object.entries(value)) if (key !== "thumbnail") walk(inside, key, depth + 1);
  };
  for (const { embed_item: item } of items.slice(0, 200)) walk(item, "", 0);
  return { attachments, links, place };
}

const degree = (most: number) => z.number().min(-most).max(most).optional().catch(undefined);
const embedSchema = z.object({
  url: z.string().max(8_000).optional().catch(undefined),
  latitude: degree(90),
  longitude: degree(180),
});

function lastName(url: string): string {
  const name =
    url
      .replace(/[?#].*$/, "")
      .split("/")
      .at(-1) ?? "";
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Google Hangouts from Takeout. The cursor counts events. */
export const hangoutsImporter: Importer = { id: "hangouts", title: "Google Hangouts", order: 82, recognise, read };
