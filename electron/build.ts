import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build, type InlineConfig } from "vite";

/**
 * Bundles the desktop product: the window, the shell, its preload, the core's process and every worker thread.
 * Packages stay outside the bundle and are packed as they are; only our own sources are joined.
 */

const root = fileURLToPath(new URL("../", import.meta.url));
const workers = ["store", "read", "index", "parse", "document", "media", "inference", "llm"] as const;

/** A bundle for Node: entry names are file names, so that threads find each other. */
function nodeBundle(outDir: string, input: Record<string, string>, format: "es" | "cjs"): InlineConfig {
  return {
    root,
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    build: {
      ssr: true,
      outDir,
      emptyOutDir: false,
      target: "node24",
      minify: false,
      rolldownOptions: {
        input,
        external: ["electron"],
        output: {
          format,
          entryFileNames: format === "cjs" ? "[name].cjs" : "[name].js",
          chunkFileNames: "chunk-[name]-[hash].js",
        },
      },
    },
  };
}

/** @param outDir where the bundle goes; `dist` is what electron-builder.yml packs. */
export async function buildDesktop(outDir = "dist"): Promise<void> {
  await rm(`${root}${outDir}/main`, { recursive: true, force: true });
  await rm(`${root}${outDir}/electron`, { recursive: true, force: true });
  await build(nodeBundle(`${outDir}/electron`, { main: "electron/main.ts" }, "es"));
  await build(nodeBundle(`${outDir}/electron`, { preload: "electron/preload.ts" }, "cjs"));
  const entries = Object.fromEntries(workers.map((name) => [`${name}.worker`, `main/workers/${name}.worker.ts`]));
  await build(nodeBundle(`${outDir}/main`, { port: "main/host/port.ts", ...entries }, "es"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildDesktop();
