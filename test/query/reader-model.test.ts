import { describe, expect, it } from "vitest";
import type { AskResult } from "#contract";
import { ask } from "#main/query/ask.ts";
import type { QueryPorts } from "#main/query/ports.ts";
import { scripted } from "#test/llm/scripted.ts";
import { archiveOf } from "./archive.ts";

const question = "How much does the berth at the harbour cost?";

async function results(answer: string) {
  const archive = archiveOf([
    { chat: "Boat", by: "Nora", at: "2024-05-03T10:00:00", text: "The berth at the harbour costs 480 euros a year." },
    { chat: "Boat", by: "Hanno", at: "2024-05-04T10:00:00", text: "We met the harbour master again today." },
  ]);
  const model = scripted([answer]);
  const ports: QueryPorts = { ...archive.ports, reader: async () => model };
  const found: { final: boolean; result: AskResult }[] = [];
  for await (const event of ask({ question, today: "2024-08-01" }, ports))
    if (event.type === "result") found.push(event);
  return { found, model };
}

describe("a language model that says the answer", () => {
  it("comes after the rules' answer, with a citation behind each sentence", async () => {
    const { found } = await results("The berth at the harbour costs 480 euros a year [1].");
    expect(found[0]?.result.tier).toBe("instant");
    const last = found.at(-1);
    expect(last).toMatchObject({ final: true, result: { tier: "verified" } });
    expect(last?.result.answer).toBe("The berth at the harbour costs 480 euros a year.");
    expect(last?.result.claims[0]?.citations[0]?.quote).toContain("480 euros");
  });

  it("loses what its records do not bear out, and what it does not cite", async () => {
    const { found } = await results(
      "The berth at the harbour costs 480 euros a year [1]. It costs 950 euros with water [1]. The master is kind.",
    );
    expect(found.at(-1)?.result.answer).toBe("The berth at the harbour costs 480 euros a year.");
  });

  it("leaves the rules' answer where nothing of it stands, and says so", async () => {
    const { found } = await results("The berth costs 1,200 pounds [1].");
    const last = found.at(-1);
    expect(last).toMatchObject({ final: true, result: { tier: "instant" } });
    expect(last?.result.answer).toContain("480");
    expect(last?.result.notes.join(" ")).toContain("None of its sentences stood");
  });

  it("is not asked when nothing was found", async () => {
    const archive = archiveOf([{ chat: "Boat", by: "Nora", at: "2024-05-03T10:00:00", text: "What a calm sea." }]);
    const model = scripted(["Blue [1]."]);
    const ports: QueryPorts = { ...archive.ports, reader: async () => model };
    for await (const event of ask({ question: "What is Hanno's blood group?", today: "2024-08-01" }, ports))
      if (event.type === "result") expect(event).toMatchObject({ result: { outcome: "not_found", tier: "instant" } });
    expect(model.asked).toEqual([]);
  });
});
