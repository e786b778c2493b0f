import { describe, expect, test } from "vitest";
import { importsOf, read, rooms, sourcesOf } from "./sources.ts";

/**
 * Who may import whom, type-only imports included. The longest prefix of a file's path gives its row; a target is
 * allowed when it begins with the file's own row or with one of those named. Data flows one way: importer → records →
 * views and indexes → query → contract → window.
 */
const allowed: Readonly<Record<string, readonly string[]>> = {
  "main/contract/": [],
  "main/rpc/": ["main/contract/"],
  "main/importers/": ["main/contract/", "native/images.ts"],
  "main/importers/bookmarks/": ["main/contract/", "main/importers/", "native/foreign-sqlite.ts"],
  "main/importers/imessage/": ["main/contract/", "main/importers/", "native/foreign-sqlite.ts"],
  "main/documents/": ["main/contract/", "main/importers/types.ts", "main/importers/text/"],
  "main/records/": ["main/contract/", "main/importers/types.ts", "native/sqlite.ts"],
  "main/views/": ["main/contract/"],
  "main/indexes/": ["main/contract/", "main/records/ports.ts", "main/views/", "native/sqlite.ts"],
  "main/query/": ["main/contract/", "main/llm/", "main/records/ports.ts", "main/indexes/ports.ts", "main/views/"],
  "main/jobs/": ["main/contract/"],
  "main/ingest/": ["main/contract/", "main/importers/", "main/records/ports.ts", "main/jobs/"],
  "main/sample/": ["main/contract/", "native/images.ts", "native/rasterise.ts"],
  "main/inference/": ["main/contract/", "main/llm/ports.ts", "main/workers/", "models/", "native/raster.ts"],
  "main/llm/": ["main/contract/"],
  "main/workers/": ["main/", "native/", "models/"],
  "main/host/": [
    "main/contract/",
    "main/rpc/",
    "main/app.ts",
    "main/app/places.ts",
    "main/ingest/neutral.ts",
    "models/bench.ts",
    "models/installed.ts",
  ],
  "main/app/": ["main/", "native/resolve.ts", "native/raster.ts", "models/"],
  "main/app.ts": ["main/", "native/resolve.ts", "models/"],
  "models/": ["main/contract/", "native/"],
  "native/": ["main/contract/"],
  "electron/": ["main/contract/", "main/rpc/"],
  "renderer/": ["main/contract/", "main/rpc/"],
};

/** Packages that load native code, and electron: each behind one wall. */
const walled: Readonly<Record<string, RegExp>> = {
  "better-sqlite3-multiple-ciphers": /^native\//,
  "sqlite-vec": /^native\//,
  "onnxruntime-node": /^native\//,
  "@huggingface/transformers": /^native\//,
  "node-llama-cpp": /^native\//,
  sharp: /^native\//,
  "heic-decode": /^native\//,
  electron: /^electron\/(main|preload)\.ts$/,
};

const sources = rooms.filter((room) => room !== "test").flatMap(sourcesOf);
const rowOf = (path: string): string | undefined =>
  Object.keys(allowed)
    .filter((prefix) => path.startsWith(prefix))
    .sort((a, b) => b.length - a.length)[0];

describe("rooms keep their walls", () => {
  test("every source file belongs to a room with a rule", () => {
    const homeless = sources.filter((path) => !path.startsWith("native/stubs/") && rowOf(path) === undefined);
    expect(homeless).toEqual([]);
  });

  test("a file imports only what its room may", () => {
    const wrong = sources.flatMap((path) => {
      const row = rowOf(path);
      if (row === undefined) return [];
      const may = [row, ...(allowed[row] ?? [])];
      return importsOf(path)
        .filter(({ ours, target }) => ours && !may.some((prefix) => target.startsWith(prefix)))
        .map(({ target }) => `${path} → ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  test("native modules and electron stand behind their wall", () => {
    const wrong = sources.flatMap((path) =>
      importsOf(path)
        .filter(({ ours, target }) => !ours && walled[target] !== undefined && !walled[target].test(path))
        .map(({ target }) => `${path} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test("query stages can reach no writer", () => {
    const wrong = sources.filter(
      (path) => path.startsWith("main/query/") && /\b(RecordWriter|IndexWriter)\b/.test(read(path)),
    );
    expect(wrong).toEqual([]);
  });
});

describe("files stay readable", () => {
  test("no default exports outside tool configs", () => {
    expect(sources.filter((path) => /^export default /m.test(read(path)))).toEqual([]);
  });

  test("a file over 400 lines says why at its top", () => {
    const long = sources.filter((path) => {
      const text = read(path);
      return text.split("\n").length > 400 && !/longer than|long because/i.test(text.slice(0, 800));
    });
    expect(long).toEqual([]);
  });

  test("no unchecked escape from the type system", () => {
    const loose = sources.filter((path) =>
      /\bas any\b|\S: any\b|<any>|\bas unknown as\b|@ts-ignore|@ts-expect-error/.test(read(path)),
    );
    expect(loose).toEqual([]);
  });
});
