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
  undone: "Undone; what it brought lies in the trash",
};

/** An import that has ended can be taken back. */
/** What was dropped into the window is a copy: nothing happens there any more. */
export function canWatch({ status, roots, watched }: Pick<ImportRun, "status" | "roots" | "watched">): boolean {
  return watched || (status === "done" && !roots.some(isDropped));
}

export function canUndo({ status }: Pick<ImportRun, "status">): boolean {
  return status === "done" || status === "cancelled" || status === "failed";
}

/** "12 records go to the trash. 3 stay: another import has them too." */
export function undoSummary({ trash, stay }: { trash: number; stay: number }): string {
  const going = trash === 1 ? "1 record goes to the trash." : `${counted(trash, "record")} go to the trash.`;
  if (stay === 0) return going;
  return `${going} ${counted(stay, "record stays", "records stay")}: another import has ${stay === 1 ? "it" : "them"} too.`;
}

/** Last part of a path on any system. */
function lastPart(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== "") ?? path;
}

/** What was dropped into the window lies under a name that says nothing to a person. */
export function isDropped(root: string): boolean {
  return /^[0-9a-f]{32}$/.test(lastPart(root));
}

/** "Photos, Mail and 3 more" */
export function rootNames(roots: readonly string[]): string {
  const names = roots.map(lastPart);
  if (names.length > 3) return `${names.slice(0, 2).join(", ")} and ${names.length - 2} more`;
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : (names[0] ?? "");
}

/** Name of what was dropped, by the path of its first file: the folder, or the file and how many came with it. */
export function droppedName(firstPath: string | null, files: number): string {
  if (firstPath === null) return "Dropped into the window";
  const [top = firstPath, below] = firstPath.split("/");
  if (below !== undefined || files <= 1) return top;
  return `${top} and ${counted(files - 1, "more file", "more files")}`;
}

/** Files with the same reason. */
export interface ReasonGroup {
  reason: string;
  files: number;
  /** Names of the first few. */
  examples: string[];
}

const examplesShown = 3;

/** Ledger rows by their reason, the commonest first. */
export function byReason(rows: readonly LedgerRow[]): ReasonGroup[] {
  return [...Map.groupBy(rows, (row) => row.reason ?? "No reason was given.")]
    .map(([reason, same]) => ({
      reason,
      files: same.length,
      examples: same.slice(0, examplesShown).map((row) => lastPart(row.path)),
    }))
    .sort((a, b) => b.files - a.files);
}

/** "1,204 came in · 12 were already there · 3 files failed" */
export function runSummary({ counts }: Pick<ImportRun, "counts">): string {
  const parts = [`${counted(counts.imported, "record")} came in`];
  if (counts.updated > 0) parts.push(`${counted(counts.updated, "was updated", "were updated")}`);
  if (counts.duplicate > 0) parts.push(`${counted(counts.duplicate, "was already there", "were already there")}`);
  if (counts.failedFiles > 0) parts.push(`${counted(counts.failedFiles, "file")} failed`);
  if (counts.skippedFiles > 0) parts.push(`${counted(counts.skippedFiles, "file")} left out`);
  return parts.join(" · ");
}

export const fileStates: Readonly<Record<LedgerRow["status"], string>> = {
  imported: "Came in",
  updated: "Updated",
  duplicate: "Already there",
  skipped: "Left out",
  failed: "Failed",
};
