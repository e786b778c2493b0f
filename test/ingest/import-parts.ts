import { join } from "node:path";
import { createParser, type Parser } from "#main/workers/parser.ts";
import { connectService, type Remote } from "#main/workers/service.ts";
import { spawnWorker } from "#main/workers/spawn.ts";
import type { StoreService } from "#main/workers/store.worker.ts";

export { runImport } from "#main/ingest/index.ts";
export type { Json } from "#main/jobs/index.ts";

/** The product's own store and parse threads over an archive folder with a fixed key. */
export async function openParts(
  archive: string,
): Promise<{ store: Remote<StoreService>; parser: Parser; close(): Promise<void> }> {
  const worker = spawnWorker("store");
  const store = connectService<StoreService>(worker, "store");
  await store.open({
    recordsPath: join(archive, "records.db"),
    indexPath: join(archive, "index.db"),
    mediaPath: join(archive, "media.db"),
    cipher: "aegis",
    key: new Uint8Array(32).fill(3),
  });
  const parser = createParser();
  return {
    store,
    parser,
    async close() {
      await parser.close();
      await store.close({});
      await worker.terminate();
    },
  };
}
