import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importedRecordSchema } from "#contract";
import { matrixImporter } from "#main/importers/matrix/index.ts";
import { withoutFallback } from "#main/importers/matrix/record.ts";
import { filesOf, importAll, memoryEntry, memoryTree, readContext, recordsOf } from "#test/importers/memory-tree.ts";

type Files = Record<string, string | Uint8Array>;
const read = (files: Files) => importAll(matrixImporter, memoryTree(files));
const records = async (files: Files) => recordsOf(await read(files));

const at = 1_720_951_200_123;
const event = (event_id: string, content: object, more: object = {}) => ({
  type: "m.room.message",
  event_id,
  sender: "@ada:example.org",
  origin_server_ts: at,
  room_id: "!hut:example.org",
  content,
  ...more,
});
const said = (id: string, body: string, more: object = {}) => event(id, { msgtype: "m.text", body, ...more });
const joined = (name: string, displayname: string) =>
  event(
    `$join-${name}`,
    { membership: "join", displayname },
    { type: "m.room.member", sender: `@${name}:example.org`, state_key: `@${name}:example.org` },
  );
const room = (...messages: unknown[]) =>
  JSON.stringify({
    room_name: "Hut",
    room_creator: "Ada L",
    topic: "",
    export_date: "July 14, 2024",
    exported_by: "Ada L",
    messages,
  });
const only = async (...messages: unknown[]) =>
  (await records({ "e/export.json": room(joined("ada", "Ada L"), joined("ben", "Ben"), ...messages) })).slice(2);

