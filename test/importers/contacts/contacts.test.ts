import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importedRecordSchema } from "#contract";
import { contactsImporter } from "#main/importers/contacts/index.ts";
import { birthdayOf } from "#main/importers/contacts/person.ts";
import { csvRows } from "#main/importers/text/csv.ts";
import { filesOf, importAll, memoryTree, recordsOf } from "#test/importers/memory-tree.ts";

const latin = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const card = (version: string, ...lines: string[]) =>
  ["BEGIN:VCARD", `VERSION:${version}`, ...lines, "END:VCARD", ""].join("\r\n");
const read = async (files: Record<string, string | Uint8Array>) => importAll(contactsImporter, memoryTree(files));
const people = async (content: string | Uint8Array, name = "a.vcf") => recordsOf(await read({ [name]: content }));
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4]).toString("base64");

describe("vCard 2.1", () => {
  it("joins soft breaks, decodes each property by its charset, reads bare types", async () => {
    const [person] = await people(
      latin(
        card(
          "2.1",
          "N;CHARSET=WINDOWS-1251;ENCODING=QUOTED-PRINTABLE:=C8=E2=E0=ED=EE=E2=E0;=CB=E0=E4=E0;;;",
          "TEL;CELL;PREF:+7 900 000 00 09",
          "TEL;WORK;FAX:+7 900 000 00 10",
          "NOTE;QUOTED-PRINTABLE:bring a =",
          "TEL: book=0D=0Aand tea",
          "PHOTO;ENCODING=BASE64;JPEG:",
          ` ${jpeg.slice(0, 6)}`,
          jpeg.slice(6),
          "",
          "BDAY:19850704",
        ),
      ),
    );
    expect(person).toMatchObject({ subject: "Лада Иванова", text: "bring a TEL: book\nand tea", kind: "contact" });
    expect(person?.props.contact).toMatchObject({
      phones: [
        { value: "+7 900 000 00 09", label: "mobile", preferred: true },
        { value: "+7 900 000 00 10", label: "work fax", preferred: false },
      ],
      photo: { mime: "image/jpeg" },
      birthday: "1985-07-04",
    });
  });

  it("keeps backslashes of texts, and marks a charset that nobody names", async () => {
    const [person] = await people(latin(card("2.1", "FN:Zo\xeb", "NOTE:C:\\new")));
    expect(person).toMatchObject({ subject: "Zoë", text: "C:\\new", props: { flags: ["charset-guessed"] } });
  });
});

describe("vCard 3.0 and 4.0", () => {
  it("reads labels of groups, escapes, Apple's years and organisations", async () => {
    const [person] = await people(
      card(
        "3.0",
        "N:Okoro;Ada;;Dr.;",
        "FN:Dr. Ada Okoro",
        "ORG:Clocks\\, Lund;Archive;Cellar",
        "item1.EMAIL;type=INTERNET;type=pref:ada@example.org",
        "item1.X-ABLabel:_$!<Work>!$_",
        "item2.TEL:+46 70 000 00 11",
        "item2.X-ABLabel:boat phone",
        "BDAY;X-APPLE-OMIT-YEAR=1604:1604-07-04",
        "NOTE:One\\, two\\nthr",
        " ee",
      ),
    );
    expect(person?.text).toBe("One, two\nthree");
    expect(person?.props.contact).toMatchObject({
      emails: [{ value: "ada@example.org", label: "Work", preferred: true }],
      phones: [{ value: "+46 70 000 00 11", label: "boat phone" }],
      organisation: "Clocks, Lund",
      unit: "Archive, Cellar",
      birthday: "--07-04",
    });
  });

  it("lets the later REV of one UID win, whichever comes first, and remembers the older number", async () => {
    const version = (rev: string, tel: string) =>
      card("4.0", "FN:Teo", "UID:urn:uuid:0000-1111-2222", `TEL;VALUE=uri:tel:${tel}`, `REV:${rev}`);
    const [old, late] = [version("20240301T120000Z", "+39-1"), version("20240601T120000Z", "+39-2;ext=5")];
    for (const text of [old + late, late + old]) {
      const found = await people(text);
      expect(found).toHaveLength(1);
      expect(found[0]?.props.contact?.phones).toEqual([{ value: "+39-2 ext. 5", label: null, preferred: false }]);
      expect(found[0]?.props.extra?.earlier).toEqual([{ phones: ["+39-1"], emails: [] }]);
      expect(found[0]?.identity).toBe("contact:0000-1111-2222");
    }
  });

  it("makes labels of groups, not people", async () => {
    const group = card(
      "3.0",
      "FN:Choir",
      "X-ADDRESSBOOKSERVER-KIND:group",
      "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:AAAA-BBBB-CCCC",
    );
    const found = await people(group + card("3.0", "FN:Ida", "UID:AAAA-BBBB-CCCC"));
    expect(found.map(({ subject, props }) => [subject, props.labels])).toEqual([["Ida", ["Choir"]]]);
  });

  it("knows a person without an id again in another file, by name, first number and first address", async () => {
    const ida = card("3.0", "FN:Ida", "TEL:+46 70 1", "EMAIL:ida@example.org");
    const items = await read({ "All/all.vcf": ida, "Choir/choir.vcf": ida.replace("+46 70 1", "+46-701") });
    const [record, ...rest] = recordsOf(items);
    expect(rest).toEqual([]);
    expect(record?.files.map(({ path }) => path).sort()).toEqual(["All/all.vcf", "Choir/choir.vcf"]);
  });

  it.each([
    ["1985-07-04", "1985-07-04"],
    ["1985-07-04T00:00:00Z", "1985-07-04"],
    ["--0704", "--07-04"],
    ["--07-04", "--07-04"],
    ["16040704", "--07-04"],
    ["---04", null],
    ["1985", null],
    ["7/4/1985", null],
    ["1985-13-04", null],
  ])("birthday %s", (text, expected) => {
    expect(birthdayOf(text)).toBe(expected);
  });
});

