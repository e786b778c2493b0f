import type { QueryPlan, RecordId, StoredRecord } from "#contract";
import { localDayOf, momentOf } from "../../views/index.ts";
import { asksWhereabouts } from "../plan/places.ts";
import { saidBy } from "../plan/terms.ts";
import type { QueryPorts } from "../ports.ts";
import { asksPictures, type Ground, sentWith } from "../recall/pictures.ts";
import type { Recall, Scored } from "../recall/recall.ts";
import { staysOf } from "../recall/stays.ts";
import { type Said, type Shot, saidOf, shotOf, type Teller, tellerStems, tieOf } from "../recall/ties.ts";
import { type Candidate, type CandidateSet, candidateOf, candidateSettings } from "./candidates.ts";

/**
 * What is read in a picture counts for the matter that the records speak of that it is tied to: a sign says "max 2 hours", the
 * letter of that evening says where it stands. Such pictures are candidates of a question in words, and what is said of them
 * is said around them.
 */

const settings = {
  /** Records in words that are looked at, and the least they must say of what is asked. */
  tellers: 12,
  leastTold: 0.3,
  /** Days of a stay, and pictures that are read in all. */
  longestStay: 3,
  pictures: 80,
  /** Least share of what is asked that is said of a picture, and how many more become candidates. */
  leastSaid: 0.5,
  added: 4,
  /** Candidates among the pictures whose messages are looked for. */
  own: 8,
  /** Letters that a text in a picture must have to say anything. */
  leastText: 12,
} as const;

/** The recall with what is said around such pictures, and the candidates with them; both as they were where there are none. */
export function withPictures(
  plan: QueryPlan,
  recalled: Recall,
  set: CandidateSet,
  ports: Pick<QueryPorts, "index" | "records">,
): { recalled: Recall; set: CandidateSet } {
  const same = { recalled, set };
  if (plan.kinds.length > 0 || plan.operation === "count" || asksPictures(plan) || asksWhereabouts(plan)) return same;
  if (!ports.records.picturesRead()) return same;
  const telling = tellersOf(recalled, set);
  const shots = shotsOf(telling, set, ports);
  if (shots.length === 0) return same;
  const inside = new Map(set.candidates.map((one) => [one.recordId, one]));
  // What a picture was sent with is said of it, however little of the question it says.
  const own = shots.filter(({ record }) => inside.has(record.id)).slice(0, settings.own);
  const chats = telling.flatMap(({ record }) => (record.kind === "message" ? (localDayOf(record.time) ?? []) : []));
  const sent = sentWith(ports, shots, [...new Set([...own.map(({ day }) => day), ...chats])]);
  const heard = new Set(telling.map(({ record }) => record.id));
  const shown = new Set(own.flatMap(({ record }) => sent.of(record.id) ?? []));
  const tellers = [
    ...telling,
    ...[...shown].filter(({ id }) => !heard.has(id)).map((record) => tellerOf(record, plan, recalled)),
  ];
  const found = shots
    .map((shot) => {
      const tied = tellers.map((teller) => ({ teller, tie: tieOf(shot, teller, sent) })).filter(({ tie }) => tie > 0);
      const said = saidOf(recalled.asked, shot, tellerStems(shot.record, plan.language), tied);
      const likely = Math.max(
        0,
        ...tied.map(({ teller, tie }) => tie * (inside.get(teller.record.id)?.probability ?? 0)),
      );
      return { shot, said, likely, shown: sent.of(shot.record.id)?.id ?? null };
    })
    .filter(({ said }) => said.by !== null && said.score >= settings.leastSaid)
    .toSorted((a, b) => b.said.score - a.said.score || a.shot.record.id - b.shot.record.id);
  if (found.length === 0) return same;
  const told = new Map<RecordId, Said>(found.map(({ shot, said }) => [shot.record.id, said]));
  const grounds = new Map<RecordId, Ground>(recalled.grounds);
  for (const { shot, said, shown } of found)
    grounds.set(shot.record.id, { score: said.score, by: said.by, shown, counts: false });
  const missing = found.filter(({ shot }) => !inside.has(shot.record.id)).slice(0, settings.added);
  const scored = new Map(recalled.score(missing.map(({ shot }) => shot.record.id)).map((one) => [one.recordId, one]));
  const likelier = new Map(found.map(({ shot, likely }) => [shot.record.id, likely]));
  const raised = <T extends Scored>(one: T): T => ({
    ...one,
    probability: Math.max(one.probability, likelier.get(one.recordId) ?? 0),
  });
  const added = missing.flatMap(({ shot }): Candidate[] => {
    const one = scored.get(shot.record.id);
    return one === undefined ? [] : [candidateOf(raised(one), shot.record, plan.language)];
  });
  // They are read with the seeds of the retrieval.
  const raisedAll = set.candidates.map((one) => (told.has(one.recordId) ? raised(one) : one));
  const { seeds } = candidateSettings;
  const candidates = [...raisedAll.slice(0, seeds), ...added, ...raisedAll.slice(seeds)].map((one, at) => ({
    ...one,
    rank: at + 1,
  }));
  const known = new Set(candidates.map(({ recordId }) => recordId));
  const edges = ports.index
    .edges(added.map(({ recordId }) => recordId))
    .filter(({ from, to }) => known.has(from) && known.has(to));
  return {
    recalled: { ...recalled, grounds, around: (id) => joined(recalled.around(id), told.get(id)) },
    set: { ...set, candidates, edges: [...set.edges, ...edges] },
  };
}

