import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { z } from "zod";

const bin = fileURLToPath(new URL("../../main/host/bin.js", import.meta.url));
const axeSource = readFileSync(
  fileURLToPath(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url)),
  "utf8",
);

export interface Product {
  /** A link that lets one browser in. */
  readonly url: string;
  readonly origin: string;
  stop(): Promise<void>;
}

/** Starts the product as a person does, by its command, and waits for its link. */
export async function startProduct(options: { archive: string; models: string }): Promise<Product> {
  const child = spawn(process.execPath, [bin, "serve", "--json", "--archive", options.archive], {
    env: { ...process.env, UNDERSTORY_MODELS: options.models },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  for await (const line of createInterface({ input: child.stdout })) {
    const { url, origin } = z.object({ url: z.string(), origin: z.string() }).parse(JSON.parse(line));
    return {
      url,
      origin,
      async stop() {
        child.kill("SIGTERM");
        await ended;
      },
    };
  }
  throw new Error("The product ended before it gave its link.");
}

/** Makes an archive by the window, as a person does who has never opened the product. */
export async function makeArchive(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Make my archive" }).click();
  await page.getByLabel("Passphrase", { exact: true }).fill("seven quiet lanterns burn");
  await page.getByLabel("Passphrase, once more").fill("seven quiet lanterns burn");
  await page.locator("form button[type=submit]").click();
  await page.getByLabel("I have written it down").check();
  await page.getByRole("button", { name: "Open my archive" }).click();
}

/** Addresses that a page asked for and that are not its own host's: there must be none. */
export function watchForeignRequests(page: Page, origin: string): string[] {
  const foreign: string[] = [];
  page.on("request", (request) => {
    const url = request.url();
    const own = url.startsWith(`${origin}/`) || url.startsWith("blob:") || url.startsWith("data:");
    if (!own) foreign.push(url);
  });
  return foreign;
}

/** What axe finds wrong on the page as it stands, one line a rule and place. */
export async function axeViolations(page: Page): Promise<string[]> {
  // Evaluated by the debugger, so the page's own content policy stays as strict as it is.
  await page.evaluate(axeSource);
  const found = await page.evaluate<{ id: string; nodes: { target: unknown }[] }[]>(
    "axe.run(document).then((result) => result.violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ target }) => ({ target })) })))",
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${String(target)}`));
}
