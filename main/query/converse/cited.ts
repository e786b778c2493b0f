import type { PreviousTurn, QueryPlan } from "#contract";
import { localDayOf } from "../../views/index.ts";
import type { PeopleIndex } from "../plan/people.ts";
import type { QueryPorts } from "../ports.ts";

/** What the answer before a follow-up spoke of: people, places and days of the records that it cites, first cited first. */
export interface Cited {
  readonly people: QueryPlan["people"];
  readonly places: QueryPlan["places"];
  readonly days: readonly string[];
}

/** Cited records that are looked at: the first ones carry the answer. */
const looked = 5;
const readLength = 2_000;

export function citedOf(
  { citedRecords }: PreviousTurn,
  records: Pick<QueryPorts["records"], "getMany">,
  people: PeopleIndex,
): Cited {
  const named = new Map<string, QueryPlan["people"][number]>();
  const places = new Set<string>();
  const days = new Set<string>();
  const found = records.getMany(citedRecords.slice(0, looked));
  for (const { text, subject } of found) {
    for (const { personId, name } of people.find(`: ${subject ?? ""} ${text ?? ""}`.slice(0, readLength)))
      named.set(name, { personId, name });
  }
  for (const record of found) {
    const { author } = record;
    for (const { personId, name } of author?.name && !author.owner ? people.find(`: ${author.name}`) : [])
      if (!named.has(name)) named.set(name, { personId, name });
    if (record.place?.name) places.add(record.place.name);
    const day = record.time === null ? null : localDayOf(record.time);
    if (day !== null) days.add(day);
  }
  return { people: [...named.values()], places: [...places], days: [...days] };
}
