import type { QueryPlan } from "#contract";
import { answerTypeOf } from "./shape.ts";

/** One thing that a question asks. */
export interface QuestionPart {
  readonly text: string;
  readonly answerType: QueryPlan["answerType"];
}

const asking =
  "(?:for |at |in |on |by |from |um |für |in |mit |von )?(?:what|which|who|whose|where|when|why|how|was|welche[nmrs]?|wer|wessen|wo|wann|warum|wie|wohin)";
const joint = new RegExp(`\\s*,?\\s+(?:and|or|und|oder)\\s+(?=${asking}(?!\\p{L}))`, "iu");

/** What is asked first: "… and how often" beside another question makes no count of it. */
export const leadOf = (question: string): string => question.slice(0, 2_000).split(joint)[0] ?? question;

/** "Where and when was …" asks two things, "What is it called and how heavy was it" too; most questions ask one. */
export function partsOf(plan: QueryPlan): QuestionPart[] {
  const texts = plan.question.slice(0, 2_000).split(joint);
  const [first, ...more] = texts;
  if (first === undefined || more.length === 0 || texts.length > 3) {
    return [{ text: plan.question, answerType: plan.answerType }];
  }
  return texts.map((text) => ({ text, answerType: answerTypeOf(text.trim()) }));
}
