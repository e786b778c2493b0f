import { type Exclusions, noExclusions } from "#contract";
import { findDates, isStopWord, type Language, wordsOf } from "../../views/language/index.ts";
import { whole } from "./calendar.ts";
import { kindsNamed, sourcesNamed, wantsRecords } from "./kinds.ts";
import type { PeopleIndex } from "./people.ts";
import type { Stretch } from "./words.ts";

/** What a question rules out: "not from work", "without photos", "except Tom", "nicht von Lena", "außer in Rom". */

const from = "from|of|by|von|aus|vom";
const beside = "in|at|on|with|about|via|bei|mit|auf|über|im|am";
/** The words of the thing: up to a comma, an end, or a word that goes on with the question. */
const thing =
  "(?<thing>(?:the |my |our |any |der |die |das |den |dem |meine[nrm]? |unsere[nrm]? )?[^,;.?!]{1,80}?)(?=[,;.?!]|$|\\s(?:but|that|which|who|when|where|did|does|do|was|were|is|are|have|has|haben|hat|sind|war|waren|wo|die|das|der)\\s|\\s(?:in|im|from|between|during|since|last|letzte[nsr]?)\\s(?:the |der |den )?(?:\\d|\\p{Lu}))";
const patterns: readonly RegExp[] = [
  whole(
    `(?:(?:but|and|aber|und),? )?(?<!(?:is|are|was|were|am|ist|sind|war|waren) )(?:not|nothing|none|nicht|nichts|keine?) (?<way>${from}) ${thing}`,
  ),
  whole(
    `(?:except(?: for)?|excluding|exclude|minus|ausgenommen|ausser|außer|abgesehen von) (?:(?<way>${from}|${beside}) )?${thing}`,
  ),
  whole(`(?:but not|aber nicht|and not|und nicht) (?:(?<way>${from}|${beside}) )?${thing}`),
  whole(`(?:without|ohne|(?<=[,;] |but |aber )(?:no|keine?n?)) ${thing}`),
  whole(`(?<=[,;] |but |aber )(?:not|nicht) (?<way>${beside}) ${thing}`),
];

/** Where something is "from" when it is from work: a word in the name of a chat, a folder, a label or an address. */
const wherefrom =
  /^(?:work|the office|office|job|university|uni|school|arbeit|der arbeit|büro|dem büro|schule|der schule)$/iu;

export interface Excluded {
  readonly excluded: Exclusions;
  /** Times that are ruled out, as written. */
  readonly times: readonly string[];
  readonly said: readonly Stretch[];
}

/**
 * `wanted`: whether the question asks for records of some kind. "Does Grandpa walk without a stick?" rules nothing out:
 * a bare word after "without" counts only where records are asked for.
 */
export function exclusionsOf(text: string, people: PeopleIndex, language: Language, wanted: boolean): Excluded {
  const excluded = noExclusions();
  const said: Stretch[] = [];
  const times: string[] = [];
  for (const regex of patterns) {
    for (const match of text.matchAll(regex)) {
      const stretch = { start: match.index, end: match.index + match[0].length };
      if (said.some((one) => stretch.start < one.end && one.start < stretch.end)) continue;
      const way = match.groups?.way ?? "";
      const parts = (match.groups?.thing ?? "").split(/\s*,\s*|\s+(?:and|or|nor|und|oder|noch)\s+/iu);
      const found = parts.map((one) => exclude(one, way, people, language, wanted || wantsRecords(text)));
      const when = parts.filter((_, at) => found[at] === "time");
      if (found.every((one) => one === null)) continue;
      times.push(...when);
      for (const one of found) {
        if (one === null || one === "time") continue;
        excluded.people.push(...one.people);
        excluded.places.push(...one.places);
        excluded.kinds.push(...one.kinds);
        excluded.sources.push(...one.sources);
        excluded.terms.push(...one.terms);
      }
      said.push(stretch);
    }
  }
  return { excluded: unique(excluded), times, said };
}

function exclude(
  part: string,
  way: string,
  people: PeopleIndex,
  language: Language,
  wanted: boolean,
): Exclusions | "time" | null {
  const none = noExclusions();
  if (findDates(`in ${part}`, { reference: null, years: [2000] }).some(({ start }) => start <= 3)) return "time";
  // Put behind a word, so that a name at its beginning is read as inside a question.
  const named = people.find(`with ${part}`);
  if (named.length > 0) return { ...none, people: named.map(({ personId, name }) => ({ personId, name })) };
  const sources = sourcesNamed(part);
  if (sources.length > 0) return { ...none, sources };
  const kinds = kindsNamed(part);
  if (kinds.length > 0) return { ...none, kinds };
  const words = wordsOf(part).filter(({ folded }) => !isStopWord(folded, language));
  const text = part.replace(/^(?:the|my|our|any|der|die|das|den|dem|meine[nrm]?|unsere[nrm]?)\s+/iu, "").trim();
  const isFrom = new RegExp(`^(?:${from})$`, "iu").test(way);
  if (isFrom && wherefrom.test(text)) return { ...none, sources: words.map(({ text }) => text.toLowerCase()) };
  const name = /^\p{Lu}[\p{L}'’-]+(?:\s\p{Lu}[\p{L}'’-]+){0,2}$/u.test(text);
  if (name && way !== "" && (language !== "de" || /^(?:in|aus|bei)$/iu.test(way))) return { ...none, places: [text] };
  if (!wanted || words.length === 0 || words.length > 3) return null;
  if (isFrom) return { ...none, sources: [text.toLowerCase()] };
  return { ...none, terms: words.map((word) => word.text) };
}

function unique({ people, places, kinds, sources, terms, records }: Exclusions): Exclusions {
  return {
    people: people.filter((one, at) => people.findIndex(({ name }) => name === one.name) === at),
    places: [...new Set(places)],
    kinds: [...new Set(kinds)],
    sources: [...new Set(sources)],
    terms: [...new Set(terms)],
    records,
  };
}
