import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importedRecordSchema } from "#contract";
import { smsImporter } from "#main/importers/sms/index.ts";
import { NumberBook } from "#main/importers/sms/numbers.ts";
import { filesOf, importAll, memoryTree, readContext, recordsOf } from "#test/importers/memory-tree.ts";

const read = async (files: Record<string, string | Uint8Array>) => importAll(smsImporter, memoryTree(files));
const backup = (inside: string) =>
  `<?xml version='1.0' encoding='UTF-8'?>\n<smses count="1" type="full">${inside}</smses>`;
const records = async (inside: string) => recordsOf(await read({ "sms-20240301.xml": backup(inside) }));
const sms = (more: string) => `<sms protocol="0" subject="null" toa="null" read="1" ${more} />`;

describe("texts", () => {
  it("are whole: emoji written as two references, line ends, entities", async () => {
    const [message] = await records(
      sms(
        `address="+4791230001" date="1709300000123" type="1" body="Hi &#55357;&#56842;&#10;&lt;b&gt; &amp; c" contact_name="Tor"`,
      ),
    );
    expect(message).toMatchObject({
      kind: "message",
      text: "Hi 😊\n<b> & c",
      subject: null,
      author: { name: "Tor", address: "+4791230001", owner: false },
      time: { utc: "2024-03-01T13:33:20.123Z" },
      props: { direction: "in" },
    });
  });

  it("are the owner's, drafts, failed or waiting by their type", async () => {
    const found = await records(
      [2, 3, 4, 5]
        .map((type) => sms(`address="+4791230001" date="170930000${type}000" type="${type}" body="x"`))
        .join(""),
    );
    expect(found.map(({ author, props }) => [author?.owner, props.flags, props.extra])).toEqual([
      [true, undefined, undefined],
      [true, ["draft"], undefined],
      [true, undefined, { state: "outbox" }],
      [true, undefined, { state: "failed" }],
    ]);
  });

  it("of one number are one conversation, however it is written", async () => {
    const found = await records(
      ["+4791230001", "912 30 001", "0047 91230001"]
        .map((address, i) =>
          sms(
            `address="${address}" date="170930000${i}000" type="${1 + (i % 2)}" body="${i}" contact_name="(Unknown)"`,
          ),
        )
        .join(""),
    );
    expect(new Set(found.map(({ container }) => container?.key)).size).toBe(1);
    expect(found[1]).toMatchObject({ participants: [{ name: null, address: "912 30 001" }] });
  });
});

describe("numbers", () => {
  it("are read with the country of most others, and short ones and words stay as they are", () => {
    const book = new NumberBook();
    for (const one of ["+491605550001", "+491605550002", "+33612345678"]) book.add(one);
    expect(book.keyOf("0160 5550001")).toBe("+491605550001");
    expect(book.keyOf("0171/5550009")).toBe("+491715550009");
    expect(book.keyOf("22000")).toBe("22000");
    expect(book.keyOf("BankInfo")).toBe("bankinfo");
  });
});

