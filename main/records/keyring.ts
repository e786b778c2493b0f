import {
  createCipheriv,
  createDecipheriv,
  hkdfSync,
  randomBytes,
  randomUUID,
  type ScryptOptions,
  scrypt,
} from "node:crypto";
import { z } from "zod";
import { UnderstoryError } from "#contract";
import { canonicalJson, sha256 } from "./canonical.ts";
import { makeRecoveryCode, readRecoveryCode } from "./recovery-code.ts";

/**
 * The keys of an archive. One random 256-bit archive key encrypts its files; the key file keeps that key once for every
 * way in which it can be opened (a slot), wrapped by AES-256-GCM. Slots are bound to their archive and parameters.
 */

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

/** scrypt's cost: 128 · N · r bytes of memory. */
export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** OWASP's recommendation for scrypt (Password Storage Cheat Sheet): 128 MiB, about half a second. */
export const defaultCost: ScryptCost = { N: 2 ** 17, r: 8, p: 1 };
/** No key file, however made, makes scrypt take more. */
const mostScryptBytes = 256 * 1024 * 1024;
const keyBytes = 32;
const shortestPassphrase = 8;

/** Base64 of a given number of bytes. */
const bytes = (least: number, most: number) =>
  z
    .base64()
    .max(4096)
    .transform((text): Uint8Array => new Uint8Array(Buffer.from(text, "base64")))
    .refine((value) => value.length >= least && value.length <= most);

const costSchema = z
  .object({
    N: z
      .number()
      .int()
      .min(2 ** 14)
      .max(2 ** 20),
    r: z.number().int().min(1).max(16),
    p: z.number().int().min(1).max(4),
  })
  .refine(({ N, r }) => Number.isInteger(Math.log2(N)) && 128 * N * r <= mostScryptBytes);

const sealed = { nonce: bytes(12, 12), wrapped: bytes(keyBytes + 16, keyBytes + 16) };
const passphraseSlotSchema = z.object({ salt: bytes(16, 64), cost: costSchema, ...sealed });
const recoverySlotSchema = z.object({ salt: bytes(16, 64), ...sealed });

export const keyFileSchema = z.object({
  format: z.literal("understory-archive"),
  /** 2: the files are encrypted with `cipher`, which 1 knows nothing of. */
  version: z.union([z.literal(1), z.literal(2)]),
  id: z.string().min(1).max(64),
  name: z.string().min(1).max(80),
  createdAt: z.string(),
  cipher: z.enum(["aegis", "chacha20"]).default("chacha20"),
  passphrase: passphraseSlotSchema,
  recovery: recoverySlotSchema,
  keychain: z.object({ wrapped: bytes(1, 4096) }).nullable(),
});
/** The key file in memory, bytes decoded. */
export type KeyFile = z.infer<typeof keyFileSchema>;

/** A new archive key and the key file that opens it. `keychain` of the answer: why it was not used, or null. */
export async function makeKeyFile(input: {
  name: string;
  passphrase: string;
  keychain?: Keychain | undefined;
  cost?: ScryptCost | undefined;
}): Promise<{ file: KeyFile; key: Uint8Array; recoveryCode: string; keychain: string | null }> {
  const { name, passphrase, keychain, cost = defaultCost } = input;
  const key = new Uint8Array(randomBytes(keyBytes));
  const id = randomUUID();
  const recovery = makeRecoveryCode();
  const salt = new Uint8Array(randomBytes(16));
  const refusal = keychain ? keychain.available() : "There is no keychain.";
  return {
    key,
    recoveryCode: recovery.code,
    keychain: refusal === true ? null : refusal,
    file: {
      format: "understory-archive",
      version: 2,
      id,
      name,
      createdAt: new Date().toISOString(),
      cipher: "aegis",
      passphrase: await passphraseSlot(id, key, passphrase, cost),
      recovery: { salt, ...seal(key, recoveryKey(recovery.bytes, salt), `${id}/recovery`) },
      keychain: keychain && refusal === true ? { wrapped: await keychain.wrap(key) } : null,
    },
  };
}

/** The archive key. Errors: `wrong_passphrase`, `wrong_recovery_code`, `keychain_unavailable`. */
export async function openKeyFile(file: KeyFile, how: UnlockWith, keychain?: Keychain): Promise<Uint8Array> {
  if (how.with === "keychain") return fromKeychain(file, keychain);
  if (how.with === "passphrase") {
    const { salt, cost, ...slot } = file.passphrase;
    const key = unseal(slot, await passphraseKey(how.passphrase, salt, cost), `${file.id}/passphrase`);
    if (key) return key;
    throw new UnderstoryError("wrong_passphrase", "This passphrase does not open the archive.", {
      hint: "Nothing was changed. Try again, or use the recovery code.",
    });
  }
  const secret = readRecoveryCode(how.recoveryCode);
  const { salt, ...slot } = file.recovery;
  const key = secret && unseal(slot, recoveryKey(secret, salt), `${file.id}/recovery`);
  if (key) return key;
  throw new UnderstoryError(
    "wrong_recovery_code",
    secret ? "This recovery code belongs to another archive." : "This recovery code has a slip of the pen in it.",
    { hint: "Nothing was changed. Check every group of four; case, blanks and dashes do not matter." },
  );
}

