import { z } from "zod";

/** Google Chat's messages as Takeout writes them. Everything may be missing; what is odd counts as absent. */

const text = z.string().optional().catch(undefined);
const list = <T extends z.ZodType>(item: T) =>
  z
    .array(item.nullable().catch(null))
    .transform((items) => items.filter((one): one is Exclude<typeof one, null> => one !== null))
    .optional()
    .catch(undefined);

export const personSchema = z.object({ name: text, email: text, user_type: text });
export type Person = z.infer<typeof personSchema>;

const person = personSchema.optional().catch(undefined);

const messageSchema = z.object({
  creator: person,
  created_date: text,
  updated_date: text,
  text: text,
  topic_id: text,
  message_id: text,
  message_state: text,
  deletion_metadata: z.unknown().optional(),
  attached_files: list(z.object({ original_name: text, export_name: text })),
  annotations: list(z.record(z.string(), z.unknown())),
  reactions: list(
    z.object({ emoji: z.object({ unicode: text }).optional().catch(undefined), reactor_emails: list(z.string()) }),
  ),
  quoted_message_metadata: z.object({ creator: person, text: text, message_id: text }).optional().catch(undefined),
  previous_message_versions: list(z.object({ created_date: text, updated_date: text, text: text })),
});
export type GoogleMessage = z.infer<typeof messageSchema>;

export const readMessage = (value: unknown): GoogleMessage | null => messageSchema.safeParse(value).data ?? null;

export const groupSchema = z.object({ name: text, members: list(personSchema) });
export const ownerSchema = z.object({ user: personSchema });
