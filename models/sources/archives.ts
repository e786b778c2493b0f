import { createReadStream, createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { openPromise } from "yauzl";
import { UnderstoryError } from "#contract";
import { readTarMember } from "./tar.ts";

/**
 * Archives come from outside and are not trusted: nothing is taken but a member whose name the catalogue gives, no more
 * bytes of it than the catalogue says, and no path in an archive ever becomes a path on the disk.
 */

const zips = /\.(whl|zip|jar)$/i;
const tars = /\.(tgz|tar\.gz)$/i;

export function isArchive(path: string): boolean {
  return zips.test(path) || tars.test(path);
}

/** Most bytes that a zip inside a zip may have: the largest package that holds one, with room. */
const innerCap = 512 * 1024 ** 2;

export interface MemberOptions {
  /** Most bytes that the member may have. */
  readonly most: number;
  /** Adds to the end of the target in place of writing it anew. */
  readonly append?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Sees every piece before it is written. */
  readonly onChunk?: (chunk: Uint8Array) => void;
}

/**
 * Writes one member of an archive (wheel, jar, zip, npm's tar.gz) to a file; a path of several parts goes through zips
 * inside it, with `target.N` as scratch files. False when there is no such member. Throws for a damaged archive or a
 * member that is larger than `most`.
 */
export async function takeMember(
  archive: string,
  path: readonly string[],
  target: string,
  options: MemberOptions,
): Promise<boolean> {
  const [member, ...inner] = path;
  if (member === undefined) return false;
  if (inner.length === 0) return await takeOne(archive, member, target, options);
  const scratch = `${target}.${inner.length}.zip`;
  try {
    const there = await takeOne(archive, member, scratch, { most: innerCap, signal: options.signal });
    return there && (await takeMember(scratch, inner, target, options));
  } finally {
    await rm(scratch, { force: true });
  }
}

async function takeOne(archive: string, member: string, target: string, options: MemberOptions): Promise<boolean> {
  if (tars.test(archive)) {
    const content = await readTarMember(createReadStream(archive).pipe(createGunzip()), member, options.most);
    if (!content) return false;
    await write(Readable.from(content), member, target, options);
    return true;
  }
  const zip = await openPromise(archive, { autoClose: false });
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName !== member) continue;
      if (entry.uncompressedSize > options.most) throw tooLarge(member);
      await write(await zip.openReadStreamPromise(entry), member, target, options);
      return true;
    }
    return false;
  } finally {
    zip.close();
  }
}

export function tooLarge(member: string): UnderstoryError {
  return new UnderstoryError("limit_exceeded", `${member} in the package is larger than the catalogue says.`);
}

async function write(content: Readable, member: string, target: string, options: MemberOptions): Promise<void> {
  let have = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      have += chunk.length;
      if (have > options.most) return done(tooLarge(member));
      options.onChunk?.(chunk);
      done(null, chunk);
    },
  });
  const file = createWriteStream(target, { flags: options.append ? "a" : "w", flush: true });
  await pipeline(content, meter, file, options.signal ? { signal: options.signal } : {});
}
