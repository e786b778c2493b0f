import { toErrorShape, UnderstoryError } from "#contract";
import { type App, openApp } from "#main/app.ts";
import { serve } from "#main/rpc/server.ts";
import { type CoreToShell, shellToCoreSchema } from "#main/rpc/shell-protocol.ts";
import { messagePortTransport, type PortLike } from "#main/rpc/transports/message-port.ts";

/**
 * The core as Electron's utility process: told by the shell where the archive lies, handed a MessagePort for each
 * window, and lent the system's keychain, which only the shell's process can reach.
 */

/** `process.parentPort` of a utility process; a message's ports come beside its data. */
interface ParentPort {
  postMessage(message: CoreToShell): void;
  on(event: "message", listener: (event: { data: unknown; ports: PortLike[] }) => void): void;
}

function isParentPort(value: unknown): value is ParentPort {
  return typeof value === "object" && value !== null && "postMessage" in value && "on" in value;
}

const parent: unknown = Reflect.get(process, "parentPort");
if (!isParentPort(parent))
  throw new Error("This file is the core's entry point inside Electron; it has no use elsewhere.");

/** Asks of the shell that wait for its answer. */
const asks = new Map<number, { resolve(bytes: Uint8Array): void; reject(error: Error): void }>();
let lastAsk = 0;

function askKeychain(port: ParentPort, operation: "wrap" | "unwrap", bytes: Uint8Array): Promise<Uint8Array> {
  lastAsk += 1;
  const id = lastAsk;
  return new Promise((resolve, reject) => {
    asks.set(id, { resolve, reject });
    port.postMessage({ type: "keychain-ask", id, operation, bytes: Uint8Array.from(bytes) });
  });
}

function run(port: ParentPort): void {
  let opening: Promise<App> | null = null;

  port.on("message", ({ data, ports }) => {
    const message = shellToCoreSchema.parse(data);
    if (message.type === "start") {
      const { keychainRefusal } = message;
      opening = openApp({
        archiveDir: message.archiveDir,
        modelsDir: message.modelsDir,
        host: "electron",
        keychain: {
          available: () => keychainRefusal ?? true,
          wrap: (bytes) => askKeychain(port, "wrap", bytes),
          unwrap: (bytes) => askKeychain(port, "unwrap", bytes),
        },
      });
      opening.then(
        () => port.postMessage({ type: "ready" }),
        (error: unknown) => port.postMessage({ type: "failed", error: toErrorShape(error) }),
      );
    } else if (message.type === "client") {
      const line = ports[0];
      if (line) void opening?.then(({ handlers }) => serve(handlers, messagePortTransport(line)));
    } else if (message.type === "keychain-answer") {
      const ask = asks.get(message.id);
      asks.delete(message.id);
      if (message.bytes) ask?.resolve(message.bytes);
      else ask?.reject(new UnderstoryError("keychain_unavailable", message.reason ?? "The keychain refused."));
    } else {
      void opening
        ?.then((app) => app.close())
        .finally(() => {
          port.postMessage({ type: "stopped" });
          process.exit(0);
        });
    }
  });
}

run(parent);
