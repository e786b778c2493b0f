import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ImportedRecord, UnderstoryError } from "#contract";
import { importers } from "#main/importers/register.ts";
import { openTree, planImport } from "#main/ingest/index.ts";
import { generateSample, storyMails } from "#main/sample/generate.ts";
import { mailboxes } from "#main/sample/mbox.ts";
import { pictureFile, picturePath } from "#main/sample/photo.ts";
import { loadQuestions, locatorOf } from "#main/sample/questions.ts";
import { pictures, places } from "#main/sample/story/pictures.ts";
import { readContext } from "#test/importers/memory-tree.ts";

let dir: string;
let result: { files: number; bytes: number };
const records: ImportedRecord[] = [];
const complaints: string[] = [];
const progress: [number, number][] = [];

/** Small pictures: their content is the same, and rendering is most of the time. */
const scale = 0.2;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "sample-"));
  result = await generateSample(dir, { scale, onProgress: (done, total) => progress.push([done, total]) });
  const tree = await openTree([dir]);
  const plan = await planImport(tree, [dir], importers);
  complaints.push(...plan.warnings, ...plan.rows.filter((row) => row.status !== "imported").map((row) => row.path));
  const signal = new AbortController().signal;
  for (const { importer, claim } of plan.claims) {
    const reader = importers.find(({ id }) => id === importer);
    if (!reader) throw new Error(`No importer ${importer}`);
    for await (const item of reader.read(claim, readContext(tree, { signal }))) {
      if (item.type === "record") records.push(item.record);
      else if (item.status !== "imported" || item.reason !== null) complaints.push(`${item.path}: ${item.reason}`);
    }
  }
}, 180_000);

afterAll(() => rmSync(dir, { recursive: true, force: true }));

const own = () => records.filter((record) => record.partOf === null);
const count = (kind: ImportedRecord["kind"]) => own().filter((record) => record.kind === kind).length;
const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe("the sample household", () => {
  test("is read by the product's own importers without a complaint", () => {
    expect(complaints).toEqual([]);
  });

  test("holds at least 180 mails, 170 messages and 60 pictures", () => {
    expect(count("email")).toBeGreaterThanOrEqual(180);
    expect(count("message")).toBeGreaterThanOrEqual(170);
    expect(count("photo")).toBe(pictures.length);
    expect(pictures.length).toBeGreaterThanOrEqual(60);
  });

  test("spans March 2023 to February 2025", () => {
    const days = own()
      .map(({ time }) => (time?.local ?? time?.utc ?? "").slice(0, 7))
      .sort();
    expect(days[0]).toBe("2023-03");
    expect(days.at(-1)).toBe("2025-02");
  });

  test("reports what it wrote", () => {
    const written = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(result.files).toBe(written.length);
    expect(result.bytes).toBe(
      written.reduce((sum, entry) => sum + readFileSync(join(entry.parentPath, entry.name)).byteLength, 0),
    );
    expect(progress.at(-1)).toEqual([result.files, result.files]);
  });

  test("answers every reply with a mail that is there", () => {
    const identities = new Set(own().map(({ identity }) => identity));
    const replies = own().filter((record) => record.kind === "email" && record.replyTo !== null);
    expect(replies.length).toBeGreaterThanOrEqual(40);
    for (const { replyTo } of replies) expect(identities).toContain(replyTo);
  });

  test("keeps umlauts in every transfer encoding", () => {
    const textOf = (id: string) => own().find(({ nativeId }) => nativeId?.includes(id))?.text ?? "";
    expect(textOf("hip-1@")).toContain("neue Hüfte");
    expect(textOf("ostern-danke@")).toContain("Kühlschrank");
    expect(textOf("ostern-1@")).toContain("Grüße");
  });

  test("writes capture time, zone, place and orientation as cameras do", () => {
    for (const picture of pictures) {
      const record = own().find((one) => locatorOf(one) === `photo:${picturePath(picture)}`);
      expect(record?.time?.local?.slice(0, 19)).toBe(picture.at.replace(" ", "T"));
      if (picture.camera === "phone") expect(record?.time?.offset).toMatch(/^\+0[012]:00$/);
      if (picture.place === null) expect(record?.place ?? null).toBeNull();
      else expect(record?.place?.lat).toBeCloseTo(places[picture.place].lat, 4);
      if (picture.shape === "portrait")
        expect(record?.props.size?.height).toBeGreaterThan(record?.props.size?.width ?? 0);
    }
  });
});

describe("the generator", () => {
  test("gives equal bytes for one seed", async () => {
    const again = mailboxes(storyMails());
    expect(digest(again.Inbox)).toBe(digest(readFileSync(join(dir, "mail", "Inbox.mbox"))));
    for (const id of ["kite", "menu", "route"]) {
      const picture = pictures.find((one) => one.id === id);
      if (!picture) throw new Error(`No picture ${id}`);
      const file = await pictureFile(picture, 1, scale);
      expect(digest(file)).toBe(digest(readFileSync(join(dir, ...picturePath(picture).split("/")))));
    }
  });

  test("gives other pictures for another seed", async () => {
    const [kite] = pictures;
    expect(digest(await pictureFile(kite, 2, 0.1))).not.toBe(digest(await pictureFile(kite, 1, 0.1)));
  });

  test("stops when it is told to", async () => {
    const target = mkdtempSync(join(tmpdir(), "sample-"));
    const failure = await generateSample(target, { signal: AbortSignal.abort() }).catch((error: unknown) => error);
    rmSync(target, { recursive: true, force: true });
    expect(failure).toBeInstanceOf(UnderstoryError);
    expect(failure).toMatchObject({ code: "cancelled" });
  });
});

describe("the questions", () => {
  const questions = loadQuestions();

  test("are at least 44, each with an id of its own", () => {
    expect(questions.length).toBeGreaterThanOrEqual(44);
    expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
  });

  test("point to records that are there exactly once", () => {
    const seen = new Map<string, number>();
    for (const record of own()) seen.set(locatorOf(record), (seen.get(locatorOf(record)) ?? 0) + 1);
    for (const { id, gold } of questions) {
      for (const locator of gold) expect([id, locator, seen.get(locator) ?? 0]).toEqual([id, locator, 1]);
      expect(new Set(gold).size).toBe(gold.length);
    }
  });

  test("have an answer and gold, or neither", () => {
    for (const { id, answer, gold, tags } of questions) {
      expect([id, answer === null]).toEqual([id, gold.length === 0]);
      expect([id, answer === null]).toEqual([id, tags.includes("unanswerable")]);
    }
    expect(questions.filter(({ answer }) => answer === null)).toHaveLength(4);
  });

  test("name the old value beside the new one where a fact has changed", () => {
    for (const { id, gold, tags } of questions) {
      if (tags.includes("changed") || tags.includes("contradiction"))
        expect([id, gold.length >= 2]).toEqual([id, true]);
    }
  });

  test("need recognised text only where they say so, six at most", () => {
    const ocr = questions.filter(({ needs }) => needs === "ocr");
    expect(ocr.length).toBeLessThanOrEqual(6);
    for (const { gold } of ocr) expect(gold.every((locator) => locator.startsWith("photo:"))).toBe(true);
  });
});
