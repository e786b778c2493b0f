import { pad } from "./clock.ts";
import { hash32 } from "./random.ts";
import type { Chat, ChatMessage } from "./story/chat.ts";
import type { PictureId } from "./story/pictures.ts";

/** A chat as it is exported: the text, and the name under which each picture lies beside it. */
export interface ChatExport {
  readonly text: string;
  readonly media: readonly { readonly name: string; readonly picture: PictureId }[];
}

const mark = "\u200e";
const parts = (message: ChatMessage) => {
  const [year = "", month = "", day = "", hour = "", minute = ""] = message.at.split(/[- :]/);
  return { year, month, day, hour, minute };
};

/** Android: `dd/mm/yy, hh:mm - Name: text`; a picture is `NAME (file attached)` with its caption on the next line. */
export function androidExport(chat: Chat): ChatExport {
  const media: { name: string; picture: PictureId }[] = [];
  const perDay = new Map<string, number>();
  const lines = chat.messages.map((message) => {
    const { year, month, day, hour, minute } = parts(message);
    const head = `${day}/${month}/${year.slice(2)}, ${hour}:${minute} - `;
    if (message.sender === null) return `${head}${message.text}`;
    if (message.picture === null) return `${head}${message.sender}: ${message.text}`;
    const date = `${year}${month}${day}`;
    const count = perDay.get(date) ?? 0;
    perDay.set(date, count + 1);
    const name = `IMG-${date}-WA${pad(count, 4)}.jpg`;
    media.push({ name, picture: message.picture });
    return `${head}${message.sender}: ${mark}${name} (file attached)${message.text === "" ? "" : `\n${message.text}`}`;
  });
  return { text: `${lines.join("\n")}\n`, media };
}

/** iPhone: `[dd/mm/yyyy, hh:mm:ss] Name: text`; a picture is `<attached: NAME>` behind its caption. */
export function iosExport(chat: Chat): ChatExport {
  const media: { name: string; picture: PictureId }[] = [];
  const first = chat.messages[0];
  const opening = first
    ? [
        `[${stamp(first, 0)}] ${chat.title}: ${mark}Messages and calls are end-to-end encrypted. Only people in this chat can read, listen to, or share them.`,
      ]
    : [];
  const lines = chat.messages.map((message, i) => {
    const second = hash32(`${message.at}${message.text}`) % 60;
    const head = `[${stamp(message, second)}] ${message.sender ?? chat.title}: `;
    if (message.picture === null) return `${head}${message.text}`;
    const { year, month, day, hour, minute } = parts(message);
    const name = `${pad(i + 1, 8)}-PHOTO-${year}-${month}-${day}-${hour}-${minute}-${pad(second)}.jpg`;
    media.push({ name, picture: message.picture });
    return `${mark}${head}${message.text === "" ? "" : `${message.text} `}${mark}<attached: ${name}>`;
  });
  return { text: `${[...opening, ...lines].join("\r\n")}\r\n`, media };
}

function stamp(message: ChatMessage, second: number): string {
  const { year, month, day, hour, minute } = parts(message);
  return `${day}/${month}/${year}, ${hour}:${minute}:${pad(second)}`;
}
