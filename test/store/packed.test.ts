import { writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { emlImporter, mboxImporter } from "#main/importers/mail/index.ts";
import { photosImporter } from "#main/importers/photos/index.ts";
import { telegramImporter } from "#main/importers/telegram/index.ts";
import { whatsappImporter } from "#main/importers/whatsapp/index.ts";
import { runImport } from "#main/ingest/index.ts";
import { createParseService } from "#main/ingest/parse.ts";
import type { ImportStore, ParsePort } from "#main/ingest/ports.ts";
import type { Store } from "#main/records/store.ts";
import { plainDocuments } from "#test/importers/memory-tree.ts";
import { buildTiff, tag, withExif } from "#test/importers/photos/exif-builder.ts";
import { folderWith, temporaryFolder } from "#test/ingest/folders.ts";
import { makeZip } from "#test/ingest/zip-maker.ts";
import { freshStore } from "./fixtures.ts";

/** What one household exported, packed in three ways. */

const plain = await sharp({ create: { width: 40, height: 24, channels: 3, background: "#a62" } })
  .jpeg()
  .toBuffer();
const photo = (at: string) => withExif(plain, buildTiff({ exif: { [tag.dateTimeOriginal]: { ascii: at } } }));

const mail = (number: number, more = "") =>
  [
    "From: Juno <juno@example.org>",
    "To: Mara <mara@example.org>, Ada <ada@example.org>",
    `Subject: Walk ${number}`,
    `Date: Wed, ${number} May 2024 10:00:00 +0200`,
    `Message-ID: <walk-${number}@example.org>`,
    ...(more === "" ? ["", `The path of walk ${number} is dry.`] : [more]),
    "",
  ].join("\n");
const logo = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const withLogo = (name: string) =>
  [
    'Content-Type: multipart/mixed; boundary="b"',
    "",
    "--b",
    "Content-Type: text/plain",
    "",
    "With the map.",
    "--b",
    `Content-Type: image/png; name="${name}"`,
    `Content-Disposition: attachment; filename="${name}"`,
    "Content-Transfer-Encoding: base64",
    "",
    logo,
    "--b--",
  ].join("\n");
const mbox = (...mails: string[]) =>
  mails.map((one) => `From juno@example.org Wed May  1 10:00:00 2024\n${one}\n`).join("");

const chat = ["[01/05/2024, 10:00:00] Juno: Are you there?", "[01/05/2024, 10:01:00] Mara: Yes, at the gate.", ""].join(
  "\n",
);
const telegram = JSON.stringify({
  name: "Ada",
  type: "personal_chat",
  id: 4242,
  messages: [
    {
      id: 1,
      type: "message",
      date: "2024-05-01T10:00:00",
      date_unixtime: "1714557600",
      from: "Ada",
      from_id: "user7",
      text: "Bring the map",
    },
    {
      id: 2,
      type: "message",
      date: "2024-05-01T10:05:00",
      date_unixtime: "1714557900",
      from: "Mara",
      from_id: "user8",
      text: "I will",
    },
  ],
});

const [first, second, third] = [mail(1), mail(2, withLogo("map.png")), mail(3, withLogo("logo.png"))];
const photos = [photo("2024:05:01 10:00:00"), photo("2024:05:02 10:00:00")] as const;
const copy = photo("2024:05:03 10:00:00");

const folder = {
  "mail/inbox.mbox": mbox(first, second),
  "mail/one.eml": third,
  "chats/WhatsApp Chat with Juno.txt": chat,
  "telegram/result.json": telegram,
  "pictures/IMG_1.jpg": photos[0],
  "pictures/IMG_2.jpg": photos[1],
  "pictures/IMG_3.jpg": copy,
};
const renamed = {
  "a/pictures of spring/gate.jpg": photos[1],
  "a/pictures of spring/path.jpg": photos[0],
  "b/again/gate (1).jpg": photos[1],
  "b/holiday.jpg": copy,
  "c/ChatExport_2024-06-01/result.json": telegram,
  "d/WhatsApp Chat with Juno.txt": chat,
  "e/all of it": mbox(third, second, first),
};

async function importInto(store: Store, root: string): Promise<void> {
  const service = createParseService(
    [mboxImporter, emlImporter, whatsappImporter, telegramImporter, photosImporter],
    plainDocuments,
  );
  const parser: ParsePort = {
    plan: (input, signal = new AbortController().signal) => service.plan(input, { signal }),
    read: (input, signal = new AbortController().signal) => service.read(input, { signal }),
    restart: async () => {},
  };
  const { writer } = store;
  const ports: ImportStore = {
    beginImport: async (input) => writer.beginImport(input),
    planFiles: async ({ importId, files }) => writer.planFiles(importId, files),
    ledgerSkip: async ({ importId, rows }) => writer.ledgerSkip(importId, rows),
    commit: async (batch) => writer.commit(batch),
    checkpoint: async ({ importId, claim }) => writer.checkpoint(importId, claim),
    containerHolding: async ({ fingerprints }) => writer.containerHolding(fingerprints),
    setImportStatus: async ({ importId, status }) => writer.setImportStatus(importId, status),
  };
  const context = { jobId: "job", signal: new AbortController().signal, checkpoint: null };
  await runImport(
    { store: ports, parser },
    { roots: [root], importId: null },
    { ...context, saveCheckpoint: async () => {}, progress: () => {} },
  );
}

function zipped(): string {
  const place = join(temporaryFolder(), "takeout.zip");
  writeFileSync(place, makeZip(Object.entries(folder).map(([name, content]) => ({ name, content, deflate: true }))));
  return place;
}

/** What the digest is taken over, for telling what differs. */
const told = (store: Store) => {
  const reader = store.writer.reader();
  return reader
    .getMany(reader.liveIds(0, 99))
    .map(({ identity, kind }) => `${kind} ${identity}`)
    .sort();
};

test("a folder, its zip, and a renamed and re-ordered copy make equal archives, and add nothing to one another", async () => {
  const roots = [folderWith(folder), zipped(), folderWith(renamed)];
  const digests: string[] = [];
  const records: string[][] = [];
  for (const root of roots) {
    const store = freshStore();
    await importInto(store, root);
    digests.push(store.contentDigest());
    records.push(told(store));
  }
  const all = freshStore();
  for (const root of [...roots, ...roots]) {
    await importInto(all, root);
    digests.push(all.contentDigest());
    records.push(told(all));
  }
  expect(records[0]).toHaveLength(11);
  for (const list of records) expect(list).toEqual(records[0]);
  expect(new Set(digests).size).toBe(1);
});
