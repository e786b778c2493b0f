import { stem, type Word, wordsOf } from "../../../views/language/index.ts";

/** Words of a sentence by what they do in it, as far as a list of the few that hold English sentences together and endings tell. */

/**
 * `D` articles and their like, `P` prepositions, `C` and/or, `S` what begins a clause, `R` pronouns, `B` adverbs, `A` forms of
 * to be, `M` other auxiliaries, `F` what fills talk, `V` verbs, `G` -ing, `E` -ed, `U` names, `X` figures, `N` all else.
 */
export const wordClasses = ["D", "P", "C", "S", "R", "B", "A", "M", "V", "G", "E", "U", "X", "F", "N"] as const;
export type WordClass = (typeof wordClasses)[number];

const lists: Partial<Record<WordClass, string>> = {
  D: "a an the my your his her our their its some any each every another no",
  R: "i you he she it we they me him us them myself yourself himself herself itself ourselves themselves this that these those there here who someone anyone everyone",
  P: "with for in at on to by from about through after before during into onto over since until till like near around without against under between toward towards upon of off out up down back away across along as than per via besides except including behind beside within beyond above below inside outside",
  C: "and or",
  S: "but because so when which what where while if though although whether how why cause cuz",
  A: "am is are was were be been being s m re isn wasn aren weren",
  M: "have has had having ve do did does will would can could should may might must shall ll d t don didn doesn won can couldn wouldn gonna wanna gotta let lets",
  B: "just really very too also even still actually definitely recently lately yesterday today tonight tomorrow now then always never again ever maybe already much more most pretty quite totally super finally soon not only usually often sometimes probably almost ago",
  F: "yeah yes yep yup no nope oh wow hey hi hello thanks thank well sure absolutely exactly totally ok okay um anyway please glad haha lol congrats awesome great cool nice",
};

const held: ReadonlyMap<string, WordClass> = new Map(
  wordClasses.flatMap((kind) => (lists[kind] ?? "").split(" ").map((word) => [word, kind] as const)),
);

/** Verbs of every day in the forms that no ending tells. */
const plainVerbs = new Set(
  "go went gone get got make made take took taken see saw seen know knew think thought give gave find found tell told feel felt become became leave left put keep kept begin began bring brought write wrote written run ran read eat ate drink drank buy bought teach taught sing sang swim swam win won lose lost meet met pay paid sell sold send sent build built say said help use try want need love like enjoy play work start join visit learn plan hope look call move live watch share create spend spent mean means meant hear heard hold held stand stands stood understand fight fought catch caught choose chose grow grew wear wore show shows shown come came set remind reminds helps makes gives brings keeps".split(
    " ",
  ),
);

export const isHeld = (folded: string): boolean => held.has(folded);

export interface Token extends Word {
  readonly kind: WordClass;
  readonly root: string;
  /** What ends behind it: nothing, a clause (1), a sentence (2). */
  readonly closes: 0 | 1 | 2;
  /** Grown together with the next: "dairy-free", "it's". */
  readonly joined: boolean;
  /** Between quotation marks. */
  readonly quoted: boolean;
}

const sentenceEnds = /[.!?](?=\s|$|["”'])|[[\]\n]/u;
const clauseEnds = /[;:,()!?…]|\s[–—-]|[–—-]\s/u;

export function tokensOf(text: string): Token[] {
  const words = wordsOf(text);
  const tokens: Token[] = [];
  let quoted = false;
  for (const [at, word] of words.entries()) {
    const before = text.slice(words[at - 1]?.end ?? 0, word.start);
    for (const mark of before) if (/["“”„]/u.test(mark)) quoted = mark === '"' ? !quoted : mark !== "”";
    const after = text.slice(word.end, words[at + 1]?.start ?? text.length);
    const opens = (tokens[at - 1]?.closes ?? 2) === 2;
    const closes = at === words.length - 1 || sentenceEnds.test(after) ? 2 : clauseEnds.test(after) ? 1 : 0;
    const joined = closes === 0 && /^[-'’&+/.]$/u.test(after);
    tokens.push({ ...word, kind: classOf(word, tokens, opens), root: stem(word.folded), closes, joined, quoted });
  }
  return tokens;
}

function classOf({ text, folded }: Word, before: readonly Token[], opens: boolean): WordClass {
  const kind = held.get(folded);
  if (kind !== undefined) return kind;
  if (/^\d/.test(text)) return "X";
  if (!opens && /^\p{Lu}/u.test(text)) return "U";
  if (folded.length > 4 && folded.endsWith("ing")) return "G";
  const last = before.findLast((one) => one.kind !== "B");
  if (folded.length > 3 && folded.endsWith("ed") && last?.kind !== "D") return "E";
  // "I adopt", "can adopt", "to adopt".
  const after = last?.kind === "M" || (last?.kind === "R" && last.folded !== "that") || last?.folded === "to";
  return after || (plainVerbs.has(folded) && last?.kind !== "D") ? "V" : "N";
}
