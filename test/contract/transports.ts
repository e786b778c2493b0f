import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MessageChannel } from "node:worker_threads";
import { WebSocket } from "ws";
import type { Client, Handlers } from "#contract";
import { startHost } from "#main/host/node.ts";
import { createClient, memoryPair, messagePortTransport, serve, webSocketTransport } from "#main/rpc/index.ts";

export interface Connection {
  readonly client: Client;
  close(): Promise<void>;
}

/** Lets a client in as a browser is let in: launch link, cookie, WebSocket with our origin. */
async function overWebSocket(handlers: Handlers): Promise<Connection> {
  const windowFolder = await mkdtemp(join(tmpdir(), "understory-window-"));
  await writeFile(join(windowFolder, "index.html"), "<!doctype html><title>Understory</title>");
  const host = await startHost({ handlers, windowFolder });
  const launch = await fetch(host.launchUrl(), { redirect: "manual" });
  const cookie = (launch.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const socket = new WebSocket(`${host.origin.replace("http", "ws")}/rpc`, {
    headers: { cookie, origin: host.origin },
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("open", () => resolve());
    socket.once("error", reject);
  });
  const client = createClient(webSocketTransport(socket));
  return {
    client,
    async close() {
      client.close();
      await host.close();
    },
  };
}

/** One way to reach the core a transport; every contract test runs over all of them. */
export const transports: Readonly<Record<string, (handlers: Handlers) => Promise<Connection>>> = {
  memory: async (handlers) => {
    const [server, end] = memoryPair();
    serve(handlers, server);
    const client = createClient(end);
    return { client, close: async () => client.close() };
  },
  MessagePort: async (handlers) => {
    const { port1, port2 } = new MessageChannel();
    serve(handlers, messagePortTransport(port1));
    const client = createClient(messagePortTransport(port2));
    return { client, close: async () => client.close() };
  },
  WebSocket: overWebSocket,
};
