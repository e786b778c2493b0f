import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createUploads, deriveUploadKey, openEntry, openTree, type Uploads } from "#main/ingest/index.ts";
import { blockBytes, plainBytes } from "#main/ingest/sealed.ts";
import { storageError } from "#main/ingest/uploads.ts";
import { temporaryFolder, textOf } from "./folders.ts";
import { makeZip } from "./zip-maker.ts";

const key = deriveUploadKey(new Uint8Array(32).fill(7));

async function send(uploads: Uploads, uploadId: string, path: string, content: Uint8Array, pieces: readonly number[]) {
  let offset = 0;
  for (const piece of [...pieces, content.length]) {
    const bytes = content.subarray(offset, offset + piece);
    const last = offset + bytes.length === content.length;
    await uploads.chunk({ uploadId, path, offset, bytes, last, modified: 1_600_000_000_000 });
    offset += bytes.length;
    if (last) return;
  }
}

async function upload(files: Readonly<Record<string, Uint8Array | string>>) {
  const folder = temporaryFolder();
  const uploads = createUploads({ folder, key });
  const { uploadId } = await uploads.begin();
  for (const [path, content] of Object.entries(files)) await send(uploads, uploadId, path, Buffer.from(content), []);
  return { folder, uploads, uploadId, ...(await uploads.finish({ uploadId })) };
}

/** The sealed file of the only file uploaded. */
const sealedFile = (root: string) => join(root, "1.sealed");

describe("an upload", () => {
  test("is a root with the paths and times that its files had", async () => {
    const { path } = await upload({ "trip/day 1/a.txt": "sun", "b.txt": "rain" });
    const tree = await openTree([path], { uploadKey: key });
    expect(tree.entries.map((entry) => [entry.path, entry.bytes, entry.modified])).toEqual([
      ["b.txt", 4, 1_600_000_000_000],
      ["trip/day 1/a.txt", 3, 1_600_000_000_000],
    ]);
    expect(await textOf(tree.get("trip/day 1/a.txt"))).toBe("sun");
    expect(await textOf(await openEntry(path, "b.txt", { uploadKey: key }))).toBe("rain");
  });

  test("gives any bytes back, whatever the pieces they came in, whole and by range", async () => {
    const sizes = fc.constantFrom(1, 2, blockBytes - 1, blockBytes, blockBytes + 1, 2 * blockBytes, 3 * blockBytes + 5);
    await fc.assert(
      fc.asyncProperty(
        sizes,
        fc.nat(255),
        fc.array(fc.integer({ min: 1, max: 90_000 }), { maxLength: 5 }),
        fc.nat(),
        fc.nat(),
        async (size, seed, pieces, a, b) => {
          const content = Uint8Array.from({ length: size }, (_, index) => (index * 31 + seed + (index >> 8)) & 255);
          const uploads = createUploads({ folder: temporaryFolder(), key });
          const { uploadId } = await uploads.begin();
          await send(uploads, uploadId, "x.bin", content, pieces);
          const { path } = await uploads.finish({ uploadId });
          const entry = await openEntry(path, "x.bin", { uploadKey: key });
          expect(Buffer.from(await entry.readAll(1e9)).equals(content)).toBe(true);
          const [start, end] = [a % (size + 1), b % (size + 1)];
          const parts: Uint8Array[] = [];
          for await (const part of entry.stream({ start, end })) parts.push(part);
          expect(Buffer.concat(parts).equals(content.slice(start, Math.max(start, end)))).toBe(true);
        },
      ),
      { numRuns: 20 },
    );
  });

  test("shows nothing of names or content on the disk", async () => {
    const { path } = await upload({ "diary-of-mara.txt": "the plum tree" });
    for (const name of readdirSync(path)) {
      const raw = readFileSync(join(path, name)).toString("latin1");
      expect(name + raw).not.toMatch(/mara|plum/);
    }
  });

  test("may hold zips, opened like on disk", async () => {
    const zip = makeZip([{ name: "in.txt", content: "inside ".repeat(20_000), deflate: true }]);
    const { path } = await upload({ "box.zip": zip });
    const tree = await openTree([path], { uploadKey: key });
    expect(await textOf(tree.get("box.zip/in.txt"))).toBe("inside ".repeat(20_000));
    expect(await textOf(await openEntry(path, "box.zip/in.txt", { uploadKey: key }))).toHaveLength(140_000);
  });

  test("needs its key", async () => {
    const { path } = await upload({ "a.txt": "a" });
    await expect(openTree([path])).rejects.toMatchObject({ code: "path_unreadable" });
    const other = deriveUploadKey(new Uint8Array(32));
    await expect(openTree([path], { uploadKey: other })).rejects.toMatchObject({ code: "damaged_file" });
  });

  test("with one changed bit, a missing end or exchanged blocks is damaged, never wrong", async () => {
    const content = new Uint8Array(3 * blockBytes).map((_, index) => index >> 16);
    const change: ((file: string) => void)[] = [
      (file) => {
        const raw = readFileSync(file);
        raw[100] = (raw[100] ?? 0) ^ 1;
        writeFileSync(file, raw);
      },
      (file) => truncateSync(file, statSync(file).size - 24),
      (file) => truncateSync(file, 2 * (blockBytes + 16) + 24),
      (file) => {
        const raw = readFileSync(file);
        const first = Buffer.from(raw.subarray(0, blockBytes + 16));
        raw.copyWithin(0, blockBytes + 16, 2 * (blockBytes + 16));
        first.copy(raw, blockBytes + 16);
        writeFileSync(file, raw);
      },
    ];
    for (const tamper of change) {
      const { path } = await upload({ "a.jpg": content });
      tamper(sealedFile(path));
      const entry = await openEntry(path, "a.jpg", { uploadKey: key });
      await expect(entry.readAll(1e9)).rejects.toMatchObject({ code: "damaged_file" });
    }
  });
});

