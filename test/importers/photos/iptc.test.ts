import sharp from "sharp";
import { expect, test } from "vitest";
import { readPicture } from "#main/importers/photos/index.ts";
import { memoryEntry } from "#test/importers/memory-tree.ts";

const plain = await sharp({ create: { width: 16, height: 16, channels: 3, background: "#345" } })
  .jpeg()
  .toBuffer();

/** A JPEG with these IPTC-IIM data sets of record 2 in its APP13 segment (IIM 4.2 §1.6; Photoshop resource 0x0404). */
function withIptc(sets: readonly (readonly [number, Buffer])[], utf8: boolean): Buffer {
  const dataSet = (record: number, number: number, data: Buffer) =>
    Buffer.concat([Buffer.from([0x1c, record, number, data.length >> 8, data.length & 255]), data]);
  const iim = Buffer.concat([
    ...(utf8 ? [dataSet(1, 90, Buffer.from("\u001b%G"))] : []),
    ...sets.map(([number, data]) => dataSet(2, number, data)),
  ]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(iim.length);
  const padding = Buffer.alloc(iim.length % 2);
  const resource = Buffer.concat([Buffer.from("8BIM\u0004\u0004\0\0", "latin1"), size, iim, padding]);
  const payload = Buffer.concat([Buffer.from("Photoshop 3.0\0", "latin1"), resource]);
  const head = Buffer.from([0xff, 0xed, 0, 0]);
  head.writeUInt16BE(payload.length + 2, 2);
  return Buffer.concat([plain.subarray(0, 2), head, payload, plain.subarray(2)]);
}

const words = (encode: (text: string) => Buffer) =>
  [
    [5, encode("Hafen")],
    [25, encode("Brücke")],
    [25, encode("Nebel")],
    [55, encode("20180203")],
    [60, encode("101112+0100")],
    [120, encode("Ein später Abend")],
  ] as const;

test.each([
  [
    "UTF-8, declared",
    withIptc(
      words((text) => Buffer.from(text, "utf8")),
      true,
    ),
  ],
  [
    "UTF-8, not declared",
    withIptc(
      words((text) => Buffer.from(text, "utf8")),
      false,
    ),
  ],
  [
    "a western code page",
    withIptc(
      words((text) => Buffer.from(text, "latin1")),
      false,
    ),
  ],
])("title, caption, keywords and date of IPTC: %s", async (_charset, bytes) => {
  const result = await readPicture(memoryEntry("a.jpg", bytes), { signal: new AbortController().signal });
  expect(result).toMatchObject({
    record: {
      subject: "Hafen",
      text: "Ein später Abend",
      time: { utc: "2018-02-03T09:11:12.000Z", source: "iptc:DateCreated" },
      props: { labels: ["Brücke", "Nebel"] },
    },
  });
});
