import { z } from "zod";
import { profileSchema } from "./workspace.ts";

/** A message of a day file. Everything may be missing; what is odd counts as absent. */

const text = z.string().optional().catch(undefined);
const stamp = z
  .union([z.string(), z.number().transform((value) => value.toFixed(6))])
  .optional()
  .catch(undefined);
const list = <T extends z.ZodType>(item: T) =>
  z
    .array(item.nullable().catch(null))
    .transform((items) => items.filter((one): one is Exclude<typeof one, null> => one !== null))
    .optional()
    .catch(undefined);

const fileSchema = z.object({
  id: text,
  name: text,
  title: text,
  mimetype: text,
  mode: text,
  size: z.number().int().nonnegative().optional().catch(undefined),
  url_private: text,
  is_external: z.boolean().optional().catch(undefined),
});
export type SlackFile = z.infer<typeof fileSchema>;

const attachmentSchema = z.object({
  fallback: text,
  pretext: text,
  title: text,
  title_link: text,
  text: text,
  from_url: text,
  author_name: text,
  author_id: text,
  is_msg_unfurl: z.boolean().optional().catch(undefined),
  is_share: z.boolean().optional().catch(undefined),
  blocks: z.array(z.unknown()).optional().catch(undefined),
});
export type SlackAttachment = z.infer<typeof attachmentSchema>;

const reactionSchema = z.object({
  name: z.string(),
  users: z.array(z.string()).optional().catch(undefined),
  count: z.number().int().nonnegative().optional().catch(undefined),
});

const messageSchema = z.object({
  type: text,
  subtype: text,
  user: text,
  text: text,
  ts: stamp,
  thread_ts: stamp,
  deleted_ts: stamp,
  client_msg_id: text,
  username: text,
  bot_id: text,
  bot_profile: z.object({ name: text }).optional().catch(undefined),
  user_profile: profileSchema.optional().catch(undefined),
  edited: z.object({ ts: stamp }).optional().catch(undefined),
  reactions: list(reactionSchema),
  files: list(fileSchema),
  file: fileSchema.optional().catch(undefined),
  comment: z.object({ user: text, comment: text }).optional().catch(undefined),
  attachments: list(attachmentSchema),
  blocks: z.array(z.unknown()).optional().catch(undefined),
  pinned_to: z.array(z.unknown()).optional().catch(undefined),
  is_starred: z.boolean().optional().catch(undefined),
  room: z
    .object({ date_start: z.number().optional().catch(undefined), date_end: z.number().optional().catch(undefined) })
    .optional()
    .catch(undefined),
});
export type SlackMessage = z.infer<typeof messageSchema>;

const wrapperSchema = z.object({ message: z.unknown().optional(), previous_message: z.unknown().optional() });

/** One message, or null when it is no object. Events about a change or a deletion stand for the message they tell of. */
export function readMessage(value: unknown): { readonly message: SlackMessage; readonly deleted: boolean } | null {
  const message = messageSchema.safeParse(value).data;
  if (message === undefined) return null;
  const wrapped = wrapperSchema.safeParse(value).data;
  if (message.subtype === "message_changed") {
    const inner = messageSchema.safeParse(wrapped?.message).data;
    if (inner !== undefined) return { message: { ...inner, edited: inner.edited ?? {} }, deleted: false };
  }
  if (message.subtype === "message_deleted") {
    const inner = messageSchema.safeParse(wrapped?.previous_message).data;
    if (inner !== undefined) return { message: { ...inner, ts: inner.ts ?? message.deleted_ts }, deleted: true };
  }
  return { message, deleted: message.subtype === "tombstone" };
}

/** Microseconds since 1970 of a `ts`; null for anything that is none ("NaN"). Whole below 2^53 until the year 2255. */
export function micros(ts: string | undefined): number | null {
  const match = /^(\d{9,10})(?:\.(\d{1,6}))?$/.exec(ts ?? "");
  if (match === null || Number(match[1]) > 9_000_000_000) return null;
  return Number(match[1]) * 1_000_000 + Number((match[2] ?? "").padEnd(6, "0"));
}
