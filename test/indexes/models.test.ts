import { describe, expect, it } from "vitest";
import type { PictureTags } from "#contract";
import { openIndexReader } from "#main/indexes/reader.ts";
import { openIndexWriter } from "#main/indexes/writer.ts";
import { MemorySource, recordOf, temporaryFiles } from "./fixture.ts";

/** Directions that stand for meanings: texts of one meaning have one vector. */
const meanings = [/coffee|espresso|cup/i, /dog|terrier|puppy/i, /sea|beach|shore/i];

function vectorFor(text: string, turn = 0): Float32Array {
  const vector = new Float32Array(32);
  for (const [at, words] of meanings.entries()) vector[(at + turn) % 32] = words.test(text) ? 1 : 0.05;
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

const photo = (id: number, labels: readonly string[], words: string | null = null) => {
  const tags: PictureTags["tags"] = labels.map((label, at) => ({ label, score: 0.9 - at / 10 }));
  return recordOf({
    id,
    kind: "photo",
    at: "2024-07-14T09:00:00",
    perceived: {
      tags: { model: "tagger@1", tags },
      ocr:
        words === null
          ? null
          : {
              model: "reader@1",
              text: words,
              lines: [{ start: 0, end: words.length, quad: [0, 0, 1, 0, 1, 1, 0, 1], confidence: 1, at: null }],
            },
    },
  });
};

function archive(pictures: Parameters<typeof openIndexWriter>[2] = () => []) {
  const source = new MemorySource();
  const files = temporaryFiles();
  const writer = openIndexWriter(files, source, pictures);
  return {
    source,
    writer,
    follow() {
      while (writer.advance(50) > 0);
    },
    embed(model: string, limit = Number.POSITIVE_INFINITY) {
      const turn = Number(model.at(-1));
      const labels = writer.pendingLabels(model, 50);
      writer.putLabels(
        model,
        labels.map((label) => ({ label, vector: vectorFor(label, turn) })),
      );
      for (let done = 0; done < limit; ) {
        const rows = writer.pendingEmbeddings(model, Math.min(2, limit - done));
        if (rows.length === 0) return;
        const made = rows.map(({ chunkId, text }) => ({ chunkId, vector: vectorFor(text, turn) }));
        writer.putEmbeddings(model, made);
        done += rows.length;
      }
    },
    /** A reader that sees what is written now. */
    read<T>(work: (reader: ReturnType<typeof openIndexReader>) => T): T {
      const reader = openIndexReader(files, () => source.lastSeq());
      const result = work(reader);
      reader.close();
      return result;
    },
  };
}

describe("what models find in pictures", () => {
  it("is found by its words and references, as text read in the picture", () => {
    const { source, writer, follow, read } = archive();
    source.put(photo(1, [], "Boarding pass\nBooking QX7Z41 gate A13"));
    source.put(photo(2, ["espresso"]));
    follow();
    read((reader) => {
      const find = (word: string) => reader.searchText(reader.expression([word]) ?? "", 9).map((hit) => hit.recordId);
      expect(find("QX7Z41")).toEqual([1]);
      expect(find("espresso")).toEqual([2]);
    });
    expect(writer.pendingEmbeddings("m1", 9).map(({ text }) => text)).toContain(
      "Boarding pass Booking QX7Z41 gate A13",
    );
    writer.close();
  });

  it("is found by labels that mean the same, each label embedded once for all pictures", () => {
    const { source, writer, follow, embed, read } = archive();
    source.put(photo(1, ["espresso", "plate"]));
    source.put(photo(2, ["terrier"]));
    source.put(photo(3, ["tray", "espresso"]));
    follow();
    expect(writer.pendingLabels("m1", 9).sort()).toEqual(["espresso", "plate", "terrier", "tray"]);
    embed("m1");
    expect(writer.pendingLabels("m1", 9)).toEqual([]);
    read((reader) => {
      const labels = reader.labelsLike(vectorFor("a cup of coffee", 1), 0.7).map(({ label }) => label);
      expect(labels).toEqual(["espresso"]);
      expect(reader.tagged(labels, 9)).toEqual([
        { recordId: 1, label: "espresso", score: 0.9 },
        { recordId: 3, label: "espresso", score: 0.8 },
      ]);
      const views = reader
        .vectorsOf([3])
        .get(3)
        ?.filter(({ chunk }) => chunk.view === "tags");
      expect(views?.map(({ chunk }) => "tray · espresso".slice(chunk.start, chunk.end))).toEqual(["tray", "espresso"]);
    });
    writer.close();
  });

  it("goes with the last picture that showed it", () => {
    const { source, writer, follow, embed, read } = archive();
    source.put(photo(1, ["espresso"]));
    source.put(photo(2, ["espresso", "terrier"]));
    follow();
    embed("m1");
    source.erase(2);
    follow();
    const labels = () => read((reader) => reader.labelsLike(vectorFor("", 1), -1).map(({ label }) => label));
    expect(labels()).toEqual(["espresso"]);
    source.trash(1, true);
    follow();
    expect(labels()).toEqual([]);
    source.trash(1, false);
    follow();
    expect(writer.pendingLabels("m1", 9)).toEqual(["espresso"]);
    writer.close();
  });
});

describe("a new text model", () => {
  const texts = ["the dog ran", "at the sea", "coffee at noon", "nothing much", "another day"];

  it("works its way through the archive while the old one answers, then serves alone", () => {
    const { source, writer, follow, embed, read } = archive();
    for (const [at, text] of texts.entries()) source.put(recordOf({ id: at + 1, text }));
    source.put(photo(9, ["espresso"]));
    follow();
    embed("m1");
    const serving = () => read((reader) => reader.status().serving.text);
    const best = (turn: number) => read((reader) => reader.searchVectors(vectorFor("puppy", turn), 1)[0]?.recordId);
    expect([serving(), best(1)]).toEqual(["m1", 1]);

    embed("m2", 3);
    expect(writer.status("m2").vectors).toMatchObject({ model: "m2", done: 3 });
    expect([serving(), best(1)]).toEqual(["m1", 1]);
    embed("m2");
    expect([serving(), best(2)]).toEqual(["m2", 1]);
    read((reader) => {
      const own = reader.vectorsOf([1]).get(1) ?? [];
      expect(own).toHaveLength(1);
      expect(reader.labelsLike(vectorFor("coffee", 2), 0.7).map(({ label }) => label)).toEqual(["espresso"]);
    });
    writer.close();
  });

  it("that is given up for the old one costs nothing: the old one is still there", () => {
    const { source, writer, follow, embed, read } = archive();
    for (const [at, text] of texts.entries()) source.put(recordOf({ id: at + 1, text }));
    follow();
    embed("m1");
    embed("m2", 2);
    expect(writer.pendingEmbeddings("m1", 9)).toEqual([]);
    expect(writer.status("m1").vectors).toEqual({ done: 5, pending: 0, failed: 0, model: "m1" });
    source.put(recordOf({ id: 6, text: "a puppy" }));
    follow();
    expect(writer.pendingEmbeddings("m1", 9)).toHaveLength(1);
    expect(read((reader) => reader.status().serving.text)).toBe("m1");
    writer.close();
  });

  it("says which chunks it could not embed, and takes them up again when asked", () => {
    const { source, writer, follow } = archive();
    source.put(recordOf({ id: 1, text: "the dog ran" }));
    follow();
    for (let attempt = 0; attempt < 3; attempt++) {
      const [row] = writer.pendingEmbeddings("m1", 1);
      writer.failEmbedding("m1", row?.chunkId ?? 0, "no number came");
    }
    expect(writer.failedEmbeddings(0, 9)).toEqual({
      total: 1,
      rows: [{ recordId: 1, purpose: "text-embedding", model: "m1", reason: "no number came", attempts: 3 }],
    });
    expect(writer.retryEmbeddings()).toBe(1);
    expect(writer.pendingEmbeddings("m1", 9)).toHaveLength(1);
    writer.close();
  });
});

describe("vectors of pictures", () => {
  it("are searched in a space of their own, and another model's take over when they are told to serve", () => {
    const known = new Map([
      [1, [{ model: "sight1", vector: vectorFor("sea", 1) }]],
      [2, [{ model: "sight1", vector: vectorFor("dog", 1) }]],
    ]);
    const { source, writer, follow, read } = archive((id) => known.get(id) ?? []);
    source.put(photo(1, []));
    source.put(photo(2, []));
    follow();
    const find = (turn: number) =>
      read((reader) => reader.searchPictures(vectorFor("a beach", turn), 1).map((hit) => [hit.recordId, hit.view]));
    expect(find(1)).toEqual([[1, "picture"]]);
    expect(read((reader) => reader.searchVectors(vectorFor("a beach", 1), 5))).toEqual([]);
    expect(writer.status(null).vectors).toMatchObject({ done: 0, failed: 0 });

    for (const [id, list] of known)
      known.set(id, [...list, { model: "sight2", vector: list[0]?.vector.toReversed() ?? new Float32Array(32) }]);
    source.put(photo(1, []));
    source.put(photo(2, []));
    follow();
    expect(find(1)).toEqual([[1, "picture"]]);
    writer.servePictures("sight2");
    expect(read((reader) => reader.status().serving.picture)).toBe("sight2");
    expect(read((reader) => reader.searchPictures(vectorFor("a beach", 1).toReversed(), 1)[0]?.recordId)).toBe(1);
    source.erase(1);
    follow();
    expect(
      read((reader) => reader.searchPictures(vectorFor("a beach", 1).toReversed(), 5).map((hit) => hit.recordId)),
    ).toEqual([2]);
    writer.close();
  });
});
