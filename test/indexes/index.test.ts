import { readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openIndexReader } from "#main/indexes/reader.ts";
import { schema } from "#main/indexes/schema.ts";
import { openIndexWriter } from "#main/indexes/writer.ts";
import { openDatabase } from "#native/sqlite.ts";
import { MemorySource, recordOf, temporaryFiles } from "./fixture.ts";

const chat = { key: "chat:1", title: "Juno", kind: "chat" as const };

/** Every row of every table, without the numbers that only say in which order chunks came. */
function contentOf(files: ReturnType<typeof temporaryFiles>): unknown {
  const db = openDatabase({ path: files.indexPath, key: files.key, cipher: files.cipher, readonly: true });
  const rows = (sql: string) => db.query(sql, (row) => ({ ...row })).all();
  const content = {
    text: rows("SELECT rowid, subject, body, people, extra FROM text ORDER BY rowid"),
    terms: rows("SELECT count(*) AS n FROM text WHERE text MATCH 'boat OR tent OR lisbon'"),
    item: rows("SELECT * FROM item ORDER BY record_id"),
    stems: rows("SELECT * FROM terms ORDER BY record_id"),
    reference: rows("SELECT * FROM reference ORDER BY code, record_id"),
    mention: rows("SELECT * FROM mention ORDER BY day, record_id"),
    chunk: rows('SELECT record_id, view, start, "end", input, forms FROM chunk ORDER BY record_id, view, start, input'),
    heard: rows("SELECT * FROM heard ORDER BY record_id, by"),
    waiting: rows("SELECT record_id, model, failed FROM work JOIN space ON space.id = space_id ORDER BY 1, 2"),
    vector: rows(
      `SELECT record_id, chunk.forms, space.model, hex(codes) AS codes FROM vector JOIN chunk ON chunk.id = chunk_id
       JOIN space ON space.id = space_id ORDER BY 1, 2, 3, 4`,
    ),
    word: rows("SELECT * FROM word ORDER BY word"),
    sign: rows("SELECT count(*) AS n FROM sign"),
  };
  db.close();
  return content;
}

