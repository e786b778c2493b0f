import { UnderstoryError } from "#contract";
import type { Keychain, UnlockWith } from "./keyring.ts";
import type { ArchiveFiles } from "./ports.ts";

export type ArchiveInspection =
  | { readonly state: "none" }
  | {
      readonly state: "locked";
      readonly name: string;
      readonly unlockWith: readonly ("passphrase" | "recovery" | "keychain")[];
    };

/** What lies in `dir`, without any key. */
export async function inspectArchive(_dir: string, _keychain?: Keychain): Promise<ArchiveInspection> {
  throw new UnderstoryError("internal", "The archive is being built.");
}

/** Makes an archive in `dir` (made when absent). The recovery code is in this answer and never again. */
export async function createArchive(
  _dir: string,
  _options: { name: string; passphrase: string; keychain?: Keychain },
): Promise<{ recoveryCode: string }> {
  throw new UnderstoryError("internal", "The archive is being built.");
}

/** Gives the key and file names. Errors: `no_archive`, `wrong_passphrase`, `wrong_recovery_code`, `keychain_unavailable`, `archive_damaged`. */
export async function unlockArchive(_dir: string, _how: UnlockWith, _keychain?: Keychain): Promise<ArchiveFiles> {
  throw new UnderstoryError("internal", "The archive is being built.");
}

export async function changePassphrase(_dir: string, _how: UnlockWith, _passphrase: string): Promise<void> {
  throw new UnderstoryError("internal", "The archive is being built.");
}

/** Holds the archive for this process; a second one is refused with `archive_in_use`. Freed by kill -9 too. */
export function acquireLock(_dir: string): { release(): void } {
  throw new UnderstoryError("internal", "The archive is being built.");
}
