import { describe, expect, it } from "vitest";
import { archiveOf, type Draft } from "./archive.ts";

/** A birthday is one person's: told by what speaks of that person, and by a wish on its own day. */

const chat = "Harbour row";
const records: Draft[] = [
  { by: "Juno", chat, at: "2024-03-02T08:10:00", text: "Happy birthday Piet from all in Skagen" },
  { by: "Ada", chat, at: "2023-11-05T07:40:00", text: "Happy birthday, dear Juno! Your parcel comes tomorrow." },
  {
    by: "Ada",
    to: ["Juno"],
    at: "2024-02-20T09:00:00",
    subject: "Re: Piet's 70th birthday",
    text: "We come! The ferry is booked for Thursday 29 February.",
  },
  { by: "Piet", chat, at: "2024-04-01T12:00:00", text: "The engine runs again" },
  { by: "Juno", chat, at: "2024-04-02T12:00:00", text: "Bring the ladder on Friday" },
];

describe("when somebody's birthday is", () => {
  it("is the day of the wish, whatever else comes tomorrow", async () => {
    const archive = archiveOf(records);
    const result = await archive.ask("When is Juno's birthday?");
    expect(result.claims[0]?.value).toBe("5 November 2023");
    expect((await archive.ask("When is Piet's birthday?")).claims[0]?.value).toBe("2 March 2024");
  });

  it("is not told by what that person wishes or writes of another's", async () => {
    const archive = archiveOf(records);
    expect((await archive.ask("When is Ada's birthday?")).outcome).toBe("not_found");
  });

  it("is told by the person's own words", async () => {
    const archive = archiveOf([
      ...records,
      { by: "Ada", chat, at: "2024-05-20T12:00:00", text: "My birthday is on 14 June, come all of you" },
    ]);
    expect((await archive.ask("When is Ada's birthday?")).answer).toContain("14 June 2024");
  });
});

describe("who is wished well from somewhere", () => {
  it("is not there", async () => {
    const archive = archiveOf([
      ...records,
      { by: "Ada", chat, at: "2024-06-01T12:00:00", text: "Piet dug over the allotment with Marit" },
      { by: "Ada", chat, at: "2024-06-08T12:00:00", text: "Marit has arrived in Skagen, the boat is in" },
    ]);
    const result = await archive.ask("Who was both at the allotment and in Skagen?");
    expect(result.answer).not.toContain("Piet:");
    expect(result.claims[0]?.value ?? "").not.toContain("Piet");
  });
});
