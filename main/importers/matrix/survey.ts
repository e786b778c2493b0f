import { throwIfCancelled } from "../text/guard.ts";
import { jsonItems } from "../text/json.ts";
import type { Entry } from "../types.ts";
import { headerSchema, type MatrixEvent, readEvent, shown } from "./schema.ts";

/** What a first pass tells of a room: names of its people, and what later events say about earlier ones. */
export interface RoomSurvey {
  readonly name: string | null;
  readonly roomId: string | null;
  /** Event id of the room's making, which never changes. */
  readonly made: string | null;
  readonly first: string | null;
  readonly exporter: string | null;
  readonly people: ReadonlyMap<string, string>;
  readonly reactions: ReadonlyMap<string, { emoji: string; by: string; id: string | null }[]>;
  readonly edits: ReadonlyMap<string, MatrixEvent[]>;
  readonly redacted: ReadonlySet<string>;
}

const maxKept = 2_000_000;

/** `m.annotation`, `m.replace` …, and to which event. */
export function relationOf(event: MatrixEvent): { type: string; to: string } | null {
  const relates = event.content?.["m.relates_to"] ?? null;
  return relates?.rel_type && relates.event_id ? { type: relates.rel_type, to: relates.event_id } : null;
}

export async function surveyOf(entry: Entry, signal: AbortSignal): Promise<RoomSurvey> {
  const header: Record<string, unknown> = {};
  const people = new Map<string, string>();
  const reactions = new Map<string, { emoji: string; by: string; id: string | null }[]>();
  const edits = new Map<string, MatrixEvent[]>();
  const redacted = new Set<string>();
  let roomId: string | null = null;
  let made: string | null = null;
  let first: string | null = null;
  let kept = 0;
  const paths = ["room_name", "room_id", "exported_by", "room_creator"].map((name) => `$.${name}`);
  try {
    for await (const { path, value } of jsonItems(entry, [...paths, "$.messages.*"])) {
      throwIfCancelled(signal);
      if (path[0] !== "messages") {
        header[String(path[0])] = value;
        continue;
      }
      const event = readEvent(value);
      if (event === null || kept > maxKept) continue;
      roomId ??= event.room_id;
      first ??= event.event_id;
      const { content, sender, type } = event;
      if (type === "m.room.create") made ??= event.event_id;
      if (type === "m.room.member" && event.state_key !== null && content !== null) {
        const name = shown(content.displayname ?? event.unsigned?.prev_content?.displayname ?? null);
        if (name !== null) people.set(event.state_key, name);
      }
      const relation = relationOf(event);
      if (relation?.type === "m.annotation" && content?.["m.relates_to"]?.key) {
        const list = reactions.get(relation.to) ?? [];
        list.push({ emoji: content["m.relates_to"].key, by: sender ?? "", id: event.event_id });
        reactions.set(relation.to, list);
        kept++;
      } else if (relation?.type === "m.replace") {
        edits.set(relation.to, [...(edits.get(relation.to) ?? []), event]);
        kept++;
      } else if (type === "m.room.redaction" && event.redacts !== null) {
        redacted.add(event.redacts);
        kept++;
      }
    }
  } catch (error) {
    // The reading meets the same damage and tells of it; what stands before it counts.
    throwIfCancelled(signal);
    if (error instanceof TypeError) throw error;
  }
  const told = headerSchema.safeParse(header).data;
  return {
    name: shown(told?.room_name ?? null),
    roomId: roomId ?? told?.room_id ?? null,
    made,
    first,
    exporter: shown(told?.exported_by ?? null),
    people,
    reactions,
    edits,
    redacted,
  };
}
