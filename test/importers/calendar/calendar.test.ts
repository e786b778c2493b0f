import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importedRecordSchema } from "#contract";
import { calendarImporter, eventsOf } from "#main/importers/calendar/index.ts";
import { occurrences, parseRule } from "#main/importers/calendar/recurrence.ts";
import { parseStamp } from "#main/importers/calendar/values.ts";
import { namedZone } from "#main/importers/calendar/zones.ts";
import { filesOf, importAll, memoryTree, recordsOf } from "#test/importers/memory-tree.ts";

const encoder = new TextEncoder();
const wrap = (...lines: string[]) => ["BEGIN:VCALENDAR", "VERSION:2.0", ...lines, "END:VCALENDAR", ""].join("\r\n");
const event = (...lines: string[]) => ["BEGIN:VEVENT", ...lines, "END:VEVENT"];
const read = (text: string | Uint8Array) =>
  eventsOf(typeof text === "string" ? encoder.encode(text) : text, {
    files: [{ path: "a.ics", offset: null, bytes: null, role: null }],
    container: null,
  });
const one = (...lines: string[]) => read(wrap(...event("UID:x", ...lines)))[0];
const starts = (rule: string, start: string, limit = 10) => {
  const [parsed, stamp] = [parseRule(rule), parseStamp(start)];
  if (parsed === null || stamp === null) return null;
  return [...occurrences(parsed, stamp.civil).take(limit)].map((ms) => new Date(ms).toISOString().slice(0, 16));
};

describe("time zones", () => {
  const summer = { year: 2024, month: 7, day: 1, hour: 12, minute: 0, second: 0 };
  it.each([
    ["Europe/Berlin", 120, "Europe/Berlin"],
    ["W. Europe Standard Time", 120, "Europe/Berlin"],
    ["Eastern Standard Time", -240, "America/New_York"],
    ["Pacific Daylight Time", -420, "America/Los_Angeles"],
    ["(UTC-05:00) Eastern Time (US & Canada)", -240, "America/New_York"],
    ["(GMT+01.00) Sarajevo/Warsaw/Zagreb", 120, null],
    ["(UTC+01:00) Amsterdam, Berlin, Bern, Rom, Stockholm, Wien", 120, "Europe/Amsterdam"],
    ["(UTC+09:00) Osaka, Sapporo, Tokyo", 540, "Asia/Tokyo"],
    ["(GMT-03:00) Brasilia", -180, "America/Sao_Paulo"],
    ["/freeassociation.sourceforge.net/Tzfile/Europe/Vienna", 120, "Europe/Vienna"],
    ["/mozilla.org/20050126_1/America/Argentina/Buenos_Aires", -180, "America/Argentina/Buenos_Aires"],
    ["tzone://Microsoft/Utc", 0, "UTC"],
    ["GMT+0530", 330, null],
  ])("%s is known", (name, offset, iana) => {
    const zone = namedZone(name);
    if (iana !== null) expect(zone?.iana).toBe(iana);
    if (name.includes("Sarajevo")) return;
    expect(zone?.offsetAt(summer)).toBe(offset);
  });

  it("leaves an unknown name unknown: wall time only, marked", () => {
    const found = one("DTSTART;TZID=Middle Earth Time:20240715T090000", "SUMMARY:x");
    expect(found?.time).toMatchObject({ local: "2024-07-15T09:00:00", utc: null, offset: null, confidence: "low" });
    expect(found?.props.flags).toContain("date-uncertain");
    expect(found?.props.extra?.tzid).toBe("Middle Earth Time");
  });

  it("takes the file's own definition first, whatever its name", () => {
    const zone = [
      "BEGIN:VTIMEZONE",
      "TZID:Customised",
      "BEGIN:STANDARD",
      "DTSTART:16010101T030000",
      "TZOFFSETFROM:+0330",
      "TZOFFSETTO:+0230",
      "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10",
      "END:STANDARD",
      "BEGIN:DAYLIGHT",
      "DTSTART:16010101T020000",
      "TZOFFSETFROM:+0230",
      "TZOFFSETTO:+0330",
      "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3",
      "END:DAYLIGHT",
      "END:VTIMEZONE",
    ];
    const [july, january] = read(
      wrap(
        ...event("UID:1", "DTSTART;TZID=Customised:20240715T090000"),
        ...event("UID:2", "DTSTART;TZID=Customised:20240115T090000"),
        ...zone,
      ),
    );
    expect(july?.time).toMatchObject({ utc: "2024-07-15T05:30:00Z", offset: "+03:30" });
    expect(january?.time).toMatchObject({ utc: "2024-01-15T06:30:00Z", offset: "+02:30" });
  });

  it("reads a colon in an unquoted zone name", () => {
    const found = one("DTSTART;TZID=(UTC-05:00) Eastern Time (US & Canada):20240115T140000");
    expect(found?.time).toMatchObject({ utc: "2024-01-15T19:00:00Z", zone: "America/New_York", inferred: true });
    expect(found?.props.flags).toContain("zone-mapped");
  });
});

