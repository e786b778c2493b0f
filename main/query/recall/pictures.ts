import type { QueryPlan, RecordId, StoredRecord } from "#contract";
import { localDayOf } from "../../views/index.ts";
import { fold, stem, wordsOf } from "../../views/language/index.ts";
import { type Asked, isGeneric } from "../plan/terms.ts";
import type { QueryPorts } from "../ports.ts";
import type { Recall, Scored } from "./recall.ts";
import type { Stay } from "./stays.ts";
import { tellersOf } from "./tellers.ts";
import { SentWith, type Shot, saidOf, shotOf, type Teller, tellerStems, tieOf } from "./ties.ts";

/**
 * A picture asked for is found by its own words, by what a model saw on it, and through the records that it is tied to
 * (`ties.ts`); the answer cites what it is believed by.
 */

/** Why a picture is believed to be the one: how surely, 0–1, and the record that says so. */
export interface Ground {
  readonly score: number;
  readonly by: RecordId | null;
  /** What a model saw on it, when that is the reason. */
  readonly label?: string;
  /** The message that it was sent with. */
  readonly shown: RecordId | null;
  /** Of what is counted for several ("cakes for Ida and Jonas") it shows one: the thing, and one of the names. */
  readonly counts: boolean;
}

const settings = {
  /** Least share of what is asked that is said of a picture. */
  leastSaid: 0.3,
  pictures: 120,
  /** Least likeness of what a model saw to what is asked for. */
  leastSeen: 0.3,
  /** Same place, same trip. */
  nearKm: 5,
  nearMs: 72 * 3_600_000,
  nearShare: 0.8,
  /** Weight left to words that only the picture itself could show. */
  seenShare: 0.4,
  /** From here on a word is said of a picture. */
  isSaid: 0.35,
  /** Days whose messages are looked through for pictures, and messages of a day. */
  days: 60,
  messages: 200,
  /** Best pictures whose messages are looked for, wherever they are. */
  told: 12,
} as const;

const media: ReadonlySet<string> = new Set(["photo", "video"]);

const onlyPictures = (kinds: QueryPlan["kinds"]): boolean => kinds.length > 0 && kinds.every((kind) => media.has(kind));

/** Pictures of something: kinds of picture and a word, place or name to find them by. */
export function asksPictures({ kinds, terms, operation }: QueryPlan): boolean {
  return onlyPictures(kinds) && terms.length > 0 && operation !== "count";
}

/** "How many photos did we take at the wedding?" */
export function countsPictures({ kinds, terms, operation }: QueryPlan): boolean {
  const of = terms.some((term) => !isGeneric(fold(term)));
  return operation === "count" && of && onlyPictures(kinds);
}

/** Pictures of a time, or all of them: nothing is said of what they show. */
export function listsPictures({ kinds, terms, people, places, operation }: QueryPlan): boolean {
  const nothing = terms.length === 0 && people.length === 0 && places.length === 0;
  return onlyPictures(kinds) && nothing && operation !== "count";
}

