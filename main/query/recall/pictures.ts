import type { QueryPlan, RecordId, StoredRecord } from "#contract";
import { localDayOf, momentOf, viewsOf } from "../../views/index.ts";
import { contentStems, dayNumber, findDates, makeDay, monthOf, yearOf } from "../../views/language/index.ts";
import { type Asked, coverage, saidBy } from "../plan/terms.ts";
import type { QueryPorts } from "../ports.ts";
import type { Recall, Scored } from "./recall.ts";

/**
 * Pictures say little in words: their place and matter stand in what was written on the day, sent with them, or agreed
 * before ("5 to 12 August by the lake"). A picture asked for is found through those records (GraphMemix §1.2:
 * record_grounding, event_bridge, same_place), and the answer cites both.
 */

/** Why a picture is believed to be the one: the record that says so, and how surely, 0–1. */
export interface Ground {
  readonly score: number;
  readonly by: RecordId | null;
  /** What a model saw on it, when that is the reason. */
  readonly label?: string;
}

const settings = {
  /** Records in words that are read, and the least they must say of what is asked. */
  texts: 40,
  leastSaid: 0.3,
  pictures: 120,
  /** Least likeness of what a model saw to what is asked for. */
  leastSeen: 0.3,
  /** Shares by the tie: sent with the message, written on the same day, day or stay named in advance. */
  sent: 1,
  sameDay: 0.6,
  named: 0.55,
  /** A message shows what was taken up to this long before. */
  sentWithin: 20 * 3_600_000,
  /** Longest stay between two dates, in days. */
  stay: 22,
  /** Same place, same trip. */
  nearKm: 5,
  nearMs: 72 * 3_600_000,
  nearShare: 0.8,
  /** Characters of a message that is a greeting and no more. */
  greeting: 160,
  /** Weight left to words that only the picture itself could show. */
  seenShare: 0.4,
} as const;

const media: ReadonlySet<string> = new Set(["photo", "video"]);

/** Pictures of something: kinds of picture and a word, place or name to find them by. */
export function asksPictures({ kinds, terms, operation }: QueryPlan): boolean {
  return kinds.length > 0 && kinds.every((kind) => media.has(kind)) && terms.length > 0 && operation !== "count";
}

interface Picture {
  readonly record: StoredRecord;
  readonly moment: number;
  readonly day: string;
}

/** `said`: the recall of the same question over records in words. Gives pictures first, then what they stand on. */
export function recallPictures(plan: QueryPlan, ports: QueryPorts, said: Recall): Recall {
  const asked = forPictures(plan, said.asked);
  const read = ports.records
    .getMany(said.ranked.slice(0, settings.texts).map(({ recordId }) => recordId))
    .filter(({ kind }) => !media.has(kind));
  const greetings = new Set(read.filter(greetsFrom));
  const greeted = new Set([...greetings].flatMap((record) => [...stemsOf(record, plan)]));
  const around = (id: RecordId) => new Map([...said.around(id)].filter(([stem]) => !greeted.has(stem)));
  const texts = read
    .filter((record) => !greetings.has(record))
    .map((record) => ({ record, score: saidBy(asked, stemsOf(record, plan), around(record.id)) }))
    .filter(({ score }) => score >= settings.leastSaid);
  const stays = texts.flatMap(({ record, score }) => staysOf(record).map((stay) => ({ ...stay, record, score })));
  const pictures = picturesOf(plan, ports, stays, said);
  const grounds = new Map<RecordId, Ground>();
  for (const picture of pictures) {
    const own = coverage(asked, stemsOf(picture.record, plan));
    const sight = said.seen.get(picture.record.id);
    if (sight && sight.score >= Math.max(own, settings.leastSeen)) {
      grounds.set(picture.record.id, { score: sight.score, by: null, label: sight.label });
    } else if (own >= settings.leastSaid) grounds.set(picture.record.id, { score: own, by: null });
  }
  for (const { record, score, from, to, share } of stays) {
    const within = pictures.filter(({ day }) => day >= from && day <= to);
    const shown = (record.props.attachments ?? []).length > 0 ? shownBy(record, within) : null;
    for (const { record: picture } of within) {
      const tie = picture.id === shown || picture.partOf?.identity === record.identity ? settings.sent : share;
      add(grounds, picture.id, score * tie, record.id);
    }
  }
  spread(pictures, grounds);
  const ranked = rank(pictures, grounds, said);
  const shown = new Map(
    ranked.flatMap(({ recordId }) => {
      const ground = grounds.get(recordId);
      return ground ? [[recordId, ground] as const] : [];
    }),
  );
  const stoodOn = said.ranked.filter(({ recordId }) => texts.some(({ record }) => record.id === recordId));
  return { ...said, asked, ranked: [...ranked, ...stoodOn], grounds: shown };
}

/**
 * "Love from Whitby", written to the owner, says where the writer is, not where the owner took pictures; nor do the records
 * beside it.
 */
function greetsFrom({ author, text }: StoredRecord): boolean {
  return author?.owner === false && (text ?? "").length <= settings.greeting && greeting.test(text ?? "");
}
const greeting =
  /(?<!\p{L})(?:greetings|love|regards|wishes|hello|hi|hugs|kisses|(?:happy|merry)\s\p{L}+|gr(?:ü|ue)(?:ß|ss)e|gruß|frohe\s\p{L}+|alles (?:liebe|gute))(?!\p{L})[^.!?]{0,30}(?<!\p{L})(?:from|aus|von)\s\p{Lu}/iu;

