import { z } from "zod";
import { canonicalJson } from "./canonical.ts";
import type { Content } from "./merge.ts";

/** What a record that was known already got from a further source: how many of each, for the ledger. */

export type Gains = Readonly<Record<string, number>>;
export const gainsSchema = z.record(z.string(), z.number());

/** Fields with one value, as a person calls them; `changed` when it said something else before. */
const fields: readonly (readonly [keyof Content, string])[] = [
  ["subject", "title"],
  ["text", "text"],
  ["author", "author"],
  ["time", "time"],
  ["place", "place"],
  ["container", "container"],
];
const lists = ["labels", "albums", "links", "flags", "reactions", "attachments", "edits"] as const;

export function gainsOf(before: Content, after: Content): Gains {
  const gains: Record<string, number> = {};
  const differs = (a: unknown, b: unknown) => canonicalJson(a) !== canonicalJson(b);
  for (const [field, word] of fields) {
    const [was, is] = [before[field], after[field]];
    if (is !== null && differs(was, is)) gains[was === null ? word : `changed ${word}`] = 1;
  }
  const more = after.participants.length - before.participants.length;
  if (more > 0) gains.participants = more;
  for (const list of lists) {
    const known = new Set(before.props[list]?.map((one) => canonicalJson(one)));
    const added = after.props[list]?.filter((one) => !known.has(canonicalJson(one))).length ?? 0;
    if (added > 0) gains[list] = added;
  }
  if (Object.keys(gains).length === 0) gains.details = 1;
  return gains;
}

export function addGains(a: Gains, b: Gains): Gains {
  const sum: Record<string, number> = { ...a };
  for (const [what, n] of Object.entries(b)) sum[what] = (sum[what] ?? 0) + n;
  return sum;
}

/** "3 known already; new about them: 2 labels, 1 time." Null when nothing was merged. */
export function gainsText(gains: Gains, known: number): string | null {
  const parts = Object.entries(gains)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([what, n]) => `${n} ${n === 1 ? what.replace(/s$/, "") : what.endsWith("s") ? what : `${what}s`}`);
  if (parts.length === 0) return null;
  return `${known} known already; new about ${known === 1 ? "it" : "them"}: ${parts.join(", ")}.`;
}
