import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AskResult } from "#contract";
import { viewsOf } from "#main/views/index.ts";
import { archiveOf, type Draft, type TestArchive } from "./archive.ts";

/** A choir and its people: one archive for every kind of answer. */
const records: Draft[] = [
  {
    by: "Harbour Piano Works",
    to: ["Rosa Lind"],
    at: "2023-09-04T09:00:00",
    subject: "Invoice HP-3381",
    text: "Tuning of the upright piano, on 1 September 2023.\n\nAmount due: €140\nGuarantee until 1 September 2025.",
  },
  { by: "Rosa Lind", chat: "Choir", at: "2023-09-01T18:20:00", text: "piano is tuned!! 140 and worth every cent" },
  {
    by: "Northwind Ferries",
    to: ["Rosa Lind"],
    at: "2024-01-10T08:00:00",
    subject: "Your booking",
    text: "NW 77, Saturday 4 May 2024, Kiel to Oslo\nDeparture: 14:00",
    thread: "ferry",
  },
  {
    by: "Northwind Ferries",
    to: ["Rosa Lind"],
    at: "2024-03-02T08:00:00",
    subject: "Schedule change",
    text: "The time of your crossing has changed.\n\nNW 77, Saturday 4 May 2024, Kiel to Oslo\nOld departure: 14:00\nNew departure: 16:30",
    thread: "ferry",
  },
  { by: "Emil Lind", chat: "Choir", at: "2024-02-02T10:00:00", text: "What do you call your new boat, Rosa?" },
  { by: "Rosa Lind", chat: "Choir", at: "2024-02-02T10:01:00", text: "Pelican, because she is fat and patient" },
  { by: "Emil Lind", chat: "Choir", at: "2024-02-10T10:00:00", text: "I sprained my ankle on the stairs yesterday" },
  {
    by: "Emil Lind",
    to: ["Rosa Lind"],
    at: "2024-02-20T09:00:00",
    subject: "Would you conduct?",
    text: "Dear Rosa,\n\nwould you conduct the summer concert?\n\nEmil",
  },
  {
    by: "Greta Holm",
    chat: "Choir",
    at: "2024-06-15T21:00:00",
    text: "52 people in the chapel tonight, the summer concert was full",
  },
  {
    by: "Emil Lind",
    to: ["Greta Holm"],
    at: "2024-06-16T09:00:00",
    subject: "After the concert",
    text: "Dear Greta,\n\n52 people! And not one phone rang.\n\nEmil",
  },
  {
    by: "Onkel Fritz",
    to: ["Rosa Lind"],
    at: "2024-04-01T09:00:00",
    subject: "Probenwochenende",
    text: "Liebe Rosa,\ndas Probenwochenende in Plön kostet 85 Euro, weil die Küche neu ist.\nFritz",
  },
  { kind: "photo", at: "2024-05-04T13:00:00", props: { name: "DSC_0001.jpg" } },
];

async function ask(
  question: string,
  setUp?: (archive: TestArchive) => void,
): Promise<{ archive: TestArchive; result: AskResult }> {
  const archive = archiveOf(records);
  setUp?.(archive);
  return { archive, result: await archive.ask(question) };
}

const citedOf = ({ archive, result }: Awaited<ReturnType<typeof ask>>): Set<number> =>
  new Set(result.claims.flatMap(({ citations }) => citations.map(({ recordId }) => archive.ids.indexOf(recordId))));

describe("an answer", () => {
  it("until when is the end that the paper names, not another day of it", async () => {
    expect((await ask("Until when is the piano guaranteed?")).result.answer).toMatch(/^Monday 1 September 2025/);
  });

  it("about a departure has its hour, the newer one where it has changed", async () => {
    const { result } = await ask("When does the ferry to Oslo leave?");
    expect(result.answer).toMatch(/^Saturday 4 May 2024, 16:30/);
  });

  it("is found in the reply, where the words of the question stand in the question before", async () => {
    const { result } = await ask("What does Rosa call her boat?");
    expect(result.claims[0]?.citations[0]?.quote).toContain("Pelican");
  });

  it("to a number cites all who state it", async () => {
    const asked = await ask("How many people came to the summer concert?");
    expect(asked.result.answer).toMatch(/^52/);
    expect(citedOf(asked)).toEqual(new Set([8, 9]));
  });

  it("to a price cites the chat that tells of it without its currency", async () => {
    const asked = await ask("How much did the piano tuning cost?");
    expect(asked.result.answer).toMatch(/^€140/);
    expect([...citedOf(asked)]).toEqual(expect.arrayContaining([0, 1]));
  });

  it("says why by what follows the because, in either language", async () => {
    const { result } = await ask("Warum kostet das Probenwochenende 85 Euro?");
    expect(result.claims[0]?.value).toBe("die Küche neu ist");
  });

  it("gives its value alone beside the sentence", async () => {
    expect((await ask("When did Emil sprain his ankle?")).result.claims[0]?.value).toBe("9 February 2024");
  });

  it("is none where somebody else says it of themselves", async () => {
    expect((await ask("When did Rosa sprain her ankle?")).result.outcome).toBe("not_found");
  });

  it("stands beside its name on a picture of a form", async () => {
    const { result } = await ask("What is the chapel's wifi password?", (archive) => {
      archive.perceive(archive.ids[11] ?? 0, {
        purpose: "ocr",
        model: "reader",
        reading: {
          text: "Chapel wifi\nPASSWORD\nlark-organ-7\n",
          lines: [],
        },
      });
    });
    expect(result.claims[0]?.value).toBe("lark-organ-7");
  });

  it("is not the next line where a name on a sign has its figure already", async () => {
    const { result } = await ask("Which berth does the harbour ferry have?", (archive) => {
      archive.perceive(archive.ids[11] ?? 0, {
        purpose: "ocr",
        model: "reader",
        reading: { text: "HARBOUR FERRY\nBERTH 4711\nPLATFORM NINE", lines: [] },
      });
    });
    expect(result.answer).toContain("BERTH 4711");
  });
});

describe("every claim", () => {
  const words = ["piano", "concert", "Rosa", "Emil", "ferry", "boat", "Probenwochenende", "ankle", "chapel", "people"];
  const asks = [
    "When was the",
    "How much did the",
    "Who",
    "What",
    "Where is the",
    "Wann war",
    "How many",
    "Did Rosa",
    "Why",
  ];

  it("quotes what stands at its span, and the same question has the same answer", async () => {
    const archive = archiveOf(records);
    const texts = new Map(
      archive.ports.records.getMany([...archive.ids]).map((record) => [record.id, viewsOf(record)]),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...asks),
        fc.subarray(words, { minLength: 1, maxLength: 3 }),
        async (begin, rest) => {
          const question = `${begin} ${rest.join(" ")}?`;
          const first = await archive.ask(question);
          for (const { recordId, view, span, quote } of first.claims.flatMap(({ citations }) => citations)) {
            const text = texts.get(recordId)?.find((one) => one.view === view)?.text ?? "";
            expect(span === null ? text : text.slice(...span)).toBe(quote);
          }
          const second = await archive.ask(question);
          expect(second.claims).toEqual(first.claims);
        },
      ),
      { numRuns: 25 },
    );
  });
});
