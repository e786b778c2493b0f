import { describe, expect, it } from "vitest";
import { telegramImporter } from "#main/importers/telegram/index.ts";
import { filesOf, importAll, memoryTree, recordsOf } from "#test/importers/memory-tree.ts";
import { block, chat, from, page, said, sent } from "./exports.ts";

type Files = Record<string, string | Uint8Array>;
const read = (files: Files) => importAll(telegramImporter, memoryTree(files));
const records = async (files: Files) => recordsOf(await read(files));

describe("pages of HTML", () => {
  it("reads them in the order of their numbers; a sender holds over the border of a page", async () => {
    const rest = Object.fromEntries([2, 10].map((n) => [`c/messages${n}.html`, page(block(n, said(`${n}`), n === 2))]));
    const list = await records({
      ...rest,
      "c/messages.html": page(block(1, from("Ada &amp; Co") + said("one<br>two <b>x</b>"))),
    });
    expect(list.map(({ text }) => text)).toEqual(["one\ntwo x", "2", "10"]);
    expect(list[1]).toMatchObject({
      nativeId: "2",
      author: { name: "Ada & Co", address: null },
      time: { utc: "2024-07-14T10:00:00Z", offset: "+02:00" },
    });
  });

  it("reads notices, replies, forwards, media, polls, reactions, calls and places", async () => {
    const media = (kind: string, href: string, inner: string) =>
      `<div class="media_wrap clearfix"><a class="media clearfix pull_left block_link ${kind}" href="${href}"><div class="fill"></div><div class="body">${inner}</div></a></div>`;
    const html =
      `<div class="message service" id="message-1"><div class="body details">\n14 July 2024\n</div></div>` +
      `<div class="message service" id="message3"><div class="body details">Ada created group &laquo;Hut&raquo;</div></div>` +
      block(
        4,
        `${from("Ada")}<div class="reply_to details">In reply to <a href="messages2.html#go_to_message2" onclick="return GoToMessage(2)">this message</a></div>${said(`<a href="https://example.org">here</a>`)}`,
      ) +
      block(
        5,
        `<div class="forwarded body"><div class="from_name">News<span class="date details" title="01.01.2020 00:00:00"> 01.01.2020</span></div>${said("forwarded words")}</div>`,
        true,
      ) +
      block(
        6,
        from("Ben") +
          media(
            "media_voice_message",
            "voice_messages/audio_1.ogg",
            `<div class="title bold">Voice message</div><div class="status details">01:05</div>`,
          ),
      ) +
      block(
        7,
        from("Ben") +
          media(
            "media_location",
            "https://maps.google.com/maps?q=54.1,7.9&amp;z=16",
            `<div class="title bold">Location</div><div class="status details">54.1, 7.9</div>`,
          ),
      ) +
      block(
        8,
        `${from("Ben")}<div class="media_wrap clearfix"><div class="media_poll"><div class="question bold">Where?</div><div class="details">Anonymous poll</div><div class="answer">- Sea <span class="details">2 votes</span></div><div class="total details">2 votes</div></div></div>`,
      ) +
      block(
        9,
        `${from("Ben")}<div class="media_wrap clearfix"><div class="media clearfix pull_left media_call success"><div class="body"><div class="title bold">Ada</div><div class="status details">Outgoing (61 seconds)</div></div></div></div>`,
      ) +
      block(
        10,
        `${from("Deleted Account")}${said("x")}<span class="reactions"><span class="reaction"><span class="emoji">👍</span><span class="userpics"><div class="userpic"><div class="initials" title="Cy">C</div></div></span></span></span>`,
      );
    const items = await read({ "c/messages.html": page(html), "c/voice_messages/audio_1.ogg": "OggS" });
    const list = recordsOf(items).filter(({ partOf }) => partOf === null);
    expect(list.map(({ kind, text }) => [kind, text])).toEqual([
      ["system", "Ada created group «Hut»"],
      ["message", "here"],
      ["message", "forwarded words"],
      ["message", null],
      ["message", null],
      ["message", "Where?\n- Sea"],
      ["system", "Call from Ben (61 seconds)"],
      ["message", "x"],
    ]);
    const [notice, reply, forward, voice, place, , call, last] = list;
    expect(notice?.time).toMatchObject({ local: "2024-07-14", precision: "day" });
    expect(reply).toMatchObject({ replyTo: "telegram:title/hut/2", props: { links: ["https://example.org"] } });
    expect(forward).toMatchObject({
      author: { name: "Ada" },
      props: { forwardedFrom: "News" },
      time: { local: "2024-07-14T12:00:00" },
    });
    expect(voice?.props).toMatchObject({ duration: 65, attachments: [{ name: "audio_1.ogg", missing: false }] });
    expect(place?.place).toMatchObject({ lat: 54.1, lon: 7.9 });
    expect(call?.props).toMatchObject({ duration: 61, flags: ["call"] });
    expect(last).toMatchObject({ author: null, props: { reactions: [{ emoji: "👍", by: "Cy", count: 1 }] } });
  });

  it("are the same messages as in a JSON export of the chat, and give way to one beside them", async () => {
    const json = chat([sent(5)]);
    const html = page(block(5, from("Ada") + said("hi")));
    const apart = await records({ "a/result.json": json, "b/messages.html": html });
    expect(apart.map(({ identity, text }) => [identity, text])).toEqual([
      ["telegram:channel77/5", "hi"],
      ["telegram:channel77/5", "hi"],
    ]);
    const beside = await read({
      "a/result.json": json,
      "a/messages.html": html,
      "a/messages2.html": html,
      "a/css/style.css": "x",
    });
    expect(recordsOf(beside)).toHaveLength(1);
    expect(filesOf(beside).filter(({ path }) => path.endsWith(".html"))).toMatchObject([
      { status: "skipped", reason: "The JSON export beside it has the same messages." },
      { status: "skipped" },
    ]);
  });

  it("of before 2022 tell no offset", async () => {
    const [record] = await records({
      "messages.html": page(block(1, from("Ada") + said("x"), false, "14.07.2024 12:00:00")),
    });
    expect(record?.time).toMatchObject({ utc: null, local: "2024-07-14T12:00:00" });
  });
});
