import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { DayCount } from "#contract";
import { Button } from "../design/controls.tsx";
import { trashRecords } from "../state/actions.ts";
import { counted } from "../state/format.ts";
import { pageSize, useLibrary } from "../state/library.ts";
import { useUi } from "../state/ui.ts";
import { DayBlock } from "./DayBlock.tsx";
import { useListKeys } from "./keys.ts";
import { blockOf, buildBlocks, monthsOf } from "./rows.ts";
import { Scrubber } from "./Scrubber.tsx";

/** Pixels that a record and a day's heading take on average, until the block is on screen and measured. */
const guess = { record: 34, heading: 58 };

/** Days, newest first. Only what is on screen exists; heights of the rest are estimated from their counts. */
export function Timeline({ days }: { days: readonly DayCount[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const density = useUi((ui) => ui.density);
  const blocks = useMemo(() => buildBlocks(days), [days]);
  const months = useMemo(() => monthsOf(days), [days]);
  const total = blocks.at(-1)?.end ?? 0;

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, []);

  const virtual = useVirtualizer({
    count: blocks.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => {
      const block = blocks[index];
      return block ? (block.part === 0 ? guess.heading : 0) + (block.end - block.start) * guess.record : 0;
    },
    // A block keeps its measured height when records come in before it.
    getItemKey: (index) => {
      const block = blocks[index];
      return block ? `${block.day} ${block.part}` : index;
    },
    overscan: 2,
    // Scrolling may be painted before React has caught up: a smooth scroll matters more than a block a frame early.
    useFlushSync: false,
  });
  const items = virtual.getVirtualItems();
  const firstBlock = blocks[items[0]?.index ?? 0];
  const lastBlock = blocks[items.at(-1)?.index ?? 0];
  const firstPage = Math.floor((firstBlock?.start ?? 0) / pageSize);
  const lastPage = Math.floor(Math.max(0, (lastBlock?.end ?? 1) - 1) / pageSize);

  // biome-ignore lint/correctness/useExhaustiveDependencies: new days mean that pages on screen may be stale.
  useEffect(() => {
    const pages: number[] = [];
    for (let page = firstPage; page <= lastPage; page++) pages.push(page);
    useLibrary.getState().want(pages);
  }, [firstPage, lastPage, days]);

  const show = useCallback(
    (index: number) => {
      const selector = `[data-index-of-record="${index}"]`;
      const there = scroller.current?.querySelector(selector);
      if (there) there.scrollIntoView({ block: "nearest" });
      else virtual.scrollToIndex(blockOf(blocks, index), { align: "center" });
    },
    [virtual, blocks],
  );
  const go = useCallback(
    (index: number) => virtual.scrollToIndex(blockOf(blocks, index), { align: "start" }),
    [virtual, blocks],
  );
  const recordAt = (index: number) => useLibrary.getState().pages.get(Math.floor(index / pageSize))?.[index % pageSize];
  const keys = useListKeys({ length: total, recordAt, show });

  // The first block that reaches below the upper edge is where the reader is.
  const top = virtual.scrollOffset ?? 0;
  const here = items.find((item) => item.end > top + 8) ?? items[0];
  const place = blocks[here?.index ?? 0]?.start ?? 0;

  return (
    <div className="timeline">
      <div className="library__scroll" ref={scroller} tabIndex={-1}>
        <div className="timeline__inside" style={{ height: virtual.getTotalSize() }}>
          {width === 0
            ? null
            : items.map((item) => {
                const block = blocks[item.index];
                return block ? (
                  <div
                    key={item.key}
                    ref={virtual.measureElement}
                    data-index={item.index}
                    className="timeline__block"
                    style={{ transform: `translateY(${item.start}px)` }}
                  >
                    <DayBlock
                      block={block}
                      width={width}
                      density={density}
                      active={keys.active >= block.start && keys.active < block.end ? keys.active : -1}
                      marked={keys.marked}
                      onActivate={keys.setActive}
                    />
                  </div>
                ) : null;
              })}
        </div>
      </div>
      <Scrubber months={months} place={place} onGo={go} />
      {keys.marked.size > 0 ? (
        <div className="marked-bar" role="status">
          {counted(keys.marked.size, "record")} marked
          <Button
            tone="danger"
            onClick={() => {
              void trashRecords([...keys.marked]);
              keys.clearMarked();
            }}
          >
            Move to the trash
          </Button>
          <Button tone="quiet" onClick={keys.clearMarked}>
            Unmark
          </Button>
        </div>
      ) : null}
    </div>
  );
}
