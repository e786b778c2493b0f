import { parentPort } from "node:worker_threads";
import { createParseService } from "#main/ingest/index.ts";
import { exposeService } from "#main/workers/service.ts";
import { plainDocuments } from "../importers/memory-tree.ts";
import { linesImporter } from "./lines-importer.ts";

if (parentPort) exposeService(parentPort, createParseService([linesImporter], plainDocuments));
