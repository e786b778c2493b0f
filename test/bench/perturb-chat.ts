import { contentStems, sentencesOf, stem, wordsOf } from "#main/views/language/index.ts";
import type { Dialogue, Question, Turn } from "./dialogues.ts";
import { mistyped, nicknameOf, type Random, randomOf, sameSession, shortForms } from "./perturb.ts";

/**
 * A dialogue as two people chat over weeks: greetings, a thought broken off anywhere, words drawn out, left out or from
 * another language, what was just said not said again, typos put right afterwards ("*beach"), one-word replies, replies that
 * come late. Rougher than `perturb`; the questions stay as they are, for whoever asks about a chat later asks in whole
 * sentences, and what answers is a message, not a turn.
 */

/** How often each thing happens: per session, turn, message, clause or word. */
const rates = {
  greeting: 0.7,
  splitSentence: 0.6,
  splitClause: 0.3,
  nickname: 0.5,
  short: 0.45,
  noSubject: 0.35,
  noArticle: 0.12,
  ellipsis: 0.5,
  borrowed: 0.4,
  drawnOut: 0.35,
  typo: 0.035,
  corrected: 0.3,
  lower: 0.65,
  noSigns: 0.55,
  emoji: 0.12,
  otherSays: 0.15,
  sameSays: 0.05,
  swap: 0.06,
  late: 0.04,
} as const;

/** Turns that a late message comes later by. */
const latest = 4;

/** Seconds between messages: LoCoMo's layout has the time of a session alone. */
const between = 20;

const greetings = [
  "heyy",
  "hiii",
  "hey!!",
  "good morninggg",
  "yo",
  "hellooo",
  "hey hows it going",
  "hi how r u",
  "sup",
];
const greeted = ["hii", "heyyy", "im good hbu", "good u?", "hey 😊", "tired lol", "not bad hby"];
const otherSays = [
  "ok",
  "haha",
  "hahaha",
  "lol",
  "yesss",
  "omg",
  "no way",
  "yeah",
  "aw",
  "😂😂",
  "❤️",
  "nice",
  "true",
  "same",
];
const sameSays = ["lol", "wait", "haha", "anyway", "idk", "but yeah", "sorry just saw this", "brb"];
const emojis = ["😂", "😭", "❤️", "🙏", "🔥", "😊", "🥺", "👀"];

const drawnOut =
  /\b(so|no|yes|hey|yay|wow|love|good|nice|really|very|please|cool|yum|cute|awesome|great|happy|much)\b/gi;

/** What people mix in who grew up with another language; each dialogue has one of them. */
const tongues: readonly (readonly (readonly [RegExp, string])[])[] = [
  [
    [/\bthanks|thank you\b/gi, "gracias"],
    [/\bgrand(?:ma|mother)\b/gi, "abuela"],
    [/\bparty\b/gi, "fiesta"],
    [/\bfriends?\b/gi, "amigos"],
    [/\b(?:mom|mother)\b/gi, "mama"],
    [/\bof course\b/gi, "claro"],
    [/\bhome\b/gi, "casa"],
  ],
  [
    [/\bthanks|thank you\b/gi, "danke"],
    [/\bgrand(?:ma|mother)\b/gi, "oma"],
    [/\bparty\b/gi, "feier"],
    [/\bof course\b/gi, "klar"],
    [/\bvacation\b/gi, "urlaub"],
    [/\bexactly\b/gi, "genau"],
  ],
  [
    [/\bthanks|thank you\b/gi, "merci"],
    [/\bgrand(?:ma|mother)\b/gi, "mamie"],
    [/\bparty\b/gi, "soirée"],
    [/\bof course\b/gi, "bien sûr"],
    [/\bfriends?\b/gi, "amis"],
    [/\bexactly\b/gi, "exactement"],
  ],
];

const oneOf = (list: readonly string[], random: Random): string => list[Math.floor(random() * list.length)] ?? "";

/** Sentences, some of them broken off before "and", "but", "because". */
function spansOf(text: string, random: Random): string[] {
  const pieces: string[] = [];
  let open = "";
  for (const { start, end } of sentencesOf(text)) {
    const clauses = text.slice(start, end).split(/,? (?=(?:and|but|so|because|which|when) )/);
    for (const [at, clause] of clauses.entries()) {
      const broken = open !== "" && random() < (at === 0 ? rates.splitSentence : rates.splitClause);
      if (broken) pieces.push(open);
      open = broken || open === "" ? clause : `${open} ${clause}`;
    }
  }
  return [...pieces, open].filter(Boolean);
}

interface Said {
  readonly text: string;
  /** The last word with a typo, as it was meant. */
  readonly meant: string | null;
}

