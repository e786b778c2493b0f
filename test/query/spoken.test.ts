import { describe, expect, it } from "vitest";
import { archiveOf, type Draft } from "./archive.ts";

/** An answer is taken from what speaks of those who are named, and of the matter itself. */

const household: readonly Draft[] = [
  {
    by: "Paint Shop",
    at: "2023-03-02T10:00:00",
    subject: "Your order",
    text: "Colour: Moss. Total: £84 for the shed.",
  },
  { by: "Ada Berg", to: ["Bo Lind"], at: "2023-03-05T18:00:00", text: "Pepper slept on the sofa all day again." },
  {
    by: "Ferry Line",
    to: ["Ada Berg"],
    at: "2023-05-01T09:00:00",
    subject: "Booking",
    text: "Booking F2207, 2 adults, 3 children, car deck 4.",
  },
  {
    by: "Iris Holm",
    to: ["Ada Berg"],
    at: "2023-05-03T09:00:00",
    subject: "Roses",
    text: "Dear Ada, the roses are in bloom. Come and see them. Iris",
  },
  {
    by: "Court Hotel",
    to: ["Ada Berg"],
    at: "2023-06-01T09:00:00",
    subject: "Your stay",
    text: "Your room at the Court Hotel in Malmsey is booked from 3 to 5 June.",
  },
  { by: "Bo Lind", to: ["Ada Berg"], at: "2023-07-01T09:00:00", text: "We were in Tolby by noon, it rained all day." },
  {
    by: "Parish",
    to: ["Ada Berg"],
    at: "2023-08-01T09:00:00",
    subject: "Summer singing",
    text: "The choir sings at the Corn Hall on Sunday 13 August at 17:00. Bring a chair.",
  },
  { by: "Bo Lind", to: ["Ada Berg"], at: "2023-08-20T09:00:00", text: "They played three songs in the square." },
];

const ask = async (question: string) => (await archiveOf(household).ask(question)).claims[0]?.text ?? null;

describe("what an answer is taken from", () => {
  it("speaks of the animal that is named, not of the colour of something else", async () => {
    expect(await ask("What colour is Pepper?")).toBeNull();
    expect(await ask("What colour is the shed?")).toContain("Moss");
  });

  it("speaks of the person who is named", async () => {
    expect(await ask("How many children does Iris Holm have?")).toBeNull();
    expect(await ask("How many children were on the ferry booking?")).toContain("3");
  });

  it("speaks of the place that is named", async () => {
    expect(await ask("Which hotel did we stay at in Tolby?")).toBeNull();
    expect(await ask("Which hotel did we stay at in Malmsey?")).toContain("Court Hotel");
  });

  it("says the kind of thing that is asked for", async () => {
    expect(await ask("Which songs did the choir sing?")).toBeNull();
  });

  it("says what somebody has or is of their own, though no record has a word for it", async () => {
    expect(await ask("What is the combination of the ferry booking?")).toBeNull();
    expect(await ask("What is the name of Pepper's vet?")).toBeNull();
    expect(await ask("How tall is Pepper?")).toBeNull();
    expect(await ask("How old is Iris Holm?")).toBeNull();
  });

  it("says what somebody is asked to have done", async () => {
    expect(await ask("Did we sell the roses?")).toBeNull();
    expect(await ask("Did Pepper book the ferry?")).toBeNull();
    expect(await ask("When does the Corn Hall open?")).toBeNull();
  });

  it("counts what is asked for, and no number of a booking", async () => {
    expect(await ask("How many dogs were on the ferry booking?")).toBeNull();
    expect(await ask("How many adults were on the ferry booking?")).toContain("2");
  });

  it("tells who somebody is that stands in no address book by what is said of them", async () => {
    expect(await ask("Who is Pepper?")).toContain("slept on the sofa");
  });
});
