import { client } from "./client.ts";

/** Pictures kept ready for showing; about 30 KB each. */
const kept = 800;
/** Requests under way at once: enough to fill a screen quickly, few enough to leave room for other calls. */
const parallel = 6;

interface Waiting {
  id: number;
  signal: AbortSignal;
  resolve(url: string): void;
  reject(error: unknown): void;
}

const urls = new Map<number, string>();
const queue: Waiting[] = [];
let running = 0;

function remember(id: number, url: string): void {
  urls.set(id, url);
  for (const [oldest, oldUrl] of urls) {
    if (urls.size <= kept) break;
    urls.delete(oldest);
    URL.revokeObjectURL(oldUrl);
  }
}

/** A URL for bytes that came from the core. The caller revokes it. */
export function blobUrl(media: { mime: string; bytes: Uint8Array }): string {
  return URL.createObjectURL(new Blob([media.bytes.slice()], { type: media.mime }));
}

function pump(): void {
  while (running < parallel) {
    // What has scrolled out of sight meanwhile has aborted, so the oldest that is left stands highest on the screen.
    const next = queue.shift();
    if (!next) return;
    if (next.signal.aborted) continue;
    running++;
    client()
      .call("records.thumbnail", { id: next.id }, { signal: next.signal })
      .then((media) => {
        const url = urls.get(next.id) ?? blobUrl(media);
        remember(next.id, url);
        next.resolve(url);
      }, next.reject)
      .finally(() => {
        running--;
        pump();
      });
  }
}

/** The thumbnail if it is ready, without asking the core. */
export function readyThumbnail(id: number): string | null {
  const url = urls.get(id);
  if (url === undefined) return null;
  urls.delete(id);
  urls.set(id, url);
  return url;
}

/** Fetches a record's thumbnail; dropped when `signal` aborts before its turn. */
export function fetchThumbnail(id: number, signal: AbortSignal): Promise<string> {
  const ready = readyThumbnail(id);
  if (ready !== null) return Promise.resolve(ready);
  return new Promise((resolve, reject) => {
    queue.push({ id, signal, resolve, reject });
    pump();
  });
}

/** Forgets everything, when another archive is opened. */
export function forgetThumbnails(): void {
  for (const url of urls.values()) URL.revokeObjectURL(url);
  urls.clear();
  queue.length = 0;
}
