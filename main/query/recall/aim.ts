import type { QueryPlan } from "#contract";

/** What kind of thing an answer would be, as far as it changes which records are likely to say it. */
export type Aim = "when" | "number" | "where" | "name" | "why" | "yesno" | "what";

/** The planner's answer type, and what its words say beyond it: a title or a name stands with capitals or in quotation marks. */
export function aimOf({ question, answerType, intent }: QueryPlan): Aim {
  const text = question.slice(0, 2_000);
  if (answerType === "date") return "when";
  if (answerType === "number" || answerType === "amount" || answerType === "duration") return "number";
  if (answerType === "place") return "where";
  if (answerType === "person" || /\b(?:names?|called|titled?|named|heißt|heißen|namens|genannt|titel)\b/iu.test(text))
    return "name";
  if (intent === "why") return "why";
  return answerType === "yesno" ? "yesno" : "what";
}

const picture =
  /(?<!\p{L})(?:(?:image|picture|photo(?:graph)?|pic|snapshot|selfie|screenshot|illustration|foto|schnappschuss)s?|bild(?:e?s|er|ern)?|abbildung(?:en)?|aufnahmen?|bildschirmfotos?|schnappschüssen?)(?!\p{L})/iu;

/** "Which picture shows …", "the photo of …", "auf dem Bild": what is asked about was shown. */
export function asksPicture({ question }: Pick<QueryPlan, "question">): boolean {
  return picture.test(question.slice(0, 2_000));
}
