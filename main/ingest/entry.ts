import { UnderstoryError } from "#contract";
import type { Entry } from "#main/importers/types.ts";

/** Bytes that `head()` gives at most. */
export const headBytes = 4096;

/** First bytes of files, the last few thousand asked for: a tree of a million files must not keep a million heads. */
export class HeadCache {
  readonly #heads = new Map<Entry, Uint8Array>();
  readonly #capacity: number;

  constructor(capacity = 4096) {
    this.#capacity = capacity;
  }

  get(entry: Entry): Uint8Array | undefined {
    return this.#heads.get(entry);
  }

  set(entry: Entry, head: Uint8Array): void {
    if (this.#heads.size >= this.#capacity) {
      const oldest = this.#heads.keys().next();
      if (!oldest.done) this.#heads.delete(oldest.value);
    }
    this.#heads.set(entry, head);
  }
}

/** What the entries of one tree share. */
export interface TreeShared {
  readonly heads: HeadCache;
  /** Told of every read: a sign of life, and the progress inside a large file. */
  readonly onRead: (bytes: number) => void;
}

export interface EntryFacts {
  readonly path: string;
  readonly bytes: number;
  readonly modified: number | null;
}

/** What every kind of entry has in common; a kind says only how bytes [start, end) are read. */
export abstract class BaseEntry implements Entry {
  readonly path: string;
  /** Set by the tree that lays the parts of a split export over each other. */
  joined: string;
  readonly bytes: number;
  readonly modified: number | null;
  protected readonly shared: TreeShared;

  constructor(facts: EntryFacts, shared: TreeShared) {
    this.path = facts.path;
    this.joined = facts.path;
    this.bytes = facts.bytes;
    this.modified = facts.modified;
    this.shared = shared;
  }

  get name(): string {
    return this.path.slice(this.path.lastIndexOf("/") + 1);
  }

  /** Changes when the content may have changed. Compared only with itself, between two runs of one import. */
  get stamp(): string {
    return `${this.bytes}:${this.modified ?? ""}`;
  }

  /** Bytes [start, end), already clamped to the size; may end early, never gives more. */
  protected abstract open(start: number, end: number): AsyncIterable<Uint8Array>;

  /** The first bytes; a kind that can do it faster overrides this. */
  protected async readHead(): Promise<Uint8Array> {
    return collect(this.open(0, Math.min(headBytes, this.bytes)));
  }

  async head(): Promise<Uint8Array> {
    const known = this.shared.heads.get(this);
    if (known) return known;
    const head = await this.readHead();
    this.shared.heads.set(this, head);
    this.shared.onRead(0);
    return head;
  }

  async *stream(range: { start?: number; end?: number } = {}): AsyncIterable<Uint8Array> {
    const start = Math.max(0, range.start ?? 0);
    const end = Math.min(this.bytes, range.end ?? this.bytes);
    if (start >= end) return;
    for await (const chunk of this.open(start, end)) {
      this.shared.onRead(chunk.length);
      yield chunk;
    }
  }

  async readAll(cap: number): Promise<Uint8Array> {
    if (this.bytes > cap) throw tooLarge(this.path, this.bytes, cap);
    return collect(this.stream());
  }
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
}

export function tooLarge(path: string, bytes: number, cap: number): UnderstoryError {
  return new UnderstoryError("limit_exceeded", `${path} has ${bytes} bytes; at most ${cap} are read at once.`, {
    hint: "The file is left where it is and listed as not read.",
    details: { path, bytes, cap },
  });
}

export function damaged(path: string, why: string, cause?: unknown): UnderstoryError {
  return new UnderstoryError("damaged_file", `${path} is damaged: ${why}`, {
    hint: "What could be read before the damage is kept. Copy the file again from where it came from.",
    details: { path },
    cause,
  });
}

export function unreadable(path: string, cause: unknown): UnderstoryError {
  const code = errnoOf(cause);
  const why =
    code === "EACCES" || code === "EPERM" ? "this account may not open it" : `the system says ${code ?? "no"}`;
  return new UnderstoryError("path_unreadable", `${path} cannot be read: ${why}.`, {
    hint: "Nothing was changed. Check the permissions of the file and import again.",
    details: { path },
    cause,
  });
}

/** `ENOENT`, `EACCES` …, or null for what is no error of the system. */
export function errnoOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}