function vectorFor(text: string): Float32Array {
  const vector = new Float32Array(64);
  for (const [at, letter] of [...text].entries())
    vector[at % 64] = (vector[at % 64] ?? 0) + (letter.charCodeAt(0) % 13) - 6;
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

function embedAll(writer: ReturnType<typeof openIndexWriter>, model = "test-model"): void {
  for (;;) {
    const rows = writer.pendingEmbeddings(model, 50);
    if (rows.length === 0) return;
    writer.putEmbeddings(
      model,
      rows.map(({ chunkId, text }) => ({ chunkId, vector: vectorFor(text) })),
    );
  }
}

describe("index.db", () => {
  it("is the same after any sequence of changes, in any batches, as after a rebuild", () => {
    const word = fc.constantFrom(
      "boat",
      "tent",
      "lisbon",
      "order A1234X",
      "tomorrow",
      "2024-03-05",
      "Running?",
      "ünïcode",
    );
    const change = fc.record({
      id: fc.integer({ min: 1, max: 6 }),
      op: fc.constantFrom("put", "put", "put", "trash", "restore", "erase"),
      words: fc.array(word, { maxLength: 5 }),
      minute: fc.integer({ min: 10, max: 59 }),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 25 }), fc.integer({ min: 1, max: 7 }), (changes, batch) => {
        const source = new MemorySource();
        const files = temporaryFiles();
        const writer = openIndexWriter(files, source);
        for (const [step, { id, op, words, minute }] of changes.entries()) {
          if (op === "put") {
            source.put(
              recordOf({
                id,
                text: words.join(" "),
                at: `2024-03-04T10:${minute}:00`,
                by: "Juno",
                container: chat,
                sequence: id,
              }),
            );
          } else if (op === "erase") source.erase(id);
          else source.trash(id, op === "trash");
          if (step % batch === 0) writer.advance(batch);
          if (step % 5 === 4) embedAll(writer);
        }
        while (writer.advance(batch) > 0);
        embedAll(writer);
        const followed = contentOf(files);
        writer.rebuild();
        while (writer.advance(3) > 0);
        embedAll(writer);
        expect(contentOf(files)).toEqual(followed);
        expect(writer.advance(10)).toBe(0);
        writer.close();
      }),
      { numRuns: 25 },
    );
  });

  it("does not depend on the order in which records came", () => {
    const records = [1, 2, 3, 4, 5].map((id) =>
      recordOf({
        id,
        text: `boat trip ${id}, booking no. XK12${id % 2}9`,
        at: `2024-03-04T10:0${id}:00`,
        by: id % 2 ? "Mara" : "Juno",
        container: chat,
      }),
    );
    const edgesAfter = (order: typeof records) => {
      const source = new MemorySource();
      const files = temporaryFiles();
      for (const record of order) source.put(record);
      const writer = openIndexWriter(files, source);
      while (writer.advance(2) > 0);
      const reader = openIndexReader(files, () => source.lastSeq());
      const result = {
        edges: reader.edges([1, 2, 3, 4, 5]),
        hits: reader.searchText(reader.expression(["boat"]) ?? "", 10),
        session: [...(reader.sessionsOf([1], 10).get(1)?.records ?? [])],
      };
      reader.close();
      writer.close();
      return result;
    };
    const forward = edgesAfter(records);
    expect(edgesAfter(records.toReversed())).toEqual(forward);
    expect(forward.session).toEqual([1, 2, 3, 4, 5]);
    expect(forward.edges).toContainEqual({ from: 1, to: 2, relation: "consecutive_turn", weight: 0.9 });
    expect(forward.edges).toContainEqual({ from: 1, to: 3, relation: "same_record", weight: 0.95 });
  });

  it("leaves nothing of a deleted record in any table or page", () => {
    const source = new MemorySource();
    const files = temporaryFiles();
    source.put(recordOf({ id: 1, text: "The zanzibarquartz lies under the stairs", by: "Mara" }));
    source.put(recordOf({ id: 2, text: "Buy bread", by: "Mara" }));
    const writer = openIndexWriter(files, source);
    writer.advance(10);
    embedAll(writer);
    source.trash(1, true);
    source.erase(1);
    writer.advance(10);
    const reader = openIndexReader(files, () => source.lastSeq());
    expect(reader.searchText(reader.expression(["zanzibarquartz"]) ?? "", 5)).toEqual([]);
    expect(
      reader.searchVectors(vectorFor("Mara: The zanzibarquartz lies under the stairs"), 5).map((hit) => hit.recordId),
    ).toEqual([2]);
    reader.close();
    writer.close();
    const db = openDatabase({ path: files.indexPath, key: files.key, cipher: files.cipher });
    db.truncateLog();
    expect(Buffer.from(db.pages()).includes("zanzibarquartz")).toBe(false);
    db.close();
  });

  it("gives nothing of a record that went away while the model was at work", () => {
    const source = new MemorySource();
    const files = temporaryFiles();
    source.put(recordOf({ id: 1, text: "secret plan" }));
    const writer = openIndexWriter(files, source);
    writer.advance(10);
    const waiting = writer.pendingEmbeddings("m", 10);
    source.erase(1);
    writer.advance(10);
    writer.putEmbeddings(
      "m",
      waiting.map(({ chunkId, text }) => ({ chunkId, vector: vectorFor(text) })),
    );
    expect(writer.status("m").vectors).toEqual({ done: 0, pending: 0, failed: 0, model: "m" });
    writer.close();
  });

  it("is made anew when it is missing, damaged, of another version or sealed with another key", () => {
    const source = new MemorySource();
    const files = temporaryFiles();
    source.put(recordOf({ id: 1, text: "the boat is blue" }));
    const fill = () => {
      const writer = openIndexWriter(files, source);
      while (writer.advance(10) > 0);
      const done = writer.status(null).text.done;
      writer.close();
      return done;
    };
    expect(fill()).toBe(1);
    const bytes = readFileSync(files.indexPath);
    writeFileSync(files.indexPath, bytes.fill(0x41, 100, 5_000));
    expect(fill()).toBe(1);
    writeFileSync(files.indexPath, "not a database at all");
    expect(fill()).toBe(1);
    const db = openDatabase({ path: files.indexPath, key: files.key, cipher: files.cipher });
    db.exec("PRAGMA user_version = 999");
    db.close();
    expect(fill()).toBe(1);
    expect(schema).toContain("secure-delete");
    const reader = openIndexReader({ ...files, key: new Uint8Array(32).fill(1) }, () => 1);
    expect(reader.searchText('"boat"', 5)).toEqual([]);
    reader.close();
  });

  it("counts an embedding as failed after three attempts and says why it waits", () => {
    const source = new MemorySource();
    const files = temporaryFiles();
    source.put(recordOf({ id: 1, text: "hello there" }));
    const writer = openIndexWriter(files, source);
    writer.advance(10);
    for (let attempt = 1; attempt <= 3; attempt++) {
      const [row] = writer.pendingEmbeddings("m", 5);
      expect(row?.text).toBe("hello there");
      writer.failEmbedding("m", row?.chunkId ?? 0, "the model said no");
    }
    expect(writer.pendingEmbeddings("m", 5)).toEqual([]);
    expect(writer.status("m").vectors).toEqual({ done: 0, pending: 0, failed: 1, model: "m" });
    expect(writer.pendingEmbeddings("another", 5)).toHaveLength(1);
    writer.close();
  });

  it("never reads a person's words as a search language", () => {
    const source = new MemorySource();
    const files = temporaryFiles();
    source.put(recordOf({ id: 1, text: 'say "NEAR(a b)" AND OR NOT subject:x ^y *' }));
    const writer = openIndexWriter(files, source);
    writer.advance(10);
    const reader = openIndexReader(files, () => 1);
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.constantFrom('"', "NEAR(", "a*", "-x", "subject:")), { maxLength: 4 }),
        (terms) => {
          const match = reader.expression(terms, { prefixLast: true, prefixes: terms });
          if (match !== null) reader.searchText(match, 5);
        },
      ),
      { numRuns: 200 },
    );
    reader.close();
    writer.close();
  });

  it("finds the nearest vectors as an exact search does", () => {
    const source = new MemorySource();
    const files = temporaryFiles();
    const texts = Array.from(
      { length: 400 },
      (_, at) => `note ${at} ${"abcdefghij".repeat(1 + (at % 5))} ${at * 7919}`,
    );
    for (const [at, text] of texts.entries()) source.put(recordOf({ id: at + 1, text }));
    const writer = openIndexWriter(files, source);
    while (writer.advance(500) > 0);
    embedAll(writer);
    const reader = openIndexReader(files, () => source.lastSeq());
    const question = vectorFor(texts[42] ?? "");
    const exact = texts
      .map((text, at) => ({
        id: at + 1,
        cosine: vectorFor(text).reduce((sum, value, i) => sum + value * (question[i] ?? 0), 0),
      }))
      .sort((a, b) => b.cosine - a.cosine)
      .slice(0, 10);
    const hits = reader.searchVectors(question, 10);
    expect(hits[0]?.recordId).toBe(43);
    expect(hits[0]?.similarity).toBeCloseTo(1, 2);
    const found = new Set(hits.map((hit) => hit.recordId));
    expect(exact.filter(({ id }) => found.has(id)).length).toBeGreaterThanOrEqual(9);
    reader.close();
    writer.close();
  });
});
