import { describe, expect, it } from "vitest";
import { archiveOf, type Draft } from "./archive.ts";

/** A family that sails: what follows from what its records say, in both languages. */
const records: Draft[] = [
  { by: "Nora Vik", chat: "Family", at: "2019-03-14T09:00:00", text: "Signe was born this morning at 4:10, all well" },
  { by: "Aksel Vik", chat: "Family", at: "2021-06-05T18:00:00", text: "Grandad turns 80 today, cake at five" },
  { by: "Nora Vik", chat: "Family", at: "2023-08-19T16:00:00", text: "Signe learned to ride a unicycle today" },
  {
    by: "Fjord Boats",
    to: ["Nora Vik"],
    at: "2022-05-03T10:00:00",
    subject: "Invoice FB-20: dinghy",
    text: "Dinghy Puffin, used.\n\nTotal: €1,200",
  },
  {
    by: "Sailmaker Lund",
    to: ["Nora Vik"],
    at: "2022-06-11T10:00:00",
    subject: "Invoice 7788: new mainsail",
    text: "New mainsail, sewn and numbered.\n\nAmount due: €450",
  },
  {
    by: "Aksel Vik",
    chat: "Family",
    at: "2024-02-10T20:00:00",
    text: "I have been playing the cello for six years now",
  },
  {
    by: "Nora Vik",
    chat: "Family",
    at: "2023-05-20T21:00:00",
    text: "The regatta was great. Ivar, Lotte and Finn sailed with us",
  },
  {
    by: "Nora Vik",
    chat: "Family",
    at: "2023-09-02T21:00:00",
    text: "Harvest supper done. Lotte, Finn and Berit came, the soup ran out",
  },
  { by: "Aksel Vik", chat: "Family", at: "2023-04-02T10:00:00", text: "We planted a tree behind the shed" },
  {
    by: "Nora Vik",
    chat: "Family",
    at: "2023-10-05T10:00:00",
    text: "Aksel goes to the physio twice a week for his shoulder",
  },
  { by: "Nora Vik", chat: "Family", at: "2022-01-15T10:00:00", text: "The mooring costs 80 euros a month" },
  { by: "Nora Vik", chat: "Family", at: "2023-01-15T10:00:00", text: "The mooring now costs 95 euros a month" },
  { by: "Lotte Berg", chat: "Family", at: "2024-03-01T10:00:00", text: "Shall we meet at the slipway on the 12th?" },
  {
    by: "Nora Vik",
    chat: "Family",
    at: "2024-03-01T10:05:00",
    text: "Can't do the slipway then. Let's make it the 14th",
  },
  { by: "Lotte Berg", chat: "Family", at: "2024-03-01T10:06:00", text: "ok" },
  { by: "Nora Vik", chat: "Family", at: "2023-11-04T10:00:00", text: "No worries, Aksel returned the trailer" },
  {
    by: "Oma Grete",
    chat: "Familie",
    at: "2017-05-02T09:00:00",
    text: "Unsere Jorun ist heute Nacht geboren, 3400 Gramm",
  },
  { by: "Oma Grete", chat: "Familie", at: "2023-07-08T15:00:00", text: "Jorun hat heute das Seepferdchen gemacht" },
  { by: "Oma Grete", chat: "Familie", at: "2023-08-01T15:00:00", text: "Das Zelt hat 150 Euro gekostet" },
  { by: "Oma Grete", chat: "Familie", at: "2023-08-02T15:00:00", text: "Der Schlafsack hat 60 Euro gekostet" },
  {
    by: "Nora Vik",
    to: ["Lotte Berg"],
    at: "2022-08-20T10:00:00",
    subject: "Tiril turns seven",
    text: "Dear parents,\n\nTiril turns seven and would like to sail to the skerry with everyone in the class.",
  },
  {
    by: "Aksel Vik",
    chat: "Family",
    at: "2023-03-04T10:00:00",
    text: "We keep Ketil's ninth birthday on 11 March with a bonfire",
  },
  { by: "Aksel Vik", chat: "Family", at: "2023-03-16T10:00:00", text: "Ketil came back from Bergen this morning" },
  { by: "Nora Vik", chat: "Family", at: "2023-06-03T10:00:00", text: "Tiril won the sailing race today" },
  { by: "Nora Vik", chat: "Family", at: "2023-12-01T10:00:00", text: "Finn did not renew the harbour permit" },
];

