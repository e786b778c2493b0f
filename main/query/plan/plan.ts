import { emptyPlan, type QueryPlan, type RecordKind } from "#contract";
import {
  type DateMention,
  findDates,
  findSpans,
  fold,
  isStopWord,
  type Language,
  languageOf,
  wordsOf,
  yearOf,
} from "../../views/language/index.ts";
import type { NamedPerson, PeopleIndex } from "./people.ts";

/** What the planner knows of the world: nothing but this. */
export interface PlanContext {
  /** Local day on which the question is asked. */
  readonly today: string;
  /** Local days of the archive's first and last record; null when it is empty. */
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  readonly people: PeopleIndex;
}

/** Characters of a question that are read: what comes after says nothing more about what is wanted. */
const readLength = 2_000;
const termLimit = 32;
/** Years a date without one can mean; older ones than the archive's last forty are not tried. */
const yearLimit = 40;

/** Question → plan, by rules alone: the same question on the same day over the same archive gives the same plan. */
export function planQuestion(question: string, context: PlanContext): QueryPlan {
  const text = question.slice(0, readLength);
  const language = languageOf(text);
  const people = context.people.find(text);
  const { dates, said } = timesOf(text, context);
  const kinds = kindsOf(text);
  const answerType = answerTypeOf(text);
  const operation = operationOf(text, answerType);
  return {
    ...emptyPlan(question),
    language,
    intent: intentOf(text, answerType),
    operation,
    answerType: operation === "union" && answerType === "text" ? "list" : answerType,
    windows: windowsOf(dates),
    people: people.map(({ personId, name }) => ({ personId, name })),
    places: placesOf(text, people, dates, language),
    kinds: [...kinds.keys()],
    terms: termsOf(text, language, [...people, ...said, ...[...kinds.values()].flat()]),
  };
}

interface Times {
  readonly dates: readonly DateMention[];
  /** Stretches of the question that only say when. */
  readonly said: readonly { start: number; end: number }[];
}

function timesOf(text: string, { today, firstDay, lastDay }: PlanContext): Times {
  const last = lastDay === null ? yearOf(today) : yearOf(lastDay);
  const first = Math.max(firstDay === null ? last : yearOf(firstDay), last - yearLimit + 1);
  const years = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const spans = findSpans(text, years);
  const free = ({ start, end }: DateMention) => !spans.some((span) => start < span.end && span.start < end);
  const found = findDates(text, { reference: today, years }).filter(free);
  // "Last summer" asked of an archive that ended years ago can only mean the archive's own last summer.
  const outside = found.length > 0 && found.every((date) => date.relative && lastDay !== null && date.from > lastDay);
  const dates = outside ? findDates(text, { reference: lastDay, years }).filter(free) : found;
  const named = spans.map(({ name: _, ...span }) => ({ ...span, unit: "day" as const, relative: false }));
  // A holiday's name is looked for in texts; the year behind it is not.
  const said = spans.map(({ start, end, name }) => ({ start: name === null ? start : name.end, end }));
  return { dates: [...dates, ...named], said: [...dates, ...said] };
}

/** A bare year counts only when nothing narrower is named (recall study, feature `win`). */
function windowsOf(dates: readonly DateMention[]): QueryPlan["windows"] {
  const narrow = dates.filter(({ unit }) => unit !== "year");
  const chosen = narrow.length > 0 ? narrow : dates;
  return chosen.map(({ from, to, text }) => ({ from, to, text }));
}

