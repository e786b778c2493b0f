import { UnderstoryError } from "#contract";
import type { Encoder } from "#main/indexes/ports.ts";
import type { Inference } from "#main/inference/ports.ts";
import type { JobContext } from "#main/jobs/index.ts";
import type { IndexService } from "#main/workers/index.worker.ts";
import type { Remote } from "#main/workers/service.ts";
import { describedLabel } from "#models/pictures/labels.ts";

const textsAtATime = 32;
/** Words have one to three pieces: many go into one run of the network. */
const wordsAtATime = 128;

/** Short texts are said again and again ("ok", "see you tomorrow"): their vectors are kept for a while. */
const remembered = { texts: 4_000, characters: 80 } as const;

interface Ports {
  readonly index: Remote<IndexService>;
  readonly inference: Inference;
  /** Which encoders read the archive, given the key of the one in use. */
  readonly encoders: (main: string) => readonly Encoder[];
}

type Embed = (model: string, texts: readonly string[]) => Promise<(Float32Array | string)[]>;

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
  const embed = remembering((modelId, texts) => vectorsOf(inference, modelId, texts, signal));
  const given: string[] = [];
  let done = 0;
  for (;;) {
    signal.throwIfAborted();
    let made = (await chunksOf(index, model.modelId, embed)) + (await labelsOf(index, model.modelId, embed));
    if (made === 0) made = await wordsIn(index, model.modelId, embed);
    for (const { model: further } of atWork.slice(1)) {
      if (made > 0) break;
      if (given.includes(further)) continue;
      try {
        made = await chunksOf(index, further, embed);
      } catch (error) {
        // An encoder that does not open costs its own evidence only.
        if (signal.aborted || !(error instanceof UnderstoryError)) throw error;
        given.push(further);
      }
    }
    if (made === 0) return;
    done += made;
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
  const rows: { chunkId: number; vector: Float32Array }[] = [];
  for (const [at, { chunkId }] of chunks.entries()) {
    const result = found[at];
    if (result instanceof Float32Array) rows.push({ chunkId, vector: result });
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
    const vector = found[at];
    return vector instanceof Float32Array ? [{ label, vector }] : [];
  });
  await index.putLabels({ modelId, rows });
  return rows.length;
}

async function wordsIn(index: Remote<IndexService>, modelId: string, embed: Embed): Promise<number> {
  const words = await index.pendingWords({ modelId, limit: wordsAtATime });
  if (words.length === 0) return 0;
  const found = await embed(modelId, words);
  const rows = words.flatMap((word, at) => {
    const vector = found[at];
    return vector instanceof Float32Array ? [{ word, vector }] : [];
  });
  await index.putWords({ modelId, rows });
  return rows.length;
}

/** The same text is embedded once a model, as long as it is remembered. */
function remembering(embed: Embed): Embed {
  const known = new Map<string, Float32Array>();
  const keyOf = (model: string, text: string) => `${model} ${text}`;
  return async (model, texts) => {
    const missing = [...new Set(texts)].filter((text) => !known.has(keyOf(model, text)));
    const fresh = missing.length === 0 ? [] : await embed(model, missing);
    const found = new Map(missing.map((text, at) => [text, fresh[at] ?? "the model gave nothing"]));
    const results = texts.map((text) => known.get(keyOf(model, text)) ?? found.get(text) ?? "the model gave nothing");
    if (known.size > remembered.texts) known.clear();
    for (const [text, vector] of found) {
      if (vector instanceof Float32Array && text.length <= remembered.characters) known.set(keyOf(model, text), vector);
    }
    return results;
  };
}

/** A vector each, or why there is none: when a batch fails, its texts are tried one by one, so that one bad text costs no other. */
async function vectorsOf(
  inference: Inference,
  modelId: string,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<(Float32Array | string)[]> {
  try {
    return await inference.embed({ texts, priority: "background", modelId }, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof UnderstoryError) || error.code !== "inference_failed") throw error;
    if (texts.length === 1) return [error.message];
  }
  const results: (Float32Array | string)[] = [];
  for (const text of texts) results.push(...(await vectorsOf(inference, modelId, [text], signal)));
  return results;
}
