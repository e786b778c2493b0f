import { type ModelPurpose, UnderstoryError } from "#contract";
import { openLlama } from "#native/llama.ts";
import { openOnnx } from "#native/onnx.ts";
import type { Raster } from "#native/raster.ts";
import { type CatalogueModel, findModel, findModelFor } from "./catalogue.ts";
import { checkedModelPaths, readModelFiles } from "./installed.ts";
import { openPictureReader } from "./ocr/reader.ts";
import { openPictureTower } from "./pictures/image-text.ts";
import { openPictureTagger } from "./pictures/tags.ts";
import { openTextEmbedder } from "./text/embed.ts";
import { openReranker } from "./text/rerank.ts";

/** What `understory models bench` says of a model on this machine. */
export interface BenchResult {
  readonly id: string;
  readonly purpose: ModelPurpose;
  readonly loadMs: number;
  /** Growth of the process with the model open and used, bytes. */
  readonly memoryBytes: number;
  readonly unit: string;
  readonly perSecond: number;
  /** The same input through the run-time without our code; null where that is not defined. */
  readonly barePerSecond: number | null;
}

/** An opened model with a piece of work. */
export interface Bench {
  /** Works once; gives the number of items. */
  work(): Promise<number>;
  /** The same through the bare run-time, opened beside it. */
  openBare: (() => Promise<{ work(): Promise<number>; dispose(): Promise<void> }>) | null;
  dispose(): Promise<void>;
}

interface BenchInput {
  readonly modelId: string;
  readonly folder: string;
}

const measureMs = 3_000;

const sentence =
  "The ferry to the island leaves at seven from the north pier, and the tickets are in the blue folder. ";
/** Texts of 1 to 16 sentences. */
const texts = Array.from({ length: 64 }, (_, i) => sentence.repeat(1 + (i % 16)));

/** A page with dark bars where lines of text would be. */
function page(width = 960, height = 720): Raster {
  const rgb = new Uint8Array(width * height * 3).fill(255);
  for (let y = 0; y < height; y++) {
    for (let x = 60; x < width - 60; x++) {
      if (y % 48 < 24 && (x >> 2) % 3 > 0) rgb.fill(0, (y * width + x) * 3, (y * width + x) * 3 + 3);
    }
  }
  return { width, height, rgb };
}

async function benchText(input: BenchInput): Promise<Bench> {
  const model = findModelFor("text-embedding", input.modelId);
  const embedder = await openTextEmbedder(input);
  const batches = embedder.batches(texts, "background");
  return {
    async work() {
      for (const batch of embedder.batches(texts, "background")) await embedder.run(batch);
      return texts.length;
    },
    async openBare() {
      const session = await openOnnx(await weightsOf(model, input.folder), { threads: model.embedding.threads });
      const feeds = batches.map(({ tokens }) => {
        const width = Math.max(...tokens.map((ids) => ids.length));
        const dims = [tokens.length, width];
        const ids = new BigInt64Array(tokens.length * width);
        const mask = new BigInt64Array(ids.length);
        tokens.forEach((row, i) => {
          ids.set(row.map(BigInt), i * width);
          mask.fill(1n, i * width, i * width + row.length);
        });
        const all = { input_ids: ids, attention_mask: mask, token_type_ids: new BigInt64Array(ids.length) };
        return Object.fromEntries(
          Object.entries(all)
            .filter(([name]) => session.inputNames.includes(name))
            .map(([name, data]) => [name, { data, dims }]),
        );
      });
      return {
        async work() {
          for (const feed of feeds) await session.run(feed);
          return texts.length;
        },
        dispose: () => session.dispose(),
      };
    },
    dispose: () => embedder.dispose(),
  };
}

async function benchReranker(input: BenchInput): Promise<Bench> {
  const reranker = await openReranker(input);
  return {
    async work() {
      await reranker.score("When does the ferry leave?", texts);
      return texts.length;
    },
    openBare: null,
    dispose: () => reranker.dispose(),
  };
}

async function benchOcr(input: BenchInput): Promise<Bench> {
  const reader = await openPictureReader(input);
  const raster = page();
  return {
    async work() {
      await reader.read(raster);
      return 1;
    },
    openBare: null,
    dispose: () => reader.dispose(),
  };
}

