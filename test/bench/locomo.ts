import { type Dialogue, readLocomo } from "./dialogues.ts";
import { profiles } from "./fit/profiles.ts";
import { calibrate, leaveOneOut, type Scores, transferred } from "./fit/protocol.ts";
import { perturb } from "./perturb.ts";
import { perturbChat } from "./perturb-chat.ts";
import {
  byFeature,
  ceilingOf,
  collect,
  encodersOf,
  parsed,
  profilesWanted,
  resultHead,
  resultLine,
  shipped,
} from "./recall-bench.ts";
import type { Row } from "./recall-rows.ts";
import { median, table } from "./table.ts";

const categories = ["multi-hop", "temporal", "open", "single"] as const;
/** Conversations 1–5 are for development. */
const development = 5;

const definitions = `R@k: share of a question's evidence turns among the first k records, mean over questions. Candidates: all turns of the
question's own conversation, stored, indexed and asked by the product's own code (plan → pool → features → ranker); a
picture stands as its caption behind the turn's text. Category 5 (no answer) is left out. dev: conversations 1–5, each
scored with weights fitted on the other four. held-out: conversations 6–10, weights fitted on 1–5 alone. Intervals:
bootstrap over questions, 1,000 draws. --perturbed: the same conversations as people type them (perturb.ts), where a turn is
several messages: it is found when any of them is. --perturbed chat: as two people chat over weeks (perturb-chat.ts), and of
each turn the one message that tells has to be found; chat-turns: any of them. --dev: conversations 1–5 alone.`;

/** A conversation as it stands, as people type it, or as they chat: `exact` where a question's evidence is messages, not turns. */
function formOf(perturbed: string | undefined): (dialogue: Dialogue) => Dialogue {
  if (perturbed === undefined) return (dialogue) => dialogue;
  if (perturbed === "chat") return (dialogue) => perturbChat(dialogue);
  return perturbed === "chat-turns" ? (dialogue) => perturbChat(dialogue, { exact: false }) : perturb;
}

/** `locomo FOLDER [--weights shipped] [--profiles quick,thorough] [--ablations] [--image-query] [--perturbed [chat|chat-turns]] [--dev] [--models FOLDER]`. */
export async function benchLocomo(args: readonly string[]): Promise<void> {
  const { alone, options } = parsed(args);
  const read = await readLocomo(alone[0] ?? ".");
  const dialogues = read.map(formOf(options.get("perturbed")));
  const wanted = profilesWanted(options.get("profiles"));
  const models = options.get("models") || ".cache/models";
  console.log(definitions);
  let last = "";
  for (const profile of wanted) {
    const withImageQuery = options.has("image-query");
    const rows = await collect(options.has("dev") ? dialogues.slice(0, development) : dialogues, encodersOf[profile], {
      models,
      withImageQuery,
    });
    console.log(
      `\n${profile}${withImageQuery ? ", with the words that pictures were searched by" : ""}: ${rows.length} questions, pools of ` +
        `${median(rows.map(({ ids }) => ids.length))} records hold ${ceilingOf(rows).toFixed(2)} % of the evidence; first stage ` +
        `${median(rows.map(({ ms }) => ms)).toFixed(1)} ms`,
    );
    if (options.get("weights") === "shipped") {
      console.log(
        table(resultHead(categories), [
          resultLine("full text alone (BM25)", "all", rows, byFeature(rows, "bm"), categories),
          resultLine(`${profile}, as shipped`, "all", rows, shipped(rows, profile), categories),
        ]),
      );
      last = resultLine("", "all", rows, shipped(rows, profile), categories)[4]?.toString() ?? "";
      continue;
    }
    const dev = rows.filter(({ dialogue }) => dialogue < development);
    const held = rows.filter(({ dialogue }) => dialogue >= development);
    const { names, l2 } = profiles[profile];
    const { scores } = transferred(dev, held, { names, l2 });
    const left = leaveOneOut(dev, { names, l2 });
    const onHeld = [
      resultLine("full text alone (BM25)", "held-out", held, byFeature(held, "bm"), categories),
      resultLine(profile, "held-out", held, scores, categories),
      resultLine(`${profile}, as shipped`, "held-out", held, shipped(held, profile), categories),
    ];
    const lines = [
      resultLine("full text alone (BM25)", "dev", dev, byFeature(dev, "bm"), categories),
      resultLine(profile, "dev", dev, left, categories),
      ...(held.length > 0 ? onHeld : []),
      ...(options.has("ablations") ? ablations(dev, names, l2) : []),
    ];
    console.log(table(resultHead(categories), lines));
    if (held.length > 0) console.log(reliability(dev, left, held, scores));
    last = (held.length > 0 ? onHeld[1] : lines[1])?.[4]?.toString() ?? "";
  }
  const fold = options.get("weights") === "shipped" ? "shipped" : options.has("dev") ? "dev" : "held-out";
  console.log(`${fold} R@10 ${last}`);
}

function ablations(dev: readonly Row[], names: readonly string[], l2: number): (string | number)[][] {
  return names.map((name) => {
    const scores = leaveOneOut(dev, { names: names.filter((one) => one !== name), l2 });
    return resultLine(`  without ${name}`, "dev", dev, scores, categories);
  });
}

/** Platt's scaling fitted on dev scores, looked at on held-out. */
function reliability(dev: readonly Row[], left: readonly Scores[], held: readonly Row[], scores: Scores[]): string {
  const { a, b, ece, bins } = calibrate(dev, left, { rows: [...held], scores });
  const rows = bins.map(({ said, found, count }, at) => [
    `${at * 10}–${at * 10 + 10} %`,
    count,
    (100 * said).toFixed(1),
    (100 * found).toFixed(1),
  ]);
  return `\nCalibration p = σ(${a.toFixed(3)}·(s − s₁₀) ${b.toFixed(3)}), fitted on dev, first 50 records of held-out; ECE ${(100 * ece).toFixed(2)} %\n${table(["said", "records", "mean said %", "true %"], rows)}`;
}
