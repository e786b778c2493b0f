import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { importedRecordSchema } from "#contract";
import { emlImporter, msgImporter, partOfMessage } from "#main/importers/mail/index.ts";
import { readMsg } from "#main/importers/mail/outlook/msg.ts";
import { readRtf, unpackRtf } from "#main/importers/mail/outlook/rtf.ts";
import { readTnef } from "#main/importers/mail/outlook/tnef.ts";
import { filesOf, importAll, memoryTree, recordsOf } from "#test/importers/memory-tree.ts";
import { appointmentSet, binary, cfb, guid, int, meetingSet, msgTree, text, time, tnef } from "./outlook-files.ts";

const withTnef = (stream: Buffer, body = "see the files") =>
  `From: Jo <jo@example.org>\nDate: Tue, 2 Apr 2024 08:00:00 +0200\nMessage-ID: <t@x.org>\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\n${body}\n--x\nContent-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\n${stream.toString("base64")}\n--x--\n`;

const read = async (files: Record<string, string | Buffer>) =>
  recordsOf(await importAll(emlImporter, memoryTree(files)));

describe("winmail.dat", () => {
  const stream = tnef(
    [text(0x1000, "the text inside"), text(0x001a, "IPM.Note")],
    [
      { props: [text(0x3707, "Rückfahrt – Plan.txt")], data: Buffer.from("um acht") },
      { props: [], data: Buffer.from([0, 1, 2]) },
    ],
  );

  test("its files stand in its place, under their long names; its text only when there is no other", async () => {
    const [mail, first, second] = await read({ "a.eml": withTnef(stream) });
    expect(mail?.text).toBe("see the files");
    expect(mail?.props.attachments).toMatchObject([
      { name: "Rückfahrt – Plan.txt", bytes: 7 },
      { name: "SHORT~1.TXT", bytes: 3 },
    ]);
    expect(first).toMatchObject({ kind: "document", text: "um acht", files: [{ path: "a.eml", part: "2/1" }] });
    expect(second?.files).toMatchObject([{ part: "2/2" }]);
    const [bare] = await read({ "b.eml": withTnef(stream, "") });
    expect(bare?.text).toBe("the text inside");
    const bytes = Buffer.from(withTnef(stream));
    expect(partOfMessage(bytes, "2/1")?.toString()).toBe("um acht");
    expect(partOfMessage(bytes, "2/7")).toBeNull();
  });

  test("a message inside it is a message", async () => {
    const inner = tnef([
      text(0x37, "inner"),
      text(0x1000, "inner words"),
      text(0x0c1a, "Ada"),
      text(0x001a, "IPM.Note"),
    ]);
    const outer = tnef([], [{ props: [{ id: 0x3701, type: 0x0d, value: Buffer.concat([Buffer.alloc(16), inner]) }] }]);
    const [, nested] = await read({ "a.eml": withTnef(outer) });
    expect(nested).toMatchObject({
      subject: "inner",
      text: "inner words",
      author: { name: "Ada" },
      partOf: { identity: "mail:t@x.org", role: "attached" },
    });
  });

  test("a request for a meeting is an event, by the id that the calendar gives it", async () => {
    const uid = Buffer.concat([Buffer.alloc(40), Buffer.from("vCal-Uid\x01\0\0\0boat-7@x.org\0", "latin1")]);
    const request = tnef([
      text(0x001a, "IPM.Schedule.Meeting.Request"),
      text(0x0037, "Boat, cleaning"),
      { ...time(0x8000, "2024-06-01T08:00:00Z"), named: { set: appointmentSet, lid: 0x820d } },
      { ...time(0x8001, "2024-06-01T10:00:00Z"), named: { set: appointmentSet, lid: 0x820e } },
      { ...binary(0x8002, uid), named: { set: meetingSet, lid: 0x23 } },
    ]);
    const records = await read({ "a.eml": withTnef(request) });
    expect(records).toMatchObject([
      { kind: "email" },
      {
        kind: "event",
        nativeId: "boat-7@x.org",
        subject: "Boat, cleaning",
        time: { utc: "2024-06-01T08:00:00Z" },
        partOf: null,
      },
    ]);
    expect(records[0]?.props.attachments).toBeUndefined();
  });

  test("on its own it gives its files, and one that breaks off gives what stands before the break", async () => {
    const loose = tnef(
      [],
      [
        { props: [text(0x3707, "a.txt")], data: Buffer.from("first") },
        { props: [], data: Buffer.from("second") },
      ],
    );
    const items = await importAll(
      msgImporter,
      memoryTree({ "x/winmail.dat": loose, "y/cut.dat": loose.subarray(0, -60) }),
    );
    expect(recordsOf(items).map(({ text, partOf, files }) => [text, partOf, files[0]?.path])).toEqual([
      ["first", null, "x/winmail.dat"],
      ["second", null, "x/winmail.dat"],
      ["first", null, "y/cut.dat"],
    ]);
    expect(filesOf(items).map(({ reason }) => reason)).toEqual([null, expect.stringContaining("breaks off")]);
  });
});

