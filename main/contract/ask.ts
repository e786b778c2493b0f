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
export type AnswerType = (typeof answerTypes)[number];

/** A person that a question names: who that is in this archive, or null when only the name is known. */
export const namedPersonSchema = z.object({ personId: z.number().int().nullable(), name: z.string() });
export type NamedPerson = z.infer<typeof namedPersonSchema>;

/** Something about its plan that a person should be told. `text`: the words of the question that it is about. */
export const planNoteSchema = z.object({
  code: z.enum([
    /** The calendar has no such day; the question is asked without it. */
    "no_such_date",
    /** The time named lies outside of all that the archive holds. */
    "outside_archive",
    /** Only the archive could say when that was: no window is made of it. */
    "unknown_time",
    /** Only the beginning of the question was read. */
    "shortened",
  ]),
  text: z.string(),
});
export type PlanNote = z.infer<typeof planNoteSchema>;

/** What must not be in the answer ("not from work", "without photos"). */
export const exclusionsSchema = z.object({
  people: z.array(namedPersonSchema).default([]),
  places: z.array(z.string()).default([]),
  kinds: z.array(recordKindSchema).default([]),
  /** Ids of importers. */
  sources: z.array(z.string()).default([]),
  /** Words that a record must not have, in its text or in the name of where it stands. */
  terms: z.array(z.string()).default([]),
  /** What was shown already ("who else?"). */
  records: z.array(recordIdSchema).max(1_000).default([]),
});
export type Exclusions = z.infer<typeof exclusionsSchema>;
export const noExclusions = (): Exclusions => ({
  people: [],
  places: [],
  kinds: [],
  sources: [],
  terms: [],
  records: [],
});

/** Parts of a plan that a follow-up took over from the question before it. */
export const carriedParts = [
  "people",
  "windows",
  "places",
  "kinds",
  "sources",
  "terms",
  "excluded",
  "answerType",
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
  people: z.array(namedPersonSchema),
  places: z.array(z.string()),
  kinds: z.array(recordKindSchema),
  /** Content terms, as written, without stop words. */
  terms: z.array(z.string()),
  /** Ids of the importers that records must have come by; empty: all. */
  sources: z.array(z.string()).default([]),
  excluded: exclusionsSchema.default(noExclusions),
  /** A local day: what held then, whatever came later ("as of May 2021"). */
  asOf: z.string().nullable().default(null),
  /** Records to recall, and records to cite by relations, for this operation (MIRIX §4.5). */
  budget: z
    .object({ recalled: z.number().int().positive(), cited: z.number().int().positive() })
    .default({ recalled: 6, cited: 4 }),
  notes: z.array(planNoteSchema).default([]),
  /** What a follow-up took over from the question before it; empty for a question that stands alone. */
  carried: z.array(z.enum(carriedParts)).default([]),
});
export type QueryPlan = z.infer<typeof queryPlanSchema>;

/** A plan that asks for nothing and forbids nothing: what is known of a question goes over it. */
export function emptyPlan(question: string): QueryPlan {
  return queryPlanSchema.parse({
    question,
    language: "en",
    intent: "what",
    operation: "single",
    answerType: "text",
    windows: [],
    people: [],
    places: [],
    kinds: [],
    terms: [],
  });
}

/** The question before a follow-up, as far as the follow-up may lean on it. */
export const previousTurnSchema = z.object({
  plan: queryPlanSchema,
  /** Records that its answer cites, in the answer's order. */
  citedRecords: z.array(recordIdSchema).max(200),
});
export type PreviousTurn = z.infer<typeof previousTurnSchema>;

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
  /** The answer alone ("7 May 2023", "otter-lamp"), where the claim gives one besides its quote. */
  value: z.string().nullable().optional(),
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
  /** Which way through the stages it belongs to, from 1 (`rounds`). */
  round: z.number().int().positive().default(1),
  ms: z.number().nonnegative(),
  inputSize: z.number().int().nonnegative(),
  outputSize: z.number().int().nonnegative(),
  /** What the stage wants to show of itself. */
  detail: z.record(z.string(), z.unknown()),
});
export type StageTrace = z.infer<typeof stageTraceSchema>;

/** Why a draft does not convince (MIRIX §4.7). */
export const doubtKinds = [
  /** Nothing was recalled at all. */
  "nothing",
  /** No claim stands on what it cites. */
  "no_claim",
  /** The asked kind of answer (a date, a number, a sum …) is missing. */
  "missing",
  /** Too little of the question is said anywhere together. */
  "unsupported",
  /** The answer lies outside the time asked for. */
  "time",
  /** A claim named a month that neither evidence nor question names. */
  "month",
  /** A count differs from what it lists. */
  "count",
  /** The draft itself says that it is not sure. */
  "hedged",
] as const;
export const doubtSchema = z.object({
  kind: z.enum(doubtKinds),
  /** For a person. */
  text: z.string(),
  /** Stands in the way of an answer; the others only ask for another round. */
  blocking: z.boolean(),
});
export type Doubt = z.infer<typeof doubtSchema>;

/** Other ways to ask, each made of the plan and of what was doubted. */
export const rewriteNames = ["first", "split", "nearest_words", "second_hop", "wider_time", "fewer_filters"] as const;

/** One way through the stages: what was asked for and what came of it. */
export const roundTraceSchema = z.object({
  /** From 1. */
  round: z.number().int().positive(),
  rewrite: z.enum(rewriteNames),
  /** What it looked for beside or instead of the plan's own ("without: email"), for a person. */
  change: z.string(),
  /** Retrievals that it made; at most 5 over all rounds. */
  retrievals: z.number().int().positive(),
  answered: z.boolean(),
  doubts: z.array(doubtSchema),
  /** Its answer is the one that is given. */
  chosen: z.boolean(),
});
export type RoundTrace = z.infer<typeof roundTraceSchema>;

/** What the owner says of an answer or of a piece of its evidence. */
export const verdicts = ["helpful", "wrong", "outdated"] as const;
export const verdictSchema = z.enum(verdicts);
export type Verdict = z.infer<typeof verdictSchema>;

/** A verdict that holds for a record in one answer: what the owner said of it at a like question. */
export const feedbackMarkSchema = z.object({
  feedbackId: z.number().int().positive(),
  recordId: recordIdSchema,
  verdict: verdictSchema,
  at: z.string(),
  /** How much the question is like the one it was said at, 0–1. */
  likeness: z.number(),
  whole: z.boolean(),
});
export type FeedbackMark = z.infer<typeof feedbackMarkSchema>;

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
  rounds: z.array(roundTraceSchema).default([]),
  /** What the owner said of these records at like questions. */
  feedback: z.array(feedbackMarkSchema).optional(),
  /** What was missing and would have helped ("no embedding model installed"), for a person. */
  notes: z.array(z.string()),
});
export type AskResult = z.infer<typeof askResultSchema>;

export const askEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("stage"), trace: stageTraceSchema }),
  z.object({ type: z.literal("result"), final: z.boolean(), result: askResultSchema }),
]);
export type AskEvent = z.infer<typeof askEventSchema>;
