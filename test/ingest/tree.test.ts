import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openEntry, openTree } from "#main/ingest/index.ts";
import { folderWith, temporaryFolder, textOf } from "./folders.ts";

const pathsOf = (tree: { entries: readonly { path: string }[] }) => tree.entries.map(({ path }) => path);

describe("a folder", () => {
  test("gives its files by path, in code-unit order", async () => {
    const folder = folderWith({ "b/z.txt": "1", "a.txt": "2", "b/A.txt": "3", "b.txt": "4" });
    const tree = await openTree([folder]);
    expect(pathsOf(tree)).toEqual(["a.txt", "b.txt", "b/A.txt", "b/z.txt"]);
    expect(tree.get("b/z.txt")?.name).toBe("z.txt");
    expect(tree.get("b/z.txt")?.bytes).toBe(1);
    expect(tree.inFolder("b").map(({ name }) => name)).toEqual(["A.txt", "z.txt"]);
    expect(tree.below("b").map(({ path }) => path)).toEqual(["b/A.txt", "b/z.txt"]);
    expect(tree.inFolder("").map(({ path }) => path)).toEqual(["a.txt", "b.txt"]);
  });

  test("as one of several roots stands under its own name, made unique", async () => {
    const one = folderWith({ "same/x.txt": "1" });
    const two = folderWith({ "same/x.txt": "2" });
    const roots = [join(one, "same"), join(two, "same"), join(one, "same", "x.txt")];
    const tree = await openTree(roots);
    expect(pathsOf(tree)).toEqual(["same (2)/x.txt", "same/x.txt", "x.txt/x.txt"]);
    expect(await textOf(await openEntry(roots, "same (2)/x.txt"))).toBe("2");
  });

  test("that is a single file gives the file by its name", async () => {
    const folder = folderWith({ "note.txt": "hello" });
    expect(pathsOf(await openTree([join(folder, "note.txt")]))).toEqual(["note.txt"]);
  });

  test("with NFD names gives NFC paths that can be opened again", async () => {
    const folder = folderWith({ "U\u0308ber/Scho\u0308n.txt": "gut" });
    const path = "\u00dcber/Sch\u00f6n.txt";
    const tree = await openTree([folder]);
    expect(pathsOf(tree)).toEqual([path]);
    expect(await textOf(tree.get(path))).toBe("gut");
    expect(await textOf(await openEntry(folder, path))).toBe("gut");
  });

  test.runIf(process.platform === "linux")("keeps both of two names that differ only in normal form", async () => {
    const folder = folderWith({ "e\u0301.txt": "apart", "\u00e9.txt": "one" });
    const tree = await openTree([folder]);
    expect(pathsOf(tree)).toEqual(["\u00e9 (2).txt", "\u00e9.txt"]);
    for (const { path } of tree.entries) {
      expect(await textOf(await openEntry(folder, path))).toBe(await textOf(tree.get(path)));
    }
    expect(await textOf(tree.get("\u00e9.txt"))).toBe("one");
  });

  test.runIf(process.platform === "linux")("with a name that is not UTF-8 is read all the same", async () => {
    const folder = temporaryFolder();
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x66, 0xe9, 0x2e, 0x74])]), "latin");
    const tree = await openTree([folder]);
    expect(pathsOf(tree)).toEqual(["f\ufffd.t"]);
    expect(await textOf(tree.get("f\ufffd.t"))).toBe("latin");
    expect(await textOf(await openEntry(folder, "f\ufffd.t"))).toBe("latin");
  });

  test.skipIf(process.platform === "win32")("never follows links: loops end, linked files are rows", async () => {
    const outside = folderWith({ "secret.txt": "secret" });
    const folder = folderWith({ "a/b.txt": "1" });
    symlinkSync(folder, join(folder, "a", "loop"));
    symlinkSync(join(outside, "secret.txt"), join(folder, "leak.txt"));
    symlinkSync(join(folder, "nowhere"), join(folder, "dead"));
    const tree = await openTree([folder]);
    expect(pathsOf(tree)).toEqual(["a/b.txt"]);
    expect(tree.rows.map(({ path, status }) => [path, status])).toEqual([
      ["a/loop", "skipped"],
      ["dead", "skipped"],
      ["leak.txt", "skipped"],
    ]);
    await expect(openEntry(folder, "leak.txt")).rejects.toMatchObject({ code: "path_missing" });
    await expect(openEntry(folder, "a/loop/a/b.txt")).rejects.toMatchObject({ code: "path_missing" });
  });

  test("leaves litter out silently and reports what is empty or unfinished", async () => {
    const appleDouble = Buffer.from([0, 5, 0x16, 7, 0, 2, 0, 0]);
    const folder = folderWith({
      ".DS_Store": "x",
      "Thumbs.db": "x",
      "desktop.ini": "x",
      ".nomedia": "",
      "._photo.jpg": appleDouble,
      "._real.txt": "a file that only looks like litter",
      "__MACOSX/._a": appleDouble,
      "empty.jpg": "",
      "half.jpg.crdownload": "x",
      "copy.part": "x",
      "kept.txt": "x",
    });
    const tree = await openTree([folder]);
    expect(pathsOf(tree)).toEqual(["._real.txt", "kept.txt"]);
    expect(tree.litter).toBe(6);
    expect(tree.rows.map(({ path }) => path)).toEqual(["copy.part", "empty.jpg", "half.jpg.crdownload"]);
    expect(tree.rows.find(({ path }) => path === "empty.jpg")?.reason).toMatch(/empty/);
  });

  test("that is missing, or holds nothing, is refused with its own code", async () => {
    const folder = temporaryFolder();
    await expect(openTree([join(folder, "gone")])).rejects.toMatchObject({ code: "path_missing" });
    await expect(openTree([folder])).rejects.toMatchObject({ code: "nothing_to_import" });
  });

  test("deeper or larger than the caps is cut off with a word", async () => {
    const deep = folderWith({ [`${"d/".repeat(70)}x.txt`]: "x", "y.txt": "y" });
    const tree = await openTree([deep]);
    expect(pathsOf(tree)).toEqual(["y.txt"]);
    expect(tree.rows[0]?.reason).toMatch(/64 folders deep/);
    const wide = folderWith({ a: "1", b: "2", c: "3" });
    const capped = await openTree([wide], { maxEntries: 2 });
    expect(pathsOf(capped)).toEqual(["a", "b"]);
    expect(capped.warnings).toHaveLength(1);
  });

  test("is walked no further once the call is cancelled", async () => {
    const signal = AbortSignal.abort();
    await expect(openTree([folderWith({ a: "1" })], { signal })).rejects.toThrow();
  });
});

