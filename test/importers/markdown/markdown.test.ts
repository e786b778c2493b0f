import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importedRecordSchema } from "#contract";
import { splitFrontMatter, timeOfName, timeOfText } from "#main/importers/markdown/front-matter.ts";
import { markdownImporter } from "#main/importers/markdown/index.ts";
import { linksOf, tagsOf } from "#main/importers/markdown/links.ts";
import { filesOf, importAll, memoryTree, recordsOf } from "#test/importers/memory-tree.ts";

const read = async (files: Record<string, string | Uint8Array>) => importAll(markdownImporter, memoryTree(files));
const notes = async (files: Record<string, string | Uint8Array>) => recordsOf(await read(files));
const ends = async (files: Record<string, string | Uint8Array>) =>
  Object.fromEntries(filesOf(await read(files)).map(({ path, status }) => [path, status]));

describe("front matter", () => {
  it("gives title, dates, tags, id and place, and leaves the body", async () => {
    const text =
      '---\ntitle: "Ridge: walk"\ncreated: 2024-03-05T10:11:12+02:00\ntags: [hike, alps]\naliases: Grat\nid: 20240305101112\nlatitude: 47.1\nlongitude: 8.2\n---\n\nUp and #down\n';
    const [note] = await notes({ "v/x.md": text });
    expect(note).toMatchObject({
      identity: "note:id:20240305101112",
      kind: "note",
      subject: "Ridge: walk",
      text: "\nUp and #down",
      time: { utc: "2024-03-05T08:11:12Z", offset: "+02:00", source: "front-matter" },
      place: { lat: 47.1, lon: 8.2 },
      container: { title: "v" },
      props: { labels: ["hike", "alps", "down"], extra: { aliases: ["Grat"] } },
    });
  });

  it("that is none stays text, and nothing in it is believed", async () => {
    const [note] = await notes({ "x.md": '---\ntitle: "open\ndate: 2024-02-30\ntags: [a, b\n---\nstill text' });
    expect(note).toMatchObject({ subject: "x", time: null, props: { flags: ["header-unreadable"] } });
    expect(note?.text).toContain('title: "open');
    expect((await notes({ "y.md": "---\njust a rule above" }))[0]?.props.flags).toBeUndefined();
    expect((await notes({ "z.md": "---\ndate: 2024-02-30\n---\nx" }))[0]?.time).toBeNull();
  });

  it("sets off no bomb", () => {
    const bomb = [
      "a: &a [x,x,x,x,x,x,x,x,x]",
      ..."bcdefghi".split("").map((name, at) => `${name}: &${name} [${`*${"abcdefgh"[at]},`.repeat(9)}]`),
    ].join("\n");
    expect(splitFrontMatter(`---\n${bomb}\n---\nx`).broken).toBe(true);
    expect(splitFrontMatter(`---\n${"[".repeat(20_000)}\n---\nx`).broken).toBe(true);
  });

  it.each([
    ["2024-03-05", "2024-03-05", "day"],
    ["2024/3/5 7:08", "2024-03-05T07:08", "minute"],
    ["2024-13-05", null, null],
    ["5 March", null, null],
  ])("date %s", (text, local, precision) => {
    expect([timeOfText(text, "x")?.local ?? null, timeOfText(text, "x")?.precision ?? null]).toEqual([
      local,
      precision,
    ]);
  });

  it("a daily note has its day in its name", () => {
    expect(
      ["2024-03-05", "2024_03_05", "20240305", "2024-03-05 Tuesday"].map((name) => timeOfName(name)?.local),
    ).toEqual(Array(4).fill("2024-03-05"));
    expect([timeOfName("2024-03-055"), timeOfName("12345678"), timeOfName("2024-03_05")]).toEqual([null, null, null]);
  });
});

