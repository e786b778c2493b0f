import { describe, expect, it } from "vitest";
import type { ImportPlan } from "#contract";
import { passphraseStrength } from "../../renderer/firstrun/strength.ts";
import {
  byReason,
  droppedName,
  isDropped,
  planLines,
  rootNames,
  runSummary,
  undoSummary,
} from "../../renderer/imports/words.ts";
import { parseCite, timeOrigin } from "../../renderer/record/facts.ts";
import { bytes, clock, counted, dayOf, longDay, moment, shortDay, timeLeft } from "../../renderer/state/format.ts";
import { wallTime } from "./records.ts";

describe("times, as their source gives them", () => {
  it("shows wall time as it is, and UTC with its name", () => {
    expect(moment(wallTime("2024-07-14T21:30:15"))).toBe("14 Jul 2024, 21:30");
    expect(clock({ ...wallTime("x"), local: null, utc: "2024-07-14T19:30:15Z" })).toBe("19:30 UTC");
    expect(dayOf(null)).toBeNull();
    expect(moment(null)).toBe("No date");
  });

  it("says no more than the precision allows", () => {
    expect(moment({ ...wallTime("2024-07-14"), precision: "day" })).toBe("14 Jul 2024");
    expect(moment({ ...wallTime("2024-07"), precision: "month" })).toBe("July 2024");
    expect(moment({ ...wallTime("2024"), precision: "year" })).toBe("2024");
    expect(moment({ ...wallTime("2024-07-14T00:00:00"), confidence: "low" })).toMatch(/^about /);
  });

  it("tells where a time is known from", () => {
    expect(timeOrigin(wallTime("2024-07-14T21:30:15"))).toBe(
      "written by the camera (exif:DateTimeOriginal); no time zone was given",
    );
    expect(timeOrigin({ ...wallTime("2024-07-14T21:30:15"), source: "header:Date", offset: "+02:00" })).toBe(
      "from the mail's header (header:Date); UTC+02:00",
    );
  });

  it("writes days out, and leaves alone what is no day", () => {
    // Editions of the language data differ in the comma.
    expect(longDay("2024-07-14")).toMatch(/^Sunday,? 14 July 2024$/);
    expect(shortDay("not a day")).toBe("not a day");
  });
});

describe("amounts", () => {
  it("counts one and many", () => {
    expect(counted(1, "record")).toBe("1 record");
    expect(counted(2114, "message")).toBe("2,114 messages");
  });

  it("rounds bytes to what a person reads", () => {
    expect([0, 1, 999, 1000, 1_234_567, 999_600_000].map(bytes)).toEqual([
      "0 bytes",
      "1 byte",
      "999 bytes",
      "1.0 KB",
      "1.2 MB",
      "1.0 GB",
    ]);
  });

  it("is as exact about time left as an estimate deserves", () => {
    expect([3, 31, 60, 250, 5400].map(timeLeft)).toEqual([
      "a few seconds",
      "about 40 seconds",
      "about 1 minute",
      "about 4 minutes",
      "about 1.5 hours",
    ]);
  });
});

describe("a plan in words", () => {
  const source = { importer: "mail", title: "Mailbox", label: "Inbox.mbox", files: 1, bytes: 2000 };
  const plan: ImportPlan = {
    planId: "p",
    roots: ["/home/mara/Mail"],
    sources: [
      { ...source, firstDay: "2009-03-01", lastDay: "2014-01-01" },
      { ...source, label: "Sent.mbox", firstDay: "2010-01-01", lastDay: "2024-05-05" },
      {
        ...source,
        importer: "photos",
        title: "Photos",
        label: "DCIM",
        bytes: 9_000_000,
        firstDay: null,
        lastDay: null,
      },
    ],
    files: 3,
    bytes: 9_004_000,
    skipped: [],
    warnings: [],
    zoneQuestion: null,
  };

  it("gathers sources of one kind, the largest first, with their whole span", () => {
    const [photos, mail] = planLines(plan);
    expect(photos?.what).toBe("Photos");
    expect(mail?.what).toBe("Mailbox × 2");
    expect(mail?.detail).toBe("2 files · 4.0 KB · 2009–2024");
  });

  it("sums a finished import up without zeros", () => {
    const counts = { imported: 3, updated: 0, duplicate: 1, skippedFiles: 0, failedFiles: 2, files: 6 };
    expect(runSummary({ counts })).toBe("3 records came in · 1 was already there · 2 files failed");
  });

  it("tells what undoing it would do", () => {
    expect(undoSummary({ trash: 1, stay: 0 })).toBe("1 record goes to the trash.");
    expect(undoSummary({ trash: 1204, stay: 2 })).toBe(
      "1,204 records go to the trash. 2 records stay: another import has them too.",
    );
  });

  it("names the folder that was read, on every system", () => {
    expect(rootNames(["/home/mara/Mail/"])).toBe("Mail");
    expect(rootNames(["C:\\Users\\Mara\\Mail", "D:\\Photos"])).toBe("Mail and Photos");
    expect(rootNames(["/a", "/b", "/c", "/d", "/e"])).toBe("a, b and 3 more");
  });

  it("names what was dropped into the window by its first file, never by where it lies sealed", () => {
    expect(isDropped("/tmp/6fb24f3b18a727b61b5afa1a1e57330b")).toBe(true);
    expect(isDropped("/home/mara/Mail")).toBe(false);
    expect(droppedName("Mail/2019/Inbox.mbox", 40)).toBe("Mail");
    expect(droppedName("Inbox.mbox", 1)).toBe("Inbox.mbox");
    expect(droppedName("Inbox.mbox", 3)).toBe("Inbox.mbox and 2 more files");
    expect(droppedName(null, 0)).toBe("Dropped into the window");
  });

  it("gathers files by the reason why they did not come in, the commonest reason first", () => {
    const row = (path: string, reason: string | null) => ({
      importId: 1,
      path,
      status: "skipped" as const,
      reason,
      importer: null,
      bytes: 1,
      records: 0,
      skipped: 0,
    });
    const groups = byReason([
      row("x/a.exe", "No reader."),
      row("b.bad", null),
      ...["c", "d", "e"].map((name) => row(name, "No reader.")),
    ]);
    expect(groups).toEqual([
      { reason: "No reader.", files: 4, examples: ["a.exe", "c", "d"] },
      { reason: "No reason was given.", files: 1, examples: ["b.bad"] },
    ]);
  });
});

describe("the passphrase adviser", () => {
  it("calls short, repeated and counted-up passphrases weak", () => {
    for (const weak of ["", "secret", "aaaaaaaaaaaaaaaaaaaa", "abcdefghijklmnop", "123456789012"]) {
      expect(passphraseStrength(weak), weak).toBe("weak");
    }
  });

  it("calls four unrelated words strong", () => {
    expect(passphraseStrength("copper lantern brisk otter")).toBe("strong");
  });
});

describe("the cited span in the address", () => {
  it("reads what the answer wrote and refuses anything else", () => {
    expect(parseCite("text:10-40")).toEqual({ view: "text", span: [10, 40] });
    for (const bad of [undefined, "", "text:-1-4", "script:1-2", "text:1-2; x"]) expect(parseCite(bad)).toBeNull();
  });
});