async function benchTags(input: BenchInput): Promise<Bench> {
  const model = findModelFor("image-tags", input.modelId);
  const { picture, threads } = model.tags;
  const tagger = await openPictureTagger(input);
  const raster = page(picture.resize, picture.resize);
  return {
    async work() {
      await tagger.look(raster);
      return 1;
    },
    async openBare() {
      const session = await openOnnx(await weightsOf(model, input.folder), { threads });
      const data = new Float32Array(3 * picture.size ** 2).fill(0.5);
      const feed = { [picture.input]: { data, dims: [1, 3, picture.size, picture.size] } };
      return {
        async work() {
          await session.run(feed);
          return 1;
        },
        dispose: () => session.dispose(),
      };
    },
    dispose: () => tagger.dispose(),
  };
}

async function benchImageText(input: BenchInput): Promise<Bench> {
  const tower = await openPictureTower(input);
  const raster = page();
  return {
    async work() {
      await tower.embed(raster);
      return 1;
    },
    openBare: null,
    dispose: () => tower.dispose(),
  };
}

/** Tokens that a language model writes at a time when it is measured. */
const answerTokens = 32;

async function benchLlm({ modelId, folder }: BenchInput): Promise<Bench> {
  const { context } = findModelFor("llm", modelId).llm;
  const { paths } = await checkedModelPaths({ modelId, folder });
  const [path = ""] = paths.values();
  const model = await openLlama(path, { contextTokens: context, threads: null, gpu: "auto" });
  const prompt = model.render([{ role: "user", text: `Tell a long story. ${sentence}` }]);
  return {
    async work() {
      const before = model.meter.written;
      const answer = model.generate(prompt, { maxTokens: answerTokens, temperature: 0, seed: 1 });
      for await (const _ of answer) {
        // Only counted.
      }
      return model.meter.written - before;
    },
    openBare: null,
    dispose: () => model.dispose(),
  };
}

async function weightsOf(model: CatalogueModel, folder: string): Promise<Uint8Array> {
  const { files } = await readModelFiles(folder, model);
  const bytes = files.get(model.files.find(({ role }) => role === "weights")?.name ?? "");
  if (bytes) return bytes;
  throw new UnderstoryError("model_damaged", `${model.title} has no weights.`);
}

/** How each purpose is measured. A purpose that has code of its own gets its row here. */
const benches: Readonly<Partial<Record<ModelPurpose, { unit: string; open(input: BenchInput): Promise<Bench> }>>> = {
  "text-embedding": { unit: "texts", open: benchText },
  reranker: { unit: "pairs", open: benchReranker },
  ocr: { unit: "pages", open: benchOcr },
  "image-tags": { unit: "pictures", open: benchTags },
  "image-text-embedding": { unit: "pictures", open: benchImageText },
  llm: { unit: "tokens", open: benchLlm },
};

/**
 * Opens an installed model in this process and measures load time, memory and speed, its own way and the bare session in
 * turns. Throws `not_found`, `model_missing`, `model_damaged` or `model_unsupported` (nothing runs this purpose).
 */
export async function benchModel({ id, folder }: { id: string; folder: string }): Promise<BenchResult> {
  const { purpose } = findModel(id);
  const row = benches[purpose];
  if (!row) {
    throw new UnderstoryError("model_unsupported", `Nothing measures models for ${purpose} yet.`, { details: { id } });
  }
  // Hashing the files is no part of loading.
  await checkedModelPaths({ modelId: id, folder });
  const before = process.memoryUsage().rss;
  const started = performance.now();
  const bench = await row.open({ modelId: id, folder });
  const loadMs = performance.now() - started;
  try {
    await bench.work();
    const memoryBytes = Math.max(0, process.memoryUsage().rss - before);
    const bare = bench.openBare ? await bench.openBare() : null;
    const own = { items: 0, ms: 0 };
    const other = { items: 0, ms: 0 };
    while (own.ms < measureMs) {
      await timed(own, () => bench.work());
      if (bare) await timed(other, () => bare.work());
    }
    await bare?.dispose();
    const rate = ({ items, ms }: { items: number; ms: number }) => (items / ms) * 1000;
    return {
      id,
      purpose,
      loadMs,
      memoryBytes,
      unit: row.unit,
      perSecond: rate(own),
      barePerSecond: bare ? rate(other) : null,
    };
  } finally {
    await bench.dispose();
  }
}

async function timed(sum: { items: number; ms: number }, work: () => Promise<number>): Promise<void> {
  const started = performance.now();
  sum.items += await work();
  sum.ms += performance.now() - started;
}
