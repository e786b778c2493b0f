import { type FSWatcher, watch } from "node:fs";
import { stat } from "node:fs/promises";
import type { WatchedImport } from "#main/records/ports.ts";

/**
 * Watches the folders that a person chose to have watched. What changes there is read once it has settled: when nothing
 * has stirred for a while, so that files still being written are let be. What the system does not tell of (a share, a
 * drive that comes back) is found by looking every now and then.
 */
export interface Watcher {
  /** Reads again which folders are watched, and looks at each of them. */
  refresh(): Promise<void>;
  close(): void;
}

export interface WatcherOptions {
  readonly watched: () => Promise<readonly WatchedImport[]>;
  /** Reads what is new. False: it is still at it, or another import goes first; it is asked again. */
  readonly read: (one: WatchedImport) => Promise<boolean>;
  /** Quiet that must have passed before a change is read, ms. */
  readonly settleMs: number;
  /** How often a folder is looked at without being told, ms. */
  readonly lookEveryMs?: number;
}

export function createWatcher({ watched, read, settleMs, lookEveryMs = 900_000 }: WatcherOptions): Watcher {
  const folders = new Map<number, WatchedFolder>();
  let closed = false;

  return {
    async refresh() {
      const wanted = new Map((await watched()).map((one) => [one.importId, one]));
      if (closed) return;
      for (const [id, folder] of folders) {
        if (wanted.has(id)) continue;
        folder.close();
        folders.delete(id);
      }
      for (const [id, one] of wanted) {
        if (!folders.has(id)) folders.set(id, new WatchedFolder(one, read, settleMs, lookEveryMs));
      }
    },
    close() {
      closed = true;
      for (const folder of folders.values()) folder.close();
      folders.clear();
    },
  };
}

class WatchedFolder {
  readonly #one: WatchedImport;
  readonly #read: WatcherOptions["read"];
  readonly #settleMs: number;
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #look: NodeJS.Timeout;
  #settle: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(one: WatchedImport, read: WatcherOptions["read"], settleMs: number, lookEveryMs: number) {
    this.#one = one;
    this.#read = read;
    this.#settleMs = settleMs;
    this.#look = setInterval(() => this.#stirred(), lookEveryMs).unref();
    // Something may have changed while nobody watched.
    this.#stirred();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#settle);
    clearInterval(this.#look);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #stirred(): void {
    if (this.#closed) return;
    clearTimeout(this.#settle);
    this.#settle = setTimeout(() => void this.#settled(), this.#settleMs).unref();
  }

  async #settled(): Promise<void> {
    for (const root of this.#one.roots) this.#attach(root);
    // A drive that is not connected is no folder whose files were all removed.
    const there = await Promise.all(this.#one.roots.map(exists));
    if (this.#closed || there.includes(false)) return;
    const done = await this.#read(this.#one).catch(() => true);
    if (!done) this.#stirred();
  }

  #attach(root: string): void {
    if (this.#closed || this.#watchers.has(root)) return;
    const lost = () => {
      this.#watchers.get(root)?.close();
      this.#watchers.delete(root);
    };
    try {
      const watcher = watch(root, { recursive: true, persistent: false }, () => this.#stirred());
      watcher.on("error", lost);
      this.#watchers.set(root, watcher);
    } catch {
      // It is not there now; the next look tries again.
    }
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
