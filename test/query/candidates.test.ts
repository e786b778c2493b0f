import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { candidateSettings, gatherCandidates } from "#main/query/candidates/candidates.ts";
import { sourceSettings } from "#main/query/candidates/sources.ts";
import {
  fuseRanks,
  type intentWeights,
  type Neighbour,
  traversalSettings,
  traverse,
} from "#main/query/candidates/traversal.ts";
import { peopleIndex } from "#main/query/plan/people.ts";
import { planQuestion } from "#main/query/plan/plan.ts";
import type { GraphPorts } from "#main/query/ports.ts";
import { recall } from "#main/query/recall/recall.ts";
import { archiveOf, type TestArchive } from "./archive.ts";

const edge = (from: number, to: number, kind: Neighbour["kind"], weight = 1): Neighbour => ({ from, to, kind, weight });

/** A graph by hand: each edge is seen from both of its ends. */
const graph =
  (...edges: Neighbour[]) =>
  (ids: readonly number[]) =>
    edges.flatMap((one) => [one, { ...one, from: one.to, to: one.from }]).filter(({ from }) => ids.includes(from));

const from = (...ids: number[]) => ids.map((recordId) => ({ recordId, score: 1 }));
const ids = (reached: readonly { recordId: number }[]) => reached.map(({ recordId }) => recordId);

describe("the traversal", () => {
  it("follows causes for why, time for when, and entities for who", () => {
    const around = graph(edge(1, 2, "causal"), edge(1, 3, "temporal"), edge(1, 4, "entity"));
    const first = (intent: keyof typeof intentWeights) => traverse(from(1), intent, around, () => 0)[0]?.recordId;
    expect([first("why"), first("when"), first("entity")]).toEqual([2, 3, 4]);
  });

  it("goes on over several hops, decaying, and no further than it may", () => {
    const chain = graph(...Array.from({ length: 8 }, (_, at) => edge(at + 1, at + 2, "temporal")));
    const reached = traverse(from(1), "when", chain, () => 0);
    expect(reached.map(({ recordId, hops }) => [recordId, hops]).sort()).toEqual([
      [2, 1],
      [3, 2],
      [4, 3],
      [5, 4],
      [6, 5],
    ]);
    expect(Math.max(...reached.map(({ hops }) => hops))).toBe(traversalSettings.hops);
  });

  it("prefers, of two equal ties, the record that is nearer to the question", () => {
    const around = graph(edge(1, 2, "entity"), edge(1, 3, "entity"));
    expect(ids(traverse(from(1), "entity", around, (id) => (id === 3 ? 0.9 : 0.1)))).toEqual([3, 2]);
  });

  it("leaves out steps that are worth less than the drop threshold of the best possible one", () => {
    const weak = graph(edge(1, 2, "temporal"));
    // For who-questions time weighs .5 against 6 for entities.
    expect(traverse(from(1), "entity", weak, () => 0)).toEqual([]);
    expect(ids(traverse(from(1), "when", weak, () => 0))).toEqual([2]);
  });

  it("never comes back to an anchor, gives nothing twice, stays within its bounds, and does not depend on the order of edges", () => {
    const kinds = ["temporal", "causal", "semantic", "entity"] as const;
    const edges = fc.array(
      fc.record({
        from: fc.integer({ min: 1, max: 30 }),
        to: fc.integer({ min: 1, max: 30 }),
        kind: fc.constantFrom(...kinds),
        weight: fc.integer({ min: 0, max: 10 }).map((value) => value / 10),
      }),
      { maxLength: 120 },
    );
    fc.assert(
      fc.property(edges, fc.constantFrom("why", "when", "entity", "what"), (some, intent) => {
        const reached = traverse(from(1, 2), intent, graph(...some), (id) => (id % 7) / 7);
        const found = ids(reached);
        expect(new Set(found).size).toBe(found.length);
        expect(found.includes(1) || found.includes(2)).toBe(false);
        expect(found.length).toBeLessThanOrEqual(traversalSettings.nodes);
        expect(reached.every(({ hops }) => hops >= 1 && hops <= traversalSettings.hops)).toBe(true);
        const again = traverse(from(1, 2), intent, graph(...some.toReversed()), (id) => (id % 7) / 7);
        expect(again.map(({ recordId, score }) => [recordId, score])).toEqual(
          reached.map(({ recordId, score }) => [recordId, score]),
        );
      }),
    );
  });
});

it("ranks are fused with k = 60: what two lists have goes before what one has first", () => {
  const fused = fuseRanks([
    [1, 2, 3],
    [4, 2],
  ]);
  expect(ids(fused)).toEqual([2, 1, 4, 3]);
  expect(fused[0]?.score).toBeCloseTo(2 / 62, 12);
});

const filler = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    chat: `Day ${at}`,
    by: at % 2 === 0 ? "Nora" : "Hanno",
    at: `2024-03-${String((at % 28) + 1).padStart(2, "0")}T10:00:00`,
    text: `The harbour again, number ${at}.`,
  }));

