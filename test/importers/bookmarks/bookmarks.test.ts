import Driver from "better-sqlite3-multiple-ciphers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importedRecordSchema } from "#contract";
import { bookmarksImporter } from "#main/importers/bookmarks/index.ts";
import { filesOf, importAll, memoryTree, recordsOf } from "#test/importers/memory-tree.ts";

const read = async (files: Record<string, string | Uint8Array>) => importAll(bookmarksImporter, memoryTree(files));
const netscape = (body: string) =>
  `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<META charset=UTF-8>\n<DL><p>\n${body}\n</DL><p>`;

describe("bookmarks", () => {
  it("are read from the file that every browser writes", async () => {
    const [mill, lake] = recordsOf(
      await read({
        "bookmarks.html": netscape(
          '<DT><H3 ADD_DATE="1">Trips &amp; more</H3><DL><p><DT><A HREF="https://example.org/mill?a=1&amp;b=2" ADD_DATE="1700000000" TAGS="old,stone">The mill</A><DD>by the river\n</DL><p><DT><A HREF="https://example.org/lake">Lake</A><DT><A HREF="javascript:x()">no</A>',
        ),
      }),
    );
    expect(mill).toMatchObject({
      kind: "note",
      subject: "The mill",
      text: "by the river",
      time: { utc: "2023-11-14T22:13:20Z" },
      props: { links: ["https://example.org/mill?a=1&b=2"], labels: ["Trips & more", "old", "stone"] },
    });
    expect(lake).toMatchObject({ subject: "Lake", time: null });
    expect(lake?.props.labels).toBeUndefined();
  });

  it("are read from Firefox's and Chrome's JSON", async () => {
    const firefox = {
      title: "",
      root: "placesRoot",
      type: "text/x-moz-place-container",
      children: [
        { title: "menu", children: [{ title: "Mill", uri: "https://example.org/", dateAdded: 1_700_000_000_000_000 }] },
      ],
    };
    const chrome = {
      roots: {
        bookmark_bar: {
          name: "Bar",
          children: [{ name: "Mill", type: "url", url: "https://example.org/", date_added: "13344473600000000" }],
        },
      },
      version: 1,
    };
    for (const [name, value] of [
      ["f.json", firefox],
      ["Bookmarks", chrome],
    ] as const) {
      const [mill, ...rest] = recordsOf(await read({ [name]: JSON.stringify(value) }));
      expect(rest).toEqual([]);
      expect(mill).toMatchObject({ subject: "Mill", time: { utc: "2023-11-14T22:13:20Z" } });
    }
  });
});

describe("histories", () => {
  it("have one record a page and day", async () => {
    const at = 1_700_000_000_000_000;
    const visit = (url: string, usec: number) => ({ url, title: "T", time_usec: usec, page_transition: "LINK" });
    const items = await read({
      "BrowserHistory.json": JSON.stringify({
        "Browser History": [
          visit("https://a.example/", at + 60e6),
          visit("https://a.example/", at),
          visit("https://a.example/", at + 86_400e6),
          visit("chrome://newtab", at),
          { x: 1 },
        ],
      }),
    });
    const found = recordsOf(items);
    expect(found.map(({ kind, time, end, props }) => [kind, time?.utc, end?.utc, props.extra?.visits])).toEqual([
      ["document", "2023-11-14T22:13:20Z", "2023-11-14T22:14:20Z", 2],
      ["document", "2023-11-15T22:13:20Z", undefined, undefined],
    ]);
    expect(filesOf(items)[0]).toMatchObject({ status: "imported", skipped: 2 });
  });

  it.each([
    [
      "History",
      "CREATE TABLE urls(id INTEGER PRIMARY KEY, url TEXT, title TEXT); CREATE TABLE visits(id INTEGER PRIMARY KEY, url INTEGER, visit_time INTEGER); INSERT INTO urls VALUES(1,'https://a.example/','A'); INSERT INTO visits VALUES(1,1,13344473600000000)",
    ],
    [
      "places.sqlite",
      "CREATE TABLE moz_places(id INTEGER PRIMARY KEY, url TEXT, title TEXT); CREATE TABLE moz_historyvisits(id INTEGER PRIMARY KEY, place_id INTEGER, visit_date INTEGER); INSERT INTO moz_places VALUES(1,'https://a.example/','A'); INSERT INTO moz_historyvisits VALUES(1,1,1700000000000000)",
    ],
    [
      "History.db",
      "CREATE TABLE history_items(id INTEGER PRIMARY KEY, url TEXT); CREATE TABLE history_visits(id INTEGER PRIMARY KEY, history_item INTEGER, visit_time REAL, title TEXT); INSERT INTO history_items VALUES(1,'https://a.example/'); INSERT INTO history_visits VALUES(1,1,721692800.0,'A')",
    ],
  ])("are read from a browser's own database %s", async (name, sql) => {
    const database = new Driver(":memory:");
    database.exec(sql);
    const bytes = new Uint8Array(database.serialize());
    database.close();
    const [page, ...rest] = recordsOf(await read({ [name]: bytes }));
    expect(rest).toEqual([]);
    expect(page).toMatchObject({
      subject: "A",
      time: { utc: "2023-11-14T22:13:20Z" },
      props: { links: ["https://a.example/"] },
    });
  });

  it("that are broken are told of", async () => {
    const [end] = filesOf(
      await read({ History: new Uint8Array(Buffer.from(`SQLite format 3\0${"x".repeat(2_000)}`)) }),
    );
    expect(end).toMatchObject({ status: "failed" });
  });

  it("give records or a reason for anything", async () => {
    const words = fc.constantFrom(
      "<DL>",
      "</DL>",
      "<H3>",
      "</H3>",
      '<A HREF="https://x.example/" ADD_DATE="9999999999999999999">',
      "<DD>",
      "&#9999999999;",
      '"children":[',
      "{",
      "}",
      "<A ",
    );
    const shell = fc.constantFrom(
      "<!DOCTYPE NETSCAPE-Bookmark-file-1>",
      '{"Browser History":[{"url":"https://x.example/","time_usec":-1},',
      '{"roots":{"bookmark_bar":',
    );
    await fc.assert(
      fc.asyncProperty(shell, fc.array(fc.oneof(words, fc.string()), { maxLength: 25 }), async (start, parts) => {
        const items = await read({ Bookmarks: start + parts.join("") });
        for (const record of recordsOf(items)) expect(importedRecordSchema.safeParse(record).success).toBe(true);
        expect(filesOf(items)).toHaveLength(1);
      }),
      { numRuns: 200 },
    );
    for (const text of [
      netscape("<DL>".repeat(100_000)),
      netscape("<A ".repeat(100_000)),
      `{"roots":{"bookmark_bar":${'{"children":['.repeat(20_000)}`,
    ]) {
      expect(filesOf(await read({ Bookmarks: text }))).toHaveLength(1);
    }
  });
});
