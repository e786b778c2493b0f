import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { openPromise } from "yauzl";

/** Largest member that is taken out of a package, bytes. */
const memberCap = 4 * 1024 ** 3;

/**
 * Writes one member of a zip (a wheel, a jar) to a file; a path of several parts goes through zips inside zips, with
 * `target.N` as scratch files. False when there is no such member. Throws for a damaged zip or a member over the cap.
 */
export async function extractMember(zip: string, path: readonly string[], target: string): Promise<boolean> {
  const [member, ...inner] = path;
  if (member === undefined) return false;
  if (inner.length === 0) return await extractOne(zip, member, target);
  const scratch = `${target}.${inner.length}`;
  try {
    return (await extractOne(zip, member, scratch)) && (await extractMember(scratch, inner, target));
  } finally {
    await rm(scratch, { force: true });
  }
}

async function extractOne(path: string, member: string, target: string): Promise<boolean> {
  const zip = await openPromise(path, { autoClose: false });
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName !== member) continue;
      if (entry.uncompressedSize > memberCap) throw new Error(`${member} is larger than any model file`);
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(target));
      return true;
    }
    return false;
  } finally {
    zip.close();
  }
}
