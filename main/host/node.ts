import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { WebSocketServer } from "ws";
import type { Handlers } from "#contract";
import { serve } from "#main/rpc/server.ts";
import { webSocketTransport } from "#main/rpc/transports/web-socket.ts";
import { createGate } from "./gate.ts";
import { send, windowFile } from "./static.ts";

export interface Host {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** A link that lets one browser in, once. */
  launchUrl(): string;
  close(): Promise<void>;
}

/** Largest message from a window: an upload chunk of a megabyte and its envelope, with room. */
const maxMessageBytes = 8 * 1024 * 1024;

const refusedPage = (why: string) =>
  `<!doctype html><meta charset="utf-8"><title>Understory</title><p>${why}</p><p>Open Understory from its launcher or with <code>npx understory start</code>.</p>`;

/**
 * Serves the window and the contract on the loopback address, on a random port unless one is given.
 * @param options.windowFolder the built window (`dist/renderer`).
 */
export async function startHost(options: { handlers: Handlers; windowFolder: string; port?: number }): Promise<Host> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The host has no port.");
  const gate = createGate(address.port);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const launching = url.pathname === "/launch";
    const refusal = gate.refusal(request, { cookie: !launching, origin: false });
    if (refusal !== null) return send(response, 403, "text/html; charset=utf-8", refusedPage(refusal), false);
    if (request.method !== "GET") return send(response, 405, "text/plain; charset=utf-8", "Only GET.", false);
    if (launching) {
      const cookie = gate.redeem(url.searchParams.get("token") ?? "");
      if (cookie === null) {
        const why = "This link was used before or is out of date.";
        return send(response, 403, "text/html; charset=utf-8", refusedPage(why), false);
      }
      response.writeHead(303, { "set-cookie": cookie, location: "/", "cache-control": "no-store" });
      response.end();
      return;
    }
    const file = await windowFile(options.windowFolder, url.pathname);
    if (file === null) return send(response, 404, "text/plain; charset=utf-8", "Not found.", false);
    send(response, 200, file.type, file.body, url.pathname.startsWith("/assets/"));
  }
  server.on("request", (request, response) => {
    answer(request, response).catch(() => {
      if (!response.headersSent) send(response, 500, "text/plain; charset=utf-8", "Something went wrong.", false);
      else response.destroy();
    });
  });

  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes, perMessageDeflate: false });
  server.on("upgrade", (request, socket, head) => {
    const path = request.url?.split("?")[0];
    const refusal = path === "/rpc" ? gate.refusal(request, { cookie: true, origin: true }) : "Not found.";
    if (refusal !== null) {
      socket.end("HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n");
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on("error", () => webSocket.terminate());
      serve(options.handlers, webSocketTransport(webSocket));
    });
  });

  const origin = `http://127.0.0.1:${address.port}`;
  return {
    origin,
    launchUrl: () => origin + gate.launchPath(),
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}
