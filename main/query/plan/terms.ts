import type { QueryPlan } from "#contract";
import {
  alike,
  contentStems,
  fold,
  germanPrefix,
  isStopWord,
  type Language,
  saidOtherwise,
  stem,
  wordsOf,
} from "../../views/language/index.ts";

/** A word of the question with what it weighs: its rarity in this archive, less when it only asks. */
export interface AskedTerm {
  readonly text: string;
  readonly stem: string;
  /** Idf in nats, times `genericShare` for words that carry little. */
  readonly weight: number;
  /** Occurs in the archive. */
  readonly known: boolean;
  /** Only says what is asked ("call", "spend"), not about what. */
  readonly generic: boolean;
}

/** What the question is about, ready to be found in texts. */
export interface Asked {
  readonly language: Language;
  readonly terms: readonly AskedTerm[];
  /** Stems of a holiday's name: a record of its days says it without the word. */
  readonly dated: ReadonlySet<string>;
  /** Stems of each named person; one of them in a text names the person. */
  readonly names: readonly ReadonlySet<string>[];
  /** Rarity of a word that one record of this archive says, in nats: the most that a known word can have. */
  readonly rarest: number;
}

/** Weight left to verbs and measures that every archive is full of, or that answers say in other words. */
const genericShare = 0.2;
const leastPrefix = 5;
/** What a named person weighs beside the words: about a word that a tenth of the records have. */
const nameWeight = 2.3;
/** Weight left to the commoner words of a name. */
const nameShare = 0.3;
/** And to a word for a sort of place, which nobody says with a name that they know. */
const sortShare = 0.1;

const generic = new Set(
  (
    "charge charged charges find found call called name named spend spent pay paid cost costs get got take took taken come came go went gone make made do did see saw visit visited " +
    "start started begin began stop end ended live lives lived stay stayed leave left happen show showed shown tell told say said have use used work look like need want " +
    "buy bought sell sold book booked order ordered own owns next last first second third new old still under again ever whose total total's price prices amount much many often long " +
    "heavy big large tall far high celebrate celebrated break broke broken anything something anyone someone everything time times day date week month year place " +
    "took put give gave given know keep kept receive received send sent write wrote mean happen held hold place picture photo photos photographed photograph two three four five " +
    "together altogether total combined zusammen people person thing things side kind number wear wore eat ate drink allowed may had " +
    "finden fand gefunden nennen nannte genannt heissen heisst hiess verbringen verbracht verbrachten zahlen bezahlt kosten kostet gekostet holen kommen kam gehen geht ging gegangen " +
    "machen gemacht sehen gesehen besuchen besucht anfangen angefangen wohnen wohnt bleiben blieb passiert zeigen sagen haben brauchen kaufen gekauft bestellt wieder noch immer jemals " +
    "teuer preis lange oft hoch gross schwer alt neu neue neuer letzte letzten nachste nachsten ersten erste zweite geben gegeben schreiben geschrieben liegt steht bekommen viel lautet lauten"
  ).split(" "),
);

export const isGeneric = (folded: string): boolean => generic.has(folded);

/** `idf`: rarity of a term of the plan in this archive, and whether it occurs at all; `records`: how many there are. */
export function askedOf(
  plan: QueryPlan,
  idf: ReadonlyMap<string, { idf: number; known: boolean }>,
  records: number,
): Asked {
  const terms = new Map<string, AskedTerm>();
  for (const text of plan.terms) {
    const folded = fold(text);
    const root = stem(folded);
    if (terms.has(root) || isStopWord(folded, plan.language)) continue;
    const found = idf.get(root) ?? { idf: 1, known: true };
    const only = isGeneric(folded);
    terms.set(root, {
      text,
      stem: root,
      weight: found.idf * (only ? genericShare : 1),
      known: found.known,
      generic: only,
    });
  }
  for (const place of plan.places)
    weighRarest(
      terms,
      wordsOf(place).map(({ folded }) => stem(folded)),
    );
  // As the question calls them: a family's name would name all of the family.
  const said = new Set(wordsOf(plan.question.slice(0, 2_000)).map(({ folded }) => stem(folded)));
  const names = plan.people.map(({ name }) => {
    const stems = wordsOf(name).map(({ folded }) => stem(folded));
    const called = stems.filter((one) => said.has(one));
    return new Set(called.length > 0 ? called : stems);
  });
  const dated = new Set(plan.windows.flatMap(({ text }) => wordsOf(text).map(({ folded }) => stem(folded))));
  const rarest = Math.log(1 + Math.max(0, records - 1 + 0.5) / 1.5);
  return { language: plan.language, terms: [...terms.values()], names, dated, rarest };
}

