import { describe, expect, it } from "vitest";
import type { AskResult } from "#contract";
import { archiveOf, type Draft } from "./archive.ts";

/** Other talk, so that what is looked for is no neighbour of the answer. */
const chatter: Draft[] = Array.from({ length: 60 }, (_, at) => ({
  by: at % 2 === 0 ? "Nora Falk" : "Hanno Falk",
  chat: "Family",
  at: `2023-0${1 + (at % 9)}-${String(1 + (at % 27)).padStart(2, "0")}T${String(8 + (at % 10)).padStart(2, "0")}:00:00`,
  text: `the garden, the shopping and thing ${at} again`,
}));

const quotes = ({ claims }: AskResult): string =>
  claims.flatMap(({ citations }) => citations.map(({ quote }) => quote)).join(" | ");

async function asked(question: string, drafts: readonly Draft[]): Promise<AskResult> {
  return archiveOf([...chatter, ...drafts]).ask(question);
}

describe("who else says so", () => {
  it("is a chat that names the person by the first name, and no letter that the person only wrote", async () => {
    const result = await asked("Who found the parrot?", [
      {
        by: "Edda Brandt",
        to: ["Nora Falk"],
        at: "2024-03-02T09:00:00",
        subject: "Your parrot",
        text: "Dear Nora,\n\nI found the parrot in my pear tree this morning.\n\nEdda Brandt",
      },
      { by: "Nora Falk", chat: "Tilda", at: "2024-03-02T09:30:00", text: "Edda found the parrot, in her pear tree" },
      {
        by: "Edda Brandt",
        to: ["Nora Falk"],
        at: "2023-11-02T09:00:00",
        subject: "Hello from next door",
        text: "Dear neighbours,\n\nWelcome to our street. The bins are emptied on Tuesdays.\n\nEdda Brandt",
      },
    ]);
    expect(result.answer).toContain("Edda");
    expect(quotes(result)).toContain("Edda found the parrot");
    expect(quotes(result)).not.toContain("bins");
  });

  it("is a line about the same matter with the same day, whatever the question called it", async () => {
    const result = await asked("When do we get the keys to Heron Lane?", [
      {
        by: "Ms Okafor",
        to: ["Nora Falk"],
        at: "2024-05-06T09:00:00",
        subject: "Keys to Heron Lane",
        text: "The keys to Heron Lane are yours on completion. Completion has been moved from 17 May to Friday 31 May 2024.",
      },
      {
        by: "Nora Falk",
        chat: "Tilda",
        at: "2024-05-06T19:00:00",
        text: "completion moved to 31 may. not the 17th. breathe",
      },
      { by: "Nora Falk", chat: "Tilda", at: "2024-05-31T20:00:00", text: "the tall men were very tall" },
    ]);
    expect(result.answer).toContain("31 May 2024");
    expect(quotes(result)).toContain("completion moved to 31 may");
    expect(quotes(result)).not.toContain("tall men");
  });

  it("is a line of the same days with the same telling figure", async () => {
    const result = await asked("How much did the new heat pump cost?", [
      {
        by: "Warmwell",
        to: ["Nora Falk"],
        at: "2024-01-23T09:00:00",
        subject: "Invoice W-118: heat pump",
        text: "Heat pump, supplied and fitted.\nAmount due: £6,290",
      },
      { by: "Nora Falk", chat: "Tilda", at: "2024-01-24T15:00:00", text: "6290 and my feet are warm" },
    ]);
    expect(result.answer).toMatch(/^£6,290/);
    expect(quotes(result)).toContain("my feet are warm");
  });

  it("is a later letter of the same case, in other words", async () => {
    const result = await asked("What was broken on the oven?", [
      {
        by: "Ovenhelp",
        to: ["Nora Falk"],
        at: "2024-06-04T09:00:00",
        subject: "Your oven",
        text: "Thank you for your message. The thermal fuse of the oven is broken. Case Q-7731.",
      },
      {
        by: "Ovenhelp",
        to: ["Nora Falk"],
        at: "2024-06-19T09:00:00",
        subject: "Report Q-7731",
        text: "Thermal fuse replaced, all tests passed. Cost to you: £0.00.",
      },
      {
        by: "Ovenhelp",
        to: ["Nora Falk"],
        at: "2024-06-20T09:00:00",
        subject: "Report Q-9902",
        text: "Fuse of the toaster replaced.",
      },
    ]);
    expect(result.answer).toContain("thermal fuse");
    expect(quotes(result)).toContain("Thermal fuse replaced, all tests");
    expect(quotes(result)).not.toContain("toaster");
  });

  it("never is who only asks", async () => {
    const result = await asked("When did Ilse break her arm?", [
      { by: "Nora Falk", chat: "Tilda", at: "2024-02-14T18:40:00", text: "Ilse broke her arm today. ice, bicycle" },
      { by: "Tilda Voss", chat: "Tilda", at: "2024-02-14T18:44:00", text: "oh no, which arm?" },
      {
        by: "Nora Falk",
        chat: "Falks",
        at: "2024-02-14T20:00:00",
        text: "broken, yes, a clean one. six weeks of plaster",
      },
    ]);
    expect(result.answer).toContain("14 February 2024");
    expect(quotes(result)).not.toContain("which arm");
  });
});

