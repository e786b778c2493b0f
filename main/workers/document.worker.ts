import { parentPort } from "node:worker_threads";
import { readDocument } from "../documents/index.ts";
import type { DocumentService } from "./documents.ts";
import { exposeService } from "./service.ts";

/** The thread in which documents are opened. It may hang or run out of memory: `createDocumentReader` starts another. */

const service: DocumentService = {
  async ready() {},
  read: ({ bytes, name, mime }) => readDocument(bytes, { name, mime }),
};

// pdf.js reads the last pages of a file ahead and waits for them only when they are asked for: a damaged one is told there as
// a page that cannot be read, and must not end the thread before (`Catalog.getPageDict` of pdfjs-dist).
process.on("unhandledRejection", () => undefined);

if (parentPort) exposeService(parentPort, service);