describe("tables", () => {
  const rows = (...lines: string[]) => lines.join("\r\n");
  it("reads Google's CSV of today and of before", async () => {
    const recent = rows(
      "First Name,Middle Name,Last Name,Phonetic First Name,Phonetic Middle Name,Phonetic Last Name,Name Prefix,Name Suffix,Nickname,File As,Organization Name,Organization Title,Organization Department,Birthday,Notes,Photo,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value",
      'Ida,,Lund,,,,,,,,Harbour,Pilot,Night,--07-04,"tea, no\nmilk",,* myContacts ::: Choir,* Home,ida@example.org ::: i@example.org,Mobile,+46 70 000 00 12',
    );
    const [ida] = await people(recent, "contacts.csv");
    expect(ida).toMatchObject({
      subject: "Ida Lund",
      text: "tea, no\nmilk",
      props: {
        labels: ["Choir"],
        contact: {
          emails: [{ value: "ida@example.org", label: "Home", preferred: true }, { value: "i@example.org" }],
          phones: [{ value: "+46 70 000 00 12", label: "Mobile" }],
          organisation: "Harbour",
          unit: "Night",
          birthday: "--07-04",
        },
      },
    });
    const former = rows(
      "Name,Given Name,Family Name,Birthday,Notes,Group Membership,E-mail 1 - Type,E-mail 1 - Value",
      "Ole Dahl,Ole,Dahl,,x,* myContacts,*,ole@example.org",
    );
    expect((await people(former, "google.csv"))[0]).toMatchObject({ subject: "Ole Dahl", text: "x" });
  });

  it("reads headers of any language by their structure", async () => {
    const text = rows(
      "Vorname,Zweiter Vorname,Nachname,Phon. Vorname,Phon. 2,Phon. Nachname,Präfix,Suffix,Spitzname,Ablegen unter,Firma,Position,Abteilung,Geburtstag,Notizen,Foto,Labels,E-Mail 1 - Label,E-Mail 1 - Wert,Telefon 1 - Label,Telefon 1 - Wert",
      "Uwe,,Brandt,,,,,,,,Werft,,,1970-02-03,hallo,,,Privat,uwe@example.org,Mobil,+49 170 0000000",
    );
    expect((await people(text, "Kontakte.csv"))[0]).toMatchObject({
      subject: "Uwe Brandt",
      text: "hallo",
      props: {
        contact: {
          birthday: "1970-02-03",
          organisation: "Werft",
          phones: [{ label: "Mobil" }],
          emails: [{ value: "uwe@example.org" }],
        },
      },
    });
  });

  it("reads Outlook's, and leaves other tables alone", async () => {
    const outlook = rows(
      '"First Name","Last Name","Company","E-mail Address","Mobile Phone","Notes"',
      '"Ann","Bo","X","ann@example.org","+1 202 555 0100","n"',
    );
    expect((await people(outlook, "outlook.csv"))[0]).toMatchObject({
      subject: "Ann Bo",
      props: { contact: { phones: [{ label: "mobile" }] } },
    });
    expect(await read({ "money.csv": "Date,Name,Amount\r\n2024-01-01,Tea,3" })).toEqual([]);
  });

  it("reads quotes, doubled quotes, empty cells and a quote that does not end", () => {
    expect([...csvRows('a,"b ""c"", d",\r\n,"x\ny"\n"z')]).toEqual([["a", 'b "c", d', ""], ["", "x\ny"], ["z"]]);
    expect([...csvRows("a;b\n1;2,5")]).toEqual([
      ["a", "b"],
      ["1", "2,5"],
    ]);
  });
});

describe("any bytes", () => {
  it("give records or a reason", async () => {
    const words = fc.constantFrom(
      "BEGIN:VCARD",
      "END:VCARD",
      "VERSION:2.1",
      "N:;;",
      "FN:",
      "TEL;X=",
      "TEL:1",
      "AGENT:",
      "PHOTO;ENCODING=b:####",
      "NOTE;QUOTED-PRINTABLE:=\r\n=",
      "KIND:group",
      "BDAY:--9999",
      "item1.X-ABLabel:x",
      "UID:1",
      "REV:zz",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 300 }),
          fc.array(fc.oneof(words, fc.string()), { maxLength: 25 }),
          fc.string(),
        ),
        fc.constantFrom("a.vcf", "a.csv"),
        async (content, name) => {
          let bytes: string | Uint8Array;
          if (content instanceof Uint8Array) bytes = content;
          else if (typeof content === "string") bytes = `Name,E-mail 1 - Type,E-mail 1 - Value\n${content}`;
          else bytes = `BEGIN:VCARD\r\n${content.join("\r\n")}`;
          const items = await read({ [name]: bytes });
          for (const record of recordsOf(items)) expect(importedRecordSchema.safeParse(record).success).toBe(true);
          expect(filesOf(items).length).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("stand a million lines", async () => {
    const found = await people(`BEGIN:VCARD\r\n${"TEL:1\r\n".repeat(200_000)}END:VCARD`);
    expect(found[0]?.props.contact?.phones).toHaveLength(1);
  });
});
