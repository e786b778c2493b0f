import { UnderstoryError } from "#contract";
import type { EmbeddingRow, Encoder } from "#main/indexes/ports.ts";
import type { Inference } from "#main/inference/ports.ts";
import type { JobContext } from "#main/jobs/index.ts";
import type { IndexService } from "#main/workers/index.worker.ts";
import type { Remote } from "#main/workers/service.ts";
import { describedLabel } from "#models/pictures/labels.ts";
import { keptOf } from "./tokens.ts";

const textsAtATime = 32;
/** Words have one to three pieces: many go into one run of the network. */
const wordsAtATime = 128;

/**
 * Short texts are said again and again ("ok", "see you tomorrow"): what an encoder made of them is kept until it is this many
 * numbers (6 MB).
 */
const remembered = { numbers: 1_500_000, characters: 80 } as const;

interface Ports {
  readonly index: Remote<IndexService>;
  readonly inference: Inference;
  /** Which encoders read the archive, given the key of the one in use. */
  readonly encoders: (main: string) => readonly Encoder[];
}

/** What an encoder makes of a text. */
type Made = Pick<EmbeddingRow, "vector" | "tokens">;
type Embed = (model: string, texts: readonly string[]) => Promise<(Made | string)[]>;

/**
 * Embeds every chunk, label and word that an encoder has not embedded. What is done is in the index. The main encoder goes
 * first, again and again: what comes in while a further one is at work is soon found.
 */
export async function embedPending({ index, inference, encoders }: Ports, context: JobContext): Promise<void> {
  const { signal } = context;
  const model = await inference.model("text-embedding");
  if (model === null) return;
  const atWork = encoders(model.modelId);
  await index.setEncoders({ encoders: atWork });
  const keepTokens = new Set(atWork.filter(({ tokens }) => tokens).map(({ model: one }) => one));
  const embed = remembering((modelId, texts) =>
    embedEach((some) => embedTexts(inference, modelId, some, keepTokens.has(modelId), signal), texts, signal),
  );
  const given: string[] = [];
  let done = 0;
  for (;;) {
    signal.throwIfAborted();
    let seen = (await chunksOf(index, model.modelId, embed)) + (await labelsOf(index, model.modelId, embed));
    if (seen === 0) seen = await wordsIn(index, model.modelId, embed);
    for (const { model: further } of atWork.slice(1)) {
      if (seen > 0) break;
      if (given.includes(further)) continue;
      try {
        seen = await chunksOf(index, further, embed);
      } catch (error) {
        // An encoder that does not open costs its own evidence only.
        if (signal.aborted || !(error instanceof UnderstoryError)) throw error;
        given.push(further);
      }
    }
    if (seen === 0) return;
    done += seen;
    context.progress({ unit: "records", done, records: done });
  }
}

/** Each gives how many it has seen to; one that failed for good counts. */
async function chunksOf(index: Remote<IndexService>, modelId: string, embed: Embed): Promise<number> {
  const chunks = await index.pendingEmbeddings({ modelId, limit: textsAtATime });
  if (chunks.length === 0) return 0;
  const found = await embed(
    modelId,
    chunks.map(({ text }) => text),
  );
  const rows: EmbeddingRow[] = [];
  for (const [at, { chunkId }] of chunks.entries()) {
    const result = found[at];
    if (typeof result === "object") rows.push({ chunkId, ...result });
    else await index.failEmbedding({ modelId, chunkId, reason: result ?? "the model gave nothing" });
  }
  await index.putEmbeddings({ modelId, rows });
  return chunks.length;
}

async function labelsOf(index: Remote<IndexService>, modelId: string, embed: Embed): Promise<number> {
  const labels = await index.pendingLabels({ modelId, limit: textsAtATime });
  if (labels.length === 0) return 0;
  const found = await embed(modelId, labels.map(describedLabel));
  // A label that the model cannot take would be asked for for ever: it does not count.
  const rows = labels.flatMap((label, at) => {
    const one = found[at];
    return typeof one === "object" ? [{ label, vector: one.vector }] : [];
  });
  await index.putLabels({ modelId, rows });
  return rows.length;
}

async function wordsIn(index: Remote<IndexService>, modelId: string, embed: Embed): Promise<number> {
  const words = await index.pendingWords({ modelId, limit: wordsAtATime });
  if (words.length === 0) return 0;
  const found = await embed(modelId, words);
  const rows = words.flatMap((word, at) => {
    const one = found[at];
    return typeof one === "object" ? [{ word, vector: one.vector }] : [];
  });
  await index.putWords({ modelId, rows });
  return rows.length;
}

/** The same text is embedded once a model, as long as it is remembered. */
function remembering(embed: Embed): Embed {
  const known = new Map<string, Made>();
  let numbers = 0;
  const keyOf = (model: string, text: string) => `${model} ${text}`;
  return async (model, texts) => {
    const missing = [...new Set(texts)].filter((text) => !known.has(keyOf(model, text)));
    const fresh = missing.length === 0 ? [] : await embed(model, missing);
    const found = new Map(missing.map((text, at) => [text, fresh[at] ?? "the model gave nothing"]));
    const results = texts.map((text) => known.get(keyOf(model, text)) ?? found.get(text) ?? "the model gave nothing");
    if (numbers > remembered.numbers) {
      known.clear();
      numbers = 0;
    }
    for (const [text, one] of found) {
      if (typeof one !== "object" || text.length > remembered.characters) continue;
      known.set(keyOf(model, text), one);
      numbers += one.vector.length + (one.tokens?.length ?? 0);
    }
    return results;
  };
}

/** What the encoder makes of texts, in one call; `tokens`: with the content tokens of the same pass. */
async function embedTexts(
  inference: Inference,
  modelId: string,
  texts: readonly string[],
  tokens: boolean,
  signal: AbortSignal,
): Promise<Made[]> {
  const input = { texts, priority: "background", modelId } as const;
  if (!tokens) return (await inference.embed(input, signal)).map((vector) => ({ vector }));
  const readings = await inference.readTexts(input, signal);
  return readings.map((reading) => ({ vector: reading.vector, tokens: keptOf(reading).states }));
}

/** What was made of each, or why nothing: when a batch fails, its texts are tried one by one, so that one bad text costs no other. */
async function embedEach(
  run: (texts: readonly string[]) => Promise<Made[]>,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<(Made | string)[]> {
  try {
    return await run(texts);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof UnderstoryError) || error.code !== "inference_failed") throw error;
    if (texts.length === 1) return [error.message];
  }
  const results: (Made | string)[] = [];
  for (const text of texts) results.push(...(await embedEach(run, [text], signal)));
  return results;
}
