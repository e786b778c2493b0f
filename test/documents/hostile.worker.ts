import { parentPort } from "node:worker_threads";
import type { DocumentService } from "#main/workers/documents.ts";
import { exposeService } from "#main/workers/service.ts";

/** A document thread that hangs, dies or answers, as the name of the document says. */
const service: DocumentService = {
  async ready() {},
  async read({ name }) {
    if (name === "endless.pdf") for (;;);
    if (name === "deadly.pdf") process.exit(3);
    if (name === "hungry.pdf") {
      const held: object[] = [];
      for (;;) held.push({ held });
    }
    return { text: `text of ${name}`, title: null, created: null, reason: null };
  },
};

if (parentPort) exposeService(parentPort, service);
