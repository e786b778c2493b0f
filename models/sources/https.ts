import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readFile, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { UnderstoryError } from "#contract";
import { hashFile } from "../installed.ts";

/** The only code of the product that opens an outgoing connection; it runs after consent and for files of the catalogue. */

export type Fetch = (
  url: string,
  init: {
    headers: Record<string, string>;
    signal: AbortSignal;
    method?: "GET" | "HEAD";
    /** `manual`: a redirection is handed out as it is. */
    redirect?: "follow" | "manual";
  },
) => Promise<Response>;

/** What a file must be: by its SHA-256, or by git's hash of it, as hubs tell for files that are small. */
export interface Expected {
  readonly bytes: number;
  readonly sha256: string | null;
  /** SHA-1 over git's header and the content. */
  readonly gitSha1?: string | null;
}

export interface DownloadOptions {
  readonly url: string;
  /** Where the complete, checked file goes. `PATH.part` and `PATH.part.json` hold an unfinished one. */
  readonly path: string;
  readonly build: Expected;
  readonly fetch: Fetch;
  readonly signal: AbortSignal | undefined;
  /** Bytes of this file that are there. */
  readonly onBytes: (bytes: number) => void;
  /** Waits between attempts, ms; as many attempts as entries and one more. */
  readonly pauses?: readonly number[];
  /** A connection that gives nothing for so long is cut, ms. */
  readonly stallMs?: number;
}

const partSchema = z.object({ url: z.string(), etag: z.string().nullable() });

/** A fault that another attempt will not mend. */
class FinalError extends Error {}
/** The bytes are complete and wrong. */
export class WrongFileError extends Error {}

/**
 * Downloads one file: goes on where an earlier attempt stopped (Range with If-Range), tries again when the connection is
 * cut, and takes nothing but the bytes the catalogue names. Gives their SHA-256. Throws WrongFileError (the file is then at
 * `PATH.part`), `cancelled`, NothingAnswersError at once when there is no way to the server, or an Error with a short reason.
 */
export async function download(options: DownloadOptions): Promise<string> {
  const pauses = options.pauses ?? [500, 2_000, 5_000];
  let sha256: string;
  for (let attempt = 0; ; attempt++) {
    const resumed = (await partSize(options)) > 0;
    try {
      await transfer(options);
      sha256 = await hashFile(`${options.path}.part`, options.signal);
      if (await isRight(`${options.path}.part`, sha256, options.build)) break;
      // A file put together from two answers may be wrong although each was right: once more from the beginning.
      if (!resumed) throw new WrongFileError("its SHA-256 is not the one in the catalogue");
      await forget(options);
    } catch (error) {
      if (options.signal?.aborted) throw new UnderstoryError("cancelled", "The download was cancelled.");
      if (error instanceof FinalError || error instanceof WrongFileError) throw error;
      if (codeOf(error) === "ENOSPC") throw error;
      if (isUnreachable(error)) throw new NothingAnswersError(shortReason(error), { cause: error });
      const pause = pauses[attempt];
      if (pause === undefined) throw new Error(shortReason(error), { cause: error });
      await sleep(pause, undefined, options.signal ? { signal: options.signal } : {});
    }
  }
  await rename(`${options.path}.part`, options.path);
  await rm(`${options.path}.part.json`, { force: true });
  return sha256;
}

async function isRight(path: string, sha256: string, { sha256: expected, gitSha1 }: Expected): Promise<boolean> {
  if (expected !== null) return sha256 === expected;
  return gitSha1 !== null && gitSha1 !== undefined && (await gitHash(path)) === gitSha1;
}

/** Git's name of a file's content: SHA-1 over "blob", its length, NUL and the content. */
async function gitHash(path: string): Promise<string> {
  const hash = createHash("sha1").update(`blob ${(await stat(path)).size}\0`);
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}

/** What a hub itself says of a file, without fetching it. */
export interface Announced {
  readonly bytes: number | null;
  /** Of files in large file storage. */
  readonly sha256: string | null;
  /** Of files that lie in git. */
  readonly gitSha1: string | null;
}

