/** The operating system's keychain, as Electron's safeStorage gives it. */
export interface Keychain {
  /** True, or a sentence why it does not protect anything (Linux `basic_text`). */
  available(): true | string;
  wrap(bytes: Uint8Array): Promise<Uint8Array>;
  unwrap(bytes: Uint8Array): Promise<Uint8Array>;
}

/** How an archive key is asked for. */
export type UnlockWith =
  | { readonly with: "passphrase"; readonly passphrase: string }
  | { readonly with: "recovery"; readonly recoveryCode: string }
  | { readonly with: "keychain" };
