import { describe, expect, it } from "vitest";
import { archiveOf, type Draft, smallTalk } from "./archive.ts";

/** What is nearly what was asked, and is not: another's thing, another figure, a deed without its doer. And what is it after all. */

const records: Draft[] = [
  ...smallTalk,
  {
    by: "Lake Hotel",
    to: ["Ada Berg"],
    at: "2023-05-02T09:00:00",
    subject: "Your stay",
    text: "Room 12, lake side\n2 adults, 1 child, 1 canoe\nTotal: €310",
  },
  {
    by: "Tide Swimmers",
    to: ["Ada Berg"],
    at: "2023-06-04T12:00:00",
    subject: "Badge",
    text: "Well done! Ravi Lind swam 100 metres today.",
  },
  {
    by: "Mayor's Office",
    to: ["Ada Berg"],
    at: "2023-06-20T12:00:00",
    subject: "New footbridge",
    text: "The footbridge gets christened on Friday 7 July at 10:00. Bring your neighbours.",
  },
  {
    by: "Iris Holm",
    to: ["Ada Berg"],
    at: "2023-07-03T12:00:00",
    subject: "Hello from next door",
    text: "If you ever need a wheelbarrow, I have two.\n\nIris",
  },
  { by: "Grete Holm", chat: "Home", at: "2023-08-15T09:00:00", text: "Danke! Er sagt, es war sein bester Geburtstag." },
  {
    by: "Town Fines",
    to: ["Bo Lind"],
    at: "2023-09-04T08:00:00",
    subject: "Parking fine TF-3311",
    text: "A parking fine was issued on Friday 1 September 2023 at 9:10 in Mill Lane.",
  },
  {
    by: "Town Fines",
    to: ["Bo Lind"],
    at: "2023-09-20T08:00:00",
    subject: "Appeal TF-3311: accepted",
    text: "We have read your appeal and the parking fine is cancelled.",
  },
  {
    by: "Signe Holm",
    to: ["Ada Berg"],
    at: "2023-10-01T20:00:00",
    subject: "Saturday",
    text: "Dear all,\n\nBaptism at 11:00, please be early. Leave the cars by the mill, not at the chapel.\nSongs from 17:00. Bo has the soup.\n\nSigne",
  },
  {
    by: "Wheelhouse",
    to: ["Bo Lind"],
    at: "2023-11-05T16:00:00",
    subject: "Your van",
    text: "Two tyres: £120\nExhaust: £65\nTotal: £185",
  },
  {
    by: "Wheelhouse",
    to: ["Bo Lind"],
    at: "2023-11-06T16:00:00",
    subject: "Your van is ready",
    text: "The exhaust is new. £185 paid by card.",
  },
  {
    by: "Edda Norling",
    to: ["Ada Berg"],
    at: "2023-12-01T10:00:00",
    subject: "The deed",
    text: "Dear Ms Berg,\n\nThe deed is ready to sign.\n\nYours sincerely\nEdda Norling\nNorling Vance Tax Advisers",
  },
  {
    by: "Grete Holm",
    chat: "Home",
    at: "2023-02-10T09:00:00",
    text: "Alles Gute zum Geburtstag, liebe Tilda! Sieben Jahre, kaum zu glauben",
  },
  {
    by: "Joiner Moe",
    to: ["Ada Berg"],
    at: "2023-12-10T10:00:00",
    subject: "All done",
    text: "The porthole frame (oak, 420 mm) is in. Leave the varnish 12 hours. Invoice: €910. A pleasure to saw for people who bring cake.",
  },
  { by: "Bo Lind", chat: "Home", at: "2023-10-08T10:00:00", text: "harvest is in, what a week" },
  {
    by: "Gutter Men",
    to: ["Ada Berg"],
    at: "2023-12-11T10:00:00",
    subject: "Changed: gutter visit",
    text: "We are sorry: the ladder is broken. Your gutter visit has moved to Friday 15 December.",
  },
  {
    by: "Pump House",
    to: ["Ada Berg"],
    at: "2023-12-12T10:00:00",
    subject: "Quote: new pump",
    text: "Pump, fitted, with yearly service\nTotal: €1,800",
  },
  {
    by: "Pump House",
    to: ["Ada Berg"],
    at: "2024-01-12T10:00:00",
    subject: "Your yearly service",
    text: "Your pump is due on 20 January. The service costs €70 and keeps your guarantee.",
  },
  {
    by: "Daily Gazette",
    to: ["Ada Berg"],
    at: "2024-01-14T10:00:00",
    subject: "Your plan",
    text: "You can cancel at any time in your Gazette account.",
  },
  {
    by: "Boatyard",
    to: ["Ada Berg"],
    at: "2024-01-10T10:00:00",
    subject: "Order BY-90, revised",
    text: "Hull of the dinghy\nColour: Teal (replaces Dove Grey)",
  },
  { by: "Bo Lind", chat: "Home", at: "2024-01-20T10:00:00", text: "what colour did we pick for the dinghy" },
  { by: "Ravi Lind", chat: "Home", at: "2024-01-20T10:02:00", text: "dove grey I think" },
  { by: "Ada Berg", chat: "Home", at: "2024-02-02T16:00:00", text: "Ravi sprained his ankle. skates, kerb" },
  { by: "Ada Berg", chat: "Home", at: "2024-02-02T17:10:00", text: "sprained, yes, not torn. two weeks of sofa" },
];

