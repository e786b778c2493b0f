import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { mkdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type CatalogueModel, derivedBy } from "#models/catalogue.ts";
import { installModel } from "#models/fetcher.ts";
import { folderBytes, modelPlaces, readInstalled, removeModel } from "#models/installed.ts";
import { lockIsHeld, withLock } from "#models/lock.ts";
import type { Fetch } from "#models/sources/https.ts";
import { fetching } from "./fetching.ts";
import { startProxy } from "./proxy-server.ts";
import { noise, sha256, smallModel } from "./small-model.ts";

const { model, files, served } = smallModel();
const { place, base, install, reopen, expectInstalled } = fetching({ model, files, served });

describe("a hub that tells more about a file than we know", () => {
  /** The small model as a publisher describes it: about so large, no hash. */
  const unseen: CatalogueModel = {
    ...model,
    files: model.files.map(({ role, name, bytes }) => ({
      role,
      name,
      bytes: bytes + 100,
      sha256: null,
      verified: false,
    })),
    sources: model.sources.filter(({ kind }) => kind === "hub"),
  };
  const lfs = (bytes: Buffer) => ({ "x-linked-etag": `"${sha256(bytes)}"`, "x-linked-size": `${bytes.length}` });
  const inGit = (bytes: Buffer) => {
    const hash = createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
    return { etag: `"${hash}"`, "content-length": `${bytes.length}` };
  };
  const announce = (of: (name: string, bytes: Buffer) => Record<string, string>) => {
    for (const [path, bytes] of served) place.hub.announced.set(path, of(path, bytes));
  };

  it("is believed by its own hash, which is kept with the model", async () => {
    announce((path, bytes) => (path.endsWith("onnx") ? lfs(bytes) : inGit(bytes)));
    const installed = await install({ model: unseen });
    expect(installed).toMatchObject({ verified: false, source: "hub" });
    for (const file of installed.files) {
      expect(file).toMatchObject({ verified: false, sha256: sha256(files.get(file.name) ?? Buffer.alloc(0)) });
    }
    await expectInstalled();
    const weights = installed.files[0]?.sha256 ?? "";
    expect(derivedBy(unseen, weights)).toBe(`small-model@1+${weights.slice(0, 8)}`);
  });

  it("is refused when it tells no hash", async () => {
    await expect(install({ model: unseen })).rejects.toMatchObject({
      code: "model_download_failed",
      message: expect.stringContaining("no size and hash"),
    });
    expect(place.hub.requests.every(({ method }) => method === "HEAD")).toBe(true);
  });

  it("is refused when what it gives has another hash than it told", async () => {
    announce((path, bytes) => (path.endsWith("onnx") ? lfs(noise(bytes.length, 3)) : inGit(bytes)));
    await expect(install({ model: unseen, sources: ["hub"] })).rejects.toMatchObject({
      code: expect.stringMatching(/model_damaged|model_download_failed/),
    });
    expect(readInstalled(place.folder, unseen)).toBeNull();
  });

  it("is refused when the file is far larger than its publisher says", async () => {
    announce((_, bytes) => ({ ...lfs(bytes), "x-linked-size": "900000000" }));
    await expect(install({ model: unseen })).rejects.toThrow(/far larger/);
  });

  it("must give the hash that the publisher told, where we know that one", async () => {
    const published: CatalogueModel = {
      ...unseen,
      files: model.files.map((file) => ({ ...file, bytes: file.bytes + 100, verified: false as const })),
    };
    announce((_, bytes) => lfs(bytes));
    expect(await install({ model: published })).toMatchObject({ verified: false });
    await rm(join(place.folder, model.id), { recursive: true });
    announce((_, bytes) => lfs(noise(bytes.length, 3)));
    await expect(install({ model: published })).rejects.toThrow(/another file by now/);
  });

  it("cannot be stood in for by files brought by hand, which nothing could be compared with", async () => {
    await expect(install({ model: unseen, from: place.folder })).rejects.toMatchObject({ code: "model_unsupported" });
  });
});

