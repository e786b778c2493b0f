import type { ImportedRecord, SourceLocation } from "#contract";
import { noteRecord } from "../notes.ts";
import { cleanLine, fieldHash } from "../text/clean.ts";
import { timeFromInstant } from "../text/time.ts";

/** A page that a person kept. Times in ms since 1970. */
export interface Bookmark {
  readonly url: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly folders: readonly string[];
  readonly tags: readonly string[];
  readonly added: number | null;
}

/** An address of the web, or null: scripts, data and pages of the browser itself are nobody's memory. */
export function webAddress(url: unknown): string | null {
  return typeof url === "string" && /^(?:https?|ftp):\/\/\S/i.test(url.trim()) ? url.trim().slice(0, 4_000) : null;
}

/** A bookmark is a note to oneself. The same address in two folders is one, with both folders as labels. */
export function bookmarkRecord(bookmark: Bookmark, file: SourceLocation): ImportedRecord {
  const { url, title, description, folders, tags, added } = bookmark;
  const labels = [...folders, ...tags].map((label) => cleanLine(label.slice(0, 500))).filter((label) => label !== null);
  return noteRecord({
    identity: `bookmark:${fieldHash([url])}`,
    nativeId: null,
    subject: title?.trim() ? title : url,
    text: description,
    time: added === null ? null : timeFromInstant(added, { source: "bookmark:added" }),
    container: { key: "bookmarks", title: "Bookmarks", kind: "folder" },
    file,
    props: { links: [url], ...(labels.length > 0 ? { labels: [...new Set(labels)].slice(0, 200) } : {}) },
  });
}

const dayMs = 86_400_000;
const maxPages = 2_000_000;

interface Visited {
  title: string | null;
  first: number;
  last: number;
  count: number;
}

/** Visits gathered by page and day (UTC), so that a page that was looked at all day is one record. */
export class Visits {
  readonly #pages = new Map<string, Visited>();
  /** Visits left out: of no page of the web, without a time, or too many. */
  skipped = 0;

  add(url: unknown, title: unknown, ms: number): void {
    const address = webAddress(url);
    // No browser kept a history before 1990; what is smaller is a sentinel.
    const sound = ms > 631_152_000_000 && ms < 253_402_300_799_999;
    if (address === null || !sound || this.#pages.size >= maxPages) {
      this.skipped++;
      return;
    }
    const key = `${Math.floor(ms / dayMs)} ${address}`;
    const said = typeof title === "string" && title.trim() !== "" ? title : null;
    const known = this.#pages.get(key);
    if (known === undefined) {
      this.#pages.set(key, { title: said, first: ms, last: ms, count: 1 });
      return;
    }
    known.title ??= said;
    known.first = Math.min(known.first, ms);
    known.last = Math.max(known.last, ms);
    known.count++;
  }

  /** One record a page and day, in order of time. */
  *records(file: SourceLocation): Generator<ImportedRecord> {
    for (const [key, { title, first, last, count }] of [...this.#pages].sort(([, a], [, b]) => a.first - b.first)) {
      const space = key.indexOf(" ");
      const url = key.slice(space + 1);
      const end = last === first ? null : timeFromInstant(last, { source: "history:visit" });
      const record = noteRecord({
        identity: `visit:${fieldHash([key.slice(0, space), url])}`,
        kind: "document",
        nativeId: null,
        subject: title ?? url,
        text: null,
        time: timeFromInstant(first, { source: "history:visit" }),
        container: { key: "browsing-history", title: "Browsing history", kind: "folder" },
        file,
        props: { links: [url], ...(count > 1 ? { extra: { visits: count } } : {}) },
      });
      yield { ...record, end };
    }
  }
}
