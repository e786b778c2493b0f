import { z } from "zod";
import { type ImportedRecord, operations, type StoredRecord } from "#contract";
import written from "./questions.json" with { type: "json" };

/**
 * Where a record of the sample stands, the same on every machine and re-import:
 * `mail:<Message-ID>`, `chat:<title>|<local minute>|<sender>`, `photo:photos/<year>/<name>`.
 */
export const locatorSchema = z
  .string()
  .regex(/^(mail:[^\s<>]+@[^\s<>]+|chat:[^|]+\|\d{4}-\d\d-\d\dT\d\d:\d\d\|[^|]+|photo:photos\/\d{4}\/[^/]+)$/);

export const questionTags = [
  "one",
  "several",
  "time",
  "changed",
  "contradiction",
  "picture",
  "count",
  "list",
  "yesno",
  "who",
  "where",
  "when",
  "how-much",
  "what",
  "german",
  "unanswerable",
] as const;

export const sampleQuestionSchema = z.object({
  id: z.string().regex(/^[a-z0-9-]+$/),
  question: z.string().min(1),
  /** Short; null when the archive does not say. */
  answer: z.string().min(1).nullable(),
  /** Every record that states the answer or a part of it; for a changed fact the newest first. Empty when unanswerable. */
  gold: z.array(locatorSchema),
  operation: z.enum(operations),
  tags: z.array(z.enum(questionTags)).min(1),
  /** `ocr`: only words inside a picture answer it. */
  needs: z.enum(["ocr"]).optional(),
});
export type SampleQuestion = z.infer<typeof sampleQuestionSchema>;

/** The questions about the sample household, parsed. */
export function loadQuestions(): SampleQuestion[] {
  return z.array(sampleQuestionSchema).parse(written);
}

/** What a visitor is offered to ask first: a change of date, a price that two people remember differently, one plain fact. */
const firstIds = ["engineer-visit", "boiler-price", "kayak-order-number", "concert-date"];

export function firstQuestions(): string[] {
  return loadQuestions()
    .filter(({ id }) => firstIds.includes(id))
    .map(({ question }) => question);
}

/** The locator of a record that came from the sample, as the gold of the questions writes it. */
export function locatorOf(record: StoredRecord | ImportedRecord): string {
  if (record.kind === "email") return `mail:${(record.nativeId ?? "").replace(/^<|>$/g, "")}`;
  if (record.kind === "photo") {
    const path = record.files[0]?.path ?? "";
    return `photo:${path.slice(Math.max(0, path.indexOf("photos/")))}`;
  }
  const minute = (record.time?.local ?? "").slice(0, 16);
  return `chat:${record.container?.title ?? ""}|${minute}|${record.author?.name ?? "system"}`;
}
