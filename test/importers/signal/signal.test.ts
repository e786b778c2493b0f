import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importedRecordSchema } from "#contract";
import { signalImporter } from "#main/importers/signal/index.ts";
import { sha256 } from "#main/importers/text/clean.ts";
import { filesOf, importAll, memoryEntry, memoryTree, readContext, recordsOf } from "#test/importers/memory-tree.ts";
import { lines, message } from "./exports.ts";

type Files = Record<string, string | Uint8Array>;
const read = (files: Files) => importAll(signalImporter, memoryTree(files));
const records = async (files: Files) => recordsOf(await read(files));

const aci = "a1b2c3d4-0000-4000-8000-000000000001";
const aciBase64 = Buffer.from(aci.replaceAll("-", ""), "hex").toString("base64");
const sent = 1_720_951_200_123;
const who = [
  { version: 1, backupTimeMs: sent },
  { account: { givenName: "Mara", familyName: "" } },
  { recipient: { id: 1, self: {} } },
  {
    recipient: {
      id: 2,
      contact: { aci: aciBase64, e164: "4915100000001", profileGivenName: "Ada", profileFamilyName: "L" },
    },
  },
  { recipient: { id: 3, group: { masterKey: "AAECAwQFBgcICQoLDA0ODw==", snapshot: { title: { title: "Crew" } } } } },
  { chat: { id: 10, recipientId: 2 } },
  { chat: { id: 11, recipientId: 3 } },
];
const item = (more: object) => ({
  chatItem: { chatId: 10, authorId: 2, dateSent: sent, incoming: { dateReceived: sent + 5 }, ...more },
});
const said = (body: string, more: object = {}) => ({ standardMessage: { text: { body }, ...more } });
const native = (...items: object[]) => ({
  "s/main.jsonl": lines(...who, ...items),
  "s/metadata.json": '{"version":1}',
});
const one = async (more: object) => (await records(native(item(more))))[0];

