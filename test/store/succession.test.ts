import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { ImportedRecord } from "#contract";
import { freshStore, message, utc } from "./fixtures.ts";

/** Files that are known by their bytes, and are changed where they lie. */

const identityOf = (kind: "note" | "photo", bytes: string) =>
  `${kind}:${createHash("sha256").update(bytes).digest("hex")}`;

function file(kind: "note" | "photo", path: string, bytes: string, rest: Partial<ImportedRecord> = {}): ImportedRecord {
  return message(identityOf(kind, bytes), {
    kind,
    text: kind === "note" ? bytes : null,
    author: null,
    files: [{ path, offset: null, bytes: bytes.length, role: null }],
    ...rest,
  });
}

function library() {
  const store = freshStore();
  const { writer } = store;
  const read = (roots: readonly string[], records: readonly ImportedRecord[]) => {
    const importId = writer.beginImport({ jobId: "job", roots, files: [] });
    const items = records.map((record, cursor) => ({ type: "record", record, cursor }) as const);
    const result = writer.commit({ importId, importer: "test", claim: "all", items, cursor: null, done: true });
    writer.setImportStatus(importId, "done");
    return result;
  };
  return { writer, reader: writer.reader(), media: store.media, read };
}

describe("a file that has changed in its place", () => {
  test("is a new version of its record: the words of before are kept, and nothing comes twice", () => {
    const { reader, read } = library();
    read(["/vault"], [file("note", "idea.md", "A boat house.")]);
    const [before] = reader.getMany([1]);
    expect(read(["/vault"], [file("note", "idea.md", "A boat house with a red door.")])).toMatchObject({
      imported: 0,
      updated: 1,
    });
    const detail = reader.detail(before?.id ?? 0);
    expect(detail.record).toMatchObject({ version: 2, text: "A boat house with a red door." });
    expect(detail.record.identity).toBe(identityOf("note", "A boat house with a red door."));
    expect(detail.versions.map(({ text }) => text)).toContain("A boat house.");
    expect(reader.counts().records).toBe(1);
    expect(read(["/vault"], [file("note", "idea.md", "A boat house with a red door.")])).toMatchObject({
      duplicate: 1,
    });
  });

  test("leaves alone what a copy elsewhere still says, other folders, and other kinds", () => {
    const { reader, read } = library();
    read(["/vault"], [file("note", "a.md", "Same."), file("note", "b.md", "Same.")]);
    read(["/vault"], [file("note", "a.md", "Changed.")]);
    read(["/other"], [file("note", "a.md", "Third.")]);
    expect(reader.counts().records).toBe(3);
  });

  test("is another picture where a camera has counted from 1 again, and the same one where its time is the same", () => {
    const { reader, media, read } = library();
    const shot = (bytes: string, at: string) =>
      file("photo", "DCIM/IMG_0001.JPG", bytes, { time: { ...utc(at), source: "exif:DateTimeOriginal" } });
    read(["/card"], [shot("first", "2024-05-01T10:00:00Z")]);
    media.putThumbnail({ recordId: 1, mime: "image/webp", width: 1, height: 1, bytes: Uint8Array.of(1) });
    read(["/card"], [shot("first, turned", "2024-05-01T10:00:00Z")]);
    expect(reader.counts().records).toBe(1);
    expect(media.pendingThumbnails(5).map(({ recordId }) => recordId)).toEqual([1]);
    read(["/card"], [shot("of the summer", "2024-08-01T10:00:00Z")]);
    expect(reader.counts().records).toBe(2);
  });

  test("takes its parts along", () => {
    const { reader, read } = library();
    const clip = message("video:clip", {
      kind: "video",
      partOf: { identity: identityOf("note", "With a film."), role: "attachment" },
      files: [{ path: "clip.mov", offset: null, bytes: 1, role: null }],
    });
    read(["/vault"], [file("note", "film.md", "With a film."), clip]);
    read(["/vault"], [file("note", "film.md", "With a film, cut.")]);
    expect(reader.detail(1).related.map(({ relation, record }) => [relation, record.kind])).toEqual([
      ["attachment", "video"],
    ]);
  });
});
