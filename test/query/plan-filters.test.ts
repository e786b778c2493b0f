import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Exclusions, noExclusions, queryPlanSchema } from "#contract";
import { peopleIndex } from "#main/query/plan/people.ts";
import { planQuestion } from "#main/query/plan/plan.ts";
import { archiveOf } from "./archive.ts";

const people = peopleIndex(
  ["Thomas Berger", "Helena Kraus"].map((name, at) => ({ id: at + 1, name, addresses: [], owner: false, records: 9 })),
);
const plan = (question: string) =>
  planQuestion(question, { today: "2024-08-01", firstDay: "2022-01-01", lastDay: "2024-07-30", people });

describe("what kind of record a question wants", () => {
  it.each([
    ["photo of the red car", ["photo"], ["red", "car"]],
    ["the mail where Tom explains the heating", ["email"], ["explains", "heating"]],
    ["in the chat with Tom, what was the address?", ["message"], ["address"]],
    ["voice message from Tom about the key", ["audio"], ["key"]],
    ["Sprachnachricht von Lena", ["audio"], []],
    ["screenshot of the ticket", ["photo"], ["screenshot", "ticket"]],
    ["the PDF about the insurance", ["document"], ["insurance"]],
    ["Welche PDFs hat Tom geschickt?", ["document"], ["geschickt"]],
    ["Look in my notes for the recipe", ["note"], ["Look", "recipe"]],
    ["Nachrichten über den Garten", ["message", "email"], ["Garten"]],
    ["Who took the picture of the boat?", ["photo"], ["boat"]],
    ["Who took the picture?", [], ["picture"]],
    ["What kind of films does Tom like?", [], ["films"]],
  ])("%s", (question, kinds, terms) => {
    expect(plan(question)).toMatchObject({ kinds, terms });
  });

  it.each([
    ["What did Tom say on WhatsApp about the tent?", ["whatsapp"]],
    ["Was stand in Slack zum Umzug?", ["slack"]],
    ["Find the Telegram group about the garden", ["telegram"]],
    ["photos from Instagram", ["meta"]],
    ["When did we install WhatsApp?", []],
    ["Which signal did the train miss?", []],
  ])("where it is to be looked for: %s", (question, sources) => {
    expect(plan(question).sources).toEqual(sources);
  });
});

describe("what a question rules out", () => {
  const tom = { personId: 1, name: "Thomas Berger" };
  const lena = { personId: 2, name: "Helena Kraus" };
  it.each<[string, Partial<Exclusions>]>([
    ["What appointments do I have next week, not from work?", { sources: ["work"] }],
    ["Termine nächste Woche, nicht von der Arbeit", { sources: ["arbeit"] }],
    ["Messages about the garden without photos", { kinds: ["photo"] }],
    ["Nachrichten über den Garten ohne Fotos", { kinds: ["photo"] }],
    ["Find mails about the house except from Tom", { people: [tom] }],
    ["Zeige Fotos vom See, außer von Lena", { people: [lena] }],
    ["Fotos von Berlin, nicht von Tom und Lena", { people: [tom, lena] }],
    ["Where is the key, not from WhatsApp?", { sources: ["whatsapp"] }],
    ["photos of the trip, not in Rome", { places: ["Rome"] }],
    ["photos of the garden without snow", { terms: ["snow"] }],
    ["Show me the invoices, no mails", { kinds: ["email"] }],
  ])("%s", (question, expected) => {
    const made = plan(question);
    expect(made.excluded).toEqual({ ...noExclusions(), ...expected });
    expect(made.people).toEqual([]);
  });

  it.each([
    "Does Grandpa walk without a stick?",
    "Why is Tom not in Berlin?",
    "Geht Opa wieder ohne Stock?",
    "What did Tom not like?",
  ])("a no that is part of what is asked rules nothing out: %s", (question) => {
    expect(plan(question).excluded).toEqual(noExclusions());
  });

  it("is in no answer", async () => {
    const archive = archiveOf([
      { text: "The greenhouse costs 400 euros.", by: "Tom Berger", at: "2024-05-01T10:00:00", chat: "Work garden" },
      { text: "The greenhouse costs 350 euros.", by: "Lena Kraus", at: "2024-05-02T10:00:00", chat: "Family" },
      {
        text: "About the greenhouse: it costs 300 euros.",
        by: "Ada",
        at: "2024-05-03T10:00:00",
        subject: "Greenhouse",
      },
    ]);
    const shown = async (question: string) => {
      const { forest, claims, leftOut } = await archive.ask(question);
      const cited = claims.flatMap(({ citations }) => citations.map(({ recordId }) => recordId));
      return [...new Set([...forest.nodes, ...leftOut].map(({ recordId }) => recordId).concat(cited))].sort();
    };
    const [work = 0, family = 0, mail = 0] = archive.ids;
    expect(await shown("What does the greenhouse cost?")).toEqual([work, family, mail]);
    expect(await shown("What does the greenhouse cost, not from work?")).toEqual([family, mail]);
    expect(await shown("What does the greenhouse cost, except from Tom?")).toEqual([family, mail]);
    expect(await shown("Find what the greenhouse costs, no mails")).toEqual([work, family]);
    expect(await shown("What did they say on WhatsApp about the greenhouse?")).toEqual([]);
  });
});