describe("Element's export", () => {
  it("tells who, when and where; the one who exported is the owner", async () => {
    const [mine, theirs] = await only(said("$1", "hi"), { ...said("$2", "ho"), sender: "@ben:example.org" });
    expect(mine).toMatchObject({
      identity: "matrix:$1",
      nativeId: "$1",
      text: "hi",
      author: { name: "Ada L", address: "@ada:example.org", owner: true },
      time: { utc: "2024-07-14T10:00:00.123Z", precision: "ms" },
      container: { key: "matrix:!hut:example.org", title: "Hut" },
    });
    expect(theirs).toMatchObject({ author: { name: "Ben", owner: false }, props: { direction: "in" } });
  });

  it("links replies and threads, without the lines that repeat what is answered", async () => {
    const [reply, inThread, both] = await only(
      said("$2", "> <@ben:example.org> one\n> two\n\nyes", { "m.relates_to": { "m.in_reply_to": { event_id: "$1" } } }),
      said("$3", "a", {
        "m.relates_to": {
          rel_type: "m.thread",
          event_id: "$1",
          is_falling_back: true,
          "m.in_reply_to": { event_id: "$2" },
        },
      }),
      said("$4", "b", {
        "m.relates_to": { rel_type: "m.thread", event_id: "$1", "m.in_reply_to": { event_id: "$3" } },
      }),
    );
    expect(reply).toMatchObject({ text: "yes", replyTo: "matrix:$1", thread: null });
    expect(inThread).toMatchObject({ thread: "matrix:$1", replyTo: null });
    expect(both).toMatchObject({ thread: "matrix:$1", replyTo: "matrix:$3" });
    expect(withoutFallback("> a quote of my own")).toBe("> a quote of my own");
  });

  it("puts edits, reactions and redactions to the message that they are about", async () => {
    const list = await only(
      said("$1", "one"),
      said("$2", "gone"),
      {
        ...said("$3", "* two", {
          "m.new_content": { msgtype: "m.text", body: "two" },
          "m.relates_to": { rel_type: "m.replace", event_id: "$1" },
        }),
        origin_server_ts: at + 1000,
      },
      event(
        "$4",
        { "m.relates_to": { rel_type: "m.annotation", event_id: "$1", key: "👍" } },
        { type: "m.reaction", sender: "@ben:example.org" },
      ),
      event(
        "$5",
        { "m.relates_to": { rel_type: "m.annotation", event_id: "$1", key: "👎" } },
        { type: "m.reaction", sender: "@ben:example.org" },
      ),
      event("$6", {}, { type: "m.room.redaction", redacts: "$5" }),
      event("$7", {}, { type: "m.room.redaction", redacts: "$2" }),
      event("$8", {}, { unsigned: { redacted_because: { type: "m.room.redaction" } } }),
    );
    expect(list).toHaveLength(3);
    expect(list[0]).toMatchObject({
      text: "two",
      props: {
        flags: ["edited"],
        edits: [{ text: "one" }],
        modified: { utc: "2024-07-14T10:00:01.123Z" },
        reactions: [{ emoji: "👍", by: "Ben", count: 1 }],
      },
    });
    expect(list[0]?.props.reactions).toHaveLength(1);
    expect(list[1]).toMatchObject({ text: null, props: { flags: ["deleted"] } });
    expect(list[2]).toMatchObject({ text: null, props: { flags: ["deleted"] } });
  });

  it("reads what was decrypted, and keeps what was not as unreadable", async () => {
    const [clear, sealed, bad] = await only(
      {
        decrypted: said("$1", "clear"),
        encrypted: event("$1", { algorithm: "m.megolm.v1.aes-sha2" }, { type: "m.room.encrypted" }),
      },
      event("$2", { algorithm: "m.megolm.v1.aes-sha2" }, { type: "m.room.encrypted" }),
      event("$3", { msgtype: "m.bad.encrypted", body: "** Unable to decrypt **" }),
    );
    expect(clear?.text).toBe("clear");
    for (const record of [sealed, bad])
      expect(record).toMatchObject({ kind: "message", text: null, props: { flags: ["encrypted"] } });
  });

  it("tells notices of people and of the room in English", async () => {
    const member = (content: object, who: string, more: object = {}) =>
      event(`$${JSON.stringify(content)}${who}`, content, { type: "m.room.member", state_key: who, ...more });
    const list = await only(
      member({ membership: "invite", displayname: "Cy" }, "@cy:example.org"),
      member({ membership: "leave" }, "@ben:example.org", {
        sender: "@ben:example.org",
        unsigned: { prev_content: { membership: "join" } },
      }),
      event("$n", { name: "Hut 2" }, { type: "m.room.name", state_key: "" }),
      event("$c", { reason: "invite_timeout" }, { type: "m.call.hangup" }),
      event("$x", {}, { type: "org.example.odd" }),
    );
    expect(list.map(({ kind, text }) => [kind, text])).toEqual([
      ["system", "Ada L invited Cy"],
      ["system", "Ben left the room"],
      ["system", "Ada L changed the room name to Hut 2"],
      ["system", "Missed call from Ada L"],
    ]);
    expect(list[3]?.props.flags).toEqual(["call", "missed"]);
  });

  it("reads polls and places", async () => {
    const text = "org.matrix.msc1767.text";
    const [poll, place] = await only(
      event(
        "$1",
        {
          "org.matrix.msc3381.poll.start": {
            question: { [text]: "Where?" },
            answers: [
              { id: "a", [text]: "Sea" },
              { id: "b", [text]: "Hill" },
            ],
          },
        },
        { type: "org.matrix.msc3381.poll.start" },
      ),
      event("$2", {
        msgtype: "m.location",
        body: "Location geo:54.1,7.9",
        geo_uri: "geo:54.1,7.9;u=10",
        "org.matrix.msc3488.location": { uri: "geo:54.1,7.9", description: "Pier" },
      }),
    );
    expect(poll).toMatchObject({ kind: "message", text: "Where?\n- Sea\n- Hill", props: { flags: ["poll"] } });
    expect(place).toMatchObject({ text: null, place: { lat: 54.1, lon: 7.9, name: "Pier" } });
  });

  it("finds files by their name and date; others are missing", async () => {
    const file = (id: string, name: string, ts: number) => ({
      ...event(id, { msgtype: "m.file", body: name, info: { mimetype: "text/plain", size: 3 } }),
      origin_server_ts: ts,
    });
    const items = await read({
      "e/export.json": room(
        file("$1", "my-plan.txt", at),
        file("$2", "my-plan.txt", at + 86_400_000 * 9),
        file("$3", "gone.pdf", at),
      ),
      "e/files/my-plan-14-07-2024 at 12-00-00.txt": "one",
      "e/files/my-plan-23-07-2024 at 12-00-00.txt": "two",
    });
    const list = recordsOf(items);
    expect(list.filter(({ kind }) => kind === "document").map(({ text, partOf }) => [text, partOf?.identity])).toEqual([
      ["one", "matrix:$1"],
      ["two", "matrix:$2"],
    ]);
    expect(list.at(-1)).toMatchObject({
      text: null,
      props: { flags: ["missing-media"], attachments: [{ name: "gone.pdf", bytes: 3, missing: true }] },
    });
    expect(filesOf(items).every(({ status }) => status === "imported")).toBe(true);
  });

  it("keeps what stands before a break, and goes on after a cursor", async () => {
    const broken = await read({ "e/export.json": room(said("$1", "a"), 7, said("$2", "b")).slice(0, -12) });
    expect(recordsOf(broken).map(({ text }) => text)).toEqual(["a"]);
    const tree = memoryTree({ "e/export.json": room(said("$1", "a"), said("$2", "b")) });
    const [claim] = await Array.fromAsync(matrixImporter.recognise(tree));
    if (claim === undefined) throw new Error("not recognised");
    const rest = await Array.fromAsync(matrixImporter.read(claim, readContext(tree, { resume: 1 })));
    expect(recordsOf(rest).map(({ text }) => text)).toEqual(["b"]);
  });

  it("in other forms is declined with what to do", async () => {
    const items = await read({
      "e/messages.html": '<html><body class="mx_MatrixChat_wrapper">',
      "e/css/style.css": "x",
    });
    expect(filesOf(items)).toMatchObject([
      { status: "skipped", reason: expect.stringContaining("JSON") },
      { status: "skipped" },
    ]);
  });
});

