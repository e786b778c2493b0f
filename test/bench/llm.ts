import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { getLlama, type LlamaContextSequence, LlamaLogLevel } from "node-llama-cpp";
import type { AnswerShape, LanguageModel } from "#main/llm/ports.ts";
import type { LlmService } from "#main/workers/llm.worker.ts";
import { connectService, endService, type Remote } from "#main/workers/service.ts";
import { spawnWorker } from "#main/workers/spawn.ts";
import { loadCatalogue } from "#models/catalogue.ts";
import { checkedModelPaths, readInstalled } from "#models/installed.ts";
import { languageModel } from "#test/llm/worker-model.ts";
import { benchTasks } from "./llm-tasks.ts";
import { median, share, table } from "./table.ts";

/**
 * `npm run bench -- llm [--models FOLDER] [--model ID] [--threads 1] [--rounds 3] [--tasks]`
 *
 * Each installed language model through our worker, beside the bare node-llama-cpp API on the same file with the same
 * threads: rounds alternate, medians are told. Then what only the worker does: valid answers, prefix reuse, cancel.
 */
export async function benchLlm(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      models: { type: "string", default: fileURLToPath(new URL("../../.cache/models", import.meta.url)) },
      model: { type: "string" },
      threads: { type: "string", default: "1" },
      rounds: { type: "string", default: "3" },
      tasks: { type: "boolean", default: false },
    },
  });
  const installed = loadCatalogue().models.filter(
    (model) =>
      model.purpose === "llm" &&
      (values.model === undefined || model.id === values.model) &&
      readInstalled(values.models, model) !== null,
  );
  if (installed.length === 0) console.log(`No language model is installed in ${values.models}.`);
  for (const { id } of installed) {
    if (values.tasks) {
      await tryTasks(id, values.models, Number(values.threads));
      continue;
    }
    await benchModel({ id, folder: values.models, threads: Number(values.threads), rounds: Number(values.rounds) });
  }
}

/** Which tasks a model is good for, instead of how fast it is. */
async function tryTasks(id: string, folder: string, threads: number): Promise<void> {
  console.log(`\n${id}`);
  const worker = spawnWorker("llm");
  const remote = connectService<LlmService>(worker, "language model");
  const loaded = await remote.load({ modelId: id, folder, contextTokens, threads, gpu: "off" });
  await benchTasks(languageModel(remote, loaded));
  await endService(worker);
}

const promptTokens = 256;
const answerTokens = 24;
const contextTokens = 2048;

/** Some 256 tokens that begin differently each time, so that nothing of an earlier prompt can be taken up. */
const promptText = (round: number) =>
  `Round ${round} begins. ${"On the way to the harbour we met an old friend who sold lamps and told us about winter. ".repeat(14)}`;

async function benchModel(input: { id: string; folder: string; threads: number; rounds: number }): Promise<void> {
  const { id, folder, threads, rounds } = input;
  console.log(`\n${id}, ${threads} of ${availableParallelism()} threads\n`);
  const worker = spawnWorker("llm");
  const remote = connectService<LlmService>(worker, "language model");
  const { modelId, paths } = await checkedModelPaths({ modelId: id, folder });

  const loadStart = performance.now();
  const loaded = await remote.load({ modelId: id, folder, contextTokens, threads, gpu: "off" });
  const loadMs = performance.now() - loadStart;
  const ours = languageModel(remote, loaded);

  const llama = await getLlama({
    gpu: false,
    build: "never",
    progressLogs: false,
    skipDownload: true,
    logLevel: LlamaLogLevel.error,
  });
  const bareStart = performance.now();
  const model = await llama.loadModel({ modelPath: paths.get("model.gguf") ?? "", gpuLayers: 0, useMmap: false });
  const context = await model.createContext({
    contextSize: contextTokens,
    threads,
    batchSize: 512,
    swaFullCache: true,
  });
  const bareLoadMs = performance.now() - bareStart;
  const sequence = context.getSequence();

  const measured: [Rates, Rates][] = [];
  for (let round = 0; round < rounds; round++) {
    const text = promptText(round);
    const tokens = model.tokenize(text, false).slice(0, promptTokens);
    const bare = await timeBare(sequence, tokens);
    measured.push([bare, await timeOurs(remote, ours, model.detokenize(tokens))]);
  }
  const line = (name: string, of: keyof Rates) => {
    const [bare, own] = [0, 1].map((side) => median(measured.map((pair) => pair[side]?.[of] ?? 0)));
    return [name, (bare ?? 0).toFixed(1), (own ?? 0).toFixed(1), ((own ?? 0) / (bare ?? 1)).toFixed(2)];
  };
  console.log(
    table(
      ["", "bare API", "our worker", "ratio"],
      [
        ["load, s (hash of the file and start of the thread included)", bareLoadMs, loadMs].map((value) =>
          typeof value === "number" ? (value / 1000).toFixed(1) : value,
        ),
        line("prompt, tokens/s", "read"),
        line("generation, tokens/s", "write"),
        // What a busy machine does not blur.
        line("prompt, tokens/CPU-s", "readCpu"),
        line("generation, tokens/CPU-s", "writeCpu"),
      ],
    ),
  );
  await context.dispose();
  await model.dispose();
  await llama.dispose();

  const valid = await validShare(ours);
  const reuse = await prefixReuse(ours);
  const cancel = await cancelLatency(ours);
  console.log(
    `\n${modelId}: memory ${(loaded.memoryBytes / 1e6).toFixed(0)} MB; answers valid by grammar ${valid};\n` +
      `prefix reuse: first ${reuse.first.toFixed(0)} ms, again ${reuse.again.toFixed(0)} ms (${(reuse.first / reuse.again).toFixed(1)} ×);\n` +
      `cancel while reading: told after ${cancel.told.toFixed(0)} ms, free for the next after ${cancel.free.toFixed(0)} ms`,
  );
  await endService(worker);
}

