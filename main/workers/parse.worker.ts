import { parentPort } from "node:worker_threads";
import { sweepForeignCopies } from "#native/foreign-sqlite.ts";
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

// A thread or process that was killed while it read a database may have left its copy.
if (parentPort) sweepForeignCopies();
if (parentPort) exposeService(parentPort, createParseService(importers, documents));