function typed(text: string, names: readonly string[], tongue: (typeof tongues)[number], random: Random): Said {
  let said = text;
  for (const name of names)
    if (random() < rates.nickname) said = said.replace(new RegExp(`\\b${name}\\b`, "g"), nicknameOf(name));
  if (random() < rates.noSubject) said = said.replace(/^(?:I|It|We)(?:['’](?:m|ve|ll|s|re))? (?=\p{Ll})/u, "");
  for (const [long, short] of shortForms) if (random() < rates.short) said = said.replace(long, short);
  for (const [own, borrowed] of tongue) if (random() < rates.borrowed) said = said.replace(own, borrowed);
  said = said.replace(/\b(?:the|an?) /g, (word) => (random() < rates.noArticle ? "" : word));
  said = said.replace(drawnOut, (word) =>
    random() < rates.drawnOut ? word + (word.at(-1) ?? "").repeat(1 + Math.floor(random() * 4)) : word,
  );
  let meant: string | null = null;
  said = said.replace(/\p{L}{4,}/gu, (word) => {
    if (random() >= rates.typo) return word;
    meant = word;
    return mistyped(word, random);
  });
  if (random() < rates.lower) said = said.toLowerCase();
  if (random() < rates.noSigns) said = said.replace(/['’]/g, "").replace(/[.,;:!?"“”()—–-]+(?!\d)/g, " ");
  if (random() < rates.emoji) said = `${said} ${oneOf(emojis, random)}`;
  return { text: said.replace(/\s+/g, " ").trim(), meant };
}

/** Messages change places with the next one, or come some places later. */
function outOfOrder(turns: readonly Turn[], random: Random): Turn[] {
  const order = [...turns];
  for (let at = 0; at + 1 < order.length; at++) {
    const by = random() < rates.late ? 2 + Math.floor(random() * (latest - 1)) : random() < rates.swap ? 1 : 0;
    const [one, other] = [order[at], order[at + by]];
    if (by === 0 || !one || !other || !sameSession(one, other)) continue;
    order.splice(at, 1);
    order.splice(at + by, 0, one);
  }
  return order;
}

/** What was said just before is often left out of the reply: "where did you go" – "portugal w my sis". */
function withoutGiven(text: string, given: ReadonlySet<string>, random: Random): string {
  const left = wordsOf(text).filter(({ folded }) => given.has(stem(folded)) && random() < rates.ellipsis);
  const short = left.reduceRight((said, { start, end }) => said.slice(0, start) + said.slice(end), text);
  return contentStems(short, "en").length === 0 ? text : short;
}

/** The message that says most of what is asked and answered, by rare words; of equal ones the longest. */
function tellingOf(
  parts: readonly Piece[],
  { question, answer = "" }: Question,
  rarity: (root: string) => number,
): string {
  const wanted = contentStems(`${question} ${answer}`, "en");
  const worth = ({ meant }: Piece) => {
    const said = new Set(contentStems(meant, "en"));
    return wanted.reduce((sum, root) => sum + (said.has(root) ? rarity(root) : 0), meant.length / 1e4);
  };
  return parts.toSorted((a, b) => worth(b) - worth(a))[0]?.id ?? "";
}

interface Piece {
  readonly id: string;
  /** Before it was typed, with its picture's caption. */
  readonly meant: string;
}

/** `exact`: the gold is, of each turn, the message that tells; else any message of it. */
export function perturbChat(dialogue: Dialogue, { exact = true } = {}): Dialogue {
  const random = randomOf(`${dialogue.name} chat`);
  const speakers = [...new Set(dialogue.turns.flatMap(({ speaker }) => speaker ?? []))];
  const names = speakers.map((name) => name.replace(/[^\p{L} ]/gu, ""));
  const tongue = tongues[Math.floor(random() * tongues.length)] ?? [];
  const otherThan = (speaker: string | null) => speakers.find((one) => one !== speaker) ?? speaker;
  const said: Turn[] = [];
  const pieces = new Map<string, Piece[]>();
  const chat = (speaker: string | null, text: string, at: Date) =>
    said.push({ id: `chat/${said.length}`, speaker, text, caption: null, imageQuery: null, at });
  for (const [nth, turn] of dialogue.turns.entries()) {
    const before = dialogue.turns[nth - 1];
    const replies = before !== undefined && sameSession(before, turn);
    if (!replies && random() < rates.greeting) {
      chat(turn.speaker, oneOf(greetings, random), turn.at);
      chat(otherThan(turn.speaker), oneOf(greeted, random), turn.at);
    }
    const given = new Set(replies ? contentStems(before.text, "en") : []);
    const spans = spansOf(turn.text, random);
    const messages = (spans.length > 0 ? spans : [""]).map((span, at) => ({
      ...typed(withoutGiven(span, given, random), names, tongue, random),
      id: `${turn.id}/${at + 1}`,
      span,
      caption: at === Math.max(0, spans.length - 1) ? turn.caption : null,
    }));
    pieces.set(
      turn.id,
      messages.map(({ id, span, caption }) => ({ id, meant: `${span} ${caption ?? ""}` })),
    );
    for (const { id, text, meant, caption } of messages) {
      said.push({ ...turn, id, part: turn.id, text, caption });
      if (meant !== null && random() < rates.corrected) chat(turn.speaker, `*${meant.toLowerCase()}`, turn.at);
      if (random() < rates.otherSays) chat(otherThan(turn.speaker), oneOf(otherSays, random), turn.at);
      if (random() < rates.sameSays) chat(turn.speaker, oneOf(sameSays, random), turn.at);
    }
  }
  const counts = new Map<string, number>();
  for (const { text } of dialogue.turns)
    for (const root of contentStems(text, "en")) counts.set(root, (counts.get(root) ?? 0) + 1);
  const rarity = (root: string) => Math.log(dialogue.turns.length / (counts.get(root) ?? 1)) + 1;
  const questions = dialogue.questions.map((one) => ({
    ...one,
    gold: exact ? one.gold.map((turn) => tellingOf(pieces.get(turn) ?? [], one, rarity)) : one.gold,
  }));
  return { name: `${dialogue.name}, chat`, turns: timed(outOfOrder(said, random)), questions };
}

/** Messages of a session one after another. */
function timed(turns: readonly Turn[]): Turn[] {
  let [start, since] = [turns[0]?.at ?? new Date(0), 0];
  return turns.map((turn, nth) => {
    const before = turns[nth - 1];
    if (before === undefined || !sameSession(before, turn)) [start, since] = [turn.at, nth];
    return { ...turn, at: new Date(start.getTime() + (nth - since) * between * 1_000) };
  });
}
