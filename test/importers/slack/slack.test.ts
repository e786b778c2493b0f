import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importedRecordSchema } from "#contract";
import { slackImporter } from "#main/importers/slack/index.ts";
import { plainText } from "#main/importers/slack/markup.ts";
import { emojiOf, withEmoji } from "#main/importers/slack/short-codes.ts";
import { filesOf, importAll, memoryTree, readContext, recordsOf } from "#test/importers/memory-tree.ts";

const users = JSON.stringify([
  { id: "U1", name: "lena", profile: { display_name: "Lena", real_name: "Lena Wolf" } },
  { id: "U2", name: "omar", profile: { display_name: "", real_name: "Omar Said" } },
  { id: "U3", name: "pia", profile: {} },
]);
const lists = {
  "w/users.json": users,
  "w/channels.json": JSON.stringify([{ id: "C1", name: "garden", members: ["U1", "U2"] }]),
  "w/dms.json": JSON.stringify([
    { id: "D1", members: ["U1", "U2"] },
    { id: "D2", members: ["U1", "U3"] },
  ]),
};
const day = (...messages: object[]) => JSON.stringify(messages.map((one) => ({ type: "message", ...one })));
const read = async (files: Record<string, string | Uint8Array>) => importAll(slackImporter, memoryTree(files));
const garden = async (...messages: object[]) =>
  recordsOf(await read({ ...lists, "w/garden/2023-05-01.json": day(...messages) }));

describe("texts", () => {
  const names = {
    user: (id: string) => (id === "U1" ? "Lena" : null),
    channel: (id: string) => (id === "C1" ? "garden" : null),
  };
  const plain = (text: string) => plainText(text, names).text;

  it("show names, labels, signs and emoji; hidden addresses are links", () => {
    expect(plain("<@U1> <@U9> <@U9|nick> <#C1> <#C9|old> <!here> <!subteam^S1|@team>")).toBe(
      "@Lena @U9 @nick #garden #old @here @team",
    );
    expect(
      plainText("<https://example.org/a?b=1&amp;c|this> <https://example.org> <mailto:a@b.org|a@b.org>", names),
    ).toEqual({
      text: "this https://example.org a@b.org",
      links: ["https://example.org/a?b=1&c"],
    });
    expect(plain("1 &lt; 2 &amp;amp; a < b")).toBe("1 < 2 &amp; a < b");
    expect(plain("<!date^1392734382^{date}|18 February>")).toBe("18 February");
  });

  it("show emoji by their short codes, but in code", () => {
    expect(withEmoji(":wave: at 10:30:45 :wave::skin-tone-3: `:wave:` :our_own: :flag-at:")).toBe(
      "👋 at 10:30:45 👋🏼 `:wave:` :our_own: 🇦🇹",
    );
    expect([emojiOf("thumbsup"), emojiOf("+1::skin-tone-6"), emojiOf("constructor")]).toEqual(["👍", "👍🏿", null]);
  });
});

