import { describe, expect, it } from "vitest";
import type { AskResult, ImportedRecord } from "#contract";
import { timeFromInstant } from "#main/importers/text/time.ts";
import { exactIn } from "#main/query/check/exact.ts";
import { peopleIndex } from "#main/query/plan/people.ts";
import { planQuestion } from "#main/query/plan/plan.ts";
import { valuesOf } from "#main/query/read/sentences/values.ts";
import { findDates } from "#main/views/language/index.ts";
import { archiveOf, type Draft } from "./archive.ts";

/** What the mail of a list, a long chat and a folder of pictures have besides what is asked: the beekeepers of a valley. */

const letter = (by: string, at: string, subject: string, text: string): Draft => ({
  by,
  at,
  subject,
  text,
  to: ["hives@bees.example"],
});
const quotes = ({ claims }: AskResult): string =>
  claims.flatMap(({ citations }) => citations.map(({ quote }) => quote)).join(" | ");

describe("what bears no witness", () => {
  const hive = letter(
    "Oda Renn",
    "2022-05-04T09:00:00",
    "[hives] swarm",
    "Quirin caught the swarm in the lime tree and brought it back in a basket.\n\n-oda",
  );

  it("is a name in a greeting, under a letter or in a trailer", async () => {
    const result = await archiveOf([
      hive,
      letter("Berit Aas", "2022-05-04T10:00:00", "Re: [hives] swarm", "Hi Quirin,\n\nThe swarm looked big to me."),
      letter("Quirin Abel", "2022-05-04T11:00:00", "Re: [hives] swarm", "The lime tree swarm sits well.\n\n-quirin"),
      letter(
        "Quirin Abel",
        "2022-05-05T11:00:00",
        "[hives] feeder",
        "A swarm wants sugar.\n\nSigned-off-by: Quirin Abel <quirin@bees.example>\n---\n tree.txt | 2 +-",
      ),
    ]).ask("Who caught the swarm in the lime tree?");
    expect(result.answer).toMatch(/^Quirin/);
    expect(quotes(result)).not.toMatch(/Hi Quirin|-quirin|Signed-off/);
  });

  it("is a letter that was only written on that day", async () => {
    const result = await archiveOf([
      letter(
        "Oda Renn",
        "2022-05-04T09:00:00",
        "[hives] extractor",
        "The honey extractor arrived on 3 May 2022, whole.",
      ),
      letter("Berit Aas", "2022-05-03T10:00:00", "[hives] wax", "Has anybody wax to spare? I read it today."),
      letter("Quirin Abel", "2022-05-03T11:00:00", "Re: [hives] wax", "Three blocks, honey coloured."),
    ]).ask("When did the honey extractor arrive?");
    expect(result.answer).toContain("3 May 2022");
    expect(quotes(result)).not.toMatch(/wax|blocks/);
  });
});

describe("whose number it is", () => {
  const archive = () =>
    archiveOf([
      letter(
        "Oda Renn",
        "2022-05-04T09:00:00",
        "hives",
        "See you.\n\n-- \nOda Renn\nValley Bees\nPhone: +49 761 555 0148",
      ),
      letter("Berit Aas", "2022-05-04T10:00:00", "hives", "My phone number changes soon. See you."),
    ]);

  it("is told by the signature of that person, which is else left out", async () => {
    expect((await archive().ask("What is Oda's phone number?")).answer).toContain("+49 761 555 0148");
    expect((await archive().ask("Who works at Valley Bees?")).outcome).toBe("not_found");
  });

  it("is nobody else's", async () => {
    const result = await archive().ask("What is Berit's phone number?");
    expect(result.answer).not.toContain("0148");
  });
});

