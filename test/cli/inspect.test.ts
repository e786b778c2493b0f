import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeMail } from "./mail.ts";
import { understory } from "./run.ts";

let place: string;
let scratch: string;
let mail: string;
const inspect = (...args: string[]) =>
  understory(["inspect", ...args], {
    TMPDIR: scratch,
    TMP: scratch,
    TEMP: scratch,
    UNDERSTORY_ARCHIVE: join(place, "own"),
  });

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "understory-cli-"));
  scratch = join(place, "scratch");
  await mkdir(scratch);
  mail = await writeMail(place);
});
afterAll(() => rm(place, { recursive: true, force: true, maxRetries: 3 }));

describe("inspect", { timeout: 120_000 }, () => {
  it("prints the records at the end and the last import's ledger as JSON Lines, and leaves nothing behind", async () => {
    const { code, stdout } = await inspect(mail, mail, "--json");
    expect(code).toBe(0);
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.filter((line) => line.type === "record").map((line) => line.id)).toEqual([
      "m1@example.org",
      "m2@example.org",
      "m3@example.org",
    ]);
    const files = new Map(lines.filter((line) => line.type === "file").map((line) => [line.path, line.status]));
    expect(files.get("Inbox.mbox")).toBe("duplicate");
    expect(["failed", "skipped"]).toContain(files.get("broken.zip"));
    expect(await readdir(scratch)).toEqual([]);
    expect(await readdir(place)).not.toContain("own");
  });

  it("fails in plain words for a folder that is not there, and leaves nothing behind", async () => {
    const { code, stdout, stderr } = await inspect(join(place, "nowhere"));
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("path_missing");
    expect(await readdir(scratch)).toEqual([]);
  });
});
