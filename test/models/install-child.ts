import { installModel } from "#models/fetcher.ts";
import { smallModel } from "./small-model.ts";

/** Run as a process of its own and killed in the middle: installs the small model and tells each step. */
const [folder = "", hubBase = ""] = process.argv.slice(2);
const { model } = smallModel();
await installModel({
  id: model.id,
  model,
  folder,
  hubBase,
  consent: true,
  sources: ["hub"],
  onProgress: ({ done }) => process.stdout.write(`${done}\n`),
});
