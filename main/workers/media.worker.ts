import { parentPort } from "node:worker_threads";
import { limits, UnderstoryError } from "#contract";
import { EntryOpener } from "#main/ingest/open-entry.ts";
import { type RenderedPicture, renderPicture } from "#native/images.ts";
import { exposeService, type ServiceContext } from "./service.ts";

export interface RenderInput {
  /** Roots of the import that brought the picture. */
  readonly roots: string | readonly string[];
  /** Path in the import's tree; a member of a zip is `zip/path`. */
  readonly path: string;
  /** Key of uploaded files (`deriveUploadKey`), when the root is a folder of them. */
  readonly uploadKey?: Uint8Array;
  /** Longest side of the result, pixels. */
  readonly maxSide: number;
  readonly format: "webp" | "jpeg";
  /** 1–100. */
  readonly quality?: number;
}

/**
 * The picture thread: decoding blocks it (HEIC for about a second), so that it blocks nothing else. Two pictures are in
 * memory at a time.
 */
export interface MediaService {
  /**
   * Reads an original and makes it fit for a window: upright, sRGB, no metadata.
   * Throws `path_missing`, `path_unreadable`, `damaged_file`, `unsupported_format`, `limit_exceeded` or `cancelled`.
   */
  render(input: RenderInput, context: ServiceContext): Promise<Omit<RenderedPicture, "damaged">>;
}

/** Lets `free` holders in at a time, the others in the order in which they came. */
class Gate {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(free: number) {
    this.#free = free;
  }

  async through<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}

const gate = new Gate(2);

// libheif tells its troubles on standard output, which belongs to the answers of the command line; it throws them, too.
console.log = () => undefined;

/** The uploads' key is one for a whole session. The opener keeps the directories of zips that are asked for again and again. */
let opener: { readonly key: string; readonly entries: EntryOpener } | null = null;

function openerFor(uploadKey: Uint8Array | undefined): EntryOpener {
  const key = uploadKey === undefined ? "" : Buffer.from(uploadKey).toString("hex");
  if (opener?.key !== key) opener = { key, entries: new EntryOpener(uploadKey ?? null) };
  return opener.entries;
}

function stopWhenCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new UnderstoryError("cancelled", "The picture is not wanted any more.");
}

const service: MediaService = {
  render: ({ roots, path, uploadKey, maxSide, format, quality }, { signal }) =>
    gate.through(async () => {
      stopWhenCancelled(signal);
      const entry = await openerFor(uploadKey).open(roots, path);
      const bytes = await entry.readAll(limits.pictureBytes);
      stopWhenCancelled(signal);
      const made = await renderPicture(bytes, { maxSide, format, ...(quality === undefined ? {} : { quality }) });
      return { bytes: made.bytes, width: made.width, height: made.height, mime: made.mime };
    }),
};

if (parentPort) exposeService<MediaService>(parentPort, service);
