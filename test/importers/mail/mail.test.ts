import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importedRecordSchema } from "#contract";
import { emlImporter, mboxImporter } from "#main/importers/mail/index.ts";
import { filesOf, importAll, memoryTree, readContext, recordsOf } from "#test/importers/memory-tree.ts";

const head = (fields: string) =>
  `From: Mia Lund <mia@example.org>\nTo: Ole <ole@example.org>\nDate: Tue, 2 Apr 2024 08:00:00 +0200\n${fields}`;

async function readEml(text: string | Uint8Array) {
  const items = await importAll(emlImporter, memoryTree({ "box/one.eml": text }));
  return recordsOf(items);
}

async function one(text: string | Uint8Array) {
  const [record] = await readEml(text);
  if (record === undefined) throw new Error("no record");
  return record;
}

describe("one mail", () => {
  it("becomes a record with people, time, subject and text", async () => {
    const record = await one(
      head("Cc: a@x.org\nSubject: =?utf-8?q?Fj=C3=A4ll?=\nMessage-ID: <m1@example.org>\n\nHello\n\n> old words\n"),
    );
    expect(record).toMatchObject({
      identity: "mail:m1@example.org",
      kind: "email",
      nativeId: "m1@example.org",
      subject: "Fjäll",
      text: "Hello\n\n> old words",
      author: { name: "Mia Lund", address: "mia@example.org", role: "author" },
      time: { utc: "2024-04-02T06:00:00Z", offset: "+02:00" },
      container: { key: "mailbox:box", title: "box", kind: "mailbox" },
      thread: "mail:m1@example.org",
    });
    expect(record.participants.map(({ role, address }) => [role, address])).toEqual([
      ["to", "ole@example.org"],
      ["cc", "a@x.org"],
    ]);
  });

  it("shows the plain form of an alternative, the HTML when plain only points to it, and text of HTML alone", async () => {
    const both = (plain: string, html: string) =>
      head(
        `Content-Type: multipart/alternative; boundary=x\n\n--x\nContent-Type: text/plain\n\n${plain}\n--x\nContent-Type: text/html\n\n${html}\n--x--\n`,
      );
    expect((await one(both("short words", "<p>long <b>words</b></p>"))).text).toBe("short words");
    const pointer = both("Please view the HTML part.", "<p>The boat leaves at nine from the old harbour.</p>");
    expect((await one(pointer)).text).toBe("The boat leaves at nine from the old harbour.");
    const html = head(
      "Content-Type: text/html; charset=utf-8\n\n<style>p{}</style><div style='display:none'>hidden</div><p>Café&nbsp;<a href='https://x.org/a'>map</a></p><img src='https://t.org/1.gif'>",
    );
    const { text } = await one(html.replaceAll("'", '"'));
    expect(text).toContain("Café map");
    expect(text).toContain("https://x.org/a");
    expect(text).not.toMatch(/hidden|t\.org|p\{\}/);
  });

  it("reads HTML nested beyond reason as text", async () => {
    const html = `Content-Type: text/html\n\n${"<div>".repeat(200_000)}deep &amp; wide`;
    expect((await one(head(html))).text).toBe("deep & wide");
  });

  it("lists what is attached, and marks what the HTML shows", async () => {
    const [record, part] = await readEml(
      head(
        `Content-Type: multipart/mixed; boundary="a b"\n\n--a b\nContent-Type: multipart/related; boundary=r\n\n--r\nContent-Type: text/html\n\n<p>see <img src="cid:pic%40x"></p>\n--r\nContent-Type: image/png; name=p.png\nContent-ID: <pic@x>\nContent-Transfer-Encoding: base64\n\nAAEC\n--r--\n--a b\nContent-Type: text/plain; charset=iso-8859-1\nContent-Disposition: attachment; filename*=utf-8''m%C3%A5l.txt\nContent-Transfer-Encoding: quoted-printable\n\nm=E5l\n--a b--\n`,
      ),
    );
    expect(record?.text).toBe("see");
    expect(record?.props.attachments).toMatchObject([
      { name: "p.png", mime: "image/png", bytes: 3, inline: true },
      { name: "mål.txt", mime: "text/plain", inline: false, text: null },
    ]);
    expect(part).toMatchObject({ kind: "document", text: "mål", props: { name: "mål.txt" } });
  });

  it("keeps a mail inside a mail apart, as a part", async () => {
    const [outer, inner] = await readEml(
      head(
        "Message-ID: <out@x>\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nlook below\n--x\nContent-Type: message/rfc822\n\nFrom: ann@example.org\nMessage-ID: <in@x>\nSubject: inner\n\ninner words\n--x--\n",
      ),
    );
    expect(outer).toMatchObject({ text: "look below", partOf: null });
    expect(inner).toMatchObject({
      nativeId: "in@x",
      subject: "inner",
      text: "inner words",
      partOf: { identity: "mail:out@x", role: "attached" },
    });
  });

  it("says what is signed, encrypted, damaged, or guessed", async () => {
    const flags = async (text: string | Uint8Array) => (await one(text)).props.flags ?? [];
    const signed =
      "Content-Type: multipart/signed; boundary=x\n\n--x\n\nwords\n--x\nContent-Type: application/pgp-signature\n\nAA\n--x--\n";
    expect(await flags(head(signed))).toEqual(["signed"]);
    expect((await one(head(signed))).props.attachments).toBeUndefined();
    expect(await flags(head("Content-Type: multipart/encrypted; boundary=x\n\n--x\n\nVersion: 1\n--x--\n"))).toEqual([
      "encrypted",
    ]);
    expect(await flags(head("Content-Type: multipart/mixed; boundary=x\n\n--x\n\nwords\n"))).toEqual(["damaged"]);
    expect(await flags(Buffer.from(head("\n\u00e9t\u00e9"), "latin1"))).toEqual(["charset-guessed"]);
  });

  it("finds the parent and the root, through a reply that names no id of its own", async () => {
    const reply = await one(head("Message-ID: <c@x>\nReferences: <a@x> <b@x>\n\nyes"));
    expect(reply).toMatchObject({ replyTo: "mail:b@x", thread: "mail:a@x" });
    expect((await one(head("Message-ID: <d@x>\nIn-Reply-To: <yes>\n\nyes"))).replyTo).toBeNull();
  });
});

