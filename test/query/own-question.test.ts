import { describe, expect, it } from "vitest";
import { archiveOf, type Draft, smallTalk } from "./archive.ts";

/** Words that stand for two things, and records that answer another question than the one that was asked. */

const records: Draft[] = [
  ...smallTalk,
  {
    by: "Iris Holm",
    to: ["Ada Berg"],
    at: "2023-02-03T18:00:00",
    subject: "Hedge",
    text: "Dear both,\n\nThe hedge between us is dead. I know a gardener who plants yew at €40 a metre. Shall we halve the cost, €120 each?\n\nIris",
  },
  {
    by: "Ada Berg",
    to: ["Iris Holm"],
    at: "2023-02-04T08:00:00",
    subject: "Re: Hedge",
    text: "Yes please, €120 each for the hedge.",
  },
  {
    by: "Signe Holm",
    to: ["Ada Berg"],
    at: "2023-03-01T18:00:00",
    subject: "Der Chor",
    text: "Liebe Ada,\n\nwollen wir im Sommer zusammen im Chor singen? Mittwochs wäre Platz.\n\nSigne",
  },
  {
    by: "Skyline Air",
    to: ["Ada Berg"],
    at: "2023-03-05T10:00:00",
    subject: "Booking KX81: Bergen to Porto",
    text: "Your flights:\nOut: SK 301, Saturday 6 May 2023, Bergen to Porto, departure 9:10\nBack: SK 302, Saturday 13 May 2023, Porto to Bergen, departure 15:30",
  },
  {
    by: "Skyline Air",
    to: ["Ada Berg"],
    at: "2023-04-02T10:00:00",
    subject: "Schedule change: booking KX81",
    text: "The time of one of your flights has changed.\n\nSK 302, Saturday 13 May 2023, Porto to Bergen\nOld departure: 15:30\nNew departure: 18:05",
  },
  {
    by: "Cart & Crate",
    to: ["Ada Berg"],
    at: "2023-06-02T10:00:00",
    subject: "Your move is booked",
    text: "Date: Thursday 22 June 2023\nFrom: 3 Quarry Lane\nTo: 8 Fern Street\nPrice: €510",
  },
  {
    by: "Town Choir",
    to: ["Ada Berg"],
    at: "2023-08-20T10:00:00",
    subject: "Rehearsal moved",
    text: "Owing to a leak the rehearsal of Tuesday 5 September moves to Thursday 7 September. The hall stays the same.",
  },
  {
    by: "Town Choir",
    to: ["Ada Berg"],
    at: "2023-09-20T10:00:00",
    subject: "Tea after the service",
    text: "One change: after the service there is no tea.",
  },
  { by: "Bo Lind", chat: "Home", at: "2023-09-25T09:00:00", text: "bring a cushion and be in good time" },
  { by: "Ada Berg", chat: "Home", at: "2023-10-09T15:02:00", text: "Ravi broke his thumb. hammer, shelf" },
  {
    by: "St Olav Hospital",
    to: ["Ada Berg"],
    at: "2023-10-12T09:00:00",
    subject: "Ravi Lind: thumb",
    text: "Appointment for Ravi Lind (thumb, right): Monday 30 October 2023, 8:40, room 2.",
  },
  {
    by: "Oakhouse",
    to: ["Bo Lind"],
    at: "2023-11-02T10:00:00",
    subject: "Order OH-55",
    text: "Hi Bo,\n\nOrder number: OH-55\nWriting desk, walnut: €240.00\nBrass lamp: €38.50\nDelivery: €12.00\nTotal: €290.50",
  },
  { by: "Bo Lind", chat: "Home", at: "2023-11-06T10:00:00", text: "the kitten is here. she is called Pepper" },
  { by: "Bo Lind", chat: "Home", at: "2023-11-07T10:00:00", text: "All canoes and paddles are named in the policy" },
  {
    by: "Grete Holm",
    to: ["Ada Berg"],
    at: "2024-02-11T10:00:00",
    subject: "Frühling",
    text: "Liebe Ada,\n\nzu Ostern kommen wir zu Euch: wir landen am 27. März und fliegen am 3. April zurück.\n\nGrete",
  },
  {
    by: "Harbour Fire Office",
    to: ["Bo Lind"],
    at: "2024-03-04T10:00:00",
    subject: "Boiler room inspection: not passed",
    text: "The boiler room did not pass the inspection today: no extinguisher.",
    thread: "inspection",
  },
  {
    by: "Harbour Fire Office",
    to: ["Bo Lind"],
    at: "2024-03-09T10:00:00",
    subject: "Boiler room inspection passed",
    text: "All in order now. The next one is due in two years.",
    thread: "inspection",
  },
  {
    by: "Lost Property",
    to: ["Ada Berg"],
    at: "2024-03-15T10:00:00",
    subject: "Your report LP-7",
    text: "We have your report of a lost accordion.\n\nWhen: Friday 8 March 2024\nWhere: ferry landing, Salt Quay\nWhat: accordion, red",
  },
  { by: "Bo Lind", chat: "Home", at: "2024-01-22T10:00:00", text: "sleeper train booked! Vienna in June, 3rd to 9th" },
  {
    by: "Gazette Plus",
    to: ["Bo Lind"],
    at: "2024-01-25T10:00:00",
    subject: "Your subscription",
    text: "From 1 March 2024 the subscription costs €7 a month (until now €5).\n\nYou can change or cancel your subscription at any time.",
  },
  {
    by: "Tilda Moe",
    to: ["Ada Berg"],
    at: "2023-12-03T10:00:00",
    subject: "Our concert",
    text: "Dear Ada,\n\nthe harp concert will be on Saturday 4 May 2024 in the mill.\n\nTilda",
    thread: "harp",
  },
  {
    by: "Tilda Moe",
    to: ["Ada Berg"],
    at: "2024-02-14T10:00:00",
    subject: "Re: Our concert",
    text: "Dear Ada,\n\nthe harp concert moves from Saturday 4 May to Saturday 25 May 2024.\n\nTilda",
    thread: "harp",
  },
  {
    by: "Grete Holm",
    to: ["Ada Berg"],
    at: "2024-05-02T10:00:00",
    subject: "Ankunft",
    text: "Morgen holt Oskar Euch am Fähranleger ab, er hat eine rote Mütze.",
  },
  {
    kind: "event",
    subject: "Unveiling of the sundial",
    time: {
      utc: "2024-04-18T07:00:00Z",
      local: null,
      offset: null,
      zone: null,
      source: "test",
      precision: "second",
      inferred: false,
      confidence: "normal",
    },
  },
];

