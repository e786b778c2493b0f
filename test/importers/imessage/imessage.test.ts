import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importedRecordSchema } from "#contract";
import { imessageImporter } from "#main/importers/imessage/index.ts";
import { readPlist, unarchived } from "#main/importers/imessage/plist.ts";
import { typedstreamText } from "#main/importers/imessage/typedstream.ts";
import { filesOf, importAll, memoryTree, readContext, recordsOf } from "#test/importers/memory-tree.ts";
import { archivedString, binaryPlist, chatDatabase, nanoseconds } from "./chat-db.ts";

const read = async (files: Record<string, string | Uint8Array>) => importAll(imessageImporter, memoryTree(files));
type Rows = Parameters<typeof chatDatabase>[0];
const records = async (rows: Rows) => recordsOf(await read({ "Messages/chat.db": chatDatabase(rows) }));

const people: Rows = {
  handle: [
    { ROWID: 1, id: "+15550100111", service: "iMessage" },
    { ROWID: 2, id: "lark@example.org", service: "iMessage" },
    { ROWID: 3, id: "+15550100111", service: "SMS" },
  ],
  chat: [
    { ROWID: 1, guid: "iMessage;-;+15550100111", style: 45, chat_identifier: "+15550100111", display_name: "" },
    { ROWID: 2, guid: "SMS;-;+15550100111", style: 45, chat_identifier: "+15550100111", display_name: null },
    { ROWID: 3, guid: "iMessage;+;chat77", style: 43, chat_identifier: "chat77", display_name: "Boats" },
  ],
  chat_handle_join: [
    { chat_id: 1, handle_id: 1 },
    { chat_id: 2, handle_id: 3 },
    { chat_id: 3, handle_id: 1 },
    { chat_id: 3, handle_id: 2 },
  ],
};
const at = (minute: number) => nanoseconds(`2024-03-02T06:${String(minute).padStart(2, "0")}:00Z`);
/** A conversation of these messages in chat `chat`, numbered from 1. */
const talk = (
  chat: number,
  messages: readonly Readonly<Record<string, string | number | null | Uint8Array>>[],
): Rows => ({
  ...people,
  message: messages.map((message, i) => ({ ROWID: i + 1, guid: `G-${i + 1}`, date: at(i), handle_id: 1, ...message })),
  chat_message_join: messages.map((_, i) => ({ chat_id: chat, message_id: i + 1 })),
});

describe("texts", () => {
  it("stand in the message or in its attributed string, of any length", async () => {
    const long = "ä".repeat(200);
    const longer = "boat ".repeat(20_000).trim();
    const bodies = ["short", long, longer].map((text) => ({ text: null, attributedBody: archivedString(text) }));
    const found = await records(talk(1, [{ text: "plain" }, ...bodies]));
    expect(found.map(({ text }) => text)).toEqual(["plain", "short", long, longer]);
  });

  it("are found even where what surrounds them has an unknown form", () => {
    const bytes = Buffer.from(archivedString("still here"));
    bytes[20] = 0x7f;
    expect(typedstreamText(bytes)).toBe("still here");
  });

  it("have versions when they were edited, and none when they were taken back", async () => {
    const version = (text: string, seconds: number) => ({ t: archivedString(text), d: seconds });
    const edited = binaryPlist({ ec: { "0": [version("see you at six", 1000), version("see you at seven", 1060)] } });
    const [changed, gone] = await records(
      talk(1, [
        { text: "see you at seven", message_summary_info: edited, date_edited: at(30) },
        { text: null, message_summary_info: binaryPlist({ rp: [0] }), date_edited: at(31) },
      ]),
    );
    expect(changed).toMatchObject({
      text: "see you at seven",
      props: { flags: ["edited"], edits: [{ text: "see you at six", time: { utc: "2001-01-01T00:16:40Z" } }] },
    });
    expect(gone).toMatchObject({ kind: "message", text: null, props: { flags: ["deleted"] } });
  });
});

