import { describe, expect, it } from "vitest";
import { search } from "#main/query/search.ts";
import type { Perception } from "#main/records/ports.ts";
import { archiveOf, type Draft, embedderOf, type ScriptedModel } from "./archive.ts";

/** Texts of one meaning have one vector. */
const meanings = [/coffee|espresso|cup/i, /dog|terrier|puppy/i, /train|platform|bahn/i];
const model: ScriptedModel = {
  modelId: "meanings",
  embed(text) {
    const vector = new Float32Array(16);
    for (const [at, words] of meanings.entries()) vector[at] = words.test(text) ? 1 : 0.02;
    vector[15] = 0.2;
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  },
};

const photo = (day: string): Draft => ({ kind: "photo", at: `${day}T09:00:00`, props: { mime: "image/jpeg" } });

const sees = (label: string): Perception => ({
  purpose: "image-tags",
  model: "tagger@1",
  tags: [{ label, score: 0.9 }],
  features: Float32Array.of(1, 0),
});

function reads(...lines: readonly string[]): Perception {
  let start = 0;
  const placed = lines.map((line) => {
    const end = start + line.length;
    const one = {
      start,
      end,
      quad: [0, 0, 1, 0, 1, 1, 0, 1] as [number, number, number, number, number, number, number, number],
      confidence: 0.9,
      at: null,
    };
    start = end + 1;
    return one;
  });
  return { purpose: "ocr", model: "reader@1", reading: { text: lines.join("\n"), lines: placed } };
}

async function album() {
  const archive = archiveOf([
    photo("2024-05-03"),
    photo("2024-05-04"),
    photo("2024-05-05"),
    { by: "Nora", at: "2024-05-06T10:00:00", subject: "Weekend", text: "Shall we walk along the river on Sunday?" },
  ]);
  const [cup = 0, dog = 0, ticket = 0] = archive.ids;
  archive.perceive(cup, sees("espresso"));
  archive.perceive(dog, sees("Norfolk terrier"));
  archive.perceive(
    ticket,
    reads("INTERCITY TICKET", "Hamburg to Flensburg", "Seat 61, coach 7", "Booking code QX7Z41", "Total 38.50 EUR"),
  );
  await archive.embed(model);
  return { archive, cup, dog, ticket, embedder: embedderOf(model) };
}

describe("a picture", () => {
  it("is asked for by what a model saw on it, and the answer says that it only seems so", async () => {
    const { archive, cup, embedder } = await album();
    const result = await archive.ask("Show me photos of a cup of coffee", { embedder });
    expect(result.outcome).toBe("answered");
    expect(result.answer).toBe("Photo on 3 May 2024, 09:00: it seems to show “espresso”.");
    expect(result.claims[0]?.citations).toContainEqual({
      recordId: cup,
      view: "tags",
      span: [0, "espresso".length],
      quote: "espresso",
    });
  });

  it("is not shown for what nothing on it looks like", async () => {
    const { archive, embedder } = await album();
    expect((await archive.ask("Show me photos of a glacier", { embedder })).outcome).toBe("not_found");
  });

  it("answers by the text that a model read in it, cited at its lines", async () => {
    const { archive, ticket, embedder } = await album();
    const result = await archive.ask("What is the booking code for Flensburg?", { embedder });
    expect(result.answer).toContain("QX7Z41");
    expect(result.answer).toContain("text in a picture, 5 May 2024");
    const cited = result.claims[0]?.citations[0];
    expect(cited).toMatchObject({ recordId: ticket, view: "ocr" });
    const amount = await archive.ask("How much was the ticket to Flensburg?", { embedder });
    expect(amount.answer).toContain("38.50");
  });

  it("is found by words in it, by fragments as typed, and after those by labels that mean the same", async () => {
    const { archive, cup, dog, ticket } = await album();
    const find = (query: string, like: string | null = query) =>
      search({ query, filter: {}, limit: 9 }, archive.ports, {
        text: null,
        seen: like === null ? null : model.embed(like),
        picture: null,
      }).hits;
    expect(find("QX7Z").map(({ record }) => record.id)).toEqual([ticket]);
    expect(find("Flensburg")[0]).toMatchObject({ record: { id: ticket } });
    expect(find("coffee")).toMatchObject([{ record: { id: cup }, by: "tag", passage: "espresso", marks: [[0, 8]] }]);
    expect(find("coffee", null)).toEqual([]);
    expect(find("puppy").map(({ record }) => record.id)).toEqual([dog]);
    expect(find("Norfolk")).toMatchObject([{ record: { id: dog } }]);
    expect(find("submarine")).toEqual([]);
    const filtered = search({ query: "coffee", filter: { from: "2024-05-04" }, limit: 9 }, archive.ports, {
      text: null,
      seen: model.embed("coffee"),
      picture: null,
    });
    expect(filtered).toMatchObject({ hits: [], total: 0 });
  });
});
