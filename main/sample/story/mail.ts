import type { PersonKey } from "./people.ts";

export interface MailAttachment {
  readonly name: string;
  readonly kind: "text" | "pdf" | "calendar";
  /** Lines of a text or PDF, or for a calendar: start and end (local, London), summary and place. */
  readonly content: readonly string[];
}

/** One mail of the story. Its Message-ID is `<id@domain of the sender>`. */
export interface Mail {
  readonly id: string;
  /** Local time of the sender, `YYYY-MM-DD HH:MM`. */
  readonly at: string;
  readonly from: PersonKey;
  readonly to: readonly PersonKey[];
  readonly cc: readonly PersonKey[];
  readonly subject: string;
  readonly body: string;
  /** Id of the mail that this one answers. */
  readonly reply: string | null;
  readonly form: "plain" | "flowed" | "html" | "base64" | "latin1" | null;
  readonly attach: readonly MailAttachment[];
}

export interface MailOptions {
  readonly to?: readonly PersonKey[];
  readonly cc?: readonly PersonKey[];
  readonly reply?: string;
  readonly form?: Mail["form"];
  readonly attach?: readonly MailAttachment[];
}

/** A mail to Mara, unless said otherwise. */
export function mail(
  id: string,
  at: string,
  from: PersonKey,
  subject: string,
  body: string,
  options: MailOptions = {},
): Mail {
  return {
    id,
    at,
    from,
    to: options.to ?? ["mara"],
    cc: options.cc ?? [],
    subject,
    body: body.trim(),
    reply: options.reply ?? null,
    form: options.form ?? null,
    attach: options.attach ?? [],
  };
}