describe("times and people", () => {
  it("counts nanoseconds or seconds since 2001, and takes 0 for none", async () => {
    const [old, recent, none] = await records(
      talk(1, [
        { text: "a", date: 400_000_000 },
        { text: "b", date_read: at(9), is_from_me: 1 },
        { text: "c", date: 0 },
      ]),
    );
    expect(old?.time?.utc).toBe("2013-09-04T15:06:40Z");
    expect(none?.text).toBe("c");
    expect(none?.time).toBeNull();
    expect(recent).toMatchObject({
      text: "b",
      time: { utc: "2024-03-02T06:01:00Z" },
      props: { extra: { read: "2024-03-02T06:09:00Z" } },
    });
  });

  it("makes one conversation of a person's iMessages and texts, another of the group", async () => {
    const rows = talk(1, [{ text: "a" }, { text: "b", handle_id: 3, service: "SMS" }, { text: "c", handle_id: 2 }]);
    const joins = [1, 2, 3].map((chat, i) => ({ chat_id: chat, message_id: i + 1 }));
    const [first, second, third] = await records({ ...rows, chat_message_join: joins });
    expect(first?.container).toEqual(second?.container);
    expect(third?.container).toMatchObject({ key: "imessage:group:chat77", title: "Boats" });
    expect(third).toMatchObject({
      author: { address: "lark@example.org" },
      participants: [{ address: "+15550100111" }],
    });
  });

  it("knows the owner by the account", async () => {
    const [mine] = await records(talk(1, [{ text: "a", is_from_me: 1, handle_id: 0, account: "E:me@example.org" }]));
    expect(mine).toMatchObject({
      author: { owner: true, address: "me@example.org" },
      participants: [{ address: "+15550100111" }],
      props: { direction: "out" },
    });
  });
});

describe("what is no message", () => {
  it("becomes a reaction of its target, as it is at the end", async () => {
    const tap = (type: number, handle: number, more: Record<string, string | number> = {}) => ({
      text: "Loved “a”",
      associated_message_guid: "p:0/G-1",
      associated_message_type: type,
      handle_id: handle,
      ...more,
    });
    const [message, ...others] = await records(
      talk(3, [
        { text: "a" },
        tap(2000, 1),
        tap(2001, 2),
        tap(3000, 1),
        tap(2006, 1, { associated_message_emoji: "🛶" }),
        tap(2003, 0, { is_from_me: 1, associated_message_guid: "bp:G-1" }),
      ]),
    );
    expect(others).toEqual([]);
    expect(message?.props.reactions).toEqual([
      { emoji: "👍", by: "lark@example.org", count: 1 },
      { emoji: "🛶", by: "+15550100111", count: 1 },
      { emoji: "😂", by: "Me", count: 1 },
    ]);
  });

  it("becomes a notice when it is about the group", async () => {
    const found = await records(
      talk(3, [
        { item_type: 1, group_action_type: 0, other_handle: 2 },
        { item_type: 2, group_title: "Boats", is_from_me: 1, handle_id: 0 },
        { item_type: 3, group_action_type: 0 },
      ]),
    );
    expect(found.map(({ kind, text }) => [kind, text])).toEqual([
      ["system", "+15550100111 added lark@example.org to the conversation"],
      ["system", "You named the conversation “Boats”"],
      ["system", "+15550100111 left the conversation"],
    ]);
  });

  it("shows links of previews, polls and other apps", async () => {
    const archive = (objects: Parameters<typeof binaryPlist>[0][]) =>
      binaryPlist({ $top: { root: { uid: 1 } }, $objects: ["$null", ...objects] });
    const link = archive([
      { richLinkMetadata: { uid: 2 } },
      { originalURL: { uid: 3 }, title: { uid: 4 } },
      { "NS.relative": { uid: 5 } },
      "Tides",
      "https://example.org/tides",
    ]);
    const poll = `data:,${encodeURIComponent(JSON.stringify({ item: { title: "When?", orderedPollOptions: [{ text: "Mon" }, { text: "Tue" }] } }))}`;
    const [preview, vote, game] = await records(
      talk(1, [
        { text: "\ufffd", balloon_bundle_id: "com.apple.messages.URLBalloonProvider", payload_data: link },
        { balloon_bundle_id: "com.apple.messages.Polls", payload_data: archive([{ URL: { uid: 2 } }, poll]) },
        {
          balloon_bundle_id: "com.apple.x:0:com.example.chess",
          payload_data: archive([{ caption: { uid: 2 } }, "Your move"]),
        },
      ]),
    );
    expect(preview).toMatchObject({
      text: null,
      props: { links: ["https://example.org/tides"], extra: { linkTitle: "Tides" } },
    });
    expect(vote).toMatchObject({ text: "When?\n- Mon\n- Tue", props: { flags: ["poll"] } });
    expect(game).toMatchObject({ text: "Your move", props: { extra: { app: "com.example.chess" } } });
  });
});

