/** Questions for what two things have in common: "who was both at the regatta and at the supper". */

export interface Both {
  /** The question with the one thing and with the other, in its own words. */
  readonly sides: readonly [string, string];
}

const ending = "[?.!\\s]*$";
const patterns: readonly RegExp[] = [
  new RegExp(
    `^(?<head>.*?)(?<!\\p{L})both\\s+(?<a>(?:(?:at|in|to|on|with|for|from|of)\\s)?.+?)\\s+and\\s+(?:also\\s+)?(?<b>.+?)${ending}`,
    "iu",
  ),
  new RegExp(
    `^(?<head>\\W*(?:who|which|what)(?!\\p{L}).*?)(?<!\\p{L})(?<a>(?:at|in|to|on|with)\\s.+?)\\s+and(?:\\s+also|\\s+again)?\\s+(?<b>(?:at|in|to|on|with)\\s.+?)${ending}`,
    "iu",
  ),
  new RegExp(`^(?<head>.*?)(?<!\\p{L})sowohl\\s+(?<a>.+?)\\s+als auch\\s+(?<b>.+?)${ending}`, "iu"),
  new RegExp(
    `^(?<head>\\W*(?:wer|welche[rsn]?)(?!\\p{L}).*?)(?<!\\p{L})(?<a>(?:bei|in|auf|an|beim|im|am|mit)\\s.+?)\\s+und(?:\\s+auch)?\\s+(?<b>(?:bei|in|auf|an|beim|im|am|mit)\\s.+?)${ending}`,
    "iu",
  ),
];

/** Null for every other question. */
export function bothOf(question: string): Both | null {
  const text = question.slice(0, 500);
  for (const pattern of patterns) {
    const { head, a, b } = pattern.exec(text)?.groups ?? {};
    if (head !== undefined && a !== undefined && b !== undefined) return { sides: [`${head} ${a}`, `${head} ${b}`] };
  }
  return null;
}
