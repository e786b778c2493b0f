import { z } from "zod";
import { queryPlanSchema, verdictSchema } from "./ask.ts";
import { recordIdSchema } from "./records.ts";

export const newFeedbackSchema = z.object({
  /** The plan that the question was asked by; the question stands in it. */
  plan: queryPlanSchema,
  verdict: verdictSchema,
  /** Records that it is about: one piece of evidence, or all that an answer cites. */
  records: z.array(recordIdSchema).max(50),
  /** Said of the answer and not of one record of it. */
  whole: z.boolean(),
});
export type NewFeedback = z.infer<typeof newFeedbackSchema>;

/** Feedback as it is kept: in this archive alone, and no longer than the records that it is about. */
export const feedbackSchema = newFeedbackSchema.extend({
  id: z.number().int().positive(),
  /** ISO UTC. */
  at: z.string(),
});
export type Feedback = z.infer<typeof feedbackSchema>;
