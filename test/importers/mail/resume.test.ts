import { describe, expect, test } from "vitest";
import { emlImporter, mboxImporter } from "#main/importers/mail/index.ts";
import type { Cursor, ImportedItem, Importer, SourceTree } from "#main/importers/types.ts";
import { filesOf, importAll, memoryTree, readContext, recordsOf } from "#test/importers/memory-tree.ts";

const mail = (index: number, extra = "") =>
  `From: Mia <mia@example.org>\nTo: Ole <ole@example.org>\nDate: Tue, 2 Apr 2024 08:0${index}:00 +0200\nSubject: ${index}\nMessage-ID: <m${index}@example.org>\n${extra}\nLetter ${index}\n`;

async function readOn(importer: Importer, tree: SourceTree, resume: Cursor): Promise<ImportedItem[]> {
  const [claim] = await Array.fromAsync(importer.recognise(tree));
  if (!claim) throw new Error("nothing was claimed");
  const context = readContext(tree, { resume });
  return Array.fromAsync(importer.read(claim, context));
}

describe.each([
  {
    name: "a folder of messages",
    importer: emlImporter,
    tree: memoryTree(Object.fromEntries([0, 1, 2, 3, 4].map((index) => [`box/cur/${index}:2,S`, mail(index)]))),
  },
  {
    name: "a mailbox",
    importer: mboxImporter,
    tree: memoryTree({
      "box.mbox": [0, 1, 2, 3, 4].map((i) => `From m@example.org Tue Apr  2 08:0${i}:00 2024\n${mail(i)}\n`).join(""),
    }),
  },
])("reading $name after an interruption", ({ importer, tree }) => {
  test("goes on after the record of any cursor, repeats none, and still tells how each file ended", async () => {
    const whole = await importAll(importer, tree);
    const records = whole.flatMap((item) => (item.type === "record" ? [item] : []));
    expect(records).toHaveLength(5);
    for (const [index, { cursor }] of records.entries()) {
      const rest = await readOn(importer, tree, cursor);
      expect(recordsOf(rest).map((record) => record.identity)).toEqual(
        records.slice(index + 1).map(({ record }) => record.identity),
      );
      const told = new Set(filesOf(rest).map((file) => file.path));
      for (const file of filesOf(whole).slice(importer === emlImporter ? index : 0)) expect(told).toContain(file.path);
    }
  });
});

test("a mailbox cut in the middle keeps what can be read of its last message, and the ledger says where it broke", async () => {
  const cut = `From m@example.org Tue Apr  2 08:00:00 2024\n${mail(0)}\nFrom m@example.org Tue Apr  2 08:01:00 2024\n${mail(1, "Content-Type: multipart/mixed; boundary=x\n")}`;
  const text = `${cut}--x\nContent-Type: text/plain\n\nhello there\n--x\nContent-Type: application/pdf; name=a.pdf\nContent-Transfer-Encoding: base64\n\nJVBERi0xLj`;
  const items = await importAll(mboxImporter, memoryTree({ "cut.mbox": text }));
  expect(recordsOf(items).map(({ props }) => props.flags?.includes("damaged") ?? false)).toEqual([false, true, false]);
  expect(filesOf(items)).toMatchObject([
    {
      status: "imported",
      reason: `The message at byte ${text.indexOf("\nFrom m@", 5) + 1} is cut or damaged in one of its parts; what can be read of it is kept.`,
    },
  ]);
});
