import { mkdtemp, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { Handlers } from "#contract";
import { type Host, startHost } from "#main/host/node.ts";

let host: Host;
let port: number;
let cookie: string;

/** A raw request, as an attacker's tool would send it: any Host, any header. */
function get(path: string, headers: Record<string, string> = {}, method = "GET") {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }>((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, method, headers }, (response) => {
      let body = "";
      response.on("data", (chunk: Buffer) => {
        body += chunk.toString();
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    sent.on("error", reject);
    sent.end();
  });
}

/** Whether a WebSocket with these headers is let in. */
function upgrade(headers: Record<string, string>, path = "/rpc"): Promise<boolean> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
  return new Promise((resolve) => {
    socket.once("open", () => {
      socket.close();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

beforeAll(async () => {
  const windowFolder = await mkdtemp(join(tmpdir(), "understory-host-"));
  await writeFile(join(windowFolder, "index.html"), "<!doctype html><title>Understory</title>");
  await writeFile(join(windowFolder, "..secret.js"), "1");
  const isHandlers = (value: object): value is Handlers => value instanceof Object;
  const handlers: object = {};
  if (!isHandlers(handlers)) throw new Error("unreachable");
  host = await startHost({ handlers, windowFolder });
  port = Number(new URL(host.origin).port);
  const launch = await get(new URL(host.launchUrl()).pathname + new URL(host.launchUrl()).search);
  cookie = String(launch.headers["set-cookie"]).split(";")[0] ?? "";
});
afterAll(() => host.close());

describe("the loopback host lets in its own browser and nobody else", () => {
  test("a launch link works once and gives a strict cookie", async () => {
    const url = new URL(host.launchUrl());
    const first = await get(url.pathname + url.search);
    expect(first.status).toBe(303);
    expect(String(first.headers["set-cookie"])).toMatch(/HttpOnly; SameSite=Strict; Path=\//);
    expect((await get(url.pathname + url.search)).status).toBe(403);
    expect((await get("/launch?token=guess")).status).toBe(403);
    expect((await get("/launch")).status).toBe(403);
  });

  test("without the cookie there is no window and no contract", async () => {
    expect((await get("/")).status).toBe(403);
    expect((await get("/", { cookie: `${cookie.split("=")[0]}=guess` })).status).toBe(403);
    expect(await upgrade({ origin: host.origin })).toBe(false);
  });

  test("with the cookie the window is served under a strict policy", async () => {
    const page = await get("/", { cookie });
    expect(page.status).toBe(200);
    expect(page.body).toContain("<title>Understory</title>");
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(page.headers["content-security-policy"]).not.toContain("unsafe");
    expect(page.headers["access-control-allow-origin"]).toBeUndefined();
    expect(page.headers["x-content-type-options"]).toBe("nosniff");
  });

  test("a rebound name is refused by its Host, even with the cookie", async () => {
    expect((await get("/", { cookie, host: "evil.example" })).status).toBe(403);
    expect((await get("/", { cookie, host: `evil.example:${port}` })).status).toBe(403);
    expect(await upgrade({ cookie, origin: host.origin, host: `evil.example:${port}` })).toBe(false);
  });

  test("another site's page cannot open the contract", async () => {
    expect(await upgrade({ cookie, origin: "http://evil.example" })).toBe(false);
    expect(await upgrade({ cookie, origin: `http://127.0.0.1:${port + 1}` })).toBe(false);
    expect(await upgrade({ cookie })).toBe(false);
    expect(await upgrade({ cookie, origin: host.origin }, "/other")).toBe(false);
    expect(await upgrade({ cookie, origin: host.origin }, "//")).toBe(false);
    expect(await upgrade({ cookie, origin: host.origin })).toBe(true);
  });

  test.each([
    "/../package.json",
    "/%2e%2e/package.json",
    "/..%2fpackage.json",
    "/%00",
    "/%zz",
    "/etc/passwd",
    "//etc/passwd",
  ])("a path that leaves the window's folder is not found: %s", async (path) => {
    expect((await get(path, { cookie })).status).toBe(404);
  });

  test("only GET is answered", async () => {
    expect((await get("/", { cookie }, "POST")).status).toBe(405);
  });

  test("a message that is not of the contract cuts the line", async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/rpc`, { headers: { cookie, origin: host.origin } });
    await new Promise((resolve) => socket.once("open", resolve));
    const closed = new Promise<number>((resolve) => socket.once("close", resolve));
    socket.send("not binary");
    expect(await closed).toBe(1003);
  });
});
