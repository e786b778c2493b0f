import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { Encoder } from "#main/indexes/ports.ts";
import { openIndexReader } from "#main/indexes/reader.ts";
import { openIndexWriter } from "#main/indexes/writer.ts";
import { openDatabase } from "#native/sqlite.ts";
import { MemorySource, recordOf, temporaryFiles } from "./fixture.ts";

const main: Encoder = { model: "main@1", forms: ["said"] };
const late: Encoder = { model: "late@1", forms: ["said"], tokens: true };

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0).reverse()) close();
});

/** States of a text's words: the same word, the same state. */
function statesOf(text: string): Float32Array {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return Float32Array.from(words.flatMap((word) => [...stateOf(word)]));
}
function stateOf(word: string): Float32Array {
  const state = new Float32Array(32).fill(-0.1);
  for (const [at, letter] of [...word].entries()) state[(letter.charCodeAt(0) * 5 + at) % 32] = 1;
  return state;
}
const signOf = (word: string): number =>
  stateOf(word).reduce((bits, value, at) => (value > 0 ? bits | (1 << at) : bits), 0) >>> 0;

function archive(...encoders: Encoder[]) {
  const source = new MemorySource();
  const files = temporaryFiles();
  const writer = openIndexWriter(files, source);
  writer.setEncoders(encoders);
  open.push(() => writer.close());
  const settle = (writer_ = writer, limit = Number.POSITIVE_INFINITY) => {
    while (writer_.advance(50) > 0);
    let done = 0;
    for (const { model, tokens } of encoders) {
      for (let rows = writer_.pendingEmbeddings(model, 4); rows.length > 0 && done < limit; done++) {
        writer_.putEmbeddings(
          model,
          rows.map(({ chunkId, text }) => ({
            chunkId,
            vector: stateOf(text),
            ...(tokens ? { tokens: statesOf(text) } : {}),
          })),
        );
        rows = writer_.pendingEmbeddings(model, 4);
      }
    }
  };
  const read = <T>(work: (reader: ReturnType<typeof openIndexReader>) => T): T => {
    const reader = openIndexReader(files, () => source.lastSeq());
    const result = work(reader);
    reader.close();
    return result;
  };
  const signs = (ids: readonly number[], model = late.model) =>
    read((reader) =>
      [...reader.tokensOf(ids, model)].map(([id, pieces]) => [
        id,
        pieces.flatMap(({ signs: bytes }) => [...new Uint32Array(Uint8Array.from(bytes).buffer)]),
      ]),
    );
  const rows = () => {
    const db = openDatabase({ path: files.indexPath, key: files.key, cipher: files.cipher, readonly: true });
    const count = db.query("SELECT count(*) AS n FROM token", (row) => Number(row.n)).get();
    db.close();
    return count;
  };
  return { source, files, writer, settle, read, signs, rows };
}

describe("tokens of records", () => {
  it("are the signs of what was put, of the encoder whose tokens are kept alone", () => {
    const { source, settle, signs, rows, read } = archive(main, late);
    source.put(recordOf({ id: 1, text: "red boat", by: "Ana" }));
    source.put(recordOf({ id: 2, text: "lake", by: "Ana" }));
    settle();
    expect(signs([1, 2, 3])).toEqual([
      [1, ["ana", "red", "boat"].map(signOf)],
      [2, ["ana", "lake"].map(signOf)],
    ]);
    expect(signs([1], main.model)).toEqual([]);
    expect(rows()).toBe(2);
    expect(read((reader) => reader.status().serving.encoders)).toEqual([main, late]);
  });

  it("go with their record, with its old text, and with their encoder", () => {
    const { source, writer, settle, signs, rows } = archive(main, late);
    for (const id of [1, 2, 3, 4]) source.put(recordOf({ id, text: `boat ${"abcd"[id - 1]}`, by: "Ana" }));
    settle();
    source.erase(1);
    source.trash(2, true);
    source.put(recordOf({ id: 3, text: "house", by: "Ana" }));
    while (writer.advance(50) > 0);
    // What record 3 said is gone before its new text has been read.
    expect(signs([1, 2, 3, 4]).map(([id]) => id)).toEqual([4]);
    expect(rows()).toBe(1);
    settle();
    expect(signs([3])).toEqual([[3, ["ana", "house"].map(signOf)]]);
    writer.setEncoders([main]);
    expect(rows()).toBe(0);
    writer.setEncoders([main, late]);
    settle();
    expect(rows()).toBe(2);
    writer.rebuild();
    expect(rows()).toBe(0);
  });

  it("are made of what has only vectors when an encoder's tokens begin to be kept, and go when they are not any more", () => {
    const plain: Encoder = { model: late.model, forms: late.forms };
    const { source, writer, settle, signs, rows } = archive(main, late);
    writer.setEncoders([main, plain]);
    source.put(recordOf({ id: 1, text: "boat", by: "Ana" }));
    settle();
    expect(rows()).toBe(0);
    writer.setEncoders([main, late]);
    expect(writer.pendingEmbeddings(late.model, 9)).toHaveLength(1);
    settle();
    expect(signs([1])).toEqual([[1, ["ana", "boat"].map(signOf)]]);
    writer.setEncoders([main, plain]);
    expect(rows()).toBe(0);
    expect(writer.pendingEmbeddings(late.model, 9)).toEqual([]);
  });

  it("are there after a stop at any time, once the work is taken up again", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 6 }), (batches) => {
        const { source, files, writer, settle, signs } = archive(main, late);
        for (let id = 1; id <= 9; id++) source.put(recordOf({ id, text: `boat ${"abcdefghi"[id - 1]}`, by: "Ana" }));
        settle(writer, batches);
        // Nobody says goodbye: another writer opens the file as it is.
        const again = openIndexWriter(files, source);
        again.setEncoders([main, late]);
        settle(again);
        again.close();
        expect(signs([...Array(10).keys()])).toHaveLength(9);
      }),
      { numRuns: 7 },
    );
  });

  it("of a piece without content tokens are none, and nothing waits for them", () => {
    const { source, writer, settle, signs } = archive(main, late);
    source.put(recordOf({ id: 1, text: "123" }));
    settle();
    expect(signs([1])).toEqual([]);
    writer.setEncoders([main]);
    writer.setEncoders([main, late]);
    settle();
    expect(writer.pendingEmbeddings(late.model, 9)).toEqual([]);
  });
});
