import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importedRecordSchema } from "#contract";
import { keepImporter } from "#main/importers/keep/index.ts";
import { filesOf, importAll, memoryTree, recordsOf } from "#test/importers/memory-tree.ts";

const note = (more: object) =>
  JSON.stringify({
    color: "DEFAULT",
    isTrashed: false,
    isPinned: false,
    isArchived: false,
    title: "",
    userEditedTimestampUsec: 1_700_000_000_123_456,
    ...more,
  });
const read = async (files: Record<string, string | Uint8Array>) => importAll(keepImporter, memoryTree(files));

describe("Google Keep", () => {
  it("reads notes of a folder in any language, once, without their HTML twins", async () => {
    const items = await read({
      "Takeout/Notizen/Boot.json": note({
        title: "Boot",
        textContent: "Segel flicken",
        textContentHtml: "<p>Segel flicken</p>",
        labels: [{ name: "Hafen" }],
        annotations: [{ url: "https://example.org/a", title: "A" }],
        attachments: [
          { filePath: "abc.jpeg", mimetype: "image/jpeg" },
          { filePath: "gone.png", mimetype: "image/png" },
        ],
        sharees: [{ email: "ida@example.org", isOwner: true }],
        isPinned: true,
        isTrashed: true,
        createdTimestampUsec: 1_600_000_000_000_000,
      }),
      "Takeout/Notizen/Boot.html": "<html></html>",
      "Takeout/Notizen/abc.jpg": new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 0]),
      "Takeout/Notizen/Labels.txt": "Hafen",
      "Takeout/Notizen/x.json": "[1,",
    });
    const [boat, part] = recordsOf(items);
    expect(boat).toMatchObject({
      identity: "keep:1600000000000000",
      kind: "note",
      subject: "Boot",
      text: "Segel flicken",
      time: { utc: "2020-09-13T12:26:40.000Z" },
      props: {
        labels: ["Hafen"],
        links: ["https://example.org/a"],
        flags: ["pinned", "trashed", "missing-media"],
        attachments: [
          { name: "abc.jpg", missing: false },
          { name: "gone.png", missing: true },
        ],
        modified: { utc: "2023-11-14T22:13:20.123Z" },
      },
    });
    expect(part?.partOf).toEqual({ identity: boat?.identity, role: "attachment" });
    expect(
      filesOf(items)
        .map(({ path, status }) => [path.slice(16), status])
        .sort(),
    ).toEqual([
      ["Boot.html", "skipped"],
      ["Boot.json", "imported"],
      ["Labels.txt", "skipped"],
      ["abc.jpg", "imported"],
      ["x.json", "failed"],
    ]);
  });

  it("keeps lists, and notes of old exports that have no time", async () => {
    const [list] = recordsOf(
      await read({
        "a.json": note({
          listContent: [
            { text: "tea", isChecked: true },
            { text: "rope", isChecked: false },
          ],
          userEditedTimestampUsec: 0,
        }),
      }),
    );
    expect(list).toMatchObject({
      time: null,
      text: null,
      props: {
        items: [
          { text: "tea", checked: true },
          { text: "rope", checked: false },
        ],
      },
    });
    expect(list?.identity).toMatch(/^keep:#/);
  });

  it("tells notes of one microsecond apart", async () => {
    const at = { createdTimestampUsec: 5_000_000_000_000_000 / 4 };
    const found = recordsOf(
      await read({ "a.json": note({ ...at, textContent: "x" }), "b.json": note({ ...at, textContent: "y" }) }),
    );
    expect(new Set(found.map(({ identity }) => identity)).size).toBe(2);
  });

  it("gives records or a reason for any JSON", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          fc.constantFrom(
            "title",
            "textContent",
            "listContent",
            "labels",
            "attachments",
            "annotations",
            "sharees",
            "createdTimestampUsec",
            "isTrashed",
            "color",
          ),
          fc.jsonValue(),
        ),
        async (more) => {
          const items = await read({ "k/a.json": note({}), "k/b.json": JSON.stringify(more), "k/c.json": note(more) });
          for (const record of recordsOf(items)) expect(importedRecordSchema.safeParse(record).success).toBe(true);
          expect(filesOf(items)).toHaveLength(3);
        },
      ),
      { numRuns: 200 },
    );
  });
});
