import fc from "fast-check";
import { expect, test } from "vitest";
import type { ImportedRecord } from "#contract";
import { merge } from "#main/records/merge.ts";
import { localDay, normalise, sortAt } from "#main/records/normalise.ts";
import { betterName, personKey } from "#main/records/people.ts";
import { openStore } from "#main/records/store.ts";
import { archiveFiles, importFiles, message, utc } from "./fixtures.ts";

/** Few identities, so that they meet; one content an identity but for labels, which are united. */
const records: fc.Arbitrary<ImportedRecord[]> = fc.array(
  fc
    .record({
      number: fc.nat(8),
      label: fc.option(fc.constantFrom("inbox", "walks", "ünread", "😀")),
      replyTo: fc.option(fc.nat(8)),
    })
    .map(({ number, label }) =>
      message(`m:${number}`, {
        text: `Text ${number} e\u0301`,
        replyTo: number > 0 ? `m:${number - 1}` : null,
        props: label ? { labels: [label] } : {},
      }),
    ),
  { maxLength: 25 },
);

function digestOf(files: Record<string, ImportedRecord[]>, size: number, times: number): string {
  const store = openStore(archiveFiles());
  for (let time = 0; time < times; time++) importFiles(store, files, size);
  const digest = store.contentDigest();
  store.close();
  return digest;
}

test("neither order, nor batch size, nor repetition changes what an archive holds", () => {
  fc.assert(
    fc.property(records, records, fc.integer({ min: 1, max: 9 }), (a, b, size) => {
      const once = digestOf({ "a.txt": a, "b.txt": b }, 1_000, 1);
      expect(digestOf({ "b.txt": b.toReversed(), "a.txt": a.toReversed() }, size, 2)).toBe(once);
    }),
    { numRuns: 8 },
  );
});

test("a repeated import never moves the change log", () => {
  fc.assert(
    fc.property(records, (a) => {
      const store = openStore(archiveFiles());
      const files = { "a.txt": a, "b.txt": a.toReversed() };
      importFiles(store, files, 3);
      const seq = store.writer.reader().lastSeq();
      importFiles(store, files, 5);
      expect(store.writer.reader().lastSeq()).toBe(seq);
      store.close();
    }),
    { numRuns: 8 },
  );
});

type Step = { do: "trash" | "restore" | "edit" | "erase" | "import"; id: number };
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    do: fc.constantFrom("trash", "restore", "edit", "erase", "import"),
    id: fc.integer({ min: 1, max: 6 }),
  }),
  { maxLength: 30 },
);

test("any sequence of edits, trash, restore, erase and imports keeps the store's promises", () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      const store = openStore(archiveFiles());
      const { writer } = store;
      const reader = writer.reader();
      const all = Array.from({ length: 6 }, (_, at) => message(`m:${at + 1}`));
      importFiles(store, { "a.txt": all });
      const states = new Map(all.map((record) => [record.identity, "live"]));
      for (const step of sequence) {
        const before = reader.get(step.id);
        const identity = `m:${step.id}`;
        if (step.do === "import") {
          importFiles(store, { "a.txt": all });
        } else if (!before) {
          expect(() => writer.trash([step.id])).toThrow(expect.objectContaining({ code: "not_found" }));
        } else if (step.do === "edit") {
          writer.edit({ id: step.id, version: before.version, subject: null, text: `edit ${before.version}` });
          expect(reader.get(step.id)?.version).toBe(before.version + 1);
          expect(reader.detail(step.id).versions).toHaveLength(before.version + 1);
        } else if (step.do === "erase" && states.get(identity) === "live") {
          expect(() => writer.erase([step.id])).toThrow(expect.objectContaining({ code: "conflict" }));
        } else {
          writer[step.do]([step.id]);
          states.set(identity, step.do === "trash" ? "trashed" : step.do === "restore" ? "live" : "erased");
        }
      }
      const held = (state: string) => [...states.values()].filter((one) => one === state).length;
      expect(reader.counts()).toMatchObject({ records: held("live"), trashed: held("trashed") });
      expect(reader.list({}, 0, 10).total).toBe(held("live"));
      expect(reader.list({ trashed: true }, 0, 10).records).toHaveLength(held("trashed"));
      for (const [identity, state] of states) expect(reader.idByIdentity(identity) === null).toBe(state === "erased");
      // A follower of the change log ends with just the live records.
      const followed = new Set<number>();
      for (const change of reader.changesSince(0, 10_000)) {
        if (change.op === "put" || change.op === "restore") followed.add(change.recordId);
        else followed.delete(change.recordId);
      }
      expect([...followed].sort()).toEqual(reader.liveIds(0, 10));
      expect(writer.verifyAudit().ok).toBe(true);
      expect(store.integrity()).toBeNull();
      store.close();
    }),
    { numRuns: 12 },
  );
});

