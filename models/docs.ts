import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { ModelPurpose } from "#contract";
import { type Catalogue, type CatalogueModel, isMeasured, loadCatalogue } from "./catalogue.ts";
import type { ModelSource } from "./sources/schema.ts";

/** Writes `docs/models.md` from the catalogue: `node models/docs.ts`. A test holds the two equal. */

const headings: Readonly<Record<ModelPurpose, string>> = {
  "text-embedding": "Text embedding: search by meaning",
  "image-text-embedding": "Image–text embedding: pictures by a description",
  "image-tags": "Image features and tags: what is on pictures",
  ocr: "OCR: text in pictures",
  reranker: "Cross-encoder reranker: the order of results",
  llm: "Local language model",
  "speech-to-text": "Speech to text (nothing runs it yet)",
  "face-detection": "Face detection (off unless chosen; nothing runs it yet)",
  "face-embedding": "Face embedding (off unless chosen; nothing runs it yet)",
};

const introduction = `# Models

Written from \`models/catalogue.json\` by \`node models/docs.ts\`; change the catalogue, not this file.

Nothing is fetched before you agree to it. Every file is compared with its SHA-256 before first use. **Unverified** means that
we have not had the file in hand: its size is about what its publisher says, and it is taken only when it has the hash that
its publisher, or the hub itself, tells; results of such a build are never mixed with those of another. Memory is the growth
of the process with the model open; *estimated* where we have not measured it. A model marked **recommended** is the one to
begin with for its purpose; "from 7 GB" is the least memory of a machine that it is meant for.
`;

/** The whole page. */
export function modelsPage({ models }: Catalogue = loadCatalogue()): string {
  const purposes = [...new Set(models.map(({ purpose }) => purpose))];
  const sections = purposes.map((purpose) => {
    const of = models.filter((model) => model.purpose === purpose);
    return [`## ${headings[purpose]}`, ...of.map(modelSection)].join("\n\n");
  });
  return `${[introduction.trimEnd(), ...sections].join("\n\n")}\n`;
}

function modelSection(model: CatalogueModel): string {
  const marks = [
    model.recommended ? "**recommended**" : "",
    isMeasured(model) ? "" : "**unverified**",
    model.machineMemoryBytes > 0 ? `from ${model.machineMemoryBytes / 1e9} GB` : "",
  ].filter(Boolean);
  const bytes = model.files.reduce((sum, file) => sum + file.bytes, 0);
  const facts = [
    ["Licence", `[${model.licence.name}](${model.licence.url})`],
    ["Makers", `<${model.home}>`],
    ["Languages", model.languages.join(", ").replace("*", "many")],
    ["Size", `${isMeasured(model) ? "" : "about "}${megabytes(bytes)}`],
    ["Memory", `${megabytes(model.memoryBytes)}${model.memoryMeasured ? "" : " (estimated)"}`],
    ...parameterFacts(model),
    ...model.quality.map(({ measure, value, source }) => [
      "Quality",
      `${measure}: ${value} (${source.startsWith("http") ? `<${source}>` : source})`,
    ]),
    ...model.sources.map((source) => ["From", sourceText(source)]),
  ];
  return [
    `### ${model.title} \`${model.id}\``,
    [model.why, ...(marks.length > 0 ? [`(${marks.join(", ")})`] : [])].join(" "),
    ["| | |", "|---|---|", ...facts.map(([name, value]) => `| ${name} | ${value} |`)].join("\n"),
    ["| file | bytes | SHA-256 |", "|---|---|---|", ...model.files.map(fileRow)].join("\n"),
  ].join("\n\n");
}

function fileRow({ name, bytes, sha256, verified }: CatalogueModel["files"][number]): string {
  const grouped = bytes.toString().replace(/\B(?=(\d{3})+$)/g, ",");
  const known = sha256 !== null && verified !== false;
  const hash = sha256 === null ? "the hub's own, at download" : `\`${sha256}\`${known ? "" : " (as published)"}`;
  return `| ${name} | ${known ? "" : "about "}${grouped} | ${hash} |`;
}

function sourceText(source: ModelSource): string {
  if (source.kind === "local") return source.label;
  if (source.kind === "hub") return `${source.label}: ${source.files.map(({ path }) => `\`${path}\``).join(", ")}`;
  const [first, last] = [source.packages[0], source.packages.at(-1)];
  const named = first === last || source.packages.length < 4 ? source.packages : [];
  const packages =
    named.length > 0
      ? named.map(({ name, version }) => `\`${name}\` ${version}`).join(", ")
      : `\`${first?.name}\` to \`${last?.name}\` ${first?.version}, joined`;
  return `${source.label}: ${packages}${source.conversion ? `, converted here (\`${source.conversion.builder}\`)` : ""}`;
}

function megabytes(bytes: number): string {
  return bytes < 1e9 ? `${Math.max(1, Math.round(bytes / 1e6))} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

function parameterFacts(model: CatalogueModel): string[][] {
  switch (model.purpose) {
    case "text-embedding": {
      const { dimension, maxTokens, pooling, prefix, threads } = model.embedding;
      const prefixes = prefix.question || prefix.background ? [["Prefixes", quoted(prefix)]] : [];
      const facts = `${dimension} numbers, ${maxTokens} tokens, ${pooling === "cls" ? "CLS" : "mean"} pooling`;
      return [["Vectors", `${facts}, ${threadsText(threads)}`], ...prefixes];
    }
    case "image-text-embedding":
      return [["Vectors", `${model.imageText.dimension} numbers, ${threadsText(model.imageText.threads)}`]];
    case "image-tags": {
      const { picture, features, logits, threshold, threads } = model.tags;
      const facts = `${picture.size} pixels square, ${features.dimension} features, ${logits.classes} classes`;
      return [["Input and output", `${facts}, tags from ${threshold}, ${threadsText(threads)}`]];
    }
    case "ocr": {
      const { detector, recogniser, threads } = model.ocr;
      const facts = `detector sees at most ${detector.most} pixels a side, lines of ${recogniser.height} pixels`;
      return [["Input", `${facts}, ${threadsText(threads)}`]];
    }
    case "reranker":
      return [["Input", `${model.reranker.maxTokens} tokens, ${threadsText(model.reranker.threads)}`]];
    case "llm": {
      const { parameters, quantisation, context, trainedContext, tasks } = model.llm;
      return [
        ["Model", `${(parameters / 1e9).toFixed(2)} billion parameters, ${quantisation}`],
        ["Context", `${context} tokens (made for ${trainedContext})`],
        ["On by default for", tasks.join(", ") || "nothing"],
      ];
    }
    default:
      return [];
  }
}

function quoted({ question, background }: { question: string; background: string }): string {
  const text = (prefix: string) => (prefix ? `\`${prefix}\`` : "none");
  return `question ${text(question)}, record ${text(background)}`;
}

function threadsText(threads: number): string {
  return threads === 1 ? "1 thread" : `${threads} threads`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = fileURLToPath(new URL("../docs/models.md", import.meta.url));
  const page = modelsPage();
  const before = await readFile(path, "utf8").catch(() => "");
  if (before !== page) await writeFile(path, page);
  process.stdout.write(before === page ? "docs/models.md is up to date.\n" : "docs/models.md is written.\n");
}
