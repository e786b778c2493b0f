import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Package managers of a test: commands of their names that copy what lies in a folder, as `name-version…` says, into the
 * folder they are called in, and write down that they were called. Real ones need a registry.
 */
export async function fakeManagers(place: string): Promise<{ bin: string; shelf: string; calls: string }> {
  const bin = join(place, "bin");
  const shelf = join(place, "shelf");
  const calls = join(place, "calls.txt");
  await mkdir(bin, { recursive: true });
  await mkdir(shelf, { recursive: true });
  const script = `#!${process.execPath}
const { appendFileSync, copyFileSync, existsSync } = require("node:fs");
const args = process.argv.slice(2);
if (args.includes("--version")) process.exit(0);
const wanted = args.find((one) => /==|@\\d|-Dartifact=/.test(one)).replace("-Dartifact=", "");
appendFileSync(${JSON.stringify(calls)}, wanted + "\\n");
const name = wanted.replace(/[^A-Za-z0-9.]+/g, "_");
for (const ending of [".whl", ".tgz", ".jar"]) {
  const path = ${JSON.stringify(`${shelf}/`)} + name + ending;
  if (!existsSync(path)) continue;
  copyFileSync(path, name + ending);
  process.exit(0);
}
console.error("ERROR: No matching distribution found for " + wanted);
process.exit(1);
`;
  for (const name of ["python3", "npm", "mvn"]) {
    await writeFile(join(bin, name), script);
    await chmod(join(bin, name), 0o755);
  }
  return { bin, shelf, calls };
}
