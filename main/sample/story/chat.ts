import type { PictureId } from "./pictures.ts";

/** One chat message of the story. */
export interface ChatMessage {
  /** Wall time of the phone, `YYYY-MM-DD HH:MM`. */
  readonly at: string;
  /** Name in the phone's address book; null for a line that WhatsApp itself wrote. */
  readonly sender: string | null;
  readonly text: string;
  /** Picture that was sent with it; the text is its caption. */
  readonly picture: PictureId | null;
}

export interface Chat {
  readonly title: string;
  readonly messages: readonly ChatMessage[];
}

/**
 * Reads a conversation written as plain lines: `2023-03-05 17:12 T: text`, `[picture id]` before the text for a picture,
 * `-` as the sender for a system line. A line that begins with a blank goes on with the message above it.
 */
export function conversation(
  title: string,
  names: Readonly<Record<string, string>>,
  isPicture: (id: string) => id is PictureId,
  script: string,
): Chat {
  const messages: ChatMessage[] = [];
  for (const line of script.trim().split("\n")) {
    const last = messages.at(-1);
    if (line.startsWith(" ") && last) {
      messages[messages.length - 1] = { ...last, text: `${last.text}\n${line.trim()}` };
      continue;
    }
    const match = /^(\d{4}-\d\d-\d\d \d\d:\d\d) ([A-Z-]): (?:\[([a-z0-9-]+)\] ?)?(.*)$/.exec(line);
    const [, at, who, picture, text] = match ?? [];
    if (at === undefined || who === undefined || text === undefined)
      throw new Error(`Not a line of a conversation: ${line}`);
    const sender = who === "-" ? null : names[who];
    if (sender === undefined) throw new Error(`Nobody is called ${who} in ${title}`);
    if (picture !== undefined && !isPicture(picture)) throw new Error(`No picture is called ${picture}`);
    messages.push({ at, sender, text, picture: picture ?? null });
  }
  return { title, messages };
}
