import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  archiveStatusSchema,
  askResultSchema,
  auditRowSchema,
  errorShapeSchema,
  importRunSchema,
  modelStatusSchema,
  recordDetailSchema,
  searchResultSchema,
} from "#contract";
import { writeMail } from "./mail.ts";
import { startUnderstory, understory } from "./run.ts";

let place: string;
let mail: string;
const env = () => ({
  UNDERSTORY_ARCHIVE: join(place, "archive"),
  UNDERSTORY_PASSPHRASE: "seven quiet lanterns",
  UNDERSTORY_MODELS: join(place, "models"),
});
/** Runs a command with --json in the test's archive and parses what it prints. */
async function json(...args: string[]) {
  const ended = await understory([...args, "--json"], env());
  return { ...ended, value: ended.stdout === "" ? null : JSON.parse(ended.stdout) };
}

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "understory-cli-"));
  mail = await writeMail(place);
});
afterAll(() => rm(place, { recursive: true, force: true, maxRetries: 3 }));

describe("an archive on the command line", { timeout: 120_000 }, () => {
  it("is made once, and its recovery code is shown", async () => {
    expect(await json("search", "cake")).toMatchObject({ code: 1, stderr: expect.stringContaining("no_archive") });
    const made = await json("init", "--name", "Larks");
    expect(made).toMatchObject({ code: 0, value: { name: "Larks", recoveryCode: expect.any(String) } });
    const again = await json("init");
    expect(again.code).toBe(1);
    expect(errorShapeSchema.parse(JSON.parse(again.stderr).error).code).toBe("archive_exists");
  });

  it("takes in a folder", async () => {
    const { code, value } = await json("import", mail);
    expect(code).toBe(0);
    expect(importRunSchema.parse(value.run)).toMatchObject({ status: "done", counts: { imported: 3, files: 2 } });
  });

  it("finds, shows, deletes and takes back", async () => {
    const found = await json("search", "apple", "cake");
    const [hit] = searchResultSchema.parse(found.value).hits;
    expect(hit?.record.subject).toBe("Cake");
    const id = String(hit?.record.id);
    expect(recordDetailSchema.parse((await json("show", id)).value).record.nativeId).toBe("m2@example.org");
    expect((await json("delete", id)).code).toBe(0);
    expect((await json("search", "apple", "cake")).code).toBe(3);
    expect((await json("restore", id)).code).toBe(0);
  });

  it("undoes an import as a whole, once, and importing again brings it back", async () => {
    const [run] = importRunSchema.array().parse((await json("imports", "list")).value.runs);
    const id = String(run?.id);
    expect((await json("imports", "undo", id)).value).toMatchObject({ trash: 3, stay: 0 });
    expect((await json("search", "apple", "cake")).code).toBe(3);
    expect((await json("imports", "undo", id)).stderr).toContain("conflict");
    expect((await json("import", mail)).value).toMatchObject({ run: { counts: { imported: 3 } } });
    expect((await json("search", "apple", "cake")).code).toBe(0);
  });

  it("prints nothing that steers the terminal", async () => {
    const { stdout } = await understory(["search", "Escape"], env());
    expect(stdout).toContain("red.");
    expect(stdout).not.toContain("\u001b");
  });

  it("answers with records, and says when nothing is there", async () => {
    const { code, value } = await json("ask", "How much was the deposit for the boat house?");
    expect(askResultSchema.parse(value).claims[0]?.citations.length).toBeGreaterThan(0);
    expect(code).toBe(0);
    const nothing = await json("ask", "Who won the chess tournament in Reykjavik?");
    expect(nothing).toMatchObject({ code: 3, value: { outcome: "not_found" } });
  });

  it("keeps an audit log that can be checked and taken out", async () => {
    expect(await json("audit", "verify")).toMatchObject({ code: 0, value: { ok: true } });
    const file = join(place, "audit.jsonl");
    expect((await json("audit", "export", file)).code).toBe(0);
    const rows = (await readFile(file, "utf8")).trimEnd().split("\n");
    expect(rows.map((row) => auditRowSchema.parse(JSON.parse(row)).action)).toContain("record.trash");
  });

  it("lists models without a passphrase and fetches none without consent", async () => {
    const { stdout } = await understory(["models", "list", "--json"], { ...env(), UNDERSTORY_PASSPHRASE: "" });
    expect(modelStatusSchema.parse(JSON.parse(stdout).models[0]).state).toBe("absent");
    const refused = await json("models", "install");
    expect(refused.stderr).toContain("consent_required");
    for (const told of ["Licence", "Memory", "From"]) expect(refused.stderr).toContain(told);
    const table = (await understory(["models", "list"], { ...env(), UNDERSTORY_PASSPHRASE: "" })).stdout;
    expect(table).toMatch(/^PURPOSE +ID +SIZE +STATE/);
    expect(table).toMatch(/^search by meaning +minilm-l6-v2-int8 +23 MB +absent +recommended$/m);
    expect((await json("models", "verify")).code).toBe(3);
    expect((await json("models", "bench", "minilm-l6-v2-int8")).stderr).toContain("model_missing");
  });

  it("stays shut to a wrong passphrase, and to none; a file can hold it", async () => {
    const wrong = await understory(["search", "cake"], { ...env(), UNDERSTORY_PASSPHRASE: "no" });
    expect(wrong).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("wrong_passphrase") });
    const { UNDERSTORY_PASSPHRASE: passphrase, ...without } = env();
    expect((await understory(["search", "cake"], without)).stderr).toContain("--passphrase-file");
    await writeFile(join(place, "secret"), `${passphrase}\n`);
    const opened = await understory(["status", "--json", "--passphrase-file", join(place, "secret")], without);
    expect(archiveStatusSchema.parse(JSON.parse(opened.stdout))).toMatchObject({
      state: "open",
      counts: { records: 3 },
    });
  });
});

describe("serve", { timeout: 120_000 }, () => {
  it("prints a link that lets one browser in, and ends on a signal", async (context) => {
    if (!existsSync(new URL("../../dist/renderer/index.html", import.meta.url)))
      return context.skip("the window is not built (npx vite build)");
    const child = startUnderstory(["serve", "--json"], env());
    try {
      const [line] = await once(child.stdout.setEncoding("utf8"), "data");
      const { url, origin } = JSON.parse(String(line));
      const first = await fetch(url, { redirect: "manual" });
      expect(first.status).toBe(303);
      expect((await fetch(url, { redirect: "manual" })).status).toBe(403);
      expect((await fetch(origin)).status).toBe(403);
    } finally {
      child.kill("SIGTERM");
    }
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
  });
});