async function fromKeychain(file: KeyFile, keychain: Keychain | undefined): Promise<Uint8Array> {
  const hint = "Nothing was changed. Unlock with the passphrase or the recovery code.";
  const available = keychain ? keychain.available() : "There is no keychain here.";
  if (!keychain || available !== true) {
    throw new UnderstoryError("keychain_unavailable", String(available), { hint });
  }
  if (!file.keychain) {
    throw new UnderstoryError("keychain_unavailable", "This archive's key is not in the keychain.", { hint });
  }
  try {
    const key = await keychain.unwrap(file.keychain.wrapped);
    if (key.length === keyBytes) return key;
  } catch (cause) {
    throw new UnderstoryError("keychain_unavailable", "The keychain did not give the key.", { hint, cause });
  }
  throw new UnderstoryError("keychain_unavailable", "The keychain gave something else than the key.", { hint });
}

/** A slot for a (new) passphrase. Throws `weak_passphrase`. */
export async function passphraseSlot(
  id: string,
  key: Uint8Array,
  passphrase: string,
  cost: ScryptCost,
): Promise<KeyFile["passphrase"]> {
  if ([...passphrase.normalize("NFKC")].length < shortestPassphrase) {
    throw new UnderstoryError("weak_passphrase", `The passphrase needs at least ${shortestPassphrase} characters.`, {
      hint: "A few words that only you would put together are easy to keep and hard to guess.",
    });
  }
  const salt = new Uint8Array(randomBytes(16));
  return { salt, cost, ...seal(key, await passphraseKey(passphrase, salt, cost), `${id}/passphrase`) };
}

/** In a thread of libuv's, so that the window goes on meanwhile. */
function passphraseKey(passphrase: string, salt: Uint8Array, cost: ScryptCost): Promise<Uint8Array> {
  // OpenSSL counts a little more than 128 · N · r.
  const options: ScryptOptions = { ...cost, maxmem: 128 * cost.N * cost.r + 128 * cost.r * cost.p + 1024 * 1024 };
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize("NFKC"), salt, keyBytes, options, (error, key) =>
      error ? reject(error) : resolve(new Uint8Array(key)),
    );
  });
}

/** 160 random bits need no slow derivation. */
function recoveryKey(secret: Uint8Array, salt: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, salt, "understory recovery", keyBytes));
}

function seal(key: Uint8Array, by: Uint8Array, context: string): { nonce: Uint8Array; wrapped: Uint8Array } {
  const nonce = new Uint8Array(randomBytes(12));
  const cipher = createCipheriv("aes-256-gcm", by, nonce).setAAD(Buffer.from(context));
  return { nonce, wrapped: new Uint8Array(Buffer.concat([cipher.update(key), cipher.final(), cipher.getAuthTag()])) };
}

function unseal(slot: { nonce: Uint8Array; wrapped: Uint8Array }, by: Uint8Array, context: string): Uint8Array | null {
  const decipher = createDecipheriv("aes-256-gcm", by, slot.nonce).setAAD(Buffer.from(context));
  decipher.setAuthTag(slot.wrapped.subarray(keyBytes));
  const opened = decipher.update(slot.wrapped.subarray(0, keyBytes));
  try {
    decipher.final();
  } catch {
    return null;
  }
  return new Uint8Array(opened);
}

/** The key file as text: JSON with base64 bytes and a digest, so that damage is not taken for a wrong passphrase. */
export function writeKeyFile(file: KeyFile): string {
  const plain: unknown = JSON.parse(
    JSON.stringify(file, (_key, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value,
    ),
  );
  const digest = sha256(canonicalJson(plain)).toString("hex");
  return `${JSON.stringify({ digest, archive: plain }, null, 2)}\n`;
}

const envelopeSchema = z.object({ digest: z.string(), archive: z.looseObject({ version: z.number().int() }) });

/** Null when the text is not a whole key file; `newer` for a format of a later Understory. */
export function parseKeyFile(text: string): KeyFile | "newer" | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const envelope = envelopeSchema.safeParse(value);
  if (!envelope.success) return null;
  const { digest, archive } = envelope.data;
  if (digest !== sha256(canonicalJson(archive)).toString("hex")) return null;
  if (archive.version > 2) return "newer";
  const parsed = keyFileSchema.safeParse(archive);
  return parsed.success ? parsed.data : null;
}
