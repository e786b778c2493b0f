import childProcess from "node:child_process";
import { registerHooks } from "node:module";
import { Socket } from "node:net";
import { openLlama } from "#native/llama.ts";

/**
 * Opens a model and writes a little, where no connection can be made; as in Electron where the first argument says so:
 * there nothing can be forked either. Says what was written.
 */
const [kind, path = ""] = process.argv.slice(2);
Socket.prototype.connect = () => {
  throw new Error("A connection was opened.");
};
globalThis.fetch = () => {
  throw new Error("Something was fetched.");
};
if (kind === "electron") {
  Object.defineProperty(process.versions, "electron", { value: "45.5.0" });
  // What a utility process gets: Electron's own module, without the main process's means to start others.
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "electron"
        ? { url: "data:text/javascript,export const net = null", shortCircuit: true }
        : next(specifier, context),
  });
  childProcess.fork = () => {
    throw new Error("A child was forked.");
  };
}
const llama = await openLlama(path, { contextTokens: 128, threads: 1, gpu: "auto" });
let text = "";
const prompt = llama.render([{ role: "user", text: "Hello" }]);
for await (const piece of llama.generate(prompt, { maxTokens: 4, temperature: 0, seed: 1 })) text += piece;
await llama.dispose();
console.log(JSON.stringify({ text }));
process.exit(0);
