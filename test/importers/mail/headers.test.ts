import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAddresses } from "#main/importers/mail/addresses.ts";
import { mailTime, parseMailDate } from "#main/importers/mail/dates.ts";
import { unflow } from "#main/importers/mail/flowed.ts";
import { decodeWords, messageIds, parseStructured } from "#main/importers/mail/headers.ts";
import { decodeBase64, decodeQuotedPrintable } from "#main/importers/mail/transfer.ts";
import { decodeText } from "#main/importers/text/charset.ts";

const raw = (text: string) => Buffer.from(text, "utf8").toString("latin1");

describe("encoded words (RFC 2047)", () => {
  it("drops blanks between words, keeps them beside plain text, reads _ as a blank", () => {
    expect(decodeWords("=?utf-8?Q?Gr=C3=BC=C3=9Fe?= =?iso-8859-1?Q?_aus_K=F6ln?= heute").text).toBe(
      "Grüße aus Köln heute",
    );
  });

  it("joins the bytes of a character that was cut between two words", () => {
    expect(decodeWords("=?utf-8?B?w7w=?= =?utf-8?Q?_=C3?= =?utf-8?Q?=A9?=").text).toBe("ü é");
  });

  it("reads raw UTF-8, and marks what it had to guess", () => {
    expect(decodeWords(raw("naïve"))).toEqual({ text: "naïve", guessed: false });
    expect(decodeWords("caf\u00e9")).toEqual({ text: "café", guessed: true });
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary-ascii" }), (text) => typeof decodeWords(`=?${text}?=`).text === "string"),
    );
  });
});

describe("addresses", () => {
  const list = (text: string) => parseAddresses(raw(text)).mailboxes.map(({ name, address }) => [name, address]);

  it("splits before it decodes, so that a comma in a name stays in it", () => {
    expect(list('=?utf-8?Q?Vale=2C_In=C3=A9s?= <Ines@Example.ORG>, "Ott, B." <b@example.org>')).toEqual([
      ["Vale, Inés", "Ines@example.org"],
      ["Ott, B.", "b@example.org"],
    ]);
  });

  it("flattens groups, reads comments as names, and repairs an unquoted comma", () => {
    expect(list("Crew: a@x.org, B <b@x.org>;, undisclosed-recipients:;")).toEqual([
      [null, "a@x.org"],
      ["B", "b@x.org"],
    ]);
    expect(list("c@x.org (Cem)")).toEqual([["Cem", "c@x.org"]]);
    expect(list("Doe, Jo <jo@x.org>")).toEqual([["Doe, Jo", "jo@x.org"]]);
  });

  it("never throws on any text", () => {
    fc.assert(fc.property(fc.string(), (text) => Array.isArray(parseAddresses(text).mailboxes)));
  });
});

describe("dates (RFC 5322)", () => {
  const utc = (text: string) => mailTime([text], [], null)?.utc ?? null;

  it("keeps the sender's wall clock and offset", () => {
    expect(mailTime(["Tue, 2 Apr 2024 08:30:05 +0530"], [], null)).toMatchObject({
      utc: "2024-04-02T03:00:05Z",
      local: "2024-04-02T08:30:05",
      offset: "+05:30",
      source: "header:Date",
    });
  });

  it("reads -0000 and unknown letters as an instant without a zone, and no zone as a wall clock", () => {
    for (const zone of ["-0000", "XYZ"]) {
      expect(mailTime([`2 Apr 2024 08:30:00 ${zone}`], [], null)).toMatchObject({
        utc: "2024-04-02T08:30:00Z",
        local: null,
        offset: null,
      });
    }
    expect(mailTime(["2 Apr 2024 08:30:00"], [], null)).toMatchObject({
      utc: null,
      local: "2024-04-02T08:30:00",
      offset: null,
    });
  });

  it("reads old and odd forms", () => {
    for (const text of [
      "Tue,  2 Apr 24 08:30 GMT",
      "Tue Apr  2 08:30:00 2024 +0000",
      "2 Apr 2024 08:30:00 +0000 (a (nested) comment, 1999)",
      "Tuesday, 02-Apr-24 03:30:00 EST".replace("EST", "CDT"),
      "2024-04-02T08:30:00Z",
      "Tue, 2 April 2024 08.30.00 +0000",
    ]) {
      expect(utc(text), text).toBe("2024-04-02T08:30:00Z");
    }
  });

  it("falls back to the newest sane Received, then to the separator, then to nothing", () => {
    const received = ["by b; never", "by a; Tue, 2 Apr 2024 08:30:00 +0000", "by c; Tue, 2 Apr 2024 07:00:00 +0000"];
    expect(mailTime(["yesterday"], received, null)).toMatchObject({
      utc: "2024-04-02T08:30:00Z",
      source: "header:Received",
    });
    const separator = parseMailDate("Tue Apr  2 08:00:00 2024");
    expect(mailTime([], [], separator)).toMatchObject({
      local: "2024-04-02T08:00:00",
      source: "separator",
      confidence: "low",
    });
    expect(mailTime(["31 Feb 2024 10:00:00 +0000", "1 Jan 1970 00:00:00 +0000"], [], null)).toBeNull();
  });

  it("reads every instant and offset that it could have written", () => {
    const instant = fc.integer({ min: 31_536_000, max: 4_000_000_000 });
    fc.assert(
      fc.property(instant, fc.integer({ min: -56, max: 56 }), (seconds, quarters) => {
        fc.pre(quarters !== 0);
        const sign = quarters < 0 ? "-" : "+";
        const size = Math.abs(quarters) * 15;
        const zone = `${sign}${String(Math.floor(size / 60)).padStart(2, "0")}${String(size % 60).padStart(2, "0")}`;
        const wall = new Date((seconds + quarters * 900) * 1000).toUTCString().replace("GMT", zone);
        fc.pre(Number(wall.slice(12, 16)) >= 1971);
        expect(utc(wall)).toBe(`${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`);
      }),
    );
  });

  it("never throws", () => {
    fc.assert(fc.property(fc.string(), (text) => parseMailDate(text) === null || true));
  });
});

