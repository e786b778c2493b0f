import { describe, expect, it } from "vitest";
import type { Person } from "#contract";
import { peopleIndex } from "#main/query/plan/people.ts";
import { planQuestion } from "#main/query/plan/plan.ts";

let serial = 0;
const person = (name: string, records: number, more: Partial<Person> = {}): Person => ({
  id: ++serial,
  name,
  addresses: [],
  owner: false,
  records,
  ...more,
});
const people = peopleIndex([
  person("Mara Lindqvist", 50, { addresses: ["mara.l@example.org", "+49 170 1234567"] }),
  person("Mara Stone", 3),
  person("Thomas Berger", 30),
  person("Helena Kraus", 12),
  person("Mama", 40),
  person("Oma Inge", 8),
  person("Aunt Vera", 5),
  person("Aunt Gisela", 4),
  person("May Winter", 9),
  person("April Jones", 4),
  person("Jonas Weber", 20, { also: ["Bärchen"] }),
  person("Will Adler", 9),
]);
const plan = (question: string) =>
  planQuestion(question, { today: "2024-08-01", firstDay: "2023-01-01", lastDay: "2024-07-30", people });

describe("who a question names", () => {
  it.each([
    // Whole names, last names, the one met most often.
    ["What did Mara Stone say?", ["Mara Stone"]],
    ["What did Mara say?", ["Mara Lindqvist"]],
    ["What did Mrs Lindqvist want?", ["Mara Lindqvist"]],
    ["Was wollte Frau Kraus?", ["Helena Kraus"]],
    // Short forms of first names, both ways.
    ["What did Tom write?", ["Thomas Berger"]],
    ["What did Tommy Berger write?", ["Thomas Berger"]],
    ["Where does Lena live?", ["Helena Kraus"]],
    ["Wo wohnt Leni?", ["Helena Kraus"]],
    // Possessives.
    ["Where is Tom's boat?", ["Thomas Berger"]],
    ["Wo liegt Lenas Fahrrad?", ["Helena Kraus"]],
    // Family, by whatever word the archive knows them.
    ["What did mum say about the boat?", ["Mama"]],
    ["What did my mother say?", ["Mama"]],
    ["Was hat Mutti gekocht?", ["Mama"]],
    ["What did Gran cook?", ["Oma Inge"]],
    ["What did Aunt Vera bring?", ["Aunt Vera"]],
    ["What did my aunt bring?", []],
    // Other names of joined people, handles, addresses, numbers.
    ["What did Bärchen say?", ["Jonas Weber"]],
    ["What did @mara.l post?", ["Mara Lindqvist"]],
    ["mails from mara.l@example.org", ["Mara Lindqvist"]],
    ["Wer rief von 0049 170 1234567 an?", []],
    ["Anrufe von +49 170 1234567", ["Mara Lindqvist"]],
    // Common words are names only where a name can stand.
    ["Will it rain?", []],
    ["What did Will cook?", ["Will Adler"]],
    // Several.
    ["When did Tom meet Lena?", ["Thomas Berger", "Helena Kraus"]],
  ])("%s", (question, expected) => {
    expect(plan(question).people.map(({ name }) => name)).toEqual(expected);
  });

  it.each([
    ["What did May say about the garden?", ["May Winter"], 0],
    ["emails from May", ["May Winter"], 0],
    ["May's invoice", ["May Winter"], 0],
    ["When did I see April?", ["April Jones"], 0],
    ["photos from May", [], 2],
    ["What did we do in May?", [], 2],
    ["photos of April in April 2023", ["April Jones"], 1],
    ["Who came on 3 May?", [], 2],
    ["between April and May 2023", [], 1],
  ])("tells a person from a month by what stands around the name: %s", (question, names, windows) => {
    const made = plan(question);
    expect(made.people.map(({ name }) => name)).toEqual(names);
    expect(made.windows).toHaveLength(windows);
  });

  it("takes nobody for a place, and no weekday either", () => {
    expect(plan("Who was at Mara on Monday in Oslo?").places).toEqual(["Oslo"]);
    expect(plan("Wo waren wir im Urlaub in Italien?").places).toEqual(["Italien"]);
  });
});
