import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";

/**
 * Turns one conversation of LoCoMo (a data set of long chats with questions; given as a file, not part of this
 * repository) into a WhatsApp export, so that it can be imported like any chat.
 *
 *     npx --no node test/bench/locomo-chat.ts locomo10.json 0 OUT_FOLDER
 */

const turnSchema = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string(),
  blip_caption: z.string().optional(),
});
const sampleSchema = z.object({
  sample_id: z.string(),
  conversation: z.looseObject({ speaker_a: z.string(), speaker_b: z.string() }),
});

export interface ChatLine {
  /** Turn id of the data set: the gold evidence of its questions. */
  readonly id: string;
  readonly speaker: string;
  readonly text: string;
  /** Wall time. */
  readonly at: Date;
}

/** "1:56 pm on 8 May, 2023" as a wall time held in UTC fields. */
export function sessionStart(text: string): Date {
  const match = /^(\d{1,2}):(\d{2}) (am|pm) on (\d{1,2}) (\w+), (\d{4})$/i.exec(text.trim());
  if (!match) throw new Error(`Not a session time: ${text}`);
  const [, hour = "", minute = "", half, day = "", month = "", year = ""] = match;
  const months = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
  ];
  const hours = (Number(hour) % 12) + (half?.toLowerCase() === "pm" ? 12 : 0);
  return new Date(Date.UTC(Number(year), months.indexOf(month), Number(day), hours, Number(minute)));
}

const minute = 60_000;

/** Milliseconds between the turns of a session: a minute, or what leaves them all before the next session. */
export function stepOf(start: Date, turns: number, next: Date | undefined): number {
  const room = next === undefined ? Number.POSITIVE_INFINITY : next.getTime() - start.getTime();
  return room > 0 ? Math.min(minute, Math.floor(room / (turns + 1))) : minute;
}

/** The turns of all sessions in order (`stepOf`). */
export function chatLines(sample: unknown): ChatLine[] {
  const { conversation } = sampleSchema.parse(sample);
  const lines: ChatLine[] = [];
  const startOf = (n: number): Date | undefined => {
    const text = conversation[`session_${n}_date_time`];
    return text === undefined ? undefined : sessionStart(z.string().parse(text));
  };
  for (let n = 1, start = startOf(n); start !== undefined; n++, start = startOf(n)) {
    const turns = z.array(turnSchema).parse(conversation[`session_${n}`] ?? []);
    const [first, step] = [start.getTime(), stepOf(start, turns.length, startOf(n + 1))];
    turns.forEach(({ speaker, dia_id: id, text, blip_caption: caption }, i) => {
      const shown = caption === undefined ? text : `${text}\n[photo: ${caption}]`;
      lines.push({ id, speaker, text: shown, at: new Date(first + i * step) });
    });
  }
  return lines;
}

/** The chat as Android writes it, day first. */
export function asWhatsApp(lines: readonly ChatLine[]): string {
  const two = (n: number) => String(n).padStart(2, "0");
  return lines
    .map(({ at, speaker, text }) => {
      const date = `${two(at.getUTCDate())}/${two(at.getUTCMonth() + 1)}/${at.getUTCFullYear()}`;
      return `${date}, ${two(at.getUTCHours())}:${two(at.getUTCMinutes())} - ${speaker}: ${text}\n`;
    })
    .join("");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [file, index, out] = process.argv.slice(2);
  if (!file || !index || !out) throw new Error("Usage: locomo-chat.ts locomo10.json INDEX OUT_FOLDER");
  const samples = z.array(z.unknown()).parse(JSON.parse(await readFile(file, "utf8")));
  const sample = samples[Number(index)];
  const { conversation } = sampleSchema.parse(sample);
  const folder = join(out, `WhatsApp Chat with ${conversation.speaker_b}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `WhatsApp Chat with ${conversation.speaker_b}.txt`), asWhatsApp(chatLines(sample)));
  console.log(`${chatLines(sample).length} messages in ${folder}`);
}
