import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { constants, deflateRawSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openEntry, openTree } from "#main/ingest/index.ts";
import { Inflater, inflateStart } from "#main/ingest/inflate.ts";
import { folderWith, temporaryFolder, textOf } from "./folders.ts";
import { makeTar, pax } from "./tar-maker.ts";
import { makeZip } from "./zip-maker.ts";

const treeOf = (files: Record<string, Uint8Array | string>) => openTree([folderWith(files)]);
const pathsOf = (tree: { entries: readonly { path: string }[] }) => tree.entries.map(({ path }) => path);
const rowsOf = (tree: { rows: readonly { path: string; reason: string | null }[] }) =>
  Object.fromEntries(tree.rows.map(({ path, reason }) => [path, reason]));

describe("a tar", () => {
  test("is a folder, whatever its ending: read in place, opened again later", async () => {
    const tar = makeTar([
      { name: "in/", kind: "5" },
      { name: "in/b.txt", content: "x".repeat(70_000), modified: 1_600_000_000 },
      { name: "a.txt", content: "first" },
    ]);
    const folder = folderWith({ "notes.jex": tar });
    const tree = await openTree([folder]);
    expect(pathsOf(tree)).toEqual(["notes.jex/a.txt", "notes.jex/in/b.txt"]);
    expect(await textOf(tree.get("notes.jex/in/b.txt"))).toBe("x".repeat(70_000));
    expect(tree.get("notes.jex/in/b.txt")?.modified).toBe(1_600_000_000_000);
    expect(tree.rows).toEqual([{ path: "notes.jex", bytes: tar.length, status: "imported", reason: null, skipped: 0 }]);
    expect(await textOf(await openEntry(folder, "notes.jex/a.txt"))).toBe("first");
  });

  test("names: pax, GNU, ustar's prefix, old code pages, NFD", async () => {
    const long = `${"d/".repeat(40)}${"n".repeat(120)}.txt`;
    const tar = makeTar([
      pax({ path: "Gru\u0308ße.txt", mtime: "1600000000.5" }),
      { name: "short", content: "1" },
      { name: "././@LongLink", kind: "L", content: `${long}\0` },
      { name: "cut", content: "2" },
      { name: "c.txt", prefix: "a/b", content: "3" },
    ]);
    const tree = await treeOf({ "a.tar": tar });
    expect(pathsOf(tree)).toEqual(["a.tar/Grüße.txt", "a.tar/a/b/c.txt", `a.tar/${long}`].sort());
    expect(tree.get("a.tar/Grüße.txt")?.modified).toBe(1_600_000_000_500);
  });

  test("sizes in the GNU form, and by pax", async () => {
    const size = Buffer.from([0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3]);
    const tar = makeTar([
      { name: "a", content: "abc", size },
      pax({ size: "2" }),
      { name: "b", content: "xy", size: Buffer.from("77777777777\0") },
    ]);
    const tree = await treeOf({ "a.tar": tar });
    expect(await textOf(tree.get("a.tar/a"))).toBe("abc");
    expect(await textOf(tree.get("a.tar/b"))).toBe("xy");
  });

  test("lets nothing leave it, follows no link and says so for each", async () => {
    const tar = makeTar([
      { name: "../../out.txt", content: "evil" },
      { name: "/etc/passwd", content: "evil" },
      { name: "link", kind: "2" },
      { name: "hard", kind: "1" },
      { name: "pipe", kind: "6" },
      pax({ "GNU.sparse.major": "1" }),
      { name: "holes", content: "x" },
      { name: "ok.txt", content: "ok" },
    ]);
    const tree = await treeOf({ "a.tar": tar });
    expect(pathsOf(tree)).toEqual(["a.tar/ok.txt"]);
    expect(rowsOf(tree)).toMatchObject({
      "a.tar/link": expect.stringMatching(/link/),
      "a.tar/hard": expect.stringMatching(/second name/),
      "a.tar/holes": expect.stringMatching(/holes/),
      "a.tar": expect.stringMatching(/6 of the files/),
    });
  });

  test("that breaks off gives what stands before the break, and says so", async () => {
    const tar = makeTar([
      { name: "a.txt", content: "whole" },
      { name: "b.txt", content: "y".repeat(5000) },
    ]);
    const tree = await treeOf({
      "a.tar": tar.subarray(0, 2500),
      "b.tar": Buffer.concat([tar.subarray(0, 1024), Buffer.alloc(2048, 7)]),
    });
    expect(pathsOf(tree)).toEqual(["a.tar/a.txt", "b.tar/a.txt"]);
    expect(rowsOf(tree)).toMatchObject({
      "a.tar": expect.stringMatching(/cut off/),
      "a.tar/b.txt": expect.stringMatching(/ends before/),
      "b.tar": expect.stringMatching(/no sense/),
    });
  });
});