describe("parameters (RFC 2231)", () => {
  it("joins sections by number, reads the charset of the first, prefers the extended form", () => {
    const { params } = parseStructured(
      "attachment; filename*10=\"c.txt\"; filename*2=b; filename*0*=utf-8''%C3%A4; filename*1=-; filename=plain.txt",
    );
    expect(params.get("filename")).toBe("ä-bc.txt");
  });

  it("keeps semicolons and quotes inside quotes, and reads encoded words there", () => {
    const { value, params } = parseStructured('Text/Plain; name="a;\\"b\\".txt"; x="=?utf-8?Q?=C3=B6?="');
    expect([value, params.get("name"), params.get("x")]).toEqual(["text/plain", 'a;"b".txt', "ö"]);
  });

  it("reads ids through folding", () => {
    expect(messageIds("<a@x>\t<b\r\n @y> junk <>")).toEqual(["a@x", "b@y"]);
  });
});

describe("bytes to text", () => {
  it("follows the WHATWG labels", () => {
    expect(decodeText(Buffer.from([0x80, 0x93]), "iso-8859-1").text).toBe("€“");
    expect(decodeText(Buffer.from([0x88, 0xd2]), "gb2312").text).toBe("堃");
    expect(decodeText(Buffer.from("+AOk-"), "utf-7").text).toBe("é");
    expect(decodeText(Buffer.from([0x84]), "cp-850").text).toBe("ä");
  });

  it("takes unlabelled bytes as UTF-8 when they are, else guesses and says so", () => {
    expect(decodeText(Buffer.from("żółw"), null)).toEqual({ text: "żółw", guessed: false });
    expect(decodeText(Buffer.from([0x66, 0xfc, 0x72]), "us-ascii")).toEqual({ text: "für", guessed: true });
    const cyrillic = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x20, 0xe2, 0xf1, 0xe5, 0xec, 0x21]);
    expect(decodeText(cyrillic, null)).toEqual({ text: "Привет всем!", guessed: true });
  });

  it("never throws for any bytes under any label", () => {
    const label = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom("utf-8", "gb2312", "iso-2022-jp", "utf-7", "big5", "euc-kr"),
    );
    fc.assert(fc.property(fc.uint8Array(), label, (bytes, name) => typeof decodeText(bytes, name).text === "string"));
  });
});

describe("transfer encodings and wrapping", () => {
  it("undoes quoted-printable for every text", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const encoded = [...bytes]
          .map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, "0")}`)
          .join("")
          .replace(/(.{72})/g, "$1=\r\n");
        expect([...decodeQuotedPrintable(Buffer.from(encoded))]).toEqual([...bytes]);
      }),
    );
  });

  it("keeps wrong escapes as they stand, and undoes base64 with padding in the middle", () => {
    expect(decodeQuotedPrintable(Buffer.from("1=2 =zz =3D=")).toString()).toBe("1=2 =zz =");
    expect(decodeBase64(Buffer.from("YQ==\nYmM=\n")).bytes.toString()).toBe("abc");
  });

  it("joins flowed lines of one depth, not over the signature", () => {
    expect(unflow("one \ntwo\n> q \n> r\n stuffed\n-- \nMia", false)).toBe("one two\n> q r\nstuffed\n-- \nMia");
    expect(unflow("日本 \n語", true)).toBe("日本語");
  });
});
