import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { UnderstoryError } from "#contract";
import { type Cipher, lockFile } from "#native/sqlite.ts";
import {
  type Keychain,
  type KeyFile,
  makeKeyFile,
  openKeyFile,
  parseKeyFile,
  passphraseSlot,
  type ScryptCost,
  type UnlockWith,
  writeKeyFile,
} from "./keyring.ts";
import type { ArchiveFiles } from "./ports.ts";
import { openStore } from "./store.ts";

/** An archive is a folder: a key file, the record store, and what is derived from it. */

const keyFileName = "archive.json";
const recordsName = "records.db";
const lockName = "archive.lock";
const mostKeyFileBytes = 64 * 1024;
/** What may lie in a folder that is to become an archive: our lock, and what systems drop everywhere. */
const harmless = /^(archive\.lock|archive\.json\.new-|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/;

export type UnlockMethod = UnlockWith["with"];

export type ArchiveInspection =
  | { readonly state: "none" }
  | {
      readonly state: "locked";
      readonly id: string;
      readonly name: string;
      readonly unlockWith: readonly UnlockMethod[];
    };

/** What lies in `dir`, without any key. Errors: `archive_damaged` and `archive_newer`, naming the key file. */
export async function inspectArchive(dir: string, keychain?: Keychain): Promise<ArchiveInspection> {
  if (!existsSync(join(dir, keyFileName))) return { state: "none" };
  const { id, name, keychain: slot } = await loadKeyFile(dir);
  const unlockWith: UnlockMethod[] = ["passphrase", "recovery"];
  if (slot && keychain?.available() === true) unlockWith.unshift("keychain");
  return { state: "locked", id, name, unlockWith };
}

/**
 * Makes an archive in `dir` (made when absent). The recovery code is in this answer and never again; `keychain` says why the
 * keychain was not used, or is null when it was. Errors: `archive_exists`, `not_writable`, `weak_passphrase`, `disk_full`.
 */
export async function createArchive(
  dir: string,
  options: { name: string; passphrase: string; keychain?: Keychain; cost?: ScryptCost },
): Promise<{ recoveryCode: string; keychain: string | null }> {
  await prepareFolder(dir);
  const { file, key, recoveryCode, keychain } = await makeKeyFile(options);
  const files = filesOf(dir, key, file.cipher);
  // The key file comes last: a folder with one is a whole archive.
  try {
    const store = openStore(files);
    store.writer.audit("archive.create", { keychain: file.keychain !== null });
    store.close();
    await saveKeyFile(dir, file);
  } catch (error) {
    for (const path of [files.recordsPath, files.mediaPath]) {
      for (const suffix of ["", "-wal", "-shm"]) await rm(path + suffix, { force: true });
    }
    throw error;
  }
  return { recoveryCode, keychain };
}

/**
 * Gives the archive's key and file names; opens nothing else. Errors: `no_archive`, `wrong_passphrase`, `wrong_recovery_code`,
 * `keychain_unavailable`, `archive_damaged`, `archive_newer`.
 */
export async function unlockArchive(dir: string, how: UnlockWith, keychain?: Keychain): Promise<ArchiveFiles> {
  const file = await loadKeyFile(dir);
  const files = filesOf(dir, await openKeyFile(file, how, keychain), file.cipher);
  if (existsSync(files.recordsPath)) return files;
  throw new UnderstoryError("archive_damaged", `${recordsName} is missing from ${dir}.`, {
    hint: "Nothing was changed. Put the file back, or restore the archive from a backup.",
    details: { path: files.recordsPath },
  });
}

/** Sets a new passphrase; the old one opens nothing afterwards. Errors: those of `unlockArchive`, and `weak_passphrase`. */
export async function changePassphrase(
  dir: string,
  how: UnlockWith,
  passphrase: string,
  keychain?: Keychain,
): Promise<void> {
  const file = await loadKeyFile(dir);
  const key = await openKeyFile(file, how, keychain);
  await saveKeyFile(dir, { ...file, passphrase: await passphraseSlot(file.id, key, passphrase, file.passphrase.cost) });
}

/** Lets the keychain open the archive too. Refused with `keychain_unavailable` where it would protect nothing. */
export async function enableKeychain(dir: string, how: UnlockWith, keychain: Keychain): Promise<void> {
  const available = keychain.available();
  if (available !== true) {
    throw new UnderstoryError("keychain_unavailable", available, {
      hint: "Nothing was changed. The passphrase and the recovery code go on opening the archive.",
    });
  }
  const file = await loadKeyFile(dir);
  const key = await openKeyFile(file, how, keychain);
  await saveKeyFile(dir, { ...file, keychain: { wrapped: await keychain.wrap(key) } });
}

/** Holds the archive for this process; a second one is refused with `archive_in_use`. Freed by kill -9 too. */
export function acquireLock(dir: string): { release(): void } {
  return lockFile(join(dir, lockName));
}

/** Where the files of the archive in `dir` lie. */
export function filesOf(dir: string, key: Uint8Array, cipher: Cipher): ArchiveFiles {
  return {
    recordsPath: join(dir, recordsName),
    indexPath: join(dir, "index.db"),
    mediaPath: join(dir, "media.db"),
    key,
    cipher,
  };
}

/** Makes the folder; refuses one that holds anything of somebody else's, or an archive. */
async function prepareFolder(dir: string): Promise<void> {
  let present: string[];
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    present = await readdir(dir);
  } catch (cause) {
    throw new UnderstoryError("not_writable", `${dir} cannot be made or read as a folder.`, {
      hint: "Nothing was changed. Choose a folder that you may write to.",
      details: { path: dir },
      cause,
    });
  }
  if (present.includes(keyFileName)) {
    throw new UnderstoryError("archive_exists", `There is an archive in ${dir} already.`, {
      hint: "Nothing was changed. Unlock it, or choose another folder for a new one.",
      details: { path: dir },
    });
  }
  if (present.includes(recordsName)) {
    throw new UnderstoryError("archive_exists", `${dir} holds ${recordsName}, but not the key file ${keyFileName}.`, {
      hint: `Nothing was changed. Put ${keyFileName} back from a backup, or choose another folder.`,
      details: { path: dir },
    });
  }
  const foreign = present.find((name) => !harmless.test(name));
  if (foreign !== undefined) {
    throw new UnderstoryError("not_writable", `${dir} holds other files (${foreign}).`, {
      hint: "Nothing was changed. Choose an empty folder for the archive.",
      details: { path: dir },
    });
  }
}

