import { z } from "zod";
import { id, list, number, text } from "../chats/fields.ts";
import { cleanLine } from "../text/clean.ts";

/** Events of Element's "Export chat" (`JSONExport.ts`), as the Matrix client-server API defines them. */

const relation = z
  .object({
    rel_type: text,
    event_id: id,
    key: text,
    is_falling_back: z.boolean().catch(false),
    "m.in_reply_to": z.object({ event_id: id }).nullable().catch(null),
  })
  .nullable()
  .catch(null);

/** A text that extensible events give in several renderings. */
const rendered = z
  .union([
    z.string(),
    z.object({ body: z.string() }).transform((said) => said.body),
    z.object({ "org.matrix.msc1767.text": z.string() }).transform((said) => said["org.matrix.msc1767.text"]),
    z
      .object({ "m.text": z.array(z.object({ body: z.string() })).min(1) })
      .transform((said) => said["m.text"][0]?.body ?? ""),
  ])
  .nullable()
  .catch(null);

const poll = z
  .object({
    question: rendered,
    answers: list(rendered),
  })
  .nullable()
  .catch(null);

const place = z.object({ uri: text, description: text }).nullable().catch(null);

const content = z
  .object({
    msgtype: text,
    body: text,
    filename: text,
    format: text,
    formatted_body: text,
    url: text,
    geo_uri: text,
    "m.location": place,
    "org.matrix.msc3488.location": place,
    info: z.object({ mimetype: text, size: number, duration: number }).nullable().catch(null),
    "m.relates_to": relation,
    "m.new_content": z.object({ body: text, msgtype: text, formatted_body: text }).nullable().catch(null),
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
  })
  .nullable()
  .catch(null);

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
  unsigned: z
    .object({
      redacted_because: z.unknown().optional(),
      prev_content: z.object({ membership: text, displayname: text }).nullable().catch(null),
      "m.relations": z
        .object({
          "m.annotation": z
            .object({ chunk: list(z.object({ key: text, count: number })) })
            .nullable()
            .catch(null),
          "m.replace": z.object({ origin_server_ts: number, content }).nullable().catch(null),
        })
        .nullable()
        .catch(null),
    })
    .nullable()
    .catch(null),
});

export type MatrixEvent = z.infer<typeof eventSchema>;

/** An event of the list: older exports put what was decrypted beside what was sent. */
export function readEvent(value: unknown): MatrixEvent | null {
  const both = z.object({ decrypted: z.unknown(), encrypted: z.unknown() }).safeParse(value);
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
