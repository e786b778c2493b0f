import { parentPort } from "node:worker_threads";
import { readDocument } from "../documents/index.ts";
import type { DocumentService } from "./documents.ts";
import { exposeService } from "./service.ts";

/** The thread in which documents are opened. It may hang or run out of memory: `createDocumentReader` starts another. */

const service: DocumentService = {
  async ready() {},
  read: ({ bytes, name, mime }) => readDocument(bytes, { name, mime }),
};

if (parentPort) exposeService(parentPort, service);
