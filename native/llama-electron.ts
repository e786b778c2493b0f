import childProcess from "node:child_process";
import { EventEmitter } from "node:events";
import { syncBuiltinESMExports } from "node:module";

/**
 * node-llama-cpp tries a binary in a forked child before it loads it. Inside Electron that cannot work: the shell's
 * `runAsNode` fuse is off, so a fork would start the whole app a second time. There the trial is left out: a stand-in
 * answers as the child would. What is lost is protection from a graphics driver that crashes on load; the setting
 * `gpu: "off"` keeps such a driver out.
 */
class TriedBinary extends EventEmitter {
  exitCode: number | null = null;
  readonly killed = false;

  constructor() {
    super();
    setImmediate(() => this.emit("message", { type: "ready" }));
  }

  /** `start` → loaded, `test` → done, `exit` → ends with 0: the child's side of the conversation. */
  send(message: { readonly type: string }): void {
    setImmediate(() => {
      if (message.type === "start") this.emit("message", { type: "loaded" });
      else if (message.type === "test") this.emit("message", { type: "done" });
      else {
        this.exitCode = 0;
        this.emit("exit", 0);
      }
    });
  }

  kill(): void {
    this.exitCode = 0;
  }
}

/** Runs `work` with `fork` replaced by the stand-in when this is Electron, and as it is elsewhere. Affects this thread only. */
export async function withoutFork<T>(work: () => Promise<T>, electron = "electron" in process.versions): Promise<T> {
  if (!electron) return work();
  const { fork } = childProcess;
  Object.assign(childProcess, { fork: () => new TriedBinary() });
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    Object.assign(childProcess, { fork });
    syncBuiltinESMExports();
  }
}
