import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importedRecordSchema } from "#contract";
import { parseHeader } from "#main/importers/whatsapp/header.ts";
import { whatsappImporter } from "#main/importers/whatsapp/index.ts";
import { languages } from "#main/importers/whatsapp/languages.ts";
import { filesOf, importAll, memoryTree, readContext, recordsOf } from "#test/importers/memory-tree.ts";

const read = async (files: Record<string, string | Uint8Array>) => importAll(whatsappImporter, memoryTree(files));
const records = async (text: string, path = "WhatsApp Chat with Ada.txt") => recordsOf(await read({ [path]: text }));
const shown = async (text: string) =>
  (await records(text)).map(({ author, text: said }) => [author?.name ?? null, said]);

describe("message headers", () => {
  it("reads both kinds, both clocks, any script, any order", () => {
    const clock = (line: string) => {
      const header = parseHeader(line);
      return header === null
        ? null
        : [
            header.kind,
            ...header.stamp.parts,
            header.stamp.hour,
            header.stamp.minute,
            header.stamp.second,
            header.rest,
          ];
    };
    expect(clock("[03.04.24, 21:05:09] Ada: x")).toEqual(["bracket", 3, 4, 24, 21, 5, 9, "Ada: x"]);
    expect(clock("\u200e[3/4/24, 9:05:09\u202fPM] Ada: x")).toEqual(["bracket", 3, 4, 24, 21, 5, 9, "Ada: x"]);
    expect(clock("03/04/2024, 12:05 am - Ada: x")).toEqual(["dash", 3, 4, 2024, 0, 5, null, "Ada: x"]);
    expect(clock("2024-04-03, 9:05 p.m. - Ada: x")).toEqual(["dash", 2024, 4, 3, 21, 5, null, "Ada: x"]);
    expect(clock("3.4.2024 klo 21.05 - Ada: x")).toEqual(["dash", 3, 4, 2024, 21, 5, null, "Ada: x"]);
    expect(clock("03.04.24 um 21:05 - Ada: x")).toEqual(["dash", 3, 4, 24, 21, 5, null, "Ada: x"]);
    expect(clock("٣\u200f/٤\u200f/٢٠٢٤، ٩:٠٥ م - Ada: x")).toEqual(["dash", 3, 4, 2024, 21, 5, null, "Ada: x"]);
    expect(clock("[2024/4/3 下午9:05:09] Ada: x")).toEqual(["bracket", 2024, 4, 3, 21, 5, 9, "Ada: x"]);
    expect(clock("2024. 4. 3. 오후 9:05 - Ada: x")).toEqual(["dash", 2024, 4, 3, 21, 5, null, "Ada: x"]);
    expect(clock("03/04/2024 à 21:05 - Ada: x")).toEqual(["dash", 3, 4, 2024, 21, 5, null, "Ada: x"]);
    expect(clock("3/4/24, 9:05\u00a0p.\u00a0m. - Ada: x")).toEqual(["dash", 3, 4, 24, 21, 5, null, "Ada: x"]);
    expect(clock("[2024-04-03, 21 h 05 min 09 s] Ada: x")).toEqual(["bracket", 2024, 4, 3, 21, 5, 9, "Ada: x"]);
    expect(clock("[03.04.2024 21.05.09] Ada: x")).toEqual(["bracket", 3, 4, 2024, 21, 5, 9, "Ada: x"]);
    expect(clock("[3. 4. 2024 21:05:09] Ada: x")).toEqual(["bracket", 3, 4, 2024, 21, 5, 9, "Ada: x"]);
    expect(clock("२/४/२४, ९:०५ अपराह्न - Ada: x")).toEqual(["dash", 2, 4, 24, 21, 5, null, "Ada: x"]);
    expect(clock("۲۰۲۴/۴/۳،\u200f ۲۱:۰۵ - Ada: x")).toEqual(["dash", 2024, 4, 3, 21, 5, null, "Ada: x"]);
    expect(clock("2024/04/03 午前0:05 - Ada: x")).toEqual(["dash", 2024, 4, 3, 0, 5, null, "Ada: x"]);
    expect(clock("21:05, 3/4/2024 - Ada: x")).toEqual(["dash", 3, 4, 2024, 21, 5, null, "Ada: x"]);
    expect(clock("3.04.2024 г., 21:05 ч. - Ada: x")).toEqual(["dash", 3, 4, 2024, 21, 5, null, "Ada: x"]);
    expect(clock("on 3/4 at 9:05 - maybe")).toBeNull();
    expect(clock("[3/4/24, 9:05:09 - Ada: x")).toBeNull();
    expect(clock("3/4/24, 25:05 - Ada: x")).toBeNull();
  });
});

