import { describe, expect, it } from "vitest";
import { encodersFor } from "#main/app/encoders.ts";

const minilm = { id: "minilm-l6-v2-int8", modelId: "minilm@1" };
const bge = { id: "bge-small-en-v1.5-int8", modelId: "bge@1" };
const e5 = { id: "e5-small-v2-int8", modelId: "e5@1" };

describe("which encoders read the archive", () => {
  it("is the main one alone in the quick profile, and where no other is installed", () => {
    const alone = [{ model: "minilm@1", forms: ["said"], tokens: true }];
    expect(encodersFor("quick", minilm, [minilm, bge, e5])).toEqual(alone);
    expect(encodersFor("thorough", minilm, [minilm])).toEqual(alone);
  });

  it("is every installed one in the thorough profile, the main one first and never without said", () => {
    expect(encodersFor("thorough", minilm, [minilm, bge, e5])).toEqual([
      { model: "minilm@1", forms: ["said"] },
      { model: "bge@1", forms: ["context"] },
      { model: "e5@1", forms: ["said"], tokens: true },
    ]);
    expect(encodersFor("thorough", bge, [minilm, bge])).toEqual([
      { model: "bge@1", forms: ["said", "context"], tokens: true },
      { model: "minilm@1", forms: ["said"] },
    ]);
  });

  it("keeps the tokens of one encoder, and of none whose tokens were not measured", () => {
    const other = { id: "some-other-encoder", modelId: "other@1" };
    expect(encodersFor("quick", other, [other])).toEqual([{ model: "other@1", forms: ["said"] }]);
    expect(encodersFor("thorough", other, [other, e5]).filter(({ tokens }) => tokens)).toEqual([
      { model: "e5@1", forms: ["said"], tokens: true },
    ]);
  });
});
