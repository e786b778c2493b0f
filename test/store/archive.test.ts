import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openIndexReader } from "#main/indexes/reader.ts";
import { openIndexWriter } from "#main/indexes/writer.ts";
import {
  changePassphrase,
  createArchive,
  enableKeychain,
  filesOf,
  inspectArchive,
  unlockArchive,
} from "#main/records/archive.ts";
import { canonicalJson, sha256 } from "#main/records/canonical.ts";
import { type Keychain, makeKeyFile, writeKeyFile } from "#main/records/keyring.ts";
import { openMediaReader } from "#main/records/media.ts";
import { openRecordReader } from "#main/records/reader.ts";
import { openStore } from "#main/records/store.ts";
import { cheap, folder, importFiles, message } from "./fixtures.ts";

const passphrase = "four slow herons wade";
const secret = { with: "passphrase", passphrase } as const;
const code = (expected: string) => expect.objectContaining({ code: expected });
const make = (dir: string, keychain?: Keychain) =>
  createArchive(dir, { name: "Mine", passphrase, cost: cheap, ...(keychain ? { keychain } : {}) });

/** A keychain that only turns bits over. */
const keychain: Keychain = {
  available: () => true,
  wrap: async (bytes) => bytes.map((byte) => byte ^ 0x5a),
  unwrap: async (bytes) => bytes.map((byte) => byte ^ 0x5a),
};
const weakKeychain: Keychain = { ...keychain, available: () => "This keychain (basic_text) protects nothing." };

