import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { limits, UnderstoryError } from "#contract";

import { BaseEntry, damaged, type EntryFacts, errnoOf, type TreeShared, unreadable } from "./entry.ts";
import { safePath } from "./names.ts";
import { deriveFileKey, plainBytes, readSealed, SealedWriter } from "./sealed.ts";

/**
 * Files that come from a browser, where no path is known: kept sealed in the archive's folder, one folder an upload.
 * Names and times stand in a sealed index that is written last, so a folder without one was never finished.
 */

const indexName = "index.sealed";
const indexId = "index";
const maxChunkBytes = 32 * 1024 * 1024;
const maxOpenFiles = 64;
const idPattern = /^[0-9a-f]{32}$/;

const indexSchema = z.array(
  z.object({
    id: z.string(),
    path: z.string(),
    bytes: z.number().int().nonnegative(),
    modified: z.number().nullable(),
  }),
);
type IndexRow = z.infer<typeof indexSchema>[number];

export interface Uploads {
  begin(): Promise<{ uploadId: string }>;
  /** Throws `unsafe_path`, `bad_request` (a chunk out of order), `limit_exceeded`, `disk_full`, `not_found`. */
  chunk(input: {
    uploadId: string;
    path: string;
    offset: number;
    bytes: Uint8Array;
    last: boolean;
    modified: number | null;
  }): Promise<void>;
  /** The upload's folder, a root for `openTree`. Throws `conflict` while a file is not complete. */
  finish(input: { uploadId: string }): Promise<{ path: string }>;
  discard(input: { uploadId: string }): Promise<void>;
  /** Removes what a killed process left unfinished. Gives the number of folders removed. */
  sweep(): Promise<number>;
}

interface OpenUpload {
  readonly folder: string;
  readonly writing: Map<string, { id: string; writer: SealedWriter }>;
  readonly complete: Map<string, IndexRow>;
  nextFile: number;
  /** Calls of one upload run one after another, in the order in which they came. */
  last: Promise<unknown>;
}

/** `folder` is the archive's `uploads` folder; `key` comes from `deriveUploadKey`. */
export function createUploads(options: { folder: string; key: Uint8Array; maxFiles?: number }): Uploads {
  const { folder, key, maxFiles = limits.entries } = options;
  const uploads = new Map<string, OpenUpload>();

  function inOrder<T>(uploadId: string, work: (upload: OpenUpload) => Promise<T>): Promise<T> {
    const upload = uploads.get(uploadId);
    if (!upload) return Promise.reject(noUpload());
    const result = upload.last.then(() => {
      if (uploads.get(uploadId) !== upload) throw noUpload();
      return work(upload);
    });
    upload.last = result.catch(() => undefined);
    return result;
  }

  async function beginFile(upload: OpenUpload, uploadId: string, path: string) {
    if (upload.writing.size >= maxOpenFiles) {
      throw new UnderstoryError("limit_exceeded", `At most ${maxOpenFiles} files of one upload are open at once.`, {
        hint: "Finish one file before the next begins.",
      });
    }
    if (upload.complete.size + upload.writing.size >= maxFiles) {
      throw new UnderstoryError("limit_exceeded", `An upload has at most ${maxFiles} files.`, {
        hint: "What has arrived is kept. Finish this upload and begin another.",
      });
    }
    // A file begun again gets a new number and so a new key: no key ever seals two contents.
    const id = String(upload.nextFile++);
    const file = await open(join(upload.folder, `${id}.sealed`), "wx", 0o600);
    const state = { id, writer: new SealedWriter(file, deriveFileKey(key, uploadId, id)) };
    upload.writing.set(path, state);
    return state;
  }

  return {
    async begin() {
      const uploadId = randomBytes(16).toString("hex");
      const place = join(folder, uploadId);
      try {
        await mkdir(place, { recursive: true, mode: 0o700 });
      } catch (error) {
        throw storageError(error);
      }
      uploads.set(uploadId, {
        folder: place,
        writing: new Map(),
        complete: new Map(),
        nextFile: 1,
        last: Promise.resolve(),
      });
      return { uploadId };
    },

    chunk: (input) =>
      inOrder(input.uploadId, async (upload) => {
        const checked = safePath(input.path);
        if (!checked.ok) {
          throw new UnderstoryError("unsafe_path", `A file of the upload is refused: ${checked.reason}`, {
            hint: "The other files of the upload are kept.",
          });
        }
        const { path } = checked;
        if (input.bytes.length > maxChunkBytes) {
          throw new UnderstoryError("limit_exceeded", `A piece of ${path} is larger than ${maxChunkBytes} bytes.`, {
            hint: "Send the file in smaller pieces.",
          });
        }
        const known = upload.writing.get(path);
        const again = input.offset === 0 && known?.writer.bytes !== 0;
        const expected = again ? 0 : (known?.writer.bytes ?? 0);
        if (input.offset !== expected) {
          throw new UnderstoryError("bad_request", `A piece of ${path} came out of order.`, {
            hint: "What has arrived is kept. Go on at the offset that is expected, or begin the file again at 0.",
            details: { path, expected, offset: input.offset },
          });
        }
        try {
          if (again) {
            upload.writing.delete(path);
            await known?.writer.abandon();
          }
          const state = (again ? undefined : known) ?? (await beginFile(upload, input.uploadId, path));
          await state.writer.write(input.bytes);
          if (!input.last) return;
          upload.writing.delete(path);
          await state.writer.finish();
          upload.complete.set(path, {
            id: state.id,
            path,
            bytes: state.writer.bytes,
            modified: input.modified,
          });
        } catch (error) {
          const broken = upload.writing.get(path);
          upload.writing.delete(path);
          await broken?.writer.abandon();
          throw storageError(error);
        }
      }),

    finish: ({ uploadId }) =>
      inOrder(uploadId, async (upload) => {
        const [unfinished] = upload.writing.keys();
        if (unfinished !== undefined) {
          throw new UnderstoryError("conflict", `${unfinished} has not arrived completely.`, {
            hint: "Send its last piece, or discard the upload.",
            details: { path: unfinished },
          });
        }
        try {
          const temporary = join(upload.folder, `${indexName}.new`);
          const file = await open(temporary, "wx", 0o600);
          const writer = new SealedWriter(file, deriveFileKey(key, uploadId, indexId));
          await writer.write(Buffer.from(JSON.stringify([...upload.complete.values()])));
          await writer.finish();
          await rename(temporary, join(upload.folder, indexName));
        } catch (error) {
          throw storageError(error);
        }
        uploads.delete(uploadId);
        return { path: upload.folder };
      }),

    async discard({ uploadId }) {
      if (!idPattern.test(uploadId)) throw noUpload();
      const upload = uploads.get(uploadId);
      uploads.delete(uploadId);
      await upload?.last;
      for (const { writer } of upload?.writing.values() ?? []) await writer.abandon();
      await rm(join(folder, uploadId), { recursive: true, force: true });
    },

    async sweep() {
      const names = await readdir(folder).catch(() => []);
      let removed = 0;
      for (const name of names) {
        if (!idPattern.test(name) || uploads.has(name)) continue;
        const finished = await stat(join(folder, name, indexName)).then(
          () => true,
          () => false,
        );
        if (finished) continue;
        await rm(join(folder, name), { recursive: true, force: true });
        removed++;
      }
      return removed;
    },
  };
}