describe("a packed tar", () => {
  const big = Buffer.concat(Array.from({ length: 9 * 1024 }, (_, at) => Buffer.alloc(1024, `line ${at * 7919} `)));

  test("of many megabytes is read here and there, forwards and backwards", async () => {
    const tar = makeTar([
      { name: "z.txt", content: "last in path, first in the archive" },
      { name: "big.bin", content: big },
      { name: "a.txt", content: "after it" },
    ]);
    const folder = folderWith({ "take.tgz": gzipSync(tar) });
    const tree = await openTree([folder]);
    expect(pathsOf(tree)).toEqual(["take.tgz/a.txt", "take.tgz/big.bin", "take.tgz/z.txt"]);
    expect(await textOf(tree.get("take.tgz/a.txt"))).toBe("after it");
    expect(await textOf(tree.get("take.tgz/z.txt"))).toBe("last in path, first in the archive");
    const parts = [];
    for await (const part of tree.get("take.tgz/big.bin")?.stream({ start: 5_000_000, end: 9_000_001 }) ?? [])
      parts.push(part);
    expect(Buffer.concat(parts).equals(big.subarray(5_000_000, 9_000_001))).toBe(true);
    expect(Buffer.from((await tree.get("take.tgz/big.bin")?.readAll(1e9)) ?? []).equals(big)).toBe(true);
    expect(await textOf(await openEntry(folder, "take.tgz/a.txt"))).toBe("after it");
  });

  test("of several gzip members is one", async () => {
    const tar = makeTar([{ name: "a.txt", content: "joined" }]);
    const tree = await treeOf({
      "a.tar.gz": Buffer.concat([gzipSync(tar.subarray(0, 700)), gzipSync(tar.subarray(700))]),
    });
    expect(await textOf(tree.get("a.tar.gz/a.txt"))).toBe("joined");
  });

  test("that was cut off gives what stands before the cut", async () => {
    const tar = makeTar([
      { name: "a.txt", content: "whole" },
      { name: "b.bin", content: big },
    ]);
    const packed = gzipSync(tar, { level: 1 });
    const tree = await treeOf({ "a.tgz": packed.subarray(0, packed.length / 2) });
    expect(pathsOf(tree)).toEqual(["a.tgz/a.txt"]);
    expect(await textOf(tree.get("a.tgz/a.txt"))).toBe("whole");
    expect(rowsOf(tree)["a.tgz"]).toMatch(/damaged/);
  });

  test("that is a bomb is refused", async () => {
    const tree = await treeOf({ "bomb.gz": gzipSync(Buffer.alloc(90 * 1024 * 1024)), "ok.txt": "x" });
    expect(pathsOf(tree)).toEqual(["ok.txt"]);
    expect(rowsOf(tree)["bomb.gz"]).toMatch(/bomb/);
  });

  test("in a zip, and a zip in it, are opened", async () => {
    const zip = makeZip([{ name: "deep.txt", content: "deep" }]);
    const tgz = gzipSync(makeTar([{ name: "in.zip", content: zip }]));
    const folder = folderWith({
      "a.tgz": tgz,
      "b.zip": makeZip([{ name: "c.tgz", content: gzipSync(makeTar([{ name: "x", content: "y" }])), deflate: true }]),
    });
    const tree = await openTree([folder]);
    expect(pathsOf(tree)).toEqual(["a.tgz/in.zip/deep.txt", "b.zip/c.tgz/x"]);
    expect(await textOf(await openEntry(folder, "a.tgz/in.zip/deep.txt"))).toBe("deep");
    expect(await textOf(await openEntry(folder, "b.zip/c.tgz/x"))).toBe("y");
  });
});

test("a packed single file is a folder with that file", async () => {
  const folder = folderWith({ "mail.mbox.gz": gzipSync("From a\n"), "empty.gz": gzipSync("") });
  const tree = await openTree([folder]);
  expect(pathsOf(tree)).toEqual(["mail.mbox.gz/mail.mbox"]);
  expect(await textOf(await openEntry(folder, "mail.mbox.gz/mail.mbox"))).toBe("From a\n");
});

test("inflate: any bytes at any level come back, also when it rests in between", () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.constantFrom("ab", "abcabc", "\0").map((text) => Buffer.from(text.repeat(400))),
  );
  const strategy = fc.constantFrom(constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED, constants.Z_HUFFMAN_ONLY);
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.integer({ min: 0, max: 9 }),
      strategy,
      fc.integer({ min: 1, max: 700 }),
      (list, level, how, step) => {
        const bytes = Buffer.concat(list);
        const packed = deflateRawSync(bytes, { level, strategy: how });
        let inflater = new Inflater(inflateStart, 512);
        const out: Buffer[] = [];
        for (let fed = 0, state = inflater.run(); state !== "end"; state = inflater.run()) {
          out.push(Buffer.from(inflater.take()));
          if (state === "output") {
            // Forget everything, and go on from the place that was noted.
            const place = inflater.state();
            inflater = new Inflater(place, 512);
            fed = Math.floor(place.bit / 8);
          }
          inflater.feed(packed.subarray(fed, fed + step), fed + step >= packed.length);
          fed += step;
        }
        out.push(Buffer.from(inflater.take()));
        expect(Buffer.concat(out).equals(bytes)).toBe(true);
      },
    ),
    { numRuns: 200 },
  );
});

test("any change to a tar or a gzip file ends as rows or entries, never as a throw", async () => {
  const folder = temporaryFolder();
  const tar = makeTar([
    pax({ path: "long" }),
    { name: "a.txt", content: "hello" },
    { name: "b.txt", content: "x".repeat(900) },
  ]);
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(changes, fc.boolean(), fc.nat(), async (list, packed, cut) => {
      const bytes = Buffer.from(packed ? gzipSync(tar) : tar);
      for (const [at, value] of list) bytes[at % bytes.length] = value;
      writeFileSync(join(folder, "x.tgz"), bytes.subarray(0, 1 + (cut % bytes.length)));
      const tree = await openTree([folder]);
      for (const entry of tree.entries) {
        await entry.readAll(1e6).catch((error: unknown) => expect(error).toMatchObject({ code: "damaged_file" }));
      }
      expect(tree.entries.length + tree.rows.length).toBeGreaterThan(0);
    }),
    { numRuns: 150 },
  );
});
