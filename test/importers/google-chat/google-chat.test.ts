import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importedRecordSchema } from "#contract";
import { ChatDates } from "#main/importers/google-chat/dates.ts";
import { googleChatImporter, googleVoiceImporter, hangoutsImporter } from "#main/importers/google-chat/index.ts";
import type { Importer } from "#main/importers/types.ts";
import { filesOf, importAll, memoryTree, recordsOf } from "#test/importers/memory-tree.ts";

const importer = (one: Importer) => async (files: Record<string, string | Uint8Array>) =>
  importAll(one, memoryTree(files));
const chat = importer(googleChatImporter);
const hangouts = importer(hangoutsImporter);
const voice = importer(googleVoiceImporter);
const messages = (...list: unknown[]) => JSON.stringify({ messages: list });

describe("dates in the account's language", () => {
  it.each("en de fr es pt it nl pl ru uk sv da fi cs hu ro el tr hr ja ko zh zh-TW vi th ar he hi es-MX id".split(" "))(
    "are read in %s",
    (tag) => {
      const dates = new ChatDates();
      const format = new Intl.DateTimeFormat(tag, { dateStyle: "full", timeStyle: "long", timeZone: "UTC" });
      for (let i = 0; i < 24; i++) {
        const ms = Date.UTC(2018 + (i % 5), i % 12, 1 + i, i, (i * 7) % 60, (i * 11) % 60);
        expect(dates.read(format.format(ms))?.utc, format.format(ms)).toBe(
          `${new Date(ms).toISOString().slice(0, 19)}Z`,
        );
      }
    },
  );

  it("are refused where they cannot be read for certain", () => {
    const dates = new ChatDates();
    for (const text of [
      "",
      "soon",
      "Monday, October 8, 2019 at 6:13:30 PM UTC",
      "8/10/2019 18:13:30 UTC",
      "15 listopada 2015 10:10:50 UTC",
    ]) {
      expect(dates.read(text), text).toBeNull();
    }
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => void dates.read(text)),
      { numRuns: 50 },
    );
  });
});

describe("Google Chat", () => {
  const date = (time: string) => `Tuesday, October 8, 2019 at ${time}\u202fPM UTC`;
  const mia = { name: "Mia", email: "mia@example.org", user_type: "Human" };
  const folder = "Takeout/Google Chat/Groups/Space AAA";
  const info = {
    [`${folder}/group_info.json`]: JSON.stringify({
      name: "Choir",
      members: [mia, { name: "Tom", email: "tom@example.org" }],
    }),
  };
  const owner = {
    "Takeout/Google Chat/Users/User 1/user_info.json": JSON.stringify({
      user: { name: "Tom", email: "Tom@example.org" },
    }),
  };

  it("reads threads, files, reactions, edits, quotes and what was deleted", async () => {
    const items = await chat({
      ...info,
      ...owner,
      [`${folder}/File-a.gif`]: "GIF89a",
      [`${folder}/File-a(1).gif`]: "GIF89a2",
      [`${folder}/messages.json`]: messages(
        {
          creator: mia,
          created_date: date("6:13:30"),
          text: "root",
          topic_id: "T",
          message_id: "AAA/T/T",
          attached_files: [{ original_name: "a.gif", export_name: "File-a.gif" }],
          reactions: [{ emoji: { unicode: "👍" }, reactor_emails: ["tom@example.org"] }],
        },
        {
          creator: { name: "Tom", email: "tom@example.org" },
          created_date: date("6:13:30"),
          text: "yes",
          topic_id: "T",
          message_id: "AAA/T/U",
          attached_files: [
            { original_name: "b.gif", export_name: "File-a.gif" },
            { original_name: "gone.pdf", export_name: "File-gone.pdf" },
          ],
          previous_message_versions: [{ created_date: date("6:13:30"), text: "yse" }],
        },
        {
          topic_id: "V",
          message_id: "AAA/V/V",
          message_state: "DELETED",
          deletion_metadata: { deletion_type: "CREATOR" },
        },
        {
          creator: mia,
          created_date: "Whenever",
          text: "see",
          topic_id: "W",
          message_id: "AAA/W/W",
          quoted_message_metadata: { creator: mia, text: "root" },
          annotations: [
            {
              url_metadata: {
                title: "x",
                url: { private_do_not_access_or_else_safe_url_wrapped_value: "https://example.org/x" },
              },
            },
          ],
        },
      ),
    });
    const [root, reply, deleted, quoting] = recordsOf(items).filter(({ partOf }) => partOf === null);
    expect(root).toMatchObject({
      identity: "google-chat:AAA/T/T",
      author: { name: "Mia", owner: false },
      time: { utc: "2019-10-08T18:13:30Z" },
      container: { key: "google-chat:AAA", title: "Choir" },
      props: { attachments: [{ path: `${folder}/File-a.gif` }], reactions: [{ emoji: "👍", by: "Tom" }] },
    });
    expect(reply).toMatchObject({
      author: { owner: true },
      thread: root?.thread,
      replyTo: "google-chat:AAA/T/T",
      props: {
        direction: "out",
        edits: [{ text: "yse" }],
        flags: ["edited", "missing-media"],
        attachments: [{ path: `${folder}/File-a(1).gif` }, { missing: true }],
      },
    });
    expect(deleted).toMatchObject({ text: null, author: null, time: null, props: { flags: ["deleted"] } });
    expect(quoting).toMatchObject({
      text: "> root\nsee",
      time: null,
      props: { links: ["https://example.org/x"], extra: { created_date: "Whenever" } },
    });
    const order = [root, reply, deleted, quoting].map((one) => one?.sequence ?? 0);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(filesOf(items).map(({ status }) => status)).toEqual(Array(5).fill("imported"));
  });

  it("finds a file whose name Takeout has cut", async () => {
    const long = `File-${"lange Probe im Gemeindesaal ".repeat(4)}`;
    const items = await chat({
      ...info,
      [`${folder}/${long.slice(0, 47).trim()}.txt`]: "Noten",
      [`${folder}/messages.json`]: messages({
        message_id: "AAA/T/T",
        text: "x",
        attached_files: [{ export_name: `${long}.txt` }],
      }),
    });
    expect(recordsOf(items).find(({ kind }) => kind === "document")).toMatchObject({
      text: "Noten",
      partOf: { identity: "google-chat:AAA/T/T" },
    });
  });
});

