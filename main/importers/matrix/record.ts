import type { Attachment, Container, ImportedRecord, Party, RecordFlag } from "#contract";
import type { FilesBeside } from "../chats/beside.ts";
import { chatRecord, member } from "../chats/message.ts";
import { missingFile } from "../chats/sent.ts";
import { attachmentOf, mimeOf } from "../media.ts";
import { timeFromInstant } from "../text/time.ts";
import type { Entry } from "../types.ts";
import { noticeText } from "./notices.ts";
import type { MatrixEvent } from "./schema.ts";
import { type RoomSurvey, relationOf } from "./survey.ts";

export const identityOf = (id: string): string => `matrix:${id}`;

/** The room by its id; exports that do not tell it, by the event of its making, else by its name. */
export function containerOf(survey: RoomSurvey): Container {
  const key = survey.roomId ?? survey.made ?? `name/${survey.name?.toLowerCase() ?? survey.first ?? ""}`;
  return { key: `matrix:${key.slice(0, 500)}`, title: survey.name, kind: "chat" };
}

/** Lines that repeat what is answered stand in front, up to a blank line: `> <@ada:example.org> …`. */
export function withoutFallback(body: string): string {
  if (!/^> (?:\* )?<[^>\n]+>/.test(body)) return body;
  const lines = body.split("\n");
  let at = 0;
  while (lines[at]?.startsWith(">")) at++;
  if (lines[at]?.trim() === "") at++;
  return lines.slice(at).join("\n");
}

function partyOf(id: string | null, survey: RoomSurvey): Party | null {
  if (id === null || id === "") return null;
  const name = survey.people.get(id) ?? null;
  const same = (name ?? localName(id)).toLowerCase() === survey.exporter?.toLowerCase();
  return member(name, id.slice(0, 300), { owner: id === survey.exporter || same });
}

/** `ada` of `@ada:example.org`. */
function localName(id: string): string {
  return /^@([^:]+):/.exec(id)?.[1] ?? id;
}

const nameOf = (id: string | null, survey: RoomSurvey): string =>
  id === null || id === "" ? "Somebody" : (survey.people.get(id) ?? localName(id));

const two = (value: number) => String(value).padStart(2, "0");

/** How Element names a file in its export: `name-date.ext`, in a folder of its kind; the date is the exporting computer's. */
function fileOf(event: MatrixEvent, files: FilesBeside, byStem: ReadonlyMap<string, readonly Entry[]>): Entry | null {
  const { content, origin_server_ts: ms } = event;
  const name = content?.filename ?? content?.body ?? null;
  if (name === null || name === "") return null;
  const dot = name.lastIndexOf(".");
  const stem = dot > 0 ? name.slice(0, dot) : name;
  const all = byStem.get(stem.normalize("NFC")) ?? [];
  if (all.length <= 1) return all[0] ?? files.find(name);
  // Several files of one name: the one whose date is nearest.
  const days = [-1, 0, 1].map((shift) => new Date((ms ?? 0) + shift * 86_400_000));
  for (const day of [days[1], days[0], days[2]]) {
    if (day === undefined || Number.isNaN(day.getTime())) continue;
    const digits = [`${day.getUTCDate()}`, `${day.getUTCMonth() + 1}`, `${day.getUTCFullYear()}`];
    const iso = `${digits[2]}-${two(Number(digits[1]))}-${two(Number(digits[0]))}`;
    const found = all.filter(
      (entry) =>
        entry.name.includes(iso) ||
        digits.every((part) => new RegExp(`(?<!\\d)0?${part}(?!\\d)`).test(entry.name.slice(stem.length))),
    );
    if (found.length === 1) return found[0] ?? null;
  }
  return null;
}

const fileTypes = /^m\.(?:image|video|audio|file)$/;

function geoOf(uri: string | null): { lat: number; lon: number } | null {
  const match = /^geo:(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)/.exec(uri ?? "");
  if (match === null) return null;
  const [lat, lon] = [Number(match[1]), Number(match[2])];
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : null;
}

interface Read {
  readonly record: ImportedRecord;
  readonly entries: Entry[];
  readonly shown: Entry[];
}

export interface EventContext {
  readonly survey: RoomSurvey;
  readonly container: Container;
  readonly files: FilesBeside;
  readonly byStem: ReadonlyMap<string, readonly Entry[]>;
  readonly path: string;
  readonly index: number;
}

