import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { splitMessages } from "./import-bound.ts";

/** A made-up mailbox: list mail of a few dozen people in threads, 0.4–4 KB each, the same for the same number. */

const words =
  "the tide came in over night and the boat lay dry at the quay when we walked out to look for the old chart that Ada left in the cabin last spring before the harbour office moved to its new rooms by the mill where nobody answers letters about moorings or the price of diesel but somebody might know who repaired the winch".split(
    " ",
  );
const people = Array.from({ length: 60 }, (_, at) => ({
  name: `${["Juno", "Mara", "Ada", "Lena", "Per", "Tove"][at % 6]} ${["Aalto", "Lind", "Berg", "Holm", "Dahl"][at % 5]}${at}`,
  address: `person${at}@${["example.org", "example.net"][at % 2]}`,
}));
const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const days = "Sun Mon Tue Wed Thu Fri Sat".split(" ");

function noise(seed: number): () => number {
  let state = (seed + 1) * 2654435761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 4_294_967_296;
  };
}

export function mailText(number: number): string {
  const next = noise(number);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const from = pick(people);
  const to = pick(people);
  const date = new Date(Date.UTC(2005, 0, 1) + number * 5_400_000);
  const two = (n: number) => String(n).padStart(2, "0");
  const clock = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  const stamp = `${days[date.getUTCDay()]}, ${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()} ${clock} +0000`;
  const parent = number % 4 === 0 ? null : number - 1;
  const subject = `${parent === null ? "" : "Re: "}${words[(number >> 2) % 50]} and ${words[((number >> 2) * 7) % 50]} ${number >> 2}`;
  const lines: string[] = [];
  const paragraphs = 1 + Math.floor(next() * 6);
  for (let at = 0; at < paragraphs; at++) {
    const line = Array.from({ length: 12 + Math.floor(next() * 50) }, () =>
      next() < 0.04 ? `${pick(words)}${Math.floor(next() * 5_000)}` : pick(words),
    ).join(" ");
    lines.push(...(line.match(/.{1,72}(?:\s|$)/g) ?? [line]), "");
  }
  if (parent !== null) lines.push(`On that day ${to.name} wrote:`, ...lines.slice(0, 4).map((line) => `> ${line}`), "");
  return [
    `From: ${from.name} <${from.address}>`,
    `To: ${to.name} <${to.address}>, harbour@lists.example.org`,
    `Subject: ${subject}`,
    `Date: ${stamp}`,
    `Message-ID: <${number}.harbour@example.org>`,
    ...(parent === null ? [] : [`In-Reply-To: <${parent}.harbour@example.org>`]),
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "List-Id: <harbour.lists.example.org>",
    "",
    ...lines,
    "-- ",
    from.name,
    "",
  ].join("\n");
}

/**
 * Messages of all files below a folder, mboxes or one message a file, over and over: each round has Message-IDs of its own,
 * so that every copy is a message and its threads stay what they are. Binary strings.
 */
export async function mailsOf(folder: string): Promise<(number: number) => string> {
  const read: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const chunks: Buffer[] = [];
    for await (const chunk of createReadStream(join(entry.parentPath, entry.name))) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    if (bytes.subarray(0, 5).toString("latin1") === "From ") {
      for await (const message of splitMessages([bytes])) read.push(message.toString("latin1"));
    } else if (/^[\w-]+:/.test(bytes.toString("latin1", 0, 80))) read.push(bytes.toString("latin1"));
  }
  if (read.length === 0) throw new Error(`There are no messages in ${folder}.`);
  return (number) => {
    const text = read[number % read.length] ?? "";
    const end = text.indexOf("\n\n");
    const round = Math.floor(number / read.length);
    const ids = /^(?:message-id|in-reply-to|references):.*(?:\n[ \t].*)*/gim;
    const head = text.slice(0, end).replace(ids, (field) => field.replaceAll("<", `<${round}.`));
    return end < 0 ? text : head + text.slice(end);
  };
}

/** Writes one mbox, and the same messages as a Maildir for those who read that. */
export async function writeMails(
  mbox: string,
  maildir: string | null,
  messages: number,
  textOf: (number: number) => string = mailText,
): Promise<void> {
  const out = createWriteStream(mbox);
  if (maildir) for (const folder of ["cur", "new", "tmp"]) await mkdir(join(maildir, folder), { recursive: true });
  for (let at = 0; at < messages; at++) {
    const text = textOf(at);
    const block = `From person@example.org Mon Jan  3 10:00:00 2005\n${text.replace(/^>*From /gm, ">$&")}\n`;
    if (!out.write(block, "latin1")) await new Promise<void>((resolve) => out.once("drain", () => resolve()));
    if (maildir) await writeFile(join(maildir, "cur", `${at}.harbour:2,S`), text, "latin1");
  }
  await new Promise<void>((resolve) => out.end(() => resolve()));
}
