import { column, type SqlRow } from "#native/sqlite.ts";
import type { ViewName } from "./ports.ts";

export const viewNames: readonly ViewName[] = ["text", "subject", "attachment", "ocr", "tags", "metadata", "picture"];

export const viewOf = (row: SqlRow): ViewName => {
  const view = column.text(row, "view");
  return viewNames.find((name) => name === view) ?? "text";
};
