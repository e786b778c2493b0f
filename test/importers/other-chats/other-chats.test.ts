import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importedRecordSchema } from "#contract";
import { declinedChatsImporter, lineImporter, skypeImporter } from "#main/importers/other-chats/index.ts";
import { readLineDate } from "#main/importers/other-chats/line-text.ts";
import { filesOf, importAll, memoryTree, recordsOf } from "#test/importers/memory-tree.ts";

const skype = async (files: Record<string, string | Uint8Array>) => importAll(skypeImporter, memoryTree(files));
const line = async (text: string | Uint8Array) =>
  importAll(lineImporter, memoryTree({ "[LINE] Chat with Yui.txt": text }));
const exported = (...messages: unknown[]) =>
  JSON.stringify({
    userId: "8:ada",
    exportDate: "x",
    conversations: [{ id: "8:live:bo", displayName: "Bo B", MessageList: messages }],
  });
const said = (id: string, content: string, more = {}) => ({
  id,
  originalarrivaltime: "2019-03-04T05:06:07.89Z",
  messagetype: "RichText",
  content,
  from: "8:live:bo",
  ...more,
});

describe("Skype", () => {
  it("reads texts, quotes, files, calls, edits and reactions", async () => {
    const items = await skype({
      "messages.json": exported(
        said(
          "5",
          '<quote author="ada" messageid="1"><legacyquote>[1] ada: </legacyquote>first<legacyquote>\n\n&lt;&lt;&lt; </legacyquote></quote>second <ss type="smile">:)</ss> &amp; <a href="https://example.org">here</a>',
        ),
        said("4", '<URIObject uri="https://api.example/o"><Title/>Open<OriginalName v="a.gif"/></URIObject>', {
          messagetype: "RichText/UriObject",
          amsreferences: ["0-w-1"],
        }),
        said(
          "3",
          '<partlist type="ended"><part identity="ada"><name>Ada</name><duration>65</duration></part></partlist>',
          { messagetype: "Event/Call" },
        ),
        said("2", "new<e_m a='b'></e_m>", {
          from: "8:ada",
          properties: { emotions: [{ key: "heart", users: [{ mri: "8:live:bo" }] }] },
        }),
        said("1", "a < b &amp; c", { messagetype: "Text" }),
        7,
      ),
      "media/0-w-1.1.gif": "GIF89a",
    });
    expect(recordsOf(items).filter(({ partOf }) => partOf === null)).toMatchObject([
      {
        identity: "skype:8:live:bo/5",
        text: "> first\nsecond :) & here",
        replyTo: "skype:8:live:bo/1",
        props: { links: ["https://example.org"] },
        author: { name: "Bo B", address: "live:bo" },
        time: { utc: "2019-03-04T05:06:07.890Z" },
      },
      { kind: "message", text: null, props: { attachments: [{ name: "a.gif", path: "media/0-w-1.1.gif" }] } },
      { kind: "system", props: { flags: ["call"], duration: 65 } },
      {
        text: "new",
        author: { owner: true },
        props: { flags: ["edited"], reactions: [{ emoji: "heart", by: "Bo B" }] },
      },
      { text: "a < b &amp; c" },
    ]);
    expect(filesOf(items).map(({ status, skipped }) => [status, skipped])).toEqual([
      ["imported", 1],
      ["imported", 0],
    ]);
  });
});

describe("LINE", () => {
  it("reads dates, names, notices and messages of several lines", async () => {
    const items = await line(
      '[LINE] Chat history with Yui\r\nSaved on: 2023/04/06 10:00\r\n\r\n2023/04/05(水)\r\n09:05\tYui\thello\r\n21:06\tKen\t"one\r\ntwo ""x"""\r\n21:07\tYui joined.\r\nThu, 04/06/2023\r\n上午 08:00\tKen\t[Photo]\r\n',
    );
    expect(recordsOf(items)).toMatchObject([
      {
        text: "hello",
        author: { name: "Yui" },
        time: { local: "2023-04-05T09:05", utc: null },
        container: { key: "line:yui" },
      },
      { text: 'one\ntwo "x"', author: { name: "Ken" } },
      { kind: "system", text: "Yui joined." },
      { text: null, time: { local: "2023-04-06T08:00" }, props: { flags: ["missing-media"] } },
    ]);
  });

  it("takes a date only when it is certain", () => {
    expect(readLineDate("Wed, 04/05/2023")).toEqual({ year: 2023, month: 4, day: 5 });
    expect(readLineDate("Thu, 04/05/2023")).toEqual({ year: 2023, month: 5, day: 4 });
    expect(readLineDate("04/05/2023")).toBeNull();
    expect(readLineDate("2023.04.05 Wednesday")).toEqual({ year: 2023, month: 4, day: 5 });
  });
});

describe("others", () => {
  it("are named and declined", async () => {
    const items = await importAll(
      declinedChatsImporter,
      memoryTree({
        "KakaoTalk_1.txt": "KakaoTalk Chats with Min\nDate Saved : x",
        "EnMicroMsg.db": "x",
        "notes.txt": "We met at noon.",
      }),
    );
    expect(filesOf(items).map(({ path, status }) => [path, status])).toEqual([
      ["EnMicroMsg.db", "skipped"],
      ["KakaoTalk_1.txt", "skipped"],
    ]);
  });

  it("give typed records or an end, whatever the bytes", async () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.object({ maxDepth: 2 }));
    const keys = "id originalarrivaltime messagetype content from properties amsreferences displayName".split(" ");
    const json = fc
      .array(fc.oneof(fc.dictionary(fc.constantFrom(...keys), value), value))
      .map((list) => exported(...list));
    const markup = fc.array(
      fc.constantFrom(
        "<quote>",
        "</quote>",
        "<partlist type='x'>",
        "<target>",
        "&amp;",
        "a",
        "<URIObject uri='http://x'>",
        "<e_m/>",
      ),
    );
    const lines = fc
      .array(fc.constantFrom("2023/04/05(水)", "09:05\tA\tx", "09:05\tx", '21:06\tB\t"', "", "y"))
      .map((list) => `[LINE] x\n2023/04/05\n${list.join("\n")}`);
    await fc.assert(
      fc.asyncProperty(json, markup, lines, fc.uint8Array(), async (skypeJson, parts, text, noise) => {
        const runs = [
          await skype({ "messages.json": skypeJson }),
          await skype({ "messages.json": exported(said("1", parts.join(""))) }),
          await line(text),
          await line(Buffer.concat([Buffer.from("[LINE] x\n2023/04/05\n"), noise])),
        ];
        for (const items of runs) {
          for (const record of recordsOf(items)) expect(importedRecordSchema.safeParse(record).error).toBeUndefined();
          expect(filesOf(items)).toHaveLength(1);
        }
      }),
      { numRuns: 100 },
    );
  });
});
