import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type ArchiveStatus, type ImportPlan, UnderstoryError } from "#contract";
import { type CommonOptions, runImport, withArchive } from "./context.ts";
import { purposeText } from "./model-commands.ts";
import { bytesText, count, type ExitCode, exitCodes, jsonLine, plain } from "./output.ts";
import { needPassphrase } from "./passphrase.ts";

/** Commands about the archive as a whole: making, filling, looking at its state, its audit log. */

export async function init(options: CommonOptions & { name: string }): Promise<ExitCode> {
  return await withArchive(options, "closed", async ({ client, print }) => {
    const { state, path } = await client.call("archive.status", {});
    if (state !== "none") {
      throw new UnderstoryError("archive_exists", `There is an archive at ${path} already.`, {
        hint: "It is not touched. For a second one: --archive DIR.",
        details: { path },
      });
    }
    const passphrase = await needPassphrase(options, { twice: true });
    const { recoveryCode } = await client.call("archive.create", { name: options.name, passphrase });
    print({ path, name: options.name, recoveryCode }, () => [
      `Your archive is at ${path}`,
      "",
      `  Recovery code: ${recoveryCode}`,
      "",
      "Write it down and keep it apart from this machine. It is shown this once; it opens the archive if the passphrase is lost.",
      "Next: understory import FOLDER",
    ]);
    return exitCodes.ok;
  });
}

export async function importPaths(
  paths: readonly string[],
  options: CommonOptions & { dryRun?: true; later?: true; zone?: string },
): Promise<ExitCode> {
  const places = paths.map((path) => resolve(path));
  return await withArchive(options, "open", async (context) => {
    const { client, print } = context;
    if (options.dryRun) {
      const plan = await client.call("imports.plan", { paths: places });
      print({ plan }, () => [
        ...plan.sources.map(
          (one) => `${plain(one.title)}  ${plain(one.label)}  ${count(one.files, "file")}, ${bytesText(one.bytes)}`,
        ),
        ...plan.skipped.map((one) => `Left out: ${count(one.files, "file")}. ${plain(one.reason)}`),
        ...plan.warnings.map(plain),
        ...(plan.zoneQuestion === null ? [] : [zoneLine(plan.zoneQuestion)]),
      ]);
      return plan.sources.length > 0 ? exitCodes.ok : exitCodes.nothingFound;
    }
    const { zone } = options;
    const { plan, run } = await runImport(context, places, {
      rest: options.later !== true,
      ...(zone === undefined ? {} : { zone }),
    });
    const { counts } = run;
    const failed = await client.call("imports.ledger", { importId: run.id, status: "failed", limit: 20 });
    print({ run }, () => [
      `${count(counts.imported, "new record")}, ${counts.updated} updated, ${counts.duplicate} already there.`,
      `${count(counts.files, "file")}: ${counts.skippedFiles} skipped, ${counts.failedFiles} failed.`,
      ...failed.rows.map((row) => `  ${plain(row.path)}: ${plain(row.reason ?? "failed")}`),
    ]);
    return plan.sources.length > 0 ? exitCodes.ok : exitCodes.nothingFound;
  });
}

function zoneLine({ sources, guess, basis }: NonNullable<ImportPlan["zoneQuestion"]>): string {
  const why = basis === "archive" ? "as most of this archive says" : "the zone of this machine";
  return `Without a time zone: ${sources.map(plain).join(", ")}. Name one with --zone, perhaps ${guess} (${why}).`;
}

export async function status(options: CommonOptions): Promise<ExitCode> {
  return await withArchive(options, "open-if-given", async ({ client, print }) => {
    const found = await client.call("archive.status", {});
    const { counts, indexes } = found;
    print(found, () => {
      if (found.state === "none") return [`No archive at ${found.path}. Make one with: understory init`];
      const lines = [`${plain(found.name ?? "Archive")} at ${found.path}: ${found.state}`];
      if (counts) {
        lines.push(
          `${count(counts.records, "record")}, ${counts.trashed} in the trash, ${counts.people} people`,
          ...Object.entries(counts.byKind).map(([kind, n]) => `  ${kind.padEnd(12)} ${n}`),
        );
        if (counts.firstDay) lines.push(`From ${counts.firstDay} to ${counts.lastDay}`);
      }
      if (indexes) {
        lines.push(
          `Search by words: ${indexes.text.done} done, ${indexes.text.pending} to go, ${indexes.text.failed} failed`,
          indexes.vectors.model === null
            ? "Search by meaning: no model installed (understory models install)"
            : `Search by meaning: ${indexes.vectors.done} done, ${indexes.vectors.pending} to go, ${indexes.vectors.failed} failed`,
          ...viewLines(indexes.views),
        );
      }
      return lines;
    });
    return exitCodes.ok;
  });
}

/** How far the views of every other model have come; purposes without a model are left out. */
function viewLines(views: NonNullable<ArchiveStatus["indexes"]>["views"]): string[] {
  return views
    .filter(({ purpose, model }) => purpose !== "text-embedding" && model !== null)
    .map(({ purpose, model, done, pending, failed }) => {
      const about = purposeText[purpose];
      const name = about.charAt(0).toUpperCase() + about.slice(1);
      return `${name}: ${done} done, ${pending} to go, ${failed} failed (${model})`;
    });
}

export async function auditList(options: CommonOptions & { limit: number; action?: string }): Promise<ExitCode> {
  return await withArchive(options, "open", async ({ client, print }) => {
    const { limit, action } = options;
    const found = await client.call("audit.list", { limit, ...(action === undefined ? {} : { action }) });
    print(found, () => found.rows.map((row) => `${row.seq}  ${row.at}  ${row.action}  ${jsonLine(row.details)}`));
    return found.rows.length > 0 ? exitCodes.ok : exitCodes.nothingFound;
  });
}

export async function auditVerify(options: CommonOptions): Promise<ExitCode> {
  return await withArchive(options, "open", async ({ client, print }) => {
    const found = await client.call("audit.verify", {});
    print(found, () => [
      found.ok
        ? `The audit log is whole: ${count(found.rows, "row")}, each sealed by the next.`
        : `The audit log was changed: row ${found.firstBad} does not fit to the one before it.`,
    ]);
    return found.ok ? exitCodes.ok : exitCodes.failed;
  });
}

export async function auditExport(file: string | undefined, options: CommonOptions): Promise<ExitCode> {
  return await withArchive(options, "open", async ({ client, print }) => {
    const { jsonl } = await client.call("audit.export", {});
    if (file === undefined) {
      process.stdout.write(jsonl);
      return exitCodes.ok;
    }
    await writeFile(file, jsonl, { flag: "wx" }).catch((cause: unknown) => {
      const there = cause instanceof Error && "code" in cause && cause.code === "EEXIST";
      throw new UnderstoryError("not_writable", `${file} ${there ? "is there already" : "cannot be written"}.`, {
        hint: "Nothing was overwritten. Choose another name.",
        details: { path: file },
        cause,
      });
    });
    print({ file, rows: jsonl.split("\n").length - 1 }, () => [`Written to ${file}`]);
    return exitCodes.ok;
  });
}
