import { describe, expect, test } from "vitest";
import { emlxImporter } from "#main/importers/mail/index.ts";
import { filesOf, importAll, memoryTree, readContext, recordsOf } from "#test/importers/memory-tree.ts";

const store = "Mail/V10/0C0FFEE0-1111-4000-8000-00000000000A/Reisen.mbox/2019.mbox";
const data = `${store}/0C0FFEE0-1111-4000-8000-00000000000B/Data/4/Messages`;

/** An .emlx file: length in bytes, the message, and what the program says of it. */
function emlx(message: string, about = "<key>flags</key><integer>1</integer>"): string {
  return `${Buffer.byteLength(message)}      \n${message}<?xml version="1.0"?><plist><dict>${about}</dict></plist>\n`;
}

const letter = (id: string, more = "") =>
  `From: Änne <anne@example.org>\r\nDate: Tue, 2 Apr 2024 08:00:00 +0200\r\nMessage-ID: <${id}@x.org>\r\n${more}`;

const withFile = (inside: string) =>
  letter(
    "file",
    `Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nGrüße aus Südtirol\r\n--x\r\nContent-Type: application/pdf; name=karte.pdf\r\nContent-Disposition: attachment; filename=karte.pdf\r\nContent-Transfer-Encoding: base64\r\n${inside}\r\n--x--\r\n`,
  );

describe("Apple Mail's store", () => {
  test("a message ends after its bytes; the property list is no text, and its flags are read", async () => {
    const items = await importAll(
      emlxImporter,
      memoryTree({
        [`${data}/7.emlx`]: emlx(`${letter("a")}\r\nöäü`, "<key>flags</key><integer>16</integer>"),
        [`${data}/8.emlx`]: emlx(`${letter("b")}\r\ngone`, "<key>flags</key><integer>2</integer>"),
        [`${data}/9.emlx`]: emlx(
          "From: a@x.org\r\nSubject: no date\r\n\r\nx",
          "<key>date-received</key><real>1700000000.5</real>",
        ),
      }),
    );
    expect(recordsOf(items)).toMatchObject([
      {
        identity: "mail:a@x.org",
        text: "öäü",
        props: { flags: ["starred"] },
        container: { key: "mailbox:0C0FFEE0-1111-4000-8000-00000000000A/Reisen/2019", title: "Reisen/2019" },
      },
      { time: { utc: "2023-11-14T22:13:20Z", source: "emlx:date-received", confidence: "low" } },
    ]);
    expect(filesOf(items).map(({ status }) => status)).toEqual(["imported", "skipped", "imported"]);
  });

  test("a partial message finds its files by the number of the part, and stands as whole as another", async () => {
    const beside = data.replace("Messages", "Attachments/12/2/karte.pdf");
    const tree = memoryTree({
      [`${data}/12.partial.emlx`]: emlx(withFile("X-Apple-Content-Length: 8\r\n\r\n")),
      [beside]: "%PDF-1.4",
      [data.replace("Messages", "Attachments/99/2/stray.pdf")]: "%PDF-1.4",
    });
    const items = await importAll(emlxImporter, tree);
    const [mail, file] = recordsOf(items);
    expect(mail).toMatchObject({
      text: "Grüße aus Südtirol",
      props: { attachments: [{ name: "karte.pdf", bytes: 8 }] },
    });
    expect(file).toMatchObject({
      kind: "document",
      partOf: { identity: "mail:file@x.org", role: "attachment" },
      files: [{ path: beside, offset: null, bytes: 8 }],
    });
    expect(Object.fromEntries(filesOf(items).map(({ path, status }) => [path.split("/").at(-1), status]))).toEqual({
      "12.partial.emlx": "imported",
      "karte.pdf": "imported",
      "stray.pdf": "skipped",
    });
  });

  test("a part that was never fetched is named as missing", async () => {
    const tree = memoryTree({ [`${data}/12.partial.emlx`]: emlx(withFile("X-Apple-Content-Length: 8\r\n\r\n")) });
    const [mail, ...rest] = recordsOf(await importAll(emlxImporter, tree));
    expect(mail?.props.attachments).toMatchObject([{ name: "karte.pdf", missing: true, bytes: null }]);
    expect(rest).toEqual([]);
  });

  test("broken files are told, and reading goes on after any record", async () => {
    const tree = memoryTree({
      [`${data}/1.emlx`]: "no length here",
      [`${data}/2.emlx`]: `9999\n${letter("cut")}\r\ncut off<?xml version="1.0"?>`,
      [`${data}/3.emlx`]: emlx(withFile("\r\nJVBERi0x")),
    });
    const whole = await importAll(emlxImporter, tree);
    expect(recordsOf(whole).map(({ identity }) => identity.slice(0, 8))).toEqual(["mail:cut", "mail:fil", "document"]);
    expect(filesOf(whole).map(({ status }) => status)).toEqual(["failed", "imported", "imported"]);
    const [claim] = await Array.fromAsync(emlxImporter.recognise(tree));
    if (claim === undefined) throw new Error("no claim");
    const records = whole.filter((item) => item.type === "record");
    const ends = [1, 1, 3];
    for (const [i, { cursor }] of records.entries()) {
      const rest = await Array.fromAsync(emlxImporter.read(claim, readContext(tree, { resume: cursor })));
      expect(recordsOf(rest)).toEqual(records.slice(ends[i]).map(({ record }) => record));
    }
  });
});
