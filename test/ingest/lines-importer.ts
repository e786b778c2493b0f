import { existsSync, writeFileSync } from "node:fs";
import type { ImportedRecord } from "#contract";
import type { Claim, Importer } from "#main/importers/types.ts";

/** A small honest importer for tests: a `.lines` file holds a record a line; a line may also ask for trouble. */

export function lineRecord(path: string, index: number, text: string): ImportedRecord {
  return {
    identity: `lines:${path}:${index}`,
    kind: "note",
    nativeId: `${index}`,
    subject: null,
    text,
    author: null,
    participants: [],
    time: null,
    end: null,
    place: null,
    container: null,
    thread: null,
    sequence: index,
    replyTo: null,
    partOf: null,
    files: [{ path, offset: null, bytes: null, role: null }],
    props: {},
  };
}

const never = () => new Promise<never>(() => undefined);

async function trouble(line: string): Promise<void> {
  const [kind, marker] = line.split(" ");
  if (kind === "!throw") throw new Error("this line cannot be read");
  if (kind === "!wait") await never();
  if (kind === "!exit") process.exit(1);
  if (kind === "!exit-once" && marker !== undefined && !existsSync(marker)) {
    writeFileSync(marker, "");
    process.exit(1);
  }
  while (kind === "!hang");
}

export const linesImporter: Importer = {
  id: "lines",
  title: "Lines",
  order: 50,
  async *recognise(free) {
    for (const entry of free.entries) {
      if (!entry.name.endsWith(".lines")) continue;
      const folder = entry.path.slice(0, Math.max(0, entry.path.lastIndexOf("/")));
      const companions = free.inFolder(folder).filter(({ name }) => name.endsWith(".media"));
      const claim: Claim = {
        primary: entry.path,
        companions: companions.map(({ path }) => path),
        label: entry.name,
        confidence: 2,
      };
      yield claim;
    }
  },
  async *read(claim, { tree, resume }) {
    const entry = tree.get(claim.primary);
    if (!entry) return;
    const lines = Buffer.from(await entry.readAll(1e8))
      .toString("utf8")
      .split("\n");
    for (let index = typeof resume === "number" ? resume + 1 : 0; index < lines.length; index++) {
      const line = lines[index] ?? "";
      if (line === "") continue;
      if (line.startsWith("!")) await trouble(line);
      const record = lineRecord(claim.primary, index, line);
      yield { type: "record", record: line === "!faulty" ? { ...record, identity: "" } : record, cursor: index };
      if (line.startsWith("media ")) {
        const path = line.slice(6);
        yield { type: "file", path, status: "skipped", reason: "It is only looked at.", skipped: 0 };
      }
    }
    yield { type: "file", path: claim.primary, status: "imported", reason: null, skipped: 0 };
  },
};
