import { describe, expect, it } from "vitest";
import type { AskResult, RecordId } from "#contract";
import type { Perception } from "#main/records/ports.ts";
import { archiveOf, type Draft, imported } from "./archive.ts";

/** Pictures are tied to what was said with them, beside them, on their day, or agreed before. */

const photo = (at: string, more: Partial<Draft> = {}): Draft => ({
  kind: "photo",
  at,
  props: { mime: "image/jpeg", size: { width: 1600, height: 1200 } },
  ...more,
});

const picture = {
  name: "p.jpg",
  path: null,
  mime: "image/jpeg",
  bytes: 10,
  sha256: null,
  text: null,
  inline: false,
  missing: false,
};

/** A message that a picture went with, and the copy that the chat kept of it. */
function shown(by: string, at: string, text: string, chat = "Canal club"): [message: Draft, copy: Draft] {
  const message = imported({
    by,
    at,
    chat,
    text,
    props: { attachments: [picture] },
  });
  return [
    message,
    photo(at, {
      author: message.author,
      container: message.container,
      partOf: { identity: message.identity, role: "attachment" },
      props: { mime: "image/jpeg", size: { width: 800, height: 600 } },
    }),
  ];
}

function reads(...lines: readonly string[]): Perception {
  let start = 0;
  const placed = lines.map((line) => {
    const end = start + line.length;
    const one = {
      start,
      end,
      quad: [0, 0, 1, 0, 1, 1, 0, 1] as [number, number, number, number, number, number, number, number],
      confidence: 0.9,
      at: null,
    };
    start = end + 1;
    return one;
  });
  return { purpose: "ocr", model: "reader@1", reading: { text: lines.join("\n"), lines: placed } };
}

const cited = ({ claims }: AskResult): Set<RecordId> =>
  new Set(claims.flatMap(({ citations }) => citations.map(({ recordId }) => recordId)));

const talk: Draft[] = [
  { by: "Nora", at: "2024-01-09T10:00:00", chat: "Canal club", text: "Who brings the biscuits on Thursday?" },
  { by: "Piet", at: "2024-01-10T10:00:00", chat: "Canal club", text: "The pump is fixed, says the harbour master." },
  { by: "Nora", at: "2024-01-12T10:00:00", subject: "Rota", text: "The rota for the lock is on the board." },
];

describe("the picture of a place", () => {
  it("is the one of the stay that a letter names, not that of any lake", async () => {
    const archive = archiveOf([
      ...talk,
      {
        by: "Host Ilse",
        at: "2024-02-02T09:00:00",
        subject: "Cottage at Ammersund",
        text: "I confirm the cottage from 6 to 13 July. The boat is yours.",
      },
      photo("2024-07-09T11:00:00"),
      ...shown("Piet", "2024-07-09T12:00:00", "three perch and one boot"),
      photo("2023-05-01T08:00:00"),
      ...shown("Piet", "2023-05-01T08:30:00", "nobody on the lake but us"),
      { by: "Nora", at: "2023-08-02T08:30:00", chat: "Canal club", text: "the swans left the lake today" },
    ]);
    const stay = archive.ids[4];
    const result = await archive.ask("Which photo did I take at Lake Ammersund?");
    expect(result.outcome).toBe("answered");
    expect(result.claims).toHaveLength(1);
    expect(cited(result)).toContain(stay);
    // What is on it is told by the words that it was sent with; the letter that names the stay is cited beside them.
    expect(result.answer).toContain("“three perch and one boot”");
    expect(cited(result)).toContain(archive.ids[3]);
  });

  it("is not told by a wish to the people who are there, nor by what comes from there", async () => {
    const archive = archiveOf([
      ...talk,
      {
        by: "Aunt Mia",
        at: "2024-11-20T09:00:00",
        subject: "Christmas",
        text: "So it is Christmas here in Veldrup this year.",
      },
      photo("2024-12-25T11:00:00"),
      ...shown("Piet", "2024-12-25T11:20:00", "a walk before the goose"),
      {
        by: "Grandpa",
        at: "2024-12-25T11:40:00",
        chat: "Canal club",
        text: "Happy Christmas to Veldrup! I slept until nine.",
      },
      photo("2025-03-03T09:00:00"),
      ...shown("Piet", "2025-03-03T09:05:00", "the bulbs are from Veldrup"),
    ]);
    const result = await archive.ask("What did I photograph in Veldrup at Christmas 2024?");
    expect(result.answer).toContain("“a walk before the goose”");
    expect(result.answer).not.toContain("I slept until nine");
    expect(cited(result)).toContain(archive.ids[4]);
    expect(cited(result)).not.toContain(archive.ids[8]);
  });
});

