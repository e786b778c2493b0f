import type { QueryPlan } from "#contract";
import { fold, isStopWord } from "../../views/language/index.ts";
import { sidesOf } from "./sides.ts";
import { askWords, questionLanguage } from "./words.ts";

/** What kind of answer a question wants, and what has to be done with records to get it. */

const patterns = {
  date: /^\W*(?:when|since when|quand|cuándo|quando|wanneer|wann|seit wann|bis wann)\b|\b(?:what|which|welche[mnrs]?) (?:date|day|weekday|week|month|year|time|datum|tag|wochentag|woche|monat|jahr)\b|how long ago|\bwhen (?:did|does|is|was|are|were|will|do)\b|\bum wie ?viel uhr\b/i,
  duration: /\bhow long\b|\bwie lange\b/i,
  amount:
    /\bfor how much\b|\bhow much (?:a|per|each|is|was|are|were) \b|\b(?:how much|wie ?viel)\b.*\b(?:costs?|pay|paid|price|spen[dt]|owe|worth|charge[ds]?|bill|total|fee|rent|euros?|dollars?|kostet|kosten|gekostet|bezahl\p{L}*|zahl\p{L}*|preis|miete|schulde\p{L}*)\b|\b(?:what|was|wie hoch)\b.*\b(?:cost|price|amount|total|rent|fee|salary|wage|budget|deposit|gehalt|lohn|budget|kaution|kostet|kosten|gekostet|preis|betrag|summe|miete|gebühr)\b|\bhow expensive\b|\bwie teuer\b|^\W*what (?:did|do|does) .*\b(?:pay|spend|earn)\b(?! attention)/iu,
  number:
    /\b(?:how (?:many|much|old|often|far|big|tall)|wie ?(?:viele?|alt|oft|weit|groß|hoch))\b|\bwhat (?:number|percentage)\b|\b(?:phone|order|booking|invoice|account|flight|room|ticket|confirmation|tracking|reference)[- ]?(?:number|no|code)\b|\b\p{L}*nummer\b|\b(?:what|which) (?:is|was) .*\b(?:number|code|reference)\b/iu,
  person:
    /^\W*(?:qui|quién|chi|quem|who|whom|whose|wer|wen|wem|wessen)\b|\b(?:with|from|to|by) (?:whom|who)\b|\b(?:mit|von|an|bei) wem\b|^\W*(?:which|welche[rsn]?) (?:person|friend|colleague|people|freund\p{L}*|kolleg\p{L}*)\b/iu,
  place:
    /^\P{L}*où\s|^\W*(?:where|dónde|dove|onde|waar|wo|wohin|woher)\b|\b(?:in|at|to|which|what|welche[rmns]?|in welche[rmns]?) (?:which |what )?(?:city|country|place|town|restaurant|hotel|location|address|state|stadt|land|ort|adresse)\b/iu,
  yesno:
    /^\W*(?:(?:is|are|was|were|do|does|did|has|have|had|could|would|should)n['’]t|can['’]t|won['’]t|is|are|was|were|do|does|did|has|have|had|can|could|will|would|am|should|ist|sind|war|waren|hat|hast|habe|haben|hatte|hatten|kann|kannst|können|wird|werden|gibt|gab|muss|soll|darf|bin)\b/iu,
  list: /\b(?:list|all (?:the|my)|everything|names of|alle|liste|sämtliche|aufzähl\p{L}*)\b|^\W*(?:show|find|zeige?|finde|suche)\b|^\W*(?:what|which)(?: (?:kinds?|types?|sorts?|specific|different|other)(?: of)?)? (?:\p{L}+ ){0,2}?(?!(?:was|is|has|does|this|his|business|class|address)\b)\p{L}{2,}(?<!s)s (?:has|have|does|do|did|are|were)\b|^\W*welche (?:\p{L}+ ){0,2}(?:habe?n?|hat|sind|gibt|waren)\b/iu,
} as const;

export function answerTypeOf(text: string): QueryPlan["answerType"] {
  if (patterns.date.test(text)) return "date";
  if (patterns.duration.test(text)) return "duration";
  if (patterns.amount.test(text)) return "amount";
  if (patterns.number.test(text)) return "number";
  if (patterns.person.test(text)) return "person";
  if (patterns.place.test(text)) return "place";
  if (patterns.list.test(text) && !asksOfList.test(text)) return "list";
  // "Was" asks for a thing in German and for yes or no in English.
  const yesno = patterns.yesno.test(text) && !(/^\W*was\b/iu.test(text) && questionLanguage(text) === "de");
  return yesno || germanVerbFirst(text) ? "yesno" : "text";
}

/** "Who is Sam?", "Wer ist Rufus?": nothing but a name. */
export const asksWhoThatIs = (text: string): boolean =>
  /^\W*(?:[Ww]ho|[Ww]er)(?:['’]s|\s(?:is|was|ist|war))\s\p{Lu}[\p{L}'’-]+(?:\s\p{Lu}[\p{L}'’-]+)?\W*$/u.test(text);

/** "Is the mailing list open?", "Was my list lost?": it asks of a list, and for none. */
const asksOfList =
  /^\W*(?:is|are|was|were|does|did|has|had)\s(?!there\b|.*\b(?:list of|all|everything|names of|alle|liste|sämtliche)\b)/iu;

/** "Geht Opa wieder ohne Stock?": in German a verb before its subject asks for yes or no. */
function germanVerbFirst(text: string): boolean {
  const first = /^\W*(\p{Lu}\p{Ll}{2,}t(?:e|en|est)?)\s/u.exec(text)?.[1];
  if (first === undefined || !text.trim().endsWith("?") || questionLanguage(text) !== "de") return false;
  return !isStopWord(fold(first), "de") && !askWords.has(fold(first)) && !/^w(?:er|as|o|an?n|ie|el|e[ns])/i.test(first);
}

export function operationOf(text: string, answerType: QueryPlan["answerType"]): QueryPlan["operation"] {
  if (sidesOf(text) !== null) return "compare";
  if (
    /\b(?:last time|most recent(?:ly)?|latest|newest|zuletzt|letzte[sn]? mal|neueste[nrs]?|jüngste[nrs]?|aktuell\p{L}*|derzeit|(?:did|has|have) .* last(?!\s(?:\d|(?:few|couple|two|three|four|five|six|seven|ten)\s|night|week|month|year|spring|summer|autumn|fall|winter|easter|christmas|term|semester|decade|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:jan|febr)uary|march|april|may|june|july|august|(?:sept|nov|dec)ember|october))(?!\p{L}))/iu.test(
      text,
    )
  )
    return "latest";
  if (
    /\b(?:how (?:many times|often)|how many (?:trips|visits|meetings|calls|occasions|photos?|pictures?|videos?|(?:e-?)?mails?|messages?|notes?|events?)|wie (?:oft|häufig)|wie viele (?:male?|reisen|besuche|treffen|anrufe|fotos|bilder|videos|(?:e-?)?mails|nachrichten|notizen|termine))\b/iu.test(
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
  if (/\b(?:both|in common|sowohl|beide[nr]?|gemeinsam\p{L}*)\b/iu.test(text)) return "intersection";
  if (answerType === "list") return "union";
  return answerType === "date" || answerType === "duration" ? "temporal" : "single";
}

export function intentOf(text: string, answerType: QueryPlan["answerType"]): QueryPlan["intent"] {
  if (/^\W*(?:why|how come|warum|wieso|weshalb)\b|\b(?:reason|grund)\b/iu.test(text)) return "why";
  if (answerType === "date" || answerType === "duration") return "when";
  return answerType === "person" || answerType === "place" ? "entity" : "what";
}

/** Records to recall and records to cite by relations, by operation (MIRIX §4.5: 6+4, 6+6, 7+7, 7+9, 8+12). */
const budgets: Readonly<Record<QueryPlan["operation"], readonly [recalled: number, cited: number]>> = {
  single: [6, 4],
  temporal: [6, 6],
  // Newest and compared values are of the kind "when" and "both": they need what stands beside them.
  latest: [6, 6],
  intersection: [7, 7],
  compare: [7, 7],
  union: [7, 9],
  count: [8, 12],
};

export function budgetOf(operation: QueryPlan["operation"]): QueryPlan["budget"] {
  const [recalled, cited] = budgets[operation];
  return { recalled, cited };
}
