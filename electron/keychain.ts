import type { KeychainPort } from "./shell.ts";

/** The part of Electron's safeStorage that is used. */
export interface SafeStorage {
  isEncryptionAvailable(): boolean;
  /** Linux only. */
  getSelectedStorageBackend?(): string;
  encryptString(text: string): Buffer;
  decryptString(encrypted: Buffer): string;
}

/**
 * The system's keychain behind the core's port. `basic_text` on Linux is a fixed password in Electron's own source: it
 * protects nothing, so it is refused and said so.
 */
export function safeStorageKeychain(storage: SafeStorage, platform: NodeJS.Platform): KeychainPort {
  const refusal = (): string | null => {
    if (!storage.isEncryptionAvailable()) return "This system offers no keychain.";
    if (platform === "linux" && storage.getSelectedStorageBackend?.() === "basic_text") {
      return "No keyring service runs on this desktop; the fallback would not protect the key.";
    }
    return null;
  };
  const guarded = <T>(work: () => T): Promise<T> => {
    const why = refusal();
    return why === null ? Promise.resolve().then(work) : Promise.reject(new Error(why));
  };
  return {
    refusal: async () => refusal(),
    wrap: (bytes) => guarded(() => new Uint8Array(storage.encryptString(Buffer.from(bytes).toString("base64")))),
    unwrap: (bytes) => guarded(() => new Uint8Array(Buffer.from(storage.decryptString(Buffer.from(bytes)), "base64"))),
  };
}
