import type { RecordId, RelationType } from "#contract";
import { column, type Database, type SqlRow, type SqlValue } from "#native/sqlite.ts";
import type { FactTable } from "./fact-table.ts";
import type { SchemaEdge } from "./ports.ts";
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
const bridge = { least: minute, most: 60 * minute, km: 5 } as const;
const subjectWindow = 14 * 24 * 60 * minute;
const threadNeighbours = 3;
const perRelation = 6;
const groundingPictures = 60;

interface Item {
  readonly id: RecordId;
  readonly kind: string;
  readonly identity: string;
  readonly reply: string | null;
  readonly part: string | null;
  readonly session: string | null;
  readonly thread: string | null;
  readonly sequence: number | null;
  readonly moment: number | null;
  readonly day: string | null;
  readonly author: string | null;
  readonly lat: number | null;
  readonly lon: number | null;
  readonly place: string | null;
  readonly subject: string | null;
  readonly ground: string;
}

const columns =
  "i.record_id, i.kind, i.identity, i.reply_identity, i.part_of, i.session, i.thread, i.sequence, i.moment, i.day, i.author, i.lat, i.lon, i.place, i.subject, i.ground";

function readItem(row: SqlRow): Item {
  return {
    id: column.number(row, "record_id"),
    kind: column.text(row, "kind"),
    identity: column.text(row, "identity"),
    reply: column.textOrNull(row, "reply_identity"),
    part: column.textOrNull(row, "part_of"),
    session: column.textOrNull(row, "session"),
    thread: column.textOrNull(row, "thread"),
    sequence: column.numberOrNull(row, "sequence"),
    moment: column.numberOrNull(row, "moment"),
    day: column.textOrNull(row, "day"),
    author: column.textOrNull(row, "author"),
    lat: column.numberOrNull(row, "lat"),
    lon: column.numberOrNull(row, "lon"),
    place: column.textOrNull(row, "place"),
    subject: column.textOrNull(row, "subject"),
    ground: column.text(row, "ground"),
  };
}

const isMedia = (item: Item) => item.kind === "photo" || item.kind === "video";
const tells = (item: Item) => ["email", "message", "note", "event", "document"].includes(item.kind);

