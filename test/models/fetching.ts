import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { type InstallOptions, installModel } from "#models/fetcher.ts";
import { folderBytes, readInstalled } from "#models/installed.ts";
import { type HubServer, startHub } from "./hub-server.ts";
import type { smallModel } from "./small-model.ts";

/** For each test of a file: an empty models folder and a hub on this machine that serves the small model. */
export function fetching({ model, files, served }: ReturnType<typeof smallModel>) {
  let folder = "";
  let hub: HubServer | null = null;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "understory-models-"));
    hub = await startHub(served);
  });
  afterEach(async () => {
    await hub?.close();
    await rm(folder, { recursive: true, force: true });
  });
  const place = {
    get folder(): string {
      return folder;
    },
    get hub(): HubServer {
      if (!hub) throw new Error("The hub runs inside a test only.");
      return hub;
    },
  };
  const base = () => ({
    id: model.id,
    model,
    folder,
    consent: true,
    hubBase: place.hub.base,
    sources: ["hub" as const],
    pauses: [1, 1],
  });
  return {
    place,
    base,
    /** The hub is there again, after a test has closed it. */
    async reopen() {
      hub = await startHub(served);
    },
    install: (options: Partial<InstallOptions> = {}) => installModel({ ...base(), ...options }),
    /** The installed files are exactly the catalogue's, and nothing unfinished is left. */
    async expectInstalled() {
      for (const [name, bytes] of files) expect(await readFile(join(folder, model.id, name))).toEqual(bytes);
      expect(readInstalled(folder, model)?.id).toBe(model.id);
      expect(await folderBytes(join(folder, ".staging"))).toBe(0);
      expect((await readdir(folder)).filter((name) => name.endsWith(".lock"))).toEqual([]);
    },
  };
}