/** `said`: the recall of the same question over records in words. Gives pictures first, then what they stand on. */
export function recallPictures(plan: QueryPlan, ports: QueryPorts, said: Recall): Recall {
  const asked = forPictures(plan, said.asked);
  const tellers = tellersOf(plan, ports, said, asked);
  const stays = tellers.flatMap((teller) => teller.stays);
  const shots = shotsOf(plan, ports, stays, said);
  const days = new Set(shots.map(({ day }) => day));
  const chatDays = new Set(
    tellers.flatMap(({ record }) => (record.kind === "message" ? localDayOf(record.time) : null) ?? []),
  );
  const sent = sentWith(
    ports,
    shots,
    [...chatDays].filter((day) => days.has(day)),
  );
  const anyOf = namesTogether(plan);
  const grounds = new Map<RecordId, Ground>();
  for (const shot of shots) {
    const { id } = shot.record;
    const tied = tellers.map((teller) => ({ teller, tie: tieOf(shot, teller, sent) })).filter(({ tie }) => tie > 0);
    const { score, by, terms } = saidOf(asked, shot, tellerStems(shot.record, plan.language), tied, anyOf);
    const sight = said.seen.get(id);
    const shown = sent.of(id)?.id ?? null;
    const counts = countsAs(terms, anyOf);
    if (sight && sight.score >= Math.max(score, settings.leastSeen)) {
      grounds.set(id, { score: sight.score, by: null, label: sight.label, shown, counts });
    } else if (score >= settings.leastSaid) grounds.set(id, { score, by, shown, counts });
  }
  spread(shots, grounds);
  const ranked = rank(shots, grounds, said);
  const told = new Set(ranked.slice(0, settings.told).map(({ recordId }) => recordId));
  const best = shots.filter(({ record }) => told.has(record.id));
  const shownWith = sentWith(ports, shots, [...new Set(best.map(({ day }) => day))]);
  for (const id of told) {
    const ground = grounds.get(id);
    const shown = shownWith.of(id)?.id ?? null;
    if (ground && ground.shown === null) grounds.set(id, { ...ground, shown });
  }
  const kept = new Map(
    ranked.flatMap(({ recordId }) => {
      const ground = grounds.get(recordId);
      return ground ? [[recordId, ground] as const] : [];
    }),
  );
  return { ...said, asked, ranked: withTellers(ranked, told, kept, said, tellers), grounds: kept };
}

/** The pictures that are told come first, then what is told of them, then all others. */
function withTellers(
  pictures: readonly Scored[],
  told: ReadonlySet<RecordId>,
  grounds: ReadonlyMap<RecordId, Ground>,
  said: Recall,
  tellers: readonly Teller[],
): Scored[] {
  const first = pictures.filter(({ recordId }) => told.has(recordId));
  const named = new Set(
    [...told].flatMap((id) => [grounds.get(id)?.shown, grounds.get(id)?.by]).filter((id) => id != null),
  );
  const known = new Map(said.ranked.map((one) => [one.recordId, one]));
  const missing = said.score([...named].filter((id) => !known.has(id)));
  const of = (id: RecordId) => known.get(id) ?? missing.find(({ recordId }) => recordId === id) ?? [];
  const others = tellers.map(({ record }) => record.id).filter((id) => !named.has(id));
  return [
    ...first,
    ...[...named].flatMap(of),
    ...pictures.filter(({ recordId }) => !told.has(recordId)),
    ...others.flatMap(of),
  ];
}

/** A place or name must be said somewhere; "sea" and "dusk" may only be seen. German writes every noun with a capital. */
function forPictures(plan: QueryPlan, asked: Asked): Asked {
  if (plan.language === "de") return asked;
  const terms = asked.terms.map((term) =>
    /^\p{Lu}/u.test(term.text) ? term : { ...term, weight: term.weight * settings.seenShare },
  );
  return { ...asked, terms };
}

/** "Cakes for Ida and Jonas" are counted, whoever of them they are for: stems of the names. */
function namesTogether({ question }: QueryPlan): ReadonlySet<string> {
  const names = countedFor.exec(question.slice(0, 500))?.[1] ?? "";
  return new Set(wordsOf(names).flatMap(({ text, folded }) => (/^\p{Lu}/u.test(text) ? [stem(folded)] : [])));
}
const countedFor =
  /(?<!\p{L})(?:[Hh]ow many|[Ww]ie ?viele)\s.*?(?<!\p{L})(?:for|of|with|für|von|mit)\s((?:\p{Lu}\p{L}+,\s)*\p{Lu}\p{L}+\s(?:and|or|und|oder)\s\p{Lu}\p{L}+)/u;

/** Whether it shows what is counted, for one of the names; never where none are named together. */
function countsAs(terms: ReadonlyMap<string, number>, anyOf: ReadonlySet<string>): boolean {
  const said = [...terms].filter(([, strength]) => strength >= settings.isSaid).map(([root]) => root);
  return said.some((root) => anyOf.has(root)) && said.some((root) => !anyOf.has(root));
}

