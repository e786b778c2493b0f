import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { linkModels, testModelId } from "#test/models/model-cache.ts";
import { launchBrowser } from "./browser.ts";
import { axeViolations, type Product, startProduct, watchForeignRequests } from "./product.ts";

/** Journeys through the real product in a real browser: its own command, its own host, real files, nothing stood in. */

let browser: Browser;
let place: string;
let models: string;

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "understory-e2e-"));
  models = join(place, "models");
  await linkModels(models, [testModelId]);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await rm(place, { recursive: true, force: true });
});

/** A window of the product, let in by its link. What it asks of others and what it throws is collected. */
async function openWindow(product: Product, url = product.url) {
  const context: BrowserContext = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  const foreign = watchForeignRequests(page, product.origin);
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  await page.goto(url);
  return { page, context, foreign, faults };
}

/** Drags files or folders of the disk onto the middle of the window and lets go, as the browser's own input. */
async function dropOnWindow(page: Page, files: string[]): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver"] as const) {
    await devtools.send("Input.dispatchDragEvent", { type, x: 700, y: 450, data });
  }
  await page.getByText("Let go to look at it").waitFor();
  await devtools.send("Input.dispatchDragEvent", { type: "drop", x: 700, y: 450, data });
  await devtools.detach();
}

const go = (page: Page, name: string) => page.getByRole("link", { name, exact: true }).first().click();

async function askFor(page: Page, question: string): Promise<string> {
  await go(page, "Ask");
  // Until the answer before it is gone the box is that answer's, and goes with it.
  await page.locator(".answer").waitFor({ state: "detached" });
  await page.getByLabel("Your question").fill(question);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: question }).waitFor();
  const answer = page.locator(".answer");
  await answer.waitFor();
  return answer.innerText();
}

describe("a first archive", () => {
  test("made, filled by dropped files, asked, locked, and opened again", { timeout: 240_000 }, async () => {
    const product = await startProduct({ archive: join(place, "own", "archive"), models });
    const { page, context, foreign, faults } = await openWindow(product);
    try {
      await page.getByRole("button", { name: "Make my archive" }).click();
      await page.getByLabel("Passphrase", { exact: true }).fill("seven quiet lanterns burn");
      await page.getByLabel("Passphrase, once more").fill("seven quiet lanterns burn");
      await page.locator("form button[type=submit]").click();
      const code = page.getByText(/^[0-9A-Z]{4}(-[0-9A-Z]{4})+$/);
      await code.waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await page.getByLabel("I have written it down").check();
      await page.getByRole("button", { name: "Open my archive" }).click();

      const chat = [
        "12/03/2023, 19:04 - Juno: The boat house costs 420 euros for the weekend.",
        "12/03/2023, 19:05 - Nadia: Good. I have paid the deposit of 90 euros.",
        "14/03/2023, 08:11 - Juno: Bring the red lantern, please.",
      ];
      const folder = join(place, "WhatsApp Chat with Juno");
      await mkdir(folder);
      await writeFile(join(folder, "WhatsApp Chat with Juno.txt"), `${chat.join("\n")}\n`);
      await go(page, "Imports");
      await page.getByLabel("Choose files…").setInputFiles(join(folder, "WhatsApp Chat with Juno.txt"));
      await page.getByRole("region", { name: "Plan" }).waitFor();
      await page.getByRole("button", { name: "Read it in" }).click();
      await page.getByText("3 records", { exact: false }).first().waitFor();

      const boat = join(place, "Boat mail");
      await mkdir(join(boat, "summer", "2023"), { recursive: true });
      const mail = (id: string, subject: string, text: string) =>
        `From: Juno <juno@boat.example>\nTo: nadia@boat.example\nSubject: ${subject}\nDate: Tue, 4 Jul 2023 09:00:00 +0200\nMessage-ID: <${id}@boat.example>\n\n${text}\n`;
      await writeFile(join(boat, "Engine.eml"), mail("1", "Engine", "The impeller was changed in Skagen."));
      await writeFile(
        join(boat, "summer", "2023", "Mooring.eml"),
        mail("2", "Mooring", "Berth 14, behind the ice house."),
      );
      await dropOnWindow(page, [boat]);
      await page.getByRole("region", { name: "Plan" }).waitFor();
      expect(await page.getByRole("region", { name: "Plan" }).innerText()).toContain("2 files");
      await page.getByRole("button", { name: "Read it in" }).click();
      await page.getByRole("article", { name: "Boat mail" }).getByText("2 records came in").waitFor();

      await go(page, "Library");
      await page.getByLabel("Search the library").fill("ice house");
      await page.getByText("Berth 14").first().waitFor();
      await page.getByLabel("Search the library").fill("lantern");
      await page.getByText("Bring the red lantern").first().waitFor();

      expect(await askFor(page, "How much does the boat house cost?")).toContain("420");

      await page.getByRole("button", { name: "Lock the archive" }).click();
      await page.getByLabel("Passphrase").first().fill("wrong words altogether");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").waitFor();
      await page.getByLabel("Passphrase").first().fill("seven quiet lanterns burn");
      await page.keyboard.press("Enter");
      await page.getByRole("navigation", { name: "Places" }).first().waitFor();
      expect(foreign).toEqual([]);
      expect(faults).toEqual([]);
    } finally {
      await context.close();
      await product.stop();
    }
  });

  test("a browser without the link is not let in", async () => {
    const product = await startProduct({ archive: join(place, "shut", "archive"), models });
    const { page, context } = await openWindow(product, product.origin);
    expect(await page.textContent("body")).toContain("has not been let in");
    await context.close();
    await product.stop();
  });
});

