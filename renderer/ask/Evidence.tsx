import { List, Network } from "lucide-react";
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { AskResult, Conflict, RecordSummary } from "#contract";
import { Segments } from "../design/controls.tsx";
import { Fold } from "../design/Fold.tsx";
import { counted } from "../state/format.ts";
import { ConflictPair, History } from "./Conflict.tsx";
import { EvidenceCard } from "./EvidenceCard.tsx";
import { EvidenceTree } from "./EvidenceTree.tsx";
import { historiesOf } from "./history.ts";
import { buildTrees, type TreeNode } from "./layout.ts";
import { roleWords } from "./roles.ts";
import type { EvidenceLinks } from "./segments.ts";
import { Verdicts } from "./Verdicts.tsx";

const words = {
  title: "Evidence",
  disagree: "Where records disagree",
  changed: "What changed",
  alone: "Standing alone",
} as const;

/** Below this width trees would be too cramped to read. */
const treesFrom = 660;

interface Shared {
  records: ReadonlyMap<number, RecordSummary>;
  links: EvidenceLinks;
}
/** What can be said of a record. */
interface Saying {
  said: (recordId: number) => ReactNode;
}

function ListItem({ node, records, links, said }: Shared & Saying & { node: TreeNode }) {
  const record = records.get(node.recordId);
  if (!record) return null;
  return (
    <li>
      {node.role ? <div className="evidence-list__role">{roleWords[node.role]}</div> : null}
      <EvidenceCard record={record} links={links} className="card--flow" said={said(record.id)} />
      {node.children.length > 0 ? (
        <ul>
          {node.children.map((child) => (
            <ListItem key={child.recordId} node={child} records={records} links={links} said={said} />
          ))}
        </ul>
      ) : null}
    </li>
  );
}

function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    setWidth(Math.floor(element.clientWidth));
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}

/** Pairs shown before the rest waits behind a fold. */
const pairsShown = 2;

function Pairs({ title, pairs, records, links }: Shared & { title: string; pairs: readonly Conflict[] }) {
  if (pairs.length === 0) return null;
  const card = (pair: Conflict) => (
    <ConflictPair
      key={`${pair.attribute} ${pair.older.recordId} ${pair.newer.recordId}`}
      conflict={pair}
      records={records}
      links={links}
    />
  );
  const rest = pairs.slice(pairsShown);
  return (
    <div className="evidence__part">
      <h2 className="evidence__title">{title}</h2>
      {pairs.slice(0, pairsShown).map(card)}
      {rest.length > 0 ? (
        <Fold title="More of the same" note={counted(rest.length, "pair")}>
          {rest.map(card)}
        </Fold>
      ) : null}
    </div>
  );
}

/** What changed: a pair where it did once, a history where it did more often. */
function Changes({ pairs, records, links }: Shared & { pairs: readonly Conflict[] }) {
  const histories = historiesOf(pairs, records);
  const single = histories.filter((history) => history.values.length <= 2).flatMap((history) => history.pairs);
  const long = histories.filter((history) => history.values.length > 2);
  return (
    <>
      <Pairs title={words.changed} pairs={single} records={records} links={links} />
      {long.length > 0 ? (
        <div className="evidence__part">
          {single.length > 0 ? null : <h2 className="evidence__title">{words.changed}</h2>}
          {long.map((history) => (
            <History key={history.attribute} history={history} links={links} />
          ))}
        </div>
      ) : null}
    </>
  );
}

/** What the answer stands on: disagreements, the trees, records that stand alone, what changed. */
export function Evidence({ thread, result, records, links }: Shared & { thread: string; result: AskResult }) {
  const said = (recordId: number) => <Verdicts thread={thread} result={result} target={recordId} />;
  const { ref, width } = useWidth();
  const [chosen, setChosen] = useState<"trees" | "list" | null>(null);
  const trees = useMemo(() => buildTrees(result.forest), [result.forest]);
  const grown = trees.filter((tree) => tree.children.length > 0);
  // What the answer cites stands before what only was weighed.
  const cited = (tree: TreeNode) => links.numbers.get(tree.recordId) ?? Number.POSITIVE_INFINITY;
  const alone = trees
    .filter((tree) => tree.children.length === 0)
    .sort((a, b) => (cited(a) === cited(b) ? 0 : cited(a) - cited(b)));
  const form = width < treesFrom ? "list" : (chosen ?? "trees");
  // One record that answers alone is shown as large as it deserves.
  const lead = trees.length === 1 && grown.length === 0 ? records.get(trees[0]?.recordId ?? 0) : undefined;
  const conflicts = result.conflicts.filter((one) => one.kind === "conflict");
  const changes = result.conflicts.filter((one) => one.kind === "superseded");

  return (
    <section className="evidence" aria-label={words.title} ref={ref}>
      <Pairs title={words.disagree} pairs={conflicts} records={records} links={links} />
      {trees.length === 0 ? null : (
        <div className="evidence__part">
          <header className="evidence__head">
            <h2 className="evidence__title">
              {words.title} <span className="quiet">{counted(result.forest.nodes.length, "record")}</span>
            </h2>
            {width >= treesFrom && grown.length > 0 ? (
              <Segments
                label="Show evidence as"
                value={form}
                onChange={setChosen}
                options={[
                  { value: "trees", label: <Network size={15} aria-label="Trees" /> },
                  { value: "list", label: <List size={15} aria-label="List" /> },
                ]}
              />
            ) : null}
          </header>
          {lead ? (
            <EvidenceCard
              record={lead}
              links={links}
              size="root"
              className="card--flow card--lead"
              said={said(lead.id)}
            />
          ) : form === "list" ? (
            <ul className="evidence-list">
              {trees.map((tree) => (
                <ListItem key={tree.recordId} node={tree} records={records} links={links} said={said} />
              ))}
            </ul>
          ) : (
            <>
              {grown.map((tree) => (
                <EvidenceTree
                  key={tree.recordId}
                  tree={tree}
                  records={records}
                  links={links}
                  width={width}
                  said={said}
                />
              ))}
              {alone.length > 0 ? (
                <>
                  {grown.length > 0 ? <h3 className="evidence__sub">{words.alone}</h3> : null}
                  <ul className="evidence__grid">
                    {alone.map((tree) => {
                      const record = records.get(tree.recordId);
                      return record ? (
                        <li key={tree.recordId}>
                          <EvidenceCard record={record} links={links} className="card--flow" said={said(record.id)} />
                        </li>
                      ) : null;
                    })}
                  </ul>
                </>
              ) : null}
            </>
          )}
        </div>
      )}
      <Changes pairs={changes} records={records} links={links} />
    </section>
  );
}