describe("an archive", () => {
  test("is made, told of without a key, and opened by passphrase and by recovery code to the same key", async () => {
    const dir = join(folder(), "new", "archive");
    expect(await inspectArchive(dir)).toEqual({ state: "none" });
    const { recoveryCode } = await make(dir);
    expect(await inspectArchive(dir)).toMatchObject({
      state: "locked",
      name: "Mine",
      unlockWith: ["passphrase", "recovery"],
    });
    const files = await unlockArchive(dir, secret);
    const sloppy = ` ${recoveryCode.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l")} `;
    expect((await unlockArchive(dir, { with: "recovery", recoveryCode: sloppy })).key).toEqual(files.key);
    const store = openStore(files);
    expect(store.writer.reader().auditRows(0, 10).rows).toMatchObject([{ action: "archive.create" }]);
    store.close();
  });

  test("of before there was a choice of ciphers opens with all its files, and keeps its cipher", async () => {
    const dir = folder();
    const { file, key } = await makeKeyFile({ name: "Mine", passphrase, cost: cheap });
    const store = openStore(filesOf(dir, key, "chacha20"));
    importFiles(store, { "a.txt": [message("m:1", { text: "The heron came back." })] });
    store.close();
    const { cipher: _cipher, ...older } = JSON.parse(writeKeyFile(file)).archive;
    const archive = { ...older, version: 1 };
    const digest = sha256(canonicalJson(archive)).toString("hex");
    writeFileSync(join(dir, "archive.json"), JSON.stringify({ digest, archive }));

    const renewed = "five slow herons wade";
    await changePassphrase(dir, secret, renewed);
    const files = await unlockArchive(dir, { with: "passphrase", passphrase: renewed });
    expect(files.cipher).toBe("chacha20");
    const records = openRecordReader(files);
    const writer = openIndexWriter(files, records);
    writer.advance(10);
    const index = openIndexReader(files, () => records.lastSeq());
    expect(index.items([1]).size).toBe(1);
    const media = openMediaReader(files);
    expect(media.having([1]).size).toBe(0);
    expect(records.get(1)?.text).toBe("The heron came back.");
    for (const one of [index, writer, media, records]) one.close();
    // Byte 20 of a SQLite file stands in the clear and counts what nonce and tag take of each page.
    for (const path of [files.recordsPath, files.indexPath, files.mediaPath]) expect(readFileSync(path)[20]).toBe(32);
  });

  test("takes the same passphrase however its characters are composed", async () => {
    const dir = folder();
    await createArchive(dir, { name: "Mine", passphrase: "Grüße aus Åre".normalize("NFD"), cost: cheap });
    await unlockArchive(dir, { with: "passphrase", passphrase: "Grüße aus Åre".normalize("NFC") });
  });

  test("refuses wrong keys and changes nothing", async () => {
    const dir = folder();
    const { recoveryCode } = await make(dir);
    const before = readFileSync(join(dir, "archive.json"));
    await expect(unlockArchive(dir, { ...secret, passphrase: "four slow herons wade!" })).rejects.toEqual(
      code("wrong_passphrase"),
    );
    const slip = recoveryCode.replace(/.$/, (last) => (last === "7" ? "8" : "7"));
    await expect(unlockArchive(dir, { with: "recovery", recoveryCode: slip })).rejects.toEqual(
      code("wrong_recovery_code"),
    );
    const other = await make(folder());
    await expect(unlockArchive(dir, { with: "recovery", recoveryCode: other.recoveryCode })).rejects.toEqual(
      code("wrong_recovery_code"),
    );
    await expect(unlockArchive(dir, { with: "keychain" }, keychain)).rejects.toEqual(code("keychain_unavailable"));
    await expect(unlockArchive(folder(), secret)).rejects.toEqual(code("no_archive"));
    expect(readFileSync(join(dir, "archive.json"))).toEqual(before);
  });

  test("refuses a passphrase of fewer than eight characters and leaves nothing behind", async () => {
    const dir = folder();
    await expect(createArchive(dir, { name: "Mine", passphrase: "héron77", cost: cheap })).rejects.toEqual(
      code("weak_passphrase"),
    );
    expect(readdirSync(dir)).toEqual([]);
  });

  test("is never made over another one, over lost records, or among somebody's files", async () => {
    const dir = folder();
    await make(dir);
    await expect(make(dir)).rejects.toEqual(code("archive_exists"));
    const lost = folder();
    writeFileSync(join(lost, "records.db"), "records without their key file");
    await expect(make(lost)).rejects.toEqual(code("archive_exists"));
    const foreign = folder();
    mkdirSync(join(foreign, "Holiday"));
    await expect(make(foreign)).rejects.toEqual(code("not_writable"));
    expect(readdirSync(foreign)).toEqual(["Holiday"]);
    const file = join(folder(), "file");
    writeFileSync(file, "");
    await expect(make(file)).rejects.toEqual(code("not_writable"));
  });

  test("opens by a new passphrase only, once it is changed", async () => {
    const dir = folder();
    const { recoveryCode } = await make(dir);
    const { key } = await unlockArchive(dir, secret);
    await changePassphrase(dir, { with: "recovery", recoveryCode }, "a quite new passphrase");
    await expect(unlockArchive(dir, secret)).rejects.toEqual(code("wrong_passphrase"));
    const files = await unlockArchive(dir, { with: "passphrase", passphrase: "a quite new passphrase" });
    expect(files.key).toEqual(key);
    expect(readdirSync(dir).sort()).toEqual(["archive.json", "media.db", "records.db"]);
  });

  test("opens by a keychain that protects, and says why another is not used", async () => {
    const dir = folder();
    expect((await make(dir, weakKeychain)).keychain).toContain("basic_text");
    await expect(enableKeychain(dir, secret, weakKeychain)).rejects.toEqual(code("keychain_unavailable"));
    await enableKeychain(dir, secret, keychain);
    const { key } = await unlockArchive(dir, secret);
    expect((await unlockArchive(dir, { with: "keychain" }, keychain)).key).toEqual(key);
    expect(await inspectArchive(dir, keychain)).toMatchObject({ unlockWith: ["keychain", "passphrase", "recovery"] });
    expect(await inspectArchive(dir, weakKeychain)).toMatchObject({ unlockWith: ["passphrase", "recovery"] });
    await expect(unlockArchive(dir, { with: "keychain" }, weakKeychain)).rejects.toEqual(code("keychain_unavailable"));
  });

  test("with a damaged, cut, hostile or newer key file is refused, naming the file", async () => {
    const dir = folder();
    await make(dir);
    const path = join(dir, "archive.json");
    const whole = readFileSync(path, "utf8");
    const damaged = [
      whole.slice(0, -30),
      "",
      "[]",
      whole.replace(/"wrapped": "(.)/, (_, first: string) => `"wrapped": "${first === "A" ? "B" : "A"}`),
      // 64 GB of scrypt: refused by the digest here, and by its bounds were the digest made to fit.
      whole.replace(/"N": \d+/, '"N": 67108864'),
    ];
    for (const text of damaged) {
      writeFileSync(path, text);
      await expect(unlockArchive(dir, secret)).rejects.toEqual(
        expect.objectContaining({ code: "archive_damaged", message: expect.stringContaining("archive.json") }),
      );
      await expect(inspectArchive(dir)).rejects.toEqual(code("archive_damaged"));
      expect(readFileSync(path, "utf8")).toBe(text);
    }
    expect(existsSync(join(dir, "records.db"))).toBe(true);
  });
});
