import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** A browser's path, or `packaged` to pass over the system's. */
const wish = process.env.UNDERSTORY_TEST_BROWSER;
const systemBrowsers = [
  wish,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:/Program Files/Google/Chrome/Application/chrome.exe",
];

/**
 * A real Chromium: the system's where there is one, else the one that comes as a package (Linux x64), else playwright's
 * own. Flags keep it from talking to anyone.
 */
export async function launchBrowser(): Promise<Browser> {
  const system =
    wish === "packaged" ? undefined : systemBrowsers.find((path) => path !== undefined && existsSync(path));
  const quiet = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  if (system !== undefined) return chromium.launch({ executablePath: system, args: quiet });
  if (process.platform === "linux" && process.arch === "x64") {
    const { default: packaged } = await import("@sparticuz/chromium");
    // Its own flags are for a cloud function; one process for all is not how people's browsers run.
    const args = packaged.args.filter((flag) => flag !== "--single-process" && flag !== "--no-zygote");
    return chromium.launch({ executablePath: await packaged.executablePath(), args: [...args, ...quiet] });
  }
  return chromium.launch({ args: quiet });
}
