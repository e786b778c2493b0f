import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "./browser.ts";
import { axeViolations, makeArchive, type Product, startProduct, watchForeignRequests } from "./product.ts";

/** Who is who, and in which zone clocks ran: asked once, joined with a reason, taken back, in the real product. */

let browser: Browser;
let place: string;
let product: Product;
let page: Page;
let foreign: string[];
const faults: string[] = [];

const mail = (id: string, from: string, to: string, text: string) =>
  `From: ${from}\nTo: ${to}\nSubject: ${id}\nDate: Tue, 2 Jul 2024 09:00:00 +0200\nMessage-ID: <${id}@quince.example>\n\n${text}\n`;

const files: Readonly<Record<string, string>> = {
  "WhatsApp Chat with Ada Quince.txt": [
    "28/06/2024, 19:04 - Ada Quince: The orchard key hangs behind the door.",
    "28/06/2024, 19:05 - Robin: Thank you, I will be there at nine.",
    "29/06/2024, 08:11 - Ada Quince: Bring the long ladder.",
  ].join("\n"),
  "one.eml": mail("one", "A. Q. <ada@quince.example>", "robin@hedge.example", "The cider press is mended."),
  "two.eml": mail("two", "Robin Hedge <robin@hedge.example>", "ada@quince.example", "Splendid."),
  "three.eml": mail("three", "Robin Hedge <robin@hedge.example>", "ada@quince.example", "See you in September."),
  "contacts.vcf":
    "BEGIN:VCARD\nVERSION:3.0\nFN:Ada Quince\nN:Quince;Ada;;;\nTEL;TYPE=CELL:+44 20 7946 0018\nEMAIL:ada@quince.example\nEND:VCARD\n",
};

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "understory-people-"));
  browser = await launchBrowser();
  product = await startProduct({ archive: join(place, "archive"), models: join(place, "models") });
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  page.setDefaultTimeout(60_000);
  page.on("pageerror", (error) => faults.push(error.message));
  foreign = watchForeignRequests(page, product.origin);
  await page.goto(product.url);
  await makeArchive(page);
}, 120_000);
afterAll(async () => {
  await page?.context().close();
  await product?.stop();
  await browser?.close();
  await rm(place, { recursive: true, force: true });
});

const go = (hash: string) => page.goto(`${product.origin}/#${hash}`);

test("a chat without a zone is asked about before it is read, and its times say that they are assumed", async () => {
  const paths: string[] = [];
  for (const [name, content] of Object.entries(files)) {
    paths.push(join(place, name));
    await writeFile(join(place, name), content);
  }
  await go("/imports");
  await page.getByLabel("Choose files…").setInputFiles(paths);
  const plan = page.getByRole("region", { name: "Plan" });
  await plan.waitFor();
  await page.getByLabel("Time zone of their clocks").selectOption("Europe/London");
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "Read it in" }).click();
  await page.getByText("7 records", { exact: false }).first().waitFor();
  await go("/library");
  await page.getByLabel("Search the library").fill("orchard key");
  await page.getByText("The orchard key").first().click();
  await page
    .getByText("the time zone, Europe/London, was worked out, not given")
    .first()
    .waitFor({ state: "attached" });
});

test("people are joined by a contact card; the join is shown with its reason, taken apart, and made by hand", async () => {
  await go("/people");
  await page.getByRole("link", { name: /^Ada Quince/ }).waitFor();
  expect(await page.getByRole("link", { name: /^A\. Q\./ }).count()).toBe(0);
  await page.getByRole("link", { name: /^Ada Quince/ }).click();
  const why = page.getByRole("region", { name: "Why they are one" });
  await why.getByText("The chat takes its names from the address book").waitFor();
  await why
    .getByRole("button", { name: /Take apart/ })
    .first()
    .click();
  await go("/people");
  await page.getByRole("link", { name: /^A\. Q\./ }).waitFor();
  const perhaps = page.getByRole("region", { name: "Perhaps one person" });
  await perhaps.getByRole("button", { name: /^One person: Robin Hedge, Robin/ }).click();
  await page
    .getByRole("link", { name: /^Robin Hedge/ })
    .first()
    .waitFor();
});

test("the owner is asked for once, where no export says who it is", async () => {
  await go("/people");
  const who = page.getByRole("region", { name: "Which of these is you?" });
  if ((await who.count()) > 0) {
    await who.getByRole("button", { name: "This is me: Robin Hedge" }).click();
    await who.waitFor({ state: "detached" });
  }
  await page
    .getByRole("link", { name: /^Robin Hedge/ })
    .first()
    .click();
  await page.getByText("you", { exact: true }).first().waitFor();
});

test("the room has no accessibility fault, light and dark, wide and narrow", async () => {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [1440, 400]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await go("/people");
      await page.getByRole("heading", { name: "People" }).waitFor();
      await page
        .getByRole("link", { name: /^Robin Hedge/ })
        .first()
        .waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await page
        .getByRole("link", { name: /^Robin Hedge/ })
        .first()
        .click();
      await page.getByRole("region", { name: "Known as" }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
    }
  }
});

test("an import is undone as a whole, after a look at what goes to the trash", async () => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1440, height: 900 });
  await go("/imports");
  await page.getByRole("button", { name: "Undo import" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("7 records go to the trash.").waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Undo import" }).click();
  await page.getByText("Undone; what it brought lies in the trash").waitFor();
  await go("/people");
  await page.getByText("Nobody yet").waitFor();
  expect(foreign).toEqual([]);
  expect(faults).toEqual([]);
});