describe("the plaintext export", () => {
  it("tells who wrote what when, by account and sender's clock", async () => {
    expect(await one(said("hello"))).toMatchObject({
      identity: `signal:${aci}/${sent}`,
      text: "hello",
      author: { name: "Ada L", address: "+4915100000001", owner: false },
      time: { utc: "2024-07-14T10:00:00.123Z", precision: "ms" },
      container: { key: `signal:contact/${aci}`, title: "Ada L" },
      props: { direction: "in" },
    });
    expect(await one({ ...said("mine"), authorId: 1, incoming: undefined, outgoing: {} })).toMatchObject({
      author: { name: "Mara", owner: true },
      participants: [{ name: "Ada L" }],
      props: { direction: "out" },
    });
  });

  it("reads every rendering of the format alike", async () => {
    const flat = item(
      said("hi @", {
        quote: { targetSentTimestamp: sent - 9, authorId: 1 },
        reactions: [{ emoji: "👍", authorId: 1 }],
      }),
    );
    const snake = {
      item: {
        chat_item: {
          chat_id: "10",
          author_id: "2",
          date_sent: String(sent),
          directional_details: { incoming: { date_received: String(sent + 5) } },
          item: {
            standard_message: {
              text: { body: "hi @" },
              quote: { target_sent_timestamp: String(sent - 9), author_id: "1" },
              reactions: [{ emoji: "👍", author_id: "1" }],
            },
          },
        },
      },
    };
    const people = [
      { account: { given_name: "Mara" } },
      { recipient: { id: "1", destination: { self: {} } } },
      {
        recipient: {
          id: "2",
          destination: {
            contact: { aci, e164: "+4915100000001", profile_given_name: "Ada", profile_family_name: "L" },
          },
        },
      },
      { chat: { id: "10", recipient_id: "2" } },
    ];
    const [a] = await records(native(flat));
    const [b] = await records({
      "s/main.jsonl": lines({ backup_info: { version: "1" } }, ...people, snake),
      "s/metadata.json": '{"version":1}',
    });
    expect(b).toEqual(a);
    expect(a).toMatchObject({
      replyTo: `signal:self/${sent - 9}`,
      props: { reactions: [{ emoji: "👍", by: "Mara", count: 1 }] },
    });
  });

  it("shows mentions at their place, in UTF-16 units", async () => {
    const text = { body: "🦆 \ufffc, hi", bodyRanges: [{ start: 3, length: 1, mentionAci: aci }] };
    expect((await one({ standardMessage: { text } }))?.text).toBe("🦆 @Ada L, hi");
  });

  it("keeps an edited message under its first moment, with what it said before", async () => {
    const edited = item({
      dateSent: sent + 1000,
      ...said("two"),
      revisions: [{ chatId: 10, authorId: 2, dateSent: sent, ...said("one") }],
    });
    const reply = item({
      authorId: 1,
      dateSent: sent + 2000,
      ...said("re", { quote: { targetSentTimestamp: sent + 1000, authorId: 2 } }),
    });
    const [record, answer] = await records(native(edited, reply));
    expect(record).toMatchObject({
      identity: `signal:${aci}/${sent}`,
      text: "two",
      props: { flags: ["edited"], edits: [{ text: "one" }], modified: { utc: "2024-07-14T10:00:01.123Z" } },
    });
    expect(answer?.replyTo).toBe(record?.identity);
  });

  it("tells deletions, stickers, polls, cards and what could be seen once", async () => {
    expect(await one({ remoteDeletedMessage: {} })).toMatchObject({ text: null, props: { flags: ["deleted"] } });
    expect(await one({ stickerMessage: { sticker: { emoji: "🦆" } } })).toMatchObject({
      text: null,
      props: { extra: { sticker: "🦆" } },
    });
    expect(await one({ poll: { question: "Where?", options: [{ option: "Sea", votes: [] }] } })).toMatchObject({
      text: "Where?\n- Sea",
      props: { flags: ["poll"] },
    });
    expect(
      (await one({ contactMessage: { contact: { name: { givenName: "Cy" }, number: [{ value: "+49 1" }] } } }))?.text,
    ).toBe("Cy\n+49 1");
    expect(await one({ viewOnceMessage: {} })).toMatchObject({ text: null, props: { extra: { viewOnce: true } } });
  });

  it("tells notices in English, calls by a flag", async () => {
    const notice = async (updateMessage: object) => {
      const record = await one({ chatId: 11, updateMessage, incoming: undefined, directionless: {} });
      return [record?.kind, record?.text, record?.props.flags ?? []];
    };
    expect(await notice({ individualCall: { type: "VIDEO_CALL", state: 3, direction: 1 } })).toEqual([
      "system",
      "Missed video call",
      ["call", "missed"],
    ]);
    expect(
      await notice({
        groupChange: { updates: [{ groupNameUpdate: { updaterAci: aciBase64, newGroupName: "Crew" } }] },
      }),
    ).toEqual(["system", "Ada L changed the group name to “Crew”", []]);
    expect(await notice({ expirationTimerChange: { expiresInMs: "604800000" } })).toEqual([
      "system",
      "Ada L set disappearing messages: 1 week",
      [],
    ]);
    expect(await notice({ simpleUpdate: { type: "IDENTITY_UPDATE" } })).toEqual([
      "system",
      "The safety number with Ada L changed",
      [],
    ]);
    expect((await notice({ groupChange: { updates: [{ groupWarpUpdate: { updaterAci: aci } }] } }))[1]).toBe(
      "Ada L: group warp",
    );
  });

  it("finds files by any of their hashes, by size and hash, or by name; others are missing", async () => {
    const plan = "the plan";
    const hash = Buffer.from(sha256(plan), "hex").toString("base64");
    const pointer = (fileName: string, locatorInfo: object) => ({
      pointer: { fileName, contentType: "text/plain", locatorInfo },
    });
    const files = {
      ...native(
        item(
          said("", {
            attachments: [pointer("plan.txt", { plaintextHash: hash, size: 8 }), pointer("gone.pdf", { size: 9 })],
          }),
        ),
      ),
    };
    for (const name of [`${sha256(plan)}.txt`, "0001.bin", "plan.txt"]) {
      const items = await read({ ...files, [`s/files/${name}`]: plan });
      const [message, part] = recordsOf(items);
      expect(message?.props.attachments).toMatchObject([
        { name: "plan.txt", path: `s/files/${name}`, missing: false },
        { name: "gone.pdf", bytes: 9, missing: true },
      ]);
      expect(part).toMatchObject({ kind: "document", text: plan });
      expect(filesOf(items).map(({ status }) => status)).toEqual(["imported", "imported", "imported"]);
    }
  });

  it("keeps what stands before a break, and goes on after a cursor", async () => {
    const whole = native(
      item(said("a")),
      item({ ...said("b"), dateSent: sent + 1 }),
      item({ ...said("c"), dateSent: sent + 2 }),
    );
    const broken = await read({ "s/main.jsonl": whole["s/main.jsonl"].slice(0, -20) });
    expect(recordsOf(broken).map(({ text }) => text)).toEqual(["a", "b"]);
    expect(filesOf(broken)).toMatchObject([{ status: "imported", skipped: 1 }]);
    const tree = memoryTree(whole);
    const [claim] = await Array.fromAsync(signalImporter.recognise(tree));
    if (claim === undefined) throw new Error("not recognised");
    const rest = await Array.fromAsync(signalImporter.read(claim, readContext(tree, { resume: who.length + 1 })));
    expect(recordsOf(rest).map(({ text }) => text)).toEqual(["b", "c"]);
  });
});

