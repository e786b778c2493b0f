import { useCallback, useEffect, useRef, useState } from "react";
import type { ErrorShape } from "#contract";
import { shownError } from "./client.ts";

/** Rows [offset, offset + limit) of a long list, and how many there are in all. */
export type ReadRows<T> = (
  offset: number,
  limit: number,
  signal: AbortSignal,
) => Promise<{ rows: readonly T[]; total: number }>;

/** The most that the core gives in one answer. */
const largest = 500;

/** Reads rows [from, to) in as many answers as it takes; fewer when the list ends before. */
export async function readRange<T>(
  read: ReadRows<T>,
  from: number,
  to: number,
  signal: AbortSignal,
): Promise<{ rows: T[]; total: number }> {
  const rows: T[] = [];
  let total = 0;
  do {
    const at = from + rows.length;
    const some = await read(at, Math.min(largest, to - at), signal);
    total = some.total;
    rows.push(...some.rows);
    if (some.rows.length === 0) break;
  } while (from + rows.length < Math.min(to, total));
  return { rows, total };
}

export interface Pages<T> {
  /** Null until the first answer. */
  rows: readonly T[] | null;
  total: number;
  error: ErrorShape | null;
  /** Reads the next page, if there is one. */
  more(): void;
}

/**
 * A long list that is read as far as one has scrolled. Another `list` begins from the top; another `version` of the
 * same list is read again as far as it is shown, and takes the place of the old rows when it is there.
 */
export function usePages<T>(read: ReadRows<T>, list: string, version: string | number, pageRows = 200): Pages<T> {
  const [shown, setShown] = useState<{ list: string; version: string | number; rows: readonly T[]; total: number }>();
  const [extent, setExtent] = useState({ list, rows: pageRows });
  const [error, setError] = useState<ErrorShape | null>(null);
  const latest = useRef({ read, shown });
  latest.current = { read, shown };
  const wanted = extent.list === list ? extent.rows : pageRows;

  useEffect(() => {
    const controller = new AbortController();
    const { read: readNow, shown: before } = latest.current;
    const kept = before?.list === list && before.version === version ? before.rows : [];
    if (before && kept.length > 0 && kept.length >= Math.min(wanted, before.total)) return;
    readRange(readNow, kept.length, wanted, controller.signal).then(
      ({ rows, total }) => {
        setShown({ list, version, rows: [...kept, ...rows], total });
        setError(null);
      },
      (cause: unknown) => setError(shownError(cause)),
    );
    return () => controller.abort();
  }, [list, version, wanted]);

  const current = shown?.list === list ? shown : undefined;
  const rows = current?.rows ?? null;
  const total = current?.total ?? 0;
  const length = rows?.length ?? 0;
  const more = useCallback(() => {
    if (length > 0 && length < total) setExtent({ list, rows: length + pageRows });
  }, [list, length, total, pageRows]);
  return { rows, total, error, more };
}
