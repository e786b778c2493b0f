import type { RecordId, RelationType } from "#contract";
import { column, type Database } from "#native/sqlite.ts";
import { distanceKm } from "./distance.ts";
import type { FactTable } from "./fact-table.ts";
import { groundings } from "./grounding.ts";
import type { SchemaEdge } from "./ports.ts";
import { bridge, itemsById, type NearItem, nearItems, type Pointers, pointersOf } from "./tied-items.ts";
import { dataVersion } from "./version.ts";

/**
 * Schema edges (GraphMemix §1.2): ties that follow from content and metadata alone, never from a question. They are
 * worked out from `item`, `reference` and `mention` when asked for, so a record that comes later cannot leave a wrong one.
 * Weights ≤ 0.99 a type (GraphMemix §1.5): the surer the tie, the cheaper the edge.
 */
export const relationWeights: Readonly<Record<RelationType, number>> = {
  reply_to: 0.99,
  attachment_of: 0.99,
  same_round: 0.95,
  same_record: 0.95,
  consecutive_turn: 0.9,
  same_thread: 0.85,
  record_grounding: 0.85,
  event_bridge: 0.8,
  same_place: 0.7,
  semantic: 0.6,
};

const minute = 60_000;
/** Turns further apart than this are no exchange any more. */
const turnGap = 12 * 60 * minute;
/** One utterance in several messages. */
const burstGap = 2 * minute;

/** Records whose edges are held in memory. */
const mostHeld = 4_000;

/** Edges of the records of late, in memory while nothing changes: rounds of one question meet the same. */
export class EdgeLookup {
  readonly #db: Database;
  readonly #facts: FactTable;
  readonly #known = new Map<RecordId, SchemaEdge[]>();
  #version = -1;

  constructor(db: Database, facts: FactTable) {
    this.#db = db;
    this.#facts = facts;
  }

  /** All edges that these records have, each once (smaller id first where the relation has no direction). */
  edges(ids: readonly RecordId[]): SchemaEdge[] {
    const version = dataVersion(this.#db);
    if (version !== this.#version || this.#known.size > mostHeld) this.#known.clear();
    this.#version = version;
    const asked = [...new Set(ids)];
    const missing = asked.filter((id) => !this.#known.has(id));
    if (missing.length > 0) findEdges(this.#db, this.#facts, missing, this.#known);
    const edges = new Map<string, SchemaEdge>();
    for (const id of asked)
      for (const edge of this.#known.get(id) ?? []) edges.set(`${edge.relation} ${edge.from} ${edge.to}`, edge);
    return [...edges.values()].sort(
      (a, b) => a.from - b.from || a.to - b.to || (a.relation < b.relation ? -1 : a.relation > b.relation ? 1 : 0),
    );
  }
}

/** Adds a record's edge; the smaller id first where the relation has no direction. */
type Add = (of: RecordId, relation: RelationType, from: RecordId, to: RecordId) => void;

/** Adds each record's own edges to `found`. */
function findEdges(db: Database, facts: FactTable, ids: readonly RecordId[], found: Map<RecordId, SchemaEdge[]>): void {
  for (const id of ids) found.set(id, []);
  const add: Add = (of, relation, from, to) => {
    if (from === to) return;
    const directed = relation === "reply_to" || relation === "attachment_of";
    const [a, b] = directed || from < to ? [from, to] : [to, from];
    found.get(of)?.push({ from: a, to: b, relation, weight: relationWeights[relation] });
  };
  const items = nearItems(db, ids);
  const pointers = pointersOf(db, items);
  for (const item of items) {
    replies(item, pointers, add);
    parts(item, pointers, add);
    for (const id of item.thread) add(item.id, "same_thread", item.id, id);
    for (const id of item.same) add(item.id, "same_record", item.id, id);
    for (const id of item.place) add(item.id, "same_place", item.id, id);
  }
  turns(db, facts, items, add);
  bridges(db, items, add);
  for (const { of, text, picture } of groundings(db, items)) add(of, "record_grounding", text, picture);
}

function replies(item: NearItem, { byIdentity, repliesTo }: Pointers, add: Add): void {
  if (item.reply !== null) {
    const parent = byIdentity.get(item.reply);
    if (parent) add(item.id, "reply_to", item.id, parent.id);
    for (const sibling of repliesTo.get(item.reply) ?? []) add(item.id, "same_round", item.id, sibling.id);
  }
  for (const answer of repliesTo.get(item.identity) ?? []) add(item.id, "reply_to", answer.id, item.id);
}

function parts(item: NearItem, { byIdentity, partsOf }: Pointers, add: Add): void {
  const whole = item.part === null ? undefined : byIdentity.get(item.part);
  if (whole) add(item.id, "attachment_of", item.id, whole.id);
  for (const part of partsOf.get(item.identity) ?? []) add(item.id, "attachment_of", part.id, item.id);
}

/** The one before and the one after each in its session. */
function turns(db: Database, facts: FactTable, items: readonly NearItem[], add: Add): void {
  const places = facts.beside(items.map(({ id }) => id));
  const around = (item: NearItem) => {
    const { before, after } = places.get(item.id) ?? { before: null, after: null };
    return [before, after].filter((one) => one !== null);
  };
  const moments = facts.items(items.flatMap(around));
  const gapTo = (item: NearItem, id: RecordId) => Math.abs((moments.get(id)?.moment ?? 0) - (item.moment ?? 0));
  const mayBurst = (item: NearItem, id: RecordId) =>
    item.kind === "message" && item.author !== null && gapTo(item, id) <= burstGap;
  const authors = authorsOf(
    db,
    items,
    items.flatMap((item) => around(item).filter((id) => mayBurst(item, id))),
  );
  for (const item of items) {
    for (const id of around(item)) {
      if (item.kind !== "email" && gapTo(item, id) > turnGap) continue;
      const burst = mayBurst(item, id) && item.author === authors.get(id);
      add(item.id, burst ? "same_round" : "consecutive_turn", item.id, id);
    }
  }
}

function authorsOf(
  db: Database,
  known: readonly NearItem[],
  ids: readonly RecordId[],
): ReadonlyMap<RecordId, string | null> {
  const authors = new Map(known.map(({ id, author }) => [id, author]));
  const missing = [...new Set(ids)].filter((id) => !authors.has(id));
  if (missing.length === 0) return authors;
  const rows = db
    .query("SELECT record_id, author FROM item WHERE record_id IN (SELECT value FROM json_each(?))", (row) => ({
      id: column.number(row, "record_id"),
      author: column.textOrNull(row, "author"),
    }))
    .all(JSON.stringify(missing));
  for (const { id, author } of rows) authors.set(id, author);
  return authors;
}

/** Media within 5 km of each other, at most two a record. */
function bridges(db: Database, items: readonly NearItem[], add: Add): void {
  const others = itemsById(db, [...new Set(items.flatMap(({ media }) => media))]);
  for (const item of items) {
    for (const id of item.media) {
      const other = others.get(id);
      // Complementary media: a video and a picture tie from both sides, two pictures only from the earlier one.
      if (!other || (other.kind === item.kind && (other.moment ?? 0) < (item.moment ?? 0))) continue;
      if (distanceKm(item, other) <= bridge.km) add(item.id, "event_bridge", item.id, other.id);
    }
  }
}
