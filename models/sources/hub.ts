import { join } from "node:path";
import { type Build, buildsOf } from "../catalogue.ts";
import { quarantineFile } from "../installed.ts";
import { type Announced, askHub, download, type Expected, type Fetch, WrongFileError } from "./https.ts";
import type { HubSource } from "./schema.ts";
import type { FetchContext, StagedFile } from "./source.ts";
import { stagedAs } from "./taker.ts";

/** A file of this size or more is asked about before it is fetched: another one behind the address costs no download. */
const askFrom = 32 * 1024 ** 2;
/** Most bytes of a file whose size we have only from the hub. */
const announcedCap = 16 * 1024 ** 3;

interface Wanted {
  readonly name: string;
  readonly url: string;
  /** What we know of the file, from having had it or from its publisher; null: nothing but about its size. */
  readonly build: Build | null;
  readonly about: number;
}

/** Brings all files of a model from a model hub. Files that an earlier attempt completed are not fetched again. */
export async function fetchFromHub(
  source: HubSource,
  context: FetchContext,
  options: { fetch: Fetch; base: string; pauses?: readonly number[] },
): Promise<StagedFile[]> {
  const { model, signal } = context;
  const wanted = source.files.map(({ name, path, other }): Wanted => {
    const build = other ?? buildsOf(model, name)[0] ?? null;
    const about = model.files.find((file) => file.name === name)?.bytes ?? 0;
    return { name, url: `${options.base}/${path}`, build, about: build?.bytes ?? about };
  });
  let total = wanted.reduce((sum, { about }) => sum + about, 0);
  let before = 0;
  const staged: StagedFile[] = [];
  for (const one of wanted) {
    const { name, build } = one;
    let file = build?.verified ? await stagedAs({ name, builds: [build] }, context) : null;
    if (!file) {
      const expected = await expectedOf(one, options.fetch, signal);
      total += expected.bytes - one.about;
      const sha256 = await bring(one, expected, context, {
        ...options,
        onBytes: (bytes) => context.onProgress(before + bytes, total, `Downloading ${name}`),
      });
      file = { name, build: { bytes: expected.bytes, sha256, verified: build?.verified ?? false } };
    }
    staged.push(file);
    before += file.build.bytes;
    context.onProgress(before, total, `Checked ${name}`);
  }
  return staged;
}

/** What the file at the address has to be. Throws when neither we nor the hub know a hash of it. */
async function expectedOf({ name, url, build, about }: Wanted, fetch: Fetch, signal: AbortSignal | undefined) {
  if (build?.verified && build.bytes < askFrom) return build;
  const told = await askHub(url, fetch, signal);
  if (build && told.sha256 !== null && told.sha256 !== build.sha256) {
    throw new Error(`${name} is another file by now than the one that the catalogue names`);
  }
  if (build?.verified) return build;
  return trusted(name, { ...told, sha256: build?.sha256 ?? told.sha256 }, about);
}

function trusted(name: string, { bytes, sha256, gitSha1 }: Announced, about: number): Expected {
  if (bytes === null || (sha256 === null && gitSha1 === null)) {
    throw new Error(`it tells no size and hash of ${name}, and we have none: not taken`);
  }
  // Far larger than its publisher says is another file, whatever its hash.
  if (bytes > announcedCap || bytes > 4 * about + 1e6) throw new Error(`${name} is far larger than it should be`);
  return { bytes, sha256, gitSha1 };
}

async function bring(
  { name, url }: Wanted,
  expected: Expected,
  { folder, model, staging, signal }: FetchContext,
  options: { fetch: Fetch; pauses?: readonly number[]; onBytes: (bytes: number) => void },
): Promise<string> {
  const path = join(staging, name);
  const { fetch, onBytes, pauses } = options;
  try {
    return await download({ url, path, build: expected, fetch, signal, onBytes, ...(pauses ? { pauses } : {}) });
  } catch (error) {
    if (!(error instanceof WrongFileError)) throw error;
    throw await quarantineFile(folder, model, `${path}.part`, `${name}: ${error.message}`);
  }
}
