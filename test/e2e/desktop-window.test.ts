import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "./browser.ts";
import { type Product, startProduct } from "./product.ts";

/**
 * The window's desktop road to the core: a MessagePort that arrives as the preload posts it. Electron itself is not
 * here; its preload is played by a script in the page that bridges the port to the real host.
 */

let browser: Browser;
let product: Product;
let place: string;

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "understory-desktop-"));
  product = await startProduct({ archive: join(place, "archive"), models: join(place, "models") });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
  await rm(place, { recursive: true, force: true });
});

/** Runs in the page before its own scripts: what `electron/preload.ts` exposes, with a core that is not there yet. */
const preload = `
  window.understory = {
    connect() {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => {
        const status = { state: "none", name: null, path: "/desk/archive", sample: false, unlockWith: [], counts: null, indexes: null, version: "0.1.0", host: "electron" };
        if (data.t === "call" && data.method === "archive.status") port1.postMessage({ t: "result", id: data.id, value: status });
      };
      window.postMessage("understory:port", window.location.origin, [port2]);
    },
    pathOf: () => "/desk/file",
  };
`;

test("the window takes its port from the shell and opens no socket", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const sockets: string[] = [];
  page.on("websocket", (socket) => sockets.push(socket.url()));
  await page.addInitScript(preload);
  await page.goto(product.url);
  await page.getByText("/desk/archive").waitFor();
  expect(sockets).toEqual([]);
  await context.close();
});
