import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openEntry, openTree } from "#main/ingest/index.ts";
import { folderWith, temporaryFolder, textOf } from "./folders.ts";
import { makeZip } from "./zip-maker.ts";

const treeOf = (files: Record<string, Uint8Array | string>) => openTree([folderWith(files)]);
const pathsOf = (tree: { entries: readonly { path: string }[] }) => tree.entries.map(({ path }) => path);

describe("a zip", () => {
  test("is a folder, whatever its ending, and has a row of its own", async () => {
    const zip = makeZip([
      { name: "in/b.txt", content: "packed ".repeat(3000), deflate: true },
      { name: "in/", content: "" },
      { name: "a.txt", content: "stored" },
    ]);
    const tree = await treeOf({ "export.backup": zip });
    expect(pathsOf(tree)).toEqual(["export.backup/a.txt", "export.backup/in/b.txt"]);
    expect(await textOf(tree.get("export.backup/in/b.txt"))).toBe("packed ".repeat(3000));
    expect(tree.rows).toEqual([
      { path: "export.backup", bytes: zip.length, status: "imported", reason: null, skipped: 0 },
    ]);
  });

  test("as the only root keeps its name before its members", async () => {
    const folder = folderWith({ "take.zip": makeZip([{ name: "a.txt", content: "1" }]) });
    const root = join(folder, "take.zip");
    expect(pathsOf(await openTree([root]))).toEqual(["take.zip/a.txt"]);
    expect(await textOf(await openEntry(root, "take.zip/a.txt"))).toBe("1");
  });

  test("that is an office file or the like stays a file", async () => {
    const office = makeZip([{ name: "[Content_Types].xml", content: "<x/>" }]);
    const plain = makeZip([{ name: "x", content: "1" }]);
    const tree = await treeOf({ "letter.docx": plain, "renamed.bin": office, "app.jar": plain });
    expect(pathsOf(tree)).toEqual(["app.jar", "letter.docx", "renamed.bin"]);
  });

  test("never lets a member leave it", async () => {
    const evil = ["../../out.txt", "/etc/out.txt", "C:\\out.txt", "a\\..\\..\\out.txt", "nul\u0000.txt"];
    const zip = makeZip([...evil.map((name) => ({ name, content: "evil" })), { name: "hello.txt", content: "hi" }]);
    const folder = folderWith({ "slip.zip": zip });
    const tree = await openTree([folder]);
    expect(pathsOf(tree)).toEqual(["slip.zip/hello.txt"]);
    const refused = tree.rows.filter(({ status }) => status === "skipped");
    expect(refused).toHaveLength(evil.length);
    for (const { path, reason } of refused) {
      expect(path.startsWith("slip.zip/")).toBe(true);
      expect(path).not.toContain("..");
      expect(reason).not.toBe(null);
    }
    expect(tree.rows.find(({ path }) => path === "slip.zip")).toMatchObject({ status: "imported", skipped: 5 });
    await expect(openEntry(folder, "slip.zip/../../out.txt")).rejects.toMatchObject({ code: "path_missing" });
  });

  test("that was cut off is a failed row, and the others go on", async () => {
    const zip = makeZip([{ name: "a.txt", content: "1".repeat(500) }]);
    const tree = await treeOf({ "cut.zip": zip.subarray(0, 300), "ok.txt": "fine" });
    expect(pathsOf(tree)).toEqual(["ok.txt"]);
    expect(tree.rows).toMatchObject(
      [{ path: "cut.zip", status: "failed", reason: /cut\.zip/ }].map((row) => ({
        ...row,
        reason: expect.stringMatching(row.reason),
      })),
    );
  });

  test("that is a bomb by its own word is refused, and one that lies is stopped while it is read", async () => {
    const zeros = new Uint8Array(64 * 1024 * 1024);
    const tree = await treeOf({
      "bomb.zip": makeZip([{ name: "zeros", content: zeros, deflate: true }]),
      "liar.zip": makeZip([{ name: "zeros.jpg", content: zeros, deflate: true, claims: 1000 }]),
    });
    expect(pathsOf(tree)).toEqual(["liar.zip/zeros.jpg"]);
    expect(tree.rows.find(({ path }) => path === "bomb.zip/zeros")?.reason).toMatch(/bomb/);
    await expect(tree.get("liar.zip/zeros.jpg")?.readAll(1e9)).rejects.toMatchObject({ code: "damaged_file" });
  });

  test("whose members share their bytes gives each byte once", async () => {
    const zip = makeZip([
      { name: "first", content: "x".repeat(100) },
      { name: "second", content: "x".repeat(100), sharesWith: 0 },
      { name: "third", content: "y" },
    ]);
    const tree = await treeOf({ "a.zip": zip });
    expect(pathsOf(tree)).toEqual(["a.zip/first", "a.zip/third"]);
    expect(tree.rows.map(({ path }) => path)).toEqual(["a.zip", "a.zip/second"]);
  });

  test("with protected, linked or strangely packed members says so for each", async () => {
    const zip = makeZip([
      { name: "secret", content: "x", flags: 1 },
      { name: "link", content: "/etc/passwd", mode: 0o120777 },
      { name: "lzma", content: "x", method: 14 },
      { name: "ok", content: "x" },
    ]);
    const tree = await treeOf({ "a.zip": zip });
    expect(pathsOf(tree)).toEqual(["a.zip/ok"]);
    expect(Object.fromEntries(tree.rows.map(({ path, reason }) => [path, reason]))).toMatchObject({
      "a.zip/secret": expect.stringMatching(/password/),
      "a.zip/link": expect.stringMatching(/link/),
      "a.zip/lzma": expect.stringMatching(/method/),
    });
  });

  test("with a wrong check sum is damaged when it is read, and at once when it is looked into", async () => {
    const parts = ["a.jpg", "a.txt"].map((name) => ({ name, content: `I am ${name}` }));
    const zip = makeZip(parts);
    for (const { content } of parts) zip[zip.indexOf(content)] = 0x59;
    const tree = await treeOf({ "a.zip": zip });
    expect(tree.rows.find(({ path }) => path === "a.zip/a.txt")).toMatchObject({ status: "failed" });
    await expect(textOf(tree.get("a.zip/a.jpg"))).rejects.toMatchObject({ code: "damaged_file" });
  });

  test("names: UTF-8 with or without its mark, else CP437, always NFC", async () => {
    const zip = makeZip([
      { name: "Grüße.txt", content: "1", flags: 0x800 },
      { name: "Öl.txt", content: "2" },
      { name: Uint8Array.of(0x84, 0x2e, 0x74, 0x78, 0x74), content: "3" },
      { name: "e\u0301.txt", content: "4" },
    ]);
    expect(pathsOf(await treeOf({ "a.zip": zip }))).toEqual(
      ["a.zip/Grüße.txt", "a.zip/Öl.txt", "a.zip/ä.txt", "a.zip/é.txt"].sort(),
    );
  });

  test("inside a zip is opened, one more inside is not", async () => {
    const third = makeZip([{ name: "deep.txt", content: "3" }]);
    const second = makeZip([
      { name: "mid.txt", content: "2" },
      { name: "third.zip", content: third, deflate: true },
    ]);
    for (const deflate of [true, false]) {
      const folder = folderWith({ "first.zip": makeZip([{ name: "second.zip", content: second, deflate }]) });
      const tree = await openTree([folder]);
      expect(pathsOf(tree)).toEqual(["first.zip/second.zip/mid.txt"]);
      expect(tree.rows.find(({ path }) => path.endsWith("third.zip"))?.status).toBe("skipped");
      expect(await textOf(await openEntry(folder, "first.zip/second.zip/mid.txt"))).toBe("2");
    }
  });

  test("with thousands of equal names keeps them all apart, quickly", async () => {
    const zip = makeZip(Array.from({ length: 5000 }, () => ({ name: "same.txt", content: "x" })));
    const tree = await treeOf({ "a.zip": zip });
    expect(new Set(pathsOf(tree)).size).toBe(5000);
    expect(pathsOf(tree)).toContain("a.zip/same (5000).txt");
  });
});

test("any bytes after the signature of a zip end as rows or entries, never as a throw", async () => {
  const folder = temporaryFolder();
  const valid = makeZip([
    { name: "a.txt", content: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", deflate: true },
    { name: "b.txt", content: "b" },
  ]);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 4, max: valid.length - 1 }), fc.nat(255)), { maxLength: 12 }),
      async (changes) => {
        const bytes = Buffer.from(valid);
        for (const [at, value] of changes) bytes[at] = value;
        writeFileSync(join(folder, "x.zip"), bytes);
        const tree = await openTree([folder]);
        for (const entry of tree.entries) {
          await entry.readAll(1e6).catch((error: unknown) => expect(error).toMatchObject({ code: "damaged_file" }));
        }
        expect(tree.entries.length + tree.rows.length).toBeGreaterThan(0);
      },
    ),
    { numRuns: 150 },
  );
});
