import { createRequire } from "node:module";
import type { CountryCode } from "libphonenumber-js/min";
import { z } from "zod";
import { recordPropsSchema } from "#contract";
import { column, type Database } from "#native/sqlite.ts";
import type { JoinEvidence, JoinRule } from "./identity.ts";
import { personKey } from "./people.ts";
import { json } from "./rows.ts";

type Phones = typeof import("libphonenumber-js/min");
const load = createRequire(import.meta.url);
let phones: Phones | null = null;

/** Loaded with the first number: the tables take 17 MB in each thread, and most threads never see one. */
function parsePhoneNumber(...given: Parameters<Phones["parsePhoneNumberFromString"]>) {
  if (!phones) {
    const loaded: Phones = load("libphonenumber-js/min");
    phones = loaded;
  }
  return phones.parsePhoneNumberFromString(...given);
}

/**
 * The rules by which people are joined without being asked. Each rests on what a source states, never on a name alone:
 * a contact card's numbers and addresses, the one number that two spellings mean, a chat whose names come from the address
 * book, and the exports' own word for who the owner is.
 */

export interface ProposedJoin {
  readonly a: number;
  readonly b: number;
  readonly rule: JoinRule;
  readonly evidence: JoinEvidence;
}

/** Sources whose names of people are those of the phone's address book. */
const addressBookSources = ["whatsapp", "sms"] as const;

interface Card {
  readonly recordId: number;
  readonly name: string | null;
  readonly keys: readonly string[];
}

const cardProps = z.object({ contact: recordPropsSchema.shape.contact });

/** All joins that the rules find in the archive as it is; those that stand already among them. */
export function identityRules(db: Database) {
  const cards = db.query(
    "SELECT id, subject, props FROM record WHERE kind = 'contact' AND trashed_at IS NULL ORDER BY id",
    (row): Card => {
      const { contact } = json(row, "props", cardProps);
      const addresses = [...(contact?.emails ?? []), ...(contact?.phones ?? [])].map(({ value }) => value);
      const party = { name: null, role: null, owner: false };
      return {
        recordId: column.number(row, "id"),
        name: column.textOrNull(row, "subject"),
        keys: addresses.flatMap((address) => personKey({ ...party, address }, "contact") ?? []),
      };
    },
  );
  const byKey = db.query("SELECT person_id FROM person_address WHERE key = ?", (row) =>
    column.number(row, "person_id"),
  );
  const phones = db.query(
    "SELECT person_id, key, address FROM person_address WHERE key >= 'tel:' AND key < 'tel;' ORDER BY person_id",
    (row) => ({
      person: column.number(row, "person_id"),
      key: column.text(row, "key"),
      address: column.textOrNull(row, "address") ?? "",
    }),
  );
  const owners = db.query("SELECT id, name FROM person WHERE owner = 1 ORDER BY id", (row) => ({
    id: column.number(row, "id"),
    name: column.text(row, "name"),
  }));

  function* ofCards(known: readonly Card[]): Generator<ProposedJoin> {
    const named = Map.groupBy(known, ({ name }) => name);
    for (const { recordId, name, keys } of known) {
      const [first, ...others] = new Set(keys.flatMap((key) => byKey.get(key) ?? []));
      if (first === undefined) continue;
      for (const other of others) yield { a: first, b: other, rule: "contact-card", evidence: { recordId } };
      // Two cards of one name would make it a guess.
      if (name === null || named.get(name)?.length !== 1) continue;
      for (const source of addressBookSources) {
        const other = byKey.get(`name:${source}:${name.trim()}`);
        if (other !== undefined) yield { a: first, b: other, rule: "address-book-name", evidence: { recordId } };
      }
    }
  }

  function* ofPhones(): Generator<ProposedJoin> {
    const all = phones.all();
    const region = regionOf(all.map(({ address }) => address));
    if (region === null) return;
    for (const { person, key, address } of all) {
      const number = /^(?:\+|00)/.test(address.trim()) ? null : parsePhoneNumber(address, region);
      if (!number?.isValid()) continue;
      const same = `tel:${number.number.slice(1)}`;
      const other = same === key ? undefined : byKey.get(same);
      if (other !== undefined) yield { a: person, b: other, rule: "phone", evidence: { region } };
    }
  }

  /** Two owners whose full names share no word may be two people who share a machine: they are only suggested. */
  function* ofOwners(): Generator<ProposedJoin> {
    const [first, ...others] = owners.all();
    if (!first) return;
    for (const other of others) {
      if (mayBeOne(first.name, other.name)) yield { a: first.id, b: other.id, rule: "owner", evidence: {} };
    }
  }

  return (): ProposedJoin[] => [...ofCards(cards.all()), ...ofPhones(), ...ofOwners()];
}

/** The region most of the international numbers belong to; null without any. */
export function regionOf(addresses: readonly string[]): CountryCode | null {
  const votes = new Map<CountryCode, number>();
  for (const address of addresses) {
    if (!address.trim().startsWith("+")) continue;
    const country = parsePhoneNumber(address)?.country;
    if (country) votes.set(country, (votes.get(country) ?? 0) + 1);
  }
  const [best] = [...votes].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return best?.[0] ?? null;
}

/** Words of a name, folded, given name first ("Haddad, Noor" is turned); an address counts by what stands before its @. */
export function nameWords(name: string): string[] {
  const shown = name.includes("@") ? name.slice(0, name.indexOf("@")) : name;
  const plain = shown.replace(/^([^,]+),([^,]+)$/, "$2 $1");
  const folded = plain.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return folded.match(/\p{L}{2,}/gu) ?? [];
}

/** False only for two full names without a word in common. */
function mayBeOne(a: string, b: string): boolean {
  const [one, other] = [nameWords(a), nameWords(b)];
  if (one.length < 2 || other.length < 2) return true;
  return one.some((word) => other.includes(word));
}
