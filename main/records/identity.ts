import { z } from "zod";
import { UnderstoryError } from "#contract";
import { column, type Database, type SqlRow } from "#native/sqlite.ts";
import { betterName } from "./people.ts";
import { jsonOrNull } from "./rows.ts";

/**
 * Who is who beyond equal addresses: a log of joins and separations, each with its rule and evidence, by a rule or by a
 * person. Nobody's rows are moved: people who are one carry the id of the smallest of them (`root_id`), worked out from
 * the log anew after each step, so that any join can be taken back.
 */

export const joinRules = ["contact-card", "address-book-name", "phone", "owner", "person"] as const;
export type JoinRule = (typeof joinRules)[number];

/** What a join rests on, without content: the contact's record, or the region in which a number was read. */
const evidenceSchema = z.object({ recordId: z.number().int().optional(), region: z.string().optional() });
export type JoinEvidence = z.infer<typeof evidenceSchema>;

export interface PersonJoin {
  /** Step of the log; names the join when it is taken back. */
  readonly seq: number;
  /** Row ids of two people, the smaller first. */
  readonly a: number;
  readonly b: number;
  readonly rule: JoinRule;
  readonly evidence: JoinEvidence;
  /** ISO UTC. */
  readonly at: string;
}

const pairOf = (one: number, other: number) => ({ a: Math.min(one, other), b: Math.max(one, other) });

/** The joins that stand: of each pair the last step, where that is a join. */
export function standingJoins(db: Database) {
  const standing = db.query(
    `SELECT s.seq, s.a, s.b, s.rule, s.evidence, s.at FROM person_step s
     JOIN (SELECT max(seq) AS seq FROM person_step WHERE op IN ('join', 'separate') GROUP BY a, b) last ON last.seq = s.seq
     WHERE s.op = 'join' ORDER BY s.seq`,
    (row): PersonJoin => ({
      seq: column.number(row, "seq"),
      a: column.number(row, "a"),
      b: column.number(row, "b"),
      rule: z.enum(joinRules).parse(row.rule),
      evidence: jsonOrNull(row, "evidence", evidenceSchema) ?? {},
      at: new Date(column.number(row, "at")).toISOString(),
    }),
  );
  return () => standing.all();
}

/** Pairs that were taken apart, as `a/b`: they are not suggested again. */
export function separatedPairs(db: Database) {
  const separated = db.query("SELECT DISTINCT a, b FROM person_step WHERE op = 'separate'", (row) =>
    pairName(column.number(row, "a"), column.number(row, "b")),
  );
  return () => new Set(separated.all());
}

export function pairName(one: number, other: number): string {
  const { a, b } = pairOf(one, other);
  return `${a}/${b}`;
}