const patterns = {
  date: /^\W*(?:when|since when|wann|seit wann|bis wann)\b|\b(?:what|which|welche[mnrs]?) (?:date|day|month|year|time|datum|tag|monat|jahr)\b|how long ago|\bwhen (?:did|does|is|was|are|were|will|do)\b|\bum wie ?viel uhr\b/i,
  duration: /\bhow long\b|\bwie lange\b/i,
  amount:
    /\bfor how much\b|\bhow much (?:a|per|each|is|was|are|were) \b|\b(?:how much|wie ?viel)\b.*\b(?:costs?|pay|paid|price|spen[dt]|owe|worth|charge[ds]?|bill|total|fee|rent|euros?|dollars?|kostet|kosten|gekostet|bezahl\p{L}*|zahl\p{L}*|preis|miete|schulde\p{L}*)\b|\b(?:what|was|wie hoch)\b.*\b(?:cost|price|amount|total|rent|fee|salary|wage|budget|deposit|gehalt|lohn|budget|kaution|kostet|kosten|gekostet|preis|betrag|summe|miete|gebühr)\b|\bhow expensive\b|\bwie teuer\b/iu,
  number:
    /\b(?:how (?:many|much|old|often|far|big|tall)|wie ?(?:viele?|alt|oft|weit|groß|hoch))\b|\bwhat (?:number|percentage)\b|\b(?:phone|order|booking|invoice|account|flight|room|ticket|confirmation|tracking|reference)[- ]?(?:number|no|code)\b|\b\p{L}*nummer\b|\b(?:what|which) (?:is|was) .*\b(?:number|code|reference)\b/iu,
  person:
    /^\W*(?:who|whom|whose|wer|wen|wem|wessen)\b|\b(?:with|from|to|by) (?:whom|who)\b|\b(?:mit|von|an|bei) wem\b|^\W*(?:which|welche[rsn]?) (?:person|friend|colleague|people|freund\p{L}*|kolleg\p{L}*)\b/iu,
  place:
    /^\W*(?:where|wo|wohin|woher)\b|\b(?:in|at|to|which|what|welche[rmns]?|in welche[rmns]?) (?:which |what )?(?:city|country|place|town|restaurant|hotel|location|address|state|stadt|land|ort|adresse)\b/iu,
  yesno:
    /^\W*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|am|should|ist|sind|war|waren|hat|hast|habe|haben|hatte|hatten|kann|kannst|können|wird|werden|gibt|gab|muss|soll|darf|bin)\b/iu,
  list: /\b(?:list|all (?:the|my)|everything|names of|alle|liste|sämtliche|aufzähl\p{L}*)\b|^\W*(?:show|find|zeige?|finde|suche)\b|^\W*(?:what|which)(?: (?:kinds?|types?|sorts?|specific|different|other)(?: of)?)? (?:\p{L}+ ){0,2}?(?!(?:was|is|has|does|this|his|business|class|address)\b)\p{L}{2,}(?<!s)s (?:has|have|does|do|did|are|were)\b|^\W*welche (?:\p{L}+ ){0,2}(?:habe?n?|hat|sind|gibt|waren)\b/iu,
} as const;

export function answerTypeOf(text: string): QueryPlan["answerType"] {
  if (patterns.date.test(text)) return "date";
  if (patterns.duration.test(text)) return "duration";
  if (patterns.amount.test(text)) return "amount";
  if (patterns.number.test(text)) return "number";
  if (patterns.person.test(text)) return "person";
  if (patterns.place.test(text)) return "place";
  if (patterns.list.test(text)) return "list";
  return patterns.yesno.test(text) || germanVerbFirst(text) ? "yesno" : "text";
}

/** "Geht Opa wieder ohne Stock?": in German a verb before its subject asks for yes or no. */
function germanVerbFirst(text: string): boolean {
  const first = /^\W*(\p{Lu}\p{Ll}{2,}t(?:e|en|est)?)\s/u.exec(text)?.[1];
  if (first === undefined || !text.trim().endsWith("?") || languageOf(text) !== "de") return false;
  return !isStopWord(fold(first), "de") && !askWords.has(fold(first)) && !/^w(?:er|as|o|an?n|ie|el|e[ns])/i.test(first);
}

function operationOf(text: string, answerType: QueryPlan["answerType"]): QueryPlan["operation"] {
  if (
    /\b(?:last time|most recent(?:ly)?|latest|newest|zuletzt|letzte[sn]? mal|neueste[nrs]?|aktuell\p{L}*|(?:did|has|have) .* last\b)/iu.test(
      text,
    )
  )
    return "latest";
  if (
    /\b(?:how (?:many times|often)|how many (?:photos?|pictures?|videos?|e-?mails?|messages?|notes?|events?)|wie oft|wie viele (?:fotos|bilder|videos|e-?mails|nachrichten|notizen|termine))\b/iu.test(
      text,
    )
  )
    return "count";
  if (
    /\b(?:difference|compare[ds]?|cheaper|more expensive|older than|earlier than|later than|vergleich\p{L}*|unterschied|billiger|teurer|älter als|früher als)\b/iu.test(
      text,
    )
  )
    return "compare";
  if (/\b(?:both|in common|sowohl|beide[nr]?|gemeinsam)\b/iu.test(text)) return "intersection";
  if (answerType === "list") return "union";
  return answerType === "date" || answerType === "duration" ? "temporal" : "single";
}

function intentOf(text: string, answerType: QueryPlan["answerType"]): QueryPlan["intent"] {
  if (/^\W*(?:why|how come|warum|wieso|weshalb)\b|\b(?:reason|grund)\b/iu.test(text)) return "why";
  if (answerType === "date" || answerType === "duration") return "when";
  return answerType === "person" || answerType === "place" ? "entity" : "what";
}

