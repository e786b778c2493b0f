import { describe, expect, it } from "vitest";
import { openIndexReader } from "#main/indexes/reader.ts";
import { openIndexWriter } from "#main/indexes/writer.ts";
import { MemorySource, recordOf, stemsOf, temporaryFiles } from "./fixture.ts";

function indexed(...records: Parameters<typeof recordOf>[0][]) {
  const source = new MemorySource();
  const files = temporaryFiles();
  for (const record of records) source.put(recordOf(record));
  const writer = openIndexWriter(files, source);
  while (writer.advance(50) > 0);
  writer.close();
  return openIndexReader(files, () => source.lastSeq());
}

describe("what the ranker reads instead of texts", () => {
  it("is the stems of author, text, subject, pictures and day, without stop words", () => {
    const reader = indexed(
      {
        id: 1,
        by: "Mara",
        at: "2024-07-14T09:00:00",
        subject: "Running shoes",
        text: "I was looking for the blue ones",
        props: {
          attachments: [
            {
              name: "receipt_77.pdf",
              path: null,
              mime: null,
              bytes: null,
              sha256: null,
              text: "Paid cash",
              inline: false,
              missing: false,
            },
          ],
        },
      },
      { id: 2, text: null },
    );
    const stems = stemsOf(reader, [1, 2, 3]);
    expect([...(stems.get(1) ?? [])].sort()).toEqual(
      ["14", "2024", "77", "blue", "cash", "juli", "look", "mara", "on", "paid", "receipt", "run", "shoe"].sort(),
    );
    expect([...(stems.get(2) ?? [])]).toEqual([]);
    expect(stems.has(3)).toBe(false);
    reader.close();
  });

  it("says whether a text ends with a question, how long it is and how many names it drops; captions do not count", () => {
    const reader = indexed(
      { id: 1, by: "Mara", text: "Did you see Lisbon with Mara, Tom and Anna?\n[photo: a Very Long Bridge]" },
      { id: 2, by: "Mara", text: 'Is it? We read "Momo" there.' },
      { id: 3, by: "Mara", text: "Monday was fine" },
    );
    const items = reader.items([1, 2, 3]);
    expect(items.get(1)).toMatchObject({ hasQuestion: true, endsWithQuestion: true, words: 9, names: 3 });
    expect(items.get(2)).toMatchObject({ hasQuestion: true, endsWithQuestion: false, words: 6, names: 2 });
    expect(items.get(3)).toMatchObject({ hasQuestion: false, endsWithQuestion: false, words: 3, names: 0 });
    reader.close();
  });

  it("says whether a picture is there or went with it; what is laid out in a mail's text is none", () => {
    const file = (mime: string, inline: boolean) => ({
      attachments: [{ name: "a", path: null, mime, bytes: null, sha256: null, text: null, inline, missing: false }],
    });
    const reader = indexed(
      { id: 1, text: "Look!\n[photo: a heron on a pier]" },
      { id: 2, text: "Look!", props: file("image/jpeg", false) },
      { id: 3, text: "Regards", props: file("image/png", true) },
      { id: 4, text: "The contract", props: file("application/pdf", false) },
      { id: 5, text: null, kind: "photo" },
      { id: 6, text: "I took a photo" },
    );
    const items = reader.items([1, 2, 3, 4, 5, 6]);
    expect([1, 2, 3, 4, 5, 6].map((id) => items.get(id)?.pictured)).toEqual([true, true, false, false, true, false]);
    reader.close();
  });
});
