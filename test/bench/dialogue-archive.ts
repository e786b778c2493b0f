import type { QueryPlan, RecordId } from "#contract";
import { encodersFor } from "#main/app/encoders.ts";
import type { Embedder } from "#main/indexes/ports.ts";
import type { QueryPorts } from "#main/query/ports.ts";
import { type Dialogue, textOf } from "./dialogues.ts";
import { type BenchEncoder, openTurnArchive } from "./turn-archive.ts";
import { openCachedEmbedder } from "./vector-cache.ts";

/** A dialogue of a data set as a real archive, all of it one chat, with the encoders of a profile. */

export interface DialogueArchive {
  readonly ports: QueryPorts;
  readonly ids: ReadonlyMap<string, RecordId>;
  plan(question: string): QueryPlan;
  close(): void;
}

const encoders = { minilm: "minilm-l6-v2-int8", bge: "bge-small-en-v1.5-int8", e5: "e5-small-v2-int8" } as const;
export type EncoderName = keyof typeof encoders;

export type OpenedEncoder = Omit<BenchEncoder, "words">;

/** Encoders that read what the product has them read, the main one first; `models`: folder of installed models. */
export function openEncoders(names: readonly EncoderName[], models: string): OpenedEncoder[] {
  const installed = names.map((name) => ({ id: encoders[name], modelId: encoders[name] }));
  const [main] = installed;
  return (main ? encodersFor("thorough", main, installed) : []).map(({ model, ...reads }) => ({
    embedder: openCachedEmbedder({ id: model, models }),
    ...reads,
  }));
}

/** `encoders`: the first one is the main one; each with the forms that it reads. */
export async function openDialogueArchive(
  dialogue: Dialogue,
  encoders: readonly OpenedEncoder[],
  options: { withImageQuery?: boolean } = {},
): Promise<DialogueArchive> {
  const turns = dialogue.turns.map((turn) => ({
    ...turn,
    text: textOf(turn, options.withImageQuery ?? false),
    chat: "chat",
  }));
  const archive = await openTurnArchive(
    turns,
    encoders.map((encoder, place) => ({ ...encoder, words: place === 0 })),
  );
  const byModel = new Map(encoders.map(({ embedder }) => [embedder.modelId, embedder]));
  const embedder: Embedder = {
    question: async (text, model) => (await byModel.get(model)?.embed([text], "question"))?.[0] ?? null,
    phrase: async (text, model) => (await byModel.get(model)?.embed([text], "background"))?.[0] ?? null,
    reading: async (text, model) => (await byModel.get(model)?.read([text], "question"))?.[0] ?? null,
    picture: async () => null,
  };
  return { ...archive, ports: { ...archive.ports, embedder } };
}
