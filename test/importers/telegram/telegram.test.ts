import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importedRecordSchema } from "#contract";
import { telegramImporter } from "#main/importers/telegram/index.ts";
import { filesOf, importAll, memoryEntry, memoryTree, readContext, recordsOf } from "#test/importers/memory-tree.ts";
import { block, chat, from, page, said, sent, unix } from "./exports.ts";

type Files = Record<string, string | Uint8Array>;
const read = (files: Files) => importAll(telegramImporter, memoryTree(files));
const records = async (files: Files) => recordsOf(await read(files));

const one = async (more: object, header: object = {}) =>
  (await records({ "ChatExport_1/result.json": chat([sent(5, more)], header) }))[0];

describe("result.json", () => {
  it("tells who, when and where by ids; the offset of the exporting computer by its clock", async () => {
    expect(await one({})).toMatchObject({
      identity: "telegram:channel77/5",
      nativeId: "5",
      sequence: 5,
      text: "hi",
      author: { name: "Ada", address: "user11" },
      time: { utc: "2024-07-14T10:00:00Z", local: "2024-07-14T12:00:00", offset: "+02:00" },
      container: { key: "telegram:channel77", title: "Hut" },
    });
  });

  it("keeps the wall clock of exports that have no other, and reads their bare ids", async () => {
    const old = sent(5, { date_unixtime: undefined, from_id: 4_294_967_306 - 2 ** 32 });
    const [record] = await records({
      "r.json": JSON.stringify({ name: "Ben", type: "personal_chat", id: 2 ** 32 + 10, messages: [old] }),
    });
    expect(record).toMatchObject({
      identity: "telegram:user10/5",
      author: { address: "user10", owner: false },
      time: { utc: null, local: "2024-07-14T12:00:00" },
    });
  });

  it("joins the parts of a text and keeps the links that it does not show", async () => {
    const text = [
      "see ",
      { type: "text_link", text: "this", href: "https://example.org/a" },
      { type: "bold", text: "!" },
    ];
    expect(await one({ text })).toMatchObject({ text: "see this!", props: { links: ["https://example.org/a"] } });
    expect((await one({ text: ["wrong"], text_entities: [{ type: "plain", text: "right" }] }))?.text).toBe("right");
  });

  it("tells replies, forwards, edits and reactions", async () => {
    const record = await one({
      reply_to_message_id: 3,
      forwarded_from: null,
      edited_unixtime: String(unix + 60),
      reactions: [
        { type: "emoji", emoji: "🔥", count: 3, recent: [{ from: "Ben", from_id: "user12" }] },
        { type: "custom_emoji", document_id: "stickers/x.webp", count: 1 },
      ],
    });
    expect(record?.replyTo).toBe("telegram:channel77/3");
    expect(record?.props).toMatchObject({
      flags: ["edited", "forwarded"],
      modified: { utc: "2024-07-14T10:01:00Z" },
      reactions: [
        { emoji: "🔥", by: "Ben", count: 1 },
        { emoji: "🔥", by: null, count: 2 },
        { emoji: "custom emoji", by: null, count: 1 },
      ],
    });
  });

  it("takes what belongs to a topic for its thread, not for an answer", async () => {
    const made = {
      ...sent(2),
      type: "service",
      action: "topic_created",
      title: "Trips",
      actor: "Ada",
      actor_id: "user11",
    };
    const [, inTopic, answer] = await records({
      "ChatExport_1/result.json": chat([
        made,
        sent(3, { reply_to_message_id: 2 }),
        sent(4, { reply_to_message_id: 3 }),
      ]),
    });
    expect(inTopic).toMatchObject({ thread: "telegram:channel77/2", replyTo: null });
    expect(answer).toMatchObject({ thread: null, replyTo: "telegram:channel77/3" });
  });

  it("reads polls, places, cards and stickers without words of the application", async () => {
    const poll = {
      question: "Where?",
      closed: true,
      total_voters: 2,
      answers: [{ text: "Sea", voters: 2, chosen: true }],
    };
    expect(await one({ text: "", poll })).toMatchObject({ text: "Where?\n- Sea", props: { flags: ["poll"] } });
    expect(
      await one({
        text: "",
        place_name: "Pier",
        address: "Quay 1",
        location_information: { latitude: 54.1, longitude: 7.9 },
      }),
    ).toMatchObject({ text: null, place: { lat: 54.1, lon: 7.9, name: "Pier, Quay 1" } });
    expect(
      (await one({ text: "", contact_information: { first_name: "Cy", last_name: "", phone_number: "+49 1" } }))?.text,
    ).toBe("Cy\n+49 1");
    expect(
      await one({
        text: "",
        file: "(File not included. Change data exporting settings to download.)",
        media_type: "sticker",
        sticker_emoji: "🦆",
      }),
    ).toMatchObject({ text: null, props: { extra: { sticker: "🦆" }, attachments: [{ missing: true, name: null }] } });
  });

  it("attaches files that are there once, and names those that are not", async () => {
    const items = await read({
      "ChatExport_1/result.json": chat([
        sent(1, { file: "files/plan.txt", file_name: "plan.txt", mime_type: "text/plain" }),
        sent(2, {
          file: "(File exceeds maximum size. Change data exporting settings to download.)",
          file_name: "film.mp4",
          file_size: 9,
          mime_type: "video/mp4",
        }),
        sent(3, { photo: "../../secret.jpg" }),
      ]),
      "ChatExport_1/files/plan.txt": "the plan",
      "ChatExport_1/files/plan.txt_thumb.jpg": "x",
      "secret.jpg": "x",
    });
    const [plan, part, film, odd] = recordsOf(items);
    expect(plan?.props.attachments).toMatchObject([{ name: "plan.txt", missing: false }]);
    expect(part).toMatchObject({ kind: "document", text: "the plan", partOf: { identity: plan?.identity } });
    expect(film?.props.attachments).toMatchObject([{ name: "film.mp4", bytes: 9, mime: "video/mp4", missing: true }]);
    expect(odd?.props.attachments).toMatchObject([{ missing: true, path: null }]);
    expect(filesOf(items).map(({ path, status }) => `${path} ${status}`)).toEqual([
      "ChatExport_1/result.json imported",
      "ChatExport_1/files/plan.txt imported",
      "ChatExport_1/files/plan.txt_thumb.jpg skipped",
    ]);
  });

  it("tells notices in English, calls with their length, and unknown ones by their name", async () => {
    const notice = async (more: object) => {
      const record = await one({ type: "service", actor: "Ada", actor_id: "user11", text: "", ...more });
      return [record?.kind, record?.text, record?.props.flags ?? [], record?.props.duration ?? null];
    };
    expect(await notice({ action: "create_group", title: "Hut", members: ["Ada", null] })).toEqual([
      "system",
      "Ada created group «Hut» with members Ada and Deleted Account",
      [],
      null,
    ]);
    expect(await notice({ action: "phone_call", duration_seconds: 61, discard_reason: "hangup" })).toEqual([
      "system",
      "Call from Ada (61 seconds)",
      ["call"],
      61,
    ]);
    expect(await notice({ action: "phone_call", discard_reason: "missed" })).toEqual([
      "system",
      "Missed call from Ada",
      ["call", "missed"],
      null,
    ]);
    expect((await notice({ action: "set_messages_ttl", period: 604_800 }))[1]).toBe(
      "Ada has set messages to auto-delete in 7 days",
    );
    expect((await notice({ action: "sent_a_comet", title: "Halley" }))[1]).toBe("Ada: sent a comet «Halley»");
  });

  it("knows the owner of an account, and in a chat of two by who is not the other", async () => {
    const mine = await one({ from: "Me", from_id: "user1" }, { name: "Ada", type: "personal_chat", id: 11 });
    expect(mine).toMatchObject({
      author: { owner: true },
      participants: [{ name: "Ada", address: "user11" }],
      props: { direction: "out" },
    });
    const account = JSON.stringify({
      about: "all",
      personal_information: { user_id: 11 },
      contacts: { list: [{ user_id: 12, first_name: "Ben", last_name: "B", phone_number: "+49 30 1" }] },
      chats: { about: "x", list: [{ name: "Hut", type: "private_group", id: 7, messages: [sent(1)] }] },
      left_chats: { list: [{ type: "saved_messages", id: 11, messages: [sent(1)] }] },
    });
    const [contact, here, saved] = await records({ "DataExport_1/result.json": account });
    expect(contact).toMatchObject({
      kind: "contact",
      subject: "Ben B",
      props: { contact: { phones: [{ value: "+49301" }] } },
    });
    expect(here).toMatchObject({ identity: "telegram:chat7/1", author: { owner: true } });
    expect(saved).toMatchObject({
      identity: "telegram:user11/1",
      container: { title: "Saved Messages" },
      author: { owner: true },
    });
  });

  it("finds the chat where its name stands behind the messages", async () => {
    const late = JSON.stringify({ messages: [sent(1), sent(2)], name: "Hut", type: "private_group", id: 7 });
    expect((await records({ "r.json": late })).map(({ identity }) => identity)).toEqual([
      "telegram:chat7/1",
      "telegram:chat7/2",
    ]);
  });

  it("keeps what stands before a break, counts what is no message, and reads Telegram's own escapes", async () => {
    const text = chat([sent(1, { text: "a~b" }), sent(2), 7, { id: 3, type: "unsupported" }, sent(4)]).replace(
      "~",
      "\\x1F\\\\x",
    );
    const broken = await read({ "ChatExport_1/result.json": text.slice(0, -2) });
    expect(recordsOf(broken).map((record) => record.text)).toEqual(["a\u001fb".replace("b", "\\xb"), "hi", "hi"]);
    expect(filesOf(broken)[0]).toMatchObject({ status: "imported", skipped: 2 });
  });

  it("goes on after a cursor", async () => {
    const tree = memoryTree({ "ChatExport_1/result.json": chat([sent(1), sent(2), sent(3)]) });
    const [claim] = await Array.fromAsync(telegramImporter.recognise(tree));
    if (claim === undefined) throw new Error("not recognised");
    const all = await Array.fromAsync(telegramImporter.read(claim, readContext(tree)));
    const cursor = all[0]?.type === "record" ? all[0].cursor : null;
    const rest = await Array.fromAsync(telegramImporter.read(claim, readContext(tree, { resume: cursor })));
    expect(recordsOf(rest)).toEqual(recordsOf(all).slice(1));
  });
});