const asking = async (question: string) => (await archiveOf(records).ask(question)).answer;
const refused = /^(?:Not in your archive|Nicht in deinem Archiv)/;

describe("what is nearly what was asked", () => {
  it.each([
    ["What did Ravi call the canoe?", "whoever did it must be named"],
    ["What is Ravi's canoe called?", "and whose it is"],
    ["When did Ravi swim 200 metres?", "a figure that is measured must be said"],
    ["Who christened the footbridge?", "what was done tells nobody who did it"],
    ["Wer hat den Steg getauft?", "in German as well"],
    ["Who repaired the footbridge?", "nor does what names no such deed"],
    ["What colour is Bo's footbridge?", "what somebody owns must be said beside them"],
    ["What did Iris pay for her wheelbarrow?", "what was paid is a sum"],
    ["When did Iris buy her wheelbarrows?", "who has a thing tells no day of buying it"],
    ["How much did the harvest cake cost?", "two words for one thing are both said"],
    ["How many hours does Bo work a week?", "hours are of whatever takes them"],
    ["What is the password of our Gazette account?", "what something has of its own must be said"],
    ["Wann hat Grete Geburtstag?", "somebody else's birthday"],
  ])("is no answer: %s (%s)", async (question) => {
    expect(await asking(question)).toMatch(refused);
  });

  it("is an answer where it is what was asked", async () => {
    expect(await asking("When did Ravi swim 100 metres?")).toMatch(/4 June 2023/);
    expect(await asking("When does the footbridge get christened?")).toMatch(/7 July 2023/);
  });
});

describe("what holds all the same", () => {
  it("the day on which something was done that was called off later", async () => {
    expect(await asking("When was the parking fine issued?")).toMatch(/^Friday 1 September 2023/);
  });

  it("an hour beside a no to something else", async () => {
    expect(await asking("What time was the baptism?")).toMatch(/^11:00/);
  });

  it("a line of a bill where only its thing is asked for", async () => {
    expect(await asking("How much did the exhaust itself cost?")).toMatch(/^£65/);
  });

  it("what the thing itself costs, not the sum of something larger", async () => {
    expect(await asking("What does the yearly pump service cost?")).toMatch(/^€70/);
  });

  it("a measure by its unit, without the word for it", async () => {
    expect(await asking("What size is the porthole frame?")).toMatch(/420 mm/);
  });

  it("a reason in the sentence before", async () => {
    expect(await asking("Why was the gutter visit moved?")).toMatch(/the ladder is broken/i);
  });

  it("who signs a letter with the office", async () => {
    expect(await asking("Who is our tax adviser?")).toMatch(/^Edda Norling/);
  });

  it("an age as of today, by an age that was wished", async () => {
    expect(await asking("How old is Tilda?")).toMatch(/^8 years old \(1 August 2024\)/);
    expect(await asking("Wie alt ist Tilda?")).toMatch(/^8 Jahre alt/);
  });
});

describe("who else tells of it", () => {
  it("is whoever goes on telling in the same chat", async () => {
    const archive = archiveOf(records);
    const { claims } = await archive.ask("When did Ravi sprain his ankle?");
    const cited = new Set(claims.flatMap(({ citations }) => citations.map(({ recordId }) => recordId)));
    expect(claims[0]?.text).toMatch(/2 February 2024/);
    expect(cited.has(archive.ids.at(-1) ?? 0)).toBe(true);
  });

  it("is whoever still believes what held before", async () => {
    const archive = archiveOf(records);
    const { claims } = await archive.ask("What colour is the dinghy?");
    expect(claims[0]?.text).toMatch(/Teal/);
    const before = claims.find(({ standing }) => standing === "superseded");
    expect(before?.citations.some(({ quote }) => quote === "dove grey I think")).toBe(true);
  });
});
