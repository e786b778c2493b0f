import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { importers } from "#main/importers/register.ts";
import { read } from "./sources.ts";

/** docs/sources/README.md against the register, so that the table cannot lag behind. */
const rows = read("docs/sources/README.md")
  .split("\n")
  .flatMap((line) => {
    const [, id, ...cells] = /^\| `([\w-]+)` \|(.*)\|$/.exec(line)?.flatMap((part) => part.split("|")) ?? [];
    return id === undefined ? [] : [{ id: id.trim().replaceAll("`", ""), cells: cells.map((cell) => cell.trim()) }];
  });

describe("the table of sources", () => {
  test("has one row for each importer, and no other", () => {
    expect(rows.map(({ id }) => id).sort()).toEqual(importers.map(({ id }) => id).sort());
  });

  test("every row names a page, what is read, tests that exist, and what real file was tried", () => {
    for (const { id, cells } of rows) {
      const [source, is, , tests, tried] = cells;
      const page = /\]\(([\w-]+\.md)\)/.exec(source ?? "")?.[1];
      expect(page !== undefined && existsSync(`docs/sources/${page}`), `page of ${id}`).toBe(true);
      expect(is, `what is read of ${id}`).not.toBe("");
      expect(tried, `real file of ${id}`).not.toBe("");
      const folders = [...(tests ?? "").matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");
      expect(folders.length > 0 && folders.every((folder) => existsSync(folder)), `tests of ${id}`).toBe(true);
    }
  });
});