test("merging twice is merging once, and an empty value never erases", () => {
  const content = ({ identity: _i, files: _f, ...rest }: ImportedRecord) => rest;
  const texts = fc.option(fc.constantFrom("", "one", "two"));
  const said = fc
    .record({ subject: texts, text: texts, labels: fc.option(fc.subarray(["a", "b", "c"]), { nil: undefined }) })
    .map(({ subject, text, labels }) => content(message("m", { subject, text, props: labels ? { labels } : {} })));
  fc.assert(
    fc.property(said, said, (a, b) => {
      const merged = merge(a, b);
      expect(merge(merged, b)).toEqual(merged);
      if (a.text) expect(merged.text).toBeTruthy();
      for (const label of a.props.labels ?? []) expect(merged.props.labels).toContain(label);
    }),
  );
});

test("a time of low confidence does not replace one that is there", () => {
  const { identity: _i, files: _f, ...kept } = message("m");
  const low = { ...utc("2001-01-01T00:00:00Z"), confidence: "low" } as const;
  expect(merge(kept, { ...kept, time: low }).time).toEqual(kept.time);
  expect(merge({ ...kept, time: null }, { ...kept, time: low }).time).toEqual(low);
});

test("an export without media does not take away the media of an earlier one", () => {
  const { identity: _i, files: _f, ...base } = message("m");
  const attachment = { name: "a.jpg", path: "a.jpg", mime: null, bytes: 3, sha256: "ab", text: "sign", inline: false };
  const having = { ...base, props: { attachments: [{ ...attachment, missing: false }] } };
  const lacking = { ...base, props: { attachments: [{ ...attachment, path: null, text: null, missing: true }] } };
  expect(merge(having, lacking).props).toEqual(having.props);
  expect(merge(lacking, having).props).toEqual(having.props);
});

test.each([
  [{ local: "2024-07-14T21:30:15.250" }, "2024-07-14", "2024-07-14T21:30:15.250Z"],
  [{ local: "2024-07-14" }, "2024-07-14", "2024-07-14T00:00:00Z"],
  [{ local: "2024-07" }, "2024-07-01", "2024-07-01T00:00:00Z"],
  [{ local: "2024" }, "2024-01-01", "2024-01-01T00:00:00Z"],
  [{ utc: "2024-07-14T23:30:00Z" }, "2024-07-14", "2024-07-14T23:30:00Z"],
  [{ utc: "2024-07-14T23:30:00Z", offset: "+02:00" }, "2024-07-15", "2024-07-14T23:30:00Z"],
  [{ utc: "2024-07-15T02:30:00Z", offset: "-0700" }, "2024-07-14", "2024-07-15T02:30:00Z"],
  [{ local: "no time at all" }, null, null],
])("the day and place in the timeline of %j", (time, day, at) => {
  const whole = { ...utc("2024-01-01T00:00:00Z"), utc: null, ...time };
  expect(localDay(whole)).toBe(day);
  if (at) expect(sortAt(whole)).toBe(Date.parse(at));
});

test("people are the same by equal normalised address only", () => {
  const key = (address: string | null, name: string | null = "Juno") =>
    personKey({ name, address, role: null, owner: false }, "mail");
  expect(key("Juno@Example.org")).toBe(key("juno@example.org ", "J."));
  expect(key("+49 170 123-4567")).toBe(key("0049 (170) 1234567"));
  expect(key("491701234567@s.whatsapp.net")).toBe(key("+49 170 1234567"));
  expect(key("U024BE7LH")).toBe("id:mail:U024BE7LH");
  expect(key(null)).toBe("name:mail:Juno");
  expect(key(null, " ")).toBeNull();
});

test("the better name is the same whatever comes first", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(betterName(a, b)).toBe(betterName(b, a));
    }),
  );
  expect(betterName("juno@example.org", "Juno")).toBe("Juno");
  expect(betterName("Juno", "Juno Aalto")).toBe("Juno Aalto");
});

test("text that cannot be stored as it is, is made so once and for all", () => {
  const odd = normalise(message("m", { text: "a\0b\ud800 e\u0301\r\nx" }))?.record;
  expect(odd?.text).toBe("ab\ufffd é\nx");
  expect(odd && normalise(odd)?.record).toEqual(odd);
});