const mboxOf = (texts: readonly string[]) =>
  texts.map((text) => `From mia@example.org Tue Apr  2 08:00:00 2024\n${text}\n\n`).join("");

describe("a mailbox", () => {
  it("is known by its content, whatever it is called; other files are not touched", async () => {
    const tree = memoryTree({
      "Mail/Inbox": mboxOf([head("\none")]),
      "Mail/Inbox.msf": "index",
      "Mail/notes.txt": "From here on\n",
      "Mail/letter.mbox": "not a mailbox at all",
      "Mail/empty.mbox": "",
    });
    const files = filesOf(await importAll(mboxImporter, tree));
    expect(files.map(({ path, status }) => [path, status])).toEqual([
      ["Mail/Inbox", "imported"],
      ["Mail/Inbox.msf", "skipped"],
      ["Mail/empty.mbox", "skipped"],
      ["Mail/letter.mbox", "failed"],
    ]);
    const single = memoryTree({
      "17:2,S": head("Subject: x\n\nx"),
      "18.json": head("Subject: x\n\nx"),
      "19": "no mail",
    });
    expect((await Array.fromAsync(emlImporter.recognise(single))).map(({ primary }) => primary)).toEqual(["17:2,S"]);
  });

  it("reads Gmail's labels, threads and senders, and leaves spam and deleted mail out, saying so", async () => {
    const text = mboxOf([
      head('X-GM-THRID: 1790000000000000001\nX-Gmail-Labels: =?utf-8?q?Gesendet,H=C3=BCtte?=,"a, b"\n\none'),
      head("X-GM-THRID: 1790000000000000002\nX-Gmail-Labels: Spam\n\nbuy"),
      head("X-Mozilla-Status: 0009\n\ngone"),
    ]);
    const items = await importAll(mboxImporter, memoryTree({ "All.mbox": text }));
    expect(recordsOf(items)).toMatchObject([
      {
        thread: "gmail:1790000000000000001",
        author: { owner: true },
        props: { labels: ["Gesendet", "Hütte", "a, b"], direction: "out" },
      },
    ]);
    expect(filesOf(items)).toMatchObject([
      { skipped: 2, reason: "Left out: 1 marked as spam, 1 deleted in the mailbox." },
    ]);
  });

  it("gives equal mail without an id one identity, and different mail under one id two", async () => {
    const same = head("Subject: s\n\nwords");
    const reused = (date: string) => `From: scan@x.org\nDate: ${date}\nMessage-ID: <fixed@x>\n\nscan`;
    const texts = [same, same, reused("Tue, 2 Apr 2024 08:00:00 +0000"), reused("Wed, 3 Apr 2024 08:00:00 +0000")];
    const ids = recordsOf(await importAll(mboxImporter, memoryTree({ "a.mbox": mboxOf(texts) }))).map(
      ({ identity }) => identity,
    );
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).toBe("mail:fixed@x");
    expect(new Set(ids).size).toBe(3);
  });

  it("goes on after any record as if it had never stopped", async () => {
    const texts = [1, 2, 3, 4].map((i) => head(`Message-ID: <m${i}@x>\nIn-Reply-To: <m${i - 1}@x>\n\nmail ${i}`));
    const fixed = ["Tue, 2 Apr 2024 08:00:00 +0000", "Wed, 3 Apr 2024 08:00:00 +0000"].map(
      (date) => `From: s@x.org\nDate: ${date}\nMessage-ID: <f@x>\n\ns`,
    );
    const tree = memoryTree({ "a.mbox": mboxOf([...texts, ...fixed]) });
    const whole = await importAll(mboxImporter, tree);
    const [claim] = await Array.fromAsync(mboxImporter.recognise(tree));
    if (claim === undefined) throw new Error("no claim");
    for (const [i, item] of whole.entries()) {
      if (item.type !== "record") continue;
      const context = readContext(tree, { resume: item.cursor });
      expect(await Array.fromAsync(mboxImporter.read(claim, context))).toEqual(whole.slice(i + 1));
    }
  });

  it("stops when it is told to", async () => {
    const tree = memoryTree({ "a.mbox": mboxOf([head("\none")]) });
    const [claim] = await Array.fromAsync(mboxImporter.recognise(tree));
    if (claim === undefined) throw new Error("no claim");
    const context = readContext(tree, { signal: AbortSignal.abort() });
    await expect(Array.fromAsync(mboxImporter.read(claim, context))).rejects.toMatchObject({ code: "cancelled" });
  });
});

