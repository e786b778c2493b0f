import { describe, expect, it } from "vitest";
import { runCommandLine } from "#main/host/cli/program.ts";
import { understory } from "./run.ts";

const commands = [
  "init",
  "import",
  "inspect",
  "status",
  "search",
  "ask",
  "show",
  "delete",
  "restore",
  "serve",
  "start",
];
const inner = [
  "audit list",
  "audit verify",
  "audit export",
  "models list",
  "models install",
  "models remove",
  "models verify",
  "models bench",
];

/** Runs a command line in this process, for what never gets as far as an archive. */
async function run(args: readonly string[]) {
  let stdout = "";
  let stderr = "";
  const code = await runCommandLine(args, {
    writeOut: (text) => {
      stdout += text;
    },
    writeErr: (text) => {
      stderr += text;
    },
  });
  return { code, stdout, stderr };
}

describe("the program", () => {
  it("starts as a process of its own, quietly and with its exit codes", async () => {
    const [help, wrong] = await Promise.all([understory(["--help"]), understory(["fly"])]);
    expect(help).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("First steps") });
    expect(wrong).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("unknown command 'fly'") });
  });
});

describe("the command line", () => {
  it("names every command, the first steps and the exit codes in its help", async () => {
    const { code, stdout, stderr } = await run(["--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const name of [...commands, "audit", "models"]) expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, "m"));
    expect(stdout).toContain("understory init");
    expect(stdout).toContain("Exit codes: 0");
  });

  it.each([...commands, ...inner])("teaches %s by examples and offers --json", async (name) => {
    const { code, stdout } = await run([...name.split(" "), "--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`$ understory ${name}`);
    expect(stdout).toContain("--json");
    expect(stdout).not.toMatch(/--passphrase </);
  });

  it.each([
    ["no command", []],
    ["an unknown command", ["fly"]],
    ["an unknown option", ["status", "--fast"]],
    ["a missing argument", ["import"]],
    ["a record number that is none", ["show", "abc"]],
    ["a day that is none", ["search", "cake", "--from", "yesterday"]],
    ["a kind that is none", ["search", "cake", "--kind", "dream"]],
    ["a passphrase as an argument", ["status", "--passphrase", "secret"]],
  ])("refuses %s with exit code 2, on stderr", async (_, args) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/Usage|error/);
  });

  it("tells its version", async () => {
    expect((await run(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
