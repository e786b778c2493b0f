import { describe, expect, it } from "vitest";
import type { Embedder } from "#main/indexes/ports.ts";
import { embedQuestion } from "#main/query/embed.ts";
import { peopleIndex } from "#main/query/plan/people.ts";
import { planQuestion } from "#main/query/plan/plan.ts";
import { archiveOf, type ScriptedModel } from "../archive.ts";

/** Embeds a text and writes it down. */
const noting = (texts: string[]) => async (text: string) => {
  texts.push(text);
  return model.embed(text);
};

const model: ScriptedModel = { modelId: "scripted@1", embed: () => new Float32Array(32).fill(1 / Math.sqrt(32)) };

/** What was put to the model as a question, and what as the archive's own words are. */
async function put(embedder: (asked: string[], said: string[]) => Embedder) {
  const archive = archiveOf([
    { by: "Mara", text: "The kitten slept in the sun", chat: "Trip", at: "2024-03-04T10:00:00" },
  ]);
  await archive.embed(model);
  const [asked, said]: [string[], string[]] = [[], []];
  const plan = planQuestion("Where did the submarine go?", {
    today: "2024-08-01",
    firstDay: null,
    lastDay: null,
    people: peopleIndex([]),
  });
  const { vectors } = await embedQuestion(plan, { ...archive.ports, embedder: embedder(asked, said) }, undefined);
  return { asked, said, vectors };
}

describe("what a question is embedded as", () => {
  it("is a question as a whole, and a phrase for each word that the archive does not have", async () => {
    const { asked, said, vectors } = await put((asked, said) => ({
      question: noting(asked),
      phrase: noting(said),
      picture: async () => null,
    }));
    expect(asked).toEqual(["Where did the submarine go?"]);
    expect(said).toContain("submarine");
    expect(vectors.words?.has("submarine")).toBe(true);
  });

  it("is always a question where the model knows no difference", async () => {
    const { asked } = await put((asked) => ({
      question: noting(asked),
      picture: async () => null,
    }));
    expect(asked).toContain("submarine");
  });
});
