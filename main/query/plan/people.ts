import type { Person } from "#contract";
import { fold, wordsOf } from "../../views/language/index.ts";

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
}

export function peopleIndex(people: readonly Person[]): PeopleIndex {
  const byWord = new Map<string, Entry[]>();
  const firstNames = new Map<string, Entry[]>();
  for (const person of people) {
    const words = wordsOf(person.name.includes("@") ? (person.name.split("@")[0] ?? "") : person.name).map(
      ({ folded }) => folded,
    );
    const entry = { person, words };
    for (const word of new Set(words)) {
      if (word.length < 2 || /^\d+$/.test(word)) continue;
      byWord.set(word, [...(byWord.get(word) ?? []), entry]);
    }
    const first = words[0];
    if (first !== undefined && first.length > 3) {
      const start = first.slice(0, 3);
      firstNames.set(start, [...(firstNames.get(start) ?? []), entry]);
    }
  }

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

  return {
    find(question) {
      const words = wordsOf(question.slice(0, 2_000));
      const shouted = question === fold(question);
      const found: NamedPerson[] = [];
      for (let at = 0; at < words.length; at++) {
        const word = words[at];
        if (!word || word.folded.length < 2) continue;
        // "will", "may" and "rose" are names only with a capital, and a question's first word always has one.
        const capital = /^\p{Lu}/u.test(word.text);
        if (!(capital || shouted) || (at === 0 && common.has(word.folded)) || (shouted && common.has(word.folded)))
          continue;
        const following = words.slice(at, at + 4).map(({ folded }) => folded);
        const nicknames =
          word.folded.length >= 3 && capital && at > 0 ? (firstNames.get(word.folded.slice(0, 3)) ?? []) : [];
        const entries =
          byWord.get(word.folded) ?? nicknames.filter(({ words: [first] }) => first?.startsWith(word.folded));
        if (!byWord.has(word.folded) && entries.length !== 1) continue;
        const match = best(entries, following);
        if (!match) continue;
        // "Cotton Lane" is not Harriet Lane: another name stands where hers would.
        const before = words[at - 1];
        const joined = before !== undefined && question.slice(before.end, word.start) === " ";
        const other = joined && at > 1 && /^\p{Lu}\p{Ll}/u.test(before.text) && !byWord.has(before.folded);
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
      return found;
    },
  };
}

const common = new Set(
  "will may mark rose grace hope joy faith bill sue art jack rich frank pat dan don max when what who where why how which is are was were did do does has have had can could would should the in on at show find list tell give wann was wer wo warum wie welche welcher welches ist sind war hat haben kann zeige finde".split(
    " ",
  ),
);