describe("the way to a hub", () => {
  it("leads through a proxy by a tunnel", async () => {
    const proxy = await startProxy(Number(new URL(place.hub.base).port));
    try {
      await install({ hubBase: "http://hub.invalid", hub: { mirror: null, proxy: proxy.url } });
      await expectInstalled();
      expect(proxy.tunnels.length).toBeGreaterThan(0);
      const credentials = `Basic ${Buffer.from("ada:s ecret").toString("base64")}`;
      for (const tunnel of proxy.tunnels) expect(tunnel).toEqual({ target: "hub.invalid:80", credentials });
    } finally {
      await proxy.close();
    }
  });

  it("goes on through a proxy where a cut connection stopped", async () => {
    const proxy = await startProxy(Number(new URL(place.hub.base).port));
    place.hub.faults.push("cut");
    try {
      await install({ hubBase: "http://hub.invalid", hub: { mirror: null, proxy: proxy.url } });
      await expectInstalled();
      expect(place.hub.requests[1]?.range).toMatch(/^bytes=/);
    } finally {
      await proxy.close();
    }
  });

  it("says that the proxy refuses", async () => {
    const proxy = await startProxy(1, { refuse: true });
    try {
      const hubBase = "http://hub.invalid";
      await expect(install({ hubBase, hub: { mirror: null, proxy: proxy.url } })).rejects.toThrow(/proxy answered 407/);
    } finally {
      await proxy.close();
    }
  });

  it("leads to a mirror instead of the hub that it stands for, and to no other", async () => {
    const options = { hubBase: undefined, hub: { mirror: `${place.hub.base}/`, proxy: null } };
    const mirrored = model.sources.map((one) =>
      one.kind === "hub" ? { ...one, base: "https://huggingface.co" } : one,
    );
    const { hubBase: _, ...rest } = { ...base(), ...options };
    await installModel({ ...rest, model: { ...model, sources: mirrored } });
    await expectInstalled();
  });

  it("is tried once when nothing answers there, and the reason is named", async () => {
    const closed = place.hub.base;
    await place.hub.close();
    let tries = 0;
    const counted: Fetch = (url, init) => {
      tries++;
      return fetch(url, init);
    };
    const notes: string[] = [];
    const failing = install({
      hubBase: closed,
      fetch: counted,
      pauses: [60_000],
      onProgress: ({ note }) => notes.push(note),
    });
    await expect(failing).rejects.toThrow(/Test hub: the connection was refused/);
    expect(tries).toBe(1);
    expect(notes).toEqual(["Test hub: the connection was refused"]);
    await reopen();
  });

  it("is not waited for on a machine without a network", { timeout: 30_000 }, async (context) => {
    const isolate = ["--map-root-user", "--net"];
    if (process.platform !== "linux" || spawnSync("unshare", [...isolate, "true"]).status !== 0) {
      return context.skip("this system cannot take the network away from a process (unshare)");
    }
    const script = fileURLToPath(new URL("./install-child.ts", import.meta.url));
    const child = spawnSync("unshare", [...isolate, process.execPath, script, place.folder, "https://hub.invalid"]);
    expect(child.status).not.toBe(0);
    expect(child.stderr.toString()).toMatch(/Test hub: its address is not known \(no network\?\)/);
  });
});

describe("a disk", () => {
  it("that is too small is said so before anything is fetched, and one that fills up on the way leaves nothing installed", async (context) => {
    const disk = join(place.folder, "disk");
    await mkdir(disk);
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=72m", "tmpfs", disk]).status === 0;
    if (!mounted) return context.skip("no small disk can be made here (mount)");
    try {
      const filler = join(disk, "filler");
      const fill = (left: number) => {
        const { bavail, bsize } = statfsSync(disk);
        writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - left)));
      };
      fill(1_000_000);
      await expect(install({ folder: disk })).rejects.toMatchObject({ code: "disk_full" });
      expect(place.hub.requests).toEqual([]);
      rmSync(filler);
      const filling = install({ folder: disk, onProgress: () => existsSync(filler) || fill(0) });
      await expect(filling).rejects.toMatchObject({ code: "disk_full", hint: expect.stringContaining("kept") });
      expect(readInstalled(disk, model)).toBeNull();
      rmSync(filler);
      await install({ folder: disk });
      expect(readInstalled(disk, model)?.verified).toBe(true);
    } finally {
      spawnSync("umount", [disk]);
    }
  });
});

describe("the lock of a model", () => {
  const lock = () => join(place.folder, ".x.lock");

  it.each([
    ["the past", -1e9],
    ["the future", 1e9],
  ])("is held by a living process although its time lies far in %s", async (_, off) => {
    await writeFile(lock(), String(process.pid));
    const time = Date.now() / 1000 + off / 1000;
    await utimes(lock(), time, time);
    expect(lockIsHeld(lock())).toBe(true);
  });

  it("is free when its holder is gone, whatever its time", async () => {
    const child = spawn(process.execPath, ["-e", ""]);
    await new Promise((resolve) => child.once("exit", resolve));
    await writeFile(lock(), String(child.pid));
    expect(lockIsHeld(lock())).toBe(false);
    expect(await withLock(lock(), undefined, async () => "done")).toBe("done");
  });
});

describe("removing a model", () => {
  it("frees its space with all that was unfinished or set aside, and says how much", async () => {
    // No catalogue entry is as small as a test wants it: what counts is what lies in its places.
    const id = "minilm-l6-v2-int8";
    const { home, staging, quarantine } = modelPlaces(place.folder, id);
    for (const part of [home, staging, quarantine]) {
      await mkdir(part, { recursive: true });
      await writeFile(join(part, "file"), noise(1_000, 1));
    }
    expect(await removeModel({ id, folder: place.folder })).toEqual({ freedBytes: 3_000 });
    expect(await folderBytes(place.folder)).toBe(0);
  });
});