describe("links and tags", () => {
  it("are read as applications write them, not in code", () => {
    const text =
      '[[Note#Part|shown]] ![[a b.png|200]] ![x](img/a%20b.jpg "title") [p](<my file.pdf>) [w](https://example.org) `[[no]]`\n```\n[[no]] #no\n```\n![](:/0123456789abcdef0123456789abcdef)';
    expect(linksOf(text)).toEqual([
      { target: "Note", embed: false },
      { target: "a b.png", embed: true },
      { target: "img/a b.jpg", embed: true },
      { target: "my file.pdf", embed: false },
      { target: ":/0123456789abcdef0123456789abcdef", embed: true },
    ]);
    expect(tagsOf("#one (#two/part) x#no # no #42 #[[two words]]\ntags:: a, [[b c]]\n`#no`")).toEqual([
      "one",
      "two/part",
      "two words",
      "a",
      "b c",
    ]);
  });

  it("find files beside the note, from the top and by name, and make them parts of it", async () => {
    const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47]);
    const items = await read({
      "v/.obsidian/app.json": "{}",
      "v/.trash/old.md": "gone",
      "v/days/2024-03-05.md": "![[boat.png]] [doc](../files/plan.pdf) ![[lost.jpg]] [[Other]]",
      "v/files/boat.png": png,
      "v/files/plan.pdf": "%PDF plan",
      "v/files/alone.png": png,
      "v/Other.md": "![[boat.png]]",
    });
    const found = recordsOf(items);
    const day = found.find(({ subject }) => subject === "2024-03-05");
    expect(day).toMatchObject({
      time: { local: "2024-03-05", precision: "day", source: "file-name" },
      props: { extra: { linked: ["Other"] }, flags: ["missing-media"] },
    });
    expect(day?.props.attachments?.map(({ name, missing }) => [name, missing])).toEqual([
      ["boat.png", false],
      ["lost.jpg", true],
      ["plan.pdf", false],
    ]);
    expect(found.find(({ kind }) => kind === "document")).toMatchObject({
      text: "%PDF plan",
      partOf: { identity: day?.identity },
    });
    expect(
      filesOf(items)
        .map(({ path, status }) => [path, status])
        .sort(),
    ).toEqual([
      ["v/.obsidian/app.json", "skipped"],
      ["v/.trash/old.md", "skipped"],
      ["v/Other.md", "imported"],
      ["v/days/2024-03-05.md", "imported"],
      ["v/files/boat.png", "imported"],
      ["v/files/plan.pdf", "imported"],
    ]);
  });
});

describe("other applications", () => {
  it("Joplin's own form has notebooks, tags, resources and to-dos", async () => {
    const id = (digit: string) => digit.repeat(32);
    const item = (digit: string, type: number, head: string, fields = "") =>
      [`${id(digit)}.md`, `${head}\n\nid: ${id(digit)}\n${fields}type_: ${type}`] as const;
    const found = await notes(
      Object.fromEntries([
        item("a", 2, "Harbour"),
        item(
          "b",
          1,
          `Mend sails\n\n![x](:/${id("c")})`,
          `parent_id: ${id("a")}\ncreated_time: 2024-03-05T10:11:12.000Z\nis_todo: 1\ntodo_completed: 0\n`,
        ),
        item("c", 4, "sail.bin"),
        item("d", 5, "boat"),
        item("e", 6, "", `note_id: ${id("b")}\ntag_id: ${id("d")}\n`),
        [`resources/${id("c")}.bin`, "bytes"] as const,
      ]),
    );
    expect(found[0]).toMatchObject({
      nativeId: id("b"),
      subject: "Mend sails",
      container: { title: "Harbour" },
      time: { utc: "2024-03-05T10:11:12Z" },
      props: {
        labels: ["boat"],
        items: [{ text: "Mend sails", checked: false }],
        attachments: [{ name: "sail.bin", missing: false }],
      },
    });
  });

  it("Notion's ids are shown nowhere and known again", async () => {
    const [page] = await notes({
      "Export/Trips 0123456789abcdef0123456789abcdee/Lake 0123456789abcdef0123456789abcdef.md": "# Lake\n\nwet",
    });
    expect(page).toMatchObject({
      identity: "note:id:0123456789abcdef0123456789abcdef",
      subject: "Lake",
      container: { title: "Trips" },
    });
  });

  it("texts of source code are left out with one reason, a vault under version control is none", async () => {
    expect(
      await ends({
        "code/.git/HEAD": "ref",
        "code/README.md": "x",
        "code/a/b.txt": "x",
        "v/.git/HEAD": "ref",
        "v/.obsidian/a": "x",
        "v/a.md": "x",
      }),
    ).toEqual({
      "code/.git/HEAD": "skipped",
      "code/README.md": "skipped",
      "code/a/b.txt": "skipped",
      "v/.git/HEAD": "skipped",
      "v/.obsidian/a": "skipped",
      "v/a.md": "imported",
    });
  });

  it("the database of Apple Notes is declined with what to do", async () => {
    const [end] = filesOf(await read({ "group/NoteStore.sqlite": "SQLite format 3" }));
    expect(end).toMatchObject({ status: "skipped", reason: expect.stringContaining("Export the notes") });
  });
});