const asking = async (question: string) => (await archiveOf(records).ask(question)).answer;
const refused = /^(?:Not in your archive|Nicht in deinem Archiv)/;

describe("who brought something up", () => {
  it("is whoever asked, not who agreed", async () => {
    expect(await asking("Who suggested halving the cost of the hedge?")).toMatch(/^Iris Holm: “Shall we/);
  });

  it("in German as well", async () => {
    expect(await asking("Wer hat vorgeschlagen, im Chor zu singen?")).toMatch(/^Signe Holm: “wollen wir/);
  });

  it("is nobody where nobody did", async () => {
    expect(await asking("Who suggested a trip to Iceland?")).toMatch(refused);
  });
});

describe("which way a journey goes", () => {
  it.each([
    ["What was the number of our flight to Porto?", /SK ?301/],
    ["What was the number of our flight from Porto?", /SK ?302/],
    ["When did our flight back from Porto leave?", /13 May 2023, 18:05/],
    ["When was our flight to Porto?", /6 May 2023/],
  ])("%s", async (question, answer) => {
    expect(await asking(question)).toMatch(answer);
  });
});

describe("a house is moved into, an appointment moved", () => {
  it("a move is no rehearsal", async () => {
    expect(await asking("When did we move to Fern Street?")).toMatch(/^Thursday 22 June 2023/);
    expect(await asking("Wann sind wir umgezogen?")).toMatch(/^Donnerstag, 22\. Juni 2023/);
  });

  it("and a rehearsal is no move", async () => {
    expect(await asking("When is the rehearsal now?")).toMatch(/^Thursday 7 September 2023/);
  });
});

