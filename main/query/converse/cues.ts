import { whole } from "../plan/calendar.ts";

/** Words by which a question leans on the one before it, in English and German. */

/** "And in 2019?", "what about Tom?", "und Lena?" */
export const opening =
  /^\W*(?:and|but|or|what about|how about|also|und was ist mit|was ist mit|wie (?:ist|war|steht) es mit|und|aber|oder|auch)(?!\p{L})\s*/iu;

/** "Only photos", "just the mails", "nur von Tom", "as a list". */
export const narrowing =
  /^\W*(?:(?:and|but|und|aber|bitte|please)\s+)?(?:only|just|nur|lediglich|bloß|without|ohne|not|nicht|except|außer|ausser|no|keine?)(?!\p{L})\s*/iu;
/** Words before a narrowing that only narrow, with their article. */
export const onlyWords =
  /^\W*(?:(?:and|but|und|aber|bitte|please)\s+)?(?:only|just|nur|lediglich|bloß)\s+(?:the\s|die\s|den\s|das\s)?/iu;
export const asList = /(?:^|\P{L})(?:as a list|list them|list all|als liste|liste sie auf)(?!\p{L})/iu;

/** "Who else?", "more", "was noch?": the same again, without what was shown. */
export const more =
  /^\W*(?:and\s+|und\s+)?(?:(?:show (?:me )?)?more|(?:who|what|where|when|anyone|anybody|anything|someone|something) else|(?:any|some) (?:more|others?)|others\??$|(?:wer|was|wo|wann|wen|wem) (?:noch|sonst)(?: noch)?|noch (?:mehr|jemand|etwas|andere\p{L}*|welche)|mehr(?: davon)?|sonst noch (?:jemand|etwas|was|wer))(?:\s+of (?:them|those|these))?(?=\W*$|\s+(?:did|was|were|is|has|had|came|went|said|does|hat|war|ist|kam|ging|gibt)(?!\p{L}))/iu;

/** A question word alone, or with a word that only points: "why?", "when exactly?", "wo war das?" */
export const bareAsk =
  /^\W*(?:(?:and|but|und|aber)\s+)?(?<word>since when|until when|how much|how many|how long|how often|how come|with whom|from whom|to whom|for whom|why|when|where|who|whom|what|how|which one|seit wann|bis wann|wie viele?|wie lange|wie oft|mit wem|von wem|an wen|für wen|warum|wieso|weshalb|wann|wo|wohin|wer|wen|was|wie)(?:\s+(?:exactly|then|not|was (?:it|that|this)|is (?:it|that)|did (?:it|that) (?:happen|cost)|genau|denn|war das|ist das|war es|kostete (?:es|das)))?\W*$/iu;

/** People, things, places and times that are only pointed at. */
export const pronouns = {
  one: whole(
    "he|she|him|her|his|hers|er|ihn|ihm|(?<!\\p{L})(?:hat|war|ist|sagte|wollte|machte|wohnt|kommt|wird|kann) sie",
  ),
  many: whole("they|them|their|both of them|(?:haben|waren|sind|sagten|wollten|machten|wohnten|kamen) sie|ihnen"),
  there: whole("there|dort|dorthin|von dort"),
  moment: whole(
    "then|at that time|back then|that (?:day|week|month|year|summer|time)|damals|an dem tag|in dem jahr|zu der zeit",
  ),
  thing: whole("it|that|this|those|these|that one|es|das|dies|davon|darüber|dafür|dazu|diese[rs]?"),
} as const;

/** "There is", "is there", "that she": words that point at nothing. */
export const idle = whole(
  "(?:is|are|was|were) there|there (?:is|are|was|were)|it (?:rain\\p{L}*|snow\\p{L}*)|(?:did|does|will) it (?:rain|snow)|gibt es|gab es|es (?:gibt|gab)|regnet es|das heißt|back and forth|so that|now that",
);

/** "The year before", "im Jahr davor", "a week later", "the next day": counted from the last time. */
export const stepped = whole(
  "(?:(?:in|on|at)\\s)?(?:the\\s|a\\s)?(?:(?<ahead>next|following|previous|preceding|prior)\\s(?<unit>day|week|month|year)|(?<unit2>day|week|month|year)\\s(?<after>after(?:wards)?|before|later|earlier)(?:\\s(?:that|this))?(?=\\W*$))|(?:am\\s)?nächsten\\s(?<unit4>tag)|(?:am|im|in der|der|die|das|den)\\s(?<folgend>folgenden?|vorherigen?|vorigen?)\\s(?<unit5>tag|woche|monat|jahr)|(?:im|am|in der|ein|eine|einen|das|der|die)\\s(?<unit3>tag|woche|monat|jahr)\\s(?<davor>davor|zuvor|vorher|danach|darauf|später|früher)",
);

/** Whether a step of `stepped` goes back. */
export const stepsBack = (groups: Readonly<Record<string, string | undefined>>): boolean =>
  /^(?:previous|preceding|prior|before|earlier|davor|zuvor|vorher|vorig|früher)/iu.test(
    groups.ahead ?? groups.after ?? groups.davor ?? groups.folgend ?? "",
  );
