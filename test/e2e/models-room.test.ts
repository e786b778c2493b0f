import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ModelStatus, Perceived } from "#contract";
import { ensureModel } from "#test/models/model-cache.ts";
import { launchBrowser } from "./browser.ts";
import { axeViolations, makeArchive, type Product, startProduct, watchForeignRequests } from "./product.ts";
import { scriptAnswers } from "./scripted.ts";

/**
 * Models, settings and what is found in pictures, in the real product and a real browser. One long file, for it is one walk
 * through one running product: what is installed in one part is looked at in the next.
 */

const reader = "pp-ocrv6-small";

let browser: Browser;
let place: string;
let product: Product;
let page: Page;
let foreign: string[];
const faults: string[] = [];

/** A ticket as a picture, drawn by the browser itself. */
async function drawTicket(path: string): Promise<void> {
  const easel = await browser.newPage({ viewport: { width: 900, height: 600 } });
  await easel.setContent(
    `<body style="margin:0;background:#f4ecd8;font:700 64px sans-serif;padding:70px">
       <p style="margin:0 0 40px">HARBOUR FERRY</p>
       <p style="margin:0 0 40px">BERTH 4711</p>
       <p style="margin:0">PLATFORM NINE</p>
     </body>`,
  );
  await easel.screenshot({ path });
  await easel.close();
}

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "understory-models-room-"));
  browser = await launchBrowser();
  product = await startProduct({ archive: join(place, "archive"), models: join(place, "models") });
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  page.setDefaultTimeout(90_000);
  page.on("pageerror", (error) => faults.push(error.message));
  foreign = watchForeignRequests(page, product.origin);
  await page.goto(product.url);
  await makeArchive(page);

  const ticket = join(place, "Ticket.png");
  await drawTicket(ticket);
  await page.getByRole("link", { name: "Imports", exact: true }).first().click();
  await page.getByLabel("Choose files…").setInputFiles(ticket);
  await page.getByRole("button", { name: "Read it in" }).click();
  await page.getByText("1 record", { exact: false }).first().waitFor();
}, 180_000);
afterAll(async () => {
  await page?.context().close();
  await product?.stop();
  await browser?.close();
  await rm(place, { recursive: true, force: true });
});

const go = (hash: string) => page.goto(`${product.origin}/#${hash}`);
const group = (name: string): Locator => page.getByRole("region", { name, exact: true });

/** Whether the element that has the focus shows it: an outline or a ring. */
async function focusIsSeen(): Promise<boolean> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!element) return false;
    const style = getComputedStyle(element);
    return style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) >= 2;
  });
}

const focusedName = () =>
  page.evaluate(() => {
    const element = document.activeElement;
    return (element?.getAttribute("aria-label") ?? element?.textContent ?? "").trim();
  });

describe("the models room", () => {
  test("shows the recommended path first, and the rest folded", async () => {
    await go("/models");
    await page.getByRole("heading", { name: "A good start" }).waitFor();
    for (const name of ["Finding by meaning", "Words in pictures", "What is on pictures", "Better order"]) {
      await group(name).waitFor();
    }
    expect(await page.locator(".model:visible").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Install them…" }).count()).toBe(1);
  });

  test("is walked with the keyboard; consent holds the focus and gives it back", { timeout: 90_000 }, async () => {
    await go("/models");
    await page.getByRole("heading", { name: "A good start" }).waitFor();
    await page.getByRole("button", { name: "Models", exact: true }).focus();
    const walked: string[] = [];
    for (let step = 0; step < 6; step++) {
      await page.keyboard.press("Tab");
      expect(await focusIsSeen(), await focusedName()).toBe(true);
      walked.push(await focusedName());
    }
    expect(walked[0]).toBe("Settings");
    expect(walked[1]).toBe("Install them…");
    expect(walked[2]).toMatch(/^Install MiniLM/);
    expect(walked[3]).toMatch(/^Models/);
    expect(walked[4]).toMatch(/^Install PP-OCR/);

    const opener = group("Words in pictures").getByRole("button", { name: /^Install PP-OCR/ });
    await opener.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: /^Install PP-OCR/ });
    await dialog.waitFor();
    const told = await dialog.innerText();
    for (const said of ["32 MB", "Apache-2.0", "From", "uses the network"]) expect(told).toContain(said);
    expect(await dialog.locator("a").count()).toBe(0);
    for (let step = 0; step < 9; step++) {
      await page.keyboard.press("Tab");
      // Past its last control the focus may rest on the window itself, never on what lies under the dialogue.
      const outside = await page.evaluate(
        () => document.activeElement !== document.body && !document.activeElement?.closest("dialog"),
      );
      expect(outside).toBe(false);
    }
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await focusedName()).toMatch(/^Install PP-OCR/);
  });

  test("names what is wrong with a folder that holds no model, and installs nothing", async () => {
    await go("/models");
    await group("Words in pictures")
      .getByRole("button", { name: /^Install PP-OCR/ })
      .click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "From a folder" }).click();
    await dialog.getByLabel("Folder or file on this machine").fill(join(place, "nothing here"));
    await dialog.getByRole("button", { name: "Install from there" }).click();
    await dialog.waitFor({ state: "detached" });
    await group("Words in pictures").getByText("Models", { exact: true }).click();
    const alert = group("Words in pictures").getByRole("alert");
    await alert.waitFor();
    expect(await alert.innerText()).toContain("nothing here");
    await group("Words in pictures")
      .getByRole("button", { name: /^Install PP-OCR/ })
      .first()
      .waitFor();
  });
});

