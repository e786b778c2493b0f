import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ImportedRecord, Party } from "#contract";
import { componentsOf } from "#main/records/identity.ts";
import { regionOf } from "#main/records/identity-rules.ts";
import { freshStore, importFiles, message } from "./fixtures.ts";

const party = (name: string | null, address: string | null, owner = false): Party => ({
  name,
  address,
  role: "author",
  owner,
});

const by = (identity: string, author: Party) => message(identity, { author });

function card(identity: string, name: string, phones: readonly string[], emails: readonly string[] = []) {
  const value = (text: string) => ({ value: text, label: null, preferred: false });
  const contact = { phones: phones.map(value), emails: emails.map(value) };
  const rest: Partial<ImportedRecord> = {
    kind: "contact",
    subject: name,
    text: null,
    author: null,
    props: { contact: { ...contact, organisation: null, unit: null, birthday: null, photo: null } },
  };
  return message(identity, rest);
}

/** A store that holds these records, with the rules run over it. */
function joined(records: readonly ImportedRecord[], source = "test") {
  const store = freshStore();
  importFiles(store, { "a.txt": records }, 1_000, undefined, source);
  store.writer.joinPeople();
  return { writer: store.writer, reader: store.writer.reader() };
}

const namesOf = (people: readonly { name: string }[]) => people.map(({ name }) => name).sort();

describe("people are joined", () => {
  test("by a contact card that holds a number and an address", () => {
    const { reader } = joined([
      by("m:1", party("Ada", "+44 20 7946 0018")),
      by("m:2", party("Ada Byron", "ada@example.org")),
      card("c:1", "Ada Byron", ["+44 20 7946 0018"], ["Ada@Example.org"]),
    ]);
    const [ada, ...others] = reader.people();
    expect(others).toEqual([]);
    expect(ada).toMatchObject({ name: "Ada Byron", records: 2 });
    expect(ada?.addresses.sort()).toEqual(["+44 20 7946 0018", "ada@example.org"]);
    expect(reader.byPerson(ada?.id ?? 0, 10)).toHaveLength(2);
    expect(reader.list({ personId: ada?.id ?? 0 }, 0, 10).total).toBe(2);
    expect(reader.summaries([1]).map(({ author }) => author)).toEqual(["Ada Byron"]);
    expect(new Set([...reader.personIdsOf([1, 2]).values()].flat())).toEqual(new Set([ada?.id]));
    expect(reader.person(ada?.id ?? 0)).toMatchObject({
      parts: [{ sources: ["test"] }, { sources: ["test"] }],
      joins: [{ rule: "contact-card", recordId: 3 }],
    });
  });

  test("by two spellings of one number, read by the rules of the region most numbers are from", () => {
    const { reader } = joined([
      by("m:1", party("Jo", "0170 1234567")),
      by("m:2", party("Jo Quist", "+49 170 1234567")),
      by("m:3", party("Per", "+49 30 901820")),
      by("m:4", party("Other", "0170 7654321")),
    ]);
    expect(namesOf(reader.people())).toEqual(["Jo Quist", "Other", "Per"]);
    const jo = reader.people().find(({ name }) => name === "Jo Quist");
    expect(reader.person(jo?.id ?? 0).joins).toMatchObject([{ rule: "phone", region: "DE" }]);
  });

  test("by a chat's name, which is the address book's, when one card alone has it", () => {
    const records = [
      by("w:1", party("Kim from Pottery", null)),
      by("w:2", party("Twin", null)),
      by("m:1", party(null, "+1 202 555 0123")),
      by("m:2", party(null, "+1 202 555 0199")),
      card("c:1", "Kim from Pottery", ["+1 202 555 0123"]),
      card("c:2", "Twin", ["+1 202 555 0199"]),
      card("c:3", "Twin", ["+1 202 555 0155"]),
    ];
    const { reader } = joined(records, "whatsapp");
    expect(namesOf(reader.people())).toEqual(["+1 202 555 0199", "Kim from Pottery", "Twin"]);
  });

  test("never by a name alone: that is only suggested", () => {
    const { reader, writer } = joined([
      by("m:1", party("Noor Haddad", "noor@example.org")),
      by("m:2", party("Haddad, Noor", "n.haddad@work.example")),
      by("m:3", party("Noor", "+31 6 12345678")),
      by("m:4", party("Sam", "+31 6 87654321")),
    ]);
    expect(reader.people()).toHaveLength(4);
    const { pairs } = reader.personSuggestions();
    expect(pairs.map(({ a, b, why }) => [a.name, b.name, why])).toEqual([
      ["Haddad, Noor", "Noor Haddad", "same-name"],
      ["Haddad, Noor", "Noor", "first-name"],
    ]);
    writer.keepPersonApart({ a: pairs[1]?.a.id ?? 0, b: pairs[1]?.b.id ?? 0 });
    expect(reader.personSuggestions().pairs).toHaveLength(1);
    const [pair] = pairs;
    writer.joinPerson({ a: pair?.a.id ?? 0, b: pair?.b.id ?? 0 });
    expect(reader.people()).toHaveLength(3);
  });
});

