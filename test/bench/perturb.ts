import { sentencesOf } from "#main/views/language/index.ts";
import type { Dialogue, Question, Turn } from "./dialogues.ts";

/**
 * A dialogue as people type it in a messenger: several messages a thought, lower case, few signs, typos, short forms,
 * nicknames, replies out of order, "ok" and "haha" between them. The same input gives the same output.
 *
 * A turn that was split is found when any of its messages is: its parts carry its id in `part`.
 */

/** How often each thing happens: per turn, message, word or question. */
const rates = {
  split: 0.75,
  lower: 0.75,
  noSigns: 0.65,
  typo: 0.03,
  short: 0.7,
  nickname: 0.6,
  swap: 0.06,
  filler: 0.15,
} as const;

/** Seconds between the messages of one thought. */
const betweenParts = 7;

const fillers = [
  "ok",
  "haha",
  "yes!!",
  "lol",
  "true",
  "aww",
  "omg",
  "yeah",
  "no way",
  "😂",
  "👍",
  "hm",
  "nice",
  "k",
  "oh",
];

export const shortForms: readonly (readonly [RegExp, string])[] = [
  [/\bgoing to\b/gi, "gonna"],
  [/\bwant to\b/gi, "wanna"],
  [/\bby the way\b/gi, "btw"],
  [/\bto be honest\b/gi, "tbh"],
  [/\bI don['’]?t know\b/gi, "idk"],
  [/\bbecause\b/gi, "cuz"],
  [/\breally\b/gi, "rly"],
  [/\bprobably\b/gi, "prob"],
  [/\btomorrow\b/gi, "tmrw"],
  [/\btonight\b/gi, "2nite"],
  [/\bthough\b/gi, "tho"],
  [/\bthanks\b/gi, "thx"],
  [/\bplease\b/gi, "pls"],
  [/\bpeople\b/gi, "ppl"],
  [/\babout\b/gi, "abt"],
  [/\bwith\b/gi, "w"],
  [/\byou\b/gi, "u"],
  [/\byour\b/gi, "ur"],
  [/\bare\b/gi, "r"],
  [/\bbirthday\b/gi, "bday"],
  [/\bfavou?rite\b/gi, "fav"],
  [/\bweekend\b/gi, "wknd"],
  [/\bpictures?\b/gi, "pic"],
  [/\bphotos?\b/gi, "pic"],
];

/** Usual short forms; other names are cut after their first closed syllable. */
const usual: Readonly<Record<string, string>> = {
  caroline: "Caro",
  melanie: "Mel",
  gina: "Gigi",
  jon: "Jonny",
  john: "Johnny",
  joanna: "Jo",
  tim: "Timmy",
  james: "Jim",
  andrew: "Andy",
  calvin: "Cal",
  dave: "Davey",
  sam: "Sammy",
  deborah: "Debbie",
};

export function nicknameOf(name: string): string {
  const known = usual[name.toLowerCase()];
  if (known !== undefined) return known;
  const cut = /^[^aeiouy]*[aeiouy]+[^aeiouy]/i.exec(name)?.[0];
  return name.length > 4 && cut !== undefined && cut.length < name.length ? cut : name;
}

/** Seeded uniform numbers in [0, 1) (Lehmer's generator). */
export function randomOf(seed: string): () => number {
  let state = 1;
  for (const sign of seed) state = (state * 31 + (sign.codePointAt(0) ?? 0)) % 2_147_483_647 || 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

export type Random = () => number;

/** Two letters exchanged, one left out, one twice or its neighbour on the keyboard: never the first one of a word. */
export function mistyped(word: string, random: Random): string {
  if (word.length < 4) return word;
  const at = 1 + Math.floor(random() * (word.length - 2));
  const [before, one, next, after] = [word.slice(0, at), word[at] ?? "", word[at + 1] ?? "", word.slice(at + 2)];
  const kind = Math.floor(random() * 4);
  if (kind === 0) return `${before}${next}${one}${after}`;
  if (kind === 1) return `${before}${next}${after}`;
  if (kind === 2) return `${before}${one}${one}${next}${after}`;
  const rows = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
  const row = rows.find((keys) => keys.includes(one.toLowerCase())) ?? one;
  const beside = row[row.indexOf(one.toLowerCase()) + 1] ?? row[row.indexOf(one.toLowerCase()) - 1] ?? one;
  return `${before}${beside}${next}${after}`;
}

function typed(text: string, names: readonly string[], random: Random): string {
  let said = text;
  for (const name of names)
    if (random() < rates.nickname) said = said.replace(new RegExp(`\\b${name}\\b`, "g"), nicknameOf(name));
  for (const [long, short] of shortForms) if (random() < rates.short) said = said.replace(long, short);
  const lower = random() < rates.lower;
  const bare = random() < rates.noSigns;
  said = said.replace(/\p{L}{4,}/gu, (word) => (random() < rates.typo ? mistyped(word, random) : word));
  if (lower) said = said.toLowerCase();
  // Figures keep their point: "3.5", "10:30".
  if (bare) said = said.replace(/['’]/g, "").replace(/[.,;:!?"“”()—–-]+(?!\d)/g, " ");
  return said.replace(/\s+/g, " ").trim();
}

/** Messages of a turn, in their order; the picture comes with the last one. */
function partsOf(turn: Turn, names: readonly string[], random: Random): Turn[] {
  const spans = random() < rates.split ? sentencesOf(turn.text) : [{ start: 0, end: turn.text.length }];
  const said = spans.map(({ start, end }) => typed(turn.text.slice(start, end), names, random)).filter(Boolean);
  const texts = said.length > 0 ? said : [""];
  return texts.map((text, at) => ({
    ...turn,
    id: `${turn.id}/${at + 1}`,
    part: turn.id,
    text,
    caption: at === texts.length - 1 ? turn.caption : null,
    at: new Date(turn.at.getTime() + at * betweenParts * 1_000),
  }));
}

/** Within an hour of each other. */
export const sameSession = (a: Turn, b: Turn) => Math.abs(a.at.getTime() - b.at.getTime()) < 3_600_000;

/** Some messages change places with the next one of the same session, their times too. */
function swapped(turns: readonly Turn[], random: Random): Turn[] {
  const result = [...turns];
  for (let at = 0; at + 1 < result.length; at++) {
    const [one, next] = [result[at], result[at + 1]];
    if (!one || !next || random() >= rates.swap || !sameSession(one, next)) continue;
    result[at] = { ...next, at: one.at };
    result[at + 1] = { ...one, at: next.at };
    at++;
  }
  return result;
}

export function perturb(dialogue: Dialogue): Dialogue {
  const random = randomOf(dialogue.name);
  const speakers = [...new Set(dialogue.turns.flatMap(({ speaker }) => speaker ?? []))];
  const names = speakers.map((name) => name.replace(/[^\p{L} ]/gu, ""));
  const said = swapped(
    dialogue.turns.flatMap((turn) => partsOf(turn, names, random)),
    random,
  );
  const turns = said.flatMap((turn, at): Turn[] => {
    if (random() >= rates.filler) return [turn];
    const speaker = speakers.find((one) => one !== turn.speaker) ?? turn.speaker;
    const text = fillers[Math.floor(random() * fillers.length)] ?? "ok";
    const filler = { id: `filler/${at}`, speaker, text, caption: null, imageQuery: null };
    return [turn, { ...filler, at: new Date(turn.at.getTime() + 3_000) }];
  });
  const questions = dialogue.questions.map(
    (one): Question => ({ ...one, question: typed(one.question, names, random) }),
  );
  return { name: `${dialogue.name}, perturbed`, turns, questions };
}