describe("Hangouts", () => {
  const id = (gaia: string) => ({ gaia_id: gaia, chat_id: gaia });
  const conversation = {
    conversation_id: { id: "X" },
    conversation: {
      id: { id: "X" },
      type: "GROUP",
      self_conversation_state: { self_read_state: { participant_id: id("1") } },
      participant_data: [
        { id: id("1"), fallback_name: "Me Self" },
        { id: id("2"), fallback_name: "Jo" },
      ],
    },
  };
  const said = (segments: object[], more = {}) => ({
    conversation_id: { id: "X" },
    sender_id: id("2"),
    timestamp: "1388534400123456",
    event_id: "e1",
    chat_message: { message_content: { segment: segments, ...more } },
    event_type: "REGULAR_CHAT_MESSAGE",
  });
  const events = [
    said(
      [
        { type: "TEXT", text: "hi " },
        { type: "LINE_BREAK", text: "\n" },
        { type: "LINK", text: "here", link_data: { link_target: "https://example.org" } },
      ],
      {
        attachment: [
          {
            embed_item: {
              type: ["PLUS_PHOTO"],
              plus_photo: {
                url: "https://photos.example/s0/IMG%201.gif",
                thumbnail: { url: "https://photos.example/t.jpg" },
              },
            },
          },
        ],
      },
    ),
    {
      conversation_id: { id: "X" },
      sender_id: id("1"),
      timestamp: "1388534500000000",
      event_id: "e2",
      event_type: "HANGOUT_EVENT",
      hangout_event: { event_type: "END_HANGOUT", hangout_duration_secs: "65" },
    },
    {
      conversation_id: { id: "X" },
      sender_id: id("1"),
      timestamp: "1388534600000000",
      event_id: "e3",
      event_type: "RENAME_CONVERSATION",
      conversation_rename: { new_name: "Crew" },
    },
    {
      conversation_id: { id: "X" },
      sender_id: id("1"),
      timestamp: "1388534700000000",
      event_id: "e4",
      event_type: "ADD_USER",
      membership_change: { type: "JOIN", participant_id: [id("2")] },
    },
  ];

  it.each([
    ["the later layout", { conversations: [{ conversation, events }] }],
    [
      "the layout of 2013",
      {
        conversation_state: [
          {
            conversation_id: { id: "X" },
            conversation_state: { conversation: conversation.conversation, event: events },
          },
        ],
      },
    ],
  ])("is read in %s", async (_name, json) => {
    const items = await hangouts({
      "Takeout/Hangouts/Hangouts.json": JSON.stringify(json),
      "Takeout/Hangouts/IMG 1.gif": "GIF89a",
    });
    expect(recordsOf(items).filter(({ partOf }) => partOf === null)).toMatchObject([
      {
        identity: "hangouts:e1",
        text: "hi \nhere",
        author: { name: "Jo" },
        time: { utc: "2014-01-01T00:00:00.123Z" },
        container: { key: "hangouts:X", title: "Jo" },
        props: { attachments: [{ path: "Takeout/Hangouts/IMG 1.gif" }] },
      },
      { kind: "system", author: { owner: true }, text: "Call ended", props: { flags: ["call"], duration: 65 } },
      { kind: "system", text: "Renamed: Crew" },
      { kind: "system", text: "Joined: Jo" },
    ]);
    expect(filesOf(items).map(({ status }) => status)).toEqual(["imported", "imported"]);
  });
});

