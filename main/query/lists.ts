import type { Claim, QueryPlan } from "#contract";
import { type Candidate, candidateSettings } from "./candidates.ts";
import { type Draft, nothing } from "./draft.ts";
import { phrases } from "./phrases.ts";
import { claimOf, dayOf, metadataOf } from "./say.ts";
import { type Passage, passagesOf, type Reading } from "./sentences.ts";

/** Answers that name several things: each with the record that it stands on. */

const listLimit = 6;
/** How far below the best passage an item of a list may score. */
const itemWithin = 0.6;

export function listClaims(reading: Reading, top: readonly Candidate[]): Draft {
  const passages = passagesOf(reading, top);
  const [best] = passages;
  if (!best) return nothing;
  const records = new Set<number>();
  const claims: Claim[] = [];
  for (const passage of passages) {
    if (claims.length === listLimit || passage.score < best.score - itemWithin) break;
    if (records.has(passage.candidate.recordId)) continue;
    records.add(passage.candidate.recordId);
    claims.push(
      pictureClaim(reading.plan, passage, claims.length + 1) ??
        claimOf(`c${claims.length + 1}`, reading.plan, passage, null, "current"),
    );
  }
  const { whole, inTime, candidate } = best;
  return { claims, fits: claims.length > 0, said: whole, cosine: candidate.features.cos, inTime };
}

function pictureClaim(plan: QueryPlan, { candidate, citation }: Passage, at: number): Claim | null {
  if (candidate.record.kind !== "photo" || citation.view !== "metadata") return null;
  const text = phrases[plan.language].taken(dayOf(candidate, plan), candidate.record.place?.name ?? null);
  return { id: `c${at}`, text: `${text}.`, citations: [citation], standing: "current" };
}

/** A count names what it counts: every record in which all that was asked for occurs. */
export function countClaims({ plan }: Reading, candidates: readonly Candidate[]): Draft {
  const counted = candidates
    .filter(
      ({ features }) =>
        (plan.terms.length === 0 || features.cov >= 0.99) && (plan.windows.length === 0 || features.win >= 1),
    )
    .slice(0, candidateSettings.counted)
    .toSorted((a, b) => (a.moment ?? 0) - (b.moment ?? 0) || a.recordId - b.recordId);
  if (counted.length === 0) return nothing;
  const days = counted.slice(0, 8).flatMap((candidate) => dayOf(candidate, plan) ?? []);
  const more = counted.length > 8 ? ", …" : "";
  const text = `${phrases[plan.language].counted(counted.length)}: ${[...new Set(days)].join(", ")}${more}.`;
  const claim: Claim = { id: "c1", text, citations: counted.flatMap(metadataOf), standing: "current" };
  return { claims: [claim], fits: true, said: 1, cosine: 1, inTime: true };
}