describe("how much is fetched for an operation (MIRIX §4.5)", () => {
  it.each([
    ["Where is the key?", "single", 6, 4],
    ["When did we move?", "temporal", 6, 6],
    ["What do Tom and Lena have in common?", "intersection", 7, 7],
    ["Which books has Tom read?", "union", 7, 9],
    ["How often did we go to Rome?", "count", 8, 12],
    ["Wie häufig waren wir in Rom?", "count", 8, 12],
    ["Was ist billiger, Bahn oder Auto?", "compare", 7, 7],
    ["When was the last time I saw Tom?", "latest", 6, 6],
    ["What did we do last summer?", "single", 6, 4],
  ])("%s", (question, operation, recalled, cited) => {
    expect(plan(question)).toMatchObject({ operation, budget: { recalled, cited } });
  });
});

describe("whatever is asked", () => {
  it("reads German by its own words, and other languages by what they share", () => {
    expect(plan("Was hat Tom gesagt?")).toMatchObject({ language: "de", answerType: "text" });
    expect(plan("Was Tom at home?")).toMatchObject({ language: "en", answerType: "yesno" });
    expect(plan("Où est la clé de la maison de Tom ?")).toMatchObject({
      language: "en",
      answerType: "place",
      terms: ["clé", "maison"],
    });
    expect(plan("¿Cuándo compramos el coche azul?")).toMatchObject({
      answerType: "date",
      terms: ["compramos", "coche", "azul"],
    });
  });

  it("reads the beginning of a very long question and says so", () => {
    const made = plan(`Where is the key? ${"la ".repeat(3_328)}`);
    expect(made.notes).toEqual([{ code: "shortened", text: "2000" }]);
    expect(made.terms.length).toBeLessThanOrEqual(32);
  });

  it("makes a plan that the contract takes, the same each time", () => {
    const word = fc.oneof(
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.constantFrom(
        ..."not without except from Tom Lena photos mails work on WhatsApp who when before and , ? nicht ohne außer von 2023 May 30 February".split(
          " ",
        ),
      ),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), (words) => {
        const question = words.join(" ");
        const made = plan(question);
        expect(queryPlanSchema.parse(made)).toEqual(made);
        expect(plan(question)).toEqual(made);
      }),
      { numRuns: 300 },
    );
  });

  it("is quick with text that is made to be slow", () => {
    for (const piece of [
      "not ",
      "between ",
      "from a to ",
      "the week before ",
      "@a.",
      "+1 ",
      "May ",
      "without x, ",
      "letzten ",
    ]) {
      expect(plan(piece.repeat(2_500)).notes.at(-1)?.code).toBe("shortened");
    }
  });
});
