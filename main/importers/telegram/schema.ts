import { z } from "zod";
import { flag, id, list, number, object, text } from "../chats/fields.ts";

/** A message of result.json, as the source of Telegram Desktop writes it (`export_output_json.cpp`). */

export interface TextPart {
  readonly type: string | null;
  readonly text: string | null;
  readonly href: string | null;
}

const partSchema = z.object({ type: text, text: text, href: text });

const bare = (said: string): TextPart => ({ type: null, text: said, href: null });

/** A text: a string, or a list of strings and of parts with marks. */
const parts = z
  .unknown()
  .optional()
  .transform((value): TextPart[] => {
    if (typeof value === "string") return value === "" ? [] : [bare(value)];
    if (!Array.isArray(value)) return [];
    return value.flatMap((one: unknown) => {
      if (typeof one === "string") return [bare(one)];
      const read = partSchema.safeParse(one);
      return read.success ? [read.data] : [];
    });
  });

const words = parts.transform((all) => all.map((one) => one.text ?? "").join(""));

/** Ids of people: `user123`, or in old exports a bare number, which is told from it. */
const sender = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === "string" || typeof value === "number" ? value : null));

export const messageSchema = z.object({
  id,
  type: text,
  date: text,
  date_unixtime: number,
  edited: text,
  edited_unixtime: number,
  /** Null is told from absent: a deleted account has written it. */
  from: text,
  from_id: sender,
  /** Signature of a post. */
  author: text,
  actor: text,
  actor_id: sender,
  action: text,
  information_text: text,
  text: parts,
  text_entities: parts,
  reply_to_message_id: id,
  reply_to_peer_id: text,
  forwarded_from: z.string().nullish().catch(undefined),
  forwarded_from_id: text,
  saved_from: text,
  via_bot: text,
  reactions: list(
    z.object({
      type: text,
      emoji: text,
      count: number,
      recent: list(z.object({ from: text, from_id: text })),
    }),
  ),
  photo: text,
  photo_file_size: number,
  file: text,
  file_name: text,
  file_size: number,
  mime_type: text,
  media_type: text,
  sticker_emoji: text,
  duration_seconds: number,
  performer: text,
  title: text,
  contact_information: object({ first_name: text, last_name: text, phone_number: text }),
  contact_vcard: text,
  location_information: object({ latitude: number, longitude: number }),
  place_name: text,
  address: text,
  live_location_period_seconds: number,
  self_destruct_period_seconds: number,
  poll: object({
    question: words,
    total_voters: number,
    closed: flag,
    answers: list(z.object({ text: words, voters: number, chosen: flag })),
  }),
  todo_list: object({
    title: text,
    answers: list(z.object({ text: words })),
    items: list(z.object({ text: words })),
  }),
  game_title: text,
  game_description: text,
  game_link: text,
  invoice_information: object({ title: text, description: text, amount: number, currency: text }),
  members: list(z.string().nullable()),
  inviter: text,
  message_id: id,
  game_message_id: id,
  invoice_message_id: id,
  score: number,
  amount: number,
  currency: text,
  discard_reason: text,
  duration: number,
  period: number,
  schedule_date: number,
  new_title: text,
  reason_domain: text,
  reason_app_name: text,
  to: text,
  distance: number,
  emoticon: text,
  cost: text,
  months: number,
  stars: number,
  boosts: number,
  values: list(z.string()),
});

export type TelegramMessage = z.infer<typeof messageSchema>;

/** What stands above a chat's messages. */
export interface ChatHeader {
  name: string | null;
  type: string | null;
  id: string | null;
}

export const ownerSchema = z.object({ user_id: id, first_name: text, last_name: text, phone_number: text });

export const contactSchema = z.object({
  user_id: id,
  first_name: text,
  last_name: text,
  phone_number: text,
});
