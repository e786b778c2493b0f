import { config } from "zod";
import { createClient } from "#main/rpc/client.ts";
import { messagePortTransport } from "#main/rpc/transports/message-port.ts";
import { connectWebSocket } from "#main/rpc/transports/web-socket.ts";
import type { Transport } from "#main/rpc/wire.ts";
import type { Connector, Line } from "./state/connection.ts";

/** What the desktop shell's preload puts into the window; absent in a browser. */
export interface ShellBridge {
  /** Asks for a line to the core; it comes as a `message` event "understory:port" with one port. */
  connect(): void;
  /** Path on disk of a dropped file. */
  pathOf(file: File): string;
}

declare global {
  interface Window {
    understory?: ShellBridge;
  }
}

/** A port cannot pass through the bridge itself, so the preload posts it to the window. */
function portFromShell(bridge: ShellBridge): Promise<MessagePort> {
  return new Promise((resolve) => {
    const take = (event: MessageEvent) => {
      const [port] = event.ports;
      if (event.source !== window || event.data !== "understory:port" || !port) return;
      window.removeEventListener("message", take);
      resolve(port);
    };
    window.addEventListener("message", take);
    bridge.connect();
  });
}

function lineOver(transport: Transport): Line {
  const closed = new Promise<void>((resolve) => transport.onClose(resolve));
  return { client: createClient(transport), closed };
}

/** The way to the core: through the shell's port where there is one, else through a socket to the page's own host. */
export function connector(): Connector {
  // zod compiles validators with `new Function` where it may; the window's content policy forbids that.
  config({ jitless: true });
  const shell = window.understory;
  if (shell) {
    return {
      open: async () => lineOver(messagePortTransport(await portFromShell(shell))),
      isStranger: async () => false,
    };
  }
  const { protocol, host } = window.location;
  return {
    open: async () => lineOver(await connectWebSocket(`${protocol === "https:" ? "wss" : "ws"}://${host}/rpc`)),
    isStranger: async () => (await fetch("/", { cache: "no-store" })).status === 403,
  };
}
