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
  /** Gold turns, those outside the pool counted too. */
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
  const messages = new Map<string, string[]>();
  for (const { id, part = id } of dialogue.turns) {
    messages.set(part, [...(messages.get(part) ?? []), id]);
    messages.set(id, [id]);
  }
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
    const place = new Map(order.map((id, row) => [id, row]));
    // Any message of a turn that was split stands for the whole turn.
    const wanted = gold.flatMap((turn, share) =>
      (messages.get(turn) ?? []).flatMap((id) => {
        const row = place.get(archive.ids.get(id) ?? -1);
        return row === undefined ? [] : [{ row, share }];
      }),
    );
    rows.push({
      dialogue: at,
      question,
      category,
      golds: gold.length,
      ids: order,
      values,
      gold: wanted.map(({ row }) => row),
      share: wanted.map(({ share }) => share),
      ms,
    });
  }
  return rows;
}
