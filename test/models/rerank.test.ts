import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findModelFor, type ModelFor } from "#models/catalogue.ts";
import { modelsFolder, readInstalled } from "#models/installed.ts";
import { openReranker } from "#models/text/rerank.ts";
import { openRerankingReference } from "./exact/reference.ts";
import { idOf, installSmallReranker, smallCrossEncoder } from "./exact/small-network.ts";
import { exactTexts } from "./exact/texts.ts";
import { testModelsFolder } from "./model-cache.ts";

let root: string;
let folder: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "understory-rerank-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));
beforeEach(async () => {
  folder = await mkdtemp(join(root, "m"));
});

const open = (model: ModelFor<"reranker">) => openReranker({ modelId: model.id, folder, model });

/** What the small network gives: tokens of the second text, its closing mark among them, count elevenfold. */
function expected(question: readonly string[], text: readonly string[]): number {
  const sum = (tokens: readonly string[]) => tokens.reduce((all, token) => all + idOf(token), 0);
  return sum(["[CLS]", ...question, "[SEP]"]) + 11 * sum([...text, "[SEP]"]);
}

describe("a small reranker", () => {
  it("reads question and text together, and tells which is which", async () => {
    const reranker = await open(await installSmallReranker(folder, { weights: smallCrossEncoder() }));
    const texts = ["cake", "", "river boats", "a b a b"];
    expect(await reranker.score("river boat", texts)).toEqual([
      expected(["river", "boat"], ["cake"]),
      expected(["river", "boat"], []),
      expected(["river", "boat"], ["river", "boat", "##s"]),
      expected(["river", "boat"], ["a", "b", "a", "b"]),
    ]);
    expect(await reranker.score("river", [])).toEqual([]);
    expect(reranker.modelId).toBe("small-reranker@1");
    await reranker.dispose();
  });

  it("cuts the text and keeps the question whole, unless that fills half of the window", async () => {
    const reranker = await open(await installSmallReranker(folder, { weights: smallCrossEncoder() }));
    const long = "cake ".repeat(40);
    const cake = (count: number) => new Array<string>(count).fill("cake");
    // Twelve tokens, three of them marks.
    expect(await reranker.score("river boat", [long])).toEqual([expected(["river", "boat"], cake(7))]);
    expect(await reranker.score("boat ".repeat(40), [long])).toEqual([
      expected(new Array<string>(6).fill("boat"), cake(3)),
    ]);
    await reranker.dispose();
  });

  it("gives a text the same score in any company and any order", async () => {
    const reranker = await open(await installSmallReranker(folder, { weights: smallCrossEncoder() }));
    const texts = Array.from({ length: 70 }, (_, at) =>
      "river cake boats a b "
        .split(" ")
        .slice(0, at % 6)
        .join(" "),
    );
    const together = await reranker.score("boat", texts);
    for (const [at, text] of texts.entries()) expect(await reranker.score("boat", [text])).toEqual([together[at]]);
    await reranker.dispose();
  });

  it("fails for a text that gives no number, and is set aside when it gives more than one score", async () => {
    const model = await installSmallReranker(folder, { weights: smallCrossEncoder({ broken: true }) });
    const reranker = await open(model);
    await expect(reranker.score("boat", ["broken"])).rejects.toMatchObject({ code: "inference_failed" });
    expect(await reranker.score("boat", ["cake"])).toEqual([expected(["boat"], ["cake"])]);
    await reranker.dispose();

    const other = await installSmallReranker(folder, { weights: smallCrossEncoder({ scores: 3 }) });
    await expect(open(other)).rejects.toMatchObject({ code: "model_damaged" });
    expect(readInstalled(folder, other)).toBeNull();
  });

  it("equals the reference, which runs its files in its own way", async () => {
    const model = await installSmallReranker(folder, { weights: smallCrossEncoder() });
    const reranker = await open(model);
    const reference = await openRerankingReference(folder, model);
    const texts = ["cake", "river boats", "a b a b", "Boat! 東京"];
    const theirs: number[] = [];
    for (const text of texts) theirs.push(await reference.run("river?", text));
    expect(await reranker.score("river?", texts)).toEqual(theirs);
    await reference.dispose();
    await reranker.dispose();
  });
});

describe("the reranker of the catalogue", () => {
  it("equals the reference on the same file", async (context) => {
    const model = findModelFor("reranker", "ms-marco-minilm-l6-v2");
    const places = [testModelsFolder, modelsFolder()];
    const place = places.find((one) => readInstalled(one, model) !== null);
    if (!place) return context.skip(`${model.title} is not installed in ${places.join(" or ")}`);
    const reranker = await openReranker({ modelId: model.id, folder: place });
    const reference = await openRerankingReference(place, model);
    const texts = exactTexts(5, 120).filter((text) => text.length < 400 && text.trim() !== "");
    const question = "When does the ferry leave?";
    const ours = await reranker.score(question, texts);
    for (const [at, text] of texts.entries()) {
      expect(Math.abs((ours[at] ?? Number.NaN) - (await reference.run(question, text))), text).toBeLessThan(1e-4);
    }
    await reference.dispose();
    await reranker.dispose();
  });
});
