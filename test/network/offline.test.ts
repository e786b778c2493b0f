import { spawn, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { read, sourcesOf } from "#test/architecture/sources.ts";
import { linkModels, testModelId } from "#test/models/model-cache.ts";

const bin = fileURLToPath(new URL("../../main/host/bin.js", import.meta.url));

/** A network name space without any interface that is up: every outgoing connection is refused by the system itself. */
const isolate = ["unshare", "--map-root-user", "--net"];
const canIsolate = process.platform === "linux" && spawnSync("unshare", [...isolate.slice(1), "true"]).status === 0;

let place: string;
let models: string;

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "understory-offline-"));
  models = join(place, "models");
  await linkModels(models, [testModelId]);
  await mkdir(join(place, "in"));
  await writeFile(
    join(place, "in", "WhatsApp Chat with Juno.txt"),
    "12/03/2023, 19:04 - Juno: The boat house costs 420 euros for the weekend.\n13/03/2023, 08:11 - Nadia: I have paid the deposit.\n",
  );
  await writeFile(
    join(place, "in", "Inbox.mbox"),
    'From a@example.org Mon Mar 04 10:00:00 2019\nFrom: Ada <a@example.org>\nTo: Bo <b@example.org>\nDate: Mon, 04 Mar 2019 10:00:00 +0100\nMessage-ID: <m1@example.org>\nSubject: Lantern\nContent-Type: text/html\n\n<p>The lantern hangs in the boat house.<img src="https://tracker.example/pixel.gif"></p>\n\n',
  );
}, 120_000);
afterAll(() => rm(place, { recursive: true, force: true }));

/** Runs a command line of the product and gives what it prints as JSON. */
async function run(prefix: readonly string[], archive: string, args: readonly string[]): Promise<unknown> {
  const [command = "", ...rest] = [...prefix, process.execPath, bin, ...args, "--json", "--archive", archive];
  const child = spawn(command, rest, {
    env: { ...process.env, UNDERSTORY_PASSPHRASE: "seven quiet lanterns", UNDERSTORY_MODELS: models },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let faults = "";
  child.stdout.on("data", (data: Buffer) => {
    output += data.toString();
  });
  child.stderr.on("data", (data: Buffer) => {
    faults += data.toString();
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${faults}`);
  return output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}

/** Makes an archive, fills it, searches and asks; what a person sees of it, without times and places on disk. */
async function journey(prefix: readonly string[], name: string) {
  const archive = join(place, name, "archive");
  await run(prefix, archive, ["init"]);
  await run(prefix, archive, ["import", join(place, "in")]);
  const [found] = z
    .array(z.object({ hits: z.array(z.object({ passage: z.string() })) }))
    .parse(await run(prefix, archive, ["search", "lantern"]));
  const [answer] = z
    .array(z.object({ outcome: z.string(), answer: z.string(), notes: z.array(z.string()) }))
    .parse(await run(prefix, archive, ["ask", "How much does the boat house cost?"]));
  return { hits: found?.hits.map((hit) => hit.passage), answer };
}

describe("Understory without any network", () => {
  test("does and says the same as with one", { timeout: 240_000 }, async (context) => {
    if (!canIsolate) return context.skip("this system cannot take the network away from a process (unshare)");
    const online = await journey([], "online");
    expect(online.answer?.answer).toContain("420");
    expect(online.hits).toHaveLength(1);
    expect(await journey(isolate, "offline")).toEqual(online);
  });

  test("only the model sources can open a connection to another machine", () => {
    const opens =
      /\bfetch\(|\bhttps?\.(get|request)\(|\bnet\.(connect|createConnection)\(|\btls\.connect\(|new WebSocket\(/;
    const files = ["main", "models", "native", "electron", "renderer"].flatMap(sourcesOf);
    expect(files.filter((path) => opens.test(read(path)))).toEqual([
      // The window's line to its own host.
      "main/rpc/transports/web-socket.ts",
      "models/sources/https.ts",
      "models/sources/proxy.ts",
      // Asks the window's own host whether this browser is still let in.
      "renderer/transport.ts",
    ]);
  });
});
