import { cleanLine } from "../text/clean.ts";

/** `WhatsApp Chat with X`, `Chat de WhatsApp con X`, `Discussion WhatsApp avec X`, `WhatsApp Chat - X` … */
const named =
  /whatsapp.{0,40}?(?:\s[-–]\s|\s(?:with|mit|con|avec|com|met|med|с|со|з|z|ze|s|se|kanssa|cu|με|dengan|עם|مع|با|का|와의|与|與)\s)(.+)$/iu;

/** `X ile WhatsApp Sohbeti`, `XとのWhatsAppチャット`: the name comes first. */
const namedFirst = /^(.+?)\s?(?:ile|との|님과의|के साथ)\s?whatsapp/iu;

function titleOf(name: string): string | null {
  const stem = name
    .replace(/\.(?:txt|zip)$/i, "")
    .replace(/\.(?:txt|zip)$/i, "")
    .replace(/ ?\(\d{1,3}\)$/, "");
  const title = named.exec(stem)?.[1] ?? namedFirst.exec(stem)?.[1] ?? null;
  return title === null ? null : cleanLine(title);
}

/** The chat's name as its file, folder or zip is called; null when they are called otherwise. */
export function titleFromPath(path: string): string | null {
  const parts = path.split("/");
  return titleOf(parts.at(-1) ?? "") ?? titleOf(parts.at(-2) ?? "");
}

/** Whether a name says that this is a chat of WhatsApp. */
export function isChatName(path: string): boolean {
  const name = path.split("/").at(-1) ?? "";
  return /^_chat(?:[ _-]?\(?\d{0,3}\)?)?\.txt$/i.test(name) || /whatsapp/i.test(name);
}