/** "Lake Bled" is said by Bled, not by a lake: of a name of several words the rarest one that is no sort of place carries it. */
function weighRarest(terms: Map<string, AskedTerm>, name: readonly string[]): void {
  const parts = name.flatMap((root) => terms.get(root) ?? []);
  const proper = parts.filter((part) => !placeSorts.has(part.stem));
  const most = Math.max(...(proper.length > 0 ? proper : parts).map(({ weight }) => weight));
  for (const part of parts) {
    if (proper.length > 0 && placeSorts.has(part.stem))
      terms.set(part.stem, { ...part, weight: Math.min(part.weight, most) * sortShare });
    else if (part.weight < most) terms.set(part.stem, { ...part, weight: part.weight * nameShare });
  }
}
const placeSorts = new Set(
  "lake river sea bay beach island mount mountain hill valley forest park garden square street road lane avenue bridge castle church cathedral museum station airport harbour harbor port cape point falls see fluss strand insel berg wald platz strasse gasse allee brucke burg schloss kirche dom bahnhof flughafen hafen"
    .split(" ")
    .map(stem),
);

/**
 * The question's words in one of its parts: those that the part says, and less of the rest, which says what "it" is. All of
 * them where the part says none of its own.
 */
export function narrowed(asked: Asked, part: string, plan: QueryPlan): Asked {
  const said = new Set(contentStems(part, plan.language));
  const own = (term: AskedTerm) => said.has(term.stem);
  if (!asked.terms.some((term) => own(term) && !term.generic)) return asked;
  const terms = asked.terms.map((term) => (own(term) ? term : { ...term, weight: term.weight * otherPart }));
  const names = asked.names.filter((name) => [...name].some((one) => said.has(one)));
  return { ...asked, terms, names };
}
const otherPart = 0.15;

/**
 * Idf-weighted share of what is asked that a text says, 0–1: each word by its stem, or (five letters on) as the beginning
 * or the longer form of one of the text's ("Geburt", "Geburtstag"), which counts a little less.
 */
export function coverage(asked: Asked, stems: ReadonlySet<string>): number {
  return saidBy(asked, stems, nothingAround);
}
const nothingAround: ReadonlyMap<string, number> = new Map();

/** The same for a record with what is said around it: a word said beside it counts by its distance. */
export function saidBy(asked: Asked, stems: ReadonlySet<string>, around: ReadonlyMap<string, number>): number {
  let sum = 0;
  let total = 0;
  for (const term of asked.terms) {
    total += term.weight;
    sum += term.weight * Math.max(hit(asked.language, term.stem, stems), around.get(term.stem) ?? 0);
  }
  for (const name of asked.names) {
    total += nameWeight;
    if ([...name].some((one) => stems.has(one))) sum += nameWeight;
  }
  return total === 0 ? 0 : sum / total;
}

/** What all that is asked weighs together, in nats. */
export function weightOf({ terms, names }: Asked): number {
  return terms.reduce((sum, { weight }) => sum + weight, nameWeight * names.length);
}

/** 1, or 0.8 for a longer or shorter form, or what the other language calls it, or 0. */
export function hit(language: Language, root: string, stems: ReadonlySet<string>): number {
  return stems.has(root) ? 1 : Math.max(nearHit(language, root, stems), saidOtherwise(language, root, stems));
}

/** By words of its own language that mean nearly the same, and by other forms of it. */
function nearHit(language: Language, root: string, stems: ReadonlySet<string>): number {
  const { other: forms, near, prefix } = formsOf(root);
  for (const other of forms) if (stems.has(other)) return 0.8;
  for (const other of near) {
    if (stems.has(other)) return 0.8;
    if (other.length < leastPrefix) continue;
    // "Ferienhaus" is a house for holidays.
    for (const long of stems)
      if (long.length > other.length && (long.startsWith(other) || long.endsWith(other))) return 0.7;
  }
  if (language === "de") {
    // German words bend and grow together: the beginning tells them ("Hüfte", "Hüftoperation").
    if (prefix.length >= 4) for (const other of stems) if (other.startsWith(prefix)) return 0.9;
  }
  if (root.length < leastPrefix) return 0;
  const first = root.charCodeAt(0);
  for (const other of stems) {
    if (other.length < leastPrefix || other.charCodeAt(0) !== first) continue;
    const [short, long] = other.length < root.length ? [other, root] : [root, other];
    if (long.startsWith(short) && short.length * 3 >= long.length && !/\d/.test(other)) return 0.8;
  }
  return 0;
}

/** What a stem of a question is compared by. */
interface Forms {
  readonly other: readonly string[];
  readonly near: readonly string[];
  readonly prefix: string;
}
const formsKnown = new Map<string, Forms>();
const mostForms = 2_000;

/** The same for every sentence that is looked through for it. */
function formsOf(root: string): Forms {
  const known = formsKnown.get(root);
  if (known !== undefined) return known;
  const forms = { other: derived(root), near: [...alike(root)], prefix: germanPrefix(root) };
  if (formsKnown.size >= mostForms) formsKnown.clear();
  formsKnown.set(root, forms);
  return forms;
}

/** Ends of English verbs and of the nouns made of them: "prescribed", "prescription". */
const derivations = [
  ["scrib", "script"],
  ["ceiv", "cept"],
  ["duc", "duct"],
  ["solv", "solut"],
] as const;

function derived(root: string): string[] {
  return derivations.flatMap((ends) =>
    ends.flatMap((end, at) => (root.endsWith(end) ? [root.slice(0, -end.length) + ends[1 - at]] : [])),
  );
}
