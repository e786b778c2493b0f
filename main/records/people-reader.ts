import type { Person, PersonDetail, PersonSuggestions, RecordId } from "#contract";
import { column, type Database, type SqlRow } from "#native/sqlite.ts";
import { pairName, separatedPairs, standingJoins } from "./identity.ts";
import { nameWords } from "./identity-rules.ts";
import { notFound } from "./lifecycle.ts";
import { memo } from "./memo.ts";
import { betterName } from "./people.ts";
import type { RecordReader } from "./ports.ts";

/** Who takes part in what is live. People who were joined are one here: known by the smallest of their ids. */

type PeopleMethods = "people" | "person" | "personSuggestions" | "byPerson" | "zoneVotes";

/** Latest records that are asked for their zone: enough for a guess, and a moment's work. */
const zoneSample = 20_000;

const mostSuggestions = 50;
const mostOwners = 6;

/** One row of the person table with its count of live records. */
interface Part {
  readonly id: number;
  readonly root: number;
  readonly name: string;
  readonly owner: boolean;
  readonly records: number;
  readonly authored: number;
  readonly keys: string[];
  readonly addresses: string[];
}

export function peopleReader(db: Database): Pick<RecordReader, PeopleMethods> {
  const idOf = (row: SqlRow) => column.number(row, "id");
  const standing = standingJoins(db);
  const separated = separatedPairs(db);
  const version = db.query(
    `SELECT (SELECT coalesce(max(seq), 0) FROM change) + (SELECT coalesce(max(seq), 0) FROM person_step) AS total`,
    (row) => column.number(row, "total"),
  );
  const partsOnce = memo<Part[]>(() => version.get() ?? 0);
  const peopleOnce = memo<Person[]>(() => version.get() ?? 0);
  const rows = db.query(
    // Counted by index alone, then less what lies in the trash: no record is looked at for being live.
    `WITH trashed AS MATERIALIZED (
       SELECT x.person_id, count(*) AS records FROM record r INDEXED BY record_trash
       CROSS JOIN record_person x ON x.record_id = r.id WHERE r.trashed_at IS NOT NULL GROUP BY x.person_id),
     counted AS MATERIALIZED (
       SELECT person_id, count(*) AS records, sum(role = 'author') AS authored FROM record_person GROUP BY person_id)
     SELECT p.id, coalesce(p.root_id, p.id) AS root, p.name, p.owner, n.records - coalesce(t.records, 0) AS records, n.authored
     FROM counted n CROSS JOIN person p ON p.id = n.person_id LEFT JOIN trashed t ON t.person_id = p.id
     WHERE n.records > coalesce(t.records, 0) ORDER BY 5 DESC, p.name, p.id`,
    (row): Part => ({
      id: idOf(row),
      root: column.number(row, "root"),
      name: column.text(row, "name"),
      owner: column.number(row, "owner") === 1,
      records: column.number(row, "records"),
      authored: column.number(row, "authored"),
      keys: [],
      addresses: [],
    }),
  );
  const addresses = db.query(
    "SELECT person_id, key, address FROM person_address ORDER BY person_id, address",
    (row) => ({
      personId: column.number(row, "person_id"),
      key: column.text(row, "key"),
      address: column.textOrNull(row, "address"),
    }),
  );
  const rootOf = db.query("SELECT coalesce(root_id, id) AS id FROM person WHERE id = ?", idOf);
  const members = db.query("SELECT id FROM person WHERE id = ?1 OR root_id = ?1", idOf);
  const recordsOf = db.query(
    `SELECT r.id FROM record_person p JOIN record r ON r.id = p.record_id
     WHERE p.person_id = ? AND r.trashed_at IS NULL ORDER BY p.record_id DESC LIMIT ?`,
    idOf,
  );
  const sourcesOf = db.query(
    `SELECT DISTINCT r.source AS source FROM record_person p JOIN record r ON r.id = p.record_id
     WHERE p.person_id = ? AND r.trashed_at IS NULL ORDER BY 1`,
    (row) => column.text(row, "source"),
  );

  const zones = db.query(
    `SELECT time ->> '$.zone' AS zone, count(*) AS records FROM (SELECT time FROM record ORDER BY id DESC LIMIT ${zoneSample})
     WHERE zone IS NOT NULL GROUP BY zone`,
    (row) => ({ zone: column.text(row, "zone"), records: column.number(row, "records") }),
  );
  // The offset of a mail is its sender's: only the owner's say where the owner was.
  const offsets = db.query(
    `SELECT local_day, time ->> '$.offset' AS offset, count(*) AS records FROM
       (SELECT r.time, substr(r.local_day, 1, 7) AS local_day FROM record r LEFT JOIN person p ON p.id = r.author_id
        WHERE r.kind IN ('photo', 'video') OR p.owner = 1 ORDER BY r.id DESC LIMIT ${zoneSample})
     WHERE offset IS NOT NULL AND local_day IS NOT NULL GROUP BY 1, 2`,
    (row) => ({
      month: column.text(row, "local_day"),
      offset: column.text(row, "offset"),
      records: column.number(row, "records"),
    }),
  );

  const parts = () =>
    partsOnce("", () => {
      const all = rows.all();
      const byId = new Map(all.map((part) => [part.id, part]));
      for (const { personId, key, address } of addresses.all()) {
        byId.get(personId)?.keys.push(key);
        if (address !== null) byId.get(personId)?.addresses.push(address);
      }
      return all;
    });

  /** A record in which two of the parts take part counts twice here: rare, and only for the order. */
  function joined(group: readonly Part[]): Person {
    const name = group.map(({ name }) => name).reduce(betterName);
    const also = [...new Set(group.map((part) => part.name))].filter((one) => one !== name);
    return {
      id: group[0]?.root ?? 0,
      name,
      ...(also.length > 0 ? { also } : {}),
      addresses: [...new Set(group.flatMap(({ addresses }) => addresses))],
      owner: group.some(({ owner }) => owner),
      records: group.reduce((sum, { records }) => sum + records, 0),
    };
  }

  const people = () =>
    peopleOnce("", () =>
      [...Map.groupBy(parts(), ({ root }) => root).values()]
        .map(joined)
        .sort((a, b) => b.records - a.records || (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id)),
    );

  return {
    people,

    person(id): PersonDetail {
      const root = rootOf.get(id);
      const group = parts().filter((part) => part.root === root);
      if (group.length === 0) throw notFound(id);
      const ids = new Set(group.map((part) => part.id));
      return {
        person: joined(group),
        parts: group.map(({ id, name, addresses, records }) => ({
          id,
          name,
          addresses,
          records,
          sources: sourcesOf.all(id),
        })),
        joins: standing()
          .filter(({ a, b }) => ids.has(a) && ids.has(b))
          .map(({ seq, a, b, rule, evidence, at }) => ({
            joinId: seq,
            a,
            b,
            rule,
            recordId: evidence.recordId ?? null,
            region: evidence.region ?? null,
            at,
          })),
      };
    },

    personSuggestions(): PersonSuggestions {
      const all = people();
      const owners = all.some(({ owner }) => owner) ? [] : likelyOwners(parts(), all);
      const apart = separated();
      return { pairs: alike(all).filter(({ a, b }) => !apart.has(pairName(a.id, b.id))), owners };
    },

    zoneVotes: () => ({
      zones: new Map(zones.all().map(({ zone, records }) => [zone, records])),
      offsets: offsets.all(),
    }),

    byPerson(personId, limit) {
      const found = new Set<RecordId>();
      const root = rootOf.get(personId) ?? personId;
      for (const id of members.all(root)) for (const record of recordsOf.all(id, limit)) found.add(record);
      return [...found].sort((a, b) => b - a).slice(0, limit);
    },
  };
}

