import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import tls from "node:tls";
import type { Fetch } from "./https.ts";

/** Most redirections of one request. */
const redirectCap = 5;

/**
 * A `Fetch` that goes through a proxy by a tunnel (CONNECT, RFC 9110 §9.3.6): what passes is encrypted end to end, and the
 * proxy sees the name of the hub only. `proxy`: `http://[user:password@]host:port`, or https.
 */
export function fetchThrough(proxy: string): Fetch {
  const through = new URL(proxy);
  return async (url, { headers, signal, method = "GET", redirect = "follow" }) => {
    let target = new URL(url);
    for (let hop = 0; hop <= redirectCap; hop++) {
      const incoming = await request(target, await tunnel(through, target, signal), { method, headers, signal });
      const status = incoming.statusCode ?? 500;
      const location = incoming.headers.location;
      if (redirect === "manual" || location === undefined || status < 300 || status >= 400) {
        return toResponse(incoming, status, method);
      }
      incoming.destroy();
      const next = new URL(location, target);
      if (next.protocol !== target.protocol) throw new Error("the server sent us to an unprotected address");
      target = next;
    }
    throw new Error("the server sent us round in a circle");
  };
}

function portOf({ port, protocol }: URL): number {
  return Number(port || (protocol === "https:" ? 443 : 80));
}

/** A connection to the target through the proxy, encrypted when the target's address says so. */
function tunnel(proxy: URL, target: URL, signal: AbortSignal): Promise<Socket> {
  const authority = `${target.hostname}:${portOf(target)}`;
  const user = decodeURIComponent(proxy.username);
  const password = decodeURIComponent(proxy.password);
  const credentials = user ? `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` : null;
  const { request: open } = proxy.protocol === "https:" ? https : http;
  return new Promise((resolve, reject) => {
    const connect = open({
      host: proxy.hostname,
      port: portOf(proxy),
      method: "CONNECT",
      path: authority,
      headers: { host: authority, ...(credentials ? { "proxy-authorization": credentials } : {}) },
      agent: false,
      signal,
    });
    connect.once("error", (cause) => reject(new Error("the proxy could not be reached", { cause })));
    connect.once("connect", (answer, socket: Socket) => {
      if (answer.statusCode !== 200) {
        socket.destroy();
        return reject(new Error(`the proxy answered ${answer.statusCode}`));
      }
      if (target.protocol !== "https:") return resolve(socket);
      const secure = tls.connect({ socket, servername: target.hostname, ALPNProtocols: ["http/1.1"] });
      secure.once("secureConnect", () => resolve(secure));
      secure.once("error", reject);
    });
    connect.end();
  });
}

function request(
  target: URL,
  socket: Socket,
  options: { method: string; headers: Record<string, string>; signal: AbortSignal },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = http.request({
      ...options,
      // Without an agent, since there is one connection and it is made.
      createConnection: () => socket,
      path: `${target.pathname}${target.search}`,
      headers: { ...options.headers, host: target.host, connection: "close" },
    });
    sent.once("error", reject);
    sent.once("response", resolve);
    sent.end();
  });
}

function toResponse(incoming: IncomingMessage, status: number, method: string): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) if (value !== undefined) headers.set(name, `${value}`);
  const empty = method === "HEAD" || status === 204 || status === 304;
  if (empty) incoming.resume();
  return new Response(empty ? null : bodyOf(incoming), { status, headers });
}

function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Buffer> = incoming[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void incoming.destroy(),
  });
}