describe("a folder of messages", () => {
  it("is one claim, whose threads are whole in any order", async () => {
    const tree = memoryTree({
      "Maildir/cur/1:2,S": head("Message-ID: <c@x>\nIn-Reply-To: <b@x>\n\nthird"),
      "Maildir/cur/2:2,F": head("Message-ID: <b@x>\nIn-Reply-To: <a@x>\n\nsecond"),
      "Maildir/new/3": head("Message-ID: <a@x>\n\nfirst"),
      "Maildir/cur/4:2,T": head("Message-ID: <t@x>\n\nbinned"),
    });
    expect(await Array.fromAsync(emlImporter.recognise(tree))).toMatchObject([
      { label: "Maildir", companions: { length: 3 } },
    ]);
    const items = await importAll(emlImporter, tree);
    expect(new Set(recordsOf(items).map(({ thread }) => thread))).toEqual(new Set(["mail:a@x"]));
    expect(recordsOf(items).map(({ props }) => props.flags)).toEqual([undefined, ["starred"], undefined]);
    expect(filesOf(items).find(({ status }) => status === "skipped")).toMatchObject({ path: "Maildir/cur/4:2,T" });
  });
});

describe("any bytes", () => {
  const piece = fc.constantFrom(
    "Content-Type: multipart/mixed; boundary=b\n",
    "Content-Type: message/rfc822\n",
    "Content-Transfer-Encoding: base64\n",
    "Content-Type: text/html\n",
    "--b\n",
    "--b--\n",
    "\n",
    "Subject: =?utf-8?b?w7w?=\n",
    " folded\n",
    "<p>\n",
    "From x Tue Apr  2 08:00:00 2024\n",
    "AAAA\n",
    "format=flowed \n",
    "\0\ud800\n",
  );

  it("give valid records or a reason, never a throw", async () => {
    const noise = fc
      .array(fc.oneof(piece, fc.string({ maxLength: 20 })), { maxLength: 25 })
      .map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(noise, async (text) => {
        const tree = memoryTree({
          "a.eml": `From: a@x.org\nDate: x\n${text}`,
          "b.mbox": mboxOf([`From: a@x.org\n${text}`]),
          "c.eml": text,
        });
        for (const importer of [mboxImporter, emlImporter]) {
          const items = await importAll(importer, tree);
          for (const record of recordsOf(items)) expect(importedRecordSchema.safeParse(record).error).toBeUndefined();
          expect(filesOf(items).every(({ status, reason }) => status === "imported" || reason !== null)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});
