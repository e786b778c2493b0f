import type { RecordId } from "#contract";
import { embedQuestion } from "#main/query/embed.ts";
import { featureNames } from "#main/query/ports.ts";
import { poolOf } from "#main/query/recall/pool.ts";
import type { DialogueArchive } from "./dialogue-archive.ts";
import type { Dialogue } from "./dialogues.ts";
import type { Sample } from "./fit/softmax.ts";

/** What the first stage looks at for one question: the product's own pool with its features. */
export interface Row extends Sample {
  /** Place of the dialogue in its data set. */
  readonly dialogue: number;
  readonly question: string;
  readonly category: string;
  /** Gold records, those outside the pool counted too. */
  readonly golds: number;
  readonly ids: readonly RecordId[];
  /** Time of the whole first stage but the embedding, ms. */
  readonly ms: number;
}

/** One row a question; ids ascending, so that equal scores fall as in the order of the dialogue. */
export async function rowsOf(
  dialogue: Dialogue,
  at: number,
  archive: DialogueArchive,
  options: { withCaption?: boolean } = {},
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { question, caption, category, gold } of dialogue.questions) {
    const text = options.withCaption && caption !== null ? `${question} ${caption}` : question;
    const plan = archive.plan(text);
    const { vectors } = await embedQuestion(plan, archive.ports, undefined);
    const start = performance.now();
    const { ids, reader } = poolOf(plan, archive.ports, vectors);
    const features = reader.read(ids);
    const ms = performance.now() - start;
    const order = [...features.keys()].sort((a, b) => a - b);
    const values = new Float32Array(order.length * featureNames.length);
    order.forEach((id, row) => {
      const found = features.get(id);
      featureNames.forEach((name, column) => {
        values[row * featureNames.length + column] = found?.[name] ?? 0;
      });
    });
    const wanted = gold.map((turn) => archive.ids.get(turn) ?? -1);
    rows.push({
      dialogue: at,
      question,
      category,
      golds: gold.length,
      ids: order,
      values,
      gold: wanted.map((id) => order.indexOf(id)).filter((row) => row >= 0),
      ms,
    });
  }
  return rows;
}