/** Those who wrote most, in most places: a person's own archive is full of their own words. */
function likelyOwners(parts: readonly Part[], people: readonly Person[]): Person[] {
  const authored = new Map<number, number>();
  for (const part of parts) authored.set(part.root, (authored.get(part.root) ?? 0) + part.authored);
  return people
    .filter(({ id }) => (authored.get(id) ?? 0) > 0)
    .sort((a, b) => (authored.get(b.id) ?? 0) - (authored.get(a.id) ?? 0) || a.id - b.id)
    .slice(0, mostOwners);
}

/** Pairs by name: equal full names, and a first name that begins only one full name. */
function alike(people: readonly Person[]): PersonSuggestions["pairs"] {
  const named = people.map((person) => ({ person, words: nameWords(person.name) }));
  const full = Map.groupBy(
    named.filter(({ words }) => words.length >= 2),
    ({ words }) => words.toSorted().join(" "),
  );
  const pairs: PersonSuggestions["pairs"][number][] = [];
  for (const [first, ...others] of full.values()) {
    if (first) for (const { person } of others) pairs.push({ a: first.person, b: person, why: "same-name" });
  }
  const byFirst = Map.groupBy(
    [...full.values()].flatMap(([one]) => one ?? []),
    ({ words }) => words[0] ?? "",
  );
  for (const { person, words } of named) {
    const [only, ...more] = words.length === 1 ? (byFirst.get(words[0] ?? "") ?? []) : [];
    if (only && more.length === 0) pairs.push({ a: only.person, b: person, why: "first-name" });
  }
  return pairs
    .sort((x, y) => y.b.records - x.b.records || x.a.id - y.a.id || x.b.id - y.b.id)
    .slice(0, mostSuggestions);
}
