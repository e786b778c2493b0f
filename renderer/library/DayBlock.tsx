import { Paperclip } from "lucide-react";
import { memo, useMemo } from "react";
import type { RecordSummary } from "#contract";
import { KindIcon } from "../design/KindIcon.tsx";
import { Thumbnail } from "../design/Thumbnail.tsx";
import { clock, count, longDay, photoLabel, recordTitle } from "../state/format.ts";
import { pageSize, useLibrary } from "../state/library.ts";
import { openRecord, useRoute } from "../state/route.ts";
import type { Density } from "../state/ui.ts";
import { justify } from "./justify.ts";
import { type Block, type Group, groupRecords } from "./rows.ts";

/** Room at the left and right of a block; gap between photos. */
const margin = { wide: 32, narrow: 16 };
const photoGap = 4;
const photoTarget: Readonly<Record<Density, number>> = { comfortable: 168, compact: 116 };

interface ItemState {
  active: number;
  marked: ReadonlySet<number>;
  onActivate(index: number): void;
}

function stateClass(record: RecordSummary, index: number, state: ItemState, open: number): string {
  return [
    index === state.active ? "is-active" : "",
    record.id === open ? "is-open" : "",
    state.marked.has(record.id) ? "is-marked" : "",
  ]
    .filter((name) => name !== "")
    .join(" ");
}

function useOpenId(): number {
  return useRoute((route) => Number(route.params.open ?? 0));
}

/** When and where, while the photo is pointed at or has the focus. Its button's label says the same. */
function PhotoNote({ record }: { record: RecordSummary }) {
  const words = [clock(record.time), record.place?.name].filter(Boolean).join(" · ");
  return words === "" ? null : (
    <span className="photo__note" aria-hidden="true">
      {words}
    </span>
  );
}

function Photos({
  group,
  width,
  density,
  state,
}: {
  group: Extract<Group, { type: "photos" }>;
  width: number;
  density: Density;
  state: ItemState;
}) {
  const open = useOpenId();
  const rows = useMemo(() => justify(group.items, width, photoTarget[density], photoGap), [group, width, density]);
  return (
    <div className="photos">
      {rows.map((row) => (
        <div key={row.photos[0]?.record.id} className="photos__row" style={{ height: row.height }}>
          {row.photos.map(({ record, index, width: photoWidth }) => (
            <button
              key={record.id}
              type="button"
              className={`photo ${stateClass(record, index, state, open)}`}
              style={{ width: photoWidth }}
              data-index-of-record={index}
              aria-label={photoLabel(record)}
              onClick={() => {
                state.onActivate(index);
                openRecord(record.id);
              }}
            >
              <Thumbnail id={record.id} alt="" />
              <PhotoNote record={record} />
              {record.kind === "video" ? (
                <span className="photo__sign">
                  <KindIcon kind="video" size={14} />
                </span>
              ) : null}
            </button>
          ))}
        </div>
      ))}
    </div>
  );
}

function Chat({ group, state }: { group: Extract<Group, { type: "chat" }>; state: ItemState }) {
  const open = useOpenId();
  return (
    <div className="chat">
      <h3 className="chat__title">
        <KindIcon kind="message" size={14} />
        {group.title}
      </h3>
      {group.items.map(({ record, index }, at) => {
        const sameAuthor = group.items[at - 1]?.record.author === record.author;
        return (
          <button
            key={record.id}
            type="button"
            className={`line line--chat ${record.kind === "system" ? "line--system" : ""} ${stateClass(record, index, state, open)}`}
            data-index-of-record={index}
            onClick={() => {
              state.onActivate(index);
              openRecord(record.id);
            }}
          >
            <span className="line__when">{clock(record.time)}</span>
            <span className="line__who">{sameAuthor ? "" : record.author}</span>
            <span className="line__words">{record.snippet || recordTitle(record)}</span>
            {record.hasThumbnail ? (
              <span className="line__picture">
                <Thumbnail id={record.id} alt="" />
              </span>
            ) : null}
          </button>
        );
      })}
    </div>
  );
}

function Single({ group, state }: { group: Extract<Group, { type: "single" }>; state: ItemState }) {
  const open = useOpenId();
  const { record, index } = group.item;
  return (
    <button
      type="button"
      className={`line line--single ${stateClass(record, index, state, open)}`}
      data-index-of-record={index}
      onClick={() => {
        state.onActivate(index);
        openRecord(record.id);
      }}
    >
      <span className="line__when">{clock(record.time)}</span>
      <KindIcon kind={record.kind} />
      <span className="line__main">
        <span className="line__subject">{record.subject ?? recordTitle(record)}</span>
        {record.author ? <span className="line__from">{record.author}</span> : null}
        {record.subject ? <span className="line__snippet">{record.snippet}</span> : null}
      </span>
      {record.attachments > 0 ? <Paperclip size={14} aria-label={`${record.attachments} attachments`} /> : null}
    </button>
  );
}

/** The block's records, once all of its pages are there. */
function useRecords(block: Block): RecordSummary[] | null {
  const firstPage = Math.floor(block.start / pageSize);
  const lastPage = Math.floor((block.end - 1) / pageSize);
  const first = useLibrary((library) => library.pages.get(firstPage));
  const last = useLibrary((library) => library.pages.get(lastPage));
  return useMemo(() => {
    if (!first || !last) return null;
    const from = block.start - firstPage * pageSize;
    if (firstPage === lastPage) return first.slice(from, block.end - firstPage * pageSize);
    return [...first.slice(from), ...last.slice(0, block.end - lastPage * pageSize)];
  }, [first, last, block, firstPage, lastPage]);
}

/** A day of the timeline, or a part of a long one. */
export const DayBlock = memo(function DayBlock({
  block,
  width,
  density,
  active,
  marked,
  onActivate,
}: {
  block: Block;
  width: number;
  density: Density;
} & ItemState) {
  const records = useRecords(block);
  const groups = useMemo(() => (records ? groupRecords(records, block.start) : null), [records, block.start]);
  const state = { active, marked, onActivate };
  const inner = width - 2 * (width < 600 ? margin.narrow : margin.wide);
  return (
    <section className="day" aria-label={block.day ? longDay(block.day) : "No date"}>
      {block.part === 0 ? (
        <header className="day__head">
          <h2>{block.day ? longDay(block.day) : "No date"}</h2>
          <span className="quiet small">{count(block.count)}</span>
        </header>
      ) : null}
      {groups === null ? (
        <div className="day__waiting" style={{ height: (block.end - block.start) * 34 }} aria-busy="true" />
      ) : (
        groups.map((group) =>
          group.type === "photos" ? (
            <Photos key={group.key} group={group} width={inner} density={density} state={state} />
          ) : group.type === "chat" ? (
            <Chat key={group.key} group={group} state={state} />
          ) : (
            <Single key={group.key} group={group} state={state} />
          ),
        )
      )}
    </section>
  );
});
