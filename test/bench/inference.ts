import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { InferenceSession } from "onnxruntime-node";
import { defaultSettings } from "#contract";
import { cutBatch } from "#main/inference/batches.ts";
import { createInference } from "#main/inference/inference.ts";
import type { InferenceHost } from "#main/inference/ports.ts";
import { activeModel, modelsFolder } from "#models/installed.ts";
import { openPictureReader } from "#models/ocr/reader.ts";
import { openPictureTagger } from "#models/pictures/tags.ts";
import { openTextEmbedder } from "#models/text/embed.ts";
import type { Raster } from "#native/raster.ts";
import { pages, rasterOf } from "#test/models/ocr/pages.ts";
import { median, table } from "./table.ts";

/** `npm run bench -- inference [--models FOLDER] [--rounds N]`: the service beside the bare run-time, in one process. */

const idleMs = 2_000;

type Feeds = Parameters<InferenceSession["run"]>[0];
interface Run {
  readonly session: InferenceSession;
  readonly feeds: Feeds;
}

/** As `native/onnx.ts` calls it. */
interface Runs {
  run(this: InferenceSession, feeds: Feeds): Promise<unknown>;
}

function canRun(value: unknown): value is Runs {
  return typeof value === "object" && value !== null && "run" in value && typeof value.run === "function";
}

/** All that `work` sends through ONNX Runtime in this thread, in order. */
async function recordRuns(work: () => Promise<unknown>): Promise<Run[]> {
  const runs: Run[] = [];
  const prototype: unknown = Reflect.get(InferenceSession, "prototype");
  if (!canRun(prototype)) throw new Error("ONNX Runtime has no sessions to look at.");
  const original = prototype.run;
  prototype.run = function run(this: InferenceSession, feeds: Feeds) {
    runs.push({ session: this, feeds });
    return original.call(this, feeds);
  };
  try {
    await work();
  } finally {
    prototype.run = original;
  }
  return runs;
}

/** The same tensors through the same sessions, and nothing else. */
async function replay(runs: readonly Run[]): Promise<void> {
  for (const { session, feeds } of runs) await session.run(feeds);
}

/** 128 texts of 3 to 150 words, most of them short, the same in every run. */
function mixedTexts(count: number): string[] {
  const words = "the boat house by lake was green last summer when Nadia and Juno came to visit us with children".split(
    " ",
  );
  let state = 7;
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  return Array.from({ length: count }, () =>
    Array.from({ length: 3 + Math.floor(random() ** 2 * 147) }, () => words[Math.floor(random() * words.length)]).join(
      " ",
    ),
  );
}

/** A picture of coloured stripes, of the size in which pictures are shown to models of their content. */
function photo(seed: number): Raster {
  const [width, height] = [341, 256];
  const rgb = new Uint8Array(width * height * 3);
  for (let i = 0; i < rgb.length; i++) rgb[i] = (i * (seed + 3)) % 251;
  return { width, height, rgb };
}

/** Milliseconds of the clock, and of all threads of this process together. */
async function timed(work: () => Promise<unknown>): Promise<{ clock: number; processor: number }> {
  const used = process.cpuUsage();
  const began = performance.now();
  await work();
  const clock = performance.now() - began;
  const { user, system } = process.cpuUsage(used);
  return { clock, processor: (user + system) / 1000 };
}

interface Compared {
  readonly what: string;
  readonly items: number;
  /** Everything as background work through the service; the bare sessions with the same tensors. */
  readonly service: () => Promise<unknown>;
  readonly bare: () => Promise<unknown>;
}

/** In turns, so that both have the same machine; medians. The processor's time tells the work where others use the machine too. */
async function compare({ what, items, service, bare }: Compared, rounds: number): Promise<(string | number)[]> {
  await service();
  await bare();
  const pairs: { service: Awaited<ReturnType<typeof timed>>; bare: Awaited<ReturnType<typeof timed>> }[] = [];
  for (let round = 0; round < rounds; round++) pairs.push({ service: await timed(service), bare: await timed(bare) });
  const rate = (side: "service" | "bare") =>
    ((1000 * items) / median(pairs.map((pair) => pair[side].clock))).toFixed(1);
  const ratio = (by: "clock" | "processor") => median(pairs.map((pair) => pair.bare[by] / pair.service[by])).toFixed(3);
  return [what, rate("service"), rate("bare"), ratio("clock"), ratio("processor")];
}

const megabytes = () => Math.round(process.memoryUsage.rss() / 1_000_000);

