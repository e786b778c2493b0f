import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type ArchiveStatus, UnderstoryError } from "#contract";
import { createClient } from "#main/rpc/client.ts";
import { memoryPair } from "#main/rpc/transports/memory.ts";
import type { Transport } from "#main/rpc/wire.ts";
import { client } from "../../renderer/state/client.ts";
import { type Connector, keepConnected, patienceMs, pauses, useConnection } from "../../renderer/state/connection.ts";
import { useJobs, watchJobs } from "../../renderer/state/jobs.ts";
import { useSession, watchChanges } from "../../renderer/state/session.ts";
import { useUi } from "../../renderer/state/ui.ts";

const status: ArchiveStatus = {
  state: "open",
  name: "Household",
  path: "/archive",
  sample: false,
  unlockWith: ["passphrase"],
  counts: null,
  indexes: null,
  version: "0.1.0",
  host: "browser",
};

/** A core at the far end of a scripted transport: answers how it stands, keeps what it was asked, and can end. */
function core() {
  const [near, far] = memoryPair();
  const asked: string[] = [];
  const self = { near, asked, endStreams: false, end: () => far.close() };
  far.onMessage((message) => {
    if (typeof message !== "object" || message === null || !("method" in message) || !("id" in message)) return;
    asked.push(String(message.method));
    const id = Number(message.id);
    if (message.method === "archive.status") far.send({ t: "result", id, value: status });
    else if (self.endStreams && message.method === "library.watch") far.send({ t: "end", id });
    else if (message.method === "jobs.list") far.send({ t: "result", id, value: { jobs: [] } });
  });
  return self;
}

function lineOver(transport: Transport) {
  return { client: createClient(transport), closed: new Promise<void>((resolve) => transport.onClose(resolve)) };
}

/** Opens the lines that it is given, one a try; `null` is a try that nobody answers. */
function scripted(lines: (Transport | null)[], stranger = false): Connector & { tries: number } {
  return {
    tries: 0,
    async open() {
      this.tries++;
      const next = lines.shift();
      if (!next) throw new UnderstoryError("disconnected", "Nobody answers.");
      return lineOver(next);
    },
    isStranger: async () => stranger,
  };
}

describe("the connection to the core", () => {
  let stop: AbortController;
  beforeEach(() => {
    vi.useFakeTimers();
    stop = new AbortController();
    useConnection.setState({ state: "connecting", epoch: 0, stranger: false, error: null });
    useSession.setState({ status: null, error: null, changes: 0 });
    useUi.setState({ notices: [] });
  });
  afterEach(async () => {
    stop.abort();
    useConnection.getState().retry();
    await vi.advanceTimersByTimeAsync(1);
    vi.useRealTimers();
  });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  it("comes back by itself, with growing pauses, reads again what is shown, and takes no notice for each ended call", async () => {
    const first = core();
    const second = core();
    const connector = scripted([first.near, null, null, second.near]);
    void keepConnected(connector, stop.signal);
    await pass(1);
    expect(useConnection.getState()).toMatchObject({ state: "open", epoch: 1 });
    expect(useSession.getState().status?.name).toBe("Household");

    const waiting = client().call("library.people", {}).catch(useUi.getState().report);
    first.end();
    await pass(1);
    await waiting;
    expect(useConnection.getState().state).toBe("lost");
    expect(useUi.getState().notices).toEqual([]);

    const [once = 0, twice = 0, thrice = 0] = pauses;
    expect(twice).toBeGreaterThan(once);
    await pass(once + twice);
    expect(connector.tries).toBe(3);
    expect(useConnection.getState().state).toBe("lost");
    await pass(thrice);
    expect(useConnection.getState()).toMatchObject({ state: "open", epoch: 2, error: null });
    expect(useSession.getState().changes).toBe(1);
    expect(second.asked).toContain("archive.status");
  });

  it("does not wait out a pause when the person, or a window that wakes up, wants to try now", async () => {
    const late = core();
    const connector = scripted([null, null, null, null, late.near]);
    void keepConnected(connector, stop.signal);
    await pass(pauses.slice(0, 3).reduce((sum, ms) => sum + ms, 1));
    expect(connector.tries).toBe(4);
    useConnection.getState().retry();
    await pass(1);
    expect(useConnection.getState().state).toBe("open");
  });

  it("gives up a try that hangs, and closes the line when that comes too late", async () => {
    const hung = core();
    const next = core();
    const closed = vi.fn();
    hung.near.onClose(closed);
    let answer: () => void = () => undefined;
    let tries = 0;
    const connector: Connector = {
      open: () => {
        if (++tries > 1) return Promise.resolve(lineOver(next.near));
        return new Promise((resolve) => {
          answer = () => resolve(lineOver(hung.near));
        });
      },
      isStranger: async () => false,
    };
    void keepConnected(connector, stop.signal);
    await pass(patienceMs + (pauses[0] ?? 0) + 1);
    expect(useConnection.getState()).toMatchObject({ state: "open", epoch: 1 });
    answer();
    await pass(1);
    expect(closed).toHaveBeenCalled();
    expect(useConnection.getState().state).toBe("open");
  });

  it("says so when what answers is a core that was started anew", async () => {
    void keepConnected(scripted([], true), stop.signal);
    await pass(1);
    expect(useConnection.getState()).toMatchObject({ state: "connecting", stranger: true });
    expect(useConnection.getState().error?.code).toBe("disconnected");
  });

  it("begins a watch again that the core ended, and reads again what it may have missed", async () => {
    const one = core();
    one.endStreams = true;
    void keepConnected(scripted([one.near]), stop.signal);
    await pass(1);
    const end = watchChanges();
    await pass(10);
    expect(useSession.getState().changes).toBe(0);
    one.endStreams = false;
    await pass(5000);
    expect(one.asked.filter((method) => method === "library.watch")).toHaveLength(2);
    expect(useSession.getState().changes).toBe(1);
    end();
    await pass(1);
  });

  it("starts the watches of jobs and of records on the new line", async () => {
    const first = core();
    const second = core();
    void keepConnected(scripted([first.near, second.near]), stop.signal);
    await pass(1);
    // As the window does it: watches belong to one epoch and are begun again for the next.
    const watch = () => [watchJobs(), watchChanges()];
    let stops = watch();
    await pass(1);
    expect(first.asked).toEqual(expect.arrayContaining(["jobs.watch", "library.watch"]));
    first.end();
    await pass(5000);
    expect(useConnection.getState().epoch).toBe(2);
    for (const end of stops) end();
    stops = watch();
    await pass(1);
    expect(second.asked.filter((method) => method.endsWith(".watch")).sort()).toEqual(["jobs.watch", "library.watch"]);
    expect(useJobs.getState().jobs.size).toBe(0);
    for (const end of stops) end();
    await pass(1);
  });
});