const headers =
  "Received: from a by b; Tue, 2 Apr 2024 06:00:05 +0000\r\nMessage-ID: <m1@example.org>\r\nDate: Tue, 2 Apr 2024 08:00:00 +0200\r\nFrom: Jo <jo@example.org>\r\nTo: Ole <ole@example.org>\r\nSubject: =?utf-8?q?H=C3=BCtte?=\r\n\r\n";

describe(".msg", () => {
  test("is the mail that its headers tell of, so that a copy of another program is the same record", async () => {
    const msg = cfb(
      msgTree([text(0x001a, "IPM.Note"), text(0x007d, headers), text(0x1000, "words"), text(0x0037, "Hütte")]),
    );
    const items = await importAll(msgImporter, memoryTree({ "box/a.msg": msg }));
    expect(recordsOf(items)).toMatchObject([
      {
        identity: "mail:m1@example.org",
        subject: "Hütte",
        text: "words",
        author: { name: "Jo", address: "jo@example.org" },
        participants: [{ address: "ole@example.org", role: "to" }],
        time: { utc: "2024-04-02T06:00:00Z", offset: "+02:00" },
      },
    ]);
  });

  test("without headers it is told by its properties: times in UTC, mail addresses of Exchange's names", async () => {
    const msg = cfb(
      msgTree(
        [
          text(0x001a, "IPM.Note"),
          text(0x0037, "Plan"),
          text(0x1000, "see inside"),
          text(0x0c1a, "Vale, Ines"),
          text(0x0c1e, "EX"),
          text(0x0c1f, "/O=ORG/CN=IVALE"),
          text(0x5d01, "ines@example.org"),
          time(0x0039, "2024-04-02T06:00:00Z"),
          text(0x1035, "<m2@example.org>"),
        ],
        {
          recipients: [
            [
              int(0x0c15, 1),
              text(0x3001, "Ole"),
              text(0x39fe, "ole@example.org"),
              text(0x3002, "EX"),
              text(0x3003, "/O=ORG/CN=OLE"),
            ],
            [int(0x0c15, 2), text(0x3001, "Somebody"), text(0x3002, "EX"), text(0x3003, "/O=ORG/CN=S")],
          ],
          files: [
            { props: [text(0x3707, "long name.txt"), binary(0x3701, "file words"), int(0x3705, 1)] },
            {
              props: [int(0x3705, 5)],
              message: msgTree(
                [text(0x0037, "inner"), text(0x1000, "inner words")],
                { files: [{ props: [text(0x3707, "b.txt"), binary(0x3701, "deep")] }] },
                24,
              ),
            },
          ],
        },
      ),
    );
    const records = recordsOf(await importAll(msgImporter, memoryTree({ "a.msg": msg })));
    expect(records).toMatchObject([
      {
        identity: "mail:m2@example.org",
        author: { name: "Vale, Ines", address: "ines@example.org" },
        participants: [
          { name: "Ole", address: "ole@example.org", role: "to" },
          { name: "Somebody", address: null, role: "cc" },
        ],
        time: { utc: "2024-04-02T06:00:00Z", local: null, offset: null },
        props: { attachments: [{ name: "long name.txt", bytes: 10 }] },
      },
      { kind: "document", text: "file words", files: [{ path: "a.msg", part: "1" }] },
      { subject: "inner", text: "inner words", partOf: { role: "attached" }, files: [{ part: "2" }] },
      { kind: "document", text: "deep", files: [{ part: "2/1" }] },
    ]);
    expect(partOfMessage(msg, "1")?.toString()).toBe("file words");
    expect(partOfMessage(msg, "2/1")?.toString()).toBe("deep");
  });

  test("appointments, contacts and tasks are what they are", async () => {
    const address = guid("00062004-0000-0000-C000-000000000046");
    const tree = memoryTree({
      "1.msg": cfb(
        msgTree([
          text(0x001a, "IPM.Appointment"),
          text(0x0037, "Holiday"),
          int(0x8003, 1),
          { ...time(0x8000, "2024-05-31T22:00:00Z"), named: { set: appointmentSet, lid: 0x820d } },
          { ...time(0x8001, "2024-06-02T22:00:00Z"), named: { set: appointmentSet, lid: 0x820e } },
          { id: 0x8004, type: 0x0b, value: Buffer.from([1, 0]), named: { set: appointmentSet, lid: 0x8215 } },
        ]),
      ),
      "2.msg": cfb(
        msgTree([
          text(0x001a, "IPM.Contact"),
          text(0x3001, "Ada Berg"),
          text(0x3a1c, "+47 900 00 000"),
          { ...text(0x8000, "ada@example.org"), named: { set: address, lid: 0x8083 } },
        ]),
      ),
      "3.msg": cfb(msgTree([text(0x001a, "IPM.Task"), text(0x0037, "Buy rope")])),
    });
    expect(recordsOf(await importAll(msgImporter, tree))).toMatchObject([
      {
        kind: "event",
        subject: "Holiday",
        time: { local: "2024-06-01", precision: "day" },
        props: { flags: ["all-day"] },
      },
      {
        kind: "contact",
        subject: "Ada Berg",
        props: {
          contact: { phones: [{ value: "+47 900 00 000", label: "mobile" }], emails: [{ value: "ada@example.org" }] },
        },
      },
      { kind: "note", subject: "Buy rope", props: { items: [{ text: "Buy rope", checked: false }] } },
    ]);
  });

  test("a signed message is read, and one that is encrypted is kept as such", async () => {
    const signed =
      "Content-Type: multipart/signed; boundary=x\r\n\r\n--x\r\n\r\nsigned words\r\n--x\r\nContent-Type: application/pkcs7-signature\r\n\r\nAA\r\n--x--\r\n";
    const message = (kind: string, data: string) =>
      cfb(
        msgTree([text(0x001a, kind), text(0x0037, "s"), text(0x007d, headers)], {
          files: [{ props: [text(0x3707, "smime.p7m"), binary(0x3701, data)] }],
        }),
      );
    const tree = memoryTree({
      "1.msg": message("IPM.Note.SMIME.MultipartSigned", signed),
      "2.msg": message("IPM.Note.SMIME", "0 sealed"),
    });
    expect(recordsOf(await importAll(msgImporter, tree)).map(({ text, props }) => [text, props.flags])).toEqual([
      ["signed words", ["signed"]],
      [null, ["encrypted"]],
    ]);
  });
});

