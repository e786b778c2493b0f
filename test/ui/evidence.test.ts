import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AskResult, Claim, EvidenceForest } from "#contract";
import { historiesOf } from "../../renderer/ask/history.ts";
import { buildTrees, depthOf, layoutTree, thickness } from "../../renderer/ask/layout.ts";
import { answerSegments, citeParam, evidenceLinks } from "../../renderer/ask/segments.ts";
import { attachmentCites } from "../../renderer/record/facts.ts";
import { summary, wallTime } from "./records.ts";

function claim(id: string, text: string, records: number[] = []): Claim {
  return {
    id,
    text,
    citations: records.map((recordId) => ({ recordId, view: "text", span: [0, 4], quote: "" })),
    standing: "current",
  };
}

/** A forest from `child → parent` pairs; node 1 is always a root. */
function forest(parents: readonly (number | null)[]): EvidenceForest {
  return {
    nodes: parents.map((parent, at) => ({
      recordId: at + 1,
      rank: at + 1,
      utility: 1 / (at + 1),
      parts: {},
      parent,
      tree: 0,
      depth: 0,
    })),
    edges: parents.flatMap((parent, at) =>
      parent === null
        ? []
        : [
            {
              from: parent,
              to: at + 1,
              relation: "semantic" as const,
              role: "new_fact" as const,
              increment: 3,
              cost: 0.2,
              inForest: true,
            },
          ],
    ),
    objective: 1,
  };
}

/** Any forest: each node hangs on an earlier one or is a root. */
const anyForest = fc
  .array(fc.nat(), { minLength: 1, maxLength: 14 })
  .map((seeds) => forest(seeds.map((seed, at) => (at === 0 || seed % 3 === 0 ? null : 1 + (seed % at)))));

describe("the answer cut into its claims", () => {
  it("gives the whole answer back, whatever stands between the claims", () => {
    const claims = [claim("a", "You stayed in July."), claim("b", "Mara paid.")];
    const answer = "In short: You stayed in July. And Mara paid. That is all.";
    const segments = answerSegments(answer, claims);
    expect(segments.map((segment) => segment.text).join("")).toBe(answer);
    expect(segments.flatMap((segment) => segment.claim?.id ?? [])).toEqual(["a", "b"]);
  });

  it("tells the same sentence twice apart by its order", () => {
    const segments = answerSegments("Yes. Yes.", [claim("a", "Yes."), claim("b", "Yes.")]);
    expect(segments.flatMap((segment) => segment.claim?.id ?? [])).toEqual(["a", "b"]);
  });

  it("loses no claim that the answer words differently", () => {
    const segments = answerSegments("It was July.", [claim("a", "It was in July.")]);
    expect(segments.at(-1)?.claim?.id).toBe("a");
  });
});

describe("claims and records light each other", () => {
  const result = {
    claims: [claim("a", "A", [2]), claim("b", "B", [3, 2])],
    forest: forest([null, 1, 2]),
  } satisfies Pick<AskResult, "claims" | "forest">;
  const links = evidenceLinks(result);

  it("numbers records in the order in which they are cited", () => {
    expect([...links.numbers]).toEqual([
      [2, 1],
      [3, 2],
    ]);
  });

  it("lights the whole path from a cited record to its root", () => {
    expect([...(links.recordsOf.get("b") ?? [])].sort()).toEqual([1, 2, 3]);
    expect([...(links.claimsOf.get(2) ?? [])]).toEqual(["a", "b"]);
    expect(links.claimsOf.get(1)).toBeUndefined();
  });

  it("names the cited span for the record's pane", () => {
    expect(citeParam(result.claims[0]?.citations[0])).toBe("text:0-4");
    expect(citeParam(undefined)).toBe("");
  });
});

