import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importedRecordSchema } from "#contract";
import { discordImporter } from "#main/importers/discord/index.ts";
import { shownText } from "#main/importers/discord/markup.ts";
import { snowflakeOrder, snowflakeTime } from "#main/importers/discord/snowflake.ts";
import { filesOf, importAll, memoryEntry, memoryTree, readContext, recordsOf } from "#test/importers/memory-tree.ts";

type Files = Record<string, string | Uint8Array>;
const read = (files: Files) => importAll(discordImporter, memoryTree(files));
const records = async (files: Files) => recordsOf(await read(files));

const ada = { id: "700000000000000001", name: "ada", nickname: "Ada", isBot: false, roles: [] };
const ben = { id: "700000000000000002", name: "ben", nickname: null, isBot: false, roles: [] };
const first = "1200000000000000001";
const sent = (id: string, more: object = {}) => ({
  id,
  type: "Default",
  timestamp: "2024-01-25T17:29:15.861+01:00",
  content: "hi",
  author: ada,
  ...more,
});
const dce = (messages: readonly unknown[], channel: object = {}) =>
  JSON.stringify({
    guild: { id: "5", name: "Hut" },
    channel: { id: "900000000000000009", type: "GuildTextChat", name: "general", ...channel },
    messages,
  });
const one = async (more: object) => (await records({ "x.json": dce([sent(first, more)]) }))[0];

describe("snowflakes", () => {
  it("are times to the millisecond, with the offset of the export", () => {
    expect(snowflakeTime(first, null)).toMatchObject({
      utc: "2024-01-25T08:51:34.921Z",
      offset: null,
      precision: "ms",
    });
    expect(snowflakeTime(first, "2024-01-25T09:51:34.921+01:00")).toMatchObject({
      utc: "2024-01-25T08:51:34.921Z",
      local: "2024-01-25T09:51:34.921",
      offset: "+01:00",
    });
    expect(snowflakeTime("7", "2024-01-25 16:41:39")).toMatchObject({
      utc: "2024-01-25T16:41:39Z",
      source: "timestamp",
    });
  });

  it("keep their order as numbers", () => {
    const id = fc.bigInt({ min: 0n, max: 2n ** 62n });
    fc.assert(
      fc.property(id, id, (a, b) => {
        const [x, y] = [snowflakeOrder(String(a)) ?? 0, snowflakeOrder(String(b)) ?? 0];
        return a >> 22n === b >> 22n || a < b === x < y;
      }),
    );
  });
});

describe("markup", () => {
  it("shows people, channels, roles, emoji, commands and times", () => {
    const names = {
      users: new Map([["1", "Ada"]]),
      channels: new Map([["2", "general"]]),
      roles: new Map([["3", "crew"]]),
    };
    expect(shownText("<@1> <@!9> <#2> <@&3> <a:wave:4> </roll:5> <t:1700000000:d> <t:1700000000> <b>", names)).toBe(
      "@Ada @9 #general @crew :wave: /roll 2023-11-14 2023-11-14 22:13 UTC <b>",
    );
  });
});

