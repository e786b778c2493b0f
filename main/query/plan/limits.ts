import type { QueryPlan, RecordId, StoredRecord } from "#contract";
import { fold, stem, wordsOf } from "../../views/language/index.ts";
import type { QueryPorts } from "../ports.ts";

/** What a plan rules out is in no answer: the pool of a question goes through here, whatever brought a record into it. */

type Ports = Pick<QueryPorts["records"], "getMany" | "personIdsOf">;

/** Whether the plan rules anything out: exclusions, or sources that records must have come by. */
export function isLimited({ sources, excluded }: QueryPlan): boolean {
  const { people, places, kinds, terms, records } = excluded;
  return [sources, people, places, kinds, terms, records, excluded.sources].some((list) => list.length > 0);
}

/** The records of `ids` that the plan lets through, in their order. Reads nothing where nothing is ruled out. */
export function withinLimits(plan: QueryPlan, records: Ports, ids: readonly RecordId[]): RecordId[] {
  if (!isLimited(plan) || ids.length === 0) return [...ids];
  const people = plan.excluded.people.length > 0 ? records.personIdsOf(ids) : new Map<RecordId, readonly number[]>();
  const keeps = limitsOf(plan);
  const kept = new Set(
    records
      .getMany(ids)
      .filter((record) => keeps(record, people.get(record.id) ?? []))
      .map(({ id }) => id),
  );
  return ids.filter((id) => kept.has(id));
}

/** Whether a record (with the people who take part in it, author first) is let through. */
export function limitsOf({
  sources,
  excluded,
}: QueryPlan): (record: StoredRecord, people: readonly number[]) => boolean {
  const names = excluded.people.map(({ name }) => fold(name));
  const ids = new Set(excluded.people.flatMap(({ personId }) => personId ?? []));
  const places = excluded.places.map(fold);
  const terms = excluded.terms.map((term) => stem(fold(term)));
  const shown = new Set(excluded.records);
  return (record, people) => {
    if (shown.has(record.id)) return false;
    if (sources.length > 0 && !sources.includes(record.source)) return false;
    if (excluded.kinds.includes(record.kind)) return false;
    if (excluded.sources.some((source) => comesFrom(record, source))) return false;
    if (ids.size + names.length > 0) {
      // Of what was written only the author is ruled out: others may well speak of them.
      const seen = record.kind === "photo" || record.kind === "video" || record.kind === "event";
      const [author] = people;
      const there = seen ? people : record.author !== null && author !== undefined ? [author] : [];
      if (there.some((id) => ids.has(id))) return false;
      const said = fold(
        [record.author?.name ?? "", ...(seen ? [record.subject ?? "", record.text ?? ""] : [])].join(" "),
      );
      if (names.some((name) => name !== "" && said.includes(name))) return false;
    }
    const where = fold([record.place?.name, record.subject, record.text].filter(Boolean).join(" "));
    if (places.some((place) => where.includes(place))) return false;
    if (terms.length === 0) return true;
    const tags = record.perceived?.tags?.tags.map(({ label }) => label) ?? [];
    const text = [record.subject ?? "", record.text ?? "", ...tags].join(" ");
    const stems = new Set(wordsOf(text.slice(0, 100_000)).map(({ folded }) => stem(folded)));
    return !terms.some((term) => stems.has(term));
  };
}

/** An importer's id, or a word in the name of where the record stands: its chat, folder, labels, or its author's address. */
function comesFrom(record: StoredRecord, source: string): boolean {
  if (record.source === source) return true;
  const word = stem(fold(source));
  const labels = record.props.labels;
  const names = [
    record.container?.title ?? "",
    ...(Array.isArray(labels) ? labels.filter((one) => typeof one === "string") : []),
    (record.author?.address ?? "").split("@")[1] ?? "",
  ];
  return wordsOf(names.join(" ")).some(({ folded }) => stem(folded) === word);
}
