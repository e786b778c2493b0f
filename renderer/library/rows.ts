import type { DayCount, RecordSummary } from "#contract";

/** Records of one block at most: a block is what the virtual list measures. */
export const blockSize = 60;

/** A piece of the timeline: a day, or a part of a long day. Records [start, end) in timeline order. */
export interface Block {
  day: string | null;
  /** From 0; the first part of a day carries its heading. */
  part: number;
  /** Records of the whole day. */
  count: number;
  start: number;
  end: number;
}

/** Lays out the whole timeline from its counts, before any record is known. */
export function buildBlocks(days: readonly DayCount[]): Block[] {
  const blocks: Block[] = [];
  let offset = 0;
  for (const { day, count } of days) {
    for (let done = 0; done < count; done += blockSize) {
      blocks.push({
        day,
        part: done / blockSize,
        count,
        start: offset + done,
        end: offset + Math.min(count, done + blockSize),
      });
    }
    offset += count;
  }
  return blocks;
}

/** The block that holds the record at a place of the timeline; binary search. −1 outside. */
export function blockOf(blocks: readonly Block[], index: number): number {
  let low = 0;
  let high = blocks.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const block = blocks[middle];
    if (!block) return -1;
    if (index < block.start) high = middle - 1;
    else if (index >= block.end) low = middle + 1;
    else return middle;
  }
  return -1;
}

export interface Month {
  /** `2024-07`, or null for records without a time. */
  month: string | null;
  count: number;
  /** Place of its first record in the timeline. */
  start: number;
}

/** Months of the timeline, newest first, with their volumes. */
export function monthsOf(days: readonly DayCount[]): Month[] {
  const months: Month[] = [];
  let offset = 0;
  for (const { day, count } of days) {
    const month = day?.slice(0, 7) ?? null;
    const last = months.at(-1);
    if (last && last.month === month) last.count += count;
    else months.push({ month, count, start: offset });
    offset += count;
  }
  return months;
}

/** What stands together inside a day. */
export type Group =
  | { type: "photos"; key: string; items: { record: RecordSummary; index: number }[] }
  | { type: "chat"; key: string; title: string; items: { record: RecordSummary; index: number }[] }
  | { type: "single"; key: string; item: { record: RecordSummary; index: number } };

/** Gathers neighbours: pictures into one grid, messages of one chat into one excerpt. The order stays. */
export function groupRecords(records: readonly RecordSummary[], start: number): Group[] {
  const groups: Group[] = [];
  records.forEach((record, at) => {
    const item = { record, index: start + at };
    const last = groups.at(-1);
    if ((record.kind === "photo" || record.kind === "video") && record.hasThumbnail) {
      if (last?.type === "photos") last.items.push(item);
      else groups.push({ type: "photos", key: `photos-${record.id}`, items: [item] });
    } else if (record.kind === "message" || record.kind === "system") {
      const title = record.containerTitle ?? "Messages";
      if (last?.type === "chat" && last.title === title) last.items.push(item);
      else groups.push({ type: "chat", key: `chat-${record.id}`, title, items: [item] });
    } else groups.push({ type: "single", key: `one-${record.id}`, item });
  });
  return groups;
}