describe("a chat", () => {
  it("keeps lines without a header, and headers of the other kind, in the message", async () => {
    const text =
      "[03.04.2024, 21:05:09] Ada: one\r\n[03.04.2024, 21:06:00] Ben: a: b\ntwo\n\n04.04.2024, 10:00 - Cy: pasted\r\n[03.04.2024, 21:07:00] Ada: [1.1.2024, 10:00] x\r\n";
    expect(await shown(text)).toEqual([
      ["Ada", "one"],
      ["Ben", "a: b\ntwo\n\n04.04.2024, 10:00 - Cy: pasted"],
      ["Ada", "[1.1.2024, 10:00] x"],
    ]);
  });

  it("tells notices from people, on both systems, and never makes a person of the title", async () => {
    const android =
      "03.04.24, 21:00 - Messages are end-to-end encrypted.\n03.04.24, 21:01 - Ada: hi\n03.04.24, 21:02 - Ada changed the subject to “Trip: north”\n03.04.24, 21:03 - Ben: ok\n";
    const [notice, , subject, ok] = await records(android);
    expect([notice?.kind, subject?.kind, ok?.kind]).toEqual(["system", "system", "message"]);
    expect(subject).toMatchObject({ author: null, text: "Ada changed the subject to “Trip: north”" });
    const ios =
      "[03.04.24, 21:00:00] Trip: \u200eMessages are end-to-end encrypted.\n[03.04.24, 21:01:00] Ada: \u200eAda created group “Trip”\n[03.04.24, 21:02:00] ~\u202fBen: hi\n[03.04.24, 21:03:00] Ada: hello\n[03.04.24, 21:04:00] Cy: yes\n";
    const group = await records(ios, "chats/_chat.txt");
    expect(group.map(({ kind, author }) => [kind, author?.name ?? null])).toEqual([
      ["system", null],
      ["system", null],
      ["message", "Ben"],
      ["message", "Ada"],
      ["message", "Cy"],
    ]);
    expect(new Set(group.map(({ container }) => container?.title))).toEqual(new Set(["Trip"]));
  });

  it("knows the owner in a chat of two, and numbers as numbers", async () => {
    const [mine, theirs] = await records("03.04.24, 21:00 - Me Myself: hi\n03.04.24, 21:01 - Ada: hello\n");
    expect(mine).toMatchObject({
      author: { owner: true },
      participants: [{ name: "Ada" }],
      props: { direction: "out" },
    });
    expect(theirs).toMatchObject({ author: { name: "Ada", owner: false }, props: { direction: "in" } });
    const [number] = await records("03.04.24, 21:00 - +49 160 555 0000: hi\n");
    expect(number?.author).toMatchObject({ name: null, address: "+491605550000" });
  });

  it("takes its title from file, folder or zip, in many languages", async () => {
    for (const path of [
      "WhatsApp Chat with Ada Lund.txt",
      "WhatsApp Chat mit Ada Lund.txt",
      "Chat de WhatsApp con Ada Lund.txt",
      "Discussion WhatsApp avec Ada Lund.txt",
      "Conversa do WhatsApp com Ada Lund.txt",
      "Chat WhatsApp con Ada Lund.txt",
      "WhatsApp Chat - Ada Lund/_chat.txt",
      "WhatsApp Chat - Ada Lund.zip/_chat.txt",
      "WhatsApp Chat with Ada Lund (2).txt",
      "Чат WhatsApp с Ada Lund.txt",
      "Ada Lund ile WhatsApp Sohbeti.txt",
    ]) {
      const [record] = await records("03.04.24, 21:00 - Ada Lund: hi\n", path);
      expect(record?.container?.title, path).toBe("Ada Lund");
    }
  });
});

