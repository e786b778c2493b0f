import type { RecordId } from "#contract";
import { chatLines } from "./locomo-chat.ts";
import { openTurnArchive, type TurnArchive } from "./turn-archive.ts";
import type { BenchEmbedder } from "./vector-cache.ts";

/** A conversation of LoCoMo as a real archive, for benches of the stages after retrieval. */

export interface Conversation extends Pick<TurnArchive, "ports" | "plan" | "close"> {
  /** Turn of the data set by record, in the order of the conversation. */
  readonly turns: ReadonlyMap<RecordId, string>;
}

/** Imports one conversation into a store of its own and indexes it, vectors included. */
export async function openConversation(sample: unknown, embedder: BenchEmbedder): Promise<Conversation> {
  // A session of the data set is a conversation of its own.
  const turns = chatLines(sample).map((line) => ({ ...line, chat: `chat:${line.id.split(":")[0]}` }));
  const { ids, ...archive } = await openTurnArchive(turns, [{ embedder, forms: ["said"], words: false }]);
  return { ...archive, turns: new Map([...ids].map(([turn, id]) => [id, turn])) };
}
