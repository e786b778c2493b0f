import { parentPort } from "node:worker_threads";
import { importers } from "../importers/register.ts";
import { packed } from "../ingest/packed.ts";
import { createParseService, type ParseService } from "../ingest/parse.ts";
import { createDocumentReader } from "./documents.ts";
import { exposeService } from "./service.ts";

/** The thread that opens untrusted files. It may hang or die of them: `createParser` kills it and starts another. */

const service = createParseService(importers, createDocumentReader());

if (parentPort) {
  exposeService<ParseService>(parentPort, {
    ...service,
    async *read(input, context) {
      for await (const batch of service.read(input, context)) yield packed(batch);
    },
  });
}
