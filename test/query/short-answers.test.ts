import { describe, expect, it } from "vitest";
import type { AskResult } from "#contract";
import { peopleIndex } from "#main/query/plan/people.ts";
import { planQuestion } from "#main/query/plan/plan.ts";
import { answerPhrase } from "#main/query/read/spans/phrase.ts";
import { archiveOf, type Draft, type TestArchive } from "./archive.ts";

/** The answer alone, as a person would say it, and the records that it needs. */

const planOf = (question: string) =>
  planQuestion(question, {
    today: "2024-08-01",
    firstDay: "2020-01-01",
    lastDay: "2024-08-01",
    people: peopleIndex([]),
  });

const cited = (archive: TestArchive, { claims }: AskResult): number[] =>
  [
    ...new Set(claims.flatMap(({ citations }) => citations.map(({ recordId }) => archive.ids.indexOf(recordId)))),
  ].sort();

const ask = async (records: readonly Draft[], question: string) => {
  const archive = archiveOf(records);
  const result = await archive.ask(question);
  return { result, value: result.claims[0]?.value ?? null, cited: cited(archive, result) };
};

describe("the phrase that answers", () => {
  const phrase = (question: string, quote: string) => answerPhrase(planOf(question), quote);

  it("stands behind the verb that was asked about, or the word that the question ends with", () => {
    expect(phrase("What did Ada collect?", "I started collecting old tin toys when I was ten")).toBe("old tin toys");
    expect(phrase("What was the bazaar held for?", "The bazaar raised money for the animal shelter last week")).toBe(
      "animal shelter",
    );
  });

  it("holds a listing whole", () => {
    expect(phrase("What did Ada bake?", "Yesterday I baked plum cake, rolls and a braided loaf for the fair")).toBe(
      "plum cake, rolls and a braided loaf",
    );
  });

  it("is the name, where one is asked for", () => {
    expect(phrase("What is the name of Ada's parrot?", "He is so loud, his name is Captain!")).toBe("Captain");
    expect(phrase("Wie heißt Adas Papagei?", "Unser Papagei heißt Käpt'n, und er redet viel")).toBe("Käpt'n");
  });
});

describe("a day of the past", () => {
  it("is the last one of its number", async () => {
    const { value } = await ask(
      [
        {
          by: "Ada",
          chat: "Club",
          at: "2023-08-17T10:00:00",
          text: "I met the new trainer on the 15th, she is strict",
        },
      ],
      "When did Ada meet the new trainer?",
    );
    expect(value).toBe("15 August 2023");
  });
});

describe("where somebody was", () => {
  const trip: Draft[] = [
    { by: "Ada", chat: "Club", at: "2024-02-10T18:00:00", text: "first evening in Geilo, the stove is on" },
    { by: "Ada", chat: "Club", at: "2024-02-12T08:00:00", text: "minus nine in Geilo and the sun is out" },
    {
      by: "Tour News",
      to: ["Ada"],
      at: "2024-02-13T08:00:00",
      subject: "Deals",
      text: "New flights from Oslo every day.",
    },
    { by: "Bo", chat: "Club", at: "2024-02-13T09:00:00", text: "we miss you at practice" },
  ];

  it("is the place that the records of that time name", async () => {
    const { value, cited: by } = await ask(trip, "Where were we in the second week of February 2024?");
    expect(value).toBe("Geilo");
    expect(by).toEqual([0, 1]);
  });
});

describe("what an answer cites", () => {
  const bills: Draft[] = ["January", "February", "March", "April"].map((month, at) => ({
    by: "Nordlys Power",
    to: ["Ada"],
    at: `2024-0${at + 1}-03T08:00:00`,
    subject: `Your Nordlys bill, ${month} 2024`,
    text: `Power at Quay 5: €42.00\nCollected on the 8th.`,
  }));

  it("is no bill of every month beside the contract", async () => {
    const contract: Draft = {
      by: "Nordlys Power",
      to: ["Ada"],
      at: "2023-12-10T08:00:00",
      subject: "Your power contract NP-9",
      text: "Contract for power at Quay 5.\nMonthly price: €42.00",
    };
    const { cited: by } = await ask([contract, ...bills], "What is the monthly price of the power contract?");
    expect(by).toEqual([0]);
  });
});