describe("the sample household", () => {
  let product: Product;
  let window: Awaited<ReturnType<typeof openWindow>>;
  beforeAll(async () => {
    product = await startProduct({ archive: join(place, "sample", "archive"), models });
    window = await openWindow(product);
    await window.page.getByRole("button", { name: "Look around in a sample household" }).click();
    await window.page.getByRole("navigation", { name: "Places" }).first().waitFor();
    // Read, indexed and drawn: the status line is quiet again and the pictures are there.
    await go(window.page, "Library");
    await window.page.locator("img[src^='blob:']").first().waitFor({ timeout: 250_000 });
    await window.page.getByText("Everything is up to date").waitFor({ timeout: 250_000 });
  }, 300_000);
  afterAll(async () => {
    await window?.context.close();
    await product?.stop();
  });

  test("an answer opens the record it stands on; the record deleted, it is gone from answer, search and index", {
    timeout: 240_000,
  }, async () => {
    const { page } = window;
    const question = "What is Miso's chip number?";
    const number = "977 2000 0941 6672";
    expect(await askFor(page, question)).toContain(number);

    await page.locator(".citation").first().click();
    const pane = page.getByRole("complementary", { name: "Record" });
    await pane.locator("mark").first().waitFor();
    expect(await pane.locator("mark").first().innerText()).toContain(number);
    await pane.getByRole("button", { name: "Move to the trash" }).click();
    await page.getByText("Undo").waitFor();

    expect(await askFor(page, "Which number does the chip of Miso have?")).not.toContain(number);
    expect(await page.locator("body").innerText()).not.toContain(number);
    await go(page, "Library");
    await page.getByLabel("Search the library").fill(number);
    await page.getByText("Nothing found").waitFor();
    await page.getByLabel("Search the library").fill("");

    await go(page, "Privacy");
    await page.getByText("Trash (1)").click();
    await page.getByRole("button", { name: "Put back" }).waitFor();
  });

  test("a question is corrected by its chips, asked on, and its answer judged", { timeout: 240_000 }, async () => {
    const { page } = window;
    const question = "What did Tom write about the boiler last winter?";
    await askFor(page, question);
    const plan = page.getByRole("list", { name: "How the question was understood" });
    await page.getByRole("button", { name: /^Ask again without when/ }).click();
    await plan.getByText("when").waitFor({ state: "detached" });

    // By keyboard alone: a filter more, the kind of record.
    await plan.getByRole("button", { name: "Filter" }).focus();
    await page.keyboard.press("Enter");
    await plan.getByRole("button", { name: "Add kind" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitemcheckbox", { name: "Mails" }).focus();
    await page.keyboard.press("Enter");
    await plan.getByRole("button", { name: "Ask again without kind: mails" }).waitFor();
    expect(await axeViolations(page)).toEqual([]);

    await page.getByLabel("Your question").fill("without Tom");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "without Tom" }).waitFor();
    await plan.getByText("without").waitFor();
    expect(await plan.innerText()).toMatch(/kind\s+mails/);
    await page.getByRole("list", { name: "Asked before in this thread" }).getByText(question).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole("link", { name: question }).click();
    await page.getByRole("heading", { name: question }).waitFor();

    const verdict = page
      .getByRole("group", { name: "What you say of this answer" })
      .getByRole("button", { name: "Wrong" });
    // Judged once the question left behind is no longer at work on this page.
    await page.getByRole("heading", { name: "without Tom" }).waitFor({ state: "detached" });
    await page.locator(".working").waitFor({ state: "detached" });
    await verdict.click();
    await expect.poll(() => verdict.getAttribute("aria-pressed"), { timeout: 20_000 }).toBe("true");
    await page.getByRole("button", { name: "Undo" }).last().click();
    await expect.poll(() => verdict.getAttribute("aria-pressed")).toBe("false");
  });

  test("a question that stands alone begins anew, whatever was asked before", async () => {
    const { page } = window;
    await askFor(page, "What is Miso's chip number?");
    await page.getByLabel("Your question").fill("Who is the vet?");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Who is the vet?" }).waitFor();
    await page.locator(".answer").waitFor();
    await page.getByRole("list", { name: "Asked before in this thread" }).waitFor({ state: "detached" });
  });

  test("a question that the archive cannot answer is said so, with no source", async () => {
    const { page } = window;
    const answer = await askFor(page, "What is the name of the captain of the submarine?");
    expect(answer).toMatch(/not in your archive/i);
    expect(await page.locator(".citation").count()).toBe(0);
  });

  test("a connection that breaks is told in one line and comes back by itself", async () => {
    const page = await window.context.newPage();
    page.setDefaultTimeout(30_000);
    let away = false;
    const lines: { close(): Promise<void> }[] = [];
    await page.routeWebSocket(/\/rpc$/, async (socket) => {
      if (away) return socket.close();
      socket.connectToServer();
      lines.push(socket);
    });
    await page.goto(`${product.origin}/#/library`);
    await page.locator(".line").first().waitFor();
    away = true;
    for (const line of lines) await line.close();
    await page.getByText("core is not answering").waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    away = false;
    await page.getByText("core is not answering").waitFor({ state: "detached" });
    await page.getByLabel("Search the library").fill("Miso");
    await page.locator(".hit").first().waitFor();
    await page.close();
  });

  test("a pinned record stays beside every place; Esc leaves it alone until it is unpinned", async () => {
    const { page } = window;
    await go(page, "Library");
    await page.locator(".line").first().click();
    const pane = page.getByRole("complementary", { name: "Record" });
    await pane.getByRole("button", { name: "Keep it beside every place" }).click();
    const edge = pane.getByRole("separator");
    await edge.focus();
    const before = (await pane.boundingBox())?.width ?? 0;
    await page.keyboard.press("ArrowLeft");
    await expect.poll(async () => (await pane.boundingBox())?.width ?? 0).toBeGreaterThan(before);
    await go(page, "Privacy");
    await page.keyboard.press("Escape");
    await pane.waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await pane.getByRole("button", { name: "Unpin" }).click();
    await pane.waitFor({ state: "detached" });
  });

  const screens = ["Ask", "Library", "Imports", "Privacy", "Models & settings"];
  test.each([
    ["light", 1440],
    ["dark", 1440],
    ["light", 400],
    ["dark", 400],
  ] as const)("axe finds no violation on any screen: %s, %i px", async (colorScheme, width) => {
    const { page } = window;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    const found: string[] = [];
    for (const screen of screens) {
      const link = page
        .getByRole("navigation", { name: "Places" })
        .locator("a:visible")
        .filter({ hasText: width < 600 && screen.startsWith("Models") ? "Settings" : screen });
      await link.first().click();
      await page.locator("h1").first().waitFor({ state: "attached" });
      await page.waitForTimeout(300);
      found.push(...(await axeViolations(page)).map((line) => `${screen}: ${line}`));
    }
    await page.goto(`${product.origin}/#/ask?q=${encodeURIComponent("When is the wedding?")}`);
    await page.locator(".answer").waitFor();
    found.push(...(await axeViolations(page)).map((line) => `Answer: ${line}`));
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(found).toEqual([]);
  });

  test("nothing was asked of any other machine, and nothing was thrown", () => {
    expect(window.foreign).toEqual([]);
    expect(window.faults).toEqual([]);
  });
});
