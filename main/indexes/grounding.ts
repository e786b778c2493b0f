import type { RecordId } from "#contract";
import { column, type Database, type SqlRow, type SqlValue } from "#native/sqlite.ts";
import { distanceKm } from "./distance.ts";
import { bridge, type Item, perRelation } from "./tied-items.ts";

/** A text that names a day, and pictures of that day, when place or words agree. */

const groundingPictures = 60;
const telling: ReadonlySet<string> = new Set(["email", "message", "note", "event", "document"]);
const isMedia = (kind: string) => kind === "photo" || kind === "video";

interface Grounded extends Pick<Item, "id" | "kind" | "lat" | "lon"> {
  /** Words of places and things. */
  readonly ground: string;
}

const readGrounded = (row: SqlRow): Grounded => ({
  id: column.number(row, "record_id"),
  kind: column.text(row, "kind"),
  lat: column.numberOrNull(row, "lat"),
  lon: column.numberOrNull(row, "lon"),
  ground: column.text(row, "ground"),
});

/** A pair, and for which of the two it was found. */
export interface Grounding {
  readonly of: RecordId;
  readonly text: RecordId;
  readonly picture: RecordId;
}

/** Pairs of a text and a picture of which these records are one. */
export function groundings(db: Database, items: readonly Item[]): Grounding[] {
  const select = (from: string, ...params: SqlValue[]) =>
    db.query(`SELECT i.record_id, i.kind, i.lat, i.lon, i.ground FROM ${from}`, readGrounded).all(...params);
  const found: Grounding[] = [];
  const naming = items.filter(({ kind }) => telling.has(kind)).map(({ id }) => id);
  const texts = select(
    "item i WHERE i.record_id IN (SELECT record_id FROM mention WHERE record_id IN (SELECT value FROM json_each(?)))",
    JSON.stringify(naming),
  );
  for (const text of texts) {
    const pictures = select(
      `mention m JOIN item i ON i.day = m.day AND i.kind IN ('photo', 'video')
       WHERE m.record_id = ? ORDER BY i.moment, i.identity LIMIT ${groundingPictures}`,
      text.id,
    );
    for (const picture of pictures.filter((one) => agree(text, one)).slice(0, perRelation))
      found.push({ of: text.id, text: text.id, picture: picture.id });
  }
  const byDay = Map.groupBy(
    items.filter(({ kind, day }) => isMedia(kind) && day !== null),
    ({ day }) => day,
  );
  for (const [day, shown] of byDay) {
    // One more than counts: a picture may name its own day.
    const named = select(
      `mention m JOIN item i ON i.record_id = m.record_id WHERE m.day = ?
       ORDER BY i.moment, i.identity LIMIT ${groundingPictures + 1}`,
      day,
    );
    if (named.length === 0) continue;
    const list = JSON.stringify(shown.map(({ id }) => id));
    for (const picture of select("item i WHERE i.record_id IN (SELECT value FROM json_each(?))", list)) {
      const others = named.filter(({ id }) => id !== picture.id).slice(0, groundingPictures);
      const agreeing = others.filter((one) => telling.has(one.kind) && agree(one, picture));
      for (const text of agreeing.slice(0, perRelation))
        found.push({ of: picture.id, text: text.id, picture: picture.id });
    }
  }
  return found;
}

function agree(text: Grounded, picture: Grounded): boolean {
  if (text.lat !== null && picture.lat !== null && distanceKm(text, picture) <= bridge.km) return true;
  const words = new Set(text.ground.split(" "));
  return picture.ground.split(" ").some((word) => word !== "" && words.has(word));
}