describe("versions and numbers of things", () => {
  const plan = (question: string) =>
    planQuestion(question, { today: "2024-08-01", firstDay: null, lastDay: null, people: peopleIndex([]) });

  it("are read out of a question, and dates, sums and measures are not", () => {
    expect(exactIn(plan("When did hivescale 2.4 come out?"))).toEqual(["2.4"]);
    expect(exactIn(plan("Where is order HX-5501 now?"))).toEqual(["HX-5501"]);
    expect(exactIn(plan("Was ist mit Rechnung 40718?"))).toEqual(["40718"]);
    expect(exactIn(plan("Did we pay 45.50 for 500g of wax on 3.5.2022 at 14.30 in the 1990s?"))).toEqual([]);
  });

  it("are not told of by what names another one", async () => {
    const archive = archiveOf([
      letter("Bee Shop", "2022-05-02T09:00:00", "Your order", "Your order HX-5510 left our store on 2 May 2022."),
      letter("Oda Renn", "2022-05-02T10:00:00", "hivescale", "hivescale 2.5 came out on 28 April 2022."),
    ]);
    expect((await archive.ask("When did order HX-5501 leave the store?")).outcome).toBe("not_found");
    expect((await archive.ask("When did order HX-5510 leave the store?")).answer).toContain("2 May 2022");
    expect((await archive.ask("When did hivescale 2.4 come out?")).outcome).toBe("not_found");
    expect((await archive.ask("When did hivescale 2.5 come out?")).answer).toContain("28 April 2022");
  });
});

describe("figures", () => {
  const numbers = (text: string) => valuesOf(text, "2022-05-04", ["number"]).map(({ text: said }) => said);

  it("that are typed for words count nothing", () => {
    expect(numbers("i want 2 see u, these r 4 you n 2 me thats great")).toEqual([]);
    expect(numbers("got 2 hives n 4 frames")).toEqual(["2", "4"]);
    expect(numbers("they need 2 queens")).toEqual(["2"]);
  });

  it("of a patch do not replace what a letter counts", async () => {
    const result = await archiveOf([
      letter(
        "Oda Renn",
        "2022-05-04T09:00:00",
        "[hives] scale",
        "I keep 900 readings of the scale.\n\nMy last search printed 38 lines of warnings for the scale.",
      ),
      letter(
        "Berit Aas",
        "2022-05-05T09:00:00",
        "Re: [hives] scale",
        "I changed the scale's warnings.\n---\n scale.c | 7 +++----\n search.c | 4 ++--\n 2 files changed, 5 insertions(+), 6 deletions(-)",
      ),
    ]).ask("How many lines of warnings did Oda get when she searched the scale?");
    expect(result.answer).toMatch(/^38/);
  });
});

describe("what only looks like a day, a length or a count", () => {
  const days = (text: string) => findDates(text, { reference: "2022-05-04" }).map(({ text: said }) => said);

  it("is a version, which is written like a day", () => {
    expect(days("It hums with 2.6.38-rc4 and was quiet in 2.6.37, the current 2.6.36 too.")).toEqual([]);
    expect(days("Wir treffen uns am 2.6.22, dann vom 9.6. bis 12.6.22.")).toEqual(["2.6.22", "9.6.", "12.6.22"]);
  });

  it("is how often, and the number of a letter in its subject", async () => {
    expect(valuesOf("I feed them once a day, for a week.", "2022-05-04", ["duration"]).map(({ text }) => text)).toEqual(
      ["a week"],
    );
    const result = await archiveOf([
      letter("Oda Renn", "2022-05-04T09:00:00", "[hives][PLAN 06/10] frames of the Warré hive", "Frames as usual."),
      letter("Oda Renn", "2022-05-04T08:00:00", "[hives][PLAN 00/10] Warré hive", "The hive has eight frames a box."),
    ]).ask("How many frames does the Warré hive have?");
    expect(result.answer).toMatch(/^eight/);
  });

  it("is a list of who changed what", async () => {
    const text = "Changes since spring:\n\nQuirin Abel (2):\n  Hive manual moved\n  Wax manual printed";
    const result = await archiveOf([letter("Oda Renn", "2022-05-04T09:00:00", "changes", text)]).ask(
      "Who wrote the wax manual?",
    );
    expect(result.answer).not.toContain("Quirin Abel (2)");
  });
});

