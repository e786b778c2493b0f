import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AskResult, Client, StoredRecord } from "#contract";
import { openApp } from "#main/app.ts";
import { loadQuestions, locatorOf, type SampleQuestion } from "#main/sample/questions.ts";
import { linkModels, testModelId } from "#test/models/model-cache.ts";
import { judgeAnswer } from "./judge-answer.ts";
import { median, share, table } from "./table.ts";

/** What became of one question. */
export interface Verdict {
  readonly question: SampleQuestion;
  readonly result: AskResult;
  readonly ms: number;
  /** Gold records among those that the claims cite, and among those of the evidence forest. */
  readonly cited: number;
  /** Records that the claims cite and that are no gold. */
  readonly besides: number;
  readonly inEvidence: number;
  /** The expected value is said, in whatever spelling (`judgeAnswer`); no answer where none is expected. */
  readonly right: boolean;
}

/** Opens the sample in a fresh place and waits until everything is read and indexed. */
export async function openSample(options: { modelsDir: string | null; place: string }) {
  const modelsDir = options.modelsDir ?? join(options.place, "no-models");
  const app = await openApp({ archiveDir: join(options.place, "archive"), modelsDir, host: "browser" });
  await app.client.call("archive.openSample", {});
  await idle(app.client);
  return app;
}

/** Resolves when no job is left to do; throws when one failed. */
export async function idle(client: Client): Promise<void> {
  for (let quiet = 0; quiet < 3; ) {
    const { jobs } = await client.call("jobs.list", {});
    const failed = jobs.find((job) => job.state === "failed");
    if (failed) throw new Error(`${failed.title}: ${failed.error?.message}`);
    quiet = jobs.some((job) => job.state === "queued" || job.state === "running") ? 0 : quiet + 1;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function locators(client: Client): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  for (let after: number | null = 0; after !== null; ) {
    const page: { records: StoredRecord[]; next: number | null } = await client.call("records.page", {
      after,
      limit: 500,
    });
    for (const record of page.records) found.set(record.id, locatorOf(record));
    after = page.next;
  }
  return found;
}

export async function ask(client: Client, question: string): Promise<AskResult> {
  let last: AskResult | null = null;
  for await (const event of client.stream("ask.ask", { question })) if (event.type === "result") last = event.result;
  if (!last) throw new Error(`No result for: ${question}`);
  return last;
}

export async function judge(client: Client, questions: readonly SampleQuestion[]): Promise<Verdict[]> {
  const locatorOfId = await locators(client);
  const verdicts: Verdict[] = [];
  for (const question of questions) {
    const start = performance.now();
    const result = await ask(client, question.question);
    const ms = performance.now() - start;
    const at = (ids: Iterable<number>) => new Set([...ids].map((id) => locatorOfId.get(id) ?? ""));
    const cited = at(result.claims.flatMap((claim) => claim.citations.map((citation) => citation.recordId)));
    const evidence = at(result.forest.nodes.map((node) => node.recordId));
    verdicts.push({
      question,
      result,
      ms,
      cited: question.gold.filter((gold) => cited.has(gold)).length,
      besides: [...cited].filter((one) => !question.gold.includes(one)).length,
      inEvidence: question.gold.filter((gold) => evidence.has(gold) || cited.has(gold)).length,
      right: judgeAnswer(question.question, question.answer, result),
    });
  }
  return verdicts;
}

function report(verdicts: readonly Verdict[]): string {
  const answerable = verdicts.filter(({ question }) => question.answer !== null);
  const row = (name: string, some: readonly Verdict[]) => {
    const withGold = some.filter(({ question }) => question.gold.length > 0);
    return [
      name,
      some.length,
      share(withGold.filter((one) => one.cited === one.question.gold.length).length, withGold.length),
      share(withGold.filter((one) => one.cited > 0).length, withGold.length),
      share(withGold.filter((one) => one.inEvidence === one.question.gold.length).length, withGold.length),
      share(some.filter((one) => one.right).length, some.length),
      some.reduce((sum, one) => sum + one.besides, 0),
      Math.round(median(some.map((one) => one.ms))),
    ] as const;
  };
  const tags = [...new Set(verdicts.flatMap(({ question }) => question.tags))].sort();
  return table(
    [
      "questions",
      "n",
      "all gold cited",
      "any gold cited",
      "all gold in evidence",
      "answer right",
      "cited besides",
      "ms (median)",
    ],
    [
      row("all answerable", answerable),
      row(
        "  without OCR ones",
        answerable.filter(({ question }) => question.needs !== "ocr"),
      ),
      ...tags.map((tag) =>
        row(
          `  ${tag}`,
          verdicts.filter(({ question }) => question.tags.some((one) => one === tag)),
        ),
      ),
    ],
  );
}

/** What the questions are asked with, and the models for that. */
const tiers = [
  ["words", "full text alone", []],
  ["vectors", "full text and embeddings", [testModelId]],
  ["instant", "embeddings, text in pictures and tags", [testModelId, "pp-ocrv6-small", "efficientnet-lite0"]],
] as const;

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Where the read sample of a tier is kept between runs, since reading its pictures takes minutes: by what draws it, so that
 * another household is read afresh. Indexes follow by themselves when their layout changes.
 */
async function keptPlace(tier: string): Promise<string> {
  const hash = createHash("sha256");
  const folder = join(root, "main", "sample");
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".ts")).sort();
  for (const name of files) {
    if (basename(name) !== "questions.ts") hash.update(name).update(await readFile(join(folder, name)));
  }
  const place = join(root, ".cache", "bench-sample", `${tier}-${hash.digest("hex").slice(0, 12)}`);
  await mkdir(place, { recursive: true });
  return place;
}

/**
 * Asks every question with full text alone (the bound to beat), then with more and more models, where they are there.
 * `--tier words|vectors|instant`: that one alone; `--fresh`: reads the household again; `--verbose`: every answer.
 */
export async function benchSample(args: readonly string[]): Promise<void> {
  const questions = loadQuestions();
  const only = args.includes("--tier") ? args[args.indexOf("--tier") + 1] : undefined;
  for (const [tier, name, models] of tiers) {
    if (only !== undefined && only !== tier) continue;
    const place = await keptPlace(tier);
    if (args.includes("--fresh")) await rm(place, { recursive: true, force: true });
    await rm(join(place, "models"), { recursive: true, force: true });
    const missing = await linkModels(join(place, "models"), models);
    if (missing) {
      console.log(`\n${name}: left out, ${missing}`);
      continue;
    }
    const app = await openSample({ modelsDir: join(place, "models"), place });
    try {
      const verdicts = await judge(app.client, questions);
      console.log(`\nSample household, ${name}\n`);
      console.log(report(verdicts));
      if (!args.includes("--verbose")) continue;
      for (const { question, result, cited, right } of verdicts) {
        const mark = `${right ? "✓" : "✗"} ${cited}/${question.gold.length}`;
        console.log(
          `\n${mark}  ${question.id}: ${question.question}\n    wanted: ${question.answer ?? "(not in the archive)"}\n    given:  ${result.answer}`,
        );
      }
    } finally {
      await app.close();
    }
  }
}
