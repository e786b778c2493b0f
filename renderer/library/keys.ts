import { useEffect, useRef, useState } from "react";
import type { RecordSummary } from "#contract";
import { isTyping } from "../frame/keys.ts";
import { trashRecords } from "../state/actions.ts";
import { openRecord, setParams } from "../state/route.ts";

interface ListOfRecords {
  length: number;
  recordAt(index: number): RecordSummary | undefined;
  /** Brings a place of the list into view. */
  show(index: number): void;
}

/**
 * j and k move, Enter opens, e edits, x marks for an action on several, Del moves to the trash.
 * Gives the active place (−1: none) and the ids that are marked.
 */
export function useListKeys(list: ListOfRecords): {
  active: number;
  setActive(index: number): void;
  marked: ReadonlySet<number>;
  clearMarked(): void;
} {
  const [active, setActive] = useState(-1);
  const [marked, setMarked] = useState<ReadonlySet<number>>(new Set());
  const latest = useRef({ ...list, active, marked });
  latest.current = { ...list, active, marked };

  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector("dialog[open]")) return;
      const { length, recordAt, show, active: at, marked: ids } = latest.current;
      const record = recordAt(at);
      const step =
        event.key === "j" || event.key === "ArrowDown" ? 1 : event.key === "k" || event.key === "ArrowUp" ? -1 : 0;
      if (step !== 0 && length > 0) {
        event.preventDefault();
        const next = Math.min(length - 1, Math.max(0, at + step));
        setActive(next);
        show(next);
      } else if (event.key === "Enter" && record && !(event.target instanceof HTMLButtonElement)) openRecord(record.id);
      else if (event.key === "e" && record) {
        openRecord(record.id);
        setParams({ edit: "1" }, { replace: true });
      } else if (event.key === "x" && record) {
        const next = new Set(ids);
        if (!next.delete(record.id)) next.add(record.id);
        setMarked(next);
      } else if (event.key === "Delete" && (record || ids.size > 0)) {
        void trashRecords(ids.size > 0 ? [...ids] : record ? [record.id] : []);
        setMarked(new Set());
      } else if (event.key === "Escape" && ids.size > 0) {
        event.preventDefault();
        setMarked(new Set());
      }
    }
    // Before the window's own keys, so that Esc first takes the marks away.
    window.addEventListener("keydown", onKey, { capture: true });
    return () => window.removeEventListener("keydown", onKey, { capture: true });
  }, []);

  return { active, setActive, marked, clearMarked: () => setMarked(new Set()) };
}
