import { createHash } from "node:crypto";
import { type ImportPlan, type PlanSource, UnderstoryError, type ZoneGuess } from "#contract";
import type { Claim, Entry, Importer, SourceTree } from "#main/importers/types.ts";
import { BaseEntry } from "./entry.ts";
import { byCodeUnits, closedArchive } from "./names.ts";
import { type OpenedTree, Tree, type TreeRow } from "./tree.ts";

/** A claim that stands: what it reads, by whom, and how much. Plain data: it crosses threads. */
export interface PlannedClaim {
  readonly importer: string;
  readonly claim: Claim;
  /** Primary first. */
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  /** Bytes of `files`. */
  readonly bytes: number;
  /** Differs when one of the files may have changed since. */
  readonly stamp: string;
}

/** All that an import will do, worked out again from the roots whenever it goes on. Plain data. */
export interface InternalPlan {
  readonly roots: readonly string[];
  /** In the order in which they are read: importers of higher order first, then by path. */
  readonly claims: readonly PlannedClaim[];
  /** Files that no importer reads, and zips: each with its end and reason. By path. */
  readonly rows: readonly TreeRow[];
  readonly litter: number;
  readonly warnings: readonly string[];
  /** Names of the importers for a person, by id. */
  readonly titles: Readonly<Record<string, string>>;
  /** Names of those whose records carry no zone. */
  readonly zoneless: readonly string[];
}

interface Candidate {
  readonly importer: Importer;
  readonly claim: Claim;
}

/**
 * Lets every importer look at the tree. Importers of equal order look at the same tree; where they claim the same
 * entry the higher confidence wins, then the one that is registered first. A companion goes with its primary; two
 * claims of one importer may share companions (an album's description, say).
 * Throws only `cancelled`: an importer that fails to recognise is a warning.
 */
export async function planImport(
  tree: OpenedTree,
  roots: readonly string[],
  importers: readonly Importer[],
  signal?: AbortSignal,
): Promise<InternalPlan> {
  const owner = new Map<string, string>();
  const claims: PlannedClaim[] = [];
  const warnings = [...tree.warnings];
  const orders = [...new Set(importers.map((importer) => importer.order))].sort((a, b) => b - a);
  for (const order of orders) {
    const free = owner.size === 0 ? tree : new Tree(tree.entries.filter((entry) => !owner.has(entry.path)));
    const candidates: Candidate[] = [];
    for (const importer of importers.filter((one) => one.order === order)) {
      try {
        for await (const claim of importer.recognise(free)) {
          signal?.throwIfAborted();
          if (free.get(claim.primary)) candidates.push({ importer, claim });
        }
      } catch (error) {
        signal?.throwIfAborted();
        warnings.push(`${importer.title} could not look at everything: ${messageOf(error)}`);
      }
    }
    claims.push(...settle(candidates, free, owner));
  }
  const rows = [...tree.rows];
  for (const entry of tree.entries) {
    if (owner.has(entry.path)) continue;
    signal?.throwIfAborted();
    rows.push({
      path: entry.path,
      bytes: entry.bytes,
      status: "skipped",
      reason: await whyUnclaimed(entry),
      skipped: 0,
    });
  }
  const titles = Object.fromEntries(importers.map(({ id, title }) => [id, title]));
  rows.sort((a, b) => byCodeUnits(a.path, b.path));
  const read = new Set(claims.map(({ importer }) => importer));
  const zoneless = importers.filter((one) => one.zoneless && read.has(one.id)).map(({ title }) => title);
  return { roots, claims, rows, litter: tree.litter, warnings, titles, zoneless };
}

/** Claims that stand, in the order of their paths; their entries are entered in `owner`. */
function settle(candidates: readonly Candidate[], free: SourceTree, owner: Map<string, string>): PlannedClaim[] {
  const ranked = [...candidates].sort((a, b) => b.claim.confidence - a.claim.confidence);
  const primaries = new Set<string>();
  const kept = ranked.filter(({ importer, claim }) => {
    const other = owner.get(claim.primary);
    if (primaries.has(claim.primary) || other !== undefined) return false;
    primaries.add(claim.primary);
    owner.set(claim.primary, importer.id);
    for (const companion of claim.companions) if (!owner.has(companion)) owner.set(companion, importer.id);
    return true;
  });
  return kept
    .map(({ importer, claim }) => {
      const companions = [...new Set(claim.companions)].filter(
        (path) => !primaries.has(path) && owner.get(path) === importer.id && free.get(path) !== undefined,
      );
      const entries = [claim.primary, ...companions]
        .map((path) => free.get(path))
        .filter((entry) => entry !== undefined);
      return {
        importer: importer.id,
        claim: { ...claim, companions },
        files: entries.map(({ path, bytes }) => ({ path, bytes })),
        bytes: entries.reduce((sum, entry) => sum + entry.bytes, 0),
        stamp: stampOf(entries),
      };
    })
    .sort((a, b) => byCodeUnits(a.claim.primary, b.claim.primary));
}

function stampOf(entries: readonly Entry[]): string {
  const hash = createHash("sha256");
  for (const entry of entries) {
    const state = entry instanceof BaseEntry ? entry.stamp : `${entry.bytes}:${entry.modified ?? ""}`;
    hash.update(`${entry.path}\0${state}\0`);
  }
  return hash.digest("base64url").slice(0, 16);
}

async function whyUnclaimed(entry: Entry): Promise<string> {
  try {
    const archive = closedArchive(await entry.head(), entry.name);
    if (archive !== null) return `${archive} archives are not opened. Unpack it and import the folder.`;
    return "No importer knows this kind of file.";
  } catch (error) {
    return messageOf(error);
  }
}

const messageOf = (error: unknown): string =>
  error instanceof UnderstoryError || error instanceof Error ? error.message : String(error);

/** The plan as a person sees it. */
export function toImportPlan(planId: string, plan: InternalPlan, zone: ZoneGuess | null): ImportPlan {
  const sources = new Map<string, PlanSource>();
  const seen = new Set<string>();
  let bytes = 0;
  for (const { importer, claim, files } of plan.claims) {
    const fresh = files.filter(({ path }) => !seen.has(path));
    for (const { path } of fresh) seen.add(path);
    const sum = fresh.reduce((total, file) => total + file.bytes, 0);
    bytes += sum;
    const key = `${importer}\0${claim.label}`;
    const source = sources.get(key);
    sources.set(key, {
      importer,
      title: plan.titles[importer] ?? importer,
      label: claim.label,
      files: (source?.files ?? 0) + fresh.length,
      bytes: (source?.bytes ?? 0) + sum,
      firstDay: null,
      lastDay: null,
    });
  }
  const skipped = new Map<string, { reason: string; files: number; examples: string[] }>();
  for (const { path, status, reason } of plan.rows) {
    if (status === "imported") continue;
    const why = reason ?? "";
    const group = skipped.get(why) ?? { reason: why, files: 0, examples: [] };
    group.files++;
    if (group.examples.length < 3) group.examples.push(path);
    skipped.set(why, group);
  }
  return {
    planId,
    roots: [...plan.roots],
    sources: [...sources.values()],
    files: seen.size,
    bytes,
    skipped: [...skipped.values()].sort((a, b) => b.files - a.files || byCodeUnits(a.reason, b.reason)),
    warnings: [...plan.warnings],
    zoneQuestion: zone && plan.zoneless.length > 0 ? { sources: [...plan.zoneless], ...zone } : null,
  };
}
