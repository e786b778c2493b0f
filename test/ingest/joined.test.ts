import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { openTree } from "#main/ingest/index.ts";
import { folderWith } from "./folders.ts";
import { makeTar } from "./tar-maker.ts";
import { makeZip } from "./zip-maker.ts";

const zip = (...names: string[]) => makeZip(names.map((name) => ({ name, content: name })));
const joinedOf = async (files: Record<string, Uint8Array | string>) => {
  const tree = await openTree([folderWith(files)]);
  return Object.fromEntries(tree.entries.map(({ path, joined }) => [path, joined]));
};

describe("parts of one export lie over each other", () => {
  test("a Takeout in numbered zips: a sidecar in another part stands beside its picture", async () => {
    const folder = folderWith({
      "takeout-20240102T030405Z-001.zip": zip("Takeout/Google Photos/A/a.jpg", "Takeout/archive_browser.html"),
      "takeout-20240102T030405Z-002.zip": zip("Takeout/Google Photos/A/a.jpg.json", "Takeout/archive_browser.html"),
      "takeout-20230102T030405Z-001.zip": zip("Takeout/Google Photos/A/a.jpg.json"),
    });
    const tree = await openTree([folder]);
    const first = "takeout-20240102T030405Z-001.zip/Takeout";
    const second = "takeout-20240102T030405Z-002.zip/Takeout";
    expect(tree.joined.inFolder(`${first}/Google Photos/A`).map(({ path }) => path)).toEqual([
      `${first}/Google Photos/A/a.jpg`,
      `${second}/Google Photos/A/a.jpg.json`,
    ]);
    expect(tree.joined.get(`${first}/archive_browser.html`)?.path).toBe(`${first}/archive_browser.html`);
    expect(tree.joined.get(`${second}/archive_browser.html`)?.path).toBe(`${second}/archive_browser.html`);
    expect(tree.entries).toHaveLength(5);
  });

  test("with a batch number, as tgz, and dropped one by one", async () => {
    const tgz = (name: string) => gzipSync(makeTar([{ name, content: name }]));
    const folder = folderWith({
      "takeout-20240102T030405Z-1-001.tgz": tgz("Takeout/a"),
      "takeout-20240102T030405Z-2-001.tgz": tgz("Takeout/b"),
    });
    const names = ["takeout-20240102T030405Z-1-001.tgz", "takeout-20240102T030405Z-2-001.tgz"];
    const tree = await openTree(names.map((name) => join(folder, name)));
    expect(tree.entries.map(({ joined }) => joined)).toEqual([
      `${names[0]}/${names[0]}/Takeout/a`,
      `${names[0]}/${names[0]}/Takeout/b`,
    ]);
  });

  test("unpacked beside each other under the names that systems give", async () => {
    expect(
      await joinedOf({
        "Takeout/Mail/a.mbox": "1",
        "Takeout 2/Mail/b.mbox": "2",
        "Takeout (3)/Keep/c.json": "3",
        "d/Takeout 2/x": "4",
      }),
    ).toEqual({
      "Takeout/Mail/a.mbox": "Takeout/Mail/a.mbox",
      "Takeout 2/Mail/b.mbox": "Takeout/Mail/b.mbox",
      "Takeout (3)/Keep/c.json": "Takeout/Keep/c.json",
      "d/Takeout 2/x": "d/Takeout 2/x",
    });
    expect(
      await joinedOf({ "takeout-20240102T030405Z-001/Takeout/a": "1", "takeout-20240102T030405Z-002/Takeout/b": "2" }),
    ).toMatchObject({ "takeout-20240102T030405Z-002/Takeout/b": "takeout-20240102T030405Z-001/Takeout/b" });
  });

  test("'Part 1 of 3', also where the folder in it has the part's name", async () => {
    const name = (part: number) => `iCloud Photos Part ${part} of 2`;
    expect(
      await joinedOf({
        [`${name(1)}.zip`]: zip(`${name(1)}/Photos/a.jpg`),
        [`${name(2)}.zip`]: zip(`${name(2)}/Photos/b.jpg`),
      }),
    ).toMatchObject({ [`${name(2)}.zip/${name(2)}/Photos/b.jpg`]: `${name(1)}.zip/${name(1)}/Photos/b.jpg` });
  });

  test("numbered zips of another export, when they have a folder in common", async () => {
    expect(
      await joinedOf({ "facebook-juno-1.zip": zip("messages/a"), "facebook-juno-2.zip": zip("messages/b") }),
    ).toMatchObject({
      "facebook-juno-2.zip/messages/b": "facebook-juno-1.zip/messages/b",
    });
  });
});

test.each<[string, Record<string, Uint8Array | string>]>([
  ["albums", { "Lake 1/a.jpg": "1", "Lake 2/b.jpg": "2" }],
  ["zips without a common folder", { "chat-1.zip": zip("_chat.txt"), "chat-2.zip": zip("b.txt") }],
  ["exports of two years", { "team 2023.zip": zip("general/a.json"), "team 2024.zip": zip("general/b.json") }],
  ["a download that was made twice", { "team.zip": zip("general/a.json"), "team (1).zip": zip("general/b.json") }],
])("what only looks like parts stays apart: %s", async (_what, files) => {
  for (const [path, joined] of Object.entries(await joinedOf(files))) expect(joined).toBe(path);
});