describe("a model brought by hand", () => {
  test("is installed, reads the picture, and its words are found, shown and lit", {
    timeout: 240_000,
  }, async (context) => {
    const found = await ensureModel(reader);
    if ("missing" in found) return context.skip(found.missing);
    await go("/models");
    const words = group("Words in pictures");
    await words
      .getByRole("button", { name: /^Install PP-OCR/ })
      .first()
      .click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "From a folder" }).click();
    await dialog.getByLabel("Folder or file on this machine").fill(join(found.folder, reader));
    await dialog.getByRole("button", { name: "Install from there" }).click();
    await words.getByRole("button", { name: "Switch off: Words in pictures" }).waitFor({ timeout: 60_000 });
    await words.getByText("the one picture").waitFor({ timeout: 120_000 });

    await go("/library?q=4711");
    await page.locator(".hit").first().click();
    const pane = page.getByRole("complementary", { name: "Record" });
    const text = pane.getByRole("region", { name: "Text in the picture" });
    await text.waitFor();
    expect((await text.innerText()).toUpperCase()).toContain("4711");

    // Its line lies on the picture where the ticket has it: in the middle third.
    await text.getByText(/4711/).hover();
    const line = await pane.locator(".quad--lit polygon").last().boundingBox();
    const frame = await pane.locator(".record__frame").boundingBox();
    if (!line || !frame) throw new Error("The line is not drawn.");
    const middle = (line.y + line.height / 2 - frame.y) / frame.height;
    expect(middle).toBeGreaterThan(0.35);
    expect(middle).toBeLessThan(0.65);
    expect(line.x).toBeGreaterThanOrEqual(frame.x);
    expect(line.x + line.width).toBeLessThanOrEqual(frame.x + frame.width);

    // An answer that stands on it says so, and opens it with its line lit.
    await go(`/ask?q=${encodeURIComponent("Which berth does the harbour ferry have?")}`);
    await page.locator(".answer").waitFor();
    const answer = await page.locator(".answer").innerText();
    await page.locator(".card", { hasText: "text in the picture" }).first().waitFor();
    await page.locator(".citation").first().click();
    await pane.locator(".quad--cited").first().waitFor({ state: "attached" });
    for (const mark of await pane.locator("mark").allInnerTexts()) expect(answer).toContain(mark);
  });

  test("is checked, switched off and on, and removed with what that frees", { timeout: 120_000 }, async (context) => {
    const found = await ensureModel(reader);
    if ("missing" in found) return context.skip(found.missing);
    await go("/models");
    const words = group("Words in pictures");
    await words.getByText("Models", { exact: true }).click();
    await words.getByRole("button", { name: /^Check its files/ }).click();
    await page.getByText("every file is as it should be").waitFor();

    await words.getByRole("button", { name: /^Switch off/ }).click();
    await words.getByText("Switched off").waitFor();
    await words.getByRole("button", { name: /^Switch on/ }).click();
    await words.getByRole("button", { name: /^Switch off/ }).waitFor();

    await words.getByRole("button", { name: /^Remove PP-OCR/ }).click();
    const dialog = page.getByRole("dialog", { name: /^Remove PP-OCR/ });
    expect(await dialog.innerText()).toContain("This frees 32 MB");
    await dialog.getByRole("button", { name: "Remove it" }).click();
    await page.getByText("are free again").waitFor();
    await words
      .getByRole("button", { name: /^Install PP-OCR/ })
      .first()
      .waitFor();
  });
});

