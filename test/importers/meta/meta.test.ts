import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importedRecordSchema } from "#contract";
import { metaImporter } from "#main/importers/meta/index.ts";
import { noticeOf } from "#main/importers/meta/notices.ts";
import { repair } from "#main/importers/meta/repair.ts";
import { filesOf, importAll, memoryEntry, memoryTree, readContext, recordsOf } from "#test/importers/memory-tree.ts";

/** As the exporter writes text: UTF-8 read for Latin-1. */
const garble = (text: string) => Buffer.from(text, "utf8").toString("latin1");
const thread = (messages: unknown[], more: object = {}) =>
  JSON.stringify({
    participants: [{ name: garble("Noé Brun") }, { name: "Ida Falk" }],
    messages,
    title: garble("Noé Brun"),
    thread_path: "inbox/noebrun_555000111",
    ...more,
  });
const said = (ms: number, content: string, sender = "Ida Falk") => ({
  sender_name: garble(sender),
  timestamp_ms: ms,
  content: garble(content),
});
const inbox = "x/your_activity_across_facebook/messages/inbox/noebrun_555000111";
const read = async (files: Record<string, string | Uint8Array>) => importAll(metaImporter, memoryTree(files));
const shown = (items: Awaited<ReturnType<typeof read>>) =>
  recordsOf(items)
    .filter(({ partOf }) => partOf === null)
    .sort((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0));

describe("text of the exporter", () => {
  it("is mended where it is UTF-8 read for Latin-1, and nowhere else", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const isPlain = [...text].every((one) => one < "\u0080");
        expect(repair(garble(text))).toBe(isPlain ? text : Buffer.from(text, "utf8").toString("utf8"));
      }),
    );
    for (const right of ["café at nine", "“fine”, he said", "ß", "Ł", ""]) expect(repair(right)).toBe(right);
  });
});

describe("lines of the application", () => {
  it("are told from a person's words by the sender before them", () => {
    expect(noticeOf("Ida Falk sent an attachment.", "Ida Falk")).toBe("attachment");
    expect(noticeOf("Ida hat einen Anhang gesendet.", "Ida Falk")).toBe("attachment");
    expect(noticeOf("Reacted ❤ to your message ", "Ida Falk")).toBe("reaction");
    expect(noticeOf("Ida Falk missed your call.", "Ida Falk")).toBe("missed");
    expect(noticeOf("Ida named the group Trip.", "Ida Falk")).toBe("change");
    expect(noticeOf("You pinned a message.", "Ida Falk")).toBe("change");
    expect(noticeOf("She reacted badly to your message", "Ida Falk")).toBeNull();
    expect(noticeOf("He sent a photo", "Ida Falk")).toBeNull();
    expect(noticeOf("Ida here, are you up?", "Ida Falk")).toBeNull();
  });
});

