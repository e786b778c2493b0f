import { z } from "zod";
import {
  archiveStatusSchema,
  auditRowSchema,
  failedViewSchema,
  modelPurposeSchema,
  modelStatusSchema,
} from "./archive.ts";
import { askEventSchema, previousTurnSchema, queryPlanSchema } from "./ask.ts";
import { feedbackSchema, newFeedbackSchema } from "./feedback.ts";
import { hostEntrySchema, importPlanSchema, importRunSchema, ledgerRowSchema } from "./imports.ts";
import { jobSchema } from "./jobs.ts";
import {
  dayCountSchema,
  libraryFilterSchema,
  mediaSchema,
  personDetailSchema,
  personSchema,
  personSuggestionsSchema,
  searchResultSchema,
} from "./library.ts";
import { recordDetailSchema, recordIdSchema, recordSummarySchema, storedRecordSchema } from "./records.ts";
import { settingsSchema } from "./settings.ts";

/** A call: one input, one output. */
function call<I extends z.ZodType, O extends z.ZodType>(input: I, output: O) {
  return { type: "call", input, output } as const;
}

/** A stream: one input, many items, then an end. Cancelled by the client, or ended by the server. */
function stream<I extends z.ZodType, O extends z.ZodType>(input: I, item: O) {
  return { type: "stream", input, item } as const;
}

const none = z.object({});
const done = z.object({});
const page = z.object({
  offset: z.number().int().nonnegative().default(0),
  limit: z.number().int().positive().max(500).default(100),
});