describe("days and ends", () => {
  it("shows the last day, not the one after it", () => {
    const trip = one("DTSTART;VALUE=DATE:20240501", "DTEND;VALUE=DATE:20240503");
    expect([trip?.time?.local, trip?.end?.local, trip?.props.flags]).toEqual(["2024-05-01", "2024-05-02", ["all-day"]]);
    expect(one("DTSTART;VALUE=DATE:20240501", "DTEND;VALUE=DATE:20240502")?.end).toBeNull();
    expect(one("DTSTART:20240501", "DURATION:P2D")?.end?.local).toBe("2024-05-02");
    const outlook = one("DTSTART:20240501T000000", "DTEND:20240503T000000", "X-MICROSOFT-CDO-ALLDAYEVENT:TRUE");
    expect([outlook?.time?.local, outlook?.end?.local]).toEqual(["2024-05-01", "2024-05-02"]);
  });

  it("keeps wall times without a zone, ends of another zone, and days that change the clock", () => {
    const floating = one("DTSTART:20241224T180000", "DURATION:PT90M");
    expect(floating?.time).toMatchObject({ local: "2024-12-24T18:00:00", utc: null });
    expect(floating?.end).toMatchObject({ local: "2024-12-24T19:30:00", utc: null });
    const flight = one("DTSTART;TZID=Europe/Berlin:20240715T090000", "DTEND;TZID=America/New_York:20240715T120000");
    expect(flight?.end).toMatchObject({ utc: "2024-07-15T16:00:00Z", offset: "-04:00" });
    const night = one("DTSTART;TZID=Europe/Berlin:20240330T120000", "DURATION:P1D");
    expect(night?.end).toMatchObject({ local: "2024-03-31T12:00:00", utc: "2024-03-31T10:00:00Z" });
    expect(one("DTSTART:20240302T080000Z")?.end).toBeNull();
  });

  it("keeps an event whose date is none", () => {
    const found = one("DTSTART:20240230T100000", "SUMMARY:leap");
    expect([found?.time, found?.subject, found?.props.flags]).toEqual([null, "leap", ["date-uncertain"]]);
  });
});

