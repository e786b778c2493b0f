import type { ImportedItem } from "#main/importers/types.ts";
import type { CommitBatch } from "#main/records/ports.ts";

export const loopBatches = 60;
export const loopSize = 25;

/** Batch `at` of a made-up chat; its cursor is the number of batches done. */
export function loopBatch(importId: number, at: number): CommitBatch {
  const items = Array.from({ length: loopSize }, (_, index): ImportedItem => {
    const number = at * loopSize + index;
    return {
      type: "record",
      cursor: at + 1,
      record: {
        identity: `loop:${number}`,
        kind: "message",
        nativeId: null,
        subject: null,
        text: `Message ${number}: the kettle is on, come over. `.repeat(10),
        author: { name: `Person ${number % 7}`, address: `p${number % 7}@example.org`, role: "author", owner: false },
        participants: [],
        time: null,
        end: null,
        place: null,
        container: { key: "loop", title: "Loop", kind: "chat" },
        thread: null,
        sequence: number,
        replyTo: null,
        partOf: null,
        files: [{ path: "loop.txt", offset: number, bytes: 1, role: null }],
        props: {},
      },
    };
  });
  return { importId, importer: "test", claim: "loop.txt", items, cursor: at + 1, done: at + 1 === loopBatches };
}
