import { describe, expect, it } from "vitest";
import { type AskResult, UnderstoryError } from "#contract";
import { ask } from "#main/query/ask.ts";
import type { QueryPorts } from "#main/query/ports.ts";
import { scripted } from "#test/llm/scripted.ts";
import { addResult, archiveOf, type TestArchive } from "./archive.ts";

const chat = () =>
  archiveOf([
    { chat: "Boat", by: "Nora", at: "2024-05-01T10:00:00", text: "The harbour office opens at nine on weekdays." },
    { chat: "Boat", by: "Hanno", at: "2024-05-02T10:00:00", text: "The harbour was lovely tonight, such a calm sea." },
    { chat: "Boat", by: "Nora", at: "2024-05-03T10:00:00", text: "The berth at the harbour costs 480 euros a year." },
    { chat: "Boat", by: "Hanno", at: "2024-05-04T10:00:00", text: "We met the harbour master again today." },
  ]);

async function results(archive: TestArchive, question: string, judge: QueryPorts["judge"]) {
  const found: { final: boolean; result: AskResult }[] = [];
  const stages: string[] = [];
  for await (const event of ask({ question, today: "2024-08-01" }, { ...archive.ports, judge: judge ?? null })) {
    if (event.type === "result") addResult(found, { final: event.final, result: event.result });
    else stages.push(event.trace.stage);
  }
  return { found, stages };
}

describe("a language model that looks over the first ranks", () => {
  it("refines an answer that stands already: the instant one comes first, the verified one last", async () => {
    const archive = chat();
    const { found } = await results(archive, "How much does the berth at the harbour cost?", async () => scripted([]));
    expect(found.map(({ final, result }) => [final, result.tier])).toEqual([
      [false, "instant"],
      [true, "verified"],
    ]);
    const [instant, verified] = found.map(({ result }) => result);
    expect(instant?.answer).toContain("480");
    expect(verified?.answer).toContain("480");
    const told = verified?.trace.findLast(({ stage }) => stage === "verify")?.detail.languageModel;
    expect(told).toMatchObject({ model: "scripted@1", judged: 4 });
  });

  it("moves the record that makes the question likely, and never the frozen ranks", async () => {
    const archive = chat();
    const words = "harbour";
    const model = {
      ...scripted([]),
      // Only the record that speaks of the master makes the question likely.
      score: async ({ turns }: { turns: readonly { text: string }[] }) => [
        Float64Array.of(turns.some(({ text }) => text.includes("master")) ? -0.1 : -6),
      ],
    };
    const { found } = await results(archive, `What about the ${words}?`, async () => model);
    const last = found.at(-1)?.result;
    const [best] = [...(last?.forest.nodes ?? []), ...(last?.leftOut ?? [])].sort((a, b) => b.utility - a.utility);
    const summary = last?.records.find(({ id }) => id === best?.recordId);
    expect(summary?.snippet).toContain("master");
    const ranks = (result: AskResult | undefined) =>
      new Map(result?.forest.nodes.map((node) => [node.recordId, node.rank]));
    const before = ranks(found[0]?.result);
    for (const [id, rank] of ranks(last)) if (before.has(id)) expect(rank).toBe(before.get(id));
  });

  it("that does not open leaves the instant answer, which says so", async () => {
    const archive = chat();
    const { found } = await results(archive, "How much does the berth at the harbour cost?", async () => {
      throw new UnderstoryError("memory_short", "It needs 900 MB; 200 MB are free.");
    });
    const last = found.at(-1);
    expect(last?.final).toBe(true);
    expect(last?.result.tier).toBe("instant");
    expect(last?.result.answer).toBe(found[0]?.result.answer);
    expect(last?.result.notes.join(" ")).toContain("It needs 900 MB; 200 MB are free.");
  });

  it("is not asked when nothing was switched on", async () => {
    const archive = chat();
    const { found } = await results(archive, "How much does the berth cost?", null);
    expect(found.map(({ final }) => final)).toEqual([true]);
  });
});
