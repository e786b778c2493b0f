import { readFile, writeFile } from "node:fs/promises";
import { z } from "zod";
import { featureNames } from "#main/query/ports.ts";
import { readLocomo, readMemGallery } from "../dialogues.ts";
import { collect, encodersOf, parsed, profilesWanted } from "../recall-bench.ts";
import type { Row } from "../recall-rows.ts";
import { profiles } from "./profiles.ts";
import { calibrate, columnsOf, leaveOneOut, recallAt, type Scores } from "./protocol.ts";
import { fitSoftmax } from "./softmax.ts";

/**
 * `npm run fit -- FOLDER [--profiles quick,thorough] [--gallery quick] [--models FOLDER]`: fits the ranker's weights on
 * conversations 1–5 of LoCoMo and dialogues 1–10 of Mem-Gallery together, calibrates them, and writes weights.json. The
 * other halves are looked at by the benches alone. `--gallery`: profiles that Mem-Gallery takes part in.
 */

const file = "main/query/recall/weights.json";
const development = { locomo: 5, gallery: 10 };

const known = z.looseObject({ profiles: z.record(z.string(), z.unknown()) });

const { alone, options } = parsed(process.argv.slice(2));
const folder = alone[0] ?? ".";
const models = options.get("models") || ".cache/models";
const wanted = profilesWanted(options.get("profiles"));
const gallery = profilesWanted(options.get("gallery"));
const locomo = (await readLocomo(folder)).slice(0, development.locomo);
const pictures = (await readMemGallery(folder)).slice(0, development.gallery);
const old = known.parse(JSON.parse(await readFile(file, "utf8")));
const fitted: Record<string, unknown> = {};
for (const profile of wanted) {
  const { names, l2 } = profiles[profile];
  const rows = await collect(locomo, encodersOf[profile], { models });
  const beside = gallery.includes(profile)
    ? [
        ...(await collect(pictures, encodersOf[profile], { models })),
        ...(await collect(pictures, encodersOf[profile], { models, withCaption: true })),
      ]
    : [];
  const columns = columnsOf(names);
  const { weights } = fitSoftmax([...rows, ...beside], featureNames.length, columns, l2);
  const left = leaveOneOut(rows, { names, l2, beside });
  const { a, b, ece } = calibrate(rows, left);
  fitted[profile] = {
    weights: Object.fromEntries(names.map((name, at) => [name, rounded(weights[at] ?? 0)])),
    platt: { a: rounded(a), b: rounded(b) },
    baseline: rounded(typicalTenth(rows, left)),
    figures: {
      "LoCoMo 1-5 leave-one-out R@10": rounded(share(rows, left, 10)),
      "LoCoMo 1-5 leave-one-out R@48": rounded(share(rows, left, 48)),
      "calibration error": rounded(100 * ece),
    },
  };
}
await writeFile(
  file,
  `${JSON.stringify(
    {
      ...old,
      name: "first-stage linear ranker: lexical, one encoder, three encoders",
      fold: "LoCoMo conversations 1-5 with Mem-Gallery dialogues 1-10 (question alone, and with the picture's caption)",
      date: new Date().toISOString().slice(0, 10),
      profiles: { ...old.profiles, ...fitted },
    },
    null,
    2,
  )}\n`,
);

function rounded(value: number): number {
  return Number(value.toFixed(3));
}

function share(rows: readonly Row[], scores: readonly Scores[], k: number): number {
  const found = rows.map((row, at) => recallAt(row, scores[at] ?? [], k));
  return (100 * found.reduce((sum, value) => sum + value, 0)) / Math.max(1, found.length);
}

/** Median score of the tenth record: stands in where fewer than ten were found. */
function typicalTenth(rows: readonly Row[], scores: readonly Scores[]): number {
  const tenths = rows.flatMap((_, at) => {
    const sorted = [...(scores[at] ?? [])].sort((x, y) => y - x);
    return sorted[9] === undefined ? [] : [sorted[9]];
  });
  return tenths.sort((x, y) => x - y)[tenths.length >> 1] ?? 0;
}