async function loadKeyFile(dir: string): Promise<KeyFile> {
  const path = join(dir, keyFileName);
  if (!existsSync(path)) {
    throw new UnderstoryError("no_archive", `There is no archive in ${dir}.`, {
      hint: "Make a new archive there, or choose the folder that holds yours.",
      details: { path: dir },
    });
  }
  const { size } = await stat(path);
  const file = size <= mostKeyFileBytes ? parseKeyFile(await readFile(path, "utf8")) : null;
  if (file === "newer") {
    throw new UnderstoryError("archive_newer", `${keyFileName} was written by a newer Understory.`, {
      hint: "Nothing was changed. Install the newest Understory to open this archive.",
      details: { path },
    });
  }
  if (file) return file;
  throw new UnderstoryError("archive_damaged", `The key file ${keyFileName} in ${dir} is damaged.`, {
    hint: "Nothing was overwritten. Put the key file back from a backup: the records themselves may be whole.",
    details: { path },
  });
}

/** Written aside, flushed, then renamed over the old one: at any moment one whole key file is there. */
async function saveKeyFile(dir: string, file: KeyFile): Promise<void> {
  const path = join(dir, keyFileName);
  const fresh = `${path}.new-${randomUUID()}`;
  try {
    const handle = await open(fresh, "wx", 0o600);
    try {
      await handle.writeFile(writeKeyFile(file));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(fresh, path);
  } catch (cause) {
    await rm(fresh, { force: true });
    const full = cause instanceof Error && "code" in cause && cause.code === "ENOSPC";
    throw new UnderstoryError(full ? "disk_full" : "not_writable", `${keyFileName} cannot be written in ${dir}.`, {
      hint: "Nothing was changed. Make room, or check that you may write to this folder.",
      details: { path },
      cause,
    });
  }
  // A folder can be flushed on POSIX systems only.
  if (process.platform !== "win32") {
    const folder = await open(dir, "r");
    await folder.sync().finally(() => folder.close());
  }
}