/** The whole API. One map, one place: server, client, CLI and window are typed from it. */
export const api = {
  "archive.status": call(none, archiveStatusSchema),
  /** Makes a new archive at the host's place. The recovery code is in this answer and never again. */
  "archive.create": call(
    z.object({ name: z.string().min(1).max(80), passphrase: z.string().min(1) }),
    z.object({ recoveryCode: z.string() }),
  ),
  "archive.unlock": call(
    z.discriminatedUnion("with", [
      z.object({ with: z.literal("passphrase"), passphrase: z.string() }),
      z.object({ with: z.literal("recovery"), recoveryCode: z.string() }),
      z.object({ with: z.literal("keychain") }),
    ]),
    done,
  ),
  "archive.lock": call(none, done),
  /** Makes (once) and opens the made-up household, beside the person's own archive and never mixed with it. */
  "archive.openSample": call(none, done),
  "archive.closeSample": call(none, done),

  "imports.browse": call(
    z.object({ path: z.string().nullable() }),
    z.object({ path: z.string(), parent: z.string().nullable(), entries: z.array(hostEntrySchema) }),
  ),
  "imports.plan": call(z.object({ paths: z.array(z.string()).min(1) }), importPlanSchema),
  /** `zone`: the answer to the plan's `zoneQuestion`, an IANA zone; absent: such clocks stay without one. */
  "imports.run": call(z.object({ planId: z.string(), zone: z.string().max(64).optional() }), importRunSchema),
  /** Reads the import's roots again whenever something in them changes; off by default. Refused for what was dropped into the window. */
  "imports.watch": call(z.object({ importId: z.number().int(), on: z.boolean() }), done),
  "imports.list": call(none, z.object({ runs: z.array(importRunSchema) })),
  "imports.ledger": call(
    page.extend({ importId: z.number().int(), status: z.string().optional() }),
    z.object({ rows: z.array(ledgerRowSchema), total: z.number().int() }),
  ),
  /** What `imports.undo` would do: records that go to the trash, and those that stay because another import has them too. */
  "imports.undoPreview": call(
    z.object({ importId: z.number().int() }),
    z.object({ trash: z.number().int().nonnegative(), stay: z.number().int().nonnegative() }),
  ),
  /** Takes an import back as a whole, as a job. `conflict` while it runs, is paused, or is undone already. */
  "imports.undo": call(z.object({ importId: z.number().int() }), z.object({ jobId: z.string() })),

  /** Streaming files in from a browser, where no path is known: begin, then chunks in order, then finish. */
  "uploads.begin": call(none, z.object({ uploadId: z.string() })),
  "uploads.chunk": call(
    z.object({
      uploadId: z.string(),
      path: z.string().min(1).max(4096),
      offset: z.number().int().nonnegative(),
      bytes: z.instanceof(Uint8Array),
      /** Last chunk of this file; its modification time in ms. */
      last: z.boolean(),
      modified: z.number().nullable(),
    }),
    done,
  ),
  /** Gives the folder's path on the host, ready for imports.plan. */
  "uploads.finish": call(z.object({ uploadId: z.string() }), z.object({ path: z.string() })),
  "uploads.discard": call(z.object({ uploadId: z.string() }), done),

  "jobs.list": call(none, z.object({ jobs: z.array(jobSchema) })),
  "jobs.watch": stream(none, jobSchema),
  "jobs.pause": call(z.object({ jobId: z.string() }), done),
  "jobs.resume": call(z.object({ jobId: z.string() }), done),
  "jobs.cancel": call(z.object({ jobId: z.string() }), done),

  "library.days": call(z.object({ filter: libraryFilterSchema }), z.object({ days: z.array(dayCountSchema) })),
  /** Records in timeline order (newest day first, inside a day oldest first; a null day last). */
  "library.list": call(
    page.extend({ filter: libraryFilterSchema }),
    z.object({ records: z.array(recordSummarySchema), total: z.number().int() }),
  ),
  "library.search": call(
    z.object({
      query: z.string().max(10_000),
      filter: libraryFilterSchema,
      limit: z.number().int().positive().max(200).default(50),
    }),
    searchResultSchema,
  ),
  "library.people": call(none, z.object({ people: z.array(personSchema) })),
  "people.get": call(z.object({ personId: z.number().int().positive() }), personDetailSchema),
  /** What only a person can decide: who may be one, and who the owner is. */
  "people.suggestions": call(none, personSuggestionsSchema),
  "people.join": call(z.object({ a: z.number().int().positive(), b: z.number().int().positive() }), done),
  /** The two of a suggestion are not one; it is not made again. */
  "people.apart": call(z.object({ a: z.number().int().positive(), b: z.number().int().positive() }), done),
  /** Takes a join back, whoever made it; rules do not make it again. */
  "people.separate": call(z.object({ joinId: z.number().int().positive() }), done),
  "people.setOwner": call(z.object({ personId: z.number().int().positive(), owner: z.boolean() }), done),
  /** Emits a tick whenever records have changed; the window re-reads what it shows. */
  "library.watch": stream(none, z.object({ seq: z.number().int() })),

  "records.get": call(z.object({ id: recordIdSchema }), recordDetailSchema),
  /** Every live record whole, parts too, by ascending id: for taking everything out. `next` null: that was all. */
  "records.page": call(
    z.object({
      after: z.number().int().nonnegative().default(0),
      limit: z.number().int().positive().max(500).default(200),
    }),
    z.object({ records: z.array(storedRecordSchema), next: z.number().int().nullable() }),
  ),
  "records.thumbnail": call(z.object({ id: recordIdSchema }), mediaSchema),
  /** The original picture in a form that a window can show (HEIC and TIFF are converted). */
  "records.picture": call(z.object({ id: recordIdSchema, maxSide: z.number().int().min(64).max(4096) }), mediaSchema),
  "records.trash": call(z.object({ ids: z.array(recordIdSchema).min(1) }), done),
  "records.restore": call(z.object({ ids: z.array(recordIdSchema).min(1) }), done),
  /** Deletes for good: the record, its versions and all that was derived from it. Only from trash. */
  "records.erase": call(z.object({ ids: z.array(recordIdSchema).min(1) }), done),
  "records.edit": call(
    z.object({
      id: recordIdSchema,
      /** Version the edit was made on; refused with `conflict` when it is no longer the newest. */
      version: z.number().int().positive(),
      subject: z.string().nullable(),
      text: z.string().nullable(),
    }),
    recordDetailSchema,
  ),

  "ask.ask": stream(
    z.object({
      question: z.string().min(1).max(10_000),
      /** A corrected plan replaces the planner's. */
      plan: queryPlanSchema.optional(),
      /** The question before: a follow-up ("and in 2019?") is understood by it; one that stands alone is not bent. */
      after: previousTurnSchema.optional(),
    }),
    askEventSchema,
  ),
  /** Questions that this archive can surely answer, for an empty window. */
  "ask.suggestions": call(none, z.object({ questions: z.array(z.string()) })),

  /** Keeps what the owner says of an answer or of its evidence, for like questions in this archive; `id` takes it back. */
  "ask.feedback": call(newFeedbackSchema, z.object({ id: z.number().int().positive() })),
  "ask.takeBackFeedback": call(z.object({ id: z.number().int().positive() }), done),
  /** Everything that was said, newest first; with it an archive is taken out whole. */
  "ask.feedbackList": call(none, z.object({ feedback: z.array(feedbackSchema) })),

  "audit.list": call(
    page.extend({ action: z.string().optional() }),
    z.object({ rows: z.array(auditRowSchema), total: z.number().int() }),
  ),
  "audit.verify": call(
    none,
    z.object({ ok: z.boolean(), rows: z.number().int(), firstBad: z.number().int().nullable() }),
  ),
  /** JSON Lines, one row a line. */
  "audit.export": call(none, z.object({ jsonl: z.string() })),

  "models.list": call(none, z.object({ models: z.array(modelStatusSchema), folder: z.string() })),
  /** Starts an install-model job. Consent is an argument: nothing is fetched without it. */
  "models.install": call(
    z.object({ id: z.string(), consent: z.literal(true), from: z.string().optional() }),
    z.object({ jobId: z.string() }),
  ),
  "models.remove": call(z.object({ id: z.string() }), z.object({ freedBytes: z.number().int() })),
  /** Reads every file of an installed model again; a wrong one puts the model aside (`ok` false, `reason`). */
  "models.verify": call(z.object({ id: z.string() }), z.object({ ok: z.boolean(), reason: z.string().nullable() })),

  /** Views that could not be derived, newest records first. */
  "views.failed": call(
    page.extend({ purpose: modelPurposeSchema.optional() }),
    z.object({ rows: z.array(failedViewSchema), total: z.number().int() }),
  ),
  /** Makes failed views pending again; gives how many. */
  "views.retry": call(
    z.object({ purpose: modelPurposeSchema.optional() }),
    z.object({ count: z.number().int().nonnegative() }),
  ),

  "settings.get": call(none, settingsSchema),
  /** Changes the fields given, keeps the others; gives all. */
  "settings.set": call(z.object({ settings: settingsSchema.partial() }), settingsSchema),
} as const;

