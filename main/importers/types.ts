import type { FileStatus, ImportedRecord } from "#contract";

/**
 * The importer's side of ingest. An importer declares itself, recognises what it can read, and streams records.
 * It never stores, never writes, never opens a connection, and only sees the tree it is given.
 */

/** A file of what was dropped. A zip (and later tar) is a folder: its members are entries with `zip/path` paths. */
export interface Entry {
  /** Relative to the import's root, `/` between, NFC. Unique in the tree. */
  readonly path: string;
  /** Last part of the path. */
  readonly name: string;
  /**
   * The path it has once the parts of a split export are laid over each other: a member of `takeout-…-002.zip` stands
   * where it would stand had all parts been unpacked into one folder. Equal to `path` for everything else.
   */
  readonly joined: string;
  /** Size in bytes as the file system or the archive's directory says; what is read may be less, never more. */
  readonly bytes: number;
  /** File time in ms since 1970, or null (many zips lie). Weak: copies destroy it. */
  readonly modified: number | null;
  /**
   * False where a `stream` from a later start must read all that stands before it: a packed member of an archive.
   * Absent: it can be read here and there.
   */
  readonly seekable?: boolean;
  /** The first bytes (up to 4,096), read once and cached. */
  head(): Promise<Uint8Array>;
  /** Reads [start, end) of the file. Streams; throws UnderstoryError `path_unreadable`, `damaged_file` or `limit_exceeded`. */
  stream(range?: { start?: number; end?: number }): AsyncIterable<Uint8Array>;
  /** The whole file, refused with `limit_exceeded` above `cap` bytes. */
  readAll(cap: number): Promise<Uint8Array>;
}

/** Looking up entries by where they stand. */
export interface Folders {
  get(path: string): Entry | undefined;
  /** Direct members of a folder. */
  inFolder(folder: string): readonly Entry[];
  /** All entries below a folder. */
  below(folder: string): readonly Entry[];
}

/** All entries of one import, in a stable order (by path, in code-unit order). By `path` here, by `joined` in `joined`. */
export interface SourceTree extends Folders {
  readonly entries: readonly Entry[];
  /** The same entries by their `joined` path: where what belongs together may lie in several parts of an export. */
  readonly joined: Folders;
}

/** What could be read of a document. */
export interface DocumentText {
  /** Null when there is none: a scan, a protected or a damaged file. */
  readonly text: string | null;
  /** Title that the document gives itself. */
  readonly title: string | null;
  /** ISO 8601 as the document says it was made; null when it does not. */
  readonly created: string | null;
  /** A sentence when something was not read. */
  readonly reason: string | null;
  /** Nothing of it could be opened: it is cut off, damaged, or no document at all. */
  readonly unusable?: true;
}

/** Reads PDF, office files, HTML and plain text in a thread of its own, which is ended when it takes too long. */
export interface DocumentReader {
  /** `name` and `mime` are hints; the content decides. Throws only `cancelled`. */
  read(
    bytes: Uint8Array,
    about: { readonly name: string | null; readonly mime: string | null },
    signal: AbortSignal,
  ): Promise<DocumentText>;
}

/** What an importer takes out of the tree. Entries that a claim names come in through it and through no other importer. */
export interface Claim {
  /** The entry that holds the records. Its path is the claim's key: one claim a primary. */
  readonly primary: string;
  /** Entries that belong to it: media beside a chat, sidecars. They end in the ledger with it. */
  readonly companions: readonly string[];
  /** Name for a person: "Inbox.mbox", "Chat with Juno". */
  readonly label: string;
  /** Higher wins when two importers claim one entry: 3 content proves it, 2 name and content agree, 1 a guess. */
  readonly confidence: 1 | 2 | 3;
  /**
   * Of a chat whose messages have no ids and whose name may change: ends (`:` and 32 hex digits) of some of its messages'
   * identities, at most 200. The archive is asked which container holds most of them.
   */
  readonly fingerprints?: readonly string[];
}

export interface ReadContext {
  readonly tree: SourceTree;
  readonly signal: AbortSignal;
  /** Where to go on after an interruption: the `cursor` of the last item committed, or null to begin. */
  readonly resume: Cursor | null;
  /** Other claims of this importer in the same import (to settle a date order by the neighbours, say). */
  readonly siblings: readonly Claim[];
  readonly documents: DocumentReader;
  /**
   * Key of the container in the archive that already holds most of what `Claim.fingerprints` names: the same chat under
   * another name. Null when there is none.
   */
  readonly knownContainer: string | null;
}

/** Opaque to everyone but its importer; small, JSON. */
export type Cursor = string | number;

export type ImportedItem =
  /** A record, with the cursor after which reading can go on. */
  | { readonly type: "record"; readonly record: ImportedRecord; readonly cursor: Cursor }
  /** How a file ended, once for each entry of the claim. Status imported is refined to updated or duplicate by the store. */
  | {
      readonly type: "file";
      readonly path: string;
      readonly status: Extract<FileStatus, "imported" | "skipped" | "failed">;
      /** A sentence, for skipped and failed, and for warnings. */
      readonly reason: string | null;
      /** Entries inside the file that gave no record. */
      readonly skipped: number;
    };

export interface Importer {
  /** Stable, kebab-case; stored with each record. */
  readonly id: string;
  /** For a person: "Mailbox", "WhatsApp chat". */
  readonly title: string;
  /** Higher first: containers before loose files. */
  readonly order: number;
  /** Its clocks are those of a wall, in a zone that the source does not tell: the person is asked once an import. */
  readonly zoneless?: boolean;
  /**
   * Looks at the whole tree, cheaply (names, then first bytes of what the names allow), and claims what it can read.
   * `free` is the tree without the entries that importers of higher order have claimed.
   */
  recognise(free: SourceTree): AsyncIterable<Claim>;
  /** Streams the claim's records. A fault of one record or file is an item, never a throw; only `cancelled` is thrown. */
  read(claim: Claim, context: ReadContext): AsyncIterable<ImportedItem>;
}

export { limits } from "#contract";
