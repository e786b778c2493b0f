import type { RecordId } from "#contract";
import { type DialogueArchive, openDialogueArchive, openEncoders } from "./dialogue-archive.ts";
import { locomoDialogue } from "./dialogues.ts";

/** Conversations of LoCoMo as real archives, for benches of the stages after retrieval. */

export interface Conversation extends Pick<DialogueArchive, "ports" | "plan" | "close"> {
  /** Turn of the data set by record, in the order of the conversation. */
  readonly turns: ReadonlyMap<RecordId, string>;
}

export interface Conversations {
  /** Imports one conversation into a store of its own, as one chat, and indexes it as the product does with one encoder. */
  open(sample: unknown): Promise<Conversation>;
  dispose(): Promise<void>;
}

/** `models`: folder of installed models. */
export function openConversations(models: string): Conversations {
  const encoders = openEncoders(["minilm"], models);
  return {
    async open(sample) {
      const { ids, ...archive } = await openDialogueArchive(locomoDialogue(sample), encoders);
      return { ...archive, turns: new Map([...ids].map(([turn, id]) => [id, turn])) };
    },
    async dispose() {
      for (const { embedder } of encoders) await embedder.dispose();
    },
  };
}