export type Api = typeof api;
export type Method = keyof Api;
export type CallMethod = { [M in Method]: Api[M]["type"] extends "call" ? M : never }[Method];
export type StreamMethod = Exclude<Method, CallMethod>;

/** What a caller passes (defaults may be left out). */
export type Input<M extends Method> = z.input<Api[M]["input"]>;
/** What a handler gets, parsed. */
export type ParsedInput<M extends Method> = z.output<Api[M]["input"]>;
export type Output<M extends CallMethod> = Api[M] extends { output: infer O extends z.ZodType } ? z.output<O> : never;
export type Item<M extends StreamMethod> = Api[M] extends { item: infer O extends z.ZodType } ? z.output<O> : never;

export interface CallContext {
  /** Aborted when the client cancels or goes away. */
  signal: AbortSignal;
}

/** One function a method. A stream handler is an async generator: it must stop when the signal aborts. */
export type Handlers = {
  [M in CallMethod]: (input: ParsedInput<M>, context: CallContext) => Promise<Output<M>>;
} & {
  [M in StreamMethod]: (input: ParsedInput<M>, context: CallContext) => AsyncIterable<Item<M>>;
};

/** The same API as a client sees it, whatever the transport. */
export interface Client {
  call<M extends CallMethod>(method: M, input: Input<M>, options?: { signal?: AbortSignal }): Promise<Output<M>>;
  stream<M extends StreamMethod>(
    method: M,
    input: Input<M>,
    options?: { signal?: AbortSignal },
  ): AsyncIterable<Item<M>>;
  close(): void;
}