/** All edges that these records have, each once (smaller id first where the relation has no direction). */
function edgesOf(
  db: Database,
  facts: FactTable,
  ids: readonly RecordId[],
  known: Map<RecordId, SchemaEdge[]>,
): SchemaEdge[] {
  const asked = [...new Set(ids)];
  findEdges(
    db,
    facts,
    asked.filter((id) => !known.has(id)),
    known,
  );
  const edges = new Map<string, SchemaEdge>();
  for (const id of asked)
    for (const edge of known.get(id) ?? []) edges.set(`${edge.relation} ${edge.from} ${edge.to}`, edge);
  return [...edges.values()].sort(
    (a, b) => a.from - b.from || a.to - b.to || (a.relation < b.relation ? -1 : a.relation > b.relation ? 1 : 0),
  );
}

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

  edges(ids: readonly RecordId[]): SchemaEdge[] {
    const version = dataVersion(this.#db);
    if (version !== this.#version || this.#known.size > mostHeld) this.#known.clear();
    this.#version = version;
    return edgesOf(this.#db, this.#facts, ids, this.#known);
  }
}

/** Adds each record's own edges to `found`. */
function findEdges(db: Database, facts: FactTable, ids: readonly RecordId[], found: Map<RecordId, SchemaEdge[]>): void {
  if (ids.length === 0) return;
  const list = JSON.stringify(ids);
  const select = (where: string, ...params: SqlValue[]) =>
    db.query(`SELECT ${columns} FROM ${where}`, readItem).all(...params);
  const items = select("item i WHERE i.record_id IN (SELECT value FROM json_each(?))", list);
  const having = (table: "reference" | "mention") =>
    new Set(
      db
        .query(`SELECT DISTINCT record_id FROM ${table} WHERE record_id IN (SELECT value FROM json_each(?))`, (row) =>
          column.number(row, "record_id"),
        )
        .all(list),
    );
  const ties = {
    ...tiesOf(items, select),
    beside: besideOf(facts.beside(ids), items, select),
    referring: having("reference"),
    mentioning: having("mention"),
  };
  for (const id of ids) found.set(id, []);
  for (const item of items) {
    const own = found.get(item.id);
    const add: Add = (relation, from, to) => {
      if (from === to) return;
      const directed = relation === "reply_to" || relation === "attachment_of";
      const [a, b] = directed || from < to ? [from, to] : [to, from];
      own?.push({ from: a, to: b, relation, weight: relationWeights[relation] });
    };
    for (const relation of relations) relation(item, select, add, ties);
  }
}

type Select = (where: string, ...params: SqlValue[]) => Item[];
type Add = (relation: RelationType, from: RecordId, to: RecordId) => void;
type Relation = (item: Item, select: Select, add: Add, ties: Ties) => void;

/** What replies and attachments point at, what points at the records, and which say a number or a day: one read each for all records together. */
interface Ties {
  readonly referring: ReadonlySet<RecordId>;
  readonly mentioning: ReadonlySet<RecordId>;
  /** The one before and the one after it in its session. */
  readonly beside: ReadonlyMap<RecordId, readonly Item[]>;
  readonly byIdentity: ReadonlyMap<string, Item>;
  readonly repliesTo: ReadonlyMap<string, readonly Item[]>;
  readonly partsOf: ReadonlyMap<string, readonly Item[]>;
}

function besideOf(
  places: ReturnType<FactTable["beside"]>,
  items: readonly Item[],
  select: Select,
): Map<RecordId, readonly Item[]> {
  const known = new Map(items.map((item) => [item.id, item]));
  const others = [...places.values()].flatMap(({ before, after }) => [before ?? [], after ?? []].flat());
  const missing = [...new Set(others)].filter((id) => !known.has(id));
  for (const item of select("item i WHERE i.record_id IN (SELECT value FROM json_each(?))", JSON.stringify(missing)))
    known.set(item.id, item);
  return new Map(
    [...places].map(([id, { before, after }]) => [id, [before, after].flatMap((one) => known.get(one ?? -1) ?? [])]),
  );
}

function tiesOf(items: readonly Item[], select: Select): Pick<Ties, "byIdentity" | "repliesTo" | "partsOf"> {
  const keys = (some: readonly (string | null)[]) => JSON.stringify([...new Set(some.filter((one) => one !== null))]);
  const identities = items.map(({ identity }) => identity);
  const above = select(
    "item i WHERE i.identity IN (SELECT value FROM json_each(?)) ORDER BY i.record_id DESC",
    keys(items.flatMap(({ reply, part }) => [reply, part])),
  );
  const first = (by: "reply_identity" | "part_of", order: string) =>
    `(SELECT *, row_number() OVER (PARTITION BY ${by} ORDER BY ${order}) AS nth FROM item
      WHERE ${by} IN (SELECT value FROM json_each(?))) i WHERE i.nth <= ${perRelation} ORDER BY i.nth`;
  const below = select(
    first("reply_identity", "moment, identity"),
    keys([...identities, ...items.map(({ reply }) => reply)]),
  );
  return {
    byIdentity: new Map(above.map((item) => [item.identity, item])),
    repliesTo: Map.groupBy(below, ({ reply }) => reply ?? ""),
    partsOf: Map.groupBy(select(first("part_of", "identity"), keys(identities)), ({ part }) => part ?? ""),
  };
}

const replies: Relation = (item, _select, add, ties) => {
  if (item.reply !== null) {
    const parent = ties.byIdentity.get(item.reply);
    if (parent) add("reply_to", item.id, parent.id);
    for (const sibling of ties.repliesTo.get(item.reply) ?? []) add("same_round", item.id, sibling.id);
  }
  for (const answer of ties.repliesTo.get(item.identity) ?? []) add("reply_to", answer.id, item.id);
};

const parts: Relation = (item, _select, add, ties) => {
  const whole = item.part === null ? undefined : ties.byIdentity.get(item.part);
  if (whole) add("attachment_of", item.id, whole.id);
  for (const part of ties.partsOf.get(item.identity) ?? []) add("attachment_of", part.id, item.id);
};

const turns: Relation = (item, _select, add, ties) => {
  for (const next of ties.beside.get(item.id) ?? []) {
    const gap = Math.abs((next.moment ?? 0) - (item.moment ?? 0));
    if (item.kind !== "email" && gap > turnGap) continue;
    const burst = item.kind === "message" && gap <= burstGap && item.author !== null && item.author === next.author;
    add(burst ? "same_round" : "consecutive_turn", item.id, next.id);
  }
};

const threads: Relation = (item, select, add) => {
  if (item.thread === null || item.moment === null) return;
  const near = [
    ...select(
      `item i WHERE i.thread = ? AND i.moment > ? ORDER BY i.moment, i.identity LIMIT ${threadNeighbours}`,
      item.thread,
      item.moment,
    ),
    ...select(
      `item i WHERE i.thread = ? AND i.moment <= ? AND i.record_id <> ? ORDER BY i.moment DESC, i.identity LIMIT ${threadNeighbours}`,
      item.thread,
      item.moment,
      item.id,
    ),
  ];
  for (const member of near) add("same_thread", item.id, member.id);
};

const sameRecord: Relation = (item, select, add, ties) => {
  const shared = !ties.referring.has(item.id)
    ? []
    : select(
        `reference r JOIN reference o ON o.code = r.code AND o.record_id <> r.record_id
     JOIN item i ON i.record_id = o.record_id WHERE r.record_id = ?
     ORDER BY abs(coalesce(i.moment, 0) - ?), i.identity LIMIT ${perRelation}`,
        item.id,
        item.moment ?? 0,
      );
  for (const other of shared) add("same_record", item.id, other.id);
  if (item.subject === null || item.moment === null) return;
  const subject = select(
    `item i WHERE i.subject = ? AND i.moment BETWEEN ? AND ? AND i.record_id <> ?
     ORDER BY abs(i.moment - ?), i.identity LIMIT ${perRelation}`,
    item.subject,
    item.moment - subjectWindow,
    item.moment + subjectWindow,
    item.id,
    item.moment,
  );
  for (const other of subject) add("same_record", item.id, other.id);
};

/** Media 1 min – 1 h apart within 5 km, the nearest one before and the nearest one after: at most two a record. */
const bridges: Relation = (item, select, add) => {
  if (!isMedia(item) || item.moment === null || item.lat === null || item.lon === null) return;
  for (const kind of ["photo", "video"]) {
    const [after] = select(
      "item i WHERE i.kind = ? AND i.moment BETWEEN ? AND ? AND i.lat IS NOT NULL ORDER BY i.moment, i.identity LIMIT 1",
      kind,
      item.moment + bridge.least,
      item.moment + bridge.most,
    );
    const [before] = select(
      "item i WHERE i.kind = ? AND i.moment BETWEEN ? AND ? AND i.lat IS NOT NULL ORDER BY i.moment DESC, i.identity LIMIT 1",
      kind,
      item.moment - bridge.most,
      item.moment - bridge.least,
    );
    // Complementary media: a video and a picture tie from both sides, two pictures only from the earlier one.
    for (const other of kind === item.kind ? [after] : [before, after]) {
      if (other && distanceKm(item, other) <= bridge.km) add("event_bridge", item.id, other.id);
    }
  }
};

const places: Relation = (item, select, add) => {
  if (item.place === null || item.day === null || item.moment === null) return;
  const near = select(
    `item i WHERE i.place = ? AND i.moment BETWEEN ? AND ? AND i.record_id <> ?
     ORDER BY abs(i.moment - ?), i.identity LIMIT ${threadNeighbours}`,
    item.place,
    item.moment - 36 * 60 * minute,
    item.moment + 36 * 60 * minute,
    item.id,
    item.moment,
  );
  for (const other of near) add("same_place", item.id, other.id);
};

/** A text that names a day, and pictures of that day, when place or words agree. */
const grounding: Relation = (item, select, add, ties) => {
  if (tells(item)) {
    if (!ties.mentioning.has(item.id)) return;
    const pictures = select(
      `mention m JOIN item i ON i.day = m.day AND i.kind IN ('photo', 'video')
       WHERE m.record_id = ? ORDER BY i.moment, i.identity LIMIT ${groundingPictures}`,
      item.id,
    );
    for (const picture of pictures.filter((one) => agree(item, one)).slice(0, perRelation)) {
      add("record_grounding", item.id, picture.id);
    }
  } else if (isMedia(item) && item.day !== null) {
    const texts = select(
      `mention m JOIN item i ON i.record_id = m.record_id WHERE m.day = ? AND i.record_id <> ?
       ORDER BY i.moment, i.identity LIMIT ${groundingPictures}`,
      item.day,
      item.id,
    );
    for (const text of texts.filter((one) => tells(one) && agree(one, item)).slice(0, perRelation)) {
      add("record_grounding", text.id, item.id);
    }
  }
};

const relations: readonly Relation[] = [replies, parts, turns, threads, sameRecord, bridges, places, grounding];

function agree(text: Item, picture: Item): boolean {
  if (text.lat !== null && picture.lat !== null && distanceKm(text, picture) <= bridge.km) return true;
  const words = new Set(text.ground.split(" "));
  return picture.ground.split(" ").some((word) => word !== "" && words.has(word));
}

/** Equirectangular approximation; exact enough within tens of kilometres. */
function distanceKm(a: Item, b: Item): number {
  const [lat1, lon1, lat2, lon2] = [a.lat ?? 0, a.lon ?? 0, b.lat ?? 0, b.lon ?? 0];
  const radians = Math.PI / 180;
  const x = (lon2 - lon1) * radians * Math.cos(((lat1 + lat2) / 2) * radians);
  return Math.hypot(x, (lat2 - lat1) * radians) * 6_371;
}
