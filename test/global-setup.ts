import { fileURLToPath } from "node:url";
import { build } from "vite";

/** Builds the window once, before any test file serves or packs it; test files run side by side. */
export async function setup(): Promise<void> {
  const configFile = fileURLToPath(new URL("../vite.config.ts", import.meta.url));
  const root = fileURLToPath(new URL("../renderer", import.meta.url));
  await build({ root, configFile, logLevel: "error" });
}
