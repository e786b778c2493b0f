import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { modelsFolder } from "#models/installed.ts";
import { launchBrowser } from "./browser.ts";
import { startProduct } from "./product.ts";

/**
 * Takes the README's pictures from the real product with the sample household in it:
 *
 *     npx --no node test/e2e/take-pictures.ts [FOLDER_FOR_ITS_ARCHIVE]
 */

const place = process.argv[2] ?? join(tmpdir(), "understory-pictures");
const out = fileURLToPath(new URL("../../docs/pictures/", import.meta.url));
await mkdir(out, { recursive: true });

const product = await startProduct({ archive: join(place, "archive"), models: modelsFolder() });
const browser = await launchBrowser();
const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: "light" });
await page.goto(product.url);
await page.getByRole("button", { name: "Look around in a sample household" }).click();
// It is up to date, too, before the first record has come.
await page.getByText(/^[1-9][\d,]* records$/).waitFor({ timeout: 300_000 });
await page.getByText("Everything is up to date").waitFor({ timeout: 300_000 });

async function take(name: string, hash: string, ready: () => Promise<unknown>): Promise<void> {
  await page.goto(`${product.origin}/#${hash}`);
  await ready();
  await page.waitForTimeout(1_200);
  await page.screenshot({ path: join(out, `${name}.png`) });
}

const question = "Which day does the dishwasher engineer come?";
await take("ask", `/ask?q=${encodeURIComponent(question)}`, () => page.locator(".answer").waitFor());
await take("library", "/library?from=2024-08-01&to=2024-08-20", () =>
  page.locator("img[src^='blob:']").first().waitFor(),
);
await take("imports", "/imports", () => page.getByText("Every file").click());

await browser.close();
await product.stop();
console.log(`pictures in ${out}`);
