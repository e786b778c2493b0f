import { z } from "zod";
import { recordIdSchema, recordKindSchema, recordSummarySchema } from "./records.ts";

export const intents = ["why", "when", "entity", "what"] as const;
export const operations = ["single", "temporal", "intersection", "union", "count", "compare", "latest"] as const;
export const answerTypes = [
  "date",
  "duration",
  "number",
  "amount",
  "person",
  "place",
  "yesno",
  "list",
  "text",
] as const;

/** What the question asks, as the planner understood it (MAGMA §2.2, MIRIX §4.5). Editable: a corrected plan can be run again. */
export const queryPlanSchema = z.object({
  question: z.string(),
  language: z.enum(["en", "de"]),
  intent: z.enum(intents),
  operation: z.enum(operations),
  answerType: z.enum(answerTypes),
  /** Absolute local-day windows, inclusive. */
  windows: z.array(z.object({ from: z.string(), to: z.string(), text: z.string() })),
  people: z.array(z.object({ personId: z.number().int().nullable(), name: z.string() })),
  places: z.array(z.string()),
  kinds: z.array(recordKindSchema),
  /** Content terms, as written, without stop words. */
  terms: z.array(z.string()),
});
export type QueryPlan = z.infer<typeof queryPlanSchema>;

export const citationSchema = z.object({
  recordId: recordIdSchema,
  /** Which view of the record: its text, its subject, an attachment's text, recognised text in a picture, what a model saw in it, its metadata. */
  view: z.enum(["text", "subject", "attachment", "ocr", "tags", "metadata"]),
  /** [start, end) offsets in that view, or null for the whole. */
  span: z.tuple([z.number().int().nonnegative(), z.number().int().nonnegative()]).nullable(),
  quote: z.string(),
});
export type Citation = z.infer<typeof citationSchema>;

export const claimSchema = z.object({
  id: z.string(),
  text: z.string(),
  citations: z.array(citationSchema),
  /** `current`: stands; `superseded`: a newer record says otherwise; `conflicting`: another record of like age disagrees. */
  standing: z.enum(["current", "superseded", "conflicting"]),
});
export type Claim = z.infer<typeof claimSchema>;

export const edgeRoles = [
  "new_fact",
  "clarification",
  "corroboration",
  "redundant",
  "conflict",
  "superseded",
  "irrelevant",
] as const;
export const edgeRoleSchema = z.enum(edgeRoles);

/** Relation types of the discovery graph (GraphMemix §1.2 and ours besides). */
export const relationTypes = [
  "same_round",
  "consecutive_turn",
  "event_bridge",
  "same_record",
  "record_grounding",
  "reply_to",
  "attachment_of",
  "same_thread",
  "same_place",
  "semantic",
] as const;
export const relationTypeSchema = z.enum(relationTypes);
export type RelationType = z.infer<typeof relationTypeSchema>;

export const forestNodeSchema = z.object({
  recordId: recordIdSchema,
  /** Rank in the frozen retrieval, from 1. */
  rank: z.number().int().positive(),
  /** p_i: calibrated probability that the record supports the answer, 0–1. */
  utility: z.number(),
  /** Parts of the utility by name. */
  parts: z.record(z.string(), z.number()),
  /** Parent in its tree; null for a root. */
  parent: recordIdSchema.nullable(),
  tree: z.number().int().nonnegative(),
  depth: z.number().int().nonnegative(),
});
export const forestEdgeSchema = z.object({
  from: recordIdSchema,
  to: recordIdSchema,
  relation: relationTypeSchema,
  role: edgeRoleSchema,
  /** s_inc, 0–5 (ECV, GraphMemix §1.5). */
  increment: z.number().min(0).max(5),
  /** c_e = −ln w_e. Infinite costs are not sent: such edges are only displayed. */
  cost: z.number().nullable(),
  /** Part of the forest, or only shown (conflicts, redundancy). */
  inForest: z.boolean(),
});
export type ForestEdge = z.infer<typeof forestEdgeSchema>;
export type ForestNode = z.infer<typeof forestNodeSchema>;
export const evidenceForestSchema = z.object({
  nodes: z.array(forestNodeSchema),
  edges: z.array(forestEdgeSchema),
  /** Objective value at the solution. */
  objective: z.number(),
});
export type EvidenceForest = z.infer<typeof evidenceForestSchema>;

/** Two records that cannot both hold, with the values that differ. */
export const conflictSchema = z.object({
  kind: z.enum(["conflict", "superseded"]),
  attribute: z.string(),
  older: z.object({ recordId: recordIdSchema, value: z.string() }),
  newer: z.object({ recordId: recordIdSchema, value: z.string() }),
});
export type Conflict = z.infer<typeof conflictSchema>;

export const stageNames = ["plan", "recall", "candidates", "verify", "forest", "read", "check"] as const;
export const stageTraceSchema = z.object({
  stage: z.enum(stageNames),
  ms: z.number().nonnegative(),
  inputSize: z.number().int().nonnegative(),
  outputSize: z.number().int().nonnegative(),
  /** What the stage wants to show of itself. */
  detail: z.record(z.string(), z.unknown()),
});
export type StageTrace = z.infer<typeof stageTraceSchema>;

export const askResultSchema = z.object({
  outcome: z.enum(["answered", "not_found"]),
  tier: z.enum(["instant", "reranked", "verified"]),
  plan: queryPlanSchema,
  /** Whole answer as text; each claim is a sentence of it, in order. For not_found: a plain sentence saying so, and no claim. */
  answer: z.string(),
  claims: z.array(claimSchema),
  forest: evidenceForestSchema,
  conflicts: z.array(conflictSchema),
  leftOut: z.array(z.object({ recordId: recordIdSchema, reason: z.string(), utility: z.number() })),
  /** Summaries of every record named above. */
  records: z.array(recordSummarySchema),
  trace: z.array(stageTraceSchema),
  /** What was missing and would have helped ("no embedding model installed"), for a person. */
  notes: z.array(z.string()),
});
export type AskResult = z.infer<typeof askResultSchema>;

export const askEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("stage"), trace: stageTraceSchema }),
  z.object({ type: z.literal("result"), final: z.boolean(), result: askResultSchema }),
]);
export type AskEvent = z.infer<typeof askEventSchema>;
