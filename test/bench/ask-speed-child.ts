import { speedChild } from "./ask-speed.ts";

await speedChild(process.argv.slice(2));