describe("recurrence rules", () => {
  // Examples of RFC 5545 §3.8.5.3.
  it.each([
    ["FREQ=DAILY;COUNT=3", "19970902T090000", ["1997-09-02T09:00", "1997-09-03T09:00", "1997-09-04T09:00"]],
    [
      "FREQ=WEEKLY;INTERVAL=2;COUNT=4;WKST=SU;BYDAY=TU,TH",
      "19970902T090000",
      ["1997-09-02T09:00", "1997-09-04T09:00", "1997-09-16T09:00", "1997-09-18T09:00"],
    ],
    ["FREQ=MONTHLY;COUNT=3;BYDAY=1FR", "19970905T090000", ["1997-09-05T09:00", "1997-10-03T09:00", "1997-11-07T09:00"]],
    [
      "FREQ=MONTHLY;COUNT=3;BYDAY=-2MO",
      "19970922T090000",
      ["1997-09-22T09:00", "1997-10-20T09:00", "1997-11-17T09:00"],
    ],
    [
      "FREQ=MONTHLY;BYMONTHDAY=-3;COUNT=3",
      "19970928T090000",
      ["1997-09-28T09:00", "1997-10-29T09:00", "1997-11-28T09:00"],
    ],
    [
      "FREQ=YEARLY;COUNT=4;BYMONTH=6,7",
      "19970610T090000",
      ["1997-06-10T09:00", "1997-07-10T09:00", "1998-06-10T09:00", "1998-07-10T09:00"],
    ],
    [
      "FREQ=YEARLY;INTERVAL=3;COUNT=3;BYYEARDAY=1,100,200",
      "19970101T090000",
      ["1997-01-01T09:00", "1997-04-10T09:00", "1997-07-19T09:00"],
    ],
    ["FREQ=YEARLY;BYDAY=20MO;COUNT=3", "19970519T090000", ["1997-05-19T09:00", "1998-05-18T09:00", "1999-05-17T09:00"]],
    [
      "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=3",
      "19970512T090000",
      ["1997-05-12T09:00", "1998-05-11T09:00", "1999-05-17T09:00"],
    ],
    [
      "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3",
      "19970904T090000",
      ["1997-09-04T09:00", "1997-10-07T09:00", "1997-11-06T09:00"],
    ],
    ["FREQ=HOURLY;INTERVAL=3;COUNT=3", "19970902T090000", ["1997-09-02T09:00", "1997-09-02T12:00", "1997-09-02T15:00"]],
    [
      "FREQ=DAILY;BYHOUR=9,10;BYMINUTE=0,30;COUNT=4",
      "19970902T090000",
      ["1997-09-02T09:00", "1997-09-02T09:30", "1997-09-02T10:00", "1997-09-02T10:30"],
    ],
    ["FREQ=YEARLY;COUNT=2", "20240229T090000", ["2024-02-29T09:00", "2028-02-29T09:00"]],
    ["FREQ=MONTHLY;COUNT=3", "20240131T090000", ["2024-01-31T09:00", "2024-03-31T09:00", "2024-05-31T09:00"]],
    [
      "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=3",
      "19980213T090000",
      ["1998-02-13T09:00", "1998-03-13T09:00", "1998-11-13T09:00"],
    ],
  ])("%s", (rule, start, expected) => {
    expect(starts(rule, start)).toEqual(expected);
  });

  it("ends for a rule that never comes, and for one that never ends", () => {
    expect(starts("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "20240101T000000")).toHaveLength(1);
    expect(starts("FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", "20240101T000000")).toHaveLength(1);
    expect(one("DTSTART:20240101T000000Z", "RRULE:FREQ=SECONDLY")?.props.instances).toHaveLength(100);
    expect(one("DTSTART:20240101T000000Z", "RRULE:FREQ=DAILY;UNTIL=20240103T000000Z")?.props.instances).toHaveLength(3);
  });
});

describe("a series", () => {
  const series = (...more: string[]) =>
    event(
      "UID:s",
      "SUMMARY:Club",
      "DTSTART;TZID=Europe/Berlin:20241021T190000",
      "DTEND;TZID=Europe/Berlin:20241021T210000",
      "RRULE:FREQ=WEEKLY;COUNT=4",
      ...more,
    );
  it("has its meetings in the wall time of its zone, without those left out, with the moved ones", () => {
    const moved = event(
      "UID:s",
      "SUMMARY:Club, moved",
      "RECURRENCE-ID;TZID=Europe/Berlin:20241028T190000",
      "DTSTART;TZID=Europe/Berlin:20241029T200000",
      "DTEND;TZID=Europe/Berlin:20241029T220000",
    );
    const records = read(wrap(...moved, ...series("EXDATE:20241104T180000Z")));
    expect(records.map(({ identity, partOf }) => [identity, partOf?.role])).toEqual([
      ["event:s", undefined],
      [`event:s#t${Date.UTC(2024, 9, 28, 18)}`, "instance"],
    ]);
    expect(records[0]?.props.instances?.map(({ time, end, subject }) => [time.utc, end?.utc, subject])).toEqual([
      ["2024-10-21T17:00:00Z", "2024-10-21T19:00:00Z", null],
      ["2024-10-29T19:00:00Z", "2024-10-29T21:00:00Z", "Club, moved"],
      ["2024-11-11T18:00:00Z", "2024-11-11T20:00:00Z", null],
    ]);
  });

  it("takes called-off meetings out, adds dates, and moves all later ones where it says so", () => {
    const off = event(
      "UID:s",
      "RECURRENCE-ID;TZID=Europe/Berlin:20241028T190000",
      "STATUS:CANCELLED",
      "DTSTART;TZID=Europe/Berlin:20241028T190000",
    );
    const later = event(
      "UID:s",
      "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20241104T190000",
      "DTSTART;TZID=Europe/Berlin:20241104T200000",
      "DURATION:PT1H",
    );
    const [record] = read(wrap(...series("RDATE;TZID=Europe/Berlin:20241023T190000"), ...off, ...later));
    expect(record?.props.instances?.map(({ time, end }) => [time.local, end?.local])).toEqual([
      ["2024-10-21T19:00:00", "2024-10-21T21:00:00"],
      ["2024-10-23T19:00:00", "2024-10-23T21:00:00"],
      ["2024-11-04T20:00:00", "2024-11-04T21:00:00"],
      ["2024-11-11T20:00:00", "2024-11-11T21:00:00"],
    ]);
  });
});

describe("what an event says", () => {
  it("has people, place, labels, links, attachments, body", () => {
    const found = one(
      'ORGANIZER;CN="Juno, of the choir":mailto:juno@example.org',
      "ATTENDEE;CN=Pim;PARTSTAT=ACCEPTED:MAILTO:pim@example.org",
      "LOCATION:Old mill\\, upper floor",
      "GEO:48.5;9.25",
      "CATEGORIES:Choir,Evening\\, late",
      "URL:https://example.org/x",
      "ATTACH;FILENAME=score.txt;FMTTYPE=text/plain;ENCODING=BASE64;VALUE=BINARY:bGEgbGE=",
      "ATTACH:https://example.org/score.pdf",
      "DESCRIPTION:<p>Bring <b>tea</b></p>",
      "STATUS:CANCELLED",
    );
    expect(found?.author).toMatchObject({ name: "Juno, of the choir", address: "juno@example.org", role: "organizer" });
    expect(found?.participants.map(({ address, role }) => [address, role])).toEqual([
      ["juno@example.org", "organizer"],
      ["pim@example.org", "attendee"],
    ]);
    expect(found?.place).toMatchObject({ lat: 48.5, lon: 9.25, name: "Old mill, upper floor" });
    expect(found?.props).toMatchObject({
      labels: ["Choir", "Evening, late"],
      links: ["https://example.org/score.pdf", "https://example.org/x"],
      attachments: [{ name: "score.txt", mime: "text/plain", bytes: 5 }],
      flags: ["cancelled"],
    });
    expect(found?.text).toBe("Bring tea");
  });

  it("joins folds before it decodes, and goes on after a raw line break", () => {
    const bytes = encoder.encode(wrap(...event("UID:f", "SUMMARY:Frühstück 🥐", "DESCRIPTION:one", "two; three")));
    const at = Buffer.from(bytes).indexOf(Buffer.from("ü")) + 1;
    const folded = Buffer.concat([bytes.subarray(0, at), Buffer.from("\r\n "), bytes.subarray(at)]);
    expect(read(folded)[0]).toMatchObject({ subject: "Frühstück 🥐", text: "one\ntwo; three" });
  });

  it("makes a list of a to-do, and nothing of a guest's answer", () => {
    const [todo] = read(
      wrap("BEGIN:VTODO", "UID:t", "SUMMARY:Buy tea", "DUE;VALUE=DATE:20240601", "STATUS:COMPLETED", "END:VTODO"),
    );
    expect(todo).toMatchObject({ kind: "note", props: { items: [{ text: "Buy tea", checked: true }] } });
    expect(todo?.time?.local).toBe("2024-06-01");
    expect(read(wrap("METHOD:REPLY", ...event("UID:r", "DTSTART:20240101T000000Z")))).toEqual([]);
    expect(read(wrap("METHOD:CANCEL", ...event("UID:r", "DTSTART:20240101T000000Z")))[0]?.props.flags).toEqual([
      "cancelled",
    ]);
  });
});

describe("calendars of a folder", () => {
  const version = (sequence: number, title: string) =>
    wrap("X-WR-CALNAME:Home", ...event("UID:a", `SEQUENCE:${sequence}`, `SUMMARY:${title}`));
  it("lets the higher SEQUENCE win, whichever file comes first, and keeps both places", async () => {
    for (const [first, second] of [
      [2, 1],
      [1, 2],
    ] as const) {
      const items = await importAll(
        calendarImporter,
        memoryTree({ "a.ics": version(first, `v${first}`), "b/c.ics": version(second, `v${second}`) }),
      );
      const [record, ...rest] = recordsOf(items);
      expect(rest).toEqual([]);
      expect(record).toMatchObject({ subject: "v2", container: { title: "Home", kind: "calendar" } });
      expect(record?.files.map(({ path }) => path).sort()).toEqual(["a.ics", "b/c.ics"]);
    }
  });

  it("tells of files that hold nothing", async () => {
    const items = await importAll(
      calendarImporter,
      memoryTree({ "no.ics": "hello", "void.ics": wrap(), ok: version(1, "x") }),
    );
    expect(
      filesOf(items)
        .map(({ path, status }) => [path, status])
        .sort(),
    ).toEqual([
      ["no.ics", "failed"],
      ["ok", "imported"],
      ["void.ics", "skipped"],
    ]);
  });

  it("gives records or a reason for any bytes", async () => {
    const words = fc.constantFrom(
      "BEGIN:VEVENT",
      "END:VEVENT",
      "BEGIN:VTIMEZONE",
      "TZID:x",
      "BEGIN:STANDARD",
      "END:STANDARD",
      "END:VTIMEZONE",
      "UID:1",
      "DTSTART;TZID=x:20240101T000000",
      "DTSTART:20249999",
      "DTEND:00010101",
      "RRULE:FREQ=MINUTELY;BYMONTH=13;BYSETPOS=-1",
      "RRULE:FREQ=YEARLY;BYDAY=53MO;UNTIL=99991231",
      "RDATE:20240101,,",
      "EXDATE:x",
      "RECURRENCE-ID:20240101",
      "DURATION:-P9999W",
      "GEO:;",
      "TZOFFSETTO:+9999",
      "TZOFFSETTO:+0100",
      " fold",
      "=",
      "ATTACH;VALUE=BINARY:%%",
      "SEQUENCE:-1e999",
      "DTSTART:00010101T000000Z",
      "DTEND:99991231T235959Z",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.array(fc.oneof(words, fc.string()), { maxLength: 25 })),
        async (content) => {
          const bytes =
            content instanceof Uint8Array ? content : encoder.encode(`BEGIN:VCALENDAR\r\n${content.join("\r\n")}`);
          const items = await importAll(calendarImporter, memoryTree({ "x.ics": bytes }));
          for (const record of recordsOf(items)) expect(importedRecordSchema.safeParse(record).success).toBe(true);
          expect(filesOf(items)).toHaveLength(1);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("stands nesting and long lines", () => {
    expect(read(wrap(...Array.from({ length: 50_000 }, () => "BEGIN:VEVENT")))).toHaveLength(1);
    expect(read(wrap(...event("UID:l", `SUMMARY:${"x".repeat(1_000_000)}`)))[0]?.subject).toHaveLength(2_000);
    expect(read(wrap(...event("UID:l", `DTSTART${";".repeat(100_000)}:20240101`)))).toHaveLength(1);
  });
});
