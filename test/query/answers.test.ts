import { describe, expect, it } from "vitest";
import { archiveOf, type Draft } from "./archive.ts";

/** A small household of its own, with what answers are hard on: totals, changes, pictures without words, two languages. */
const records: Draft[] = [
  {
    by: "Lindenhof Sailing",
    to: ["Nora Falk"],
    at: "2024-02-01T09:00:00",
    subject: "Quote for new sails",
    text: "Mainsail: €840\nJib: €410\nOur quote for both sails is €1,250.",
    thread: "sails",
  },
  {
    by: "Lindenhof Sailing",
    to: ["Nora Falk"],
    at: "2024-03-11T09:00:00",
    subject: "Invoice for your sails",
    text: "Mainsail: €840\nJib: €460\nTotal: €1,300\nPaid by card, thank you.\nSail number GER-4471.",
    thread: "sails",
  },
  {
    by: "Sailing School Office",
    to: ["Nora Falk"],
    at: "2024-04-02T10:00:00",
    subject: "Regatta briefing",
    text: "The regatta briefing is on Tuesday 7 May 2024 at 18:00 in the boathouse.",
    thread: "regatta",
  },
  {
    by: "Sailing School Office",
    to: ["Nora Falk"],
    at: "2024-04-20T10:00:00",
    subject: "Re: Regatta briefing",
    text: "The regatta briefing moves from Tuesday 7 May to Thursday 9 May 2024, 18:30.",
    thread: "regatta",
  },
  {
    by: "Sailing School Office",
    to: ["Nora Falk"],
    at: "2024-04-21T10:00:00",
    subject: "Jetty repair",
    text: "The jetty repair was moved to Friday 24 May 2024. Please use the north steps.",
  },
  {
    by: "Hanno Falk",
    to: ["Nora Falk"],
    at: "2024-05-12T08:00:00",
    subject: "Ferienhaus",
    text: "Liebe Nora,\ndas Ferienhaus in Prerow ist gebucht, vom 3. Juni bis 10. Juni 2024.\nHanno",
  },
  {
    by: "Nora Falk",
    chat: "Family",
    at: "2024-06-05T20:10:00",
    text: "the lighthouse at last, 134 steps",
    props: {
      attachments: [
        {
          name: "IMG-20240605.jpg",
          path: "IMG-20240605.jpg",
          mime: "image/jpeg",
          bytes: 1,
          sha256: null,
          text: null,
          inline: false,
          missing: false,
        },
      ],
    },
  },
  {
    kind: "photo",
    at: "2024-06-05T17:30:00",
    place: { lat: 54.44, lon: 12.57, alt: null, name: null, confidence: "normal" },
    props: { name: "DSC_0001.jpg" },
  },
  {
    kind: "photo",
    at: "2024-06-07T11:00:00",
    place: { lat: 54.45, lon: 12.58, alt: null, name: null, confidence: "normal" },
    props: { name: "DSC_0002.jpg" },
  },
  { kind: "photo", at: "2024-08-01T11:00:00", props: { name: "DSC_0003.jpg" } },
  {
    by: "Nora Falk",
    chat: "Family",
    at: "2024-06-20T18:00:00",
    text: "Hanno's puppy is called Biscuit and weighs 4.2 kg",
  },
  {
    by: "Brightwash",
    to: ["Nora Falk"],
    at: "2024-01-15T09:00:00",
    subject: "Order confirmation washing machine",
    text: "Brightwash 7 washing machine: €519\nGuarantee: 3 years from delivery.",
  },
  {
    by: "Nora Falk",
    to: ["Hanno Falk"],
    at: "2024-01-02T09:00:00",
    subject: "My list for the boat",
    text: "For the boat:\n\n1. new rope\n2. paint the hull\n3. two lamps\n\nNora",
  },
  { by: "Hanno Falk", chat: "Family", at: "2024-07-01T10:00:00", text: "Can you captain the Sunday race?" },
  { by: "Nora Falk", chat: "Family", at: "2024-07-01T10:02:00", text: "Yes, gladly" },
];

const answerTo = async (question: string) => (await archiveOf(records).ask(question)).answer;

describe("the value of an answer", () => {
  it("is the total of the invoice, not an item and not the quote", async () => {
    expect(await answerTo("How much did we pay for the sails in total?")).toMatch(/^€1,300/);
  });

  it("is a number when one is asked for by its name", async () => {
    expect(await answerTo("What is the sail number?")).toMatch(/^GER-4471/);
  });

  it("is what holds now, with the weekday and time, and what held before once, never of another matter", async () => {
    const answer = await answerTo("When is the regatta briefing?");
    expect(answer).toMatch(/^Thursday 9 May 2024, 18:30/);
    expect(answer.match(/Before that it was/g)).toHaveLength(1);
    expect(answer).toContain("Before that it was Tuesday 7 May 2024, 18:00 (as written on 2 April 2024)");
    expect(answer).not.toContain("24 May");
  });

  it("answers each part of a question", async () => {
    const answer = await answerTo("What is Hanno's puppy called and how heavy is it?");
    expect(answer).toContain("Biscuit");
    expect(answer).toContain("4.2 kg");
  });

  it("begins with yes or no where the records decide it", async () => {
    expect(await answerTo("Is the washing machine still under guarantee in 2026?")).toMatch(/^Yes: /);
    expect(await answerTo("Is the washing machine still under guarantee in 2029?")).toMatch(/^No: /);
  });

  it("is a whole list where a record holds one", async () => {
    expect(await answerTo("What was on Nora's list for the boat?")).toMatch(/new rope.*paint the hull.*two lamps/);
  });

  it("is found across languages by names, dates and everyday words", async () => {
    expect(await answerTo("When is the holiday in Prerow?")).toMatch(/3 June 2024/);
    expect(await answerTo("Wann ist die Regatta-Besprechung, das briefing?")).toMatch(/^Donnerstag, 9\. Mai 2024/);
  });
});

