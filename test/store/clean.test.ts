import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importedRecordSchema } from "#contract";
import { blankRecord } from "#main/importers/blank.ts";
import { normalise } from "#main/records/normalise.ts";

describe("a record that was checked on its way", () => {
  it("comes out as one that was not: the same record, the same hash", () => {
    const awkward = fc.constantFrom(
      "\r\n",
      "\r",
      "\0",
      "\u212b",
      "e\u0301",
      "\\r",
      "\\u0000",
      '"',
      "\ud800",
      "\u007f",
      "é",
      "\t",
    );
    const text = fc
      .array(fc.oneof(fc.string({ maxLength: 5 }), awkward), { maxLength: 6 })
      .map((parts) => parts.join(""));
    const record = fc.record({
      subject: fc.option(text),
      text: fc.option(text),
      path: text,
      part: fc.option(text),
      title: text,
    });
    fc.assert(
      fc.property(record, ({ subject, text: body, path, part, title }) => {
        const given = importedRecordSchema.parse({
          ...blankRecord(),
          identity: `mail:${path}`,
          kind: "email",
          subject,
          text: body,
          container: { key: "box", kind: "mailbox", title },
          files: [{ path, offset: null, bytes: null, role: null, ...(part === null ? {} : { part }) }],
        });
        expect(normalise(given, true)).toEqual(normalise(given, false));
      }),
    );
  });
});
