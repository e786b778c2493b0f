import { type QueryPlan, type RecordId, UnderstoryError } from "#contract";
import { verifyChain } from "#main/llm/chain.ts";
import { type LanguageModel, listwiseParameters } from "#main/llm/ports.ts";
import { verifierSettings, verifyNodes } from "#main/llm/verifier.ts";
import type { Candidate, CandidateSet } from "../candidates/candidates.ts";
import type { VerifyTask } from "../ports.ts";
import { shownOf } from "./evidence.ts";
import { judgeFirst } from "./judge.ts";
import { type Opinion, sigmoid } from "./opinion.ts";
import { type ChainRow, type Eligible, eligiblePairs, enforceProtocol, enforceScores, mostScore } from "./protocol.ts";

/** p_i = σ(τ[α s_i + (1−α) v_i/5 − δ]): the paper's own values (GraphMemix §1.4, A.2); no model of this size could be run here to fit them. */
export const nodeUtility = { alpha: 0.8, tau: 5.2, delta: 0.7 } as const;

/** Utility of a record by its retrieval s (0–1) and the verifier's score v (0–5). */
export function utilityOf(retrieval: number, score: number): number {
  const { alpha, tau, delta } = nodeUtility;
  return sigmoid(tau * (alpha * retrieval + ((1 - alpha) * score) / mostScore - delta));
}

/**
 * Tier `verified`: node verifier and chain verifier side by side, neither seeing what the other says, for models that can
 * do them (3 billion weights; smaller ones copy ids or give empty lists). A smaller model, or one that is switched off for it,
 * judges the first ten by query likelihood. A verifier whose answers were refused three times says nothing: the retrieval's
 * utilities or the rules' rows hold then, and the trace tells. Throws what the model throws, and `inference_failed` when it said
 * nothing at all.
 */
export async function verifyWithModel(
  plan: QueryPlan,
  { candidates, edges }: CandidateSet,
  model: LanguageModel,
  tasks: ReadonlySet<VerifyTask>,
  signal?: AbortSignal,
): Promise<Opinion> {
  const started = performance.now();
  const able = model.parameters >= listwiseParameters;
  const eligible = eligiblePairs(candidates, edges);
  const [nodes, chain] = await Promise.all([
    able && tasks.has("verifier")
      ? scoreNodes(plan, candidates, model, signal)
      : tasks.has("relevance")
        ? { judged: await judgeFirst(plan, candidates, model, signal), detail: { by: "likelihood" } }
        : { judged: new Map<RecordId, number>(), detail: { by: "retrieval" } },
    able && tasks.has("chain") ? chainRows(plan, candidates, eligible, model, signal) : null,
  ]);
  if (nodes.judged.size === 0 && (chain?.rows ?? null) === null) {
    throw new UnderstoryError("inference_failed", "The language model gave nothing that could be used.", {
      hint: "The answer stands as it was found without it. A larger model may do better.",
    });
  }
  return {
    tier: "verified",
    judged: nodes.judged,
    rows: chain?.rows ?? null,
    detail: {
      model: model.modelId,
      ms: performance.now() - started,
      judged: nodes.judged.size,
      nodes: nodes.detail,
      chain: chain?.detail ?? { by: "rules" },
    },
  };
}

interface Nodes {
  readonly judged: Map<RecordId, number>;
  readonly detail: Readonly<Record<string, unknown>>;
}

async function scoreNodes(
  plan: QueryPlan,
  candidates: readonly Candidate[],
  model: LanguageModel,
  signal: AbortSignal | undefined,
): Promise<Nodes> {
  const shown = candidates.slice(0, verifierSettings.candidates);
  const input = {
    question: plan.question,
    candidates: shown.map((one) => shownOf(plan, one)),
    priority: "question",
  } as const;
  const { value, by, tries, refused } = await verifyNodes(model, input, signal);
  const detail = { by, tries, refused, leftOut: value.leftOut.length };
  if (by === "fallback") return { judged: new Map(), detail };
  const given = [...value.scores].map(([recordId, score]) => ({ recordId, score }));
  const scores = enforceScores(
    given,
    shown.map(({ recordId }) => recordId).filter((id) => !value.leftOut.includes(id)),
  );
  // What did not fit into the context was not found wanting: it counts as the others do on average.
  const mean = [...scores.values()].reduce((sum, score) => sum + score, 0) / Math.max(1, scores.size);
  const judged = new Map(
    shown.map(({ recordId, prior }) => [recordId, utilityOf(prior, scores.get(recordId) ?? mean)]),
  );
  return { judged, detail };
}

async function chainRows(
  plan: QueryPlan,
  candidates: readonly Candidate[],
  eligible: Eligible,
  model: LanguageModel,
  signal: AbortSignal | undefined,
): Promise<{ rows: readonly ChainRow[] | null; detail: Readonly<Record<string, unknown>> }> {
  const shown = candidates.slice(0, verifierSettings.candidates);
  const { value, by, tries, refused } = await verifyChain(
    model,
    {
      question: plan.question,
      candidates: shown.map((one) => shownOf(plan, one)),
      eligible: new Map([...eligible].map(([id, anchors]) => [id, [...anchors.keys()]])),
      priority: "question",
    },
    signal,
  );
  const detail = { by, tries, refused, rows: value.length };
  if (by === "fallback") return { rows: null, detail };
  const rows = value.map(({ candidate, anchor, support, role }) => ({
    recordId: candidate,
    bestAnchorId: anchor,
    increment: support,
    role,
  }));
  return { rows: enforceProtocol(rows, candidates, eligible), detail };
}