describe("what changed", () => {
  it("is told by what says a change of the matter", async () => {
    expect(await asking("What changed about the rehearsal?")).toMatch(/^“Owing to a leak the rehearsal/);
    expect(await asking("Was hat sich an der Probe geändert?")).toMatch(/Owing to a leak|^Nicht/);
  });

  it("is not told by what may be changed", async () => {
    expect(await asking("What changed about the Gazette subscription?")).toMatch(/^“From 1 March 2024/);
  });

  it("is not told by what says none", async () => {
    expect(await asking("What changed about the walnut desk?")).toMatch(refused);
  });
});

describe("the day of a deed", () => {
  it("is that of the deed, not of an appointment after it", async () => {
    expect(await asking("When did Ravi break his thumb?")).toMatch(/^9 October 2023/);
    expect(await asking("Wann hat Ravi sich den Daumen gebrochen?")).toMatch(/^9\. Oktober 2023/);
  });

  it("is that of telling it, not the day that it is for", async () => {
    expect(await asking("When did we book the sleeper train?")).toMatch(/^22 January 2024/);
  });

  it("is nobody else's", async () => {
    expect(await asking("When did Tilda break her thumb?")).toMatch(refused);
    expect(await asking("Wann hat Tilda sich den Daumen gebrochen?")).toMatch(refused);
  });
});

describe("what was bought", () => {
  it("is told by the lines of the order, without its sums", async () => {
    expect(await asking("What did Bo buy from Oakhouse?")).toMatch(/^Writing desk, walnut; Brass lamp \(/);
    expect(await asking("Was haben wir bei Oakhouse bestellt?")).toMatch(/^Writing desk, walnut; Brass lamp \(/);
  });
});

describe("how something is called", () => {
  it("is told by a name", async () => {
    expect(await asking("What is the kitten called?")).toMatch(/Pepper/);
  });

  it("and by nothing else", async () => {
    expect(await asking("What is the canoe called?")).toMatch(refused);
  });
});

describe("where", () => {
  it("is not told by a time or a phrase", async () => {
    expect(await asking("Where is the cushion?")).toMatch(refused);
  });
});

describe("a feast", () => {
  it("is written of weeks before it, by its name", async () => {
    expect(await asking("Wann landet Grete Ostern 2024?")).toMatch(/^Mittwoch, 27\. März 2024/);
  });
});

describe("an event's hour", () => {
  it("without a zone of its own is said to be none of a clock on a wall", async () => {
    expect(await asking("When is the unveiling of the sundial?")).toMatch(/^Thursday 18 April 2024, 07:00 UTC/);
  });
});

describe("as of a day", () => {
  it("what was known by then answers, whatever came after", async () => {
    expect(await asking("As of January 2024, when was the harp concert planned for?")).toMatch(/^Saturday 4 May 2024/);
    expect(await asking("When is the harp concert?")).toMatch(/^Saturday 25 May 2024/);
  });
});

describe("a form", () => {
  it("tells where behind its own word for it", async () => {
    expect(await asking("Where was the accordion lost?")).toMatch(/^ferry landing, Salt Quay/);
  });
});

describe("a name in a German letter", () => {
  it("ends before the capital of whom it is written to", async () => {
    expect(await asking("Wer holt uns am Fähranleger ab?")).toMatch(/^Oskar: /);
  });
});

describe("yes or no", () => {
  it("is the last word of an exchange", async () => {
    expect(await asking("Did the boiler room pass the inspection?")).toMatch(/^Yes: /);
  });

  it("is no for the day from which something was moved", async () => {
    expect(await asking("Was the harp concert on 4 May 2024?")).toMatch(/^No: /);
  });

  it("is not answered by what says neither", async () => {
    expect(await asking("Did Ravi buy a canoe?")).toMatch(refused);
  });
});
