import type { Party } from "#contract";
import { column, type Database } from "#native/sqlite.ts";

/** Who is who by equal normalised address, as records come in. What else joins people is in `identity.ts`. */

/**
 * What makes two parties the same person: mail address in lower case, phone number by its digits, else the service's
 * user id within its source, else the name within its source. Null for a party without any of them.
 */
export function personKey(party: Party, source: string): string | null {
  const address = party.address?.trim() ?? "";
  if (address !== "") {
    if (address.includes("@") && !/@(?:s\.whatsapp\.net|c\.us)$/i.test(address)) return `mail:${address.toLowerCase()}`;
    const phone = /^([\d]+)@(?:s\.whatsapp\.net|c\.us)$/i.exec(address)?.[1] ?? phoneDigits(address);
    if (phone) return `tel:${phone}`;
    return address.includes("@") ? `mail:${address.toLowerCase()}` : `id:${source}:${address}`;
  }
  const name = party.name?.trim() ?? "";
  return name === "" ? null : `name:${source}:${name}`;
}

function phoneDigits(address: string): string | null {
  const bare = address.replace(/^tel:/i, "");
  if (!/^\+?[\d\s().\-/\u00a0\u202a-\u202f]+$/.test(bare)) return null;
  const digits = bare.replace(/\D/g, "").replace(/^00/, "");
  return digits.length >= 5 ? digits : null;
}

/** The better of two names to show: a full name over a single word over an address; then the longer; then the first by order. */
export function betterName(a: string, b: string): string {
  if (a === b) return a;
  const rank = (name: string) => (/[@\d]/.test(name) ? 0 : name.includes(" ") ? 2 : 1);
  const difference = rank(a) - rank(b) || a.length - b.length;
  if (difference !== 0) return difference > 0 ? a : b;
  return a < b ? a : b;
}

interface KnownPerson {
  readonly id: number;
  name: string;
  owner: boolean;
}

/** Finds or makes the person behind a party; remembers those seen, so that a mailbox of one sender asks once. */
export function peopleWriter(db: Database) {
  const find = db.query(
    "SELECT p.id, p.name, p.owner FROM person_address a JOIN person p ON p.id = a.person_id WHERE a.key = ?",
    (row): KnownPerson => ({
      id: column.number(row, "id"),
      name: column.text(row, "name"),
      owner: column.number(row, "owner") === 1,
    }),
  );
  const insert = db.command("INSERT INTO person (name, owner) VALUES (?, ?)");
  const insertKey = db.command("INSERT INTO person_address (key, person_id, address) VALUES (?, ?, ?)");
  const rename = db.command("UPDATE person SET name = ?, owner = ? WHERE id = ?");
  const seen = new Map<string, KnownPerson>();
  const most = 20_000;

  function resolve(party: Party, source: string): number | null {
    const key = personKey(party, source);
    if (key === null) return null;
    const address = party.address?.trim() || null;
    const name = party.name?.trim() || address || "";
    let person = seen.get(key) ?? find.get(key);
    if (!person) {
      const { lastId } = insert.run(name, Number(party.owner));
      insertKey.run(key, lastId, address);
      person = { id: lastId, name, owner: party.owner };
    } else {
      const better = betterName(person.name, name);
      const owner = person.owner || party.owner;
      if (better !== person.name || owner !== person.owner) {
        rename.run(better, Number(owner), person.id);
        person = { id: person.id, name: better, owner };
      }
    }
    if (seen.size >= most) seen.clear();
    seen.set(key, person);
    return person.id;
  }

  return {
    resolve,
    /** After a rollback or a deletion: what was remembered may not be there. */
    forget: () => seen.clear(),
  };
}
