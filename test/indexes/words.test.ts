import { describe, expect, it } from "vitest";
import { openIndexReader } from "#main/indexes/reader.ts";
import { openIndexWriter } from "#main/indexes/writer.ts";
import { MemorySource, recordOf, temporaryFiles } from "./fixture.ts";

/** Words of one meaning point the same way, the second one a little off. */
const meanings = [["dog", "terrier", "puppies", "hund"], ["sea", "beach"], ["tea"]];
function vectorFor(word: string): Float32Array {
  const vector = new Float32Array(32).fill(0.01);
  const meaning = meanings.findIndex((words) => words.includes(word));
  vector[meaning < 0 ? 20 + (word.length % 10) : meaning] = 1;
  vector[10] = (meanings[meaning]?.indexOf(word) ?? 0) / 5;
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function archive() {
  const source = new MemorySource();
  const files = temporaryFiles();
  const writer = openIndexWriter(files, source);
  return {
    source,
    writer,
    follow() {
      while (writer.advance(50) > 0);
      for (let rows = writer.pendingEmbeddings("m", 50); rows.length > 0; rows = writer.pendingEmbeddings("m", 50)) {
        writer.putEmbeddings(
          "m",
          rows.map(({ chunkId }) => ({ chunkId, vector: vectorFor("") })),
        );
      }
      const words = writer.pendingWords("m", 100);
      writer.putWords(
        "m",
        words.map((word) => ({ word, vector: vectorFor(word) })),
      );
      return words;
    },
    read<T>(work: (reader: ReturnType<typeof openIndexReader>) => T): T {
      const reader = openIndexReader(files, () => source.lastSeq());
      const result = work(reader);
      reader.close();
      return result;
    },
  };
}

describe("words of the archive", () => {
  it("are embedded once each: letters alone, no stop words, the most frequent first", () => {
    const { source, writer, follow } = archive();
    source.put(recordOf({ id: 1, text: "The terrier of 2019 is at the beach, A12 and b" }));
    source.put(recordOf({ id: 2, text: "Beach! Beach! Küche" }));
    expect(follow()).toEqual(["beach", "message", "küche", "terrier"]);
    expect(follow()).toEqual([]);
    writer.close();
  });

  it("that mean the same are found for a question's word, known to the archive or not", () => {
    const { source, writer, follow, read } = archive();
    source.put(recordOf({ id: 1, text: "our terrier at the sea" }));
    source.put(recordOf({ id: 2, text: "the dog and puppies on the beach" }));
    source.put(recordOf({ id: 3, text: "a dog again" }));
    follow();
    read((reader) => {
      expect(reader.hasWord("Dog")).toBe(true);
      expect(reader.hasWord("Hund")).toBe(false);
      const found = reader.wordsLike(["dog", "Hund", "nothing"], 0.8, new Map([["Hund", vectorFor("hund")]]));
      expect(found.get("dog")?.map((one) => [one.stem, one.records])).toEqual([
        ["terrier", 1],
        ["puppi", 1],
      ]);
      expect(
        found
          .get("Hund")
          ?.map(({ stem }) => stem)
          .sort(),
      ).toEqual(["dog", "puppi", "terrier"]);
      expect(found.has("nothing")).toBe(false);
    });
    writer.close();
  });

  it("go with the last record that has them, and change with an edit", () => {
    const { source, writer, follow, read } = archive();
    source.put(recordOf({ id: 1, text: "a terrier" }));
    source.put(recordOf({ id: 2, text: "a terrier and a dog" }));
    follow();
    const near = () => read((reader) => reader.wordsLike(["dog"], 0.8).get("dog"));
    expect(near()).toMatchObject([{ stem: "terrier", records: 2 }]);
    source.erase(1);
    follow();
    expect(near()).toMatchObject([{ stem: "terrier", records: 1 }]);
    source.put(recordOf({ id: 2, text: "puppies and a dog" }));
    follow();
    expect(near()).toMatchObject([{ stem: "puppi", records: 1 }]);
    expect(read((reader) => reader.hasWord("terrier"))).toBe(false);
    writer.close();
  });
});