describe("attachments", () => {
  const filename = "~/Library/SMS/Attachments/0a/10/A-1/clip.mov";
  const rows: Rows = {
    ...talk(1, [{ text: "\ufffc" }, { text: "gone" }]),
    attachment: [
      { ROWID: 1, filename, transfer_name: "Clip.mov" },
      { ROWID: 2, filename: "~/Library/SMS/Attachments/0b/11/A-2/no.pdf", transfer_name: "no.pdf", total_bytes: 900 },
    ],
    message_attachment_join: [
      { message_id: 1, attachment_id: 1 },
      { message_id: 2, attachment_id: 2 },
    ],
  };

  it("are found below the dropped folder, and told as missing where they are not", async () => {
    const items = await read({
      "Messages/chat.db": chatDatabase(rows),
      "Messages/chat.db-shm": "x",
      "Messages/Attachments/0a/10/A-1/clip.mov": "film",
      "Messages/Attachments/0a/10/A-9/other.mov": "film",
      "photos/a.mov": "not ours",
    });
    const [first, clip, second] = recordsOf(items);
    expect(first).toMatchObject({ text: null, props: { attachments: [{ name: "Clip.mov", missing: false }] } });
    expect(clip).toMatchObject({ kind: "video", partOf: { identity: "imessage:G-1", role: "attachment" } });
    expect(second).toMatchObject({
      props: { flags: ["missing-media"], attachments: [{ name: "no.pdf", bytes: 900, missing: true }] },
    });
    expect(filesOf(items).map(({ path, status }) => [path, status])).toEqual([
      ["Messages/chat.db", "imported"],
      ["Messages/chat.db-shm", "imported"],
      ["Messages/Attachments/0a/10/A-1/clip.mov", "imported"],
      ["Messages/Attachments/0a/10/A-9/other.mov", "skipped"],
    ]);
  });

  it("are found in a phone's backup by the hash of their path, and nothing else of the backup is taken", async () => {
    const hash = createHash("sha1")
      .update(`MediaDomain-${filename.slice(2)}`)
      .digest("hex");
    const items = await read({
      "backup/3d/3d0d7e5fb2ce288813306e4d4636395e047a3d28": chatDatabase(rows),
      [`backup/${hash.slice(0, 2)}/${hash}`]: "film",
      "backup/aa/aa0d7e5fb2ce288813306e4d4636395e047a3d28": "a photo of the phone",
    });
    expect(recordsOf(items)[1]).toMatchObject({
      kind: "video",
      files: [{ path: `backup/${hash.slice(0, 2)}/${hash}` }],
    });
    expect(filesOf(items)).toHaveLength(2);
  });
});

describe("foreign databases", () => {
  const leftovers = () => readdirSync(tmpdir()).filter((name) => name.startsWith("understory-copy-"));

  it("may lack columns and tables", async () => {
    const bytes = chatDatabase(
      { message: [{ guid: "G-1", text: "old", date: 400_000_000, is_from_me: 0 }] },
      {
        message: "ROWID INTEGER PRIMARY KEY, guid TEXT, text TEXT, date INTEGER, is_from_me INTEGER",
        handle: "ROWID INTEGER PRIMARY KEY, id TEXT",
        chat_message_join: "chat_id INTEGER, message_id INTEGER",
      },
    );
    expect(recordsOf(await read({ "old.db": bytes }))).toMatchObject([{ nativeId: "G-1", text: "old" }]);
  });

  it("are never run: a view in the place of a table is no table", async () => {
    const bytes = chatDatabase({}, { handle: "id TEXT", chat_message_join: "chat_id", real: "guid, date, is_from_me" });
    const Driver = (await import("better-sqlite3-multiple-ciphers")).default;
    const driver = new Driver(":memory:");
    driver.exec(
      "CREATE TABLE handle (id TEXT); CREATE TABLE chat_message_join (chat_id); CREATE VIEW message AS WITH RECURSIVE n(guid) AS (SELECT 1 UNION ALL SELECT guid + 1 FROM n) SELECT guid, 1 AS date, 0 AS is_from_me FROM n",
    );
    const view = driver.serialize();
    driver.close();
    for (const content of [bytes, view]) {
      const items = await read({ "chat.db": content });
      expect(items).toMatchObject([{ type: "file", status: "failed" }]);
    }
    expect(await read({ "chat.db": "no database", "notes.db": chatDatabase({}, { notes: "id" }) })).toEqual([]);
  });

  it("leave no copy behind, however the reading ends", async () => {
    const tree = memoryTree({ "chat.db": chatDatabase(talk(1, [{ text: "a" }, { text: "b" }])) });
    const [claim] = await Array.fromAsync(imessageImporter.recognise(tree));
    if (claim === undefined) throw new Error("no claim");
    const before = leftovers();
    const reading = imessageImporter.read(claim, readContext(tree))[Symbol.asyncIterator]();
    await reading.next();
    await reading.return?.(undefined);
    expect(leftovers()).toEqual(before);
  });

  it("say so when a phone's backup is encrypted", async () => {
    const items = await read({ "b/3d/3d0d7e5fb2ce288813306e4d4636395e047a3d28": Buffer.alloc(5000, 7) });
    expect(filesOf(items)).toMatchObject([{ status: "failed", reason: expect.stringContaining("encrypted") }]);
  });
});

