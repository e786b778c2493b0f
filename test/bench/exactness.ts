import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { ModelFor } from "#models/catalogue.ts";
import { modelPlaces, modelsFolder } from "#models/installed.ts";
import { openTextEmbedder } from "#models/text/embed.ts";
import {
  type Distance,
  distanceOf,
  embedAll,
  installedTextModels,
  openEmbeddingReference,
} from "../models/exact/reference.ts";
import { exactTexts } from "../models/exact/texts.ts";
import { table } from "./table.ts";

/**
 * `npm run bench -- exactness [--python PATH] [--count N] [--model ID]`: vectors of every installed text model beside transformers.js
 * and beside Python's onnxruntime (`pip install onnxruntime tokenizers numpy`) on the same file, and each text alone beside
 * the same text among all others. The bound is 1e-5 for a component and .9999 for the cosine.
 */
export async function benchExactness(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { python: { type: "string" }, count: { type: "string", default: "500" }, model: { type: "string" } },
  });
  const folder = modelsFolder();
  const models = installedTextModels(folder).filter(({ id }) => id === (values.model ?? id));
  if (models.length === 0) console.log(`No text embedding model is installed in ${folder}.`);
  const texts = exactTexts(1, Number(values.count));
  const rows: (string | number)[][] = [];
  for (const model of models) {
    const embedder = await openTextEmbedder({ modelId: model.id, folder });
    const prefixed = texts.map((text) => model.embedding.prefix.background + text);
    const started = process.cpuUsage();
    const together = await embedAll(embedder, texts);
    const { user, system } = process.cpuUsage(started);
    const add = (beside: string, { worst, minCosine, off }: Distance) => {
      const cost = `${((user + system) / 1000 / texts.length).toFixed(1)} ms`;
      rows.push([model.id, beside, worst.toExponential(1), minCosine.toFixed(7), off.length, cost]);
      for (const at of off.slice(0, 20))
        console.log(`  ${model.id} / ${beside}: ${JSON.stringify(texts[at]?.slice(0, 80))}`);
    };
    const alone: Float32Array[] = [];
    for (const text of texts) alone.push(...(await embedAll(embedder, [text])));
    add("alone", distanceOf(together, alone));
    await embedder.dispose();

    const reference = await openEmbeddingReference(folder, model);
    const theirs: Float32Array[] = [];
    for (const text of prefixed) theirs.push(await reference.run(text));
    await reference.dispose();
    add("transformers.js", distanceOf(together, theirs));
    if (values.python) add("Python", distanceOf(together, await python(values.python, folder, model, prefixed)));
  }
  console.log(`\n${texts.length} texts, the same list on every run\n`);
  console.log(table(["model", "beside", "max difference", "min cosine", "off", "CPU a text"], rows));
}

async function python(
  program: string,
  folder: string,
  model: ModelFor<"text-embedding">,
  texts: readonly string[],
): Promise<Float32Array[]> {
  const { home } = modelPlaces(folder, model.id);
  const { maxTokens, pooling, dimension } = model.embedding;
  const script = fileURLToPath(new URL("../models/exact/reference.py", import.meta.url));
  const given = [join(home, "model.onnx"), join(home, "tokenizer.json"), String(maxTokens), pooling];
  const child = spawn(program, [script, ...given], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(texts));
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (bytes.length !== texts.length * dimension * 4) throw new Error(`${program} gave ${bytes.length} bytes.`);
  const numbers = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  return texts.map((_, at) => numbers.slice(at * dimension, (at + 1) * dimension));
}