const kindWords: readonly (readonly [RegExp, readonly RecordKind[]])[] = [
  [
    /\b(?:photo(?:graph)?s?|pictures?|pics?|snapshots?|photographed|fotografiert|fotos?|bilde?r?n?|aufnahmen?)\b/giu,
    ["photo"],
  ],
  [/\b(?:videos?|clips?)\b/giu, ["video"]],
  [/\b(?:e-?mails?|mails?)\b/giu, ["email"]],
  [/\b(?:chats?|texts?(?= (?:from|to|with|messages?))|whatsapps?|chat ?nachrichten)\b/giu, ["message"]],
  [/\b(?:appointments?|calendar|kalender\p{L}*|termine?n?)\b/giu, ["event"]],
  [/\b(?:voice messages?|voice memos?|sprachnachrichten?)\b/giu, ["audio"]],
];

/**
 * Kinds that the question asks for, with the words that said so. A word for a kind counts where records are wanted
 * ("photos of", "emails from", "show me"), not where it is what is talked about ("who took the picture").
 */
function kindsOf(text: string): Map<RecordKind, { start: number; end: number }[]> {
  const kinds = new Map<RecordKind, { start: number; end: number }[]>();
  const wanting =
    /^\W*(?:show|find|list|any|search|zeige?|finde|suche|gibt es|how many|wie viele|which|welche|what|all|alle)\b/iu.test(
      text,
    );
  for (const [pattern, named] of kindWords) {
    for (const match of text.matchAll(pattern)) {
      const after = text.slice(match.index + match[0].length);
      const asked =
        wanting || /^\s*(?:of|from|by|with|about|taken|sent|showing|in|at|von|vom|aus|mit|über|an|im)\b/iu.test(after);
      if (!asked) continue;
      for (const kind of named) {
        kinds.set(kind, [...(kinds.get(kind) ?? []), { start: match.index, end: match.index + match[0].length }]);
      }
    }
  }
  return kinds;
}

/** Capitalised words after a word of place that are neither a person nor a time. */
function placesOf(
  text: string,
  people: readonly NamedPerson[],
  dates: readonly DateMention[],
  language: Language,
): string[] {
  const pattern =
    /(?<!\p{L})(?:in|at|from|near|to|around|visit(?:ed|ing)?|nach|aus|bei)\s+((?:\p{Lu}[\p{L}'’-]+)(?:\s+\p{Lu}[\p{L}'’-]+){0,2})/gu;
  const places = new Set<string>();
  for (const match of text.matchAll(pattern)) {
    const name = match[1] ?? "";
    const start = match.index + match[0].length - name.length;
    const taken = [...people, ...dates].some((one) => start < one.end && one.start < start + name.length);
    // In German every noun has a capital: only what is not a common word form stays, and that is not known here.
    if (!taken && !isStopWord(fold(name), language)) places.add(name);
  }
  return [...places];
}

/** Words that ask, and never say what for. */
const askWords = new Set(
  "show find list tell give search name remember know think please zeig zeige finde suche sag nenne bitte".split(" "),
);

/** Verbs and measures that carry little: left out as long as something stronger is left. */
const weakWords = new Set(
  "taking place happening still planned go goes going went gone get gets got take takes took taken make makes made come comes came write writes wrote written say says said talk talked mention mentioned happen happened cost costs price pay paid much often long new called use used want wanted like first last time times day date year month week gehen ging gegangen machen gemacht schreiben schrieb geschrieben sagen gesagt nehmen kostet kosten gekostet preis bezahlt hoch teuer lange oft passiert erwahnt letzte letzten letztes mal".split(
    " ",
  ),
);

function termsOf(text: string, language: Language, taken: readonly { start: number; end: number }[]): string[] {
  const terms = new Map<string, string>();
  for (const word of wordsOf(text)) {
    if (taken.some(({ start, end }) => word.start < end && start < word.end)) continue;
    // "Tom's list" is a thing, "list the mails" an order.
    const thing = /(?:['’]s|\p{L}s['’]|my|our|the|a|to-?do|shopping)\s+$/iu.test(text.slice(0, word.start));
    if (isStopWord(word.folded, language) || (askWords.has(word.folded) && !(thing && word.folded === "list")))
      continue;
    if (word.folded.length < 2 && !/\d/.test(word.folded)) continue;
    if (!terms.has(word.folded)) terms.set(word.folded, word.text);
    if (terms.size === termLimit) break;
  }
  const strong = [...terms].filter(([folded]) => !weakWords.has(folded));
  const named = taken.length > 0;
  return (strong.length > 0 || named ? strong : [...terms]).map(([, text]) => text);
}