describe("properties", () => {
  it("reading goes on after any record as if it had never stopped", async () => {
    const rows = talk(1, [{ text: "a" }, { text: "b", date: 0 }, { text: "c" }]);
    const tree = memoryTree({
      "chat.db": chatDatabase({
        ...rows,
        attachment: [{ ROWID: 1, filename: "~/Library/Messages/Attachments/0a/10/A/x.mov" }],
        message_attachment_join: [{ message_id: 2, attachment_id: 1 }],
      }),
      "Attachments/0a/10/A/x.mov": "film",
    });
    const whole = await importAll(imessageImporter, tree);
    const [claim] = await Array.fromAsync(imessageImporter.recognise(tree));
    if (claim === undefined) throw new Error("no claim");
    const keys = (items: typeof whole) =>
      items.map((item) => (item.type === "record" ? item.record.identity : item.path));
    for (const [i, item] of whole.entries()) {
      if (item.type !== "record") continue;
      const rest = keys(
        await Array.fromAsync(imessageImporter.read(claim, readContext(tree, { resume: item.cursor }))),
      );
      expect(rest.slice(-(whole.length - i - 1))).toEqual(keys(whole.slice(i + 1)));
      expect(keys(whole)).toEqual(expect.arrayContaining(rest));
    }
  });

  it("a damaged database gives valid records or a reason, never a throw", async () => {
    const sound = chatDatabase(
      talk(1, [
        {
          text: "a",
          attributedBody: archivedString("x"),
          payload_data: binaryPlist({ a: [1] }),
          balloon_bundle_id: "b",
        },
        ...Array.from({ length: 40 }, (_, i) => ({ text: `message ${i} ${"long ".repeat(40)}` })),
      ]),
    );
    const hit = fc.array(fc.tuple(fc.nat(sound.length - 1), fc.integer({ min: 0, max: 255 })), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(hit, fc.nat(sound.length), fc.boolean(), async (changes, cut, short) => {
        const bytes = Uint8Array.from(sound);
        for (const [at, value] of changes) bytes[at] = value;
        const items = await read({ "chat.db": short ? bytes.subarray(0, cut) : bytes });
        for (const record of recordsOf(items)) expect(importedRecordSchema.safeParse(record).error).toBeUndefined();
      }),
      { numRuns: 150 },
    );
  });

  it("any bytes are a text, a property list, or nothing", () => {
    const sound = [
      archivedString("x".repeat(300)),
      binaryPlist({ $top: { root: { uid: 1 } }, $objects: ["$null", { a: { uid: 1 } }] }),
    ];
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc
        .tuple(fc.constantFrom(...sound), fc.array(fc.tuple(fc.nat(300), fc.integer({ min: 0, max: 255 }))))
        .map(([base, changes]) => {
          const copy = Uint8Array.from(base);
          for (const [i, value] of changes) copy[i % copy.length] = value;
          return copy;
        }),
    );
    fc.assert(
      fc.property(bytes, (value) => {
        const text = typedstreamText(value);
        expect(text === null || typeof text === "string").toBe(true);
        unarchived(readPlist(value));
      }),
      { numRuns: 2000 },
    );
  });
});
