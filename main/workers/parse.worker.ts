import { parentPort } from "node:worker_threads";
import { importers } from "../importers/register.ts";
import { createParseService } from "../ingest/parse.ts";
import { createDocumentReader } from "./documents.ts";
import { exposeService } from "./service.ts";

/** The thread that opens untrusted files. It may hang or die of them: `createParser` kills it and starts another. */

if (parentPort) exposeService(parentPort, createParseService(importers, createDocumentReader()));
