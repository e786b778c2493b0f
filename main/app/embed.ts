import { UnderstoryError } from "#contract";
import type { Inference } from "#main/inference/ports.ts";
import type { JobContext } from "#main/jobs/index.ts";
import type { IndexService } from "#main/workers/index.worker.ts";
import type { Remote } from "#main/workers/service.ts";
import { describedLabel } from "#models/pictures/labels.ts";

const textsAtATime = 32;

/** Embeds every chunk and every label that the model in use has not embedded. What is done is in the index. */
export async function embedPending(
  { index, inference }: { index: Remote<IndexService>; inference: Inference },
  context: JobContext,
): Promise<void> {
  const { signal } = context;
  const model = await inference.model("text-embedding");
  if (model === null) return;
  const { modelId } = model;
  let done = 0;
  for (;;) {
    signal.throwIfAborted();
    const chunks = await index.pendingEmbeddings({ modelId, limit: textsAtATime });
    const labels = await index.pendingLabels({ modelId, limit: textsAtATime });
    if (chunks.length === 0 && labels.length === 0) return;
    const [ofChunks, ofLabels] = [chunks, labels.map((label) => ({ text: describedLabel(label) }))];
    const rows: { chunkId: number; vector: Float32Array }[] = [];
    const found = await vectorsOf(
      inference,
      modelId,
      [...ofChunks, ...ofLabels].map(({ text }) => text),
      signal,
    );
    for (const [at, { chunkId }] of ofChunks.entries()) {
      const result = found[at];
      if (result instanceof Float32Array) rows.push({ chunkId, vector: result });
      else await index.failEmbedding({ modelId, chunkId, reason: result ?? "the model gave nothing" });
    }
    const named = labels.flatMap((label, at) => {
      const vector = found[chunks.length + at];
      return vector instanceof Float32Array ? [{ label, vector }] : [];
    });
    // A label that the model cannot take would be asked for for ever.
    if (chunks.length === 0 && named.length === 0) return;
    await index.putEmbeddings({ modelId, rows });
    await index.putLabels({ modelId, rows: named });
    done += rows.length;
    context.progress({ unit: "records", done, records: done });
  }
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
