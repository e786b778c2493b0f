import { filesOf } from "#main/records/archive.ts";
import { openStore } from "#main/records/store.ts";
import { loopBatch, loopBatches } from "./loop-batches.ts";

/** Run as a process of its own: commits the batches that are still missing, one line each, until it is killed or done. */
const [, , dir = "", key = "", importId = ""] = process.argv;
const store = openStore(filesOf(dir, new Uint8Array(Buffer.from(key, "hex")), "aegis"));
const { cursor } = store.writer.checkpoint(Number(importId), "loop.txt");
for (let at = Number(cursor ?? 0); at < loopBatches; at++) {
  store.writer.commit(loopBatch(Number(importId), at));
  process.stdout.write(`${at}\n`);
}
store.close();