describe("a fact that is read in a picture", () => {
  const sign = ["No mooring", "Visitors only", "Max stay 4 hours"];

  it("counts for the place that the letter of that hour names", async () => {
    const archive = archiveOf([
      ...talk,
      {
        by: "Waterways Office",
        at: "2024-04-12T09:00:00",
        subject: "Notice 118",
        text: "A mooring charge was issued on 10 April 2024 at 17:10 in Heron Basin. It is £40, or £20 if paid within 21 days.",
      },
      photo("2024-04-10T17:30:00"),
      {
        by: "Piet",
        at: "2024-04-10T17:50:00",
        chat: "Canal club",
        text: "we had moored for an hour, look at what it says there",
      },
    ]);
    const [, , , notice = 0, picture = 0] = archive.ids;
    archive.perceive(picture, reads(...sign));
    const result = await archive.ask("How long may you moor in Heron Basin?");
    expect(result.answer).toContain("4 hours");
    expect(result.answer).toContain("text in a picture");
    expect(cited(result)).toEqual(new Set([picture, notice]));
  });

  it("says which, where the message beside it only says that there was one", async () => {
    const archive = archiveOf([
      ...talk,
      {
        by: "Nora",
        at: "2024-06-03T15:20:00",
        chat: "Canal club",
        text: "Piet got an ointment for his elbow, no rowing for a week",
      },
      photo("2024-06-03T15:00:00"),
      photo("2024-06-04T15:00:00"),
    ]);
    const [, , , , label = 0, other = 0] = archive.ids;
    archive.perceive(label, reads("Lockside Pharmacy", "Patient: Piet Vos", "Dolorgel 5 %", "twice a day"));
    archive.perceive(other, reads("Lockside Bakery", "Rye 4.20"));
    const result = await archive.ask("Which ointment did Piet get?");
    expect(result.answer).toContain("Dolorgel 5 %");
    expect(cited(result)).toContain(label);
    expect(cited(result)).not.toContain(other);
  });

  it("is the price in the line of the dish, though no currency stands there", async () => {
    const archive = archiveOf([
      ...talk,
      photo("2024-09-21T12:40:00"),
      ...shown("Nora", "2024-09-21T13:05:00", "Grandpa's menu. he has read it twice"),
    ]);
    const [, , , menu = 0] = archive.ids;
    archive.perceive(
      menu,
      reads("The Old Lock", "Menu for a 70th birthday", "Leek soup 6,50", "Eel in dill ..... 21,80", "Pears 5,20"),
    );
    const result = await archive.ask("What did the eel cost at Grandpa's birthday lunch?");
    expect(result.answer).toContain("21,80");
    expect(cited(result)).toContain(menu);
    // Nothing on the menu is what it does not name.
    expect((await archive.ask("What did the trout cost at Grandpa's birthday lunch?")).outcome).toBe("not_found");
  });

  it("belongs to nothing that only another day's records say", async () => {
    const archive = archiveOf([
      ...talk,
      {
        by: "Waterways Office",
        at: "2024-04-12T09:00:00",
        subject: "Notice 118",
        text: "Heron Basin is dredged in May.",
      },
      photo("2024-04-10T17:30:00"),
    ]);
    archive.perceive(archive.ids[4] ?? 0, reads(...sign));
    const result = await archive.ask("How long may you moor in Heron Basin?");
    expect(result.answer).not.toContain("4 hours");
  });
});

describe("pictures that are counted", () => {
  it("show what is counted, for any of those who are named", async () => {
    const archive = archiveOf([
      ...talk,
      photo("2023-03-05T15:00:00"),
      ...shown("Nora", "2023-03-05T15:10:00", "seven!!"),
      { by: "Grandma", at: "2023-03-05T15:20:00", chat: "Canal club", text: "Happy birthday dear Lotte! What a cake" },
      photo("2023-09-14T15:00:00"),
      ...shown("Nora", "2023-09-14T15:10:00", "four, and asleep"),
      { by: "Grandma", at: "2023-09-14T15:25:00", chat: "Canal club", text: "Happy birthday little Emil!" },
      photo("2023-10-01T10:00:00"),
      ...shown("Piet", "2023-10-01T10:05:00", "Lotte and Emil in the boat"),
    ]);
    const result = await archive.ask("How many birthday cakes for Lotte and Emil were photographed?");
    expect(result.answer).toBe("2 photos: 1 on 5 March 2023, 1 on 14 September 2023.");
    expect(cited(result)).toEqual(new Set([archive.ids[3], archive.ids[7]]));
  });
});

