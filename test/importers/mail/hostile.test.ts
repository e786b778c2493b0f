import { openSync, readSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { emlImporter, partOfMessage, pstImporter } from "#main/importers/mail/index.ts";
import { filesOf, importAll, memoryEntry, memoryTree, recordsOf } from "#test/importers/memory-tree.ts";

const top = "From: Jo <jo@example.org>\nDate: Tue, 2 Apr 2024 08:00:00 +0200\nSubject: s\n";
const read = async (text: string | Buffer) => recordsOf(await importAll(emlImporter, memoryTree({ "a.eml": text })));

describe("mails made to harm", () => {
  test("parts nested 100,000 deep, and messages in messages, end where the cap is", async () => {
    const parts = Array.from(
      { length: 20_000 },
      (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\n\n--b${i}\n`,
    );
    expect((await read(top + parts.join("")))[0]?.props.flags).toContain("damaged");
    const messages = "Content-Type: message/rfc822\n\nFrom: a@x.org\nSubject: in\n".repeat(100_000);
    expect((await read(top + messages)).length).toBeLessThan(20);
  });

  test("a million header lines, and a line of a million blanks", async () => {
    expect(await read(`${top}${"X-A: 1\n".repeat(1_000_000)}\nwords`)).toHaveLength(1);
    expect(await read(`${top}X-B: ${" ".repeat(1_000_000)}\n\nwords`)).toMatchObject([{ text: "words" }]);
  });

  test("a boundary that begins another, and base64 without end", async () => {
    const inner = "--aa\nContent-Type: text/plain\n\ninner\n--aa--\n";
    const mail = `${top}Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: multipart/mixed; boundary=aa\n\n${inner}--a\n\nouter\n--a--\n`;
    expect(await read(mail)).toMatchObject([{ text: "inner\n\nouter" }]);
    const bomb = `${top}Content-Type: application/zip; name=a.zip\nContent-Transfer-Encoding: base64\n\n${"=".repeat(3_000_000)}`;
    expect((await read(bomb)).length).toBeGreaterThan(0);
  });

  test.each([
    ["iso-2022-jp", Buffer.from("\x1b$B%F%9%H\x1b(B", "latin1"), "テスト"],
    ["utf-7", Buffer.from("Hi +2D3eCg-"), null],
    ["gb18030", Buffer.from("c4e3bac3", "hex"), "你好"],
    ["koi8-r", Buffer.from("f0d2c9d7c5d4", "hex"), "Привет"],
    ["windows-1251", Buffer.from("cff0e8e2e5f2", "hex"), "Привет"],
    ["unknown-8bit", Buffer.from("Grüße"), "Grüße"],
  ])("charset %s", async (charset, bytes, expected) => {
    const mail = Buffer.concat([Buffer.from(`${top}Content-Type: text/plain; charset=${charset}\n\n`), bytes]);
    const [record] = await read(mail);
    if (expected === null) expect(record?.text).toMatch(/^Hi /);
    else expect(record?.text).toBe(expected);
  });

  test("a part that is not there is none", () => {
    expect(partOfMessage(Buffer.from(top), "9.9.9")).toBeNull();
    expect(partOfMessage(Buffer.alloc(0), "1")).toBeNull();
  });
});

describe("a data file that Outlook wrote", () => {
  const path = createRequire(import.meta.url).resolve("pst-extractor/example/testdata/enron.pst");

  /** The file as an entry that is read here and there. */
  function entry() {
    const file = openSync(path, "r");
    const bytes = statSync(path).size;
    const slice = (start: number, end: number) => {
      const buffer = Buffer.alloc(Math.max(0, Math.min(end, bytes) - start));
      return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, start));
    };
    return {
      ...memoryEntry("old/outlook.pst", ""),
      bytes,
      head: async () => slice(0, 4096),
      async *stream({ start = 0, end = bytes } = {}) {
        yield slice(start, end);
      },
    };
  }

  test("gives all its mails, in their folders, with files that can be opened again", async () => {
    const items = await importAll(pstImporter, memoryTree([entry()]));
    const mails = recordsOf(items).filter(({ kind }) => kind === "email");
    expect(mails).toHaveLength(71);
    expect(mails.every(({ time, nativeId }) => time !== null && nativeId !== null)).toBe(true);
    expect(new Set(mails.map(({ container }) => container?.title?.split("/").at(-1)))).toContain("TW-Commercial Group");
    expect(filesOf(items)).toMatchObject([{ status: "imported", reason: null }]);
  });

  test("and cut in the middle, or with bytes changed, it gives what can be read", async () => {
    const whole = entry();
    const half = { ...whole, bytes: Math.floor(whole.bytes / 2) };
    const items = await importAll(pstImporter, memoryTree([half]));
    expect(filesOf(items)).toHaveLength(1);
    const broken = memoryTree({
      "a.pst": Buffer.concat([Buffer.from("!BDN"), Buffer.alloc(2_000, 7)]),
      "b.pst": "no store",
    });
    expect(filesOf(await importAll(pstImporter, broken)).map(({ status }) => status)).toEqual(["failed", "failed"]);
  });
});
