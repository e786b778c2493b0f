import type {
  CaptionTower,
  PictureLook,
  PictureReader,
  PictureReading,
  PictureTagger,
  PictureTower,
} from "#models/pictures/ports.ts";
import type { EmbedBatch, TextEmbedder } from "#models/text/embed.ts";
import type { TextReranker } from "#models/text/rerank.ts";
import type { TextReading } from "#models/text/tokens.ts";
import type { Raster } from "#native/raster.ts";
import { exposeService } from "../workers/service.ts";
import { placeFound } from "./batches.ts";
import type { Priority } from "./ports.ts";

/**
 * The side of inference that lives in a worker thread: it holds open models by key and does one small step at a time.
 * It decides nothing; order, limits, retries and memory are the business of the thread that calls it (`lane.ts`).
 */

interface OpenModel {
  /** Key of what is derived with it. */
  readonly modelId: string;
  /** Numbers of a vector, where it gives vectors. */
  readonly dimension?: number;
  dispose(): Promise<void>;
}

interface OpenInput {
  /** Id in the catalogue. */
  readonly modelId: string;
  /** The models folder. */
  readonly folder: string;
}

/** How the models of each kind are opened. Tests bring their own. */
export interface Openers {
  readonly text: (input: OpenInput) => Promise<TextEmbedder>;
  readonly rerank: (input: OpenInput) => Promise<TextReranker>;
  readonly ocr: (input: OpenInput) => Promise<PictureReader>;
  readonly tags: (input: OpenInput) => Promise<PictureTagger>;
  readonly picture: (input: OpenInput) => Promise<PictureTower>;
  readonly caption: (input: OpenInput) => Promise<CaptionTower>;
}
export type ModelKind = keyof Openers;

/** Every member does one step that is short enough for a question to wait for; `key` names an open model. */
export interface ModelThread {
  open(input: {
    key: string;
    kind: ModelKind;
    id: string;
    folder: string;
  }): Promise<{ modelId: string; dimension: number | null }>;
  /** Waits for a step of the model that is under way, then frees its memory. */
  close(input: { key: string }): Promise<void>;
  /** Tokenises texts and groups them by length. */
  split(input: { key: string; texts: readonly string[]; use: Priority }): Promise<EmbedBatch[]>;
  embed(input: { key: string; batch: EmbedBatch }): Promise<Float32Array[]>;
  /** Both in one step, for a question of few texts: each way between threads costs it time. Vectors in order. */
  embedAtOnce(input: { key: string; texts: readonly string[]; use: Priority }): Promise<Float32Array[]>;
  /** As `embed` and `embedAtOnce`, with the states of the tokens. */
  readText(input: { key: string; batch: EmbedBatch }): Promise<TextReading[]>;
  readTextAtOnce(input: { key: string; texts: readonly string[]; use: Priority }): Promise<TextReading[]>;
  rerank(input: { key: string; question: string; texts: readonly string[] }): Promise<number[]>;
  captions(input: { key: string; texts: readonly string[] }): Promise<Float32Array[]>;
  read(input: { key: string; raster: Raster }): Promise<PictureReading>;
  look(input: { key: string; raster: Raster }): Promise<PictureLook>;
  picture(input: { key: string; raster: Raster }): Promise<Float32Array>;
}

/** The open models of one kind. */
class Shelf<M extends OpenModel> {
  readonly #models = new Map<string, M>();
  readonly #opener: (input: OpenInput) => Promise<M>;

  constructor(opener: (input: OpenInput) => Promise<M>) {
    this.#opener = opener;
  }

  async open(key: string, input: OpenInput): Promise<{ modelId: string; dimension: number | null }> {
    const model = this.#models.get(key) ?? (await this.#opener(input));
    this.#models.set(key, model);
    return { modelId: model.modelId, dimension: model.dimension ?? null };
  }

  get(key: string): M {
    const model = this.#models.get(key);
    if (model) return model;
    throw new Error(`No model ${key} is open in this thread.`);
  }

  async close(key: string): Promise<void> {
    const model = this.#models.get(key);
    this.#models.delete(key);
    await model?.dispose();
  }
}

type Endpoint = Parameters<typeof exposeService>[0];

/** Serves models on a thread's port. */
export function serveModels(port: Endpoint, openers: Openers): void {
  const shelves = {
    text: new Shelf(openers.text),
    rerank: new Shelf(openers.rerank),
    ocr: new Shelf(openers.ocr),
    tags: new Shelf(openers.tags),
    picture: new Shelf(openers.picture),
    caption: new Shelf(openers.caption),
  };
  async function atOnce<Found>(
    { key, texts, use }: { key: string; texts: readonly string[]; use: Priority },
    run: (model: TextEmbedder, batch: EmbedBatch) => Promise<Found[]>,
  ): Promise<Found[]> {
    const model = shelves.text.get(key);
    const found = new Array<Found>(texts.length);
    for (const batch of model.batches(texts, use)) placeFound(found, batch.positions, await run(model, batch));
    return found;
  }
  exposeService<ModelThread>(port, {
    open: ({ key, kind, id, folder }) => shelves[kind].open(key, { modelId: id, folder }),
    async close({ key }) {
      for (const shelf of Object.values(shelves)) await shelf.close(key);
    },
    split: async ({ key, texts, use }) => shelves.text.get(key).batches(texts, use),
    embed: async ({ key, batch }) => shelves.text.get(key).run(batch),
    embedAtOnce: (input) => atOnce(input, (model, batch) => model.run(batch)),
    readText: async ({ key, batch }) => shelves.text.get(key).read(batch),
    readTextAtOnce: (input) => atOnce(input, (model, batch) => model.read(batch)),
    rerank: async ({ key, question, texts }) => shelves.rerank.get(key).score(question, texts),
    captions: async ({ key, texts }) => shelves.caption.get(key).embed(texts),
    read: async ({ key, raster }) => shelves.ocr.get(key).read(raster),
    look: async ({ key, raster }) => shelves.tags.get(key).look(raster),
    picture: async ({ key, raster }) => shelves.picture.get(key).embed(raster),
  });
}
