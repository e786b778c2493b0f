import type { QueryPlan } from "#contract";
import type { IndexReader, TokenReading } from "#main/indexes/ports.ts";
import { fold, stem, wordsOf } from "../views/language/index.ts";
import type { QueryPorts, QuestionVectors } from "./ports.ts";
import { phrases } from "./read/phrases.ts";
import { termExpression } from "./recall/asked.ts";
import { type OtherWords, otherWordsOf } from "./recall/otherwise.ts";
import { asksPictures } from "./recall/pictures.ts";

/** Words of a question that the archive does not have and that are embedded with it. */
const strangeWords = 4;

/** Without a model, or when it fails, full text and structure answer alone; the result says so. */
export async function embedQuestion(
  plan: QueryPlan,
  { embedder, index }: QueryPorts,
  signal: AbortSignal | undefined,
): Promise<{ vectors: QuestionVectors; notes: string[] }> {
  const none = { text: null, seen: null, picture: null };
  const notes = [phrases[plan.language].noModel];
  if (embedder === null) return { vectors: none, notes };
  // Only vectors of the same model can be compared: the question is put to the one whose vectors are there.
  const { serving } = index.status();
  const translations = otherWordsOf(plan, index);
  const question = inArchivesWords(plan.question.slice(0, 2_000), plan, index, translations);
  // "Photos of a cup of coffee": a label is compared with the cup of coffee, not with the asking.
  const sight = asksPictures(plan) ? plan.terms.join(" ").slice(0, 500) : null;
  try {
    const further = serving.encoders.map(({ model }) => model).filter((model) => model !== serving.text);
    // What the archive does not say itself is compared with what it does say: "pets" with its dogs.
    const strange =
      serving.text === null ? [] : plan.terms.filter((term) => !index.hasWord(term)).slice(0, strangeWords);
    const tokens = new Map<string, TokenReading>();
    const kept = new Set(serving.encoders.filter((one) => one.tokens).map(({ model }) => model));
    /** By one pass, tokens too where the archive's are kept. */
    const put = async (model: string): Promise<Float32Array | null> => {
      if (!kept.has(model) || embedder.reading === undefined) return embedder.question(question, model, signal);
      const reading = await embedder.reading(question, model, signal);
      if (reading !== null) tokens.set(model, reading);
      return reading?.vector ?? null;
    };
    // Words and labels of the archive were no questions when they were embedded.
    const phrase = async (words: string): Promise<Float32Array | null> =>
      serving.text === null
        ? null
        : embedder.phrase === undefined
          ? embedder.question(words, serving.text, signal)
          : embedder.phrase(words, serving.text, signal);
    // Most encoders read English alone: a German word is put to them in English, an English one as the archive calls it.
    const toEmbed = (word: string): string => {
      const other = translations.get(stem(fold(word)));
      return other !== undefined && (plan.language === "de" || other.records > 0) ? other.word : word;
    };
    const [text, seen, picture, ...others] = await Promise.all([
      serving.text === null ? null : put(serving.text),
      sight === null ? null : phrase(sight),
      serving.picture === null ? null : embedder.picture(sight ?? question, serving.picture, signal),
      // A further encoder that fails costs its own evidence only.
      ...further.map((model) => put(model).catch(() => null)),
      ...strange.map((word) => phrase(toEmbed(word)).catch(() => null)),
    ]);
    const named = (names: readonly string[], from: number) =>
      new Map(
        names.flatMap((name, at) => {
          const vector = others[from + at];
          return vector ? [[name, vector] as const] : [];
        }),
      );
    const [more, words] = [named(further, 0), named(strange, further.length)];
    return {
      vectors: { text, seen, picture, more, tokens, words },
      notes: serving.text !== null && text === null ? notes : [],
    };
  } catch (error) {
    if (signal?.aborted) throw error;
    return { vectors: none, notes };
  }
}

/**
 * The question with what the archive's language calls the words that the archive never says: an encoder that reads one
 * language compares "Scholle" with "Scholle", and not with "plaice".
 */
function inArchivesWords(question: string, plan: QueryPlan, index: IndexReader, others: OtherWords): string {
  if (others.size === 0) return question;
  let text = question;
  for (const { start, end, folded } of wordsOf(question).toReversed()) {
    const other = others.get(stem(folded));
    if (other === undefined || other.records === 0) continue;
    const own = termExpression(index, folded, plan);
    if (own === null || index.countText(own, 1) > 0) continue;
    text = text.slice(0, start) + other.word + text.slice(end);
  }
  return text;
}
