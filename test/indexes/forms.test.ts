import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Encoder } from "#main/indexes/ports.ts";
import { openIndexReader } from "#main/indexes/reader.ts";
import { openIndexWriter } from "#main/indexes/writer.ts";
import { openDatabase } from "#native/sqlite.ts";
import { MemorySource, recordOf, temporaryFiles } from "./fixture.ts";

const chat = { key: "chat:1", title: "Juno", kind: "chat" as const };
const main: Encoder = { model: "main", forms: ["said"] };
const deep: Encoder = { model: "deep", forms: ["context"] };
const third: Encoder = { model: "third", forms: ["said"] };

const line = (id: number, by: string, text: string | null, minute = id) =>
  recordOf({ id, by, text, at: `2024-03-04T10:${10 + minute}:00`, container: chat, sequence: minute });

/** What each model was given, and a vector that tells nothing. */
function archive() {
  const source = new MemorySource();
  const files = temporaryFiles();
  const writer = openIndexWriter(files, source);
  const texts = new Map<string, string[]>();
  return {
    source,
    files,
    writer,
    texts,
    follow() {
      while (writer.advance(50) > 0);
    },
    embed(model: string, most = Number.POSITIVE_INFINITY) {
      for (let done = 0; done < most; ) {
        const rows = writer.pendingEmbeddings(model, Math.min(20, most - done));
        if (rows.length === 0) return;
        done += rows.length;
        texts.set(model, [...(texts.get(model) ?? []), ...rows.map(({ text }) => text)]);
        writer.putEmbeddings(
          model,
          rows.map(({ chunkId, text }) => ({ chunkId, vector: new Float32Array(32).fill(text.length) })),
        );
      }
    },
    read<T>(work: (reader: ReturnType<typeof openIndexReader>) => T): T {
      const reader = openIndexReader(files, () => source.lastSeq());
      const result = work(reader);
      reader.close();
      return result;
    },
  };
}

