import fc from "fast-check";
import { expect, test } from "vitest";
import { openIndexReader } from "#main/indexes/reader.ts";
import { openIndexWriter } from "#main/indexes/writer.ts";
import { MemorySource, recordOf, stemsOf, temporaryFiles } from "./fixture.ts";

const ids = [...Array(15).keys()];
const id = fc.integer({ min: 1, max: 12 });
const text = fc.constantFrom("boat?", "The incomprehensibilities of a lake house", "Tom is here", "");
const chat = fc.constantFrom("family", "work");
const blank = { text: fc.constant(""), chat: fc.constant("") };
const step = fc.oneof(
  fc.record({ do: fc.constant("put" as const), id, text, chat }),
  fc.record({ do: fc.constant("trash" as const), id, ...blank }),
  fc.record({ do: fc.constant("erase" as const), id, ...blank }),
  fc.record({ do: fc.constant("text only" as const), id, text, chat }),
  fc.record({ do: fc.constant("warm" as const), id, ...blank }),
  fc.record({ do: fc.constant("rebuild" as const), id, ...blank }),
  fc.record({ do: fc.constant("contexts" as const), id, ...blank }),
);

test("a reader that holds facts of records tells what one tells that has just been opened, whatever came and went", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const files = temporaryFiles();
      const source = new MemorySource();
      const writer = openIndexWriter(files, source);
      const held = openIndexReader(files, () => source.lastSeq());
      const told = (reader: typeof held) => {
        return {
          items: [...reader.items(ids)],
          sessions: [...reader.sessionsOf(ids, 50)].map(([one, { records, words, asking }]) => [
            one,
            ...[records, words, asking].map((values) => [...values]),
          ]),
          stems: [...stemsOf(reader, ids)].sort(([a], [b]) => a - b),
        };
      };
      try {
        for (const [at, one] of steps.entries()) {
          if (one.do === "trash") source.trash(one.id, true);
          else if (one.do === "erase") source.erase(one.id);
          else if (one.do === "rebuild") writer.rebuild();
          else if (one.do === "contexts") writer.setEncoders([{ model: "held-16", forms: ["said", "context"] }]);
          else if (one.do === "warm") while (!held.warm());
          else {
            const container = { key: one.chat, title: one.chat, kind: "chat" as const };
            const moment = `2024-07-14T09:${String(10 + ((at * 7) % 50))}:00`;
            source.put(recordOf({ id: one.id, text: one.text, by: "Ana", at: moment, container }));
          }
          while (writer.advance(50, { textOnly: one.do === "text only" }) > 0);
          const fresh = openIndexReader(files, () => source.lastSeq());
          expect(told(held)).toEqual(told(fresh));
          fresh.close();
        }
      } finally {
        held.close();
        writer.close();
      }
    }),
    { numRuns: 40 },
  );
});

test("a session is told in its order, up to the limit", () => {
  const files = temporaryFiles();
  const source = new MemorySource();
  const writer = openIndexWriter(files, source);
  const container = { key: "family", title: "family", kind: "chat" as const };
  for (const [at, one] of [3, 1, 2].entries())
    source.put(recordOf({ id: one, text: "Hello", by: "Ana", at: `2024-07-14T09:1${at}:00`, container }));
  while (writer.advance(50) > 0);
  const reader = openIndexReader(files, () => source.lastSeq());
  const order = (limit: number) => [...(reader.sessionsOf([1], limit).get(1)?.records ?? [])];
  expect(order(10)).toEqual([3, 1, 2]);
  expect(order(2)).toEqual([3, 1]);
  const numbers = reader.sessionsOf([1, 2], 2);
  expect([...(numbers.get(1)?.records ?? [])]).toEqual([3, 1]);
  expect([...(numbers.get(1)?.words ?? [])]).toEqual([1, 1]);
  expect(numbers.get(2)).toBe(numbers.get(1));
  reader.close();
  writer.close();
});
