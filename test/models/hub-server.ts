import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface HubRequest {
  readonly method: string;
  readonly path: string;
  readonly range: string | undefined;
  readonly ifRange: string | undefined;
}

export interface HubServer {
  readonly base: string;
  readonly requests: HubRequest[];
  /** What happens to the next answers, one entry a request; when it is empty all is well. */
  readonly faults: ("cut" | "ignore-range" | "not-found" | "busy" | "hang")[];
  /** Headers with which it answers a question about a file (HEAD), by path; the storage behind it tells less. */
  readonly announced: Map<string, Record<string, string>>;
  /** Changed when the files behind it change. */
  etag: string;
  close(): Promise<void>;
}

/** A model hub on loopback that knows ranges and validators, and can misbehave on demand. */
export async function startHub(files: ReadonlyMap<string, Buffer>): Promise<HubServer> {
  const requests: HubRequest[] = [];
  const faults: HubServer["faults"] = [];
  const announced: HubServer["announced"] = new Map();
  const hub: HubServer & { base: string } = {
    base: "",
    requests,
    faults,
    announced,
    etag: '"one"',
    close: async () => {},
  };

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? "/";
    const ifRange = request.headers["if-range"]?.toString();
    requests.push({ method: request.method ?? "", path, range: request.headers.range, ifRange });
    if (request.method === "HEAD") {
      const headers = announced.get(path) ?? {};
      const moved = "x-linked-etag" in headers;
      return response.writeHead(moved ? 302 : 200, { ...headers, ...(moved ? { location: "/storage" } : {}) }).end();
    }
    const fault = faults.shift();
    const bytes = files.get(path);
    if (!bytes || fault === "not-found") return response.writeHead(404).end();
    if (fault === "busy") return response.writeHead(503).end();
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
    const partial = start > 0 && fault !== "ignore-range" && (ifRange === undefined || ifRange === hub.etag);
    const body = partial ? bytes.subarray(start) : bytes;
    response.writeHead(partial ? 206 : 200, {
      etag: hub.etag,
      "content-length": body.length,
      ...(partial ? { "content-range": `bytes ${start}-${bytes.length - 1}/${bytes.length}` } : {}),
    });
    if (fault === "cut") return response.write(body.subarray(0, body.length >> 1), () => response.destroy());
    if (fault === "hang") return response.write(body.subarray(0, body.length >> 1));
    return response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  hub.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  hub.close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return hub;
}
