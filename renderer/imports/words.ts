import type { ImportPlan, ImportRun, LedgerRow } from "#contract";
import { bytes, counted, shortDay } from "../state/format.ts";

/** "Mailbox: 3 (41 MB), 2009–2024": one line a kind of source. */
export interface PlanLine {
  key: string;
  what: string;
  detail: string;
  labels: string[];
}

function span(first: string | null, last: string | null): string | null {
  if (!first || !last) return null;
  const [from, to] = [first.slice(0, 4), last.slice(0, 4)];
  if (from !== to) return `${from}–${to}`;
  return first === last ? shortDay(first) : from;
}

/** The plan by kind of source, the largest first. */
export function planLines(plan: ImportPlan): PlanLine[] {
  const byTitle = Map.groupBy(plan.sources, (source) => source.title);
  return [...byTitle]
    .map(([title, sources]) => {
      const files = sources.reduce((sum, source) => sum + source.files, 0);
      const size = sources.reduce((sum, source) => sum + source.bytes, 0);
      const firsts = sources.flatMap((source) => source.firstDay ?? []).sort();
      const lasts = sources.flatMap((source) => source.lastDay ?? []).sort();
      return {
        key: title,
        size,
        what: sources.length === 1 ? title : `${title} × ${sources.length}`,
        detail: [counted(files, "file"), bytes(size), span(firsts[0] ?? null, lasts.at(-1) ?? null)]
          .filter((part) => part !== null)
          .join(" · "),
        labels: sources.map((source) => source.label),
      };
    })
    .sort((a, b) => b.size - a.size);
}

export const runStates: Readonly<Record<ImportRun["status"], string>> = {
  running: "Reading",
  paused: "Paused",
  interrupted: "Interrupted; it goes on where it was",
  done: "Done",
  cancelled: "Stopped; what came in is kept",
  failed: "Failed; what came in is kept",
};

/** Last part of a path. What was dropped into the window lies under a name that says nothing to a person. */
export function rootName(root: string): string {
  const name = root.split(/[/\\]/).findLast((part) => part !== "") ?? root;
  return /^[0-9a-f]{32}$/.test(name) ? "Dropped into the window" : name;
}

/** "1,204 came in · 12 were already there · 3 files failed" */
export function runSummary({ counts }: Pick<ImportRun, "counts">): string {
  const parts = [`${counted(counts.imported, "record")} came in`];
  if (counts.updated > 0) parts.push(`${counted(counts.updated, "was updated", "were updated")}`);
  if (counts.duplicate > 0) parts.push(`${counted(counts.duplicate, "was already there", "were already there")}`);
  if (counts.skippedFiles > 0) parts.push(`${counted(counts.skippedFiles, "file")} skipped`);
  if (counts.failedFiles > 0) parts.push(`${counted(counts.failedFiles, "file")} failed`);
  return parts.join(" · ");
}

export const fileStates: Readonly<Record<LedgerRow["status"], string>> = {
  imported: "Came in",
  updated: "Updated",
  duplicate: "Already there",
  skipped: "Skipped",
  failed: "Failed",
};
