import { parentPort } from "node:worker_threads";
import { importers } from "../importers/register.ts";
import type { DocumentReader } from "../importers/types.ts";
import { createParseService } from "../ingest/parse.ts";
import { exposeService } from "./service.ts";

/** The thread that opens untrusted files. It may hang or die of them: `createParser` kills it and starts another. */

const documents: DocumentReader = {
  async read(_bytes, { name }) {
    return {
      text: null,
      title: null,
      created: null,
      reason: `${name ?? "The document"} is kept, its text is not read.`,
    };
  },
};

if (parentPort) exposeService(parentPort, createParseService(importers, documents));