describe("messages with files", () => {
  const mms = (parts: string, addrs: string, more = "") =>
    `<mms date="1709300000000" date_sent="1709299990" msg_box="1" address="+4791230001~+4791230002" sub="null" m_id="M1" contact_name="Tor, Liv" ${more}><parts>${parts}</parts><addrs>${addrs}</addrs></mms>`;
  const addrs = `<addr address="+4791230001" type="137"/><addr address="+4791230002" type="151"/><addr address="+4791239999" type="151"/>`;
  const sound = Buffer.from("a sound").toString("base64");

  it("keep their words, their files and their people; the layout goes", async () => {
    const items = await read({
      "x.xml": backup(
        mms(
          `<part seq="-1" ct="application/smil" text="&lt;smil/&gt;"/><part ct="text/plain" text="one"/><part ct="audio/amr" name="null" cl="voice" data="${sound}"/><part ct="image/png" name="gone.png"/>`,
          addrs,
        ),
      ),
    });
    const [message, voice] = recordsOf(items);
    expect(message).toMatchObject({
      text: "one",
      author: { name: "Tor", address: "+4791230001" },
      participants: [
        { name: "Liv", address: "+4791230002", role: "to", owner: false },
        { address: "+4791239999", role: "to", owner: true },
      ],
      time: { utc: "2024-03-01T13:33:20Z" },
      container: { title: "Tor, Liv" },
      props: {
        flags: ["missing-media"],
        extra: { sent: "2024-03-01T13:33:10Z" },
        attachments: [
          { name: "voice.amr", mime: "audio/amr", bytes: 7, path: null, missing: false },
          { name: "gone.png", missing: true },
        ],
      },
    });
    expect(voice).toMatchObject({
      kind: "audio",
      partOf: { identity: message?.identity, role: "attachment" },
      files: [{ path: "x.xml", bytes: 7, part: "1.3" }],
    });
  });

  it("are a conversation of their own when they have several receivers", async () => {
    const found = await records(
      sms(`address="+4791230001" date="1709300000001" type="1" body="alone"`) +
        mms(`<part ct="text/plain" text="group"/>`, addrs),
    );
    expect(new Set(found.map(({ container }) => container?.key)).size).toBe(2);
  });
});

describe("calls", () => {
  it("are notices with a duration in the conversation of the number", async () => {
    const items = await read({
      "calls-1.xml": `<calls count="3"><call number="+4791230001" duration="65" date="1709300000000" type="1" contact_name="Tor"/><call number="+4791230001" duration="0" date="1709300100000" type="3" contact_name="Tor"/><call number="-2" duration="0" date="1709300200000" type="5" contact_name="(Unknown)"/></calls>`,
      "sms-1.xml": backup(sms(`address="+4791230001" date="1709300000000" type="1" body="x"`)),
    });
    const [first, missed, hidden, text] = recordsOf(items);
    expect(first).toMatchObject({
      kind: "system",
      text: "Incoming call",
      author: { name: "Tor" },
      props: { flags: ["call"], duration: 65 },
    });
    expect(missed?.props.flags).toEqual(["call", "missed"]);
    expect(hidden).toMatchObject({ author: null, text: "Rejected call" });
    expect(first?.container?.key).toBe(text?.container?.key);
  });
});

describe("SMS Import / Export", () => {
  it("is read line by line, files from the folder beside", async () => {
    const lines = [
      {
        _id: "1",
        thread_id: "1",
        address: "+4791230001",
        date: "1709300000123",
        type: "2",
        body: "hi",
        __display_name: "Tor",
      },
      {
        _id: "1",
        thread_id: "1",
        date: "1709300100",
        msg_box: "1",
        m_id: "M2",
        __sender_address: { address: "+4791230001", type: "137", __display_name: "Tor" },
        __recipient_addresses: [{ address: "+4791239999", type: "151" }],
        __parts: [
          { ct: "text/plain", text: "look" },
          { ct: "video/mp4", cl: "a.mp4", _data: "/data/app_parts/PART_1.mp4" },
        ],
      },
    ];
    const text = [...lines.map((line) => JSON.stringify(line)), "{broken", ""].join("\n");
    const items = await read({
      "m.zip/messages.ndjson": text,
      "m.zip/data/PART_1.mp4": "film",
      "m.zip/data/PART_9": "x",
    });
    const [mine, theirs, film] = recordsOf(items);
    expect(mine).toMatchObject({ text: "hi", author: { owner: true }, participants: [{ name: "Tor" }] });
    expect(theirs).toMatchObject({ text: "look", author: { name: "Tor" }, time: { utc: "2024-03-01T13:35:00Z" } });
    expect(theirs?.container?.key).toBe(mine?.container?.key);
    expect(film).toMatchObject({ kind: "video", files: [{ path: "m.zip/data/PART_1.mp4" }] });
    expect(filesOf(items).map(({ status, skipped }) => [status, skipped])).toEqual([
      ["imported", 1],
      ["imported", 0],
      ["skipped", 0],
    ]);
  });
});

