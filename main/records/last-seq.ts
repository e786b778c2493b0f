import { column, perState } from "#native/sqlite.ts";

/** The last step of the change log. */
export const lastSeqOf = perState(
  (db) => db.query("SELECT coalesce(max(seq), 0) AS seq FROM change", (row) => column.number(row, "seq")).get() ?? 0,
);