/** A place or name must be said somewhere; "sea" and "dusk" may only be seen. German writes every noun with a capital. */
function forPictures(plan: QueryPlan, asked: Asked): Asked {
  if (plan.language === "de") return asked;
  const terms = asked.terms.map((term) =>
    /^\p{Lu}/u.test(term.text) ? term : { ...term, weight: term.weight * settings.seenShare },
  );
  return { ...asked, terms };
}

function stemsOf(record: StoredRecord, plan: QueryPlan): Set<string> {
  const text = viewsOf(record).map((view) => view.text.slice(0, 4_000));
  return new Set(contentStems(text.join("\n"), plan.language));
}

/** Days that a record tells of: its own for what is said in passing, the named ones for what is planned. */
function staysOf(record: StoredRecord): { from: string; to: string; share: number }[] {
  const day = localDayOf(record.time);
  const stays: { from: string; to: string; share: number }[] =
    day === null || record.kind === "email" ? [] : [{ from: day, to: day, share: settings.sameDay }];
  const text = `${record.subject ?? ""}\n${record.text ?? ""}`.slice(0, 4_000);
  const dates = findDates(text, { reference: day }).filter(({ unit }) => unit === "day");
  for (const [at, { from: last, start, end }] of dates.entries()) {
    // "From 3 to 10 August": the first day shares the month of the second.
    const first = /(?<!\d)(\d{1,2})(?:\.|st|nd|rd|th)?\s*(?:to|until|till|–|-|bis)(?: the| zum)?\s*$/iu.exec(
      text.slice(Math.max(0, start - 16), start),
    );
    const opened = first === null ? null : makeDay(yearOf(last), monthOf(last), Number(first[1]));
    const from = opened !== null && opened < last ? opened : last;
    const next = dates[at + 1];
    const joined = next && /^\s*(?:,|to|until|till|through|–|-|bis)(?: zum| the)?\s*(?:\p{L}+day|\p{L}+tag)?,?\s*$/iu;
    const stay = next && joined?.test(text.slice(end, next.start)) ? dayNumber(next.from) - dayNumber(from) : 0;
    const to = next && stay > 0 && stay <= settings.stay ? next.from : last;
    stays.push({ from, to, share: settings.named });
  }
  return stays;
}

function picturesOf(
  plan: QueryPlan,
  { records }: QueryPorts,
  stays: readonly { from: string; to: string }[],
  said: Recall,
): Picture[] {
  const ids = new Set(said.ranked.map(({ recordId }) => recordId));
  const spans = new Map(stays.map(({ from, to }) => [`${from} ${to}`, { from, to }]));
  for (const { from, to } of spans.values()) {
    if (ids.size > settings.pictures * 4) break;
    for (const { id } of records.list({ from, to, kinds: [...plan.kinds] }, 0, settings.pictures).records) ids.add(id);
  }
  const inTime = (day: string) =>
    plan.windows.length === 0 || plan.windows.some(({ from, to }) => day >= from && day <= to);
  return records.getMany([...ids]).flatMap((record) => {
    const [day, moment] = [localDayOf(record.time), momentOf(record.time)];
    if (!plan.kinds.includes(record.kind) || day === null || moment === null || !inTime(day)) return [];
    return [{ record, day, moment }];
  });
}

/** The picture that a message shows: the last original taken before it. */
function shownBy(message: StoredRecord, pictures: readonly Picture[]): RecordId | null {
  const sent = momentOf(message.time) ?? 0;
  let best: Picture | null = null;
  for (const picture of pictures) {
    if (picture.record.partOf !== null || picture.moment > sent + 60_000) continue;
    if (sent - picture.moment > settings.sentWithin || (best !== null && best.moment >= picture.moment)) continue;
    best = picture;
  }
  return best?.record.id ?? null;
}

/** Several records that say so make it surer: 1 − Π(1 − s). The strongest of them is the one that is cited. */
function add(grounds: Map<RecordId, Ground>, id: RecordId, score: number, by: RecordId): void {
  const known = grounds.get(id);
  if (!known) grounds.set(id, { score, by });
  else grounds.set(id, { score: 1 - (1 - known.score) * (1 - score), by: score > known.score ? by : (known.by ?? by) });
}

/** What is known of a picture holds for others of the same place on the same trip, a little less surely. */
function spread(pictures: readonly Picture[], grounds: Map<RecordId, Ground>): void {
  const known = new Map(grounds);
  for (const { record, moment } of pictures) {
    for (const other of pictures) {
      const ground = known.get(other.record.id);
      if (!ground || Math.abs(other.moment - moment) > settings.nearMs || !near(record, other.record)) continue;
      const score = ground.score * settings.nearShare;
      if (score > (grounds.get(record.id)?.score ?? 0)) grounds.set(record.id, { score, by: ground.by });
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
function rank(pictures: readonly Picture[], grounds: Map<RecordId, Ground>, said: Recall): Scored[] {
  const originals = new Set(pictures.filter(({ record }) => record.partOf === null).map(({ day }) => day));
  const wanted = pictures.filter(
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
