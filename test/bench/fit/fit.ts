import { readFile, writeFile } from "node:fs/promises";
import { z } from "zod";
import { type Dialogue, readLocomo, readMemGallery } from "../dialogues.ts";
import { perturb } from "../perturb.ts";
import { perturbChat } from "../perturb-chat.ts";
import { collect, encodersOf, parsed, profilesWanted } from "../recall-bench.ts";
import type { Row } from "../recall-rows.ts";
import { type Profile, profiles } from "./profiles.ts";
import { calibrate, leaveOneOutOf, recallAt, type Scores, weightsAfter, weightsOf } from "./protocol.ts";

/**
 * `npm run fit -- FOLDER [--profiles quick,thorough] [--gallery quick] [--perturbed quick,thorough] [--after quick,thorough]
 * [--models FOLDER] [--out FILE]`: fits the ranker's weights on conversations 1–5 of LoCoMo, calibrates them, and writes weights.json.
 * `--gallery`: profiles that dialogues 1–10 of Mem-Gallery take part in; `--perturbed`: those that the same conversations
 * take part in as people type and as they chat; `--after`: those whose last features are fitted on that gallery's questions. The other halves are looked at by the benches alone.
 */

const file = "main/query/recall/weights.json";
const development = { locomo: 5, gallery: 10 };

const known = z.looseObject({ profiles: z.record(z.string(), z.unknown()) });

const { alone, options } = parsed(process.argv.slice(2));
const folder = alone[0] ?? ".";
const models = options.get("models") || ".cache/models";
const chosen = (option: string) => (options.has(option) ? profilesWanted(options.get(option)) : []);
const [gallery, typed, last] = [chosen("gallery"), chosen("perturbed"), chosen("after")];
const locomo = (await readLocomo(folder)).slice(0, development.locomo);
const pictures = gallery.length + last.length === 0 ? [] : (await readMemGallery(folder)).slice(0, development.gallery);
const old = known.parse(JSON.parse(await readFile(file, "utf8")));
const fitted: Record<string, unknown> = {};
for (const profile of profilesWanted(options.get("profiles"))) {
  const { names, l2, least = {}, after = [] }: Profile = profiles[profile];
  const read = (dialogues: readonly Dialogue[], withCaption = false) =>
    collect(dialogues, encodersOf[profile], { models, withCaption });
  const rows = await read(locomo);
  const asTyped = typed.includes(profile) ? await read(locomo.map(perturb)) : [];
  const chatted = typed.includes(profile) ? await read(locomo.map((one) => perturbChat(one))) : [];
  const twins = [...asTyped, ...chatted];
  const shown = [...gallery, ...last].includes(profile) ? await read(pictures) : [];
  const beside = gallery.includes(profile) ? [...shown, ...(await read(pictures, true))] : [];
  const weights = weightsOf(rows, { names, l2, least, beside, twins });
  const later = last.includes(profile) ? weightsAfter(shown, { names, l2, after }, weights) : [];
  const left = leaveOneOutOf(rows, { names, l2, least, beside, twins });
  const { a, b, ece } = calibrate(rows, left.rows);
  fitted[profile] = {
    fold: [
      "LoCoMo conversations 1-5",
      ...(twins.length > 0 ? ["the same as people type", "the same as they chat"] : []),
      ...(beside.length > 0 ? ["Mem-Gallery dialogues 1-10 (question alone, and with the picture's caption)"] : []),
      ...(later.length > 0
        ? [`${after.map(({ name }) => name).join(", ")} on Mem-Gallery dialogues 1-10 alone (question alone)`]
        : []),
    ].join(", "),
    weights: Object.fromEntries([
      ...names.map((name, at) => [name, rounded(weights[at] ?? 0)]),
      ...later.map((weight, at) => [after[at]?.name, rounded(weight)]),
    ]),
    platt: { a: rounded(a), b: rounded(b) },
    baseline: rounded(typicalTenth(rows, left.rows)),
    figures: {
      "LoCoMo 1-5 leave-one-out R@10": rounded(share(rows, left.rows, 10)),
      "LoCoMo 1-5 leave-one-out R@48": rounded(share(rows, left.rows, 48)),
      ...(twins.length > 0
        ? {
            "the same as people type, R@10": rounded(share(asTyped, left.twins, 10)),
            "the same as they chat, R@10": rounded(share(chatted, left.twins.slice(asTyped.length), 10)),
          }
        : {}),
      "calibration error": rounded(100 * ece),
    },
  };
}
await writeFile(
  options.get("out") || file,
  `${JSON.stringify(
    {
      ...old,
      name: "first-stage linear ranker: lexical, one encoder, three encoders",
      fold: "as each profile says",
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
