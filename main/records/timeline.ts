import { type DayCount, type LibraryFilter, type RecordId, type RecordSummary, snippetOf } from "#contract";
import { column, type Database, type SqlRow, type SqlValue } from "#native/sqlite.ts";
import { lastSeqOf } from "./last-seq.ts";
import { memo } from "./memo.ts";
import type { RecordReader, StoreCounts } from "./ports.ts";
import { kind, place, time } from "./rows.ts";

/** The library: lists, days and counts of what is live. */

type TimelineMethods = "summaries" | "list" | "photos" | "days" | "counts" | "liveIds" | "live" | "inWindow";

export function timelineReader(
  db: Database,
  having: (ids: readonly RecordId[]) => Set<RecordId>,
): Pick<RecordReader, TimelineMethods> {
  const idOf = (row: SqlRow) => column.number(row, "id");
  const total = (row: SqlRow) => column.number(row, "total");
  const version = () => lastSeqOf(db);
  const totals = memo<number>(version);
  const dayCounts = memo<DayCount[]>(version);
  const countsOnce = memo<StoreCounts>(version);

  const summaryRows = db.query(
    `SELECT r.id, r.kind, r.source, r.subject, substr(r.text, 1, 600) AS start, coalesce(p.root_name, p.name) AS author, r.time,
       c.title AS container_title, r.place, r.width, r.height, r.attachments, r.trashed_at
     FROM record r LEFT JOIN person p ON p.id = r.author_id LEFT JOIN container c ON c.id = r.container_id
     WHERE r.id IN (SELECT value FROM json_each(?))`,
    summary,
  );
  const liveIds = db.query(
    "SELECT id FROM record NOT INDEXED WHERE id > ? AND trashed_at IS NULL ORDER BY id LIMIT ?",
    idOf,
  );
  const live = db.query(
    "SELECT id FROM record WHERE id IN (SELECT value FROM json_each(?)) AND trashed_at IS NULL",
    idOf,
  );
  const inWindow = db.query(
    "SELECT id FROM record WHERE trashed_at IS NULL AND local_day BETWEEN ? AND ? ORDER BY local_day DESC, sort_at LIMIT ?",
    idOf,
  );
  const photos = db.query(
    `SELECT id FROM record WHERE is_part = 0 AND trashed_at IS NULL AND kind = 'photo' AND local_day >= ? AND local_day <= ?
     ORDER BY local_day DESC, sort_at, container_id, sequence LIMIT ?`,
    idOf,
  );
  const byKind = db.query(
    "SELECT kind, count(*) AS total FROM record WHERE trashed_at IS NULL GROUP BY kind ORDER BY kind",
    (row) => ({ kind: column.text(row, "kind"), total: total(row) }),
  );
  const trashed = db.query("SELECT count(*) AS total FROM record WHERE trashed_at IS NOT NULL", total);
  const peopleCount = db.query("SELECT count(*) AS total FROM person", total);
  const day = (row: SqlRow) => column.textOrNull(row, "day");
  const firstDay = db.query("SELECT min(local_day) AS day FROM record WHERE trashed_at IS NULL", day);
  const lastDay = db.query("SELECT max(local_day) AS day FROM record WHERE trashed_at IS NULL", day);

  function summaries(ids: readonly RecordId[]): RecordSummary[] {
    if (ids.length === 0) return [];
    const pictures = having(ids);
    const byId = new Map(summaryRows.all(JSON.stringify(ids)).map((one) => [one.id, one]));
    return ids.flatMap((id) => {
      const found = byId.get(id);
      return found ? [{ ...found, hasThumbnail: pictures.has(id) }] : [];
    });
  }

  return {
    summaries,

    list(filter, offset, limit) {
      const { where, params } = condition(filter);
      const ids = db
        .query(
          `SELECT id FROM record WHERE ${where}
           ORDER BY local_day DESC, sort_at, container_id, sequence LIMIT ? OFFSET ?`,
          idOf,
        )
        .all(...params, limit, offset);
      const count = totals(
        JSON.stringify(filter),
        () => db.query(`SELECT count(*) AS total FROM record WHERE ${where}`, total).get(...params) ?? 0,
      );
      return { records: summaries(ids), total: count };
    },

    days(filter) {
      const { where, params } = condition(filter);
      const query = db.query(
        `SELECT local_day AS day, count(*) AS total FROM record WHERE ${where} GROUP BY local_day ORDER BY local_day DESC`,
        (row) => ({ day: day(row), count: total(row) }),
      );
      return dayCounts(JSON.stringify(filter), () => query.all(...params));
    },

    counts: () =>
      countsOnce("", (): StoreCounts => {
        const kinds = byKind.all();
        return {
          records: kinds.reduce((sum, one) => sum + one.total, 0),
          trashed: trashed.get() ?? 0,
          people: peopleCount.get() ?? 0,
          byKind: Object.fromEntries(kinds.map((one) => [one.kind, one.total])),
          firstDay: firstDay.get() ?? null,
          lastDay: lastDay.get() ?? null,
        };
      }),

    liveIds: (after, limit) => liveIds.all(after, limit),
    live: (ids) => new Set(live.all(JSON.stringify(ids))),
    photos: (from, to, limit) => photos.all(from, to, limit),
    inWindow: (from, to, limit) => inWindow.all(from, to, limit),
  };
}

function summary(row: SqlRow): Omit<RecordSummary, "hasThumbnail"> {
  const width = column.numberOrNull(row, "width");
  const height = column.numberOrNull(row, "height");
  return {
    id: column.number(row, "id"),
    kind: kind(row),
    source: column.text(row, "source"),
    subject: column.textOrNull(row, "subject"),
    snippet: snippetOf(column.textOrNull(row, "start") ?? ""),
    author: column.textOrNull(row, "author"),
    time: time(row, "time"),
    containerTitle: column.textOrNull(row, "container_title"),
    place: place(row),
    size: width === null || height === null ? null : { width, height },
    attachments: column.number(row, "attachments"),
    trashed: row.trashed_at !== null,
  };
}

/**
 * A filter as SQL over `record`. Everything it names and everything the timeline is ordered by stands in one index, so
 * that skipping to a far page reads no record. Several kinds are kept off their index (`+kind`): it has no common order.
 */
function condition(filter: LibraryFilter): { where: string; params: SqlValue[] } {
  const parts = ["is_part = 0", filter.trashed ? "trashed_at IS NOT NULL" : "trashed_at IS NULL"];
  const params: SqlValue[] = [];
  if (filter.kinds?.length === 1) {
    parts.push("kind = ?");
    params.push(filter.kinds[0] ?? null);
  } else if (filter.kinds && filter.kinds.length > 1) {
    parts.push("+kind IN (SELECT value FROM json_each(?))");
    params.push(JSON.stringify(filter.kinds));
  }
  if (filter.personId !== undefined) {
    parts.push(
      "id IN (SELECT record_id FROM record_person WHERE person_id IN (SELECT id FROM person WHERE id = ? OR root_id = ?))",
    );
    params.push(filter.personId, filter.personId);
  }
  if (filter.containerKey !== undefined) {
    parts.push("container_id = (SELECT id FROM container WHERE key = ?)");
    params.push(filter.containerKey);
  }
  if (filter.from !== undefined) {
    parts.push("local_day >= ?");
    params.push(filter.from);
  }
  if (filter.to !== undefined) {
    parts.push("local_day <= ?");
    params.push(filter.to);
  }
  return { where: parts.join(" AND "), params };
}