function joined(around: ReadonlyMap<string, number>, said: Said | undefined): ReadonlyMap<string, number> {
  if (said === undefined) return around;
  const all = new Map(around);
  for (const [root, strength] of said.terms) if (strength > (all.get(root) ?? 0)) all.set(root, strength);
  return all;
}

function tellersOf({ asked, around }: Recall, { candidates }: CandidateSet): Teller[] {
  return candidates
    .filter(({ record }) => record.kind !== "photo" && record.kind !== "video" && record.kind !== "system")
    .map((candidate) => ({ candidate, said: saidBy(asked, candidate.stems, around(candidate.recordId)) }))
    .filter(({ said }) => said >= settings.leastTold)
    .toSorted((a, b) => b.said - a.said || a.candidate.rank - b.candidate.rank)
    .slice(0, settings.tellers)
    .map(({ candidate: { record, stems, recordId, moment } }) => ({
      record,
      stems,
      around: around(recordId),
      stays: staysOf(record),
      moment,
      greets: false,
    }));
}

function tellerOf(record: StoredRecord, { language }: QueryPlan, { around }: Recall): Teller {
  const [stems, stays, moment] = [tellerStems(record, language), staysOf(record), momentOf(record.time)];
  return { record, stems, around: around(record.id), stays, moment, greets: false };
}

/** Pictures with text: those that are candidates, and those of the days that the records tell of. */
function shotsOf(
  tellers: readonly Teller[],
  { candidates }: CandidateSet,
  { records }: Pick<QueryPorts, "records">,
): Shot[] {
  const spans = new Map(
    tellers
      .flatMap(({ stays }) => stays)
      .filter(({ from, to }) => Date.parse(to) - Date.parse(from) <= settings.longestStay * 86_400_000)
      .map(({ from, to }) => [`${from} ${to}`, { from, to }]),
  );
  const ids = new Set<RecordId>();
  for (const { from, to } of spans.values()) {
    if (ids.size >= settings.pictures) break;
    for (const id of records.photos(from, to, settings.pictures)) ids.add(id);
  }
  const known = candidates.map(({ record }) => record).filter(({ kind }) => kind === "photo");
  for (const { id } of known) ids.delete(id);
  const legible = ids.size === 0 ? ids : records.legible([...ids]);
  const read = records.getMany([...ids].filter((id) => legible.has(id)));
  return [...known, ...read].flatMap((record) => {
    const shot = (record.perceived?.ocr?.text ?? "").length >= settings.leastText ? shotOf(record) : null;
    return shot ?? [];
  });
}
