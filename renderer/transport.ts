import { config } from "zod";
import type { Client } from "#contract";
import { createClient } from "#main/rpc/client.ts";
import { messagePortTransport } from "#main/rpc/transports/message-port.ts";
import { connectWebSocket } from "#main/rpc/transports/web-socket.ts";

/** What the desktop shell's preload puts into the window; absent in a browser. */
export interface ShellBridge {
  port: MessagePort;
  /** Path on disk of a dropped file. */
  pathOf(file: File): string;
}

declare global {
  interface Window {
    understory?: ShellBridge;
  }
}

/** Connects to the core: through the shell's port where there is one, else through a socket to the page's own host. */
export async function connect(): Promise<Client> {
  // zod compiles validators with `new Function` where it may; the window's content policy forbids that.
  config({ jitless: true });
  const port = window.understory?.port;
  if (port) return createClient(messagePortTransport(port));
  const scheme = window.location.protocol === "https:" ? "wss" : "ws";
  return createClient(await connectWebSocket(`${scheme}://${window.location.host}/rpc`));
}
