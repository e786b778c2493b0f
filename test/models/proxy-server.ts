import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Duplex } from "node:stream";

export interface ProxyServer {
  readonly url: string;
  /** Targets of its tunnels, and what the client said to be let in. */
  readonly tunnels: { target: string; credentials: string | undefined }[];
  close(): Promise<void>;
}

/** A proxy on loopback that knows CONNECT and nothing else, and leads every tunnel to `port` of this machine. */
export async function startProxy(port: number, options: { refuse?: boolean } = {}): Promise<ProxyServer> {
  const tunnels: ProxyServer["tunnels"] = [];
  const open = new Set<Duplex>();
  const server = createServer((_, response) => response.writeHead(405).end());
  server.on("connect", (request, client) => {
    open.add(client);
    tunnels.push({ target: request.url ?? "", credentials: request.headers["proxy-authorization"] });
    if (options.refuse) return client.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    const hub = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      hub.pipe(client);
      client.pipe(hub);
    });
    hub.on("error", () => client.destroy());
    client.on("error", () => hub.destroy());
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://ada:s%20ecret@127.0.0.1:${(server.address() as AddressInfo).port}`,
    tunnels,
    close: () =>
      new Promise<void>((resolve) => {
        for (const client of open) client.destroy();
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