describe("an export of DiscordChatExporter", () => {
  it("tells replies, edits, pins, reactions, embeds and stickers", async () => {
    const record = await one({
      type: "Reply",
      timestampEdited: "2024-01-25T18:00:00+01:00",
      isPinned: true,
      content: "see <@700000000000000002>",
      mentions: [ben],
      reference: { messageId: "1100000000000000000", channelId: "900000000000000009" },
      reactions: [
        { emoji: { id: "", name: "🔥", code: "fire" }, count: 2, users: [ben] },
        { emoji: { id: "44", name: "hut", code: "hut" }, count: 1 },
      ],
      embeds: [{ title: "A page", url: "https://example.org/a", description: "of words" }],
      stickers: [{ id: "1", name: "Wave", format: "Png", sourceUrl: "https://cdn.example/s.png" }],
    });
    expect(record).toMatchObject({
      identity: `discord:${first}`,
      nativeId: first,
      text: "see @ben",
      author: { name: "Ada", address: "700000000000000001", owner: false },
      replyTo: "discord:1100000000000000000",
      container: { key: "discord:channel/900000000000000009", title: "general in Hut" },
      props: {
        flags: ["edited", "missing-media", "pinned"],
        modified: { utc: "2024-01-25T17:00:00Z" },
        links: ["https://example.org/a"],
        reactions: [
          { emoji: "🔥", by: "ben", count: 1 },
          { emoji: "🔥", by: null, count: 1 },
          { emoji: ":hut:", by: null, count: 1 },
        ],
        attachments: [{ name: "Wave", missing: true }],
      },
    });
  });

  it("tells calls, notices, polls and forwards", async () => {
    const call = await one({
      type: "Call",
      content: "Started a call that lasted 1 minutes.",
      callEndedTimestamp: "2024-01-25T08:52:34.921Z",
    });
    expect(call).toMatchObject({
      kind: "system",
      text: "Started a call that lasted 1 minutes.",
      props: { flags: ["call"], duration: 60 },
    });
    expect(await one({ type: "RecipientAdd", content: "" })).toMatchObject({
      kind: "system",
      text: "Ada added somebody to the group",
    });
    expect(await one({ content: "", poll: { question: { text: "Where?" }, answers: ["Sea"] } })).toMatchObject({
      text: "Where?\n- Sea",
      props: { flags: ["poll"] },
    });
    const forward = await one({
      content: "",
      reference: { type: "Forward", messageId: "1" },
      forwardedMessage: { content: "words" },
    });
    expect(forward).toMatchObject({ text: "words", replyTo: null, props: { flags: ["forwarded"] } });
  });

  it("reads parts and the files that were downloaded; links to servers are missing files", async () => {
    const file = { id: "1", url: "Hut%20-%20general.json_Files/plan-AB12.txt", fileName: "plan.txt", fileSizeBytes: 8 };
    const link = { id: "2", url: "https://cdn.example/9/pic.png?ex=1", fileName: "pic.png", fileSizeBytes: 7 };
    const items = await read({
      "e/Hut - general.json": dce([sent(first, { attachments: [file] })]),
      "e/Hut - general [part 2].json": dce([sent("1200000000000000002", { attachments: [link] })]),
      "e/Hut - general.json_Files/plan-AB12.txt": "the plan",
      "e/Hut - general.json_Files/avatar.png": "x",
      "e/Hut - general.html": "<!-- DiscordChatExporter -->",
    });
    const list = recordsOf(items);
    expect(list.find(({ kind }) => kind === "document")).toMatchObject({
      text: "the plan",
      partOf: { identity: `discord:${first}` },
    });
    expect(list.find(({ nativeId }) => nativeId?.endsWith("2"))?.props).toMatchObject({
      attachments: [{ name: "pic.png", bytes: 7, missing: true }],
      extra: { attachmentLinks: ["https://cdn.example/9/pic.png?ex=1"] },
    });
    expect(filesOf(items).find(({ path }) => path.endsWith(".html"))).toMatchObject({ status: "skipped" });
  });

  it("in other forms is declined with what to do", async () => {
    const items = await read({
      "a.csv": "AuthorID,Author,Date,Content,Attachments,Reactions\n1,a,b,c,,\n",
      "b.html": '<div class="preamble__x">',
    });
    expect(filesOf(items)).toMatchObject([
      { status: "skipped", reason: expect.stringContaining("JSON") },
      { status: "skipped", reason: expect.stringContaining("JSON") },
    ]);
  });
});