/** Writes steps and keeps the roots. All methods run inside a transaction of the writer. */
export function identityWriter(db: Database) {
  const standing = standingJoins(db);
  const idOf = (row: SqlRow) => column.number(row, "id");
  const step = db.command("INSERT INTO person_step (a, b, op, by, rule, evidence, at) VALUES (?, ?, ?, ?, ?, ?, ?)");
  const told = db.query("SELECT 1 FROM person_step WHERE a = ? AND b = ? LIMIT 1", () => true);
  const bySeq = db.query("SELECT a, b FROM person_step WHERE seq = ? AND op = 'join'", (row) => ({
    a: column.number(row, "a"),
    b: column.number(row, "b"),
  }));
  const known = db.query("SELECT id FROM person WHERE id = ?", idOf);
  const rooted = db.query("SELECT id, root_id, root_name FROM person WHERE root_id IS NOT NULL", (row) => ({
    id: idOf(row),
    root: column.number(row, "root_id"),
    name: column.textOrNull(row, "root_name"),
  }));
  const nameOf = db.query("SELECT name FROM person WHERE id = ?", (row) => column.text(row, "name"));
  const setRoot = db.command("UPDATE person SET root_id = ?, root_name = ? WHERE id = ?");
  const membersOf = db.query(
    "SELECT id FROM person WHERE coalesce(root_id, id) = (SELECT coalesce(root_id, id) FROM person WHERE id = ?)",
    idOf,
  );
  const setOwner = db.command("UPDATE person SET owner = ? WHERE id = ?");

  /** Roots and their names as the standing joins make them. */
  function refresh(): void {
    const wanted = new Map<number, { root: number; name: string }>();
    for (const members of componentsOf(standing())) {
      const root = Math.min(...members);
      const name = members.map((id) => nameOf.get(id) ?? "").reduce(betterName);
      for (const id of members) wanted.set(id, { root, name });
    }
    for (const { id, root, name } of rooted.all()) {
      const want = wanted.get(id);
      if (want?.root === root && want.name === name) wanted.delete(id);
      else if (!want) setRoot.run(null, null, id);
    }
    for (const [id, { root, name }] of wanted) setRoot.run(root, name, id);
  }

  function requirePerson(id: number): void {
    if (known.get(id) !== undefined) return;
    throw new UnderstoryError("not_found", `There is no person ${id}.`, {
      hint: "Their records may have been deleted for good.",
      details: { personId: id },
    });
  }

  return {
    refresh,

    /**
     * Joins that rules propose, but none of a pair that was ever joined or separated before: what a person has taken back
     * is not done again. Gives how many are new.
     */
    propose(joins: readonly { a: number; b: number; rule: JoinRule; evidence: JoinEvidence }[], at: number): number {
      let added = 0;
      for (const { a: one, b: other, rule, evidence } of joins) {
        const { a, b } = pairOf(one, other);
        if (a === b || told.get(a, b)) continue;
        step.run(a, b, "join", "rule", rule, JSON.stringify(evidence), at);
        added++;
      }
      refresh();
      return added;
    },

    /** Throws `not_found`. */
    join(one: number, other: number, at: number): void {
      const { a, b } = pairOf(one, other);
      requirePerson(a);
      requirePerson(b);
      if (a === b) return;
      step.run(a, b, "join", "person", "person", "{}", at);
      refresh();
    },

    /** Takes a join back. Throws `not_found` for what is no join. */
    separate(seq: number, at: number): void {
      const pair = bySeq.get(seq);
      if (!pair) throw new UnderstoryError("not_found", `There is no join ${seq}.`, { details: { joinId: seq } });
      step.run(pair.a, pair.b, "separate", "person", "person", "{}", at);
      refresh();
    },

    /** Says that two are not one, so that nobody asks again. Throws `not_found`. */
    apart(one: number, other: number, at: number): void {
      const { a, b } = pairOf(one, other);
      requirePerson(a);
      requirePerson(b);
      step.run(a, b, "separate", "person", "person", "{}", at);
      refresh();
    },

    /** Says who the archive's owner is, or is not: of all the people joined with this one. Throws `not_found`. */
    setOwner(id: number, owner: boolean, at: number): void {
      requirePerson(id);
      for (const member of membersOf.all(id)) {
        setOwner.run(Number(owner), member);
        step.run(member, member, owner ? "owner" : "not-owner", "person", "person", "{}", at);
      }
    },
  };
}

/** Sets of people who are one, by the joins between them. */
export function componentsOf(joins: readonly Pick<PersonJoin, "a" | "b">[]): number[][] {
  const parent = new Map<number, number>();
  const rootOf = (id: number): number => {
    let root = id;
    for (let up = parent.get(root); up !== undefined && up !== root; up = parent.get(root)) root = up;
    parent.set(id, root);
    return root;
  };
  for (const { a, b } of joins) {
    const [one, other] = [rootOf(a), rootOf(b)];
    if (one !== other) parent.set(Math.max(one, other), Math.min(one, other));
  }
  return [...Map.groupBy(parent.keys(), rootOf).values()];
}
