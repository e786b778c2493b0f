import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Job } from "#contract";
import { bytesText, jsonLine, oneLine, plain, progressText, timeText } from "#main/host/cli/output.ts";

const job: Job = {
  id: "1",
  kind: "import",
  title: "Reading 3 mailboxes",
  state: "running",
  progress: {
    done: 512,
    total: 1024,
    unit: "bytes",
    rate: null,
    secondsLeft: 7.2,
    note: null,
    records: 1204,
    files: 3,
  },
  error: null,
  createdAt: "2024-01-01T00:00:00Z",
  updatedAt: "2024-01-01T00:00:00Z",
};

describe("what is printed", () => {
  it("lets no text of a record steer the terminal", () => {
    expect(plain("\u001b]0;title\u0007 and \u202eback")).toBe("·]0;title· and ·back");
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: looking for control characters is the test.
        expect(oneLine(text, 40)).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
        expect(oneLine(text, 40).length).toBeLessThanOrEqual(40);
      }),
    );
  });

  it("is JSON on one line, whatever is in it", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const line = jsonLine(value);
        expect(line).not.toMatch(/[\n\u007f-\u009f]/);
        expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    expect(jsonLine({ picture: new Uint8Array(5) })).toBe('{"picture":{"bytes":5}}');
  });

  it("shows progress with a bar when the end is known, without one when it is not", () => {
    expect(progressText(job)).toBe("Reading 3 mailboxes  [##########..........] 50 %  1204 records  8 s left");
    const open = { ...job, progress: { ...job.progress, total: null, secondsLeft: null, note: "Inbox.mbox" } };
    expect(progressText(open)).toBe("Reading 3 mailboxes  1204 records  Inbox.mbox");
  });

  it("writes sizes and times for a person", () => {
    expect([0, 999, 1500, 23_395_216].map(bytesText)).toEqual(["0 B", "999 B", "1.5 kB", "23 MB"]);
    const time = { utc: null, offset: null, zone: null, source: "x", inferred: false } as const;
    expect(timeText({ ...time, local: "2024-07-14T21:30:15.250", precision: "ms", confidence: "normal" })).toBe(
      "2024-07-14 21:30",
    );
    expect(timeText({ ...time, local: "2024-07-14", precision: "day", confidence: "low" })).toBe("2024-07-14 (?)");
    expect(
      timeText({ ...time, utc: "2024-07-14T19:30:00Z", local: null, precision: "second", confidence: "normal" }),
    ).toBe("2024-07-14 19:30");
    expect(timeText(null)).toBe("no date");
  });
});
