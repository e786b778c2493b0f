import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { keptOf } from "#main/app/tokens.ts";
import type { TokenReading } from "#main/indexes/ports.ts";
import type { TextEmbedder } from "#models/text/embed.ts";

/** Readings with tokens that benches have asked for before; of background texts the content tokens alone, as an index keeps them. */

const keyBytes = 16;
const headBytes = keyBytes + 8;
const wordsSchema = z.array(z.string());

/** Rows of the file: key, bytes of words, bytes of numbers, words, vector and states. */
export function openTokenCache(path: string, dimension: number, open: () => Promise<TextEmbedder>) {
  const known = new Map<string, TokenReading>();
  const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  for (let at = 0; at + headBytes <= bytes.length; ) {
    const [words, numbers] = [bytes.readUInt32LE(at + keyBytes), bytes.readUInt32LE(at + keyBytes + 4)];
    const start = at + headBytes;
    const values = new Float32Array(new Uint8Array(bytes.subarray(start + words, start + words + numbers)).buffer);
    known.set(bytes.toString("latin1", at, at + keyBytes), {
      vector: values.subarray(0, dimension),
      words: wordsSchema.parse(JSON.parse(bytes.toString("utf8", start, start + words))),
      states: values.subarray(dimension),
    });
    at = start + words + numbers;
  }
  const put = (key: Buffer, reading: TokenReading) => {
    known.set(key.toString("latin1"), reading);
    const words = Buffer.from(JSON.stringify(reading.words));
    const values = new Float32Array(dimension + reading.states.length);
    values.set(reading.vector);
    values.set(reading.states, dimension);
    const head = Buffer.alloc(8);
    head.writeUInt32LE(words.length, 0);
    head.writeUInt32LE(values.byteLength, 4);
    mkdirSync(dirname(path), { recursive: true });
    appendFileSync(path, Buffer.concat([key, head, words, Buffer.from(values.buffer)]));
  };
  return async (
    texts: readonly string[],
    use: "question" | "background",
    keyOf: (text: string) => Buffer,
  ): Promise<TokenReading[]> => {
    const missing = [...new Set(texts)].filter((text) => !known.has(keyOf(text).toString("latin1")));
    if (missing.length > 0) {
      const embedder = await open();
      for (const batch of embedder.batches(missing, use)) {
        const readings = await embedder.read(batch);
        for (const [at, position] of batch.positions.entries()) {
          const reading = readings[at];
          if (reading) put(keyOf(missing[position] ?? ""), use === "question" ? reading : keptOf(reading));
        }
      }
    }
    return texts.map((text) => {
      const found = known.get(keyOf(text).toString("latin1"));
      if (!found) throw new Error("A text has no reading.");
      return found;
    });
  };
}