describe("yes and no", () => {
  it("is not told by a link, nor by the name of a thread", async () => {
    const result = await archiveOf([
      letter(
        "Oda Renn",
        "2022-05-04T09:00:00",
        "[hives] varroa test kits",
        "The valley shop has no varroa kits any more.\n\n[1] https://shop.example/does-the-valley-shop-have-varroa-kits",
      ),
    ]).ask("Does the valley shop have varroa kits?");
    expect(result.answer).toMatch(/^No/);
  });

  it("is no where what is asked for still to be was mended", async () => {
    const archive = archiveOf([
      letter("Oda Renn", "2022-05-04T09:00:00", "scale", "The hive scale is broken, it shows nothing."),
      letter("Berit Aas", "2022-05-09T09:00:00", "Re: scale", "I see that the hive scale has been fixed already."),
    ]);
    expect((await archive.ask("Is the hive scale still broken?")).answer).toMatch(/^No/);
  });
});

describe("what is asked for by its kind", () => {
  it("may have several words", async () => {
    const result = await archiveOf([
      letter(
        "Berit Aas",
        "2022-05-04T09:00:00",
        "[hives] preliminary Warré support",
        "I read the plans this morning.\n\nA first trial went well, but the Warré\nframe slipped.\n\nAttached is a plan that gives a default frame gap of 9 in all rows.",
      ),
    ]).ask("Which default frame gap does Berit's Warré plan give?");
    expect(result.answer).toContain("gap of 9");
  });

  it("is a colour where a colour is asked for", async () => {
    const car: Draft = { by: "Oda Renn", chat: "Berit", at: "2022-05-04T09:00:00", text: "my van broke down again" };
    const blue: Draft = { by: "Oda Renn", chat: "Berit", at: "2022-05-05T09:00:00", text: "the new van is dark blue" };
    expect((await archiveOf([car]).ask("What colour is Oda's van?")).outcome).toBe("not_found");
    expect((await archiveOf([car, blue]).ask("What colour is Oda's van?")).answer).toContain("dark blue");
  });

  it("is whoever asked it, where it is a question", async () => {
    const result = await archiveOf([
      letter("Oda Renn", "2022-05-04T09:00:00", "drones", "How can a drone find a queen in the dark?"),
      letter("Berit Aas", "2022-05-04T10:00:00", "Re: drones", "A drone finds the queen by her scent, in daylight."),
    ]).ask("Who asked how a drone can find a queen in the dark?");
    expect(result.answer).toMatch(/^Oda Renn/);
  });

  it("is a place where somebody's home is asked for, in both languages", async () => {
    const met = letter(
      "Oda Renn",
      "2022-05-04T09:00:00",
      "visit",
      "I heard much from an old beekeeper named Wendelin.",
    );
    const moved = letter("Oda Renn", "2022-05-06T09:00:00", "visit", "Wendelin lives at the old mill with his hives.");
    expect((await archiveOf([met]).ask("Wo wohnt Wendelin?")).outcome).toBe("not_found");
    expect((await archiveOf([met]).ask("Where does Wendelin live?")).outcome).toBe("not_found");
    expect((await archiveOf([met, moved]).ask("Where does Wendelin live?")).answer).toContain("old mill");
  });

  it("is a house where a school or a firm is asked for", async () => {
    const works: Draft = { by: "Oda Renn", chat: "Berit", at: "2022-05-04T09:00:00", text: "my job wears me out" };
    const told: Draft = { ...works, at: "2022-05-05T09:00:00", text: "new job at the wax company, they took me!" };
    expect((await archiveOf([works]).ask("Which company does Oda have a job at?")).outcome).toBe("not_found");
    expect((await archiveOf([works, told]).ask("Which company does Oda have a job at?")).answer).toContain(
      "wax company",
    );
  });

  it("is not the day of a letter that waits for it", async () => {
    const waits = letter("Oda Renn", "2022-05-04T09:00:00", "queen", "That has to wait until Quirin reaches Merano.");
    const told = letter("Oda Renn", "2022-05-06T09:00:00", "queen", "Quirin reached Merano on Thursday.");
    expect((await archiveOf([waits]).ask("When did Quirin reach Merano?")).outcome).toBe("not_found");
    expect((await archiveOf([waits, told]).ask("When did Quirin reach Merano?")).answer).toContain("5 May 2022");
  });
});

