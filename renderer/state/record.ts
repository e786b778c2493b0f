import { useCallback, useEffect, useState } from "react";
import type { ErrorShape, Media, RecordDetail, RecordSummary, StoredRecord } from "#contract";
import { client, shownError } from "./client.ts";
import { useConnection } from "./connection.ts";
import { dayOf } from "./format.ts";
import { blobUrl } from "./media.ts";
import { useSession } from "./session.ts";
import { useUi } from "./ui.ts";

export interface LoadedRecord {
  detail: RecordDetail | null;
  error: ErrorShape | null;
  /** Puts a newer detail in place (after an edit), or reads it again. */
  put(detail: RecordDetail): void;
  reload(): void;
}

/** Reads one record, and again when records have changed. */
export function useRecord(id: number): LoadedRecord {
  const [detail, setDetail] = useState<RecordDetail | null>(null);
  const [error, setError] = useState<ErrorShape | null>(null);
  const [turn, setTurn] = useState(0);
  const changes = useSession((session) => session.changes);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` and `changes` ask for another read.
  useEffect(() => {
    const controller = new AbortController();
    client()
      .call("records.get", { id }, { signal: controller.signal })
      .then(
        (read) => {
          setDetail(read);
          setError(null);
        },
        (cause: unknown) => setError(shownError(cause)),
      );
    return () => controller.abort();
  }, [id, turn, changes]);

  return { detail, error, put: setDetail, reload: useCallback(() => setTurn((before) => before + 1), []) };
}

/** Turns of a conversation that are shown before and after a message. */
const neighbours = 4;

/** What was said just before and after a message, in its chat on its day; empty until it is read, and without a day. */
export function useNeighbours(record: StoredRecord): { before: RecordSummary[]; after: RecordSummary[] } {
  const [list, setList] = useState<readonly RecordSummary[]>([]);
  const day = dayOf(record.time);
  const containerKey = record.container?.key;
  useEffect(() => {
    setList([]);
    if (!containerKey || day?.length !== 10) return;
    const controller = new AbortController();
    const filter = { containerKey, from: day, to: day };
    client()
      .call("library.list", { filter, offset: 0, limit: 500 }, { signal: controller.signal })
      .then(({ records }) => setList(records), useUi.getState().report);
    return () => controller.abort();
  }, [containerKey, day]);
  const at = list.findIndex((one) => one.id === record.id);
  if (at < 0) return { before: [], after: [] };
  return { before: list.slice(Math.max(0, at - neighbours), at), after: list.slice(at + 1, at + 1 + neighbours) };
}

/** The record's picture at a size, as a URL that lives as long as the view. */
export function usePicture(
  id: number,
  maxSide: number,
): { url: string | null; media: Media | null; error: ErrorShape | null } {
  const [picture, setPicture] = useState<{ url: string; media: Media } | null>(null);
  const [error, setError] = useState<ErrorShape | null>(null);
  const epoch = useConnection((connection) => connection.epoch);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what a lost connection kept away is fetched again on the next one.
  useEffect(() => {
    const controller = new AbortController();
    let made: string | null = null;
    setPicture(null);
    setError(null);
    client()
      .call("records.picture", { id, maxSide }, { signal: controller.signal })
      .then(
        (media) => {
          if (controller.signal.aborted) return;
          made = blobUrl(media);
          setPicture({ url: made, media });
        },
        (cause: unknown) => setError(shownError(cause)),
      );
    return () => {
      controller.abort();
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [id, maxSide, epoch]);
  return { url: picture?.url ?? null, media: picture?.media ?? null, error };
}