/** Most redirections that are followed when a hub is asked about a file. */
const redirectCap = 3;

/**
 * Asks a hub for size and hash of a file: `x-linked-size` and `x-linked-etag` of its first answer (the storage behind it
 * knows them no more), else the file's own length and validator. Throws NothingAnswersError, `cancelled` or an Error with
 * a short reason.
 */
export async function askHub(url: string, fetch: Fetch, outer: AbortSignal | undefined): Promise<Announced> {
  const watch = watchdog(20_000, outer);
  try {
    let at = url;
    for (let hop = 0; hop <= redirectCap; hop++) {
      const headers = { "accept-encoding": "identity" };
      const response = await fetch(at, { headers, signal: watch.signal, method: "HEAD", redirect: "manual" });
      await response.body?.cancel();
      const header = (name: string) => response.headers.get(name);
      const moved = response.status >= 300 && response.status < 400;
      if (!moved && !response.ok) throw new Error(`the server answered ${response.status}`);
      const linked = header("x-linked-etag");
      if (linked !== null) return announcedBy(linked, header("x-linked-size"));
      if (!moved) return announcedBy(header("etag"), header("content-length"));
      const next = new URL(header("location") ?? "", at);
      if (next.protocol !== new URL(url).protocol) throw new Error("the server sent us to an unprotected address");
      at = next.href;
    }
    throw new Error("the server sent us round in a circle");
  } catch (error) {
    if (outer?.aborted) throw new UnderstoryError("cancelled", "The download was cancelled.");
    if (isUnreachable(error)) throw new NothingAnswersError(shortReason(error), { cause: error });
    throw error instanceof Error && error.cause === undefined ? error : new Error(shortReason(error), { cause: error });
  } finally {
    watch.stop();
  }
}