/** An event with an id as a record; null for those that only say something about another, and for what is no message. */
export function eventRecord(event: MatrixEvent & { readonly event_id: string }, context: EventContext): Read | null {
  const { survey } = context;
  const { content, type, event_id: id } = event;
  const relation = relationOf(event);
  if (type === "m.reaction" || type === "m.room.redaction" || relation?.type === "m.annotation") return null;
  // An edit of a message that the export has is told with it.
  if (relation?.type === "m.replace") return null;
  const pollEnd = /^(?:m|org\.matrix\.msc3381)\.poll\.(?:response|end)$/.test(type ?? "");
  if (pollEnd || type === null) return null;
  const redacted = survey.redacted.has(id) || (event.unsigned?.redacted_because ?? null) !== null;
  const poll = content?.["m.poll"] ?? content?.["m.poll.start"] ?? content?.["org.matrix.msc3381.poll.start"] ?? null;
  const encrypted = type === "m.room.encrypted";
  const badEncrypted = content?.msgtype === "m.bad.encrypted";
  const message = type === "m.room.message" || type === "m.sticker" || encrypted || /\.poll\.start$/.test(type);
  const sender = event.sender ?? event.user_id;
  const author = partyOf(sender, survey);
  const flags = new Set<RecordFlag>();
  const extra: Record<string, unknown> = {};
  const entries: Entry[] = [];
  const shown: Entry[] = [];
  const attachments: Attachment[] = [];
  let text: string | null = null;
  let place: ImportedRecord["place"] = null;
  const edits = editsOf(event, survey);
  if (redacted) flags.add("deleted");
  else if (encrypted || badEncrypted) flags.add("encrypted");
  else if (!message) {
    text = noticeText(event, (who) => nameOf(who, survey));
    if (text === null) return null;
    if (/^m\.call\./.test(type)) flags.add("call");
    if (type === "m.call.hangup" && content?.reason === "invite_timeout") flags.add("missed");
  } else if (poll !== null) {
    flags.add("poll");
    text = [poll.question ?? "", ...poll.answers.map((answer) => `- ${answer ?? ""}`)].join("\n");
  } else {
    text = edits.at(-1)?.text ?? withoutFallback(content?.body ?? "");
    const sticker = type === "m.sticker";
    if (sticker || fileTypes.test(content?.msgtype ?? "")) {
      const entry = fileOf(event, context.files, context.byStem);
      const name = content?.filename ?? content?.body ?? null;
      const mime = content?.info?.mimetype?.slice(0, 200) ?? null;
      const bytes = content?.info?.size ?? null;
      const whole = bytes !== null && Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : null;
      if (entry === null) {
        attachments.push(missingFile(name, { mime: mime ?? mimeOf(name ?? ""), bytes: whole }));
        flags.add("missing-media");
      } else {
        attachments.push({ ...attachmentOf(entry), name: name ?? entry.name, mime: attachmentOf(entry).mime ?? mime });
        (sticker ? shown : entries).push(entry);
      }
      // The body is a caption only where the name of the file stands apart from it.
      if (sticker) extra.sticker = content?.body ?? "";
      if (sticker || content?.filename === null || content?.filename === text) text = null;
    } else if (content?.msgtype === "m.location" || content?.geo_uri) {
      const told = content["m.location"] ?? content["org.matrix.msc3488.location"];
      const at = geoOf(content.geo_uri ?? told?.uri ?? null);
      if (at !== null) {
        place = { ...at, alt: null, name: told?.description?.slice(0, 500) ?? null, confidence: "normal" };
        if (/geo:|^Location\b|was at/.test(text)) text = null;
      }
    } else if (content?.msgtype === "m.emote") text = `* ${nameOf(sender, survey)} ${text}`;
    else if (content?.msgtype === "m.notice") extra.bot = true;
  }
  if (edits.length > 1 && !redacted) flags.add("edited");
  const relates = content?.["m.relates_to"] ?? null;
  const thread = relation?.type === "m.thread" ? identityOf(relation.to) : null;
  const reply = relates?.["m.in_reply_to"]?.event_id ?? null;
  const replyTo = reply === null || (thread !== null && relates?.is_falling_back) ? null : identityOf(reply);
  const live = (survey.reactions.get(id) ?? []).filter((one) => one.id === null || !survey.redacted.has(one.id));
  const bundled = event.unsigned?.["m.relations"]?.["m.annotation"]?.chunk ?? [];
  const reactions =
    live.length > 0
      ? live.map(({ emoji, by }) => ({ emoji: emoji.slice(0, 100), by: nameOf(by, survey), count: 1 }))
      : bundled.flatMap(({ key, count }) =>
          key === null ? [] : [{ emoji: key.slice(0, 100), by: null, count: Math.trunc(count ?? 1) }],
        );
  const duration = content?.info?.duration ?? null;
  const ms = event.origin_server_ts;
  const last = edits.length > 1 ? edits.at(-1) : undefined;
  const record = chatRecord({
    identity: identityOf(id),
    nativeId: id,
    kind: message ? "message" : "system",
    text,
    author,
    time: timeFromInstant(ms ?? 0, { source: "origin_server_ts", precision: "ms" }),
    container: context.container,
    sequence: context.index,
    thread,
    replyTo,
    place,
    file: { path: context.path, offset: null, bytes: null, role: null },
    props: {
      ...(author === null || survey.exporter === null ? {} : { direction: author.owner ? "out" : "in" }),
      ...(attachments.length > 0 ? { attachments } : {}),
      ...(flags.size > 0 ? { flags: [...flags].sort() } : {}),
      ...(reactions.length > 0 && !redacted ? { reactions } : {}),
      ...(last?.time && !redacted ? { modified: last.time, edits: edits.slice(0, -1) } : {}),
      ...(duration !== null && duration >= 0 ? { duration: duration / 1000 } : {}),
      ...(Object.keys(extra).length > 0 ? { extra } : {}),
    },
  });
  return { record, entries, shown };
}

/** What a message said, the oldest first; one where it was never edited, or where the export has put in the last already. */
function editsOf(event: MatrixEvent, survey: RoomSurvey): { time: ReturnType<typeof timeFromInstant>; text: string }[] {
  const later = (survey.edits.get(event.event_id ?? "") ?? []).filter(
    (edit) => edit.sender === event.sender && !survey.redacted.has(edit.event_id ?? ""),
  );
  const bundled = event.unsigned?.["m.relations"]?.["m.replace"] ?? null;
  const all = [
    { ms: event.origin_server_ts, body: event.content?.body ?? null },
    ...later.map((edit) => ({
      ms: edit.origin_server_ts,
      body: edit.content?.["m.new_content"]?.body ?? edit.content?.body ?? null,
    })),
  ];
  if (later.length === 0 && bundled !== null) {
    all.push({
      ms: bundled.origin_server_ts,
      body: bundled.content?.["m.new_content"]?.body ?? event.content?.body ?? null,
    });
  }
  return all.map(({ ms, body }) => ({
    time: timeFromInstant(ms ?? 0, { source: "origin_server_ts", precision: "ms" }),
    text: withoutFallback(body ?? ""),
  }));
}