const answer = async (question: string) => (await archiveOf(records).ask(question)).answer;

describe("an age", () => {
  it("is counted from the day of birth to the day asked about", async () => {
    expect(await answer("How old was Signe when she learned to ride a unicycle?")).toMatch(/^4\b/);
    expect(await answer("How old was Signe on 1 April 2024?")).toMatch(/^5\b/);
    expect(await answer("Wie alt war Jorun, als sie das Seepferdchen gemacht hat?")).toMatch(/^6\b/);
  });

  it("is counted from an age that was told on some day", async () => {
    expect(await answer("How old was Grandad in August 2023?")).toMatch(/^82\b/);
  });

  it("is told without a day of birth where only an invitation names the age", async () => {
    const told = await answer("How old was Tiril when she won the sailing race?");
    expect(told).toMatch(/^7\b/);
    expect(told).not.toMatch(/born/);
    expect(await answer("How old was Ketil when he came back from Bergen?")).toMatch(/^9\b/);
  });
});

describe("what follows from a value", () => {
  it("is the weekday of a day", async () => {
    expect(await answer("On which day of the week did Signe learn to ride a unicycle?")).toMatch(/^Saturday/);
    expect(await answer("An welchem Wochentag hat Jorun das Seepferdchen gemacht?")).toMatch(/^Samstag/);
  });

  it("is the year in which something began that has lasted for so long", async () => {
    expect(await answer("When did Aksel start playing the cello?")).toMatch(/^2018/);
    expect(await answer("How long has Aksel been playing the cello?")).toMatch(/^six years/);
  });

  it("is the sum of two amounts, and their difference", async () => {
    const archive = archiveOf(records);
    const sum = await archive.ask("How much did the dinghy and the mainsail cost together?");
    expect(sum.answer).toMatch(/^€1,650/);
    const cited = new Set(sum.claims.flatMap(({ citations }) => citations.map(({ recordId }) => recordId)));
    expect([archive.ids[3], archive.ids[4]].every((id) => id !== undefined && cited.has(id))).toBe(true);
    expect(await answer("How much more did the dinghy cost than the mainsail?")).toMatch(/^€750/);
    expect(await answer("Wie viel kosteten das Zelt und der Schlafsack zusammen?")).toMatch(/^210 Euro/);
    expect(await answer("Wie viel teurer war das Zelt als der Schlafsack?")).toMatch(/^90 Euro/);
  });
});

describe("sets", () => {
  it("who was at both occasions is who is named at each", async () => {
    const { answer: said } = await archiveOf(records).ask("Who was at both the regatta and the harvest supper?");
    expect(said).toMatch(/Lotte/);
    expect(said).toMatch(/Finn/);
    expect(said.split(/[“:(]/)[0]).not.toMatch(/Ivar|Berit/);
  });

  it("leaves out who is left out", async () => {
    const { claims } = await archiveOf(records).ask("Who sailed the regatta with us, except Finn?");
    expect(claims[0]?.value).toMatch(/Ivar/);
    expect(claims[0]?.value).not.toMatch(/Finn/);
  });
});

describe("a question of a kind", () => {
  it("how often is how often somebody does it, where that is said", async () => {
    expect(await answer("How often does Aksel go to the physio?")).toMatch(/^twice a week/);
  });

  it("which tree has no answer where none is named", async () => {
    expect((await archiveOf(records).ask("Which tree did we plant?")).outcome).toBe("not_found");
  });

  it("as of a day is what held on it", async () => {
    expect(await answer("What did the mooring cost as of June 2022?")).toMatch(/^80 euros/);
    expect(await answer("What does the mooring cost?")).toMatch(/^95 euros/);
  });

  it("takes the day that was agreed, not the one that was only proposed", async () => {
    const { claims } = await archiveOf(records).ask("When do we meet at the slipway?");
    expect(claims[0]?.text).toMatch(/14 March 2024/);
    expect(claims.some(({ standing, text }) => standing === "superseded" && text.includes("12 March"))).toBe(true);
  });

  it("yes and no follow what is said of the matter, however it is asked", async () => {
    expect(await answer("Did Aksel return the trailer?")).toMatch(/^Yes/);
    expect(await answer("Didn't Aksel return the trailer?")).toMatch(/^Yes/);
    expect(await answer("Did Finn renew the harbour permit?")).toMatch(/^No/);
    expect(await answer("Didn't Finn renew the harbour permit?")).toMatch(/^No/);
  });
});