describe("settings", () => {
  test("hold at once and are still there in another window", { timeout: 90_000 }, async () => {
    await go("/models?tab=settings");
    const share = page.getByLabel("Share of the processor");
    await share.focus();
    await page.keyboard.press("Home");
    await expect.poll(() => share.getAttribute("aria-valuetext")).toBe("gentle, 10 percent");
    await page.getByLabel("Wait while on battery").uncheck();
    await page.getByLabel("Most memory for open models").fill("1,5");
    await page.keyboard.press("Enter");
    await page.getByRole("group", { name: "Graphics processor" }).getByRole("button", { name: "Off" }).click();
    await page.getByText("What it may do").click();
    await page.getByRole("group", { name: "Order" }).getByRole("button", { name: "Off" }).click();
    await page.waitForTimeout(500);

    const other = await page.context().newPage();
    await other.goto(`${product.origin}/#/models?tab=settings`);
    await other.getByLabel("Share of the processor").waitFor();
    expect(await other.getByLabel("Share of the processor").inputValue()).toBe("10");
    expect(await other.getByLabel("Wait while on battery").isChecked()).toBe(false);
    expect(await other.getByLabel("Most memory for open models").inputValue()).toBe("1.5");
    await other.getByText("1 chosen by you").waitFor();
    await other.close();
  });

  test("tell at the field what does not fit", async () => {
    await go("/models?tab=settings");
    await page.getByLabel("Most memory for open models").fill("0.05");
    await page.keyboard.press("Tab");
    await page.getByText("at least 0.2 GB").waitFor();
    expect(await page.getByLabel("Most memory for open models").getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("Most memory for open models").fill("");
    await page.keyboard.press("Tab");
    await page.getByText("at least 0.2 GB").waitFor({ state: "detached" });
    await page.getByText("Network for models").click();
    await page.getByLabel("Another address of the model hub").fill("ftp://files.example");
    await page.keyboard.press("Tab");
    await page.getByText("This is no https address").waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });
});

describe("what models bring about, with answers written here", () => {
  const text = "HARBOUR FERRY\nBERTH 4711\nPLATFORM NINE";
  const perceived: Perceived = {
    ocr: {
      model: `${reader}@1`,
      text,
      lines: [
        { start: 0, end: 13, quad: [0.07, 0.1, 0.7, 0.1, 0.7, 0.24, 0.07, 0.24], confidence: 0.98, at: null },
        { start: 14, end: 24, quad: [0.07, 0.34, 0.55, 0.34, 0.55, 0.48, 0.07, 0.48], confidence: 0.97, at: null },
        { start: 25, end: 38, quad: [0.07, 0.6, 0.7, 0.6, 0.7, 0.73, 0.07, 0.73], confidence: 0.6, at: null },
      ],
    },
    tags: { model: "efficientnet-lite0@1", tags: [{ label: "envelope", score: 0.82 }] },
  };
  const busy = (model: ModelStatus): ModelStatus =>
    model.id === reader ? { ...model, state: "installed", active: true } : { ...model, measured: false, fits: false };

  /** A window in which the reader has read some pictures and given up on one. */
  async function scripted(options: { colorScheme?: "light" | "dark"; width?: number } = {}) {
    const { colorScheme = "light", width = 1440 } = options;
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme,
      storageState: await page.context().storageState(),
    });
    const window = await context.newPage();
    window.setDefaultTimeout(90_000);
    window.on("pageerror", (error) => faults.push(error.message));
    const asked = await scriptAnswers(
      window,
      {
        "views.failed": () => ({
          rows: [{ recordId: 1, purpose: "ocr", model: `${reader}@1`, reason: "The picture is damaged.", attempts: 2 }],
          total: 1,
        }),
        "views.retry": () => ({ count: 1 }),
      },
      {
        "models.list": (answer) => ({ ...answer, models: answer.models.map(busy) }),
        "archive.status": (answer) =>
          answer.indexes
            ? {
                ...answer,
                indexes: {
                  ...answer.indexes,
                  views: [{ purpose: "ocr", model: `${reader}@1`, done: 71, pending: 37, failed: 3 }],
                },
              }
            : answer,
        "records.get": (answer) => ({ ...answer, record: { ...answer.record, perceived } }),
      },
    );
    return { window, asked, close: () => context.close() };
  }

  test("progress, failures with their reason, and another try", async () => {
    const { window, asked, close } = await scripted();
    await window.goto(`${product.origin}/#/models`);
    const words = window.getByRole("region", { name: "Words in pictures", exact: true });
    await words.getByText("71 of 111 pictures").waitFor();
    expect(Number(await words.getByRole("progressbar").getAttribute("value"))).toBeCloseTo(74 / 111, 3);
    await words.getByText("Could not be read").click();
    await words.getByText("The picture is damaged.").waitFor();
    await words.getByText("2 tries").waitFor();
    await words.getByRole("button", { name: "Try all of them again" }).click();
    await window.getByText("1 picture will be tried again.").waitFor();
    expect(asked).toContainEqual({ method: "views.retry", input: { purpose: "ocr" } });
    await close();
  });

  test("a citation of text in a picture lights exactly its lines, at any size; a thing seen leads to more of it", async () => {
    const { window, close } = await scripted();
    await window.goto(`${product.origin}/#/record/1?cite=ocr:14-24`);
    await window.locator(".quad--cited").waitFor({ state: "attached" });
    expect(await window.locator("mark").allInnerTexts()).toEqual(["BERTH 4711"]);
    for (const width of [1440, 700, 400]) {
      await window.setViewportSize({ width, height: 900 });
      expect(await window.locator(".quad--cited").count()).toBe(1);
      const line = await window.locator(".quad--cited polygon").last().boundingBox();
      const picture = await window.locator(".record__frame img").boundingBox();
      if (!line || !picture) throw new Error("The line is not drawn.");
      // The picture lies whole and in the middle of its frame, 900 × 600.
      const scale = Math.min(picture.width / 900, picture.height / 600);
      const left = picture.x + (picture.width - 900 * scale) / 2;
      const top = picture.y + (picture.height - 600 * scale) / 2;
      expect(line.x).toBeCloseTo(left + 0.07 * 900 * scale, -1);
      expect(line.y).toBeCloseTo(top + 0.34 * 600 * scale, -1);
      expect(line.width).toBeCloseTo(0.48 * 900 * scale, -1);
    }
    await window.setViewportSize({ width: 1440, height: 900 });

    const lines = window.getByRole("group", { name: /^Text in the picture/ });
    await lines.focus();
    await window.keyboard.press("End");
    expect(await window.locator(".picture-words__line--lit").innerText()).toBe("PLATFORM NINE");
    await window.getByText("Line 3 of 3, hard to read: PLATFORM NINE").waitFor({ state: "attached" });
    expect(await window.locator(".quad--lit").count()).toBe(1);

    await window.getByRole("button", { name: /^envelope, quite sure/ }).click();
    await expect.poll(() => window.url()).toContain("/library?q=envelope");
    await close();
  });

  test.each([
    ["light", 1440],
    ["dark", 1440],
    ["light", 400],
    ["dark", 400],
  ] as const)("axe finds no violation: %s, %i px", { timeout: 120_000 }, async (colorScheme, width) => {
    const { window, close } = await scripted({ colorScheme, width });
    const found: string[] = [];
    const look = async (where: string) => {
      await window.waitForTimeout(300);
      found.push(...(await axeViolations(window)).map((line) => `${where}: ${line}`));
    };
    await window.goto(`${product.origin}/#/models`);
    const words = window.getByRole("region", { name: "Words in pictures", exact: true });
    await words.getByText("Could not be read").click();
    await words.getByText("Models", { exact: true }).click();
    await look("Models");
    await words.getByRole("button", { name: /^Install PP-OCR, Cyrillic/ }).click();
    await look("Consent");
    await window.keyboard.press("Escape");
    await window.goto(`${product.origin}/#/models?tab=settings`);
    await window.getByText("What it may do").click();
    await window.getByText("Network for models").click();
    await look("Settings");
    await window.goto(`${product.origin}/#/record/1?cite=ocr:14-24`);
    await window.locator(".quad--cited").waitFor({ state: "attached" });
    await look("Record");
    await close();
    expect(found).toEqual([]);
  });

  test("nothing was asked of any other machine, and nothing was thrown", () => {
    expect(foreign).toEqual([]);
    expect(faults).toEqual([]);
  });
});
