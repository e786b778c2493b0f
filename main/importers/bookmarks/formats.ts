import { z } from "zod";
import { openForeign } from "#native/foreign-sqlite.ts";
import { cleanText } from "../text/clean.ts";
import { htmlToPlain } from "../text/html.ts";
import { jsonItems } from "../text/json.ts";
import type { Entry } from "../types.ts";
import { type Bookmark, type Visits, webAddress } from "./page.ts";

const maxDepth = 100;
const maxTitle = 2_000;

/**
 * The bookmark file that all browsers write since Netscape: nested `<DL>` with `<H3>` as folders and `<A HREF ADD_DATE>`, no
 * end tags. ADD_DATE is in seconds; some writers use µs.
 */
export function* netscapeBookmarks(html: string): Generator<Bookmark> {
  const folders: string[] = [];
  let heading = "";
  let waiting: Bookmark | null = null;
  const token =
    /<H3\b[^<>]{0,20000}>([^<]{0,5000})<\/H3>|<A\b([^<>]{0,2000000})>([^<]{0,5000})|<DD>([^<]{0,100000})|<(\/?)DL\b/gi;
  for (const [, h3, attributes, title, description, closing] of html.matchAll(token)) {
    if (description !== undefined) {
      if (waiting !== null) yield { ...waiting, description: plain(description) };
      waiting = null;
      continue;
    }
    if (waiting !== null) yield waiting;
    waiting = null;
    if (h3 !== undefined) heading = plain(h3) ?? "";
    else if (attributes !== undefined) {
      const attribute = (name: string) => new RegExp(`\\b${name}\\s*=\\s*"([^"]*)"`, "i").exec(attributes)?.[1] ?? null;
      const url = webAddress(plain(attribute("HREF") ?? ""));
      if (url === null) continue;
      const tags = (plain(attribute("TAGS") ?? "") ?? "").split(",").map((tag) => tag.trim());
      const added = Number(attribute("ADD_DATE") ?? Number.NaN);
      waiting = {
        url,
        title: plain(title ?? ""),
        description: null,
        folders: folders.filter((folder) => folder !== ""),
        tags: tags.filter((tag) => tag !== ""),
        added: Number.isFinite(added) && added > 0 ? (added > 1e13 ? added / 1_000 : added * 1_000) : null,
      };
    } else if (closing === "/") folders.pop();
    else {
      if (folders.length < maxDepth) folders.push(heading);
      heading = "";
    }
  }
  if (waiting !== null) yield waiting;
}

function plain(html: string): string | null {
  const text = html.includes("&") ? htmlToPlain(html) : html;
  return cleanText(text).trim() || null;
}

const number = z
  .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
  .nullish()
  .catch(null);
const text = z.string().nullish().catch(null);
const nodeSchema = z.object({
  // Firefox
  title: text,
  uri: text,
  tags: text,
  dateAdded: number,
  // Chrome
  name: text,
  url: text,
  date_added: number,
  children: z.array(z.unknown()).nullish().catch(null),
});

/** µs between 1601, where Windows' clock and Chrome's begin, and 1970. */
const since1601 = 11_644_473_600_000_000;

/** Bookmarks of Firefox's JSON backup (`children`, `uri`) and of Chrome's `Bookmarks` file (`roots`, `url`). */
export function* treeBookmarks(value: unknown): Generator<Bookmark> {
  const roots = z.object({ roots: z.record(z.string(), z.unknown()) }).safeParse(value);
  const stack: { value: unknown; folders: readonly string[] }[] = roots.success
    ? Object.values(roots.data.roots).map((one) => ({ value: one, folders: [] }))
    : [{ value, folders: [] }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const parsed = nodeSchema.safeParse(next.value);
    if (!parsed.success) continue;
    const node = parsed.data;
    const url = webAddress(node.uri ?? node.url);
    const title = node.title ?? node.name ?? null;
    if (url !== null) {
      const chrome = node.date_added == null ? null : (node.date_added - since1601) / 1_000;
      const added = node.dateAdded == null ? chrome : node.dateAdded / 1_000;
      const tags = (node.tags ?? "").split(",").map((tag) => tag.trim());
      yield {
        url,
        title: title === null ? null : title.slice(0, maxTitle),
        description: null,
        folders: next.folders,
        tags: tags.filter((tag) => tag !== ""),
        added: added !== null && added > 0 ? added : null,
      };
    }
    const folders = title && next.folders.length < maxDepth ? [...next.folders, title.slice(0, 500)] : next.folders;
    for (const child of (node.children ?? []).toReversed()) stack.push({ value: child, folders });
  }
}

const visitSchema = z.object({ url: z.string(), title: text, time_usec: number });

/** Chrome's history in Takeout: `{"Browser History": [{url, title, time_usec}]}`, in µs since 1970. */
export async function takeoutVisits(entry: Entry, visits: Visits): Promise<void> {
  for await (const { value } of jsonItems(entry, ["$.Browser History.*"])) {
    const parsed = visitSchema.safeParse(value);
    if (parsed.success) visits.add(parsed.data.url, parsed.data.title, Number(parsed.data.time_usec ?? 0) / 1_000);
    else visits.skipped++;
  }
}

const databaseBytes = 2 * 1024 * 1024 * 1024;

/** Tables of the browsers, and their clocks: Chrome µs since 1601, Firefox µs since 1970, Safari s since 2001. */
const browsers = [
  {
    tables: ["urls", "visits"],
    sql: "SELECT u.url AS url, u.title AS title, v.visit_time AS at FROM visits v JOIN urls u ON u.id = v.url",
    ms: (at: number) => (at - since1601) / 1_000,
  },
  {
    tables: ["moz_places", "moz_historyvisits"],
    sql: "SELECT p.url AS url, p.title AS title, v.visit_date AS at FROM moz_historyvisits v JOIN moz_places p ON p.id = v.place_id",
    ms: (at: number) => at / 1_000,
  },
  {
    tables: ["history_items", "history_visits"],
    sql: "SELECT i.url AS url, v.title AS title, v.visit_time AS at FROM history_visits v JOIN history_items i ON i.id = v.history_item",
    ms: (at: number) => at * 1_000 + 978_307_200_000,
  },
] as const;

/** Visits of a browser's own database, read from a copy. Whether it was one. */
export async function databaseVisits(
  entry: Entry,
  wal: Entry | null,
  visits: Visits,
  signal: AbortSignal,
): Promise<boolean> {
  const file = (one: Entry) => ({ path: one.path, bytes: one.bytes, stream: () => one.stream() });
  const database = await openForeign(
    { database: file(entry), wal: wal === null ? null : file(wal) },
    { cap: databaseBytes, signal },
  );
  try {
    const browser = browsers.find(({ tables }) => tables.every((table) => database.columns(table).size > 0));
    if (browser === undefined) return false;
    database.each(browser.sql, [], ({ url, title, at }) => visits.add(url, title, browser.ms(Number(at ?? 0))));
    return true;
  } finally {
    database.close();
  }
}