describe("pictures of an occasion", () => {
  it("are counted by what is said of them, as they are shown by it", async () => {
    const archive = archiveOf([
      ...talk,
      {
        by: "Nora",
        at: "2024-03-01T09:00:00",
        subject: "The regatta",
        text: "The regatta is on 8 June 2024. Wear boots.",
      },
      photo("2024-06-08T11:00:00"),
      ...shown("Nora", "2024-06-08T11:20:00", "they are off"),
      photo("2024-06-08T16:00:00"),
      photo("2024-06-20T16:00:00"),
    ]);
    const counted = await archive.ask("How many photos did we take at the regatta?");
    expect(counted.answer).toBe("2 photos, both on 8 June 2024.");
    const shownOnes = await archive.ask("Which photos did we take at the regatta?");
    expect(cited(shownOnes)).toContain(archive.ids[4]);
    expect(cited(shownOnes)).toContain(archive.ids[7]);
    expect(cited(shownOnes)).not.toContain(archive.ids[8]);
  });
});

describe("a long list of pictures", () => {
  const days = Array.from({ length: 15 }, (_, at) => `2022-06-${String(at + 1).padStart(2, "0")}`);

  it("tells twelve of them and how many there are, in both languages", async () => {
    const archive = archiveOf([...talk, ...days.map((day) => photo(`${day}T09:00:00`))]);
    const pictures = new Set(archive.ids.slice(talk.length));
    const english = await archive.ask("Show me photos from June 2022");
    expect(english.claims).toHaveLength(13);
    expect(english.claims.at(-1)?.text).toBe("15 photos in all, from 1 June 2022 to 15 June 2022.");
    expect(cited(english)).toEqual(pictures);
    const german = await archive.ask("Zeig mir Fotos vom Juni 2022");
    expect(german.claims.at(-1)?.text).toBe("15 Fotos zusammen, vom 1. Juni 2022 bis zum 15. Juni 2022.");
    const day = await archive.ask("Was habe ich am 3. Juni 2022 fotografiert?");
    expect(day.answer).toBe("Foto vom 3. Juni 2022, 09:00.");
  });

  it("of something tells its number too", async () => {
    const archive = archiveOf([
      ...talk,
      {
        by: "Nora",
        at: "2022-05-01T09:00:00",
        subject: "Trip",
        text: "We are booked in Ansholm from 1 June to 15 June 2022.",
      },
      ...days.map((day) => photo(`${day}T09:00:00`)),
    ]);
    const result = await archive.ask("Which photos did we take in Ansholm?");
    expect(result.claims).toHaveLength(13);
    expect(result.answer).toContain("15 photos in all, from 1 June 2022 to 15 June 2022.");
  });
});

describe("what is planned for a day", () => {
  it("is on its pictures, and not what is asked beside it or what was done on a day before", async () => {
    const archive = archiveOf([
      ...talk,
      ...shown("Nora", "2024-03-02T12:00:00", "this is Rufus"),
      photo("2024-03-02T11:55:00"),
      { by: "Nora", at: "2024-04-20T10:00:00", chat: "Piet", text: "moving on 10 may now. can you still take Rufus?" },
      {
        by: "Piet",
        to: ["Nora"],
        at: "2024-05-20T10:00:00",
        subject: "Sorry",
        text: "Rufus sat in my boat. I had closed it on the 3rd and not looked behind me.",
      },
      ...shown("Nora", "2024-05-10T12:10:00", "we live here"),
      photo("2024-05-10T12:05:00"),
      ...shown("Nora", "2024-06-03T12:10:00", "cake"),
      photo("2024-06-03T12:05:00"),
    ]);
    const { answer } = await archive.ask("Photos of Rufus");
    expect(answer).toMatch(/2 March 2024/);
    expect(answer).not.toMatch(/May|June/);
  });
});