describe("a thread", () => {
  it("is one chat over its numbered parts, in whatever zip they lie, oldest first", async () => {
    const part = (name: string, messages: unknown[], zip: string) => ({
      ...memoryEntry(`${zip}/${inbox}/${name}`, thread(messages)),
      joined: `${inbox}/${name}`,
    });
    const photo = { ...memoryEntry(`b.zip/${inbox}/photos/9.gif`, "GIF89a"), joined: `${inbox}/photos/9.gif` };
    const entries = [
      part("message_1.json", [said(3e12, "drei"), said(2e12 + 5, "two")], "a.zip"),
      part("message_2.json", [said(2e12, "zwei", "Noé Brun")], "b.zip"),
      part("message_10.json", [{ ...said(1e12, ""), photos: [{ uri: `${inbox.slice(2)}/photos/9.gif` }] }], "a.zip"),
      photo,
    ];
    const byJoined = new Map(entries.map((entry) => [entry.joined, entry]));
    const plain = memoryTree(entries);
    const tree = {
      ...plain,
      joined: {
        get: (path: string) => byJoined.get(path),
        inFolder: (folder: string) => entries.filter((one) => one.joined.startsWith(`${folder}/`)),
        below: (folder: string) => entries.filter((one) => one.joined.startsWith(`${folder}/`)),
      },
    };
    const items = await importAll(metaImporter, tree);
    const records = shown(items);
    expect(records.map(({ text }) => text)).toEqual([null, "zwei", "two", "drei"]);
    expect(new Set(records.map(({ container }) => container?.key))).toEqual(new Set(["meta:555000111"]));
    expect(records[0]?.props.attachments).toMatchObject([{ path: `b.zip/${inbox}/photos/9.gif`, missing: false }]);
    expect(records.map(({ author }) => author?.owner)).toEqual([true, false, true, true]);
    expect(filesOf(items).map(({ path, status }) => [path.slice(0, 5), status])).toHaveLength(4);
  });

  it("has the same identities when the export's folders are renamed", async () => {
    const one = thread([{ ...said(5e12, "x"), photos: [{ uri: "messages/inbox/noebrun_555000111/photos/1.jpg" }] }]);
    const other = one.replace("messages/inbox", "your_instagram_activity/messages/inbox");
    const [a] = shown(await read({ "messages/inbox/noebrun_555000111/message_1.json": one }));
    const [b] = shown(await read({ [`${inbox}/message_1.json`]: other }));
    expect(a?.identity).toBe(b?.identity);
    expect(a?.props.flags).toEqual(["missing-media"]);
  });

  it("reads reactions, shares, calls, changes and what was taken back", async () => {
    const items = await read({
      [`${inbox}/message_1.json`]: thread([
        { ...said(9e11, "Ida Falk sent an attachment."), share: { link: "https://example.org/a" } },
        { ...said(8e11, "The video call ended."), call_duration: 61 },
        { ...said(7e11, "Ida missed your call."), call_duration: 0 },
        { sender_name: "Ida Falk", timestamp_ms: 6e11, is_unsent: true },
        { ...said(5e11, "hm"), reactions: [{ reaction: garble("😮"), actor: garble("Noé Brun") }] },
        { sender_name: "Ida Falk", timestamp_ms: -62169958800000, content: "when?" },
        { ...said(4e11, "Ida named the group Trip.") },
        { ...said(3e11, "Ida Falk sent an attachment.") },
        "noise",
      ]),
    });
    const byText = new Map(shown(items).map((record) => [record.text, record]));
    expect(shown(items).filter(({ text }) => text === null)).toMatchObject([
      { kind: "message", props: { flags: ["missing-media"] } },
      { kind: "message", props: { flags: ["deleted"] } },
      { kind: "message", props: { links: ["https://example.org/a"] } },
    ]);
    expect(byText.get("The video call ended.")).toMatchObject({
      kind: "system",
      props: { duration: 61, flags: ["call"] },
    });
    expect(byText.get("Ida missed your call.")?.props.flags).toEqual(["call", "missed"]);
    expect(byText.get("hm")?.props.reactions).toEqual([{ emoji: "😮", by: "Noé Brun", count: null }]);
    expect(byText.get("when?")?.time).toBeNull();
    expect(byText.get("Ida named the group Trip.")?.kind).toBe("system");
    expect(filesOf(items)[0]).toMatchObject({ status: "imported", skipped: 1 });
  });

  it("knows the owner by the profile, else by being in every chat", async () => {
    const group = (names: string[], sender: string) =>
      JSON.stringify({
        participants: names.map((name) => ({ name })),
        messages: [{ sender_name: sender, timestamp_ms: 1e12, content: "hi" }],
        title: "G",
      });
    const files = {
      "messages/inbox/g_111111/message_1.json": group(["A", "B", "C"], "B"),
      "messages/inbox/h_222222/message_1.json": group(["B", "D", "E"], "D"),
    };
    const owners = async (more: object) =>
      shown(await read({ ...files, ...more })).map(({ author }) => [author?.name, author?.owner]);
    expect(await owners({})).toEqual([
      ["B", true],
      ["D", false],
    ]);
    const profile = JSON.stringify({ profile_v2: { name: { full_name: "D" } } });
    expect(await owners({ "personal/profile_information.json": profile })).toEqual([
      ["B", false],
      ["D", true],
    ]);
  });

  it("is read in the flat end-to-end form, with its media beside", async () => {
    const text = JSON.stringify({
      participants: ["Ida Falk", "Noé"],
      threadName: "Noé_7",
      messages: [
        {
          senderName: "Noé",
          text: "Ã© is how it looks",
          timestamp: 1.7e12,
          type: "text",
          isUnsent: false,
          media: [],
          reactions: [{ actor: "Ida Falk", reaction: "❤" }],
        },
        {
          senderName: "Ida Falk",
          text: "",
          timestamp: 1.6e12,
          type: "media",
          isUnsent: false,
          media: [{ uri: "./media/a.gif" }],
          reactions: [],
        },
      ],
    });
    const items = await read({ "e2e/Noé_7.json": text, "e2e/media/a.gif": "GIF89a" });
    expect(shown(items)).toMatchObject([
      { text: null, props: { attachments: [{ path: "e2e/media/a.gif" }] }, author: { owner: true } },
      { text: "Ã© is how it looks", props: { reactions: [{ emoji: "❤" }] }, container: { title: "Noé" } },
    ]);
    expect(filesOf(items).map(({ status }) => status)).toEqual(["imported", "imported"]);
  });

  it("in HTML is declined with what to do", async () => {
    const items = await read({ "messages/inbox/a_1/message_1.html": "<html><div class='pam _3-95'>" });
    expect(filesOf(items)).toMatchObject([{ status: "skipped", reason: expect.stringContaining("JSON") }]);
  });

  it("keeps what stands before a break, and goes on from a cursor", async () => {
    const whole = thread([said(3e12, "c"), said(2e12, "b"), said(1e12, "a")]);
    const path = `${inbox}/message_1.json`;
    const cut = await read({ [path]: whole.slice(0, whole.indexOf('"title"') - 20) });
    expect(recordsOf(cut).length).toBeGreaterThanOrEqual(2);
    expect(filesOf(cut)[0]).toMatchObject({ status: "imported", reason: expect.stringContaining("damaged") });
    const tree = memoryTree({ [path]: whole });
    const [claim] = await Array.fromAsync(metaImporter.recognise(tree));
    if (claim === undefined) throw new Error("no claim");
    const all = await Array.fromAsync(metaImporter.read(claim, readContext(tree)));
    const [first] = all;
    if (first?.type !== "record") throw new Error("no record");
    const rest = await Array.fromAsync(metaImporter.read(claim, readContext(tree, { resume: first.cursor })));
    expect([first, ...rest]).toEqual(all);
  });

  it("is made of typed records, whatever the bytes", async () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.boolean(), fc.array(fc.string()));
    const keys =
      "sender_name timestamp_ms content photos share reactions call_duration users plan poll sticker type text".split(
        " ",
      );
    const message = fc.dictionary(fc.constantFrom(...keys), value);
    const json = fc.record({
      participants: fc.array(value),
      messages: fc.array(fc.oneof(message, value)),
      title: value,
    });
    const bytes = fc.oneof(
      json.map((one) => Buffer.from(JSON.stringify(one))),
      fc.uint8Array(),
    );
    await fc.assert(
      fc.asyncProperty(bytes, fc.nat(200), async (content, cut) => {
        const items = await read({
          [`${inbox}/message_1.json`]: content.subarray(0, content.length - (cut % 3 ? 0 : cut)),
        });
        for (const record of recordsOf(items)) expect(importedRecordSchema.safeParse(record).error).toBeUndefined();
        expect(filesOf(items)).toHaveLength(1);
      }),
      { numRuns: 200 },
    );
  });
});