describe("trees drawn from left to right", () => {
  it("shows every node once, below the parent that the forest gives it", () => {
    fc.assert(
      fc.property(anyForest, (given) => {
        const trees = buildTrees(given);
        const seen: number[] = [];
        const walk = (tree: (typeof trees)[number]) => {
          seen.push(tree.recordId);
          for (const child of tree.children) {
            expect(given.nodes.find((node) => node.recordId === child.recordId)?.parent).toBe(tree.recordId);
            walk(child);
          }
        };
        for (const tree of trees) walk(tree);
        expect(seen.sort((a, b) => a - b)).toEqual(given.nodes.map((node) => node.recordId));
      }),
    );
  });

  it("never lets two cards overlap or leave the drawing, and puts each child to the right of its parent", () => {
    fc.assert(
      fc.property(anyForest, fc.integer({ min: 660, max: 1400 }), (given, available) => {
        for (const tree of buildTrees(given)) {
          const { cards, branches, width, height } = layoutTree(tree, (_node, root) => (root ? 150 : 96), available);
          expect(branches).toHaveLength(cards.length - 1);
          cards.forEach((card, at) => {
            expect(card.x + card.width).toBeLessThanOrEqual(width + 0.01);
            expect(card.y).toBeGreaterThanOrEqual(-0.01);
            expect(card.y + card.height).toBeLessThanOrEqual(height + 0.01);
            for (const other of cards.slice(at + 1)) {
              const apart =
                card.x + card.width <= other.x ||
                other.x + other.width <= card.x ||
                card.y + card.height <= other.y + 0.01 ||
                other.y + other.height <= card.y + 0.01;
              expect(apart).toBe(true);
            }
          });
          for (const branch of branches) {
            const from = cards.find((card) => card.recordId === branch.from);
            const to = cards.find((card) => card.recordId === branch.to);
            expect(from && to && from.x + from.width < to.x).toBe(true);
          }
        }
      }),
    );
  });

  it("knows how deep a tree is", () => {
    const [tree] = buildTrees(forest([null, 1, 2, 1]));
    expect(tree && depthOf(tree)).toBe(2);
  });

  it("draws stronger support thicker, within bounds", () => {
    expect(thickness(0)).toBeLessThan(thickness(2));
    expect(thickness(5)).toBe(thickness(9));
  });
});

describe("values that changed more than once", () => {
  it("become one history, the oldest first, where only the last one stands", () => {
    const at = (id: number, day: string) => summary(id, { time: wallTime(`${day}T12:00:00`) });
    const records = new Map(
      [at(1, "2023-01-02"), at(2, "2024-05-06"), at(3, "2025-02-15")].map((one) => [one.id, one]),
    );
    const pair = (older: [number, string], newer: [number, string], attribute = "price") => ({
      kind: "superseded" as const,
      attribute,
      older: { recordId: older[0], value: older[1] },
      newer: { recordId: newer[0], value: newer[1] },
    });
    const histories = historiesOf(
      [
        pair([2, "£9.99"], [3, "£12.99"]),
        pair([1, "£7.99"], [2, "£9.99"]),
        pair([1, "red"], [3, "blue"], "colour"),
        pair([99, "gone"], [3, "£12.99"]),
      ],
      records,
    );
    expect(
      histories.map(({ attribute, values }) => [attribute, values.map(({ value, stands }) => [value, stands])]),
    ).toEqual([
      [
        "price",
        [
          ["£7.99", false],
          ["£9.99", false],
          ["£12.99", true],
        ],
      ],
      [
        "colour",
        [
          ["red", false],
          ["blue", true],
        ],
      ],
    ]);
  });
});

describe("a citation in the joined text of several attachments", () => {
  it("is found in the attachment that it stands in", () => {
    const joined = ["menu of the day", "ticket 4711"].join("\n\n");
    const start = joined.indexOf("4711");
    const cite = { view: "attachment", span: [start, start + 4] as [number, number] };
    const texts = ["menu of the day", null, "ticket 4711"];
    expect(attachmentCites(texts, cite)).toEqual([null, null, { view: "attachment", span: [7, 11] }]);
    expect(attachmentCites(texts, { ...cite, view: "text" })).toEqual([null, null, null]);
  });
});
