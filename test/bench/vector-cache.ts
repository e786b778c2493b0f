import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TokenReading } from "#main/indexes/ports.ts";
import { findModelFor } from "#models/catalogue.ts";
import { openTextEmbedder, type TextEmbedder } from "#models/text/embed.ts";
import { openTokenCache } from "./token-cache.ts";

/**
 * Vectors that benches have asked for before. Embedding a data set takes the better part of an hour, and the same text has
 * the same vector each time; nothing but benches reads this.
 */

type Use = "question" | "background";

/** Bytes of a text's hash in front of its vector. */
const keyBytes = 16;
/** Texts that are embedded before they are written down. */
const atATime = 64;

export interface BenchEmbedder {
  /** `derivedBy` of the vectors. */
  readonly modelId: string;
  /** Unit vectors in the order of the texts. */
  embed(texts: readonly string[], use: Use): Promise<Float32Array[]>;
  /** With tokens; of background texts those that an index keeps. */
  read(texts: readonly string[], use: Use): Promise<TokenReading[]>;
  dispose(): Promise<void>;
}

export interface CacheOptions {
  /** Catalogue id of the model. */
  readonly id: string;
  /** Folder of installed models. */
  readonly models: string;
  /** Folder of the cache; one file a model. */
  readonly folder?: string;
}

/** An embedder that looks texts up before it opens the model. Several processes may append to one cache. */
export function openCachedEmbedder({ id, models, folder = ".cache/bench-vectors" }: CacheOptions): BenchEmbedder {
  const model = findModelFor("text-embedding", id);
  const { dimension, prefix } = model.embedding;
  const row = keyBytes + 4 * dimension;
  const path = join(folder, `${id}.bin`);
  const known = new Map<string, Float32Array>();
  if (existsSync(path)) {
    const bytes = readFileSync(path);
    for (let at = 0; at + row <= bytes.length; at += row) {
      const vector = new Float32Array(dimension);
      for (let d = 0; d < dimension; d++) vector[d] = bytes.readFloatLE(at + keyBytes + 4 * d);
      known.set(bytes.toString("latin1", at, at + keyBytes), vector);
    }
  }
  let opened: TextEmbedder | null = null;
  const open = async () => (opened ??= await openTextEmbedder({ modelId: id, folder: models }));
  let tokens: ReturnType<typeof openTokenCache> | null = null;
  const keyOf = (text: string, use: Use) =>
    createHash("sha256").update(`${prefix[use]}${text}`).digest().subarray(0, keyBytes);

  async function compute(texts: readonly string[], use: Use): Promise<void> {
    const embedder = await open();
    for (let from = 0; from < texts.length; from += atATime) {
      const part = texts.slice(from, from + atATime);
      const found = new Array<Float32Array>(part.length);
      for (const batch of embedder.batches(part, use)) {
        const vectors = await embedder.run(batch);
        batch.positions.forEach((position, i) => {
          found[position] = vectors[i] ?? new Float32Array(dimension);
        });
      }
      const rows = part.map((text, i) => {
        const key = keyOf(text, use);
        const vector = found[i] ?? new Float32Array(dimension);
        known.set(key.toString("latin1"), vector);
        const bytes = Buffer.alloc(row);
        key.copy(bytes);
        for (const [d, value] of vector.entries()) bytes.writeFloatLE(value, keyBytes + 4 * d);
        return bytes;
      });
      mkdirSync(folder, { recursive: true });
      appendFileSync(path, Buffer.concat(rows));
    }
  }

  return {
    modelId: `${model.id}@${model.version}`,
    async embed(texts, use) {
      const keys = texts.map((text) => keyOf(text, use).toString("latin1"));
      const missing = new Set(texts.filter((_, i) => !known.has(keys[i] ?? "")));
      if (missing.size > 0) await compute([...missing], use);
      return keys.map((key) => known.get(key) ?? new Float32Array(dimension));
    },
    read(texts, use) {
      tokens ??= openTokenCache(join(folder, `${id}.tokens.bin`), dimension, open);
      return tokens(texts, use, (text) => keyOf(text, use));
    },
    async dispose() {
      await opened?.dispose();
      opened = null;
    },
  };
}
