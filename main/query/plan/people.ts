import type { Person } from "#contract";
import { fold, isStopWord, type Word, wordsOf } from "../../views/language/index.ts";
import { isKin, otherForms, otherKin } from "./nicknames.ts";
import { overlaps, questionLanguage } from "./words.ts";

/** A person named in a question: where, and who that is in this archive. */
export interface NamedPerson {
  readonly personId: number;
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Known names of the archive, ready to be found in questions. Built once for each state of the store. */
export interface PeopleIndex {
  find(question: string): NamedPerson[];
}

interface Entry {
  readonly person: Person;
  readonly words: readonly string[];
  /** Only an address is known: "Sup" is nobody at support@…, and Linus not linu@… */
  readonly address: boolean;
}

/** Words that a question may call somebody by: of an address without a name those before the "@", unless it is that of many. */
function nameWords(name: string): string[] {
  const local = name.includes("@") ? (name.split("@")[0] ?? "") : null;
  if (local !== null && isList(local)) return [];
  return wordsOf(local ?? name).map(({ folded }) => folded);
}

/** "knitting-users", "harbour-list+owner": a mailing list is called by its address, or not at all. */
function isList(local: string): boolean {
  const parts = local.toLowerCase().split(/[-+]/);
  return parts.length > 2 || local.includes("+") || (parts.length === 2 && parts.some((part) => listWords.has(part)));
}
const listWords = new Set(
  "list lists dev devel developers user users hackers announce owner request bounces admin help info team news support discuss talk general linux kernel commits bugs patches".split(
    " ",
  ),
);
const digitsOf = (text: string) => text.replace(/\D/g, "");
/** Shorter numbers are no phone numbers. */
const leastDigits = 7;

/** Everyone by what a question may call them by. */
function namesOf(people: readonly Person[]) {
  const byWord = new Map<string, Entry[]>();
  const byStart = new Map<string, Entry[]>();
  const byFirst = new Map<string, Entry[]>();
  const byAddress = new Map<string, Person>();
  const add = (map: Map<string, Entry[]>, key: string, entry: Entry) => map.set(key, [...(map.get(key) ?? []), entry]);
  for (const person of people) {
    for (const name of [person.name, ...(person.also ?? [])]) {
      const words = nameWords(name);
      const entry = { person, words, address: name.includes("@") };
      for (const word of new Set(words)) if (word.length >= 2 && !/^\d+$/.test(word)) add(byWord, word, entry);
      const first = words[0];
      if (first === undefined) continue;
      add(byFirst, first, entry);
      if (first.length > 3 && !entry.address) add(byStart, first.slice(0, 3), entry);
    }
    for (const address of person.addresses) {
      const whole = fold(address).replace(/^@/, "");
      const digits = /^[+\d\s().-]+$/.test(address) ? digitsOf(address) : "";
      for (const key of [whole, digits.length >= leastDigits ? digits : ""])
        if (key !== "" && !byAddress.has(key)) byAddress.set(key, person);
      const handle = whole.split("@")[0] ?? "";
      if (handle.length > 2 && !/^\d+$/.test(handle) && !byAddress.has(handle)) byAddress.set(handle, person);
    }
  }
  return { byWord, byStart, byFirst, byAddress };
}

export function peopleIndex(people: readonly Person[]): PeopleIndex {
  const { byWord, byStart, byFirst, byAddress } = namesOf(people);

  /** Whole names before parts of names; of several people with one name, the one met most often. */
  const best = (entries: readonly Entry[], following: readonly string[]) =>
    entries
      .map((entry) => {
        let length = 1;
        while (length < following.length && entry.words.includes(following[length] ?? "")) length++;
        return { entry, length };
      })
      .sort(
        (a, b) =>
          b.length - a.length ||
          b.entry.person.records - a.entry.person.records ||
          a.entry.person.id - b.entry.person.id,
      )[0];

  /** Addresses, numbers and handles as they stand in the question. */
  function byHandle(question: string): NamedPerson[] {
    const found: NamedPerson[] = [];
    for (const match of question.matchAll(
      /[\p{L}\d._+-]+@[\p{L}\d.-]+|@[\p{L}\d._]{2,64}|\+?\d[\d\s()./-]{5,20}\d/gu,
    )) {
      const [said] = match;
      const key = /^[+\d]/.test(said) && !said.includes("@") ? digitsOf(said) : fold(said).replace(/^@|\.$/g, "");
      const person = key.length > 1 ? byAddress.get(key) : undefined;
      if (person)
        found.push({ personId: person.id, name: person.name, start: match.index, end: match.index + said.length });
    }
    return found;
  }

  /** Who may be called by a word that is in nobody's name. */
  function called(word: Word, capital: boolean, inside: boolean, german: boolean): readonly Entry[] {
    const { folded } = word;
    if (!capital) return [];
    // "Toms Boot", "Lenas Fahrrad", and "marens boat" of people who leave the apostrophe out.
    const root = folded.length > 3 && folded.endsWith("s") ? folded.slice(0, -1) : "";
    const bare = german || !common.has(root) ? root : "";
    const genitive = byWord.get(bare)?.filter(({ address }) => !address) ?? [];
    if (genitive.length > 0) return genitive;
    const forms = [...otherForms(folded), ...(bare === "" ? [] : otherForms(bare))];
    const short = german && nouns.has(folded) ? [] : forms.flatMap((form) => byFirst.get(form) ?? []);
    if (short.length > 0) return short;
    const begun = folded.length >= 3 && inside ? (byStart.get(folded.slice(0, 3)) ?? []) : [];
    const begins = (start: string) => begun.filter(({ words: [first] }) => first?.startsWith(start));
    const whole = bare.length < 3 || begins(folded).length > 0 ? begins(folded) : begins(bare);
    return new Set(whole.map(({ person }) => person.id)).size === 1 ? whole : [];
  }

  /** "Mum" is whoever the archive calls "Mama" or "Mum"; of several aunts none, unless the next word tells which. */
  function relatives(folded: string, following: readonly string[]): readonly Entry[] {
    const all = [folded, ...otherKin(folded)].flatMap((word) => byFirst.get(word) ?? []);
    const exact = all.filter(({ words }) => words.length === 1);
    const named = all.filter(({ words }) => following[1] !== undefined && words.includes(following[1]));
    const chosen = named.length > 0 ? named : exact.length > 0 ? exact : all;
    return new Set(chosen.map(({ person }) => person.id)).size === 1 ? chosen : [];
  }

  return {
    find(question) {
      const text = question.slice(0, 2_000);
      const words = wordsOf(text);
      const shouted = question === fold(question);
      const german = questionLanguage(text) === "de";
      const found = byHandle(text);
      for (let at = 0; at < words.length; at++) {
        const word = words[at];
        if (!word || word.folded.length < 2 || found.some((one) => overlaps(word, one))) continue;
        const following = words.slice(at, at + 4).map(({ folded }) => folded);
        const kin = isKin(word.folded) ? relatives(word.folded, following) : [];
        // "will", "may" and "rose" are names only with a capital, and a question's first word always has one.
        const capital = /^\p{Lu}/u.test(word.text);
        const owns = /^['’]s(?!\p{L})/u.test(text.slice(word.end));
        const little = common.has(word.folded) || isStopWord(word.folded, german ? "de" : "en");
        const plain = !(capital || shouted) || ((at === 0 || shouted) && !owns && little);
        if (kin.length === 0 && (plain || isMonth(text, word))) continue;
        const entries =
          kin.length > 0
            ? kin
            : (byWord.get(word.folded) ?? called(word, capital || shouted, at > 0 || shouted, german));
        const match = best(
          entries.filter((entry) => isCalled(entry, word.folded, following)),
          following,
        );
        if (!match) continue;
        // "Cotton Lane" is not Harriet Lane: another name stands where hers would.
        const before = words[at - 1];
        const joined = before !== undefined && question.slice(before.end, word.start) === " ";
        const name = /^\p{Lu}\p{Ll}/u.test(before?.text ?? "") && !titles.has(before?.folded ?? "");
        const other = joined && at > 1 && name && !byWord.has(before.folded);
        if (other && match.length === 1 && match.entry.words.length > 1 && match.entry.words[0] !== word.folded)
          continue;
        const last = words[at + match.length - 1] ?? word;
        if (!found.some(({ personId }) => personId === match.entry.person.id)) {
          found.push({
            personId: match.entry.person.id,
            name: match.entry.person.name,
            start: word.start,
            end: last.end,
          });
        }
        at += match.length - 1;
      }
      return found.sort((a, b) => a.start - b.start);
    },
  };
}

/** A firm is called by how its name begins or ends, and not by a word in the middle of it. */
function isCalled({ words }: Entry, word: string, following: readonly string[]): boolean {
  const at = words.indexOf(word);
  if (words.length < 3 || at <= 0 || at === words.length - 1) return true;
  return words.includes(following[1] ?? "");
}

const monthNames =
  "january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember|jan|summer|autumn";
const monthWord = new RegExp(`^(?:${monthNames})$`, "iu");
const timeBefore = new RegExp(
  `(?:^|\\P{L})(?:in|between|zwischen|during|since|last|next|this|early|late|mid|until|till|through|before|after|of|im|seit|bis|vor|nach|anfang|mitte|ende|letzte[nrs]?|nächste[nrs]?|diese[nrsm]?|vergangene[nrs]?|(?:${monthNames})\\s+(?:and|or|to|und|oder|bis|–|-))\\s+$`,
  "iu",
);
const sentBefore =
  /(?:mails?|messages?|texts?|letters?|calls?|notes?|cards?|news|nachricht(?:en)?|briefe?n?|anrufe?)\s+(?:from|von)\s+$|(?:photos?|pictures?|videos?|fotos?|bilder|bildern)\s+(?:of|with|von|mit)\s+$/iu;

/** Whether a word that is a name and a month is the month here: by a year or a day beside it, or a word of time before it. */
function isMonth(text: string, { start, end, text: word }: Word): boolean {
  if (!monthWord.test(word)) return false;
  const [before, after] = [text.slice(Math.max(0, start - 40), start), text.slice(end, end + 20)];
  if (/^\s*(?:the\s)?\d|^,?\s(?:of\s)?(?:19|20)\d\d/.test(after) || /\d(?:st|nd|rd|th|\.)?(?:\sof)?\s$/iu.test(before))
    return true;
  if (/^['’]s\b/u.test(after) || sentBefore.test(before)) return false;
  return timeBefore.test(before) || /(?:^|\P{L})(?:from|aus|vom)\s+$/iu.test(before);
}

const common = new Set(
  "will may mark rose grace hope joy faith bill sue art jack rich frank pat dan don max when what who where why how which is are was were did do does has have had can could would should the in on at show find list tell give wann was wer wo warum wie welche welcher welches ist sind war hat haben kann zeige finde and und not nicht".split(
    " ",
  ),
);

const titles = new Set("mr mrs ms miss dr prof professor sir lady herr herrn frau doktor".split(" "));

/** Short forms that are German nouns besides: a wolf is no Wolfgang. */
const nouns = new Set("wolf fine bine wim art rose".split(" "));
