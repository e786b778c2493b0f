import { importWhole } from "./takeout-import.ts";

/** One start of the product, made to be killed: `takeout-child.ts PLACE ROOT` prints a dot a step, then the outcome. */

const [place = "", root = ""] = process.argv.slice(2);
const outcome = await importWhole(place, root, { step: () => void process.stdout.write(".") });
process.stdout.write(`\n${JSON.stringify(outcome)}\n`, () => process.exit(0));