function shotsOf(plan: QueryPlan, { records }: QueryPorts, stays: readonly Stay[], said: Recall): Shot[] {
  const ids = new Set(said.ranked.map(({ recordId }) => recordId));
  const spans = new Map(stays.map(({ from, to }) => [`${from} ${to}`, { from, to }]));
  for (const { from, to } of spans.values()) {
    if (ids.size > settings.pictures * 4) break;
    for (const { id } of records.list({ from, to, kinds: [...plan.kinds] }, 0, settings.pictures).records) ids.add(id);
  }
  const inTime = (day: string) =>
    plan.windows.length === 0 || plan.windows.some(({ from, to }) => day >= from && day <= to);
  return records.getMany([...ids]).flatMap((record) => {
    const shot = plan.kinds.includes(record.kind) ? shotOf(record) : null;
    return shot !== null && inTime(shot.day) ? [shot] : [];
  });
}

/** Which message of these days each picture was sent with. */
export function sentWith(
  { records, index }: Pick<QueryPorts, "records" | "index">,
  shots: readonly Shot[],
  days: readonly string[],
): SentWith {
  const ids = days
    .slice(0, settings.days)
    .flatMap((day) => records.list({ from: day, to: day, kinds: ["message"] }, 0, settings.messages).records)
    .filter(({ attachments }) => attachments > 0)
    .map(({ id }) => id);
  const parts = index.edges(ids).flatMap(({ relation, from }) => (relation === "attachment_of" ? [from] : []));
  return new SentWith(shots, records.getMany(ids), records.getMany(parts));
}

/** What is known of a picture holds for others of the same place on the same trip, a little less surely. */
function spread(shots: readonly Shot[], grounds: Map<RecordId, Ground>): void {
  const known = new Map(grounds);
  for (const { record, moment } of shots) {
    for (const other of shots) {
      const ground = known.get(other.record.id);
      if (!ground || Math.abs(other.moment - moment) > settings.nearMs || !near(record, other.record)) continue;
      const score = ground.score * settings.nearShare;
      const own = grounds.get(record.id);
      if (score > (own?.score ?? 0))
        grounds.set(record.id, {
          score,
          by: ground.by,
          shown: own?.shown ?? null,
          counts: own?.counts ?? ground.counts,
        });
    }
  }
}

function near({ place: a }: StoredRecord, { place: b }: StoredRecord): boolean {
  if (a?.lat == null || a.lon == null || b?.lat == null || b.lon == null) return false;
  const radians = Math.PI / 180;
  const x = (b.lon - a.lon) * radians * Math.cos(((a.lat + b.lat) / 2) * radians);
  return Math.hypot(x, (b.lat - a.lat) * radians) * 6_371 <= settings.nearKm;
}

/** Best first. Copies that came with a chat give way to the originals of that day; a screenshot shows no place. */
function rank(shots: readonly Shot[], grounds: ReadonlyMap<RecordId, Ground>, said: Recall): Scored[] {
  const originals = new Set(shots.filter(({ record }) => record.partOf === null).map(({ day }) => day));
  const wanted = shots.filter(
    ({ record, day }) => grounds.has(record.id) && (record.partOf === null || !originals.has(day)),
  );
  const scored = new Map(said.score(wanted.map(({ record }) => record.id)).map((one) => [one.recordId, one]));
  return wanted
    .flatMap(({ record }) => {
      const one = scored.get(record.id);
      const ground = grounds.get(record.id);
      if (!one || !ground) return [];
      const placed = record.place === null ? 0 : 0.03;
      const screenshot = record.props.flags?.includes("screenshot") ? 0.3 : 0;
      return [{ ...one, probability: Math.max(0, Math.min(0.99, ground.score + placed - screenshot)) }];
    })
    .sort((a, b) => b.probability - a.probability || b.score - a.score || a.recordId - b.recordId);
}
