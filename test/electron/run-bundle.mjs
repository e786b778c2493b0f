// Runs the bundled core as Electron's utility process would, with a stand-in for `process.parentPort`:
// start, hand over a window's port, make an archive, import a mailbox, search, stop. Prints one line of JSON.
import { pathToFileURL } from "node:url";
import { MessageChannel } from "node:worker_threads";

const [bundle, place] = process.argv.slice(2);
const listeners = [];
const answers = new Map();
const fromCore = (type) => new Promise((resolve) => answers.set(type, resolve));
process.parentPort = {
  on: (_event, listener) => listeners.push(listener),
  postMessage: (message) => answers.get(message.type)?.(message),
};
const toCore = (data, ports = []) => {
  for (const listener of listeners) listener({ data, ports });
};

await import(pathToFileURL(bundle).href);
const ready = fromCore("ready");
toCore({ type: "start", archiveDir: `${place}/archive`, modelsDir: `${place}/models`, keychainRefusal: "not here" });
await ready;

const { port1, port2 } = new MessageChannel();
toCore({ type: "client" }, [port1]);
const waiting = new Map();
port2.on("message", (message) => waiting.get(message.id)?.(message));
let id = 0;
const call = (method, input) =>
  new Promise((resolve, reject) => {
    id += 1;
    waiting.set(id, (message) =>
      message.t === "error" ? reject(new Error(JSON.stringify(message))) : resolve(message.value),
    );
    port2.postMessage({ t: "call", id, method, input });
  });

await call("archive.create", { name: "Bundle", passphrase: "seven quiet lanterns" });
const plan = await call("imports.plan", { paths: [`${place}/inbox.mbox`] });
await call("imports.run", { planId: plan.planId });
const over = (job) => job.state === "done" || job.state === "failed";
let jobs = [];
do {
  await new Promise((resolve) => setTimeout(resolve, 50));
  ({ jobs } = await call("jobs.list", {}));
} while (!jobs.some((job) => job.kind === "import") || !jobs.every(over));
const status = await call("archive.status", {});
const found = await call("library.search", { query: "lantern", filter: {} });

const exit = process.exit;
process.exit = () => {
  const hits = found.hits.map((hit) => hit.record.subject);
  process.stdout.write(JSON.stringify({ state: status.state, records: status.counts.records, hits, stopped: true }));
  exit(0);
};
toCore({ type: "stop" });
