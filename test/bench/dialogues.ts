import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { sessionStart, stepOf } from "./locomo-chat.ts";

/** Data sets of long dialogues with questions whose evidence is known, in one shape. Given as folders, no part of this repository. */

/** One turn of a dialogue. */
export interface Turn {
  /** As the evidence names it. */
  readonly id: string;
  /** Null where the data set has no single speaker of a turn. */
  readonly speaker: string | null;
  readonly text: string;
  /** What a caption model said of a picture that was sent along. */
  readonly caption: string | null;
  /** LoCoMo only: words with which the picture was searched when the data set was made. A person's archive has no such thing. */
  readonly imageQuery: string | null;
  /** Wall time. */
  readonly at: Date;
  /** Id of the turn that this message is a piece of, where turns were split (perturb.ts). */
  readonly part?: string;
}

export interface Question {
  readonly question: string;
  /** Mem-Gallery: caption of a picture that is asked with. */
  readonly caption: string | null;
  readonly category: string;
  /** LoCoMo only. */
  readonly answer?: string;
  /** Ids of the turns that answer it, at least one; of a message where a turn was split. */
  readonly gold: readonly string[];
}

export interface Dialogue {
  readonly name: string;
  readonly turns: readonly Turn[];
  readonly questions: readonly Question[];
}

const locomoTurn = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string().default(""),
  blip_caption: z.string().optional(),
  query: z.string().optional(),
});
const locomoSchema = z.object({
  sample_id: z.string(),
  conversation: z.record(z.string(), z.unknown()),
  qa: z.array(
    z.object({
      question: z.string(),
      answer: z.coerce.string().default(""),
      category: z.number().int(),
      evidence: z.array(z.string()).default([]),
    }),
  ),
});
/** Category 5 has no answer in the dialogue. */
const locomoCategories: Readonly<Record<number, string>> = { 1: "multi-hop", 2: "temporal", 3: "open", 4: "single" };

/** `folder` holds locomo10.json, or a folder locomo with it. */
export async function readLocomo(folder: string): Promise<Dialogue[]> {
  const path = [join(folder, "locomo", "locomo10.json"), join(folder, "locomo10.json")].find(existsSync);
  if (path === undefined) throw new Error(`No locomo10.json in ${folder}`);
  return z
    .array(z.unknown())
    .parse(JSON.parse(await readFile(path, "utf8")))
    .map(locomoDialogue);
}

/** One conversation of the file. */
export function locomoDialogue(sample: unknown): Dialogue {
  const { sample_id: name, conversation, qa } = locomoSchema.parse(sample);
  const numbers = Object.keys(conversation)
    .flatMap((key) => /^session_(\d+)$/.exec(key)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
  const starts = numbers.map((number) => sessionStart(z.string().parse(conversation[`session_${number}_date_time`])));
  const turns = numbers.flatMap((number, at) => {
    const said = z.array(locomoTurn).parse(conversation[`session_${number}`]);
    const start = starts[at] ?? new Date(0);
    const step = stepOf(start, said.length, starts[at + 1]);
    return said.map((turn, i) => ({
      id: turn.dia_id,
      speaker: turn.speaker,
      text: turn.text,
      caption: turn.blip_caption ?? null,
      imageQuery: turn.query ?? null,
      at: new Date(start.getTime() + i * step),
    }));
  });
  const ids = new Set(turns.map(({ id }) => id));
  const questions = qa.flatMap(({ question, answer, category, evidence }) => {
    const found = evidence.flatMap((one) =>
      [...one.matchAll(/D:?(\d+):(\d+)/g)].map(([, session, turn]) => `D${Number(session)}:${Number(turn)}`),
    );
    const gold = [...new Set(found)].filter((id) => ids.has(id));
    const named = locomoCategories[category];
    return named === undefined || gold.length === 0 ? [] : [{ question, caption: null, category: named, answer, gold }];
  });
  return { name, turns, questions };
}

const gallerySchema = z.object({
  multi_session_dialogues: z.array(
    z.object({
      session_id: z.string(),
      date: z.string(),
      dialogues: z.array(
        z.object({
          round: z.string(),
          user: z.string().default(""),
          assistant: z.string().default(""),
          image_caption: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
  "human-annotated QAs": z.array(
    z.object({
      point: z.string(),
      question: z.string(),
      clue: z.array(z.string()).nullish(),
      image_caption: z.string().nullish(),
    }),
  ),
});

/** `folder` holds mem-gallery/dialog/*.json, dialog/*.json or the files themselves. Questions to be refused (AR) are left out. */
export async function readMemGallery(folder: string): Promise<Dialogue[]> {
  const place = [join(folder, "mem-gallery", "dialog"), join(folder, "dialog"), folder].find(existsSync) ?? folder;
  const names = (await readdir(place)).filter((name) => name.endsWith(".json")).sort();
  return Promise.all(
    names.map(async (file) => {
      const data = gallerySchema.parse(JSON.parse(await readFile(join(place, file), "utf8")));
      const turns = data.multi_session_dialogues.flatMap(({ date, dialogues }, session) =>
        dialogues.map((round, i) => ({
          id: round.round,
          speaker: null,
          text: `${round.user} ${round.assistant}`.trim(),
          caption: round.image_caption?.join(" ") || null,
          imageQuery: null,
          at: new Date(Date.parse(`${date}T08:00:00Z`) + (session % 10) * 3_600_000 + i * 60_000),
        })),
      );
      const ids = new Set(turns.map(({ id }) => id));
      const questions = data["human-annotated QAs"].flatMap(({ point, question, clue, image_caption: caption }) => {
        const gold = [...new Set(clue ?? [])].filter((id) => ids.has(id));
        return point === "AR" || gold.length === 0
          ? []
          : [{ question, caption: caption || null, category: point, gold }];
      });
      return { name: file.replace(/\.json$/, ""), turns, questions };
    }),
  );
}

/** Text of a turn as the benches import it: the caption stands behind it, as a person would read it. */
export function textOf(turn: Turn, withImageQuery = false): string {
  const caption = [turn.caption, withImageQuery ? turn.imageQuery : null].filter((one) => one !== null).join(". ");
  return caption === "" ? turn.text : `${turn.text}\n[photo: ${caption}]`;
}
