import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateRawSync, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { openEntry, openTree } from "#main/ingest/index.ts";
import { guessName } from "#main/ingest/names.ts";
import { folderWith, temporaryFolder, textOf, writeFiles } from "./folders.ts";
import { makeZip } from "./zip-maker.ts";

const treeOf = (files: Record<string, Uint8Array | string>) => openTree([folderWith(files)]);
const pathsOf = (tree: { entries: readonly { path: string }[] }) => tree.entries.map(({ path }) => path);
const reasonsOf = (tree: { rows: readonly { path: string; reason: string | null }[] }) =>
  Object.fromEntries(tree.rows.map(({ path, reason }) => [path, reason]));

const members = [
  { name: "a.txt", content: "first ".repeat(400), deflate: true },
  { name: "in/b.txt", content: "second".repeat(100) },
  { name: "c.bin", content: randomBytes(3000), deflate: true },
];

describe("a zip that was cut off", () => {
  test("gives the members that are whole, and says so", async () => {
    const zip = makeZip(members);
    const folder = folderWith({ "take.zip": zip.subarray(0, 2200) });
    const tree = await openTree([folder]);
    expect(pathsOf(tree)).toEqual(["take.zip/a.txt", "take.zip/in/b.txt"]);
    expect(await textOf(tree.get("take.zip/a.txt"))).toBe("first ".repeat(400));
    expect(reasonsOf(tree)["take.zip"]).toMatch(/cut off.*saved/);
    expect(await textOf(await openEntry(folder, "take.zip/in/b.txt"))).toBe("second".repeat(100));
  });

  test("also where the sizes of members stand behind them", async () => {
    const streamed = (name: string, text: string) => {
      const packed = deflateRawSync(text);
      const header = Buffer.alloc(30);
      header.writeUInt32LE(0x04034b50, 0);
      header.writeUInt16LE(8, 6);
      header.writeUInt16LE(8, 8);
      header.writeUInt16LE(name.length, 26);
      const behind = Buffer.alloc(16);
      behind.writeUInt32LE(0x08074b50, 0);
      behind.writeUInt32LE(crc32(text), 4);
      behind.writeUInt32LE(packed.length, 8);
      behind.writeUInt32LE(text.length, 12);
      return Buffer.concat([header, Buffer.from(name), packed, behind]);
    };
    const text = "line after line ".repeat(3000);
    const tree = await treeOf({
      "a.zip": Buffer.concat([streamed("one.txt", text), streamed("two.txt", "2"), Buffer.alloc(0)]),
    });
    expect(await textOf(tree.get("a.zip/one.txt"))).toBe(text);
    expect(await textOf(tree.get("a.zip/two.txt"))).toBe("2");
  });

  test("at any place gives no wrong bytes", async () => {
    const zip = makeZip(members);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: zip.length - 1 }), async (at) => {
        const tree = await treeOf({ "a.zip": zip.subarray(0, at) });
        for (const entry of tree.entries) {
          const member = members.find(({ name }) => entry.path === `a.zip/${name}`);
          if (entry.path !== "a.zip")
            expect(Buffer.from(await entry.readAll(1e6)).equals(Buffer.from(member?.content ?? ""))).toBe(true);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe("a zip in several files", () => {
  test("cut by size is read as one; the parts are told", async () => {
    const zip = makeZip(members);
    const folder = folderWith({
      "a.zip.001": zip.subarray(0, 1000),
      "a.zip.002": zip.subarray(1000, 2000),
      "a.zip.003": zip.subarray(2000),
    });
    const tree = await openTree([folder]);
    expect(pathsOf(tree)).toEqual(["a.zip.001/a.txt", "a.zip.001/c.bin", "a.zip.001/in/b.txt"]);
    expect(
      Buffer.from((await tree.get("a.zip.001/c.bin")?.readAll(1e6)) ?? []).equals(
        Buffer.from(members[2]?.content ?? ""),
      ),
    ).toBe(true);
    expect(reasonsOf(tree)["a.zip.002"]).toMatch(/part of a\.zip\.001/);
    expect(await textOf(await openEntry(folder, "a.zip.001/in/b.txt"))).toBe("second".repeat(100));
  });

  test("with a part missing says which", async () => {
    const tree = await treeOf({
      "a.zip.001": "PK\u0003\u0004",
      "a.zip.003": "x",
      "b.z02": "x",
      "b.zip": "PK",
      "c.z01": "x",
      "d.txt": "d",
    });
    expect(pathsOf(tree)).toEqual(["d.txt"]);
    expect(reasonsOf(tree)).toMatchObject({
      "a.zip.001": expect.stringMatching(/a\.zip\.002 is missing/),
      "b.zip": expect.stringMatching(/b\.z01 is missing/),
      "c.z01": expect.stringMatching(/main part/),
    });
  });

  test.runIf(existsSync("/usr/bin/zip"))("as Info-ZIP writes it: .z01, .z02, .zip", async () => {
    const folder = temporaryFolder();
    const big = randomBytes(150_000);
    writeFiles(folder, { "x/big.bin": big, "x/small.txt": "small" });
    execFileSync("/usr/bin/zip", ["-q", "-r", "-s", "64k", "take.zip", "x"], { cwd: folder });
    rmSync(join(folder, "x"), { recursive: true });
    const tree = await openTree([folder]);
    expect(pathsOf(tree)).toEqual(["take.zip/x/big.bin", "take.zip/x/small.txt"]);
    expect(Buffer.from((await tree.get("take.zip/x/big.bin")?.readAll(1e6)) ?? []).equals(big)).toBe(true);
    expect(await textOf(await openEntry(folder, "take.zip/x/small.txt"))).toBe("small");
    expect(reasonsOf(tree)["take.zip"]).toBe(null);
    rmSync(join(folder, "take.z01"));
    expect(reasonsOf(await openTree([folder]))["take.zip"]).toMatch(/take\.z01 is missing/);
  });
});

test("members packed by Zstandard are read; other methods are named", async () => {
  const packed = zstdCompressSync("zstd ".repeat(500));
  const zip = makeZip([
    { name: "z.txt", content: packed, method: 93, claims: 2500, sum: crc32("zstd ".repeat(500)) },
    { name: "l.txt", content: "x", method: 9 },
  ]);
  const tree = await treeOf({ "a.zip": zip });
  expect(await textOf(tree.get("a.zip/z.txt"))).toBe("zstd ".repeat(500));
  expect(reasonsOf(tree)["a.zip/l.txt"]).toMatch(/Deflate64/);
});

test.each([
  ["château d'été.txt", "cp437"],
  ["Größe.txt", "cp437"],
  ["ü", "cp437"],
  ["写真の夏.jpg", "shift_jis"],
  ["2024/カメラ/a.jpg", "shift_jis"],
  ["春节照片.jpg", "gbk"],
  ["Фото/Привет.txt", "cp866"],
  ["Фото ü 春节.txt", "utf8"],
])("a name without a mark of its charset: %s (%s)", (name, charset) => {
  expect(guessName(iconv.encode(name, charset))).toBe(name);
});

test("files that are elsewhere or not finished say so; copies of a sync program are told", async () => {
  const tree = await treeOf({
    ".photo.jpg.icloud": "bplist00",
    "film.mp4.partial": "x",
    "~$letter.docx": "x",
    "@eaDir/photo.jpg/SYNOPHOTO_THUMB_M.jpg": "x",
    "note (Ada's conflicted copy 2024-01-02).txt": "x",
    "disk.dmg": "xxxx",
  });
  expect(pathsOf(tree)).toEqual(["disk.dmg", "note (Ada's conflicted copy 2024-01-02).txt"]);
  expect(reasonsOf(tree)).toMatchObject({
    ".photo.jpg.icloud": expect.stringMatching(/iCloud/),
    "film.mp4.partial": expect.stringMatching(/never finished/),
  });
  expect(tree.litter).toBe(2);
  expect(tree.warnings.join()).toMatch(/sync program/);
});