describe("a file that is only named like a chat", () => {
  it("is told of in the ledger, and stops nothing", async () => {
    const tree = memoryTree({ "WhatsApp Chat with Nobody.txt": "no date here: hello\nand another line\n" });
    expect(await importAll(whatsappImporter, tree)).toEqual([
      {
        type: "file",
        path: "WhatsApp Chat with Nobody.txt",
        status: "failed",
        reason: "No line begins with a date and a name, as the messages of a WhatsApp export do.",
        skipped: 0,
      },
    ]);
  });
});

describe("the order of day and month", () => {
  const days = async (text: string) => (await records(text)).map(({ time }) => time?.local?.slice(0, 10));
  const line = (date: string) => `${date}, 10:00 - Ada: x\n`;

  it("is decided once for the file", async () => {
    expect(await days(line("03/04/2024") + line("28/04/2024"))).toEqual(["2024-04-03", "2024-04-28"]);
    expect(await days(line("3/4/24") + line("3/28/24"))).toEqual(["2024-03-04", "2024-03-28"]);
    expect(await days(line("3/9/24") + line("4/2/24") + line("5/1/24"))).toEqual([
      "2024-03-09",
      "2024-04-02",
      "2024-05-01",
    ]);
    expect(await days(line("2024-03-04") + line("2024-03-05"))).toEqual(["2024-03-04", "2024-03-05"]);
    expect(await days("24. 4. 3. 오후 9:05 - Ada: x\n")).toEqual(["2024-04-03"]);
    expect(await days("[24/04/03, 21:05:09] Ada: x\n[24/04/15, 21:05:09] Ada: x\n")).toEqual([
      "2024-04-03",
      "2024-04-15",
    ]);
    expect(await days("3/4/24, 10:00 - Ada: IMG-20240304-WA0001.jpg (file attached)\n")).toEqual(["2024-03-04"]);
  });

  it("follows the other chats when the file cannot tell, and is marked uncertain", async () => {
    const items = await read({
      "WhatsApp Chat with Ada.txt": line("3/4/24"),
      "WhatsApp Chat with Ben.txt": "3/28/24, 10:00 - Ben: x\n",
    });
    const [doubtful, sure] = recordsOf(items);
    expect(doubtful).toMatchObject({
      time: { local: "2024-03-04T10:00", confidence: "low" },
      props: { flags: ["date-uncertain"] },
    });
    expect(sure?.props.flags).toBeUndefined();
  });
});

describe("what messages carry", () => {
  const say = async (said: string, files: Record<string, string> = {}) => {
    const items = await read({ "WhatsApp Chat - Ada/_chat.txt": `[03.04.24, 21:00:00] Ada: ${said}\n`, ...files });
    return { items, message: recordsOf(items)[0] };
  };

  it("takes a file that lies beside the chat as attached, whatever the language, with its caption", async () => {
    const beside = {
      "WhatsApp Chat - Ada/VID-20240403-WA0001.mp4": "video",
      "WhatsApp Chat - Ada/other.mp4": "not named",
    };
    const { items, message } = await say("VID-20240403-WA0001.mp4 (qoşulmuş fayl)\nlook!", beside);
    expect(message).toMatchObject({
      text: "look!",
      props: {
        attachments: [
          { name: "VID-20240403-WA0001.mp4", path: "WhatsApp Chat - Ada/VID-20240403-WA0001.mp4", missing: false },
        ],
      },
    });
    expect(recordsOf(items)[1]).toMatchObject({
      kind: "video",
      partOf: { identity: message?.identity, role: "attachment" },
      time: { source: "message" },
    });
    expect(filesOf(items).map(({ path }) => path)).toEqual([
      "WhatsApp Chat - Ada/_chat.txt",
      "WhatsApp Chat - Ada/VID-20240403-WA0001.mp4",
    ]);
    const ios = await say("\u200e<anexado: 1-AUDIO-2024.opus>", { "WhatsApp Chat - Ada/1-AUDIO-2024.opus": "sound" });
    expect(ios.message).toMatchObject({ text: null, props: { attachments: [{ name: "1-AUDIO-2024.opus" }] } });
  });

  it("marks media that was left out, and keeps no word of the application", async () => {
    for (const words of [
      "<Media omitted>",
      "<Médias omis>",
      "\u200eimage omitted",
      "\u200eBild weggelassen",
      "IMG-20240403-WA0009.jpg (file attached)",
    ]) {
      const { message } = await say(words);
      expect(message, words).toMatchObject({ kind: "message", text: null, props: { flags: ["missing-media"] } });
    }
    expect((await say("<3 omitted nothing>")).message?.text).toBe("<3 omitted nothing>");
  });

  it("reads deletions, edits, polls, places and mentions", async () => {
    expect((await say("\u200eThis message was deleted.")).message).toMatchObject({
      text: null,
      props: { flags: ["deleted"] },
    });
    expect((await say("fine \u200e<This message was edited>")).message).toMatchObject({
      text: "fine",
      props: { flags: ["edited"] },
    });
    expect((await say("\u200ePOLL:\nWhen?\n\u200eOPTION: Mon (\u200e2 votes)")).message).toMatchObject({
      text: "When?\n- Mon (2 votes)",
      props: { flags: ["poll"] },
    });
    expect((await say("\u200eLocation: https://maps.google.com/?q=59.91,10.75")).message).toMatchObject({
      place: { lat: 59.91, lon: 10.75 },
    });
    expect((await say("hello @\u2068Ben\u2069")).message?.text).toBe("hello @Ben");
    expect((await say("\u200eMissed voice call")).message).toMatchObject({
      kind: "system",
      props: { flags: ["call", "missed"] },
    });
  });
});