describe("a join", () => {
  test("is taken back without a trace, and the rules do not make it again", () => {
    const { reader, writer } = joined([
      by("m:1", party("Ada", "+44 20 7946 0018")),
      by("m:2", party("Countess", "ada@example.org")),
      card("c:1", "Ada", ["+44 20 7946 0018"], ["ada@example.org"]),
    ]);
    const [ada] = reader.people();
    const [join] = reader.person(ada?.id ?? 0).joins;
    writer.separatePerson(join?.joinId ?? 0);
    expect(namesOf(reader.people())).toEqual(["Ada", "Countess"]);
    expect(writer.joinPeople()).toBe(0);
    expect(reader.people()).toHaveLength(2);
    expect(() => writer.separatePerson(999)).toThrow(expect.objectContaining({ code: "not_found" }));
  });

  test("goes with the person who is erased", () => {
    const { reader, writer } = joined([
      by("m:1", party("Ada", "+44 20 7946 0018")),
      by("m:2", party("Countess", "ada@example.org")),
      by("m:3", party("Lady", "lady@example.org")),
      card("c:1", "Ada", ["+44 20 7946 0018"], ["ada@example.org", "lady@example.org"]),
    ]);
    expect(reader.people()).toHaveLength(1);
    const [first] = reader.getMany([1]);
    writer.trash([first?.id ?? 0]);
    writer.erase([first?.id ?? 0]);
    writer.joinPeople();
    expect(namesOf(reader.people())).toEqual(["Countess"]);
  });
});

describe("the owner", () => {
  test("is whom the exports name; their addresses are one person, unless their names are strangers to each other", () => {
    const { reader } = joined([
      by("m:1", party("Ines Prado", "ines@example.org", true)),
      by("m:2", party("Ines", "user77", true)),
      by("m:3", party("Otto Brandt", "otto@example.org", true)),
    ]);
    expect(namesOf(reader.people().filter(({ owner }) => owner))).toEqual(["Ines Prado", "Otto Brandt"]);
    expect(reader.personSuggestions().owners).toEqual([]);
  });

  test("is asked for where nobody is known: those who wrote most come first", () => {
    const { reader, writer } = joined([
      by("m:1", party("Ines", "ines@example.org")),
      by("m:2", party("Ines", "ines@example.org")),
      by("m:3", party("Otto", "otto@example.org")),
    ]);
    expect(reader.personSuggestions().owners.map(({ name }) => name)).toEqual(["Ines", "Otto"]);
    writer.setOwner({ personId: reader.people()[0]?.id ?? 0, owner: true });
    expect(reader.people()[0]).toMatchObject({ name: "Ines", owner: true });
    expect(reader.personSuggestions().owners).toEqual([]);
    writer.setOwner({ personId: reader.people()[0]?.id ?? 0, owner: false });
    expect(reader.personSuggestions().owners).toHaveLength(2);
  });
});

test("the region is that of most international numbers; national ones say nothing", () => {
  expect(regionOf(["+49 170 1234567", "+49 30 901820", "+44 20 7946 0018", "0170 1"])).toBe("DE");
  expect(regionOf(["0170 1234567"])).toBeNull();
});

test("those who are joined, by whatever chain and in whatever order, are one", () =>
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 })), { maxLength: 20 }),
      (pairs) => {
        const joins = pairs.map(([a, b]) => ({ a, b }));
        const sets = componentsOf(joins).map((set) => new Set(set));
        const setOf = (id: number) => sets.findIndex((set) => set.has(id));
        for (const { a, b } of joins) expect(setOf(a)).toBe(setOf(b));
        expect(sets.reduce((sum, set) => sum + set.size, 0)).toBe(new Set(pairs.flat()).size);
        const again = componentsOf(joins.toReversed()).map((set) => set.toSorted((x, y) => x - y).join());
        expect(again.sort()).toEqual(sets.map((set) => [...set].sort((x, y) => x - y).join()).sort());
      },
    ),
  ));