describe("backups", () => {
  it("of other kinds are left alone", async () => {
    expect(await read({ "a.xml": "<rss><channel/></rss>", "b.json": '{"messages":[]}', "c.txt": "smses" })).toEqual([]);
  });

  it("that break off are kept as far as they go", async () => {
    const items = await read({
      "s.xml": backup(sms(`address="1" date="1709300000000" type="1" body="x"`)).replace("</smses>", "<sms addr"),
    });
    expect(recordsOf(items)).toHaveLength(1);
    expect(filesOf(items)).toMatchObject([{ status: "imported", reason: expect.stringContaining("damaged") }]);
  });

  it("made later hold the same identities, whatever else they hold", async () => {
    const one = sms(`address="912 30 001" date="1709300000123" type="1" body="x" contact_name="T"`);
    const later =
      one.replace('"T"', '"Tor Lund"') + sms(`address="+4791230001" date="1709300000999" type="1" body="y"`);
    const [before] = await records(one);
    const [after] = await records(later);
    expect(after?.identity).toBe(before?.identity);
  });

  it("go on after any record as if reading had never stopped", async () => {
    const data = Buffer.from("film").toString("base64");
    const tree = memoryTree({
      "s.xml": backup(
        sms(`address="1" date="1709300000000" type="1" body="x"`) +
          `<mms date="1709300000000" msg_box="2" address="+4791230001"><parts><part ct="video/mp4" cl="a.mp4" data="${data}"/></parts></mms>` +
          sms(`address="1" date="1709300000009" type="2" body="y"`),
      ),
    });
    const whole = await importAll(smsImporter, tree);
    const [claim] = await Array.fromAsync(smsImporter.recognise(tree));
    if (claim === undefined) throw new Error("no claim");
    const keys = (items: typeof whole) =>
      items.map((item) => (item.type === "record" ? item.record.identity : item.path));
    for (const [i, item] of whole.entries()) {
      if (item.type !== "record") continue;
      const rest = keys(await Array.fromAsync(smsImporter.read(claim, readContext(tree, { resume: item.cursor }))));
      expect(rest.slice(-(whole.length - i - 1))).toEqual(keys(whole.slice(i + 1)));
    }
  });

  it("of any content give valid records or a reason, never a throw", async () => {
    const attribute = fc.tuple(
      fc.constantFrom(
        "address",
        "date",
        "type",
        "body",
        "msg_box",
        "contact_name",
        "ct",
        "data",
        "text",
        "cl",
        "number",
        "duration",
      ),
      fc.oneof(
        fc.string(),
        fc.integer().map(String),
        fc.constantFrom("null", "1709300000000", "-1", "1e400", "+47912", "~~", "&#55357;", "137"),
      ),
    );
    const escaped = (text: string) => text.replace(/[<>"]/g, "");
    const tag = fc
      .tuple(fc.constantFrom("sms", "mms", "part", "addr", "call", "/mms", "x"), fc.array(attribute, { maxLength: 6 }))
      .map(([name, list]) =>
        name.startsWith("/")
          ? `<${name}>`
          : `<${name} ${[...new Map(list)].map(([key, value]) => `${key}="${escaped(value)}"`).join(" ")}${name === "mms" ? ">" : "/>"}`,
      );
    const line = fc.dictionary(
      fc.constantFrom(
        "address",
        "date",
        "type",
        "body",
        "msg_box",
        "__parts",
        "thread_id",
        "number",
        "duration",
        "__sender_address",
      ),
      fc.jsonValue(),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(tag, { maxLength: 12 }),
        fc.array(line, { maxLength: 6 }),
        fc.string(),
        async (tags, lines, noise) => {
          const items = await read({
            "a.xml": `<smses count="2">${tags.join("")}${noise}`,
            "b.ndjson": [...lines.map((one) => JSON.stringify({ thread_id: 1, ...one })), noise].join("\n"),
          });
          for (const record of recordsOf(items)) expect(importedRecordSchema.safeParse(record).error).toBeUndefined();
        },
      ),
      { numRuns: 200 },
    );
  });
});
