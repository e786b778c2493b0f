import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalSubject, referencesIn } from "#main/indexes/facts.ts";
import { localDayOf, viewsOf } from "#main/views/index.ts";
import { findDates, languageOf, sentencesOf, stem, temporalCount } from "#main/views/language/index.ts";
import { recordOf } from "./fixture.ts";

const textView = (text: string) =>
  viewsOf(recordOf({ id: 1, kind: "email", text })).find(({ view }) => view === "text")?.text;

describe("views of a record", () => {
  it("blank out quoted history and signature, letter for letter in place", () => {
    const mail =
      "See you at nine.\n\nOn Mon, 3 June 2024 Mara wrote:\n> are you coming?\n> please say\nYes I am\n-- \nJuno\n+1 555";
    const view = textView(mail) ?? "";
    expect(view.length).toBe(mail.length);
    expect(view.replace(/\s+/g, " ").trim()).toBe("See you at nine. Yes I am");
    expect(view.indexOf("Yes I am")).toBe(mail.indexOf("Yes I am"));
  });

  it("leave a mail as it is when all of it is quoted", () => {
    expect(textView("> only\n> this")).toBe("> only\n> this");
  });

  it("stay separate: text, subject, attachment, metadata", () => {
    const attachment = {
      name: "bill_2024.pdf",
      path: null,
      mime: null,
      bytes: null,
      sha256: null,
      text: "Total 12 EUR",
      inline: false,
      missing: false,
    };
    const views = viewsOf(
      recordOf({
        id: 1,
        by: "Mara",
        at: "2024-07-14T08:00:00",
        subject: "Bill",
        text: "Here",
        props: { attachments: [attachment] },
      }),
    );
    expect(views.map(({ view }) => view)).toEqual(["text", "subject", "attachment", "metadata"]);
    expect(views[3]?.text).toBe("message · 14 July 2024 · Sunday · Mara · bill 2024");
  });

  it.each([
    ["SONY", "DSC-P10", "photo · SONY DSC-P10"],
    ["NIKON CORPORATION", "NIKON D70", "photo · NIKON D70"],
    ["Apple", "iPhone 8", "photo · iPhone 8"],
    ["Canon", null, "photo · Canon"],
  ])("name a picture's camera as people do: %s, %s", (make, model, words) => {
    const photo = recordOf({ id: 1, kind: "photo", props: { camera: { make, model } } });
    expect(viewsOf(photo)).toEqual([{ view: "metadata", text: words }]);
  });

  it("join the lines that a mail program broke", () => {
    const lines = "We were told at the harbour office that the ferry to the island\nwould not leave before Thursday.";
    expect(textView(lines)).toBe(lines.replace("\n", " "));
  });

  it("take a record's local day from its wall clock, else from its offset", () => {
    const time = {
      utc: "2024-07-14T23:30:00Z",
      local: null,
      offset: "+02:00",
      zone: null,
      source: "t",
      precision: "second",
      inferred: false,
      confidence: "normal",
    } as const;
    expect(localDayOf(time)).toBe("2024-07-15");
    expect(localDayOf({ ...time, local: "2024-07-13T10:00:00" })).toBe("2024-07-13");
    expect(localDayOf({ ...time, offset: null })).toBe("2024-07-14");
    expect(localDayOf(null)).toBeNull();
  });
});

describe("dates in texts", () => {
  const spans = (text: string, reference: string | null = "2024-07-10", years?: number[]) =>
    findDates(text, { reference, ...(years ? { years } : {}) }).map(({ from, to }) =>
      from === to ? from : `${from}..${to}`,
    );

  it.each([
    ["yesterday and last Friday", ["2024-07-09", "2024-07-05"]],
    ["three weeks ago", ["2024-06-19"]],
    ["on the 14th of July", ["2024-07-14"]],
    ["moved to the 5th", ["2024-08-05"]],
    ["July 4, 2023", ["2023-07-04"]],
    ["in March", ["2024-03-01..2024-03-31"]],
    ["last summer", ["2023-06-01..2023-08-31"]],
    ["am 14. Juli 2023, vor zwei Wochen und morgen", ["2023-07-14", "2024-06-26", "2024-07-11"]],
    ["nächsten Montag um 9", ["2024-07-15"]],
    ["Guten Morgen", []],
    ["3.4.2022 or 07/14/2024 or 2024-02-29", ["2022-04-03", "2024-07-14", "2024-02-29"]],
    ["31 April or 2024-02-30", []],
    ["I may march on", []],
    ["it cost 2024 € back in 2021", ["2021-01-01..2021-12-31"]],
  ])("%s", (text, expected) => expect(spans(text)).toEqual(expected));

  it("mean every year of the archive when the question names none", () => {
    expect(spans("on 3 May", "2024-07-10", [2021, 2022])).toEqual(["2021-05-03", "2022-05-03"]);
  });

  it("leave relative ones alone without a day to count from, and never fail", () => {
    expect(spans("yesterday", null)).toEqual([]);
    fc.assert(fc.property(fc.string(), (text) => void [spans(text), temporalCount(text)]));
  });
});

describe("words and sentences", () => {
  it("stem as Porter has it", () => {
    const pairs = {
      caresses: "caress",
      ponies: "poni",
      relational: "relat",
      hopping: "hop",
      happiness: "happi",
      generalizations: "gener",
      agreed: "agre",
      sky: "sky",
    };
    for (const [word, expected] of Object.entries(pairs)) expect(stem(word)).toBe(expected);
  });

  it("tell English from German", () => {
    expect(languageOf("When did I buy the boat?")).toBe("en");
    expect(languageOf("Wann habe ich das Boot gekauft?")).toBe("de");
    expect(languageOf("")).toBe("en");
  });

  it("end sentences at their ends and not at abbreviations or ordinals", () => {
    const text = "Dr. Okafor comes on 14. Juli at nine. Bring cake!\nOr not";
    expect(sentencesOf(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      "Dr. Okafor comes on 14. Juli at nine.",
      "Bring cake!",
      "Or not",
    ]);
  });
});

describe("what ties records", () => {
  it("are order, booking and ticket numbers, not years or dates", () => {
    expect(referencesIn("Order number HB-20871, your booking ref: XK12Q9, Rechnung Nr. 4711-22")).toEqual([
      "4711-22",
      "HB-20871",
      "XK12Q9",
    ]);
    expect(referencesIn("the order of 2024 and ticket for 2024-05-03, order pizza now")).toEqual([]);
  });

  it("are subjects without their prefixes, when they say something", () => {
    expect(normalSubject("Re: AW: [family] Dentist appointment")).toBe("dentist appointment");
    expect(normalSubject("Re: hello")).toBeNull();
  });
});
