import { Tokenizer } from "@huggingface/tokenizers";

export interface TextTokenizer {
  /** Token ids with the model's marks around them ([CLS] … [SEP]); at least the marks, at most `maxTokens`. */
  encode(text: string): number[];
  /** The token of an id as the vocabulary writes it ("##ing"); empty for an id that it does not have. */
  piece(id: number): string;
  /**
   * Prepares a first text, and gives the function that sets any second one beside it: `[CLS] first [SEP] second [SEP]`.
   * Only the second is cut, unless the first alone takes more than half of the window: then it is cut to that half.
   */
  pairWith(first: string): (second: string) => TokenPair;
}

/** Two texts as one input; `types` tells for each token to which text it belongs (0, 1), as the model was trained. */
export interface TokenPair {
  readonly ids: readonly number[];
  readonly types: readonly number[];
}

/** What a model sets around its texts, found by tokenising one letter: `before a middle b after`. */
interface Marks {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** Characters that are looked at first for each token that is kept; where they give fewer tokens, more are read. */
const charactersPerToken = 16;

/** Characters of a text that are looked at in any case: blanks, marks and control characters can give no token at all. */
const longest = 1_000_000;

/**
 * Tokens beyond the window that make it sure that cutting the characters changed nothing inside it: longer than any word
 * that WordPiece takes apart (100 characters).
 */
const slack = 128;

/**
 * Makes a tokenizer (WordPiece, unigram or BPE) from the parsed `tokenizer.json` and `tokenizer_config.json` of a model. No
 * file and no address is ever opened here. Lengths that the files set (`truncation`, `padding`) are not followed: only
 * `maxTokens` counts, and the closing marks stay last. Throws what the library throws when the files are not a tokenizer.
 */
export function openTokenizer(tokenizerJson: object, config: object, maxTokens: number): TextTokenizer {
  const tokenizer = new Tokenizer(tokenizerJson, config);
  const [a, b] = ["a", "b"].map((text) => bare(tokenizer, text));
  // The library takes files of unknown kinds and then gives tokens without a number.
  if (!a?.length || !b?.length || ![...a, ...b].every(Number.isInteger)) {
    throw new Error("The tokenizer gives no tokens for a letter.");
  }
  const single = marksAround(tokenizer.encode("a").ids, a);

  /** At most `most` tokens of a text, without marks. A text of two million characters is not taken apart for 256 tokens. */
  function tokensOf(text: string, most: number): number[] {
    // Half a surrogate pair is no character; the replacement mark is what UTF-8 would make of it.
    const whole = text.slice(0, longest).toWellFormed();
    for (let length = most * charactersPerToken; length < whole.length; length *= 4) {
      const ids = bare(tokenizer, whole.slice(0, length).toWellFormed());
      if (ids.length >= most + slack) return ids.slice(0, most);
    }
    return bare(tokenizer, whole).slice(0, most);
  }

  return {
    piece: (id) => tokenizer.id_to_token(id) ?? "",
    encode(text) {
      const { before, after } = single;
      return [...before, ...tokensOf(text, maxTokens - before.length - after.length), ...after];
    },
    pairWith(first) {
      const pair = tokenizer.encode("a", { text_pair: "b", return_token_type_ids: true });
      const opening = marksAround(pair.ids, a);
      const closing = marksAround(opening.after, b);
      const types = pair.token_type_ids;
      const typeOf = (at: number) => types[at] ?? 0;
      const secondAt = opening.before.length + a.length + closing.before.length;
      const firstIds = tokensOf(first, maxTokens >> 1);
      const left = [...opening.before, ...firstIds, ...closing.before];
      const leftTypes = left.map((_, at) =>
        typeOf(at < opening.before.length + firstIds.length ? Math.min(at, opening.before.length) : secondAt - 1),
      );
      return (second) => {
        const secondIds = tokensOf(second, maxTokens - left.length - closing.after.length);
        return {
          ids: [...left, ...secondIds, ...closing.after],
          types: [
            ...leftTypes,
            ...secondIds.map(() => typeOf(secondAt)),
            ...closing.after.map((_, at) => typeOf(secondAt + b.length + at)),
          ],
        };
      };
    },
  };
}

function bare(tokenizer: Tokenizer, text: string): number[] {
  return tokenizer.encode(text, { add_special_tokens: false }).ids;
}

/** What stands before and after `inner` in `ids`. */
function marksAround(ids: readonly number[], inner: readonly number[]): Marks {
  const at = ids.findIndex((_, start) => inner.every((id, i) => ids[start + i] === id));
  if (at < 0) throw new Error("The tokenizer changes a text when it sets its marks.");
  return { before: ids.slice(0, at), after: ids.slice(at + inner.length) };
}
