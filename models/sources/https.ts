import { open, readFile, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { UnderstoryError } from "#contract";
import type { Build } from "../catalogue.ts";
import { hashFile } from "../installed.ts";

/** The only code of the product that opens an outgoing connection; it runs after consent and for files of the catalogue. */

export type Fetch = (url: string, init: { headers: Record<string, string>; signal: AbortSignal }) => Promise<Response>;

export interface DownloadOptions {
  readonly url: string;
  /** Where the complete, checked file goes. `PATH.part` and `PATH.part.json` hold an unfinished one. */
  readonly path: string;
  readonly build: Build;
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
 * cut, and takes nothing but the bytes the catalogue names. Throws WrongFileError (the file is then at `PATH.part`),
 * `cancelled`, or an Error with a short reason.
 */
export async function download(options: DownloadOptions): Promise<void> {
  const pauses = options.pauses ?? [500, 2_000, 5_000];
  for (let attempt = 0; ; attempt++) {
    const resumed = (await partSize(options)) > 0;
    try {
      await transfer(options);
      const found = await hashFile(`${options.path}.part`);
      if (found === options.build.sha256) break;
      // A file put together from two answers may be wrong although each was right: once more from the beginning.
      if (!resumed) throw new WrongFileError("its SHA-256 is not the one in the catalogue");
      await forget(options);
    } catch (error) {
      if (options.signal?.aborted) throw new UnderstoryError("cancelled", "The download was cancelled.");
      if (error instanceof FinalError || error instanceof WrongFileError) throw error;
      const pause = pauses[attempt];
      if (pause === undefined) throw new Error(shortReason(error), { cause: error });
      await sleep(pause, undefined, options.signal ? { signal: options.signal } : {});
    }
  }
  await rename(`${options.path}.part`, options.path);
  await rm(`${options.path}.part.json`, { force: true });
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

/** The innermost cause in a few words: "fetch failed" says nothing, "ENOTFOUND" does. */
function shortReason(error: unknown): string {
  let inner = error;
  while (inner instanceof Error && inner.cause !== undefined) inner = inner.cause;
  const code = inner instanceof Error && "code" in inner ? String(inner.code) : null;
  const known: Record<string, string> = {
    ENOTFOUND: "its address is not known (no network?)",
    EAI_AGAIN: "its address is not known (no network?)",
    ECONNREFUSED: "the connection was refused",
    ECONNRESET: "the connection was cut",
    UND_ERR_SOCKET: "the connection was cut",
    ETIMEDOUT: "it did not answer",
    UND_ERR_CONNECT_TIMEOUT: "it did not answer",
    UND_ERR_HEADERS_TIMEOUT: "it did not answer",
    ENOSPC: "the disk is full",
  };
  return (code && known[code]) || (inner instanceof Error ? inner.message : String(inner));
}