function noUpload(): UnderstoryError {
  return new UnderstoryError("not_found", "There is no such upload.", { hint: "Begin a new upload." });
}

/** What a failed write means for a person. */
export function storageError(error: unknown): UnderstoryError {
  if (error instanceof UnderstoryError) return error;
  const code = errnoOf(error);
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new UnderstoryError("disk_full", "The disk is full.", {
      hint: "Nothing in your archive is changed. Make room, then discard this upload and begin it again.",
      cause: error,
    });
  }
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") {
    return new UnderstoryError("not_writable", "The archive's folder cannot be written to.", {
      hint: "Nothing in your archive is changed. Check the permissions of the folder.",
      cause: error,
    });
  }
  return new UnderstoryError("internal", `An upload could not be stored (${code ?? String(error)}).`, {
    hint: "Nothing in your archive is changed. Discard this upload and begin it again.",
    cause: error,
  });
}

class SealedEntry extends BaseEntry {
  readonly #disk: string;
  readonly #key: Uint8Array;

  constructor(facts: EntryFacts, disk: string, key: Uint8Array, shared: TreeShared) {
    super(facts, shared);
    this.#disk = disk;
    this.#key = key;
  }

  protected override async *open(start: number, end: number): AsyncIterable<Uint8Array> {
    const file = await open(this.#disk, "r").catch((error: unknown) => {
      throw unreadable(this.path, error);
    });
    try {
      yield* readSealed(file, this.#key, this.bytes, start, end);
    } catch (error) {
      throw damaged(this.path, "its sealed bytes were changed or cut off after the upload.", error);
    } finally {
      await file.close();
    }
  }
}

/** Whether a folder on disk is a finished upload. */
export const isUploadFolder = (folder: string): Promise<boolean> =>
  stat(join(folder, indexName)).then(
    (found) => found.isFile() && idPattern.test(folder.split(/[/\\]/).at(-1) ?? ""),
    () => false,
  );

/** The files of a finished upload, with the paths (behind `prefix`) and times they had where they came from. Throws `damaged_file`. */
export async function readUpload(
  folder: string,
  key: Uint8Array,
  shared: TreeShared,
  prefix: string,
): Promise<BaseEntry[]> {
  const uploadId = folder.split(/[/\\]/).at(-1) ?? "";
  const place = join(folder, indexName);
  try {
    const bytes = plainBytes((await stat(place)).size);
    if (bytes === null) throw new Error("its size is not one of a sealed file");
    const index = new SealedEntry(
      { path: indexName, bytes, modified: null },
      place,
      deriveFileKey(key, uploadId, indexId),
      shared,
    );
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await index.readAll(Number.MAX_SAFE_INTEGER));
    const rows = indexSchema.parse(JSON.parse(text));
    return rows.map((row) => {
      const facts = { ...row, path: prefix + row.path };
      return new SealedEntry(facts, join(folder, `${row.id}.sealed`), deriveFileKey(key, uploadId, row.id), shared);
    });
  } catch (error) {
    throw damaged("The upload", "its list of files cannot be read.", error);
  }
}
