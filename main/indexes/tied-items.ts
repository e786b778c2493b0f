import type { RecordId } from "#contract";
import { column, type Database, type SqlRow } from "#native/sqlite.ts";

/** What ties of records are read from, and what stands near them: statements for many records at a time. */

const minute = 60_000;
export const bridge = { least: minute, most: 60 * minute, km: 5 } as const;
const subjectWindow = 14 * 24 * 60 * minute;
const placeWindow = 36 * 60 * minute;
const threadNeighbours = 3;
export const perRelation = 6;

export interface Item {
  readonly id: RecordId;
  readonly kind: string;
  readonly identity: string;
  readonly reply: string | null;
  readonly part: string | null;
  readonly moment: number | null;
  readonly day: string | null;
  readonly author: string | null;
  readonly lat: number | null;
  readonly lon: number | null;
}

const columns = "i.record_id, i.kind, i.identity, i.reply_identity, i.part_of, i.moment, i.day, i.author, i.lat, i.lon";

function readItem(row: SqlRow): Item {
  return {
    id: column.number(row, "record_id"),
    kind: column.text(row, "kind"),
    identity: column.text(row, "identity"),
    reply: column.textOrNull(row, "reply_identity"),
    part: column.textOrNull(row, "part_of"),
    moment: column.numberOrNull(row, "moment"),
    day: column.textOrNull(row, "day"),
    author: column.textOrNull(row, "author"),
    lat: column.numberOrNull(row, "lat"),
    lon: column.numberOrNull(row, "lon"),
  };
}

/** An item with the ids of what stands near it, nearest first. */
export interface NearItem extends Item {
  readonly thread: readonly RecordId[];
  /** With one of its codes or its subject. */
  readonly same: readonly RecordId[];
  readonly place: readonly RecordId[];
  /** The media next before and after it that were taken somewhere. */
  readonly media: readonly RecordId[];
}

const ids = (from: string, id = "record_id") => `(SELECT group_concat(id) FROM (SELECT ${id} AS id FROM ${from}))`;
const nextOf = (kind: string, after: boolean) =>
  ids(
    `item WHERE kind = '${kind}' AND lat IS NOT NULL AND ${
      after
        ? `moment BETWEEN i.moment + ${bridge.least} AND i.moment + ${bridge.most} ORDER BY moment`
        : `moment BETWEEN i.moment - ${bridge.most} AND i.moment - ${bridge.least} ORDER BY moment DESC`
    }, identity LIMIT 1`,
  );
const media = [nextOf("photo", true), nextOf("photo", false), nextOf("video", true), nextOf("video", false)];
const around = (field: string, window: number, limit: number) =>
  ids(
    `item WHERE ${field} = i.${field} AND moment BETWEEN i.moment - ${window} AND i.moment + ${window} AND record_id <> i.record_id
     ORDER BY abs(moment - i.moment), identity LIMIT ${limit}`,
  );
const near = {
  later: ids(`item WHERE thread = i.thread AND moment > i.moment ORDER BY moment, identity LIMIT ${threadNeighbours}`),
  earlier: ids(
    `item WHERE thread = i.thread AND moment <= i.moment AND record_id <> i.record_id
     ORDER BY moment DESC, identity LIMIT ${threadNeighbours}`,
  ),
  code: ids(
    `reference r JOIN reference o ON o.code = r.code AND o.record_id <> r.record_id JOIN item x ON x.record_id = o.record_id
     WHERE r.record_id = i.record_id ORDER BY abs(coalesce(x.moment, 0) - coalesce(i.moment, 0)), x.identity LIMIT ${perRelation}`,
    "o.record_id",
  ),
  subject: around("subject", subjectWindow, perRelation),
  place: `CASE WHEN i.day IS NOT NULL THEN ${around("place", placeWindow, threadNeighbours)} END`,
  media: `CASE WHEN i.kind IN ('photo', 'video') AND i.lat IS NOT NULL AND i.lon IS NOT NULL THEN concat_ws(',', ${media.join(", ")}) END`,
} as const;
const nearColumns = Object.entries(near)
  .map(([name, sql]) => `${sql} AS near_${name}`)
  .join(", ");

function idsIn(row: SqlRow, name: keyof typeof near): RecordId[] {
  const list = column.textOrNull(row, `near_${name}`) ?? "";
  return list === "" ? [] : list.split(",").map(Number);
}

/** These records with what stands near each of them. */
export function nearItems(db: Database, asked: readonly RecordId[]): NearItem[] {
  return db
    .query(
      `SELECT ${columns}, ${nearColumns} FROM item i WHERE i.record_id IN (SELECT value FROM json_each(?))`,
      (row): NearItem => ({
        ...readItem(row),
        thread: [...idsIn(row, "later"), ...idsIn(row, "earlier")],
        same: [...idsIn(row, "code"), ...idsIn(row, "subject")],
        place: idsIn(row, "place"),
        media: idsIn(row, "media"),
      }),
    )
    .all(JSON.stringify(asked));
}

/** Some of these items, by id. */
export function itemsById(db: Database, asked: readonly RecordId[]): Map<RecordId, Item> {
  if (asked.length === 0) return new Map();
  const found = db
    .query(`SELECT ${columns} FROM item i WHERE i.record_id IN (SELECT value FROM json_each(?))`, readItem)
    .all(JSON.stringify(asked));
  return new Map(found.map((item) => [item.id, item]));
}

/** What replies and attachments point at, and what points at these records. */
export interface Pointers {
  readonly byIdentity: ReadonlyMap<string, Item>;
  readonly repliesTo: ReadonlyMap<string, readonly Item[]>;
  readonly partsOf: ReadonlyMap<string, readonly Item[]>;
}

export function pointersOf(db: Database, items: readonly Item[]): Pointers {
  const select = (from: string, some: readonly (string | null)[]) => {
    const keys = [...new Set(some.filter((one) => one !== null))];
    if (keys.length === 0) return [];
    return db.query(`SELECT ${columns} FROM ${from}`, readItem).all(JSON.stringify(keys));
  };
  const first = (by: "reply_identity" | "part_of", order: string) =>
    `(SELECT *, row_number() OVER (PARTITION BY ${by} ORDER BY ${order}) AS nth FROM item
      WHERE ${by} IN (SELECT value FROM json_each(?))) i WHERE i.nth <= ${perRelation} ORDER BY i.nth`;
  const identities = items.map(({ identity }) => identity);
  const above = select(
    "item i WHERE i.identity IN (SELECT value FROM json_each(?)) ORDER BY i.record_id DESC",
    items.flatMap(({ reply, part }) => [reply, part]),
  );
  const below = select(first("reply_identity", "moment, identity"), [
    ...identities,
    ...items.map(({ reply }) => reply),
  ]);
  return {
    byIdentity: new Map(above.map((item) => [item.identity, item])),
    repliesTo: Map.groupBy(below, ({ reply }) => reply ?? ""),
    partsOf: Map.groupBy(select(first("part_of", "identity"), identities), ({ part }) => part ?? ""),
  };
}
