export { alike } from "./concepts.ts";
export { type DateContext, type DateMention, findDates, temporalCount } from "./dates.ts";
export { addDays, dayNumber, dayOf, makeDay, monthOf, monthSpan, weekdayOf, yearOf } from "./days.ts";
export { gramPhrases, gramsOf, isUnspaced, lettersOf } from "./grams.ts";
export { numberWords } from "./numbers.ts";
export { type Span, sentencesOf } from "./sentences.ts";
export { easterSunday, findSpans, type NamedSpan } from "./spans.ts";
export { germanPrefix, stem } from "./stem.ts";
export { contentStems, fold, isStopWord, type Language, languageOf, type Word, wordsOf } from "./words.ts";