describe("what held before", () => {
  it("is the first offer in the same exchange, though it names what is bought in other words", async () => {
    const first = {
      by: "Nora Falk",
      to: ["Harriet Lane"],
      at: "2024-06-01T10:00:00",
      subject: "Offer for 3 Dune Street",
    };
    const result = await asked("How much did we pay for the house?", [
      {
        ...first,
        identity: "<a@x>",
        text: "Dear Harriet,\n\nWe would like to offer £308,000 for 3 Dune Street.\n\nNora",
      },
      {
        by: "Harriet Lane",
        to: ["Nora Falk"],
        at: "2024-06-02T10:00:00",
        subject: "Re: Offer for 3 Dune Street",
        identity: "<b@x>",
        replyTo: "<a@x>",
        text: "The vendor would take the house off the market at £315,000.",
      },
      {
        ...first,
        at: "2024-06-02T12:00:00",
        subject: "Re: Offer for 3 Dune Street",
        identity: "<c@x>",
        replyTo: "<b@x>",
        text: "Yes please!",
      },
    ]);
    expect(result.answer).toMatch(/^£315,000/);
    expect(quotes(result)).toContain("£308,000");
  });

  it("is what the sentence says it replaces, with who still says that", async () => {
    const result = await asked("What colour is the new summer house?", [
      {
        by: "Timber & Co",
        to: ["Nora Falk"],
        at: "2024-02-23T10:00:00",
        subject: "Order 77 (revised): summer house",
        text: "Order 77, revised:\nColour: Slate (replaces Moss Green)\nTotal: £1,480",
      },
      { by: "Hanno Falk", chat: "Tilda", at: "2024-05-18T10:42:00", text: "moss green I think, the summer house" },
    ]);
    expect(result.answer).toContain("Slate");
    expect(result.claims.some(({ standing, text }) => standing === "superseded" && text.includes("Moss Green"))).toBe(
      true,
    );
    expect(quotes(result)).toContain("moss green I think");
  });
});

describe("where somebody was at a feast", () => {
  it("is said by who wishes a happy feast from there", async () => {
    const result = await asked("Where did we spend Christmas 2023?", [
      {
        by: "Greta Falk",
        to: ["Nora Falk"],
        at: "2023-11-20T10:00:00",
        subject: "Christmas",
        text: "So it is agreed, Christmas here in Husum this year.",
      },
      { by: "Granny Greta", chat: "Falks", at: "2023-12-25T09:00:00", text: "Happy Christmas from the kitchen" },
      { by: "Granny Greta", chat: "Falks", at: "2024-05-11T09:00:00", text: "Happy birthday from all in Husum" },
    ]);
    expect(result.answer).toContain("Husum");
    expect(quotes(result)).not.toContain("birthday");
    const cited = new Set(result.claims.flatMap(({ citations }) => citations.map(({ recordId }) => recordId)));
    expect(cited.size).toBe(2);
  });

  it("is nowhere where nothing says a place", async () => {
    const result = await asked("Where does Lorenz work?", [
      {
        by: "Lorenz Abt",
        to: ["Nora Falk"],
        at: "2024-03-02T09:00:00",
        subject: "The new index",
        text: "Is this expected, that is, the index does not work at all?",
      },
      {
        by: "Lorenz Abt",
        to: ["Nora Falk"],
        at: "2024-03-03T09:00:00",
        subject: "Re: The new index",
        text: "It does not work with folders.",
      },
    ]);
    expect(result.outcome).toBe("not_found");
  });
});

describe("a question of two parts", () => {
  it("is answered by what was written in the same talk within the hour, and not by the same sentence twice", async () => {
    const result = await asked("How much was the dinner in Riva and what did Hanno eat?", [
      {
        by: "Nora Falk",
        chat: "Tilda",
        at: "2024-08-11T21:03:00",
        text: "best dinner of the trip, Riva, 78 euros for the four of us",
      },
      { by: "Tilda Voss", chat: "Tilda", at: "2024-08-11T21:09:00", text: "what did you have" },
      { by: "Nora Falk", chat: "Tilda", at: "2024-08-11T21:12:00", text: "dumplings, and a trout for hanno" },
      { by: "Nora Falk", chat: "Family", at: "2024-04-24T19:33:00", text: "we have no kitchen. we eat on the stairs" },
    ]);
    expect(result.answer).toContain("78 euros");
    expect(result.answer).toContain("trout for hanno");
    expect(result.answer).not.toContain("stairs");
  });

  it("takes a code as the error that is shown, and the letter that explains it as what was broken", async () => {
    const result = await asked("Which error did the tumble dryer show and what was broken?", [
      {
        by: "Nora Falk",
        to: ["Drywell Service"],
        at: "2024-10-08T10:00:00",
        subject: "Tumble dryer",
        identity: "<d1@x>",
        text: "Hello,\n\nOur tumble dryer (bought in May) stops after ten minutes and shows E07.\n\nNora Falk",
      },
      {
        by: "Drywell Service",
        to: ["Nora Falk"],
        at: "2024-10-09T10:00:00",
        subject: "Your visit",
        identity: "<d2@x>",
        replyTo: "<d1@x>",
        text: "E07 means that the drum motor does not turn. A colleague will come on Tuesday.",
      },
    ]);
    expect(result.claims[0]?.value).toBe("E07");
    expect(result.answer).toContain("drum motor does not turn");
  });
});

describe("a yes or no", () => {
  it("is borne out by a chat of the same day in the words of the letter", async () => {
    const result = await asked("Did we have to pay the parking fine?", [
      {
        by: "City Parking",
        to: ["Nora Falk"],
        at: "2024-04-05T08:00:00",
        subject: "Appeal about your parking fine: accepted",
        text: "We have looked at your appeal and the parking fine is cancelled. You have nothing to pay.",
      },
      { by: "Nora Falk", chat: "Tilda", at: "2024-04-05T09:30:00", text: "appeal accepted, ha. 0 euros" },
    ]);
    expect(result.answer).toMatch(/^No/);
    expect(quotes(result)).toContain("appeal accepted, ha");
  });
});
