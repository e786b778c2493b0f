import { createRequire } from "node:module";
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { recordKinds, toErrorShape } from "#contract";
import { auditExport, auditList, auditVerify, importPaths, init, status } from "./archive-commands.ts";
import { importsList, importsUndo } from "./import-commands.ts";
import { inspect } from "./inspect.ts";
import { modelsBench, modelsInstall, modelsList, modelsRemove, modelsVerify } from "./model-commands.ts";
import { type ExitCode, errorText, exitCodes, jsonLine } from "./output.ts";
import { ask, remove, restore, search, show } from "./record-commands.ts";
import { serveWindow, start } from "./start.ts";

const manifest: { version: string } = createRequire(import.meta.url)("../../../package.json");

const recordId = (text: string): number => {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError("A record's number is a positive whole number.");
  return Number(text);
};
const recordIds = (text: string, before: number[] | undefined): number[] => [...(before ?? []), recordId(text)];
const day = (text: string): string => {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) throw new InvalidArgumentError("A day is written 2024-07-14.");
  return text;
};
const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`A whole number from ${least} to ${most}.`);
  };

const examples = (lines: readonly string[]) =>
  `\nExamples:\n${lines.map((line) => `  $ understory ${line}`).join("\n")}\n`;

const introduction = `
First steps:
  $ understory init                      make an archive (asks for a passphrase)
  $ understory import ~/Mail ~/Pictures  read folders, mailboxes, chat exports, zips; nothing is changed there
  $ understory models install --yes      also find by meaning, not by words alone
  $ understory ask "When did we move to Lisbon?"
  $ understory start                     the window

The archive lies at --archive DIR, else UNDERSTORY_ARCHIVE, else in your folder for data of programs.
The passphrase comes from --passphrase-file, else UNDERSTORY_PASSPHRASE, else it is asked for; it is never an argument.
With --json a command prints one line of JSON on stdout. Progress and errors go to stderr.
Exit codes: 0 done, 1 it did not work (the error has a code), 2 wrong use, 3 nothing found.
`;

/** Where help and complaints about wrong use go. */
export interface HelpOutput {
  readonly writeOut: (text: string) => void;
  readonly writeErr: (text: string) => void;
}

const terminal: HelpOutput = {
  writeOut: (text) => process.stdout.write(text),
  writeErr: (text) => process.stderr.write(text),
};

