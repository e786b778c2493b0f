import { featureNames } from "#main/query/ports.ts";
import { rankerFile } from "#main/query/recall/calibrate.ts";
import { type EncoderName, openDialogueArchive, openEncoders } from "./dialogue-archive.ts";
import type { Dialogue } from "./dialogues.ts";
import { type ProfileName, profileNames } from "./fit/profiles.ts";
import { columnsOf, interval, recallAt, type Scores, scoresOf } from "./fit/protocol.ts";
import { type Row, rowsOf } from "./recall-rows.ts";

/** What the benches of the first stage share: encoders, rows of a data set, and one line of a table. */

/** Rows of all dialogues, by archives that these encoders read as the product has them read, the main one first; `[]`: none. */
export async function collect(
  dialogues: readonly Dialogue[],
  names: readonly EncoderName[],
  options: { models: string; withCaption?: boolean; withImageQuery?: boolean },
): Promise<Row[]> {
  const opened = openEncoders(names, options.models);
  const rows: Row[] = [];
  try {
    for (const [at, dialogue] of dialogues.entries()) {
      const archive = await openDialogueArchive(dialogue, opened, options);
      try {
        rows.push(...(await rowsOf(dialogue, at, archive, options)));
      } finally {
        archive.close();
      }
      process.stderr.write(`\r${dialogue.name}: ${rows.length} questions `);
    }
  } finally {
    for (const { embedder } of opened) await embedder.dispose();
    process.stderr.write("\n");
  }
  return rows;
}

/** Encoders that a profile reads. */
export const encodersOf: Readonly<Record<ProfileName, readonly EncoderName[]>> = {
  lexical: [],
  quick: ["minilm"],
  thorough: ["minilm", "bge", "e5"],
};

export const depths = [5, 10, 20, 48] as const;

export const resultHead = (categories: readonly string[]) => [
  "ranker",
  "fold",
  "n",
  ...depths.map((depth) => `R@${depth}`),
  "95 % of R@10",
  ...categories.map((category) => `${category} R@10`),
  ...categories.slice(0, 1).map((category) => `${category} R@48`),
];

/** Recall in per cent at every depth, its interval at ten, and at ten by category; at 48 for the first category. */
export function resultLine(
  label: string,
  fold: string,
  rows: readonly Row[],
  scores: readonly Scores[],
  categories: readonly string[],
): (string | number)[] {
  const tested = rows.flatMap((row, at) => {
    const found = scores[at];
    return found ? [{ row, found }] : [];
  });
  const mean = (depth: number, category?: string) => {
    const of = tested.filter(({ row }) => category === undefined || row.category === category);
    const sum = of.reduce((total, { row, found }) => total + recallAt(row, found, depth), 0);
    return (100 * sum) / Math.max(1, of.length);
  };
  const { low, high } = interval(tested.map(({ row, found }) => recallAt(row, found, 10)));
  return [
    label,
    fold,
    tested.length,
    ...depths.map((depth) => mean(depth).toFixed(2)),
    `${low.toFixed(1)}–${high.toFixed(1)}`,
    ...categories.map((category) => mean(10, category).toFixed(1)),
    ...categories.slice(0, 1).map((category) => mean(48, category).toFixed(1)),
  ];
}

/** Share of the gold that the pools hold: no ranker finds more. */
export const ceilingOf = (rows: readonly Row[]): number =>
  (100 * rows.reduce((sum, row) => sum + new Set(row.share).size / row.golds, 0)) / Math.max(1, rows.length);

export function byFeature(rows: readonly Row[], name: (typeof featureNames)[number]): Scores[] {
  return rows.map((row) => scoresOf(row, columnsOf([name]), [1]));
}

/** With the weights that the product ships. */
export function shipped(rows: readonly Row[], profile: ProfileName): Scores[] {
  const { weights } = rankerFile.profiles[profile];
  const names = featureNames.filter((name) => weights[name] !== undefined);
  const values = names.map((name) => weights[name] ?? 0);
  return rows.map((row) => scoresOf(row, columnsOf(names), values));
}

/** `--name value` of a bench's arguments, and what stands alone. */
export function parsed(args: readonly string[]) {
  const alone: string[] = [];
  const options = new Map<string, string>();
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (!arg.startsWith("--")) alone.push(arg);
    else {
      const next = args[at + 1];
      const value = next === undefined || next.startsWith("--") ? "" : next;
      options.set(arg.slice(2), value);
      if (value !== "") at++;
    }
  }
  return { alone, options };
}

export function profilesWanted(value: string | undefined): ProfileName[] {
  const named = value === undefined || value === "" ? profileNames : value.split(",");
  return profileNames.filter((name) => named.includes(name));
}
