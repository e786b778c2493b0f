import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Entry } from "#main/importers/types.ts";

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "understory-ingest-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes files by their relative paths, `/` between. */
export function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  for (const [path, content] of Object.entries(files)) {
    const place = join(folder, ...path.split("/"));
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, content);
  }
  return folder;
}

export const folderWith = (files: Readonly<Record<string, string | Uint8Array>>): string =>
  writeFiles(temporaryFolder(), files);

export async function textOf(entry: Entry | undefined): Promise<string> {
  if (!entry) throw new Error("there is no such entry");
  return Buffer.from(await entry.readAll(1 << 30)).toString("utf8");
}