describe("a workspace", () => {
  it("keeps messages apart by their digits, threads together over days, and what has no time", async () => {
    const records = recordsOf(
      await read({
        ...lists,
        "w/garden/2023-05-01.json": day(
          { user: "U1", text: "c", ts: "1682942400.000300" },
          { user: "U2", text: "a", ts: "1682942400.000100" },
          { user: "U1", text: "b", ts: "1682942400.000200", thread_ts: "1682942400.000200" },
          { user: "U2", text: "lost", ts: "NaN" },
        ),
        "w/garden/2023-05-02.json": day(
          { user: "U3", text: "reply", ts: "1683000000.000100", thread_ts: "1682942400.000200" },
          {
            user: "U1",
            subtype: "thread_broadcast",
            text: "all",
            ts: "1683000001.000100",
            thread_ts: "1682942400.000200",
          },
        ),
      }),
    ).sort((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0));
    expect(records.map(({ text }) => text)).toEqual(["a", "b", "lost", "c", "reply", "all"]);
    expect(records.map(({ nativeId }) => nativeId)).toEqual(
      "1682942400.000100 1682942400.000200 NaN 1682942400.000300 1683000000.000100 1683000001.000100".split(" "),
    );
    expect(records[4]).toMatchObject({
      identity: "slack:C1/1683000000.000100",
      author: { name: "pia", address: "U3" },
      replyTo: "slack:C1/1682942400.000200",
      thread: records[1]?.thread,
      container: { key: "slack:C1", title: "#garden" },
      time: { utc: "2023-05-02T04:00:00Z" },
    });
    expect(records[2]?.time).toBeNull();
    expect(new Set(records.map(({ identity }) => identity)).size).toBe(6);
  });

  it("tells notices, bots, edits, deletions, pins and reactions", async () => {
    const [join, bot, tomb, edited, changed] = await garden(
      { subtype: "channel_join", user: "U2", text: "<@U2> has joined", ts: "1682942400.000100" },
      {
        subtype: "bot_message",
        username: "ci",
        bot_id: "B1",
        text: "",
        ts: "1682942401.000100",
        attachments: [{ pretext: "Run 7", title: "Report", text: "all *green*" }],
      },
      { subtype: "tombstone", user: "USLACKBOT", text: "This message was deleted.", ts: "1682942402.000100" },
      {
        user: "U1",
        text: "x",
        ts: "1682942403.000100",
        edited: { user: "U1", ts: "1682942500.000000" },
        pinned_to: ["C1"],
        reactions: [
          { name: "eyes", users: ["U2"], count: 3 },
          { name: "our_own", users: ["U9"], count: 1 },
        ],
      },
      {
        subtype: "message_changed",
        ts: "1682942600.000000",
        message: { type: "message", user: "U1", text: "new", ts: "1682942404.000100" },
      },
    );
    expect(join).toMatchObject({ kind: "system", text: "@Omar Said has joined" });
    expect(bot).toMatchObject({
      kind: "message",
      author: { name: "ci", address: "B1" },
      text: "Run 7\nReport\nall *green*",
    });
    expect(tomb).toMatchObject({ text: null, props: { flags: ["deleted"] } });
    expect(edited?.props).toMatchObject({
      flags: ["edited", "pinned"],
      modified: { utc: "2023-05-01T12:01:40Z" },
      reactions: [
        { emoji: "👀", by: "Omar Said", count: null },
        { emoji: "👀", by: null, count: 2 },
        { emoji: ":our_own:", by: "U9", count: null },
      ],
    });
    expect(changed).toMatchObject({ nativeId: "1682942404.000100", text: "new", props: { flags: ["edited"] } });
  });

  it("reads blocks where the text is empty", async () => {
    const part = (type: string, more: object) => ({ type, ...more });
    const section = part("rich_text_section", {
      elements: [
        part("text", { text: "see " }),
        part("user", { user_id: "U1" }),
        part("link", { url: "https://example.org", text: " here" }),
        part("emoji", { name: "wave", unicode: "1f44b" }),
      ],
    });
    const listed = part("rich_text_list", {
      style: "bullet",
      elements: [part("rich_text_section", { elements: [part("text", { text: "one" })] })],
    });
    const quote = part("rich_text_quote", { elements: [part("text", { text: "q" })] });
    const [record] = await garden({
      user: "U2",
      text: "",
      ts: "1682942400.000100",
      blocks: [part("rich_text", { elements: [section, listed, quote] })],
    });
    expect(record).toMatchObject({ text: "see @Lena here👋\n• one\n> q", props: { links: ["https://example.org"] } });
  });

  it("lists files that are only addresses as missing, and finds those that a tool put beside", async () => {
    const file = { id: "F11", name: "bed.gif", mimetype: "image/gif", url_private: "https://files.example/bed.gif" };
    const message = {
      user: "U1",
      text: "",
      ts: "1682942400.000100",
      files: [file, { id: "F12", mode: "external", url_private: "https://docs.example/d" }],
    };
    const [alone] = await garden(message);
    expect(alone?.props).toMatchObject({
      attachments: [{ name: "bed.gif", missing: true, mime: "image/gif" }],
      links: ["https://docs.example/d"],
      flags: ["missing-media"],
    });
    const items = await read({
      ...lists,
      "w/garden/2023-05-01.json": day(message),
      "w/__uploads/F11/bed.gif": "GIF89a",
    });
    expect(recordsOf(items)[0]?.props.attachments).toMatchObject([{ path: "w/__uploads/F11/bed.gif", missing: false }]);
    expect(filesOf(items).every(({ status }) => status === "imported")).toBe(true);
  });

  it("calls direct chats by their people, and knows the owner who is in all of them", async () => {
    const [record] = recordsOf(
      await read({ ...lists, "w/D1/2023-05-01.json": day({ user: "U1", text: "psst", ts: "1682942400.000100" }) }),
    );
    expect(record).toMatchObject({
      container: { key: "slack:D1", title: "Omar Said" },
      author: { name: "Lena", owner: true },
      participants: [{ name: "Omar Said", owner: false }],
    });
  });

  it("is read by channel folders alone, without lists", async () => {
    const [record] = recordsOf(
      await read({ "garden/2023-05-01.json": day({ user: "U1", text: "hi", ts: "1682942400.000100" }) }),
    );
    expect(record).toMatchObject({
      identity: "slack:#garden/1682942400.000100",
      author: { name: null, address: "U1" },
    });
  });

  it("keeps what stands before a break, and goes on from a cursor", async () => {
    const whole = day(
      { user: "U1", text: "one", ts: "1682942400.000100" },
      { user: "U2", text: "two", ts: "1682942401.000100" },
    );
    const cut = await read({ ...lists, "w/garden/2023-05-01.json": whole.slice(0, -30) });
    expect(recordsOf(cut)).toHaveLength(1);
    expect(filesOf(cut)[0]).toMatchObject({ status: "imported", reason: expect.stringContaining("damaged") });
    const tree = memoryTree({ ...lists, "w/garden/2023-05-01.json": whole });
    const [claim] = await Array.fromAsync(slackImporter.recognise(tree));
    if (claim === undefined) throw new Error("no claim");
    const all = await Array.fromAsync(slackImporter.read(claim, readContext(tree)));
    expect(await Array.fromAsync(slackImporter.read(claim, readContext(tree, { resume: 0 })))).toEqual(all.slice(1));
  });

  it("is made of typed records, whatever the bytes", async () => {
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.constant(null),
      fc.array(fc.string()),
      fc.object({ maxDepth: 3 }),
    );
    const keys = "ts thread_ts user text subtype blocks attachments files reactions edited room message username".split(
      " ",
    );
    const messages = fc.array(fc.oneof(fc.dictionary(fc.constantFrom(...keys), value), value));
    const bytes = fc.oneof(
      messages.map((one) => Buffer.from(JSON.stringify(one))),
      fc.uint8Array(),
    );
    await fc.assert(
      fc.asyncProperty(bytes, bytes, async (content, list) => {
        const items = await read({ "w/users.json": list, "w/garden/2023-05-01.json": content });
        for (const record of recordsOf(items)) expect(importedRecordSchema.safeParse(record).error).toBeUndefined();
        expect(filesOf(items).length).toBeGreaterThan(0);
      }),
      { numRuns: 200 },
    );
  });
});