/** The command line. `finish` gets the exit code of the command that ran. */
function buildProgram(finish: (code: ExitCode) => void, output: HelpOutput): Command {
  const program = new Command("understory")
    .configureOutput(output)
    .description("Ask your own photos, mail and chats. Everything stays on this machine.")
    .addHelpText("after", introduction)
    .version(manifest.version, "-V, --version", "show the version")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [command]", "show help of a command")
    .showHelpAfterError("(understory --help shows how)")
    .exitOverride();

  /** A command with the options that all have. */
  const command = (parent: Command, name: string, about: string, shown: readonly string[]) =>
    parent
      .command(name)
      .description(about)
      .addHelpText("after", examples(shown))
      .addOption(new Option("--archive <dir>", "where the archive lies"))
      .addOption(new Option("--passphrase-file <file>", "file that holds the passphrase"))
      .addOption(new Option("--json", "print one line of JSON"));
  /** Runs a command's work and hands its exit code on. */
  const done =
    <A extends unknown[]>(work: (...args: A) => Promise<ExitCode>) =>
    async (...args: A): Promise<void> =>
      finish(await work(...args));

  command(program, "init", "make an archive and show its recovery code once", ["init", "init --name 'The Larsens'"])
    .addOption(new Option("--name <name>", "what the archive is called").default("My archive"))
    .action(done(init));
  command(program, "import", "read folders and files into the archive", [
    "import ~/Mail",
    "import takeout-001.zip takeout-002.zip",
    "import ~/Pictures --dry-run",
  ])
    .argument("<paths...>", "folders, files, zips")
    .option("--zone <zone>", "time zone of chats that carry none, such as Europe/Berlin")
    .option("--dry-run", "show what would be read, and read nothing")
    .option("--later", "leave search, vectors and thumbnails to the next start")
    .action(done(importPaths));
  command(program, "inspect", "read folders into a throwaway archive and print records and ledger as JSON Lines", [
    "inspect ~/export --json > records.jsonl",
    "inspect ~/export ~/export    (what a second import changes)",
  ])
    .argument("<folders...>", "imported one after the other")
    .action(done((folders: string[]) => inspect(folders)));
  command(program, "status", "show what is in the archive", ["status", "status --json"]).action(done(status));
  command(program, "search", "find records by words", [
    "search apple cake",
    "search invoice --kind email --from 2023-01-01 --to 2023-12-31",
  ])
    .argument("<words...>")
    .addOption(new Option("--kind <kind...>", "only these kinds").choices(recordKinds))
    .addOption(new Option("--from <day>", "first day").argParser(day))
    .addOption(new Option("--to <day>", "last day").argParser(day))
    .addOption(new Option("--limit <n>", "most records to show").argParser(wholeNumber(1, 200)).default(20))
    .action(done(search));
  command(program, "ask", "ask a question; the answer names its records", [
    'ask "Who came to the wedding?"',
    'ask "How much was the deposit?" --json',
    'ask "When did we move?" --explain',
  ])
    .argument("<question...>")
    .option("--explain", "show how the answer was found: plan, rounds, scores, evidence, what was left out")
    .action(done(ask));
  command(program, "show", "show one record", ["show 1204"])
    .addArgument(new Argument("<id>", "its number").argParser(recordId))
    .action(done(show));
  command(program, "delete", "move records to the trash", ["delete 1204 1205", "delete 1204 --now"])
    .addArgument(new Argument("<ids...>", "their numbers").argParser(recordIds))
    .option("--now", "delete for good at once, with all that was made from them")
    .action(done(remove));
  command(program, "restore", "take records back from the trash", ["restore 1204"])
    .addArgument(new Argument("<ids...>", "their numbers").argParser(recordIds))
    .action(done(restore));

  const imports = program.command("imports").description("imports that there were");
  command(imports, "list", "show them, the newest first", ["imports list"]).action(done(importsList));
  command(imports, "undo", "take one back as a whole: what no other import brought goes to the trash", [
    "imports undo 3",
  ])
    .addArgument(new Argument("<id>", "its number").argParser(recordId))
    .action(done(importsUndo));

  const audit = program.command("audit").description("the log of what was done to the archive; it holds no content");
  command(audit, "list", "show the newest rows", ["audit list", "audit list --action record.trash"])
    .addOption(new Option("--limit <n>", "most rows to show").argParser(wholeNumber(1, 500)).default(50))
    .addOption(new Option("--action <name>", "only this action"))
    .action(done(auditList));
  command(audit, "verify", "check that no row was changed or removed", ["audit verify"]).action(done(auditVerify));
  command(audit, "export", "write the log as JSON Lines", ["audit export audit.jsonl"])
    .argument("[file]", "stdout without it; a file that is there is not overwritten")
    .action(done(auditExport));

  const models = program.command("models").description("models that run on this machine");
  command(models, "list", "show models, what they are for and where they come from", ["models list"]).action(
    done(modelsList),
  );
  command(models, "install", "fetch a model and check it", [
    "models install --yes",
    "models install minilm-l6-v2-int8 --from ~/Downloads",
  ])
    .argument("[id]", "the recommended one without it")
    .option("--yes", "agree to the download")
    .option("--from <path>", "take it from this folder or file; no network")
    .action(done(modelsInstall));
  command(models, "remove", "remove a model and free its space", ["models remove minilm-l6-v2-int8"])
    .argument("<id>")
    .action(done(modelsRemove));
  command(models, "verify", "read installed models again and compare them with what was installed", [
    "models verify",
    "models verify pp-ocrv6-small",
  ])
    .argument("[id]", "every installed one without it")
    .action(done(modelsVerify));
  command(models, "bench", "measure an installed model on this machine", ["models bench minilm-l6-v2-int8"])
    .argument("<id>")
    .action(done(modelsBench));

  const port = () => new Option("--port <n>", "a fixed port").argParser(wholeNumber(1, 65_535));
  command(program, "serve", "serve the window on this machine and print a link that works once", ["serve"])
    .addOption(port())
    .action(done((options) => serveWindow(options, { open: false })));
  command(program, "start", "open Understory: its own window, or your browser", ["start"])
    .addOption(port())
    .action(done(start));
  return program;
}

/** Runs one command line (without node and script) and gives its exit code. Never throws. */
export async function runCommandLine(args: readonly string[], output: HelpOutput = terminal): Promise<ExitCode> {
  let code: ExitCode = exitCodes.ok;
  try {
    const program = buildProgram((result) => {
      code = result;
    }, output);
    if (args.length === 0) program.help({ error: true });
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    const shape = toErrorShape(error);
    output.writeErr(args.includes("--json") ? `${jsonLine({ error: shape })}\n` : errorText(shape));
    return shape.code === "nothing_to_import" ? exitCodes.nothingFound : exitCodes.failed;
  }
}
