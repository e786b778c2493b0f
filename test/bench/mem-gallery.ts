import { readLocomo, readMemGallery } from "./dialogues.ts";
import { profiles } from "./fit/profiles.ts";
import { transferred } from "./fit/protocol.ts";
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
import { table } from "./table.ts";

const definitions = `R@k over the rounds of a question's own dialogue (user and assistant together are one record, its picture stands as its
caption). Questions that should be refused (AR) are left out. Two ways of asking: the question alone, and with the caption
of the picture that is asked with. Untouched: weights fitted on LoCoMo 1–5 alone. Joint: LoCoMo 1–5 and dialogues 1–10
(both ways of asking), tested on 11–20.`;

const development = { locomo: 5, gallery: 10 };

/** `mem-gallery FOLDER [--weights shipped] [--profiles quick]`; joint weights and LoCoMo's need LoCoMo in the same folder. */
export async function benchMemGallery(args: readonly string[]): Promise<void> {
  const { alone, options } = parsed(args);
  const folder = alone[0] ?? ".";
  const models = options.get("models") || ".cache/models";
  const dialogues = await readMemGallery(folder);
  const categories = [
    ...new Set(dialogues.flatMap(({ questions }) => questions.map(({ category }) => category))),
  ].sort();
  const locomo = options.get("weights") === "shipped" ? [] : (await readLocomo(folder)).slice(0, development.locomo);
  console.log(definitions);
  let last = "";
  for (const profile of profilesWanted(options.get("profiles") ?? "quick")) {
    const ways = {
      "question only": await collect(dialogues, encodersOf[profile], { models }),
      "with its picture": await collect(dialogues, encodersOf[profile], { models, withCaption: true }),
    };
    const base = locomo.length === 0 ? [] : await collect(locomo, encodersOf[profile], { models });
    const beside = Object.values(ways).flatMap((rows) => rows.filter(({ dialogue }) => dialogue < development.gallery));
    const { names, l2 } = profiles[profile];
    const lines: (string | number)[][] = [];
    for (const [way, rows] of Object.entries(ways)) {
      const later = rows.filter(({ dialogue }) => dialogue >= development.gallery);
      lines.push(resultLine(`BM25, ${way}`, "all", rows, byFeature(rows, "bm"), categories));
      lines.push(resultLine(`${profile}, ${way}, shipped weights`, "all", rows, shipped(rows, profile), categories));
      lines.push(
        resultLine(`${profile}, ${way}, shipped weights`, "11–20", later, shipped(later, profile), categories),
      );
      last = resultLine("", "", later, shipped(later, profile), categories)[4]?.toString() ?? "";
      if (base.length === 0) continue;
      const untouched = transferred(base, rows, { names, l2 }).scores;
      lines.push(resultLine(`${profile}, ${way}, LoCoMo's weights untouched`, "all", rows, untouched, categories));
      const joint = transferred(base, later, { names, l2, beside }).scores;
      lines.push(resultLine(`${profile}, ${way}, joint weights`, "11–20", later, joint, categories));
      last = resultLine("", "", later, joint, categories)[4]?.toString() ?? "";
      console.log(`${way}: pools hold ${ceilingOf(rows).toFixed(2)} % of the evidence`);
    }
    console.log(table(resultHead(categories), lines));
  }
  console.log(`R@10 with its picture, dialogues 11-20 ${last}`);
}
