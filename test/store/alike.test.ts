import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client, RecordId } from "#contract";
import { type App, openApp } from "#main/app.ts";
import { alikeReader, alikeWriter } from "#main/records/alike.ts";
import { attachMedia, openMediaReader } from "#main/records/media.ts";
import { mediaMigrations, recordsMigrations } from "#main/records/schema.ts";
import { openStore, type Store } from "#main/records/store.ts";
import type { MediaService } from "#main/workers/media.worker.ts";
import { connectService } from "#main/workers/service.ts";
import { spawnWorker } from "#main/workers/spawn.ts";
import { hashDistance } from "#native/picture-hash.ts";
import { column, migrate, openDatabase } from "#native/sqlite.ts";
import { archiveFiles, freshStore, importFiles, message } from "./fixtures.ts";

/** A scene of soft shapes, another one for each seed. */
function scene(seed: number, width = 960, height = 720): Sharp {
  let state = Math.imul(seed + 1, 2_654_435_761) >>> 0;
  const next = (most: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return ((state >>> 8) / 2 ** 24) * most;
  };
  const colour = () => `rgb(${next(255)},${next(255)},${next(255)})`;
  const shapes = Array.from(
    { length: 14 },
    () =>
      `<ellipse cx="${next(width)}" cy="${next(height)}" rx="${40 + next(300)}" ry="${40 + next(220)}" fill="${colour()}"/>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="${colour()}"/>${shapes.join("")}</svg>`;
  return sharp(Buffer.from(svg)).flatten({ background: "#fff" });
}

const alikeIn = (store: Store, id: RecordId) =>
  store.writer
    .reader()
    .detail(id)
    .related.filter(({ relation }) => relation === "looks_alike")
    .map(({ record }) => record.id);

describe("copies of one shot, imported", () => {
  let place: string;
  let app: App;
  const names = new Map<RecordId, string>();
  const idOf = (name: string) => [...names].find(([, one]) => one === name)?.[0] ?? 0;

  const files: Readonly<Record<string, () => Promise<Buffer>>> = {
    "beach.jpg": () => scene(1).jpeg({ quality: 92 }).toBuffer(),
    "beach again.jpg": () => scene(1).jpeg({ quality: 45 }).toBuffer(),
    "beach half.jpg": async () =>
      sharp(await scene(1).png().toBuffer())
        .resize(480)
        .jpeg()
        .toBuffer(),
    "beach.webp": () => scene(1).webp({ quality: 70 }).toBuffer(),
    "beach squeezed.jpg": async () =>
      sharp(await scene(1).png().toBuffer())
        .resize(600, 720, { fit: "fill" })
        .jpeg()
        .toBuffer(),
    "harbour.jpg": () => scene(2).jpeg().toBuffer(),
    "forest.jpg": () => scene(3).jpeg().toBuffer(),
    "grey.png": () =>
      sharp({ create: { width: 400, height: 300, channels: 3, background: "#888" } })
        .png()
        .toBuffer(),
    "white.png": () =>
      sharp({ create: { width: 800, height: 600, channels: 3, background: "#fff" } })
        .png()
        .toBuffer(),
    // Only what is opaque shows anything; the hidden pixels are all of one colour.
    "mark.png": async () => {
      const shape = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><ellipse cx="120" cy="90" rx="90" ry="60" fill="#036"/><rect x="230" y="170" width="120" height="90" fill="#c30"/></svg>`;
      return sharp(Buffer.from(shape)).png().toBuffer();
    },
  };

  async function quiet(client: Client): Promise<void> {
    for (let still = 0; still < 3; ) {
      const { jobs } = await client.call("jobs.list", {});
      const failed = jobs.find(({ state }) => state === "failed");
      if (failed) throw new Error(failed.error?.message);
      still = jobs.every(({ state }) => state === "done") ? still + 1 : 0;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async function alike(name: string): Promise<string[]> {
    const { related } = await app.client.call("records.get", { id: idOf(name) });
    const found = related.filter(({ relation }) => relation === "looks_alike");
    return found.map(({ record }) => names.get(record.id) ?? "").sort();
  }

  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), "understory-alike-"));
    await mkdir(join(place, "in"));
    for (const [name, draw] of Object.entries(files)) await writeFile(join(place, "in", name), await draw());
    app = await openApp({ archiveDir: join(place, "archive"), modelsDir: join(place, "models"), host: "browser" });
    const { client } = app;
    await client.call("archive.create", { name: "A", passphrase: "seven quiet lanterns" });
    const { planId } = await client.call("imports.plan", { paths: [join(place, "in")] });
    await client.call("imports.run", { planId });
    await quiet(client);
    const { records } = await client.call("records.page", {});
    for (const { id, files } of records) names.set(id, files[0]?.path.split("/").at(-1) ?? "");
  }, 120_000);

  afterAll(async () => {
    await app.close();
    await rm(place, { recursive: true, force: true });
  });

  test("stand beside each other: saved again, half as large, in another format", async () => {
    const copies = ["beach again.jpg", "beach half.jpg", "beach.jpg", "beach.webp"];
    for (const name of copies) expect(await alike(name)).toEqual(copies.filter((one) => one !== name));
  });

  test("are all in the library: none is hidden", async () => {
    const { records, total } = await app.client.call("library.list", { filter: {}, offset: 0, limit: 50 });
    expect(total).toBe(Object.keys(files).length);
    expect(records.map(({ id }) => names.get(id)).sort()).toEqual(Object.keys(files).sort());
  });

  test.each(["harbour.jpg", "forest.jpg", "beach squeezed.jpg", "grey.png", "white.png", "mark.png"])(
    "%s looks like none of the others",
    async (name) => {
      expect(await alike(name)).toEqual([]);
    },
  );

  test("pictures for the window carry nothing but what they show", async () => {
    const shown = await app.client.call("records.picture", { id: idOf("beach.jpg"), maxSide: 256 });
    expect(Object.keys(shown).sort()).toEqual(["bytes", "height", "mime", "recordId", "width"]);
  });

  test("one that is deleted is no longer told of, in the trash and for good", async () => {
    const id = idOf("beach half.jpg");
    await app.client.call("records.trash", { ids: [id] });
    expect(await alike("beach.jpg")).toEqual(["beach again.jpg", "beach.webp"]);
    await app.client.call("records.restore", { ids: [id] });
    expect(await alike("beach.jpg")).toContain("beach half.jpg");
    await app.client.call("records.trash", { ids: [id] });
    await app.client.call("records.erase", { ids: [id] });
    expect(await alike("beach.jpg")).toEqual(["beach again.jpg", "beach.webp"]);
  });
});

const photo = (identity: string, rest = {}) => message(identity, { kind: "photo", text: null, ...rest });
const thumbnail = { mime: "image/webp", width: 400, height: 300, bytes: Uint8Array.of(1) };

describe("which pictures look alike", () => {
  test("those whose hashes differ in at most six bits, the nearest first, and whose shapes agree", () => {
    const store = freshStore();
    importFiles(store, { "a.jpg": ["p:1", "p:2", "p:3", "p:4", "p:5", "p:6"].map((identity) => photo(identity)) });
    const base = 0xf0e1_d2c3_b4a5_9687n;
    const put = (recordId: RecordId, hash: bigint, shape = {}) =>
      store.media.putThumbnail({ recordId, ...thumbnail, ...shape, hash });
    put(1, base);
    put(2, base ^ 0x8001_0010_0100_1001n);
    put(3, base ^ 1n);
    put(4, base ^ 0x8101_0110_0100_1001n);
    put(5, base, { width: 300, height: 400 });
    put(6, base, { width: 401 });
    expect(alikeIn(store, 1)).toEqual([6, 3, 2]);
    expect(alikeIn(store, 5)).toEqual([]);
  });

  test("pictures without anything to see are like nothing, not even like each other", () => {
    const store = freshStore();
    importFiles(store, { "a.jpg": [photo("p:1"), photo("p:2")] });
    for (const recordId of [1, 2]) store.media.putThumbnail({ recordId, ...thumbnail, hash: 0n });
    expect(alikeIn(store, 1)).toEqual([]);
    expect(store.media.pendingThumbnails(9)).toEqual([]);
  });

  test("a part is told of as a part, and only so", () => {
    const store = freshStore();
    const edited = photo("p:2", { partOf: { identity: "p:1", role: "edited" } });
    importFiles(store, { "a.jpg": [photo("p:1"), edited, photo("p:3")] });
    for (const recordId of [1, 2, 3]) store.media.putThumbnail({ recordId, ...thumbnail, hash: 77n });
    const told = (id: RecordId) =>
      store.writer
        .reader()
        .detail(id)
        .related.map(({ relation, record }) => `${relation} ${record.id}`);
    expect(told(1)).toEqual(["attachment 2", "looks_alike 3"]);
    expect(told(2)).toEqual(["attachment_of 1", "looks_alike 3"]);
  });

  test("a picture that is rendered anew is like others", () => {
    const store = freshStore();
    importFiles(store, { "a.jpg": [photo("p:1"), photo("p:2")] });
    for (const recordId of [1, 2]) store.media.putThumbnail({ recordId, ...thumbnail, hash: 77n });
    expect(alikeIn(store, 1)).toEqual([2]);
    store.media.putThumbnail({ recordId: 2, ...thumbnail, hash: ~77n & (2n ** 64n - 1n) });
    expect(alikeIn(store, 1)).toEqual([]);
  });

  test("the bands find all that comparing every pair would find", () => {
    const files = archiveFiles();
    const db = openDatabase({ path: files.recordsPath, key: files.key, cipher: files.cipher, create: true });
    migrate(db, recordsMigrations);
    attachMedia(db, files);
    const [reader, writer] = [alikeReader(() => db), alikeWriter(db)];
    const add = db.command(
      "INSERT INTO media.thumbnail (record_id, status, attempts, width, height) VALUES (?, 'done', 1, 4, 3)",
    );
    const most = 24;
    for (let id = 1; id <= most; id++) add.run(id);
    const flips = fc.array(fc.integer({ min: 0, max: 63 }), { maxLength: 10 });
    const copies = fc.tuple(
      fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
      fc.array(flips, { minLength: 1, maxLength: most - 1 }),
    );
    fc.assert(
      fc.property(copies, ([base, flipped]) => {
        const hashes = [[], ...flipped].map((bits) => bits.reduce((hash, bit) => hash ^ (1n << BigInt(bit)), base));
        writer.drop(Array.from({ length: most }, (_, i) => i + 1));
        for (const [i, hash] of hashes.entries()) writer.put(i + 1, hash);
        const near = hashes.flatMap((hash, i) =>
          i > 0 && hash !== 0n && hashDistance(hash, base) <= 6 ? [i + 1] : [],
        );
        expect(reader.lookalikes(1, most).sort((a, b) => a - b)).toEqual(near);
      }),
      { numRuns: 60 },
    );
    db.close();
  });
});

test("erasing a record removes its hash", () => {
  const files = archiveFiles();
  const store = freshStore(files);
  importFiles(store, { "a.jpg": [photo("p:1"), photo("p:2")] });
  for (const recordId of [1, 2]) store.media.putThumbnail({ recordId, ...thumbnail, hash: 77n });
  store.writer.trash([1]);
  store.writer.erase([1]);
  const db = openDatabase({ path: files.mediaPath, key: files.key, cipher: files.cipher, readonly: true });
  expect(db.query("SELECT record_id FROM picture_hash", (row) => column.number(row, "record_id")).all()).toEqual([2]);
  db.close();
});

test("thumbnails that an older version kept get their hashes without their originals", async () => {
  const files = archiveFiles();
  const before = openStore(files);
  importFiles(before, {
    "a.jpg": ["p:1", "p:2", "p:3", "p:4"].map((one) => photo(one)),
    "f.mp4": [message("v", { kind: "video" })],
  });
  before.close();
  for (const end of ["", "-wal", "-shm"]) await rm(`${files.mediaPath}${end}`, { force: true });
  const old = openDatabase({ path: files.mediaPath, key: files.key, cipher: files.cipher, create: true });
  migrate(old, mediaMigrations.slice(0, 2));
  const add = old.command("INSERT INTO thumbnail VALUES (?, 'done', 1, NULL, 'image/webp', ?, ?, ?)");
  const picture = scene(1, 512, 384).webp();
  add.run(1, 512, 384, await picture.clone().toBuffer());
  add.run(
    2,
    256,
    192,
    await sharp(await picture.clone().toBuffer())
      .resize(256)
      .webp()
      .toBuffer(),
  );
  add.run(3, 512, 384, Uint8Array.of(1, 2, 3));
  add.run(5, 512, 384, await picture.clone().toBuffer());
  old
    .command("INSERT INTO thumbnail (record_id, status, attempts, reason) VALUES (4, 'failed', 1, 'No decoder.')")
    .run();
  old.close();

  const { media, ...store } = freshStore(files);
  const worker = spawnWorker("media");
  const pictures = connectService<MediaService>(worker, "media");
  const pending = media.pendingThumbnails(9);
  // A film has no hash, and what failed waits until it is asked for.
  expect(pending.map(({ recordId }) => recordId)).toEqual([3, 2, 1]);
  for (const { recordId, kept } of pending) {
    if (!kept) throw new Error("The thumbnail is there.");
    try {
      media.putThumbnail({ ...kept, hash: await pictures.hash({ bytes: kept.bytes }) });
    } catch {
      media.failThumbnail(recordId, "It cannot be read.");
    }
  }
  await worker.terminate();
  expect(media.pendingThumbnails(9)).toEqual([]);
  expect(alikeIn({ media, ...store }, 1)).toEqual([2]);
  const reader = openMediaReader(files);
  expect(reader.having([1, 2, 3, 4, 5])).toEqual(new Set([1, 2, 3, 5]));
  expect(reader.lookalikes(1, 9)).toEqual([2]);
  reader.close();
}, 30_000);