describe("pictures", () => {
  const picture = (more: Partial<ImportedRecord>, at?: string): Draft => ({
    kind: "photo",
    ...(at === undefined ? {} : { at }),
    ...more,
  });

  it("tell their camera and what was written to them", async () => {
    const archive = archiveOf([
      picture({ props: { camera: { make: "Hexar", model: "Hexar K1" } } }, "2021-05-02T10:00:00"),
      picture(
        { subject: "V-220611-04", text: "The queen of the lower hive, marked yellow. Taken through glass." },
        "2022-06-11T10:00:00",
      ),
    ]);
    expect((await archive.ask("Which camera took the photo of 2 May 2021?")).answer).toContain("Hexar K1");
    const several = archiveOf(
      ["Hexar K1", "Hexar K1", "Orbo 7"].map((model, at) =>
        picture({ props: { camera: { make: "", model } } }, `2021-05-02T1${at}:00:00`),
      ),
    );
    const { answer, claims } = await several.ask("Which camera took the photos of May 2021?");
    expect(answer).toBe("Hexar K1. Orbo 7.");
    expect(claims.map(({ citations }) => citations.map(({ recordId }) => recordId))).toEqual([[1, 2], [3]]);
    expect((await archive.ask("What is the picture V-220611-04 about?")).answer).toContain("queen of the lower hive");
  });

  it("of one day are counted in both languages", async () => {
    const archive = archiveOf([picture({}, "2022-06-11T10:00:00"), picture({}, "2022-06-11T12:00:00")]);
    expect((await archive.ask("How many photos were taken in June 2022?")).answer).toBe(
      "2 photos, both on 11 June 2022.",
    );
    expect((await archive.ask("Wie viele Fotos wurden im Juni 2022 aufgenommen?")).answer).toBe(
      "2 Fotos, beide vom 11. Juni 2022.",
    );
  });

  it("are of no day where only copying gave them one", async () => {
    const now = Date.now();
    const [today, long] = [0, 400].map((days) => new Date(now - days * 86_400_000).toISOString().slice(0, 10));
    const file = (ms: number) => timeFromInstant(ms, { source: "file-time", confidence: "low" });
    const archive = archiveOf([
      picture({ time: file(now - 60_000), subject: "copied" }),
      picture({ time: file(now - 400 * 86_400_000), subject: "kept" }),
    ]);
    expect((await archive.ask(`Show me photos of ${today}`)).outcome).toBe("not_found");
    expect((await archive.ask(`Show me photos of ${long}`)).outcome).toBe("answered");
  });
});

it("names nobody by a little word of their name", () => {
  const shop = { id: 1, name: "Wax and Frames from Valley Bees", addresses: [], records: 3, owner: false };
  const { find } = peopleIndex([shop]);
  expect(find("photos from 2021")).toEqual([]);
  expect(find("what did valley bees send?")).toHaveLength(1);
  const firm = { id: 2, name: "Alpine Hive Scales", addresses: [], records: 3, owner: false };
  expect(peopleIndex([firm]).find("When did Hive 3.1 come out?")).toEqual([]);
  expect(peopleIndex([firm]).find("When did Hive Scales write?")).toHaveLength(1);
  const desk = { id: 3, name: "support@scales.example", addresses: [], records: 3, owner: false };
  expect(peopleIndex([desk]).find("How do I read mail with Sup?")).toEqual([]);
});
