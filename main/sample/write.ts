import { resolve } from "node:path";
import { generateSample } from "./generate.ts";

/** Writes the sample household into the folder named on the command line. */
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write("Which folder? node main/sample/write.ts FOLDER\n");
  process.exitCode = 2;
} else {
  const { files, bytes } = await generateSample(resolve(folder));
  process.stdout.write(`${files} files, ${(bytes / 1e6).toFixed(1)} MB in ${resolve(folder)}\n`);
}