describe("a question for pictures", () => {
  it("finds one by the message that showed it, and cites both", async () => {
    const archive = archiveOf(records);
    const { answer, claims } = await archive.ask("Show the photo of the lighthouse");
    expect(answer).toBe("Photo on 5 June 2024, 17:30: “the lighthouse at last, 134 steps” (Nora Falk, 5 June 2024).");
    const cited = new Set(claims.flatMap(({ citations }) => citations.map(({ recordId }) => recordId)));
    expect(cited).toEqual(new Set([archive.ids[7], archive.ids[6]]));
  });

  it("finds several by a stay that was planned in another language, and none of another time", async () => {
    const { answer } = await archiveOf(records).ask("Which photos did we take in Prerow?");
    expect(answer).toContain("5 June 2024, 17:30");
    expect(answer).toContain("7 June 2024, 11:00");
    expect(answer).not.toContain("August");
  });
});

describe("a question whose names occur and whose fact does not", () => {
  it.each([
    "What is Hanno's blood group?",
    "When is Nora's dentist appointment?",
    "How much did Nora pay for the car?",
    "Who sailed with us to Iceland?",
    "What is the password of the boathouse alarm?",
    "When did Hanno graduate from university?",
    "How long was the flight to Lisbon?",
    "Which school does Hanno teach at?",
    "How much rent does Nora pay?",
    "What colour is Hanno's motorbike?",
    "Where did Nora buy the piano?",
    "Show the photo of the wedding in Madrid",
    "Wann hat Nora die Fahrprüfung bestanden?",
    "Wie heißt Hannos Schwiegermutter?",
    "Did Nora climb the Matterhorn?",
  ])("is refused: %s", async (question) => {
    const result = await archiveOf(records).ask(question);
    expect({ answer: result.answer, outcome: result.outcome }).toEqual({
      answer: expect.stringMatching(/^(?:Not in your archive|Nicht in deinem Archiv)/),
      outcome: "not_found",
    });
    expect(result.claims).toEqual([]);
  });
});

describe("a question for a person", () => {
  const licence: Draft[] = [
    {
      by: "Ida Brandt",
      to: ["Lars Holm"],
      at: "2024-03-02T09:00:00",
      subject: "tidewatch release",
      text: "The tidewatch program comes under the GNU General Public License. Good luck maintaining it.",
    },
    {
      by: "Ida Brandt",
      to: ["Lars Holm"],
      at: "2024-03-04T09:00:00",
      subject: "harbour cranes",
      text: "The harbour cranes were repaired by Nielsen Brothers last week.",
    },
  ];

  it("never names capitalised words that are nobody, but quotes", async () => {
    const { answer } = await archiveOf(licence).ask("Who is maintaining tidewatch?");
    expect(answer).toMatch(/^“/);
  });

  it("names who did it by the words beside the verb", async () => {
    const { answer } = await archiveOf(licence).ask("Who repaired the harbour cranes?");
    expect(answer).toMatch(/^Nielsen Brothers/);
  });
});

describe("what several records say of one thing", () => {
  const both: Draft[] = [
    {
      by: "Jette Krog",
      to: ["Nora Falk"],
      at: "2024-01-05T09:00:00",
      subject: "Midsummer party",
      text: "The midsummer party is planned for Saturday 15 June 2024 at the mill.",
      identity: "party-1",
    },
    {
      by: "Jette Krog",
      to: ["Nora Falk"],
      at: "2024-03-05T09:00:00",
      subject: "Invitation",
      text: "You are invited: midsummer party on Saturday 29 June 2024 at the boathouse.",
    },
    { by: "Hanno Falk", chat: "Family", at: "2024-02-01T10:00:00", text: "the new stove will be 1850ish, they say" },
    {
      by: "Ember Stoves",
      to: ["Nora Falk"],
      at: "2024-02-20T09:00:00",
      subject: "Invoice stove",
      text: "Stove, fitted.\nAmount due for the stove: €1,720",
    },
    { by: "Nora Falk", chat: "Boat", at: "2024-05-01T10:00:00", text: "would you take €300 for the rowing boat?" },
    { by: "Piet Maas", chat: "Boat", at: "2024-05-01T10:05:00", text: "OK, deal" },
  ];

  it("is answered with the day of the later invitation, and what was planned before", async () => {
    const { answer } = await archiveOf(both).ask("When is the midsummer party?");
    expect(answer).toMatch(/^Saturday 29 June 2024/);
    expect(answer).toContain("Before that it was Saturday 15 June 2024 (as written on 5 January 2024)");
  });

  it("is answered by the invoice, and the guess of a chat is told with it", async () => {
    const archive = archiveOf(both);
    const { answer, conflicts } = await archive.ask("How much did the new stove cost?");
    expect(answer).toMatch(/^€1,720/);
    expect(answer).toContain("1850");
    expect(conflicts).toContainEqual(
      expect.objectContaining({ attribute: "amount", older: { recordId: archive.ids[2], value: "1850" } }),
    );
  });

  it("holds when a short reply accepts it, and both are cited", async () => {
    const archive = archiveOf(both);
    const { answer, claims } = await archive.ask("How much was the rowing boat?");
    expect(answer).toMatch(/^€300/);
    expect(answer).toContain("Accepted: “OK, deal” (Piet Maas, 1 May 2024)");
    const cited = claims.flatMap(({ citations }) => citations.map(({ recordId }) => recordId));
    expect(cited).toEqual(expect.arrayContaining([archive.ids[4], archive.ids[5]]));
  });
});
