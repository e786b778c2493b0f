import { describe, expect, it } from "vitest";
import { peopleIndex } from "#main/query/plan/people.ts";
import { planQuestion } from "#main/query/plan/plan.ts";
import { unsaidIn } from "#main/query/read/sentences/unsaid.ts";
import { archiveOf, type Draft } from "./archive.ts";

/** A mailing list of people who mend a tide clock, and their photos: what letters have besides sentences. */
const sentence = "The clock reads the tide table at noon and writes it to the drum, as it should.";
const list: Draft[] = [
  {
    by: "Runa Holm",
    at: "2022-03-01T09:00:00",
    subject: "[tideclock] drum storage",
    text: "I keep the old drum in a tin.\n\nIs the drum storage meant to be dry?\n\n-Runa (who is off to sea)",
    nativeId: "a",
  },
  {
    by: "Piet Vos",
    at: "2022-03-02T09:00:00",
    subject: "Re: [tideclock] drum storage",
    text: `It happened at 09:00 on 01.03.2022 that runa.holm@example.org wrote:\n\n RH> Is the drum storage meant to be dry?\n\nNo need to be sorry about the tin.\n\n${sentence}`,
  },
  {
    by: "Sanna Lind",
    at: "2022-03-03T09:00:00",
    subject: "[PATCH] drum: support spring tides",
    text: "This teaches the drum spring tides.\n\nSigned-off-by: Sanna Lind <sanna.lind@example.org>\n---\n drum.c | 4 +++-\n 1 file changed, 3 insertions(+), 1 deletion(-)\n\ndiff --git a/drum.c b/drum.c\nindex 3f2a1b0..77aa120 100644\n--- a/drum.c\n+++ b/drum.c\n@@ -1,2 +1,4 @@\n+ spring = tide > neap;\n- support = 0;\n\\ No newline at end of file",
  },
];
const photo = (at: string, camera: string): Draft => ({
  kind: "photo",
  at,
  props: { camera: { make: camera, model: `${camera} K1` } },
});
const photos = [
  photo("2021-05-02T10:00:00", "Hexar"),
  photo("2021-05-02T11:00:00", "Hexar"),
  photo("2021-05-03T11:00:00", "Hexar"),
  photo("2021-05-03T12:00:00", "Lumo"),
];

const planOf = (question: string) =>
  planQuestion(question, { today: "2024-08-01", firstDay: null, lastDay: null, people: peopleIndex([]) });

describe("lines of a letter that nobody says", () => {
  const unsaid = (text: string, question = "Does the drum support spring tides?") => {
    const is = unsaidIn(planOf(question), text);
    let at = 0;
    return text.split("\n").filter((line) => {
      const start = at;
      at += line.length + 1;
      return line !== "" && is(start, start + line.length);
    });
  };

  it("are patches, trailers and who wrote before a quotation", () => {
    expect(unsaid(list[2]?.text ?? "")).not.toContain("This teaches the drum spring tides.");
    expect(unsaid(list[2]?.text ?? "")).toHaveLength(11);
    expect(unsaid(list[1]?.text ?? "")).toHaveLength(2);
    expect(unsaid(list[0]?.text ?? "")).toEqual(["-Runa (who is off to sea)"]);
  });

  it("are read where the question asks for code, or for who signed", () => {
    expect(unsaid(list[2]?.text ?? "", "Which line of code sets the variable spring?")).toHaveLength(1);
    expect(unsaid(list[2]?.text ?? "", "Who signed the patch?").join("\n")).not.toContain("Signed-off-by");
  });

  it("are not what a person lists or says", () => {
    const text = "We need:\n- rope\n- a lamp\n\nMeet at 10:00 by the mole.\nPrice: see below";
    expect(unsaid(text)).toEqual([]);
  });
});

describe("a mailing list", () => {
  it("does not take a no that goes on for a verdict, nor quotes a patch", async () => {
    const { answer } = await archiveOf(list).ask("Does the drum support spring tides?");
    expect(answer).not.toMatch(/No need|newline|support = 0/);
  });

  it("tells the first mail about a matter by itself, whatever days others name", async () => {
    const archive = archiveOf(list);
    const { claims } = await archive.ask("When was the first mail about the drum storage?");
    expect(claims[0]?.text).toMatch(/^Tuesday 1 March 2022/);
    expect(new Set(claims.flatMap(({ citations }) => citations.map(({ recordId }) => recordId)))).toEqual(
      new Set([archive.ids[0]]),
    );
    expect((await archive.ask("Who wrote the first mail about the drum storage?")).answer).toMatch(/^Runa Holm/);
  });

  it("names no holder of an office that nobody is said to hold", async () => {
    const asks: Draft = {
      by: "Runa Holm",
      at: "2022-03-05T09:00:00",
      text: "Piet is right that treasurers of the drum club change.",
    };
    const tells: Draft = {
      by: "Piet Vos",
      at: "2022-03-06T09:00:00",
      text: "Our treasurer of the drum club, Ulla Berg, pays.",
    };
    expect((await archiveOf([asks]).ask("Who is the treasurer of the drum club?")).outcome).toBe("not_found");
    expect((await archiveOf([asks, tells]).ask("Who is the treasurer of the drum club?")).answer).toMatch(/^Ulla Berg/);
  });

  it("is called by its address, not by a word of it", () => {
    const person = {
      id: 1,
      name: "drum-users+owner@example.org",
      addresses: ["drum-users+owner@example.org"],
      records: 9,
      owner: false,
    };
    expect(peopleIndex([person]).find("Who mended the Drum?")).toEqual([]);
    expect(peopleIndex([person]).find("What did drum-users+owner@example.org send?")).toHaveLength(1);
  });
});

describe("how many there are", () => {
  it("is said as a person says it, in both languages, with each of them cited", async () => {
    const archive = archiveOf([...photos, ...list]);
    const may = await archive.ask("How many photos were taken with the Hexar?");
    expect(may.answer).toBe("3 photos: 2 on 2 May 2021, 1 on 3 May 2021.");
    expect(new Set(may.claims[0]?.citations.map(({ recordId }) => recordId)).size).toBe(3);
    expect((await archive.ask("Wie viele Fotos wurden im Mai 2021 aufgenommen?")).answer).toBe(
      "4 Fotos: 2 vom 2. Mai 2021, 2 vom 3. Mai 2021.",
    );
    expect((await archive.ask("How many mails did Piet Vos send?")).answer).toBe("1 mail, on 2 March 2022.");
  });
});
