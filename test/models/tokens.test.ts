import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTextEmbedder, type TextEmbedder } from "#models/text/embed.ts";
import { centred, centreOf, type TextReading, wholeWords } from "#models/text/tokens.ts";
import { ensureTestModel, testModelId } from "./model-cache.ts";

const found = await ensureTestModel();
const missing = "missing" in found ? found.missing : null;
const folder = "folder" in found ? found.folder : "";

describe("tokens of a text", () => {
  it("belong to whole words, pieces that go on told by their mark", () => {
    expect(wholeWords(["the", "snow", "##board", "##ing", ",", "fun"])).toEqual([
      "the",
      "snowboarding",
      "snowboarding",
      "snowboarding",
      ",",
      "fun",
    ]);
    expect(wholeWords([])).toEqual([]);
  });

  it("have states of unit length about the centre", () => {
    const rows = Float32Array.of(3, 0, 0, 2);
    const centre = centreOf([rows], 2);
    expect([...centre]).toEqual([0.5, 0.5]);
    const moved = centred(rows, centre);
    for (const at of [0, 2]) expect(Math.hypot(moved[at] ?? 0, moved[at + 1] ?? 0)).toBeCloseTo(1, 5);
    expect(Math.sign(moved[1] ?? 0)).toBe(-1);
  });
});

describe("tokens by a model", () => {
  let embedder: TextEmbedder;
  beforeAll(async () => {
    if (!missing) embedder = await openTextEmbedder({ modelId: testModelId, folder });
  });
  afterAll(() => embedder?.dispose());
  const read = async (texts: readonly string[]): Promise<TextReading[]> => {
    const readings = new Array<TextReading>(texts.length);
    for (const batch of embedder.batches(texts, "background")) {
      const some = await embedder.read(batch);
      for (const [at, position] of batch.positions.entries()) if (some[at]) readings[position] = some[at];
    }
    return readings;
  };

  it("come from the pass that makes the vector, one state a token, marks left out", async (context) => {
    if (missing) return context.skip(missing);
    const text = "Ana: we went snowboarding!";
    const [reading] = await read([text, ""]);
    const [batch] = embedder.batches([text], "background");
    const [vector] = batch ? await embedder.run(batch) : [];
    expect(reading?.vector).toEqual(vector);
    expect([...new Set(reading?.words)]).toEqual(["ana", ":", "we", "went", "snowboarding", "!"]);
    expect(reading?.states.length).toBe((reading?.words.length ?? 0) * embedder.dimension);
    expect((await read([""]))[0]?.words).toEqual([]);
  });

  it("are nearer to the same word in another sentence than to other words", async (context) => {
    if (missing) return context.skip(missing);
    const [one, other] = await read(["Our dog ran away in the park.", "She has a dog."]);
    const { dimension } = embedder;
    const state = (reading: TextReading | undefined, word: string) => {
      const at = reading?.words.indexOf(word) ?? -1;
      return reading?.states.subarray(at * dimension, (at + 1) * dimension) ?? new Float32Array(0);
    };
    const asked = state(other, "dog");
    const likeness = (word: string) => state(one, word).reduce((sum, value, at) => sum + value * (asked[at] ?? 0), 0);
    for (const word of ["ran", "away", "park"]) expect(likeness("dog")).toBeGreaterThan(likeness(word));
  });
});
