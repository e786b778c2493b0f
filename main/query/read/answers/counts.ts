import type { Citation, QueryPlan } from "#contract";
import { contentStems, sentencesOf } from "../../../views/language/index.ts";
import { type Candidate, candidateSettings } from "../../candidates/candidates.ts";
import { type Asked, coverage, hit } from "../../plan/terms.ts";
import { answered, type Draft, nothing } from "../draft.ts";
import { phrases } from "../phrases.ts";
import { authorOf, dayOf, metadataOf, quoted } from "../say.ts";
import type { Reading } from "../sentences/sentences.ts";

/** How many there are: said as a person says it, each of them cited. */

/** Things that are told one by one, and days that are; further ones are only counted. */
const countedShown = 8;
const daysShown = 6;
const itemLength = 80;

/** How many pictures show it, by their days. `cut`: there may be more. */
export function countedPictures(plan: QueryPlan, pictures: readonly Candidate[], best: Candidate, cut: boolean): Draft {
  const citations = pictures.flatMap(metadataOf);
  return answered([{ id: "c1", text: byDays(plan, pictures, cut), citations, standing: "current" }], {
    said: best.probability,
    cosine: best.features.cos,
  });
}

/**
 * A count names what it counts: every record in which all that was asked for occurs, each with one citation. Where more
 * records were found than are looked at, it says "at least".
 */
export function countClaims({ plan, asked }: Reading, candidates: readonly Candidate[]): Draft {
  // "Photos taken", "mails sent": where records are counted by their kind, how they came about says nothing of them.
  const terms = asked.terms.filter(({ text }) => plan.kinds.length === 0 || !makes.test(text));
  const counted = candidates
    .filter(({ record }) => plan.kinds.length === 0 || plan.kinds.includes(record.kind))
    .filter(({ record }) => !asksSender(plan) || plan.people.some(({ name }) => name === record.author?.name))
    .filter(
      ({ features, stems }) =>
        (plan.windows.length === 0 || features.win >= 1) &&
        terms.every((term) => hit(plan.language, term.stem, stems) > 0),
    )
    .toSorted((a, b) => (a.moment ?? 0) - (b.moment ?? 0) || a.recordId - b.recordId);
  if (counted.length === 0) return nothing;
  const cut = candidates.length >= candidateSettings.counted;
  const dated = counted.every(({ day }) => day !== null);
  const plain = terms.length === 0 && plan.kinds.length > 0;
  const { text, citations } =
    dated && (plain || counted.every(({ record }) => wordless.has(record.kind)))
      ? { text: byDays(plan, counted, cut), citations: counted.flatMap(metadataOf) }
      : oneByOne(plan, asked, counted, cut);
  return answered([{ id: "c1", text, citations, standing: "current" }]);
}

const makes =
  /^(?:tak(?:en?|ing)|took|sen[dt]|sending|wr[io]te|written|receiv\p{L}*|shot|aufgenommen|gemacht|geschickt|gesendet|verschickt|geschrieben|schr(?:ieb|eib)\p{L}*|schickt?e?n?|bekommen|bekam|erhalten|fotografiert)$/iu;

/** "How many mails did Ada send?": hers are counted, not those that name her. */
const asksSender = ({ question, people, kinds }: QueryPlan): boolean =>
  people.length > 0 && kinds.length > 0 && bySomeone.test(question);
const bySomeone =
  /(?<!\p{L})(?:did|has|have)\s(?:\p{Lu}\p{L}+\s){1,3}(?:sen[dt]|wr[io]te|written)(?!\p{L})|(?<!\p{L})(?:hat|haben)\s.*(?:geschickt|gesendet|geschrieben|verschickt)(?!\p{L})/iu;

/** Kinds that say nothing in words of their own: they are told by their days, as are all where nothing but the kind is asked for. */
const wordless: ReadonlySet<string> = new Set(["photo", "video", "audio"]);

/** "3 photos" where photos are asked for, else "3 records fit". */
function howMany(plan: QueryPlan, counted: readonly Candidate[], cut: boolean): string {
  const words = phrases[plan.language];
  const kinds = new Set(counted.map(({ record }) => record.kind));
  const [kind] = kinds;
  if (kind === undefined || ![...kinds].every((one) => plan.kinds.includes(one)))
    return words.counted(counted.length, cut);
  return (
    words.countedOf(counted.length, kinds.size === 1 ? kind : "message", cut) ?? words.counted(counted.length, cut)
  );
}

/** "9 photos, all on 22 October 2008", "3 photos: 2 on 1 May 2008, 1 on 3 May 2008". */
function byDays(plan: QueryPlan, counted: readonly Candidate[], cut: boolean): string {
  const words = phrases[plan.language];
  const count = howMany(plan, counted, cut);
  const days = new Map<string, number>();
  for (const candidate of counted) {
    const day = dayOf(candidate, plan);
    if (day !== null) days.set(day, (days.get(day) ?? 0) + 1);
  }
  const [[first] = [null], ...more] = days;
  if (first === null) return `${count}.`;
  const last = more.at(-1)?.[0];
  if (last === undefined) return `${count}, ${words.allOn(counted.length, first)}.`;
  if (days.size > daysShown) return `${count}, ${words.between(first, last)}.`;
  return `${count}: ${[...days].map(([day, some]) => words.someOn(some, day)).join(", ")}.`;
}

function oneByOne(
  plan: QueryPlan,
  asked: Asked,
  counted: readonly Candidate[],
  cut: boolean,
): { text: string; citations: Citation[] } {
  const items = counted.map((candidate) => countedItem(plan, asked, candidate));
  // What is said of several in the same words is told once.
  const told = [...new Set(items.map(({ text }) => text))];
  const more = told.length > countedShown ? "; …" : "";
  const text = `${howMany(plan, counted, cut)}: ${told.slice(0, countedShown).join("; ")}${more}.`;
  const shown = new Set(told.slice(0, countedShown));
  const citations = items.flatMap((item, at) => {
    const candidate = counted[at];
    return shown.has(item.text) || candidate === undefined ? item.citation : metadataOf(candidate);
  });
  return { text, citations };
}

/** "20 October 2023 (“Miso is booked …”)": its day, and the sentence that says what was counted; a picture its day alone. */
function countedItem(plan: QueryPlan, asked: Asked, candidate: Candidate): { text: string; citation: Citation[] } {
  const day = dayOf(candidate, plan);
  const sentences = candidate.views
    .filter(({ view }) => view === "subject" || view === "text")
    .flatMap(({ view, text }) =>
      sentencesOf(text.slice(0, 8_000)).map(({ start, end }) => ({ view, start, quote: text.slice(start, end) })),
    )
    .map((one) => ({ ...one, said: coverage(asked, new Set(contentStems(one.quote, plan.language))) }))
    .toSorted((a, b) => b.said - a.said);
  const [best] = sentences;
  if (!best || candidate.record.kind === "photo")
    return { text: day ?? authorOf(candidate) ?? "–", citation: metadataOf(candidate) };
  const quote = best.quote.length <= itemLength ? best.quote : best.quote.slice(0, itemLength).replace(/\s+\S*$/, "");
  const said = quoted(quote.length < best.quote.length ? `${quote} …` : quote);
  return {
    text: day === null ? said : `${day} (${said})`,
    citation: [{ recordId: candidate.recordId, view: best.view, span: [best.start, best.start + quote.length], quote }],
  };
}