function announcedBy(etag: string | null, length: string | null): Announced {
  const hash = (etag ?? "").replace(/^W\//, "").replaceAll('"', "");
  const bytes = Number(length ?? Number.NaN);
  return {
    bytes: Number.isSafeInteger(bytes) && bytes > 0 ? bytes : null,
    sha256: /^[0-9a-f]{64}$/.test(hash) ? hash : null,
    gitSha1: /^[0-9a-f]{40}$/.test(hash) ? hash : null,
  };
}

async function forget({ path }: DownloadOptions): Promise<void> {
  await rm(`${path}.part`, { force: true });
  await rm(`${path}.part.json`, { force: true });
}

/** Bytes that are kept of this very address; a part of another one is thrown away. */
async function partSize(options: DownloadOptions): Promise<number> {
  const part = await readPart(options);
  const size = (await stat(`${options.path}.part`).catch(() => null))?.size ?? 0;
  if (part?.url === options.url && size > 0 && size <= options.build.bytes) return size;
  await forget(options);
  return 0;
}

async function readPart({ path }: DownloadOptions): Promise<z.infer<typeof partSchema> | null> {
  try {
    return partSchema.parse(JSON.parse(await readFile(`${path}.part.json`, "utf8")));
  } catch {
    return null;
  }
}

/** One request: appends to the part until it has the size of the build. */
async function transfer(options: DownloadOptions): Promise<void> {
  const { url, path, build } = options;
  let have = await partSize(options);
  if (have === build.bytes) return;
  const etag = (await readPart(options))?.etag ?? null;

  const watch = watchdog(options.stallMs ?? 60_000, options.signal);
  try {
    const headers: Record<string, string> = { "accept-encoding": "identity" };
    if (have > 0) {
      headers.range = `bytes=${have}-`;
      if (etag) headers["if-range"] = etag;
    }
    const response = await options.fetch(url, { headers, signal: watch.signal });
    if (response.status === 416) {
      await response.body?.cancel();
      await forget(options);
      throw new Error("the server refused to go on with a part");
    }
    if (!response.ok) {
      await response.body?.cancel();
      const reason = `the server answered ${response.status}`;
      throw response.status >= 500 || response.status === 429 ? new Error(reason) : new FinalError(reason);
    }
    if (response.status !== 206 || !startsAt(response, have)) {
      // The whole file again: the server knows no ranges, or the file is another one by now.
      if (response.status === 206) {
        await response.body?.cancel();
        await forget(options);
        throw new Error("the server went on at another place");
      }
      have = 0;
      await truncate(`${path}.part`, 0).catch(() => undefined);
    }
    await writeFile(`${path}.part.json`, JSON.stringify({ url, etag: strongEtag(response) }));
    if (!response.body) throw new Error("the server sent nothing");
    const handle = await open(`${path}.part`, "a");
    try {
      for await (const chunk of response.body) {
        watch.touch();
        have += chunk.byteLength;
        if (have > build.bytes) throw new WrongFileError("it is larger than the catalogue says");
        await handle.writeFile(chunk);
        options.onBytes(have);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (have < build.bytes) {
      // Told by the server to be all there is: no attempt will bring more.
      const announced = Number(response.headers.get("content-length") ?? Number.NaN);
      const whole = response.status === 200 && announced === have;
      throw whole ? new WrongFileError("it is smaller than the catalogue says") : new Error("the connection was cut");
    }
  } finally {
    watch.stop();
  }
}

function startsAt(response: Response, offset: number): boolean {
  return new RegExp(`^bytes ${offset}-`).test(response.headers.get("content-range") ?? "");
}

/** If-Range takes strong validators only (RFC 9110 §13.1.5). */
function strongEtag(response: Response): string | null {
  const etag = response.headers.get("etag");
  return etag && !etag.startsWith("W/") ? etag : null;
}

/** Aborts when nothing was touched for `ms`, and when the outer signal does. */
function watchdog(ms: number, outer: AbortSignal | undefined) {
  const controller = new AbortController();
  const cut = () => controller.abort(new Error("the connection gave nothing for a while"));
  let timer = setTimeout(cut, ms);
  return {
    signal: outer ? AbortSignal.any([controller.signal, outer]) : controller.signal,
    touch() {
      clearTimeout(timer);
      timer = setTimeout(cut, ms);
    },
    stop: () => clearTimeout(timer),
  };
}

/** There is no way to the server: no name, no route, nobody listens. Waiting a little will not mend that. */
export class NothingAnswersError extends Error {}

const unreachable = new Set(["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ENETUNREACH", "EHOSTUNREACH", "ENETDOWN"]);

function isUnreachable(error: unknown): boolean {
  return unreachable.has(codeOf(error) ?? "");
}

/** Code of the innermost cause. */
function codeOf(error: unknown): string | null {
  const inner = innermost(error);
  return inner instanceof Error && "code" in inner ? String(inner.code) : null;
}

/** A connection that was tried by several addresses has one cause for each. */
function innermost(error: unknown): unknown {
  let inner = error;
  while (inner instanceof Error) {
    const next: unknown = inner.cause ?? (inner instanceof AggregateError ? inner.errors[0] : undefined);
    if (next === undefined) break;
    inner = next;
  }
  return inner;
}

/** The innermost cause in a few words: "fetch failed" says nothing, "ENOTFOUND" does. */
function shortReason(error: unknown): string {
  const inner = innermost(error);
  const code = codeOf(error);
  const known: Record<string, string> = {
    ENOTFOUND: "its address is not known (no network?)",
    EAI_AGAIN: "its address is not known (no network?)",
    ECONNREFUSED: "the connection was refused",
    ENETUNREACH: "there is no way to it (no network?)",
    EHOSTUNREACH: "there is no way to it (no network?)",
    ENETDOWN: "there is no way to it (no network?)",
    ECONNRESET: "the connection was cut",
    UND_ERR_SOCKET: "the connection was cut",
    ETIMEDOUT: "it did not answer",
    UND_ERR_CONNECT_TIMEOUT: "it did not answer",
    UND_ERR_HEADERS_TIMEOUT: "it did not answer",
    ENOSPC: "the disk is full",
  };
  return (code && known[code]) || (inner instanceof Error ? inner.message : String(inner));
}