describe("what is encrypted", () => {
  it("is declined with what to do", async () => {
    const backup = new Uint8Array([0, 0, 0, 0x36, 0x0a, 0x34, 0x0a, 0x10, ...new Array(80).fill(7)]);
    const items = await read({
      "signal-2024-01-01.backup": backup,
      "Signal/sql/db.sqlite": new Uint8Array(4096).fill(9),
      "Signal/config.json": '{"key":"00"}',
      "Signal/attachments.noindex/ab/abcd": "x",
    });
    expect(recordsOf(items)).toEqual([]);
    const ends = filesOf(items);
    expect(ends).toHaveLength(4);
    expect(ends.every(({ status }) => status === "skipped")).toBe(true);
    expect(ends.find(({ path }) => path.endsWith(".backup"))?.reason).toMatch(/plaintext/);
    expect(ends.find(({ path }) => path.endsWith("db.sqlite"))?.reason).toMatch(/signal-export/);
  });
});

describe("whatever is in the file", () => {
  const check = async (files: Files) => {
    const items = await importAll(
      signalImporter,
      memoryTree(Object.entries(files).map(([path, bytes]) => memoryEntry(path, bytes, 43))),
    );
    for (const record of recordsOf(items)) importedRecordSchema.parse(record);
  };

  it("gives records or a refusal: odd fields", async () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom(sent, String(sent), -1, 1e300, aciBase64, "10"),
    );
    const keys = [
      "chatId",
      "authorId",
      "dateSent",
      "incoming",
      "outgoing",
      "standardMessage",
      "updateMessage",
      "stickerMessage",
      "poll",
      "revisions",
      "contactMessage",
      "viewOnceMessage",
      "directStoryReplyMessage",
      "paymentNotification",
    ];
    const inner = [
      "text",
      "body",
      "quote",
      "reactions",
      "attachments",
      "groupChange",
      "updates",
      "individualCall",
      "simpleUpdate",
      "type",
      "options",
      "longText",
    ];
    const fields = fc.dictionary(
      fc.constantFrom(...inner),
      fc.oneof(value, fc.dictionary(fc.constantFrom(...inner), value)),
    );
    const odd = fc
      .dictionary(fc.constantFrom(...keys), fc.oneof(value, fields))
      .map((more) => item({ ...said("x"), ...more }));
    await fc.assert(
      fc.asyncProperty(fc.array(odd, { maxLength: 3 }), (items) => check(native(...items))),
      { numRuns: 200 },
    );
  });

  it("gives records or a refusal: bytes in the middle of every form", async () => {
    const forms: [string, string][] = [
      ["s/main.jsonl", native(item(said("x")))["s/main.jsonl"]],
      [
        "e/Ines/data.json",
        lines(message("2024-02-11T20:15:30", "Me", "a", { quote: "> b" }), message("2024-02-11T20:15:31", "Ines", "b")),
      ],
      [
        "e/Ines/chat.md",
        "[2024-02-11 20:15:30] Me: a\n(- Ines: x -)\n[2024-02-11 20:15:30] Ines: \n\n> a\n\nb ![p](./media/p.jpg)\n",
      ],
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...forms),
        fc.nat(900),
        fc.nat(40),
        fc.uint8Array({ maxLength: 30 }),
        ([path, text], at, cut, bytes) => {
          const whole = new TextEncoder().encode(text);
          return check({ [path]: new Uint8Array([...whole.subarray(0, at), ...bytes, ...whole.subarray(at + cut)]) });
        },
      ),
      { numRuns: 200 },
    );
  });
});