describe("Google Voice", () => {
  const tel = (number: string, name: string) =>
    `<cite class="sender vcard"><a class="tel" href="tel:${number}"><span class="fn">${name}</span></a></cite>`;
  const me =
    '<cite class="sender vcard"><a class="tel" href="tel:+15550100"><abbr class="fn" title="">Ich</abbr></a></cite>';
  const message = (sender: string, time: string, text: string, more = "") =>
    `<div class="message"><abbr class="dt" title="${time}">May 1</abbr>:\n${sender}: <q>${text}</q>${more}</div>`;

  it("reads texts with their offset, sender and pictures", async () => {
    const name = "Ola - Text - 2012-05-01T20_11_22Z";
    const items = await voice({
      [`Voice/Calls/${name}.html`]: `<html><head><title>Me to\nOla</title></head><body><div class="hChatLog hfeed">${message(tel("+15550111", "Ola"), "2012-05-01T16:11:22.123-04:00", "one<br>two &amp; three")}${message(me, "2012-05-01T16:12:00.000-04:00", "ok", `<div><img src="${name}-2-1" alt=""></div>`)}</div><div class="tags">Labels: <a rel="tag" href="http://www.google.com/voice#inbox">Inbox</a></div></body></html>`,
      [`Voice/Calls/${name}-2-1.gif`]: "GIF89a",
    });
    expect(recordsOf(items).filter(({ partOf }) => partOf === null)).toMatchObject([
      {
        kind: "message",
        text: "one\ntwo & three",
        author: { name: "Ola", address: "+15550111" },
        time: { utc: "2012-05-01T20:11:22Z", offset: "-04:00" },
        container: { key: "google-voice:+15550111", title: "Ola" },
      },
      {
        text: "ok",
        author: { name: "Me", owner: true },
        props: { direction: "out", attachments: [{ path: `Voice/Calls/${name}-2-1.gif` }] },
      },
    ]);
  });

  it("reads calls and voicemails by their labels, in any language", async () => {
    const call = (label: string, more: string) =>
      `<div class="haudio"><span class="fn">Anruf</span><div class="contributor vcard">Anruf von <a class="tel" href="tel:+15550111"><span class="fn">Ola</span></a></div><abbr class="published" title="2011-07-14T18:02:38.000-04:00">14. Juli</abbr><br>${more}<div class="tags"><a rel="tag" href="http://www.google.com/voice#${label}">x</a></div></div>`;
    const items = await voice({
      "Calls/a - Placed - 1.html": call("placed", '<abbr class="duration" title="PT1M5S">(00:01:05)</abbr>'),
      "Calls/b - Missed - 2.html": call("missed", ""),
      "Calls/c - Voicemail - 3.html": call(
        "voicemail",
        '<span class="full-text">ring me</span><audio controls src="c - Voicemail - 3.mp3"></audio>',
      ),
      "Calls/c - Voicemail - 3.mp3": "ID3",
    });
    expect(recordsOf(items).filter(({ partOf }) => partOf === null)).toMatchObject([
      { kind: "system", author: { owner: true }, props: { duration: 65, flags: ["call"], direction: "out" } },
      { kind: "system", author: { name: "Ola" }, props: { flags: ["call", "missed"] } },
      { kind: "message", text: "ring me", props: { attachments: [{ path: "Calls/c - Voicemail - 3.mp3" }] } },
    ]);
  });
});

describe("whatever the bytes", () => {
  it("typed records come out", async () => {
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.constant(null),
      fc.array(fc.string()),
      fc.object({ maxDepth: 3 }),
    );
    const keys =
      "creator created_date text message_id topic_id attached_files annotations reactions quoted_message_metadata".split(
        " ",
      );
    const chats = fc
      .array(fc.oneof(fc.dictionary(fc.constantFrom(...keys), value), value))
      .map((list) => messages(...list));
    const eventKeys = "sender_id timestamp event_id chat_message hangout_event membership_change conversation_id".split(
      " ",
    );
    const events = fc
      .array(fc.oneof(fc.dictionary(fc.constantFrom(...eventKeys), value), value))
      .map((list) => JSON.stringify({ conversations: [{ conversation: {}, events: list }] }));
    const tags = fc.array(
      fc.constantFrom(
        '<div class="message">',
        "<q>",
        "</div>",
        '<abbr class="dt" title="x">',
        '<a class="tel" href="tel:1">',
        '<div class="haudio">',
        "a",
        '<span class="fn">',
        '<img src="x">',
        "<div class='hChatLog'>",
      ),
    );
    await fc.assert(
      fc.asyncProperty(chats, events, tags, fc.uint8Array(), async (messages, hangout, page, noise) => {
        const runs = [
          await chat({ "G/group_info.json": noise, "G/messages.json": messages }),
          await chat({ "G/group_info.json": "{}", "G/messages.json": noise }),
          await hangouts({ "Hangouts/Hangouts.json": hangout }),
          await hangouts({ "Hangouts/Hangouts.json": noise }),
          await voice({ "Calls/a.html": `<div class="hChatLog">${page.join("")}` }),
        ];
        for (const items of runs) {
          for (const record of recordsOf(items)) expect(importedRecordSchema.safeParse(record).error).toBeUndefined();
          expect(filesOf(items).length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 80 },
    );
  });
});