const said = fc.array(
  fc.record({
    minutes: fc.integer({ min: 0, max: 3 }),
    name: fc.constantFrom("Ada", "Ben"),
    text: fc.oneof(
      fc.constantFrom("ok", "yes", "<Media omitted>", "a\nb"),
      fc.string({ maxLength: 12 }).map((text) => `t${text.replace(/[\r\n]/g, " ")}`),
    ),
  }),
  { minLength: 2, maxLength: 25 },
);

describe("the words of the application", () => {
  const say = async (said: string) =>
    (await records(`[03.04.24, 21:00:00] Ada: ${said}\n[03.04.24, 21:01:00] Ada: hi\n`, "c/_chat.txt"))[0];

  it("are known in every language", async () => {
    for (const [code, { media, left, deleted, edited, attached, poll, option, place, call, missed }] of Object.entries(
      languages,
    )) {
      const [one = ""] = media.split("|");
      const [gone = ""] = left.split("|");
      for (const words of [
        `<${one} ${gone}>`,
        `<${gone} ${one}>`,
        `\u200e${one} ${gone}`,
        `x.pdf (${attached.split("|").at(-1)})`,
      ]) {
        expect(await say(words), `${code}: ${words}`).toMatchObject({
          kind: "message",
          text: null,
          props: { flags: ["missing-media"] },
        });
      }
      for (const words of deleted.split("|")) {
        expect(await say(`\u200e${words}.`), code).toMatchObject({ text: null, props: { flags: ["deleted"] } });
      }
      expect(await say(`fine <${edited.split("|")[0]}>`), code).toMatchObject({
        text: "fine",
        props: { flags: ["edited"] },
      });
      const vote = `\u200e${poll.split("|")[0]?.toUpperCase()}:\nWhen?\n\u200e${option.split("|")[0]}: Mon (2)`;
      expect(await say(vote), code).toMatchObject({ text: "When?\n- Mon (2)", props: { flags: ["poll"] } });
      const here = `\u200e${place.split("|")[0]}: https://maps.google.com/?q=59.91,10.75`;
      expect(await say(here), code).toMatchObject({ text: null, place: { lat: 59.91 } });
      const ring = await say(`\u200e${missed.split("|")[0]} ${call.split("|")[0]}`);
      expect(ring, code).toMatchObject({ kind: "system", props: { flags: ["call", "missed"] } });
    }
  });

  it("are known by their form where the language is not", async () => {
    expect(await say("yes \u200e<Ten mesaij wos edyted>")).toMatchObject({ text: "yes", props: { flags: ["edited"] } });
    expect(await say("ANKETO:\nKiam?\nELEKTO: Lu (2 vochoj)\nELEKTO: Ma (0 vochoj)")).toMatchObject({
      text: "Kiam?\n- Lu (2 vochoj)\n- Ma (0 vochoj)",
      props: { flags: ["poll"] },
    });
    expect(await say("\u200eLoko: https://maps.google.com/?q=1.5,2.5")).toMatchObject({
      text: null,
      place: { lat: 1.5 },
    });
  });

  it("are left to people who type the like", async () => {
    for (const text of [
      "<3",
      "see <this>",
      "Location: https://meet.example.org/1",
      "Call me: 12",
      "list:\na: 1\nb: 2",
      "the group left",
    ]) {
      expect(await say(text), text).toMatchObject({ kind: "message", text, place: null, props: {} });
    }
  });
});

