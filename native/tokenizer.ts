import { Tokenizer } from "@huggingface/tokenizers";

export interface TextTokenizer {
  /** Token ids with the model's marks around them ([CLS] … [SEP]); at least the marks, at most `maxTokens`. */
  encode(text: string): number[];
}

/**
 * Characters of a text that are looked at for each token that is kept: no language needs more, and two million
 * characters are not taken apart to keep 256 tokens.
 */
const charactersPerToken = 64;

/**
 * Makes a tokenizer from the parsed `tokenizer.json` and `tokenizer_config.json` of a model. No file and no address is
 * ever opened here. Texts are cut at `maxTokens` as the reference implementation does: the last mark stays last.
 */
export function openTokenizer(tokenizerJson: object, config: object, maxTokens: number): TextTokenizer {
  const tokenizer = new Tokenizer(tokenizerJson, config);
  const marks = tokenizer.encode("").ids;
  const closing = tokenizer.encode("a").ids.at(-1) === marks.at(-1) ? marks.at(-1) : undefined;
  const longest = maxTokens * charactersPerToken;

  return {
    encode(text) {
      const ids = tokenizer.encode(text.length > longest ? text.slice(0, longest) : text).ids;
      if (ids.length <= maxTokens) return ids;
      const kept = ids.slice(0, maxTokens);
      if (closing !== undefined) kept[maxTokens - 1] = closing;
      return kept;
    },
  };
}
