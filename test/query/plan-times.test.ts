import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { peopleIndex } from "#main/query/plan/people.ts";
import { planQuestion } from "#main/query/plan/plan.ts";

/** Asked on 1 August 2024 of an archive that goes from 10 March 2021 to 30 July 2024. */
const plan = (question: string) =>
  planQuestion(question, {
    today: "2024-08-01",
    firstDay: "2021-03-10",
    lastDay: "2024-07-30",
    people: peopleIndex([]),
  });
const windows = (question: string) => plan(question).windows.map(({ from, to }) => `${from} ${to}`);

describe("when a question asks about", () => {
  it.each([
    // Relative to the day of the question.
    ["What did we do yesterday?", "2024-07-31 2024-07-31"],
    ["What did we do last summer?", "2023-06-01 2023-08-31"],
    ["Was haben wir letzten Sommer gemacht?", "2023-06-01 2023-08-31"],
    ["What did we do the summer before last?", "2022-06-01 2022-08-31"],
    ["Wo waren wir vorletztes Jahr?", "2022-01-01 2022-12-31"],
    ["What did we do three summers ago?", "2021-06-01 2021-08-31"],
    ["Was war vor zwei Jahren?", "2022-01-01 2022-12-31"],
    ["What did I buy in the last three months?", "2024-05-03 2024-08-01"],
    ["Was kam in den letzten zwei Wochen an?", "2024-07-18 2024-08-01"],
    // Stretches of a year or a month.
    ["What happened early 2022?", "2022-01-01 2022-04-30"],
    ["Was geschah Ende 2022?", "2022-09-01 2022-12-31"],
    ["What happened in late March 2023?", "2023-03-22 2023-03-31"],
    ["How were sales in Q3 2022?", "2022-07-01 2022-09-30"],
    ["What did we spend in the first half of 2023?", "2023-01-01 2023-06-30"],
    ["Was war Anfang Juli 2023?", "2023-07-01 2023-07-10"],
    // Decades.
    ["Where did we live in the nineties?", "1990-01-01 1999-12-31"],
    ["Wo wohnten wir in den 80er Jahren?", "1980-01-01 1989-12-31"],
    ["What was said in the late 2010s?", "2017-01-01 2019-12-31"],
    // Ranges.
    ["Photos between March and May 2023", "2023-03-01 2023-05-31"],
    ["Photos from 3 to 9 June 2022", "2022-06-03 2022-06-09"],
    ["Fotos zwischen Weihnachten und Neujahr 2023", "2022-12-24 2023-01-01"],
    ["What was paid between November 2021 and February 2022?", "2021-11-01 2022-02-28"],
    ["Was war von Mai bis Juli 2023?", "2023-05-01 2023-07-31"],
    // Beside another time.
    ["What happened the week before Easter 2023?", "2023-03-31 2023-04-06"],
    ["Was war in der Woche vor Ostern 2023?", "2023-03-31 2023-04-06"],
    ["What did we do the weekend after Easter 2023?", "2023-04-15 2023-04-16"],
    ["What did she say on the Monday before 24 July 2023?", "2023-07-17 2023-07-17"],
    ["What did I write two days after 5 May 2022?", "2022-05-07 2022-05-07"],
    ["Where were we in the week of Christmas 2021?", "2021-12-20 2021-12-26"],
    // Open ends are those of the archive.
    ["What have we paid since May 2023?", "2023-05-01 2024-08-01"],
    ["Was kostete der Strom vor 2022?", "2021-03-10 2021-12-31"],
    ["Letters until March 2022", "2021-03-10 2022-03-31"],
    ["Wer schrieb nach dem 3. Mai 2024?", "2024-05-04 2024-08-01"],
  ])("%s", (question, expected) => {
    expect(windows(question)).toEqual([expected]);
  });

  it("takes a day that comes every year for each year of the archive", () => {
    expect(windows("What did we do after Christmas?")).toEqual([
      "2021-12-27 2022-01-09",
      "2022-12-27 2023-01-09",
      "2023-12-27 2024-01-09",
      "2024-12-27 2025-01-09",
    ]);
    expect(windows("Fotos vom See im Sommer")).toHaveLength(4);
  });

  it("sets no time where none is known: a life's decade, a birth, a day that only the archive could tell", () => {
    expect(windows("What did I do in my thirties?")).toEqual([]);
    expect(windows("Who was born before 1990?")).toEqual([]);
    expect(plan("What have we paid since I moved?")).toMatchObject({
      windows: [],
      notes: [{ code: "unknown_time", text: "since I moved" }],
    });
  });

  it.each([
    ["What happened on 30 February?", "30 February"],
    ["What did I write on February 30th, 2023?", "February 30th, 2023"],
    ["Was war am 31.04.2022?", "31.04.2022"],
    ["Who called on 2023-02-29?", "2023-02-29"],
    ["Was war am 32. März?", "32. März"],
  ])("says that there is no such day and asks on without it: %s", (question, said) => {
    expect(plan(question)).toMatchObject({ windows: [], notes: [{ code: "no_such_date", text: said }] });
    expect(plan(question).terms.join(" ")).not.toMatch(/\d|februar|märz/i);
  });

  it("says that a time lies outside of the archive, unless it is still to come", () => {
    expect(plan("What did we do in 2009?").notes).toEqual([{ code: "outside_archive", text: "2009" }]);
    expect(plan("What is planned for next summer?").notes).toEqual([]);
  });

  it("reads “as of” as what held then: nothing that came later", () => {
    expect(plan("What was the rent as of May 2022?")).toMatchObject({
      asOf: "2022-05-31",
      operation: "latest",
      windows: [{ from: "2021-03-10", to: "2022-05-31", text: "as of May 2022" }],
      terms: ["rent"],
    });
    expect(plan("Was kostete die Miete, Stand Mai 2022?").asOf).toBe("2022-05-31");
    expect(plan("What is the rent now?").asOf).toBeNull();
  });

  it("turns a year that is ruled out into the time around it", () => {
    expect(windows("Photos of the lake, but not from 2022")).toEqual([
      "2021-03-10 2021-12-31",
      "2023-01-01 2024-07-30",
    ]);
  });

  it("keeps the name of a holiday as a word to look for, and no word that only says when", () => {
    expect(plan("What did we eat at Christmas 2022?").terms).toEqual(["eat", "Christmas"]);
    expect(plan("What did we cook the week before Easter 2023?").terms).toEqual(["cook"]);
  });

  it("gives days of the calendar in order, whatever is asked", () => {
    const piece = fc.constantFrom(
      ..."between and from to before after since until the week weekend of Easter Christmas May March 3 31 30 February 2022 90s nineties last two three weeks ago vor nach seit zwischen und bis im Sommer Ende Anfang as of Q2 , 1.1. 99.99.9999 0000-00-00".split(
        " ",
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (words) => {
        for (const { from, to } of plan(words.join(" ")).windows) {
          expect(from).toMatch(/^\d{4}-\d\d-\d\d$/);
          expect(from <= to).toBe(true);
        }
      }),
      { numRuns: 400 },
    );
  });
});