function gathered(archive: TestArchive, question: string, graphs?: GraphPorts) {
  const ports = { ...archive.ports, ...(graphs === undefined ? {} : { graphs }) };
  const people = peopleIndex(ports.records.people());
  const plan = planQuestion(question, { today: "2024-08-01", firstDay: null, lastDay: null, people });
  const recalled = recall(plan, ports, { text: null, seen: null, picture: null });
  return { recalled, ...gatherCandidates(plan, recalled, ports) };
}

describe("candidates", () => {
  it("are at most 48: the first 24 of the retrieval in its order, then the best of what they lead to and of the rest", () => {
    const archive = archiveOf(filler(70));
    const { recalled, candidates } = gathered(archive, "What about the harbour?");
    expect(candidates.length).toBe(candidateSettings.candidates);
    expect(ids(candidates).slice(0, candidateSettings.seeds)).toEqual(
      ids(recalled.ranked).slice(0, candidateSettings.seeds),
    );
    const behind = candidates.slice(candidateSettings.seeds).map(({ score }) => score);
    expect(behind).toEqual([...behind].sort((a, b) => b - a));
    expect(candidates.map(({ rank }) => rank)).toEqual(candidates.map((_, at) => at + 1));
  });

  it("have at most ten anchors, from the frozen retrieval, none of which says what another one says", () => {
    const archive = archiveOf([
      ...filler(20),
      { chat: "A", by: "Nora", at: "2024-05-01T10:00:00", text: "Harbour, harbour!" },
      { chat: "B", by: "Nora", at: "2024-05-02T10:00:00", text: "Harbour harbour" },
    ]);
    const { recalled, candidates } = gathered(archive, "What about the harbour?");
    const anchors = candidates.filter(({ anchor }) => anchor);
    expect(anchors.length).toBe(candidateSettings.anchors);
    const ranked = new Set(ids(recalled.ranked));
    expect(anchors.every(({ recordId }) => ranked.has(recordId))).toBe(true);
    const texts = anchors.map(({ record }) => record.text?.toLowerCase().replace(/\W+/g, " ").trim());
    expect(new Set(texts).size).toBe(texts.length);
  });

  it("take in what frames, topics and the traversal find, each within its places and with its own score", () => {
    const archive = archiveOf([
      ...filler(60),
      { chat: "Far", by: "Nora", at: "2023-01-01T10:00:00", text: "The mast broke in the storm." },
      { chat: "Far", by: "Hanno", at: "2023-06-01T10:00:00", text: "Insurance paid for a new one." },
      { chat: "Far", by: "Nora", at: "2023-09-01T10:00:00", text: "Sails are dry." },
    ]);
    const [frame = 0, topic = 0, caused = 0] = archive.ids.slice(60);
    const graphs: GraphPorts = {
      frames: () => [{ frameId: 1, score: 0.8, records: [frame] }],
      topics: () => [
        {
          topicId: 1,
          score: 0.6,
          records: [],
          neighbours: [{ topicId: 2, confidence: 0.5, records: [topic, ...archive.ids.slice(0, 40)] }],
        },
      ],
      causal: (asked) => asked.slice(0, 1).map((anchor) => ({ from: anchor, to: caused, weight: 1 })),
    };
    const without = gathered(archive, "Why was it the harbour?");
    const { candidates } = gathered(archive, "Why was it the harbour?", graphs);
    const scoresOf = (id: number) => candidates.find(({ recordId }) => recordId === id)?.sources;
    expect(ids(without.candidates).some((id) => [frame, topic, caused].includes(id))).toBe(false);
    expect(scoresOf(frame)).toMatchObject({ frame: 0.8 });
    expect(scoresOf(topic)).toMatchObject({ topic: 0.3 });
    expect(scoresOf(caused)?.traversal).toBeGreaterThan(0);
    const byTopic = candidates.filter(({ sources }) => sources.topic !== undefined).length;
    expect(byTopic).toBeLessThanOrEqual(sourceSettings.places.topic);
    // Seeds keep their places, and no source makes an anchor of what retrieval did not find.
    expect(ids(candidates).slice(0, candidateSettings.seeds)).toEqual(
      ids(without.candidates).slice(0, candidateSettings.seeds),
    );
    expect(candidates.find(({ recordId }) => recordId === frame)?.anchor).toBe(false);
  });

  it("are the same as without a graph when its read fails", () => {
    const archive = archiveOf(filler(12));
    const broken = () => {
      throw new Error("database disk image is malformed");
    };
    const graphs: GraphPorts = { frames: broken, topics: broken, causal: broken, entity: broken };
    const ask = "What about the harbour?";
    expect(ids(gathered(archive, ask, graphs).candidates)).toEqual(ids(gathered(archive, ask).candidates));
  });
});