async function questions(inference: InferenceHost, count: number, everyMs: number): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const texts = [`When did Nadia pay the deposit for boat house ${i}?`];
    times.push((await timed(() => inference.embed({ texts, priority: "question" }))).clock);
    // Not in step with the batches.
    await pause(everyMs * (0.5 + ((i * 0.618) % 1)));
  }
  return times;
}

const percentile = (values: readonly number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(part * values.length))] ?? Number.NaN;

/** A question's embedding alone, and while background texts and pictures never end. */
async function latencyRows(inference: InferenceHost, texts: readonly string[], page: Raster, count: number) {
  await questions(inference, 5, 20);
  const idle = await questions(inference, count, 150);
  const stop = new AbortController();
  const forever = async (work: () => Promise<unknown>) => {
    while (!stop.signal.aborted) await work().catch(() => null);
  };
  const load = [
    forever(() => inference.embed({ texts: texts.slice(0, 32), priority: "background" }, stop.signal)),
    forever(() => inference.readPicture({ raster: page, priority: "background" }, stop.signal)),
  ];
  await pause(2_000);
  const busy = await questions(inference, count, 1_000);
  const during = megabytes();
  stop.abort();
  await Promise.all(load);
  const row = (what: string, times: readonly number[]) => [
    what,
    median(times).toFixed(1),
    percentile(times, 0.95).toFixed(1),
    (median(times) / median(idle)).toFixed(2),
  ];
  return { rows: [row("quiet", idle), row("texts and pictures in the background", busy)], during };
}

export async function benchInference(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      models: { type: "string" },
      rounds: { type: "string", default: "7" },
      questions: { type: "string", default: "30" },
    },
  });
  const folder = values.models ?? modelsFolder();
  const texts = mixedTexts(128);
  const page = await rasterOf(pages.receipt);
  const before = megabytes();
  const settings = () => ({ ...defaultSettings, pauseOnBattery: false, memoryCeilingBytes: 4_000_000_000 });
  const short = createInference({ modelsDir: folder, settings, limits: { idleMs } });
  const text = activeModel(folder, "text-embedding");
  const ocr = activeModel(folder, "ocr");
  const tags = activeModel(folder, "image-tags");
  if (!text || !ocr || !tags) {
    console.log(`The models for text embedding, OCR and tags are not all installed in ${folder}.`);
    return short.close();
  }

  const { rows: latency, during } = await latencyRows(short, texts, page, Number(values.questions));
  await pause(idleMs);
  while ((await short.stats()).models.some(({ inMemory }) => inMemory)) await pause(200);
  await pause(500);
  const after = megabytes();
  await short.close();

  const inference = createInference({ modelsDir: folder, settings });

  const embedder = await openTextEmbedder({ modelId: text.id, folder });
  const reader = await openPictureReader({ modelId: ocr.id, folder });
  const batches = embedder.batches(texts, "background").flatMap((batch) => cutBatch(batch, 0, "background"));
  const embedRuns = await recordRuns(async () => {
    for (const batch of batches) await embedder.run(batch);
  });
  const readRuns = await recordRuns(() => reader.read(page));
  const tagger = await openPictureTagger({ modelId: tags.id, folder });
  const photos = Array.from({ length: 64 }, (_, i) => photo(i));
  const lookRuns = await recordRuns(async () => {
    for (const raster of photos) await tagger.look(raster);
  });
  const rounds = Number(values.rounds);
  const rows = [
    await compare(
      {
        what: `text embedding (${text.id}), 128 texts`,
        items: 128,
        service: () => inference.embed({ texts, priority: "background" }),
        bare: () => replay(embedRuns),
      },
      rounds,
    ),
    await compare(
      {
        what: `image features and tags (${tags.id}), ${photos.length} pictures`,
        items: photos.length,
        // As in the background: the next picture is handed over while one is looked at.
        service: () => Promise.all(photos.map((raster) => inference.lookAtPicture({ raster, priority: "background" }))),
        bare: () => replay(lookRuns),
      },
      rounds,
    ),
    await compare(
      {
        what: `OCR (${ocr.id}), a page`,
        items: 1,
        service: () => inference.readPicture({ raster: page, priority: "background" }),
        bare: () => replay(readRuns),
      },
      rounds,
    ),
  ];
  await Promise.all([embedder.dispose(), reader.dispose(), tagger.dispose(), inference.close()]);

  console.log(
    table(["work", "service a second", "bare ONNX a second", "ratio (bound 0.9)", "by processor time"], rows),
  );
  console.log(`\n${table(["a question's embedding", "p50 ms", "p95 ms", "to quiet (bound 2)"], latency)}`);
  console.log(
    `\nResident memory: ${before} MB before, ${during} MB during, ${after} MB after the idle models had left.`,
  );
}
