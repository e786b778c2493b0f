import { z } from "zod";
import { flag, id, list, number, object, text } from "../chats/fields.ts";
import { cleanLine } from "../text/clean.ts";

/** Events of Element's "Export chat" (`JSONExport.ts`), as the Matrix client-server API defines them. */

const relation = object({
  rel_type: text,
  event_id: id,
  key: text,
  is_falling_back: flag,
  "m.in_reply_to": object({ event_id: id }),
});

const renderedSchema = z.object({
  body: text,
  "org.matrix.msc1767.text": text,
  "m.text": list(z.object({ body: text })),
});

/** A text that extensible events give in several renderings. */
const rendered = z
  .unknown()
  .optional()
  .transform((value): string | null => {
    if (typeof value === "string") return value;
    const said = renderedSchema.safeParse(value).data;
    return said?.body ?? said?.["org.matrix.msc1767.text"] ?? said?.["m.text"][0]?.body ?? null;
  });

const poll = object({
  question: rendered,
  answers: list(rendered),
});

const place = object({ uri: text, description: text });

const content = object({
  msgtype: text,
  body: text,
  filename: text,
  format: text,
  formatted_body: text,
  url: text,
  geo_uri: text,
  "m.location": place,
  "org.matrix.msc3488.location": place,
  info: object({ mimetype: text, size: number, duration: number }),
  "m.relates_to": relation,
  "m.new_content": object({ body: text, msgtype: text, formatted_body: text }),
  "m.poll": poll,
  "m.poll.start": poll,
  "org.matrix.msc3381.poll.start": poll,
  // Of notices.
  membership: text,
  displayname: text,
  reason: text,
  name: text,
  topic: text,
  algorithm: text,
  call_id: text,
  lifetime: number,
});

export const eventSchema = z.object({
  type: text,
  event_id: id,
  sender: text,
  user_id: text,
  origin_server_ts: number,
  room_id: text,
  state_key: text,
  redacts: text,
  content,
  unsigned: object({
    redacted_because: z.unknown().optional(),
    prev_content: object({ membership: text, displayname: text }),
    "m.relations": object({
      "m.annotation": object({ chunk: list(z.object({ key: text, count: number })) }),
      "m.replace": object({ origin_server_ts: number, content }),
    }),
  }),
});

export type MatrixEvent = z.infer<typeof eventSchema>;

const bothSchema = z.object({ decrypted: z.unknown().optional(), encrypted: z.unknown().optional() });

/** An event of the list: older exports put what was decrypted beside what was sent. */
export function readEvent(value: unknown): MatrixEvent | null {
  const both = bothSchema.safeParse(value);
  const clear = both.success && both.data.decrypted ? both.data.decrypted : (both.data?.encrypted ?? value);
  const read = eventSchema.safeParse(clear);
  return read.success ? read.data : null;
}

/** Who it says it is for: the room, its people as the export names them. */
export const headerSchema = z.object({
  room_name: text,
  room_id: id,
  exported_by: text,
  room_creator: text,
  topic: text,
});

export const shown = (name: string | null): string | null =>
  name === null ? null : (cleanLine(name)?.slice(0, 200) ?? null);