describe("loose texts", () => {
  it("are read in their charset, without NUL, with names in NFC", async () => {
    const files = {
      "latin.txt": new Uint8Array(Buffer.from("Der Schlüssel", "latin1")),
      "utf16.txt": new Uint8Array(Buffer.from("\ufeffThe ferry", "utf16le")),
      "nul.txt": "first\0second",
      "U\u0308ber.md": "# x",
      "🎂.txt": "41",
      "t.csv": "a,b\n1,2",
    };
    const found = Object.fromEntries((await notes(files)).map(({ subject, text }) => [subject, text]));
    expect(found).toEqual({
      latin: "Der Schlüssel",
      utf16: "The ferry",
      nul: "firstsecond",
      Über: "# x",
      "🎂": "41",
      t: "a,b\n1,2",
    });
    expect((await notes(files)).find(({ subject }) => subject === "latin")?.props.flags).toEqual(["charset-guessed"]);
  });

  it("that are empty or no text are skipped", async () => {
    expect(await ends({ "a.md": "", "b.txt": " \n", "c.txt": new Uint8Array(200).fill(1) })).toEqual({
      "a.md": "skipped",
      "b.txt": "skipped",
      "c.txt": "skipped",
    });
  });

  it("are cut where they are very large, in whole characters", async () => {
    const items = await read({ "big.txt": "ü\n".repeat(3_000_000) });
    expect(recordsOf(items)[0]?.props.flags).toBeUndefined();
    expect(filesOf(items)[0]?.reason).toContain("first 8 MB");
  });

  it("give records or a reason for any bytes", async () => {
    const words = fc.constantFrom(
      "---\n",
      "title: x\n",
      "tags: *a\n",
      "[[",
      "]]",
      "![",
      "](",
      ")",
      "```",
      "#",
      "tags:: ",
      "date: 9999-99-99\n",
      "id: x\n",
      "type_: 1",
      "%",
      "\0",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 300 }),
          fc.array(fc.oneof(words, fc.string()), { maxLength: 30 }).map((parts) => parts.join("")),
        ),
        fc.constantFrom("a.md", "a.txt", `${"0".repeat(32)}.md`),
        async (content, name) => {
          const items = await read({ [name]: content, "other.md": "x" });
          for (const record of recordsOf(items)) expect(importedRecordSchema.safeParse(record).success).toBe(true);
          expect(filesOf(items)).toHaveLength(2);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("stand what is long and torn", async () => {
    for (const text of [
      "[".repeat(200_000),
      "![](".repeat(100_000),
      "[[".repeat(100_000),
      "```\n".repeat(50_000),
      "`".repeat(100_000),
    ]) {
      expect(filesOf(await read({ "a.md": text }))).toHaveLength(1);
    }
  });
});
