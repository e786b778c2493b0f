import { type ReactNode, useMemo } from "react";
import type { RecordSummary } from "#contract";
import { useAsk } from "../state/ask.ts";
import { EvidenceCard, shownWords } from "./EvidenceCard.tsx";
import { layoutTree, pictureHeight, type TreeNode, textHeight } from "./layout.ts";
import { roleWords } from "./roles.ts";
import type { EvidenceLinks } from "./segments.ts";

function rolesIn(tree: TreeNode, into = new Map<number, string>()): Map<number, string> {
  for (const child of tree.children) {
    if (child.role) into.set(child.recordId, roleWords[child.role]);
    rolesIn(child, into);
  }
  return into;
}

/** One tree, from its root at the left to its leaves at the right; a thicker branch supports more. */
export function EvidenceTree({
  tree,
  records,
  links,
  width,
  said,
}: {
  tree: TreeNode;
  records: ReadonlyMap<number, RecordSummary>;
  links: EvidenceLinks;
  width: number;
  said: (recordId: number) => ReactNode;
}) {
  const lit = useAsk((ask) => ask.lit);
  const litRecords =
    lit === null ? null : "claim" in lit ? links.recordsOf.get(lit.claim) : new Set<number>([lit.record]);
  const layout = useMemo(() => {
    const heightOf = (node: TreeNode, root: boolean) => {
      const record = records.get(node.recordId);
      if (!record) return 0;
      return record.hasThumbnail
        ? pictureHeight(record.snippet !== "", root)
        : textHeight({ subject: record.subject, quote: shownWords(record, links, root).text }, root);
    };
    return layoutTree(tree, heightOf, width);
  }, [tree, records, links, width]);
  const roles = useMemo(() => rolesIn(tree), [tree]);

  return (
    <div className="tree-scroll">
      <div className="tree" style={{ width: layout.width, height: layout.height }}>
        <svg className="tree__branches" width={layout.width} height={layout.height} aria-hidden="true">
          {layout.branches.map((branch) => (
            <g key={branch.to} className={litRecords?.has(branch.to) ? "branch branch--lit" : "branch"}>
              <path d={branch.path} strokeWidth={branch.thickness} />
              <text x={branch.labelX} y={branch.labelY}>
                {roles.get(branch.to)}
              </text>
            </g>
          ))}
        </svg>
        {layout.cards.map((card) => {
          const record = records.get(card.recordId);
          return record ? (
            <EvidenceCard
              key={card.recordId}
              record={record}
              links={links}
              size={card.root ? "root" : "leaf"}
              said={said(card.recordId)}
              style={{ left: card.x, top: card.y, width: card.width, height: card.height }}
            />
          ) : null;
        })}
      </div>
    </div>
  );
}