/** Tokens a second of the clock, and of the processor (all threads of this process). */
interface Rates {
  readonly read: number;
  readonly write: number;
  readonly readCpu: number;
  readonly writeCpu: number;
}

/** Clock and processor, seconds. */
function now(): { clock: number; cpu: number } {
  const { user, system } = process.cpuUsage();
  return { clock: performance.now() / 1000, cpu: (user + system) / 1e6 };
}
type Moment = ReturnType<typeof now>;

const ratesOf = (read: number, written: number, start: Moment, first: Moment, end: Moment): Rates => ({
  read: read / (first.clock - start.clock),
  write: written / (end.clock - first.clock),
  readCpu: read / (first.cpu - start.cpu),
  writeCpu: written / (end.cpu - first.cpu),
});

async function timeBare(sequence: LlamaContextSequence, tokens: Parameters<LlamaContextSequence["evaluate"]>[0]) {
  await sequence.clearHistory();
  const start = now();
  let first: Moment | null = null;
  let count = 0;
  for await (const _ of sequence.evaluate(tokens, { temperature: 0, yieldEogToken: true })) {
    first ??= now();
    count += 1;
    if (count > answerTokens) break;
  }
  return ratesOf(tokens.length, count - 1, start, first ?? start, now());
}

async function timeOurs(remote: Remote<LlmService>, model: LanguageModel, text: string): Promise<Rates> {
  const before = (await remote.stats({})).tokens;
  const start = now();
  let first: Moment | null = null;
  const turns = [{ role: "user", text }] as const;
  for await (const _ of model.generate({ turns, maxTokens: answerTokens + 1, priority: "question" })) first ??= now();
  const end = now();
  const after = (await remote.stats({})).tokens;
  return ratesOf(after.read - before.read, after.written - before.written - 1, start, first ?? start, end);
}

const shape: AnswerShape = {
  type: "object",
  properties: {
    subject: { type: "string", maxLength: 24 },
    kind: { enum: ["person", "place", "thing", null] },
    tags: { type: "array", minItems: 1, maxItems: 2, items: { type: "string", maxLength: 12 } },
    sure: { type: "boolean" },
  },
};

async function validShare(model: LanguageModel): Promise<string> {
  const subjects = ["a ferry", "Ada Lovelace", "Lisbon", "…", '"quotes" and \\ marks', "猫", "nothing", "} ] }"];
  let valid = 0;
  for (const [seed, subject] of subjects.entries()) {
    const turns = [{ role: "user", text: `Describe ${subject} as JSON.` }] as const;
    let answer = "";
    // Warm on purpose: the grammar has to hold what chance brings.
    const stream = model.generate({ turns, maxTokens: 160, shape, temperature: 1, seed, priority: "background" });
    for await (const piece of stream) answer += piece;
    try {
      const { subject: text, kind, tags, sure } = JSON.parse(answer);
      if (typeof text === "string" && kind !== undefined && Array.isArray(tags) && typeof sure === "boolean") valid++;
    } catch {
      console.log(`not valid: ${answer}`);
    }
  }
  return share(valid, subjects.length);
}

async function prefixReuse(model: LanguageModel): Promise<{ first: number; again: number }> {
  const timed = async (question: string) => {
    const start = performance.now();
    const turns = [{ role: "user", text: `${promptText(1000)}\n\n${question}` }] as const;
    for await (const _ of model.generate({ turns, maxTokens: 1, priority: "question" }));
    return performance.now() - start;
  };
  return { first: await timed("Who sold lamps?"), again: await timed("Where did we go?") };
}

async function cancelLatency(model: LanguageModel): Promise<{ told: number; free: number }> {
  const controller = new AbortController();
  let stopped = 0;
  setTimeout(() => {
    stopped = performance.now();
    controller.abort();
  }, 300);
  const turns = [{ role: "user", text: promptText(2000).repeat(4) }] as const;
  try {
    for await (const _ of model.generate({ turns, maxTokens: 64, priority: "question" }, controller.signal));
  } catch {}
  const told = performance.now() - stopped;
  await model.count({ texts: ["free"] });
  for await (const _ of model.generate({ turns: [{ role: "user", text: "Hi" }], maxTokens: 1, priority: "question" }));
  return { told, free: performance.now() - stopped };
}