describe("forms of a text", () => {
  it("are embedded by the encoders that read them, the same words once", () => {
    const { source, writer, texts, follow, embed, read } = archive();
    source.put(line(1, "Mara", "We are there. Did you bring the tent?\n[photo: a lake]"));
    source.put(line(2, "Juno", "Of course"));
    source.put(line(3, "Mara", "Good"));
    source.put(line(4, "Juno", "And the boat too"));
    writer.setEncoders([main, deep, third]);
    follow();
    for (const { model } of [main, deep, third]) embed(model);
    expect(texts.get("third")?.sort()).toEqual([
      "Juno: And the boat too",
      "Juno: Of course",
      "Mara: Good",
      "Mara: We are there. Did you bring the tent? [photo: a lake]",
    ]);
    expect(texts.get("main")?.sort()).toEqual(texts.get("third"));
    expect(texts.get("deep")).toHaveLength(4);
    expect(texts.get("deep")).toContain(
      "Mara: We are there. Did you bring the tent? [photo: a lake]\nJuno: Of course\nMara: Good\nJuno: And the boat too",
    );
    read((reader) => {
      expect(reader.status().serving.encoders).toEqual([main, deep, third]);
      const forms = (model: string | undefined, form: "said" | "context") =>
        (reader.vectorsOf([1, 2], { ...(model ? { model } : {}), forms: [form] }).get(1) ?? []).length;
      expect(forms(undefined, "said")).toBe(1);
      expect(forms("deep", "said")).toBe(0);
      expect(forms("main", "context")).toBe(0);
      expect(forms("deep", "context")).toBe(1);
      expect(reader.vectorsOf([1]).get(1)).toHaveLength(1);
      expect(reader.searchVectors(new Float32Array(32).fill(1), 9, { model: "deep" })).toHaveLength(4);
      expect(reader.searchVectors(new Float32Array(32).fill(1), 9, { model: "nobody" })).toEqual([]);
    });
    writer.close();
  });

  it("are one where no chat stands around: what is said is its own context", () => {
    const { source, writer, texts, follow, embed, read } = archive();
    source.put(recordOf({ id: 1, kind: "email", subject: "Tent", text: "It is dry by now.", by: "Mara" }));
    writer.setEncoders([main, deep]);
    follow();
    for (const { model } of [main, deep]) embed(model);
    expect(texts.get("deep")).toEqual(["Mara: Tent — It is dry by now."]);
    expect(texts.get("deep")).toEqual(texts.get("main"));
    expect(read((reader) => reader.vectorsOf([1], { model: "deep", forms: ["context"] }).size)).toBe(1);
    writer.setEncoders([main]);
    expect(read((reader) => reader.vectorsOf([1]).size)).toBe(1);
    writer.close();
  });

  it("only name encoders to which nothing is left to read; the main one answers meanwhile", () => {
    const { source, writer, follow, embed, read } = archive();
    source.put(line(1, "Mara", "We are there. It is warm."));
    source.put(line(2, "Juno", "Good"));
    writer.setEncoders([main]);
    follow();
    const named = () => read((reader) => reader.status().serving.encoders);
    embed("main");
    expect(named()).toEqual([main]);
    writer.setEncoders([main, deep]);
    expect(named().map(({ model }) => model)).toEqual(["main"]);
    embed("main");
    embed("deep", 1);
    expect(named().map(({ model }) => model)).toEqual(["main"]);
    expect(writer.status("main").vectors.pending).toBeGreaterThan(0);
    embed("deep");
    expect(named()).toEqual([main, deep]);
    source.put(line(3, "Juno", "Good to hear"));
    follow();
    expect(named()).toEqual([main]);
    embed("main");
    embed("deep");
    expect(named()).toEqual([main, deep]);
    expect(writer.status("main").vectors).toMatchObject({ pending: 0, failed: 0, model: "main" });
    writer.setEncoders([{ model: "main", forms: ["said"] }]);
    expect(named()).toEqual([{ model: "main", forms: ["said"] }]);
    expect(read((reader) => reader.vectorsOf([1], { model: "deep", forms: ["context"] }).size)).toBe(0);
    writer.close();
  });

  it("forget a record's words in its neighbours' contexts at once, and are the same after a rebuild", () => {
    const change = fc.record({
      id: fc.integer({ min: 1, max: 7 }),
      op: fc.constantFrom("put", "put", "put", "put", "trash", "restore", "erase"),
      minute: fc.integer({ min: 1, max: 8 }),
      words: fc.constantFrom("boat. Is it blue? Yes it is.", "tent", "", "lisbon and then rome"),
    });
    fc.assert(
      fc.property(
        fc.array(change, { minLength: 3, maxLength: 25 }),
        fc.integer({ min: 1, max: 5 }),
        (changes, batch) => {
          const { source, files, writer, embed } = archive();
          const rows = (sql: string) => {
            const db = openDatabase({ path: files.indexPath, key: files.key, cipher: files.cipher, readonly: true });
            const found = db.query(sql, (row) => JSON.stringify(Object.values(row))).all();
            db.close();
            return found;
          };
          const content = () => [
            rows('SELECT record_id, view, start, "end", input, forms FROM chunk ORDER BY 1, 5, 3, 6'),
            rows("SELECT * FROM heard ORDER BY 1, 2"),
            rows(
              `SELECT c.record_id, c.input, c.forms, s.model, hex(v.codes) FROM vector v JOIN chunk c ON c.id = v.chunk_id
             JOIN space s ON s.id = v.space_id ORDER BY 1, 2, 3, 4`,
            ),
            rows("SELECT count(*) FROM sign"),
            rows("SELECT count(*) FROM work"),
            rows("SELECT count(*) FROM stale"),
          ];
          writer.setEncoders([main, deep, third]);
          const all = () => {
            while (writer.advance(batch) > 0);
            for (const { model } of [main, deep, third]) embed(model);
          };
          for (const [step, { id, op, minute, words }] of changes.entries()) {
            // Every version of a record has a word of its own.
            const known = source.records.get(id);
            if (op === "put") source.put(line(id, "Mara", words === "" ? null : `zq${id}v${step}x ${words}`, minute));
            else if (op === "erase") source.erase(id);
            else source.trash(id, op === "trash");
            if (step % 4 === 3) embed("main", 3);
            while (writer.advance(batch, { textOnly: step % 2 === 0 }) > 0 && step % 3 === 0);
            if (step % 5 === 0) all();
            if (writer.status(null).text.pending === 0) {
              const own = /zq\d+v\d+x/.exec(known?.text ?? "")?.[0];
              const now = source.records.get(id);
              const visible = now && now.trashedAt === null && own !== undefined && (now.text ?? "").includes(own);
              if (own !== undefined && !visible) {
                expect(rows("SELECT input FROM chunk").filter((input) => input.includes(own))).toEqual([]);
              }
            }
          }
          all();
          const followed = content();
          writer.rebuild();
          writer.setEncoders([main, deep, third]);
          all();
          expect(content()).toEqual(followed);
          writer.close();
        },
      ),
      { numRuns: 12 },
    );
  });
});