describe("a part of a price", () => {
  it("is no earlier price of the whole", async () => {
    const { result } = await ask(
      [
        {
          by: "Kiln & Co",
          to: ["Ada"],
          at: "2024-03-01T08:00:00",
          subject: "Quote 12: pottery kiln",
          text: "Pottery kiln: €1,500\nWiring of the kiln: €300\nTotal: €1,800",
          thread: "kiln",
        },
        {
          by: "Kiln & Co",
          to: ["Ada"],
          at: "2024-03-20T08:00:00",
          subject: "Invoice 12: pottery kiln",
          text: "Pottery kiln, wired.\n\nAmount due: €1,800",
          thread: "kiln",
        },
      ],
      "How much did the pottery kiln cost?",
    );
    expect(result.claims[0]?.value).toBe("€1,800");
    expect(result.answer).not.toContain("1,500");
  });
});

describe("an event that was moved far away", () => {
  it("is on its new day, whatever other days the letter names", async () => {
    const { result } = await ask(
      [
        {
          by: "Lantern Hall",
          to: ["Ada"],
          at: "2023-02-01T08:00:00",
          subject: "Your tickets: Glass Harmonica Evening",
          text: "Glass Harmonica Evening\nFriday 14 April 2023, doors 19:00",
        },
        {
          by: "Lantern Hall",
          to: ["Ada"],
          at: "2023-03-20T08:00:00",
          subject: "New date: Glass Harmonica Evening",
          text: "The Glass Harmonica Evening of Friday 14 April moves to Saturday 9 September 2023. Your tickets stay valid; refunds until 30 April.",
        },
      ],
      "When is the Glass Harmonica Evening?",
    );
    expect(result.claims[0]?.value).toBe("9 September 2023");
    expect(result.claims.find(({ standing }) => standing === "superseded")?.text).toContain("14 April 2023");
  });
});

describe("a question in one language over records in the other", () => {
  it("is answered by days, names and figures", async () => {
    const german: Draft[] = [
      {
        by: "Oma Ilse",
        chat: "Familie",
        at: "2024-05-02T09:00:00",
        text: "Der Zahnarzt hat den Termin auf den 21. Mai gelegt",
      },
      { by: "Oma Ilse", chat: "Familie", at: "2024-05-03T09:00:00", text: "Das neue Zelt hat 129 Euro gekostet" },
    ];
    expect((await ask(german, "When is Oma Ilse's dentist appointment?")).value).toBe("21 May 2024");
    expect((await ask(german, "How much did Oma Ilse pay for the new tent?")).value).toBe("129 Euro");
  });
});

describe("weekends of a month", () => {
  it("are times to ask about", () => {
    const { windows } = planOf("Where were we on the last weekend of May 2024?");
    expect(windows.map(({ from, to }) => [from, to])).toEqual([["2024-05-25", "2024-05-26"]]);
  });
});

describe("what something costs", () => {
  const quote: Draft = {
    by: "Hedge Joinery",
    at: "2024-02-02T10:00:00",
    subject: "Quotation for your pantry",
    text: "Pantry of oak, with shelves. Total: £4,200. The quotation is valid for 30 days.",
  };
  const order: Draft = {
    by: "Hedge Joinery",
    at: "2024-02-20T10:00:00",
    subject: "Order HJ-88",
    text: "Thank you for the pantry order with the taller door. New total: £4,650 (was £4,200). Deposit paid: £1,500.",
  };

  it("is the newer sum that names the one it replaces, and not what was paid ahead", async () => {
    const { result } = await ask([quote, order], "How much did the pantry cost?");
    expect(result.answer).toMatch(/^£4,650/);
    expect(result.answer).toContain("£4,200");
    expect(result.answer).not.toContain("1,500");
  });

  it("by the month is no price of the whole", async () => {
    const { result } = await ask([quote], "How much is the pantry per month?");
    expect(result.outcome).toBe("not_found");
    const loan = { by: "Bank", at: "2024-03-01T10:00:00", text: "For the pantry you pay £85 monthly." };
    expect((await ask([quote, loan], "How much is the pantry a month?")).result.answer).toContain("£85");
  });
});

describe("who somebody is", () => {
  const named: Draft[] = [
    { by: "Marit", chat: "Row", at: "2024-03-01T10:00:00", text: "55 minutes by train. I looked" },
    { by: "Ada", chat: "Row", at: "2024-03-02T10:00:00", text: "Happy birthday Marit from all in Skagen" },
  ];

  it("is told by what introduces them, not by what they wrote or were wished", async () => {
    expect((await ask(named, "Who is Marit?")).result.outcome).toBe("not_found");
    const said = { by: "Ada", chat: "Row", at: "2024-04-01T10:00:00", text: "Marit is the new lock keeper" };
    expect((await ask([...named, said], "Who is Marit?")).result.answer).toContain("lock keeper");
  });
});
