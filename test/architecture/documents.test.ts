import { existsSync, readdirSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { importsOf, read, rooms, root, sourcesOf } from "./sources.ts";

/** Rows of the Markdown table under a heading, as trimmed cells; the header and the rule are left out. */
function tableUnder(document: string, heading: string): string[][] {
  const section = read(document).split(`## ${heading}`)[1]?.split("\n## ")[0] ?? "";
  return section
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const codes = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");

describe("ARCHITECTURE.md is true", () => {
  const rows = tableUnder("ARCHITECTURE.md", "Where a concept lives");

  test("the table is there", () => expect(rows.length).toBeGreaterThan(15));

  test.each(rows)("%s: its place exists and its names are exported there", (_concept, place = "", names = "") => {
    const path = codes(place)[0] ?? "";
    expect(existsSync(join(root, path)), path).toBe(true);
    const top = path.split("/")[0] ?? "";
    const text = sourcesOf(top)
      .filter((file) => file === path || file.startsWith(path.endsWith("/") ? path : `${path}/`))
      .map(read)
      .join("\n");
    const missing = codes(names).filter(
      (name) => !new RegExp(`export (async )?(function\\*?|const|class|interface|type) ${name}\\b`).test(text),
    );
    expect(missing).toEqual([]);
  });

  test("every room of the core is in the table", () => {
    const places = rows.map(([, place = ""]) => codes(place)[0] ?? "");
    const rooms = readdirSync(join(root, "main"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `main/${entry.name}/`);
    expect(rooms.filter((room) => !places.some((place) => place.startsWith(room)))).toEqual([]);
  });
});

describe("docs/dependencies.md is true", () => {
  const manifest: Record<string, Record<string, string>> = JSON.parse(read("package.json"));
  const named = (kind: string) => Object.keys(manifest[kind] ?? {});
  const rows = read("docs/dependencies.md")
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .flatMap((line) => codes(line.split("|")[1] ?? ""));

  test("every package has its reason", () => {
    const all = [...named("dependencies"), ...named("devDependencies"), ...named("optionalDependencies")];
    expect(all.filter((name) => !rows.includes(name) && !name.startsWith("@types/"))).toEqual([]);
  });

  test("no reason outlives its package", () => {
    const all = ["dependencies", "devDependencies", "optionalDependencies"].flatMap(named);
    expect(rows.filter((name) => !all.includes(name))).toEqual([]);
  });

  test("every package that the code imports is declared", () => {
    const declared = ["dependencies", "devDependencies", "optionalDependencies"].flatMap(named);
    const imported = rooms
      .flatMap(sourcesOf)
      .flatMap(importsOf)
      .filter(({ ours, target }) => !ours && !isBuiltin(target))
      .map(({ target }) => target);
    expect(new Set(imported).size).toBeGreaterThan(20);
    expect([...new Set(imported)].filter((name) => !declared.includes(name))).toEqual([]);
  });
});

describe("the top level is what it should be", () => {
  test("folders", () => {
    const folders = readdirSync(root, { withFileTypes: true })
      .filter(
        (entry) => entry.isDirectory() && !/^(\.git|node_modules|dist|release|coverage|\.cache)$/.test(entry.name),
      )
      .map((entry) => entry.name)
      .sort();
    expect(folders).toEqual([".ci", "docs", "electron", "main", "models", "native", "renderer", "test"]);
  });
});