describe("whatever is in the file", () => {
  const check = async (files: Files) => {
    const items = await importAll(
      telegramImporter,
      memoryTree(Object.entries(files).map(([path, bytes]) => memoryEntry(path, bytes, 37))),
    );
    for (const record of recordsOf(items)) importedRecordSchema.parse(record);
    const ends = filesOf(items).map(({ path }) => path);
    expect(new Set(ends).size).toBe(ends.length);
  };

  it("gives records or a refusal: JSON of odd fields", async () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom("2024-07-14T12:00:00", -1, 1e300, "photos/a.jpg", "user1"),
    );
    const keys = Object.keys(sent(1)).concat(
      "action",
      "poll",
      "photo",
      "file",
      "members",
      "reactions",
      "location_information",
      "text_entities",
      "edited_unixtime",
      "reply_to_message_id",
      "duration_seconds",
      "contact_information",
    );
    const message = fc.dictionary(fc.constantFrom(...keys), value).map((more) => sent(1, more));
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { maxLength: 4 }),
        fc.dictionary(fc.constantFrom("name", "type", "id"), value),
        (messages, header) => check({ "ChatExport_1/result.json": chat(messages, header) }),
      ),
      { numRuns: 150 },
    );
  });

  it("gives records or a refusal: bytes in the middle of both forms", async () => {
    const whole = [chat([sent(1), sent(2)]), page(block(1, from("Ada") + said("x")) + block(2, said("y"), true))];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(0, 1),
        fc.nat(900),
        fc.nat(40),
        fc.uint8Array({ maxLength: 30 }),
        (form, at, cut, bytes) => {
          const text = new TextEncoder().encode(whole[form] ?? "");
          const mixed = new Uint8Array([...text.subarray(0, at), ...bytes, ...text.subarray(at + cut)]);
          return check({ [form === 0 ? "result.json" : "messages.html"]: mixed });
        },
      ),
      { numRuns: 200 },
    );
  });
});