describe("the owner", () => {
  it("is not guessed in a group of two, nor where the title is nobody's name", async () => {
    const two = "03.04.24, 21:00 - Ada: hi\n03.04.24, 21:01 - Ben: hello\n";
    const group = `03.04.24, 20:59 - Ben created group "Ada"\n${two}`;
    for (const text of [group]) expect((await records(text)).some(({ author }) => author?.owner)).toBe(false);
    expect((await records(two, "WhatsApp Chat with Trip.txt")).some(({ author }) => author?.owner)).toBe(false);
    expect((await records(two)).map(({ author }) => author?.owner)).toEqual([false, true]);
  });
});

describe("properties", () => {
  it("a longer export of the same chat holds every identity of the shorter one, each once", async () => {
    await fc.assert(
      fc.asyncProperty(said, fc.nat(), async (messages, cut) => {
        let minute = 0;
        const lines = messages.map(({ minutes, name, text }) => {
          minute += minutes;
          return `28/04/2024, ${String(10 + Math.floor(minute / 60))}:${String(minute % 60).padStart(2, "0")} - ${name}: ${text}\n`;
        });
        const ids = async (count: number) =>
          (await records(lines.slice(0, count).join(""))).map(({ identity }) => identity);
        const all = await ids(lines.length);
        expect(new Set(all).size).toBe(lines.length);
        const some = await ids(1 + (cut % lines.length));
        expect(all.slice(0, some.length)).toEqual(some);
      }),
      { numRuns: 60 },
    );
  });

  it("reading goes on after any record as if it had never stopped", async () => {
    const tree = memoryTree({
      "c/_chat.txt":
        "[03.04.24, 21:00:00] Ada: ok\n[03.04.24, 21:00:00] Ada: ok\n[03.04.24, 21:01:00] Ben: \u200e<attached: a.mp4>\n[03.04.24, 21:02:00] Ada: ok\n",
      "c/a.mp4": "video",
    });
    const whole = await importAll(whatsappImporter, tree);
    const [claim] = await Array.fromAsync(whatsappImporter.recognise(tree));
    if (claim === undefined) throw new Error("no claim");
    const keys = (items: typeof whole) =>
      items.map((item) => (item.type === "record" ? item.record.identity : item.path));
    for (const [i, item] of whole.entries()) {
      if (item.type !== "record") continue;
      const context = readContext(tree, { resume: item.cursor });
      const rest = keys(await Array.fromAsync(whatsappImporter.read(claim, context)));
      expect(rest.slice(-(whole.length - i - 1))).toEqual(keys(whole.slice(i + 1)));
      expect(keys(whole)).toEqual(expect.arrayContaining(rest));
    }
  });

  it("any text gives valid records or a reason, never a throw", async () => {
    const noise = fc.array(
      fc.oneof(
        fc.string(),
        fc.constantFrom(
          "[03.04.24, 21:00:00] A: ",
          "3/4/24, 9:00 - ",
          "\n",
          "\u200e",
          "<a: b.jpg>",
          ": ",
          "\ud800",
          "\0",
        ),
      ),
      { maxLength: 20 },
    );
    await fc.assert(
      fc.asyncProperty(noise, async (parts) => {
        const items = await read({
          "_chat.txt": `[03.04.24, 21:00:00] A: ${parts.join("")}`,
          "x.txt": parts.join(""),
          "b.jpg": "x",
        });
        for (const record of recordsOf(items)) expect(importedRecordSchema.safeParse(record).error).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });
});