describe("the data package", () => {
  const rows = `[{"ID": 1200000000000000003, "Timestamp": "2024-01-25 16:41:39", "Contents": "two", "Attachments": "https://cdn.example/1/a.png https://cdn.example/2/b.pdf"},
    {"ID": ${first}, "Timestamp": "2024-01-25 16:41:39", "Contents": "one, \\"so\\"", "Attachments": ""}]`;
  const about = {
    "p/messages/index.json": JSON.stringify({ "900000000000000009": "Direct Message with ben#0" }),
    "p/messages/c900000000000000009/channel.json": JSON.stringify({
      id: "900000000000000009",
      type: "DM",
      recipients: [ada.id, ben.id],
    }),
  };
  const account = { "p/account/user.json": JSON.stringify({ id: ada.id, username: "ada", global_name: "Ada" }) };

  it("holds the owner's messages, with ids that no double holds", async () => {
    const list = await records({ ...about, ...account, "p/messages/c900000000000000009/messages.json": rows });
    expect(list.map(({ nativeId, text }) => [nativeId, text])).toEqual([
      ["1200000000000000003", "two"],
      [first, 'one, "so"'],
    ]);
    expect(list[0]).toMatchObject({
      author: { name: "Ada", address: ada.id, owner: true },
      participants: [{ address: ben.id }],
      container: { key: "discord:channel/900000000000000009", title: "ben" },
      props: { direction: "out", attachments: [{ name: "a.png", missing: true }, { name: "b.pdf" }] },
    });
    expect((list[0]?.sequence ?? 0) > (list[1]?.sequence ?? 0)).toBe(true);
  });

  it("of before 2024 is a table, with the same records", async () => {
    const csv = `ID,Timestamp,Contents,Attachments\n1200000000000000003,2024-01-25 16:41:39,two,https://cdn.example/1/a.png https://cdn.example/2/b.pdf\n${first},2024-01-25 16:41:39,"one, ""so""",\n`;
    const table = await records({ ...about, ...account, "p/messages/c900000000000000009/messages.csv": csv });
    const json = await records({ ...about, ...account, "p/messages/c900000000000000009/messages.json": rows });
    const bare = (list: typeof json) => list.map((record) => ({ ...record, files: [] }));
    expect(bare(table)).toEqual(bare(json));
  });

  it("without an account tells the owner by a message that an export has too", async () => {
    const list = await records({
      ...about,
      "p/messages/c900000000000000009/messages.json": rows,
      "dce/ben.json": dce([sent(first), sent("1200000000000000009", { author: ben })]),
    });
    const owners = new Set(list.filter(({ author }) => author?.owner).map(({ author }) => author?.address));
    expect([...owners]).toEqual([ada.id]);
    expect(list.filter(({ identity }) => identity === `discord:${first}`)).toHaveLength(2);
    expect(list.find(({ author }) => author?.address === ben.id)?.author?.owner).toBe(false);
  });
});

describe("whatever is in the file", () => {
  const check = async (files: Files) => {
    const items = await importAll(
      discordImporter,
      memoryTree(Object.entries(files).map(([path, bytes]) => memoryEntry(path, bytes, 41))),
    );
    for (const record of recordsOf(items)) importedRecordSchema.parse(record);
  };

  it("gives records or a refusal: odd fields", async () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(first, -1, 1e300, "2024-01-25T17:29:15+99:99", ada),
    );
    const keys = [
      "id",
      "type",
      "timestamp",
      "timestampEdited",
      "callEndedTimestamp",
      "content",
      "author",
      "attachments",
      "embeds",
      "stickers",
      "reactions",
      "mentions",
      "reference",
      "forwardedMessage",
      "poll",
    ];
    const message = fc.dictionary(fc.constantFrom(...keys), value).map((more) => sent(first, more));
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { maxLength: 3 }),
        fc.dictionary(fc.constantFrom("id", "name", "type"), value),
        (messages, channel) => check({ "x.json": dce(messages, channel) }),
      ),
      { numRuns: 150 },
    );
  });

  it("gives records or a refusal: bytes in the middle of every form", async () => {
    const forms: [string, string][] = [
      ["x.json", dce([sent(first), sent("1200000000000000002")])],
      ["messages/c1/messages.json", `[{"ID": ${first}, "Timestamp": "x", "Contents": "y", "Attachments": ""}]`],
      ["messages/c1/messages.csv", `ID,Timestamp,Contents,Attachments\n${first},x,"y\nz",\n`],
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...forms),
        fc.nat(500),
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

  it("goes on after a cursor", async () => {
    const tree = memoryTree({ "x.json": dce([sent(first), sent("1200000000000000002")]) });
    const [claim] = await Array.fromAsync(discordImporter.recognise(tree));
    if (claim === undefined) throw new Error("not recognised");
    const rest = await Array.fromAsync(discordImporter.read(claim, readContext(tree, { resume: 1 })));
    expect(recordsOf(rest).map(({ nativeId }) => nativeId)).toEqual(["1200000000000000002"]);
  });
});