describe("RTF", () => {
  test("gives back the HTML that it wraps, and plain text otherwise", () => {
    const wrapped =
      "{\\rtf1\\ansi\\ansicpg1252\\fromhtml1 {\\fonttbl{\\f0 Arial;}}{\\*\\htmltag64 <p>}\\htmlrtf \\par hidden\\htmlrtf0 caf\\'e9 {\\*\\htmltag84 <b>}\\u8364?{\\*\\htmltag92 </b>}{\\*\\htmltag72 </p>}}";
    expect(readRtf(Buffer.from(wrapped))).toEqual({ html: "<p>café <b>€</b></p>" });
    const plain = "{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}{\\*\\generator x;}one\\par two \\{3\\}}";
    expect(readRtf(Buffer.from(plain))).toEqual({ text: "one\ntwo {3}" });
  });

  test("is unpacked as the specification's example is", () => {
    // MS-OXRTFCP §4.1.1
    const packed = Buffer.from(
      "2d0000002b0000004c5a4675f1c5c7a703000a00726370673132354232 0af32068656c09002062770 5b06c647d0a800fa0".replaceAll(
        " ",
        "",
      ),
      "hex",
    );
    expect(unpackRtf(packed)?.toString("latin1")).toBe("{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n");
  });
});

describe("any bytes", () => {
  const whole = tnef([text(0x37, "s")], [{ props: [text(0x3707, "a.txt")], data: Buffer.from("data") }]);
  const file = cfb(
    msgTree([text(0x001a, "IPM.Note"), text(0x0037, "s"), text(0x1000, "t")], {
      files: [{ props: [binary(0x3701, "x")] }],
    }),
  );
  const changes = fc.array(fc.tuple(fc.nat(10_000), fc.integer({ min: 0, max: 255 })), { maxLength: 20 });
  const changed = (bytes: Buffer, list: readonly (readonly [number, number])[]) => {
    const copy = Buffer.from(bytes);
    for (const [at, value] of list) copy[at % copy.length] = value;
    return copy;
  };

  test("never throw in the readers, and give valid records", async () => {
    await fc.assert(
      fc.asyncProperty(changes, fc.nat(4_000), async (list, cut) => {
        const stream = changed(whole, list);
        const message = changed(file, list).subarray(0, file.length - (cut % 3 === 0 ? cut : 0));
        readTnef(stream.subarray(0, Math.max(4, stream.length - cut)));
        readMsg(message);
        unpackRtf(stream);
        readRtf(stream);
        for (const record of recordsOf(await importAll(msgImporter, memoryTree({ "a.msg": message, "b.dat": stream }))))
          importedRecordSchema.parse(record);
      }),
      { numRuns: 300 },
    );
  });

  test("a ring of sectors ends", () => {
    const ring = Buffer.from(file);
    // Every entry of the table of sectors points to sector 0.
    ring.fill(0, file.length - 512);
    expect(() => readMsg(ring)).not.toThrow();
  });
});