describe("any tree of files", () => {
  const name = fc.stringMatching(/^[a-zäé😀]{1,4}$/u);
  const files = fc.dictionary(
    fc.array(name, { minLength: 1, maxLength: 3 }).map(
      (parts) =>
        `${parts
          .slice(0, -1)
          .map((part) => `${part}.d/`)
          .join("")}${parts.at(-1)}.f`,
    ),
    fc.uint8Array({ minLength: 1, maxLength: 9000 }),
    { minKeys: 1, maxKeys: 8 },
  );

  test("is read back by path, by range and by head", async () => {
    await fc.assert(
      fc.asyncProperty(files, fc.nat(9000), fc.nat(9000), async (content, a, b) => {
        const folder = folderWith(content);
        const tree = await openTree([folder]);
        expect(pathsOf(tree)).toEqual(
          Object.keys(content)
            .map((path) => path.normalize("NFC"))
            .sort(),
        );
        for (const [path, bytes] of Object.entries(content)) {
          const entry = await openEntry(folder, path.normalize("NFC"));
          expect(Buffer.from(await entry.readAll(1e6)).equals(bytes)).toBe(true);
          expect(Buffer.from(await entry.head()).equals(bytes.subarray(0, 4096))).toBe(true);
          const parts: Uint8Array[] = [];
          for await (const part of entry.stream({ start: a, end: b })) parts.push(part);
          expect(Buffer.concat(parts).equals(bytes.slice(a, Math.max(a, b)))).toBe(true);
        }
      }),
      { numRuns: 25 },
    );
  });
});

test("a whole file above the reader's cap is refused", async () => {
  const folder = folderWith({ "big.txt": "0123456789" });
  const tree = await openTree([folder]);
  await expect(tree.get("big.txt")?.readAll(9)).rejects.toMatchObject({ code: "limit_exceeded" });
});
