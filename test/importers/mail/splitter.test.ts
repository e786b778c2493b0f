import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { detectDialect } from "#main/importers/mail/separator.ts";
import { splitMbox } from "#main/importers/mail/splitter.ts";

async function* pieces(text: string | Buffer, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function split(text: string | Buffer, size = 7, cap = 1_000_000) {
  const dialect = detectDialect(Buffer.from(text));
  if (dialect === null) return null;
  const messages = await Array.fromAsync(splitMbox(pieces(text, size), dialect, cap));
  return messages.map((message) => ({ ...message, bytes: message.bytes?.toString("utf8") ?? null }));
}

const bodies = async (text: string, size?: number) =>
  (await split(text, size))?.map((message) => message.bytes?.slice(message.bytes.indexOf("\n\n") + 2).trimEnd());

const mail = (body: string, head = "Subject: x") => `${head}\nFrom: a@example.org\n\n${body}\n`;
const line = "From mia@example.org Tue Apr  2 08:00:00 2024\n";

describe("where a message begins in an mbox", () => {
  it("splits at separators, and nowhere else", async () => {
    const text = `${line}${mail("one\n\nFrom now on we meet at eight.\nFrom Oslo it is far.")}\n${line}${mail("two")}`;
    expect(await bodies(text)).toEqual(["one\n\nFrom now on we meet at eight.\nFrom Oslo it is far.", "two"]);
  });

  it("needs a header field after the separator", async () => {
    const text = `${line}${mail("one\n\nFrom mia@example.org Tue Apr  2 08:00:00 2024\nshe left again")}`;
    expect(await bodies(text)).toHaveLength(1);
  });

  it("reads the separators of Takeout, with CRLF, with a zone, with a login name, with a dash", async () => {
    for (const separator of [
      "From 1790000000000000042@xxx Tue Apr 02 08:00:00 +0000 2024",
      "From - Tue Apr 02 08:00:00 2024",
      "From mia Tue Apr  2 08:00 CEST 2024",
      "From mia@example.org  Tue, 2 Apr 2024 08:00:00 +0200",
      "From MAILER-DAEMON Tue Apr  2 08:00:00 2024",
    ]) {
      const text = `${separator}\n${mail("one")}\n${separator}\n${mail("two")}`;
      expect(await bodies(text), separator).toEqual(["one", "two"]);
      const crlf = (await split(text.replaceAll("\n", "\r\n"))) ?? [];
      expect(crlf, separator).toHaveLength(2);
    }
  });

  it("leaves a patch of git in the body, and splits a file of patches", async () => {
    const patch = `From ${"ab12".repeat(10)} Mon Sep 17 00:00:00 2001\nFrom: Mia <mia@example.org>\nSubject: [PATCH] fix\n\ndiff\n`;
    expect(await bodies(`${line}${mail(`see below\n\n${patch}`)}`)).toHaveLength(1);
    expect(await split(`${patch}\n${patch}`)).toHaveLength(2);
  });

  it("splits without the empty line when date, address and a common field make up for it", async () => {
    expect(await bodies(`${line}${mail("one").trimEnd()}\n${line}${mail("two")}`)).toEqual(["one", "two"]);
  });

  it("takes separators without a date only in files that begin with one", async () => {
    expect(await bodies(`From mia@example.org\n${mail("one")}\nFrom mia@example.org\n${mail("two")}`)).toHaveLength(2);
    expect(await bodies(`${line}${mail("one\n\nFrom mia@example.org\nSubject: quoted")}`)).toHaveLength(1);
  });

  it("follows Content-Length only when a separator or the end stands there", async () => {
    const body = `hello\n\n${line}Subject: inner\n\nnot a message\n`;
    const good = `${line}Content-Length: ${body.length}\nSubject: x\n\n${body}\n${line}${mail("two")}`;
    expect(await split(good)).toHaveLength(2);
    const wrong = `${line}Content-Length: 3\nSubject: x\n\nhello there\n\n${line}${mail("two")}`;
    expect(await bodies(wrong)).toEqual(["hello there", "two"]);
  });

  it("tells the place of each message, and leaves out the bytes of one above the cap", async () => {
    const text = `${line}${mail("x".repeat(5_000))}\n${line}${mail("small")}`;
    const messages = (await split(text, 64, 4_000)) ?? [];
    expect(messages.map(({ bytes }) => bytes === null)).toEqual([true, false]);
    expect(messages[0]?.end).toBe(messages[1]?.offset);
    expect(messages[1]?.end).toBe(text.length);
    expect(text.slice(messages[1]?.offset)).toBe(`${line}${mail("small")}`);
  });

  it("is no mbox without a separator on top", () => {
    for (const text of ["", "Hello\n", "From here to there\nit is far\n", "{}", "From: a@example.org\n\nx\n"]) {
      expect(detectDialect(Buffer.from(text)), text).toBeNull();
    }
  });
});

const bodyLine = fc.oneof(
  fc.string({ maxLength: 30 }).map((text) => text.replace(/[\r\n]/g, " ")),
  fc.constantFrom(
    "",
    "From me to you",
    ">From the archive",
    ">>From deep",
    "From mia@example.org Tue Apr  2 08:00:00 2024",
  ),
);
const message = fc.array(bodyLine, { maxLength: 8 }).map((lines) => lines.join("\n"));

describe("joining and splitting", () => {
  const quote = {
    mboxrd: (body: string) => body.replace(/^(>*From )/gm, ">$1"),
    mboxcl: (body: string) => body.replace(/^(>*From )/gm, ">$1"),
    mboxcl2: (body: string) => body,
  };

  for (const dialect of ["mboxrd", "mboxcl", "mboxcl2"] as const) {
    it(`gives back the messages of ${dialect}, in any chunks`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(message, { minLength: 1, maxLength: 5 }),
          fc.integer({ min: 1, max: 300 }),
          async (texts, size) => {
            const wholes = texts.map((text, i) => {
              const body = `${i}\n${quote[dialect](text)}\n`;
              const length = dialect === "mboxrd" ? "" : `Content-Length: ${Buffer.byteLength(body)}\n`;
              return `${line}${length}Subject: ${i}\n\n${body}\n`;
            });
            const found = (await split(wholes.join(""), size)) ?? [];
            const expected = texts.map((text, i) => `${i}\n${text}`.trimEnd());
            const got = found.map(({ bytes }) => bytes?.slice(bytes.indexOf("\n\n") + 2).trimEnd());
            // Without any bare "From " line nothing tells mboxcl2 from mboxcl: there one mark of a quoted line may go.
            const loose = (text: string | undefined) =>
              dialect === "mboxcl2" ? text?.replace(/^>+(?=From )/gm, "") : text;
            expect(got.map(loose)).toEqual(expected.map(loose));
          },
        ),
        { numRuns: 120 },
      );
    });
  }

  it("gives the same for any bytes, whatever the chunks are", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.integer({ min: 1, max: 50 }), async (noise, size) => {
        const bytes = Buffer.concat([
          Buffer.from(`${line}Subject: x\n\n`),
          noise,
          Buffer.from(`\n\n${line}${mail("end")}`),
        ]);
        expect(await split(bytes, size)).toEqual(await split(bytes, 1_000_000));
      }),
      { numRuns: 150 },
    );
  });
});
