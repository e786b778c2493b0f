import { column, perState } from "#native/sqlite.ts";

/** SQLite's counter of other connections' commits: while it stands nothing has changed. */
export const dataVersion = perState(
  (db) => db.query("PRAGMA data_version", (row) => column.number(row, "data_version")).get() ?? -1,
);