describe("whatever is in the file", () => {
  const check = async (text: string | Uint8Array) => {
    const items = await importAll(matrixImporter, memoryTree([memoryEntry("e/export.json", text, 39)]));
    for (const record of recordsOf(items)) importedRecordSchema.parse(record);
  };

  it("gives records or a refusal: odd fields", async () => {
    const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom("$1", at, -1, 1e300, "m.image", "geo:1,2"));
    const content = fc.dictionary(
      fc.constantFrom(
        "msgtype",
        "body",
        "info",
        "m.relates_to",
        "m.new_content",
        "m.poll",
        "geo_uri",
        "membership",
        "displayname",
        "filename",
      ),
      value,
    );
    const odd = fc
      .tuple(
        content,
        fc.dictionary(
          fc.constantFrom("type", "event_id", "sender", "origin_server_ts", "unsigned", "state_key", "redacts"),
          value,
        ),
      )
      .map(([inner, more]) => ({ ...event("$1", inner), ...more }));
    await fc.assert(
      fc.asyncProperty(fc.array(odd, { maxLength: 3 }), (messages) => check(room(...messages))),
      { numRuns: 200 },
    );
  });

  it("gives records or a refusal: bytes in the middle", async () => {
    const whole = new TextEncoder().encode(room(said("$1", "a"), joined("ben", "Ben")));
    await fc.assert(
      fc.asyncProperty(fc.nat(700), fc.nat(40), fc.uint8Array({ maxLength: 30 }), (from, cut, bytes) =>
        check(new Uint8Array([...whole.subarray(0, from), ...bytes, ...whole.subarray(from + cut)])),
      ),
      { numRuns: 150 },
    );
  });
});
