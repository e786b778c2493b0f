import { z } from "zod";
import { flag, id, list, number, object, text } from "../chats/fields.ts";

/** JSON of DiscordChatExporter (`JsonMessageWriter.cs`) and of Discord's own data package. */

const role = z.object({ id, name: text });
const user = z.object({ id, name: text, nickname: text, isBot: flag, roles: list(role) });
const attachment = z.object({ url: text, fileName: text, fileSizeBytes: number });
const embed = z.object({
  title: text,
  url: text,
  description: text,
  author: object({ name: text }),
  footer: object({ text }),
  fields: list(z.object({ name: text, value: text })),
});
const sticker = z.object({ name: text, format: text, sourceUrl: text });

const body = {
  content: text,
  attachments: list(attachment),
  embeds: list(embed),
  stickers: list(sticker),
};

export const messageSchema = z.object({
  id,
  type: text,
  timestamp: text,
  timestampEdited: text,
  callEndedTimestamp: text,
  isPinned: flag,
  ...body,
  author: object({ id, name: text, nickname: text, isBot: flag, roles: list(role) }),
  reactions: list(
    z.object({
      emoji: z.object({ id, name: text, code: text }),
      count: number,
      users: list(user),
    }),
  ),
  mentions: list(user),
  reference: object({ type: text, messageId: id, channelId: id, guildId: id }),
  forwardedMessage: object({ ...body, timestamp: text }),
  interaction: object({ name: text, user: object({ id, name: text, nickname: text }) }),
  poll: object({
    question: z.union([z.string(), z.object({ text: z.string() }).transform((said) => said.text)]).catch(""),
    answers: list(
      z.union([
        z.string(),
        z.object({ text: z.string() }).transform((said) => said.text),
        z.object({ poll_media: z.object({ text: z.string() }) }).transform((said) => said.poll_media.text),
      ]),
    ),
  }),
});
export type DiscordMessage = z.infer<typeof messageSchema>;

export const guildSchema = z.object({ id, name: text });
export const channelSchema = z.object({ id, type: text, name: text, category: text, categoryId: id });

export const packageMessageSchema = z.object({ ID: id, Timestamp: text, Contents: text, Attachments: text });
export const packageChannelSchema = z.object({
  id,
  type: text,
  name: text,
  guild: object({ id, name: text }),
  recipients: list(z.union([z.string(), z.number()]).transform(String)),
});
export const packageUserSchema = z.object({ id, username: text, global_name: text, discriminator: text });
