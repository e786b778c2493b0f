import { describe, expect, it } from "vitest";
import { archiveOf, type TestArchive } from "./archive.ts";

/** A household that writes in two languages: what one says in German is asked for in English, and the reverse. */
function household(): TestArchive {
  return archiveOf([
    {
      by: "Petra Hagen",
      subject: "Päckchen",
      text: "Hallo Nora, im Päckchen sind die Samen der Kirschtomaten aus Ptuj. Bitte nicht zu früh säen!",
      at: "2024-03-04T10:00:00",
    },
    { by: "Liv", chat: "Home", text: "the shed roof is leaking again", at: "2024-03-05T10:00:00" },
    {
      by: "Tante Ute",
      chat: "Home",
      text: "Das Gift für die Ratten steht im Keller hinter dem Regal.",
      at: "2024-03-07T10:00:00",
    },
    { by: "Liv", chat: "Home", text: "The gift for Nora is in the wardrobe.", at: "2024-03-08T10:00:00" },
    {
      by: "Tante Ute",
      chat: "Home",
      text: "Der Kirschkuchen hat 18 Euro gekostet, und er war es wert.",
      at: "2024-03-10T10:00:00",
    },
    {
      by: "Liv",
      chat: "Home",
      text: "the circulation pump was replaced on Tuesday 12 March",
      at: "2024-03-13T10:00:00",
    },
    { by: "Liv", chat: "Home", text: "we saw two hedgehogs in the garden", at: "2024-03-14T10:00:00" },
    {
      by: "Tante Ute",
      chat: "Home",
      text: "Oskar ist beim Zahnarzt, ihm wurde ein Zahn gezogen.",
      at: "2024-03-15T10:00:00",
    },
  ]);
}

/** Asked of one archive, since nothing of it changes. */
async function answers(questions: readonly string[]): Promise<string[]> {
  const archive = household();
  const found: string[] = [];
  for (const question of questions) found.push((await archive.ask(question)).answer);
  return found;
}

describe("a question in one language", () => {
  it("finds what was written in the other, without any model", async () => {
    const [seeds, cake, roof, pump, hedgehogs, dentist] = await answers([
      "Where did the cherry-tomato seeds come from?",
      "How much was the cherry cake?",
      "Was ist mit dem Dach?",
      "Wann wurde die Umwälzpumpe ersetzt?",
      "Wie viele Igel haben wir gesehen?",
      "Who was at the dentist?",
    ]);
    expect(seeds).toContain("Ptuj");
    expect(cake).toContain("18");
    expect(roof).toContain("leaking");
    expect(pump).toMatch(/12\. März 2024/);
    expect(hedgehogs).toContain("two hedgehogs");
    expect(dentist).toContain("Oskar");
  });

  it("reads a word of both languages as the sentence does that says it", async () => {
    const [poison, present] = await answers(["Where is the poison?", "Wo ist das Geschenk für Nora?"]);
    expect(poison).toContain("Keller");
    expect(poison).not.toContain("wardrobe");
    expect(present).toContain("wardrobe");
    expect(present).not.toContain("Keller");
  });

  it("is told plainly where neither language says it", async () => {
    const refused = await answers([
      "What did the trout cost?",
      "Where is the ladder?",
      "Who has a piano lesson?",
      "Wo ist das Fahrrad?",
      "Wann ist die Hochzeit?",
      "Was kostete die Waschmaschine?",
    ]);
    for (const answer of refused) expect(answer).toMatch(/^(?:Not in your archive|Nicht in deinem Archiv)/);
  });
});

describe("an archive of one language", () => {
  it("is asked for no word of the other", async () => {
    const archive = archiveOf(
      Array.from({ length: 120 }, (_, at) => ({
        by: "Liv",
        chat: "Home",
        text: at === 7 ? "the beginners met at the party" : `we walked to the lake and back, day ${at}`,
        at: "2024-03-05T10:00:00",
      })),
    );
    const { trace } = await archive.ask("When did the celebration start?");
    const asked = trace.find(({ stage }) => stage === "recall")?.detail.asked;
    expect(asked).toEqual(expect.arrayContaining([expect.objectContaining({ text: "celebration", known: false })]));
  });
});
