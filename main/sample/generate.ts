import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { UnderstoryError } from "#contract";
import { mailboxes } from "./mbox.ts";
import { pictureFile, picturePath, sentPicture } from "./photo.ts";
import { familyChat, friendChat } from "./story/chats.ts";
import type { Mail } from "./story/mail.ts";
import { familyMails } from "./story/mail-family.ts";
import { houseMails } from "./story/mail-house.ts";
import { regularMails } from "./story/mail-regular.ts";
import { type PictureId, pictures } from "./story/pictures.ts";
import { androidExport, iosExport } from "./whatsapp.ts";
import { zipFile } from "./zip.ts";

export interface SampleOptions {
  /** Another seed gives other clouds, trees and groceries; the story stays. */
  readonly seed?: number;
  /** Factor on the sides of all pictures, 1 by default; tests that need no beauty take 0.25. */
  readonly scale?: number;
  readonly signal?: AbortSignal;
  /** Files written so far, and how many there will be. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** All mails of the story; only the monthly shopping depends on the seed. */
export function storyMails(seed = 1): readonly Mail[] {
  return [...houseMails, ...familyMails, ...regularMails(seed)];
}

/**
 * Writes the sample household into `dir` (made when missing): `mail/*.mbox`, `chats/` (an Android folder and an iOS zip),
 * `photos/YYYY/`. The same seed gives the same bytes. Throws UnderstoryError `cancelled`; files written before stay.
 */
export async function generateSample(
  dir: string,
  options: SampleOptions = {},
): Promise<{ files: number; bytes: number }> {
  const { seed = 1, scale = 1, signal, onProgress } = options;
  const android = androidExport(familyChat);
  const ios = iosExport(friendChat);
  const boxes = Object.entries(mailboxes(storyMails(seed)));
  const total = boxes.length + pictures.length + android.media.length + 2;
  let files = 0;
  let bytes = 0;

  async function write(path: string, content: Uint8Array): Promise<void> {
    if (signal?.aborted) {
      throw new UnderstoryError("cancelled", "Making the sample household was cancelled.", {
        hint: "Nothing of your own was touched. Start it again whenever you like.",
      });
    }
    const target = join(dir, ...path.split("/"));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
    files++;
    bytes += content.byteLength;
    onProgress?.(files, total);
  }

  for (const [name, content] of boxes) await write(`mail/${name}.mbox`, content);

  // Two at a time: rendering is single-threaded native work, and the machine may have no more cores to give.
  const sent = new Map<PictureId, Uint8Array>();
  const wanted = new Set([...android.media, ...ios.media].map(({ picture }) => picture));
  const queue = [...pictures];
  async function render(): Promise<void> {
    for (let picture = queue.shift(); picture; picture = queue.shift()) {
      const file = await pictureFile(picture, seed, scale);
      await write(picturePath(picture), file);
      if (wanted.has(picture.id)) sent.set(picture.id, await sentPicture(file));
    }
  }
  await Promise.all([render(), render()]);

  const media = (picture: PictureId): Uint8Array => sent.get(picture) ?? new Uint8Array();
  const folder = `chats/WhatsApp Chat with ${familyChat.title}`;
  await write(`${folder}/WhatsApp Chat with ${familyChat.title}.txt`, Buffer.from(android.text, "utf8"));
  for (const { name, picture } of android.media) await write(`${folder}/${name}`, media(picture));
  const members = ios.media.map(({ name, picture }) => ({ name, bytes: media(picture) }));
  await write(
    `chats/WhatsApp Chat - ${friendChat.title}.zip`,
    zipFile([{ name: "_chat.txt", bytes: Buffer.from(ios.text, "utf8") }, ...members]),
  );
  return { files, bytes };
}