describe("while an upload runs", () => {
  const piece = { offset: 0, bytes: new Uint8Array(3), last: false, modified: null };

  test("pieces come in order, a file may begin again, and all must be complete", async () => {
    const folder = temporaryFolder();
    const uploads = createUploads({ folder, key });
    const { uploadId } = await uploads.begin();
    const chunk = (more: Partial<Parameters<Uploads["chunk"]>[0]>) =>
      uploads.chunk({ uploadId, path: "a.txt", ...piece, ...more });
    await chunk({});
    await expect(chunk({ offset: 7 })).rejects.toMatchObject({ code: "bad_request", details: { expected: 3 } });
    await expect(uploads.finish({ uploadId })).rejects.toMatchObject({ code: "conflict" });
    await chunk({ offset: 0, bytes: Buffer.from("again"), last: true });
    const { path } = await uploads.finish({ uploadId });
    expect(await textOf(await openEntry(path, "a.txt", { uploadKey: key }))).toBe("again");
    await expect(chunk({})).rejects.toMatchObject({ code: "not_found" });
  });

  test.each(["../a", "a/../../b", "/etc/passwd", "C:\\a", "\\\\host\\a", "a\u0000b", "."])(
    "the path %j is refused",
    async (path) => {
      const uploads = createUploads({ folder: temporaryFolder(), key });
      const { uploadId } = await uploads.begin();
      await expect(uploads.chunk({ uploadId, path, ...piece })).rejects.toMatchObject({ code: "unsafe_path" });
    },
  );

  test("the number of files is capped", async () => {
    const uploads = createUploads({ folder: temporaryFolder(), key, maxFiles: 1 });
    const { uploadId } = await uploads.begin();
    await uploads.chunk({ uploadId, path: "a", ...piece, last: true });
    await expect(uploads.chunk({ uploadId, path: "b", ...piece })).rejects.toMatchObject({ code: "limit_exceeded" });
  });

  test("discarding removes all of it, and a killed one is swept away at the next start", async () => {
    const folder = temporaryFolder();
    const uploads = createUploads({ folder, key });
    const dropped = await uploads.begin();
    await uploads.chunk({ uploadId: dropped.uploadId, path: "a", ...piece });
    await uploads.discard(dropped);
    expect(readdirSync(folder)).toEqual([]);
    await expect(uploads.discard({ uploadId: "../.." })).rejects.toMatchObject({ code: "not_found" });

    const killed = await uploads.begin();
    await uploads.chunk({ uploadId: killed.uploadId, path: "a", ...piece });
    const kept = await uploads.begin();
    await uploads.chunk({ uploadId: kept.uploadId, path: "a", ...piece, last: true });
    await uploads.finish(kept);
    expect(await createUploads({ folder, key }).sweep()).toBe(1);
    expect(readdirSync(folder)).toEqual([kept.uploadId]);
    await uploads.discard(killed);
  });

  test("a folder that cannot be written and a full disk have their own codes", async () => {
    expect(storageError(Object.assign(new Error("x"), { code: "ENOSPC" }))).toMatchObject({ code: "disk_full" });
    expect(storageError(Object.assign(new Error("x"), { code: "EROFS" }))).toMatchObject({ code: "not_writable" });
    const folder = temporaryFolder();
    const uploads = createUploads({ folder, key });
    const { uploadId } = await uploads.begin();
    rmSync(join(folder, uploadId), { recursive: true });
    await expect(uploads.chunk({ uploadId, path: "a", ...piece })).rejects.toMatchObject({ code: "internal" });
  });
});

test("the size of a sealed file tells the size of what is in it", () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), (bytes) => {
      expect(plainBytes(bytes + 16 * Math.ceil(bytes / blockBytes) + 24)).toBe(bytes);
    }),
  );
  expect(plainBytes(10)).toBe(null);
  expect(plainBytes(24 + 16)).toBe(null);
});
