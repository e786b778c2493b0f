import { indexInChild } from "./indexing.ts";

const [archive = "", models = "", data = ""] = process.argv.slice(2);
await indexInChild(archive, models, data);
