import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson, sha256 } from "#main/records/canonical.ts";
import { makeKeyFile, parseKeyFile, writeKeyFile } from "#main/records/keyring.ts";
import { readRecoveryCode, writeRecoveryCode } from "#main/records/recovery-code.ts";
import { cheap } from "./fixtures.ts";

const secrets = fc.uint8Array({ minLength: 20, maxLength: 20 });

describe("a recovery code", () => {
  test("is nine groups of four and gives back its bytes", () => {
    fc.assert(
      fc.property(secrets, (bytes) => {
        const code = writeRecoveryCode(bytes);
        expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){8}[0-9A-HJKMNP-TV-Z]{4}$/);
        expect(readRecoveryCode(code)).toEqual(bytes);
      }),
    );
  });

  test("notices any single wrong sign", () => {
    fc.assert(
      fc.property(secrets, fc.nat(35), fc.integer({ min: 1, max: 31 }), (bytes, at, shift) => {
        const signs = [...writeRecoveryCode(bytes).replaceAll("-", "")];
        const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
        signs[at] = alphabet[(alphabet.indexOf(signs[at] ?? "") + shift) % 32] ?? "";
        // One in 2^20 wrong codes passes the check group: then at least it is not the same secret.
        expect(readRecoveryCode(signs.join(""))).not.toEqual(bytes);
      }),
    );
  });

  test("of any text is read or refused, never thrown at", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void readRecoveryCode(text)));
  });
});

describe("a key file", () => {
  test("is read back as written", async () => {
    const { file } = await makeKeyFile({ name: "Mine", passphrase: "long enough", cost: cheap });
    expect(parseKeyFile(writeKeyFile(file))).toEqual(file);
  });

  test("whose digest fits but whose numbers are out of bounds is refused", async () => {
    const { file } = await makeKeyFile({ name: "Mine", passphrase: "long enough", cost: cheap });
    const { archive } = JSON.parse(writeKeyFile(file));
    const forged = (change: object) => {
      const text = { ...archive, ...change };
      return JSON.stringify({ digest: sha256(canonicalJson(text)).toString("hex"), archive: text });
    };
    expect(parseKeyFile(forged({}))).toEqual(file);
    for (const cost of [{ N: 2 ** 26 }, { N: 2 ** 19, r: 16 }, { N: 100_000 }, { p: 1_000 }, { N: 2 }]) {
      const passphrase = { ...archive.passphrase, cost: { ...cheap, ...cost } };
      expect(parseKeyFile(forged({ passphrase }))).toBeNull();
    }
    expect(parseKeyFile(forged({ recovery: { ...archive.recovery, nonce: "AAAA" } }))).toBeNull();
    expect(parseKeyFile(forged({ version: 3, passphrase: "of a later kind" }))).toBe("newer");
  });

  test("of before there was a choice of ciphers says ChaCha20", async () => {
    const { file } = await makeKeyFile({ name: "Mine", passphrase: "long enough", cost: cheap });
    expect(file).toMatchObject({ version: 2, cipher: "aegis" });
    const { cipher: _cipher, ...older } = JSON.parse(writeKeyFile(file)).archive;
    const archive = { ...older, version: 1 };
    const text = JSON.stringify({ digest: sha256(canonicalJson(archive)).toString("hex"), archive });
    expect(parseKeyFile(text)).toEqual({ ...file, version: 1, cipher: "chacha20" });
  });

  test("of any text is read or refused, never thrown at", () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void expect(parseKeyFile(text)).toBeNull()));
  });
});
