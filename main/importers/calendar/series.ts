import { civilMs } from "../text/time.ts";
import { type Budget, civilOf, occurrences, type Rule } from "./recurrence.ts";
import { atWall, instantOf, type Moment, parseStamp } from "./values.ts";
import { wallIn } from "./zones.ts";

/** Meetings that are written out of a series; more of them are told by its rule. */
const maxInstances = 100;
/** Moments of a series that are looked at, left-out ones too. */
const maxLooked = 5_000;
const dayMs = 86_400_000;

/** A changed meeting: which one, and what it became. */
export interface Change {
  readonly of: Moment;
  /** Null when it was called off. */
  readonly start: Moment | null;
  readonly end: Moment | null;
  readonly subject: string | null;
  /** RANGE=THISANDFUTURE: all later ones move as well. */
  readonly onwards: boolean;
}

export interface Series {
  readonly start: Moment;
  /** How long each meeting lasts, ms; null: as long as it says nothing of its end. */
  readonly lasts: number | null;
  readonly rule: Rule | null;
  readonly also: readonly Moment[];
  readonly except: readonly Moment[];
  readonly changes: readonly Change[];
  readonly budget: Budget;
}

export interface Meeting {
  readonly start: Moment;
  readonly end: Moment | null;
  readonly subject: string | null;
}

/** Two moments name the same meeting: the same instant, or the day of it. */
const keysOf = (moment: Moment): string[] => {
  const wall = civilMs(moment.wall);
  return [`${moment.date ? "d" : "t"}${instantOf(moment)}`, `w${wall}`, `day${Math.floor(wall / dayMs)}`];
};

/** Whether an EXDATE or RECURRENCE-ID means a meeting: equal instants; a bare date means that day; floating compares walls. */
class Named {
  readonly #keys = new Map<string, number>();

  constructor(list: readonly Moment[]) {
    for (const [at, moment] of list.entries()) {
      const [instant = "", wall = "", day = ""] = keysOf(moment);
      const key = moment.date ? day : moment.zone === null ? wall : instant;
      if (!this.#keys.has(key)) this.#keys.set(key, at);
    }
  }

  /** Place in the list of what names this meeting, or null. */
  find(moment: Moment): number | null {
    for (const key of keysOf(moment)) {
      const at = this.#keys.get(key);
      if (at !== undefined) return at;
    }
    return null;
  }
}

function untilOf(rule: Rule | null, start: Moment): number {
  const until = rule?.until == null ? null : parseStamp(rule.until);
  if (until === null) return Number.POSITIVE_INFINITY;
  const ms = civilMs(until.civil);
  // An instant is compared in the wall time of the series; a date includes its whole day.
  if (until.date) return ms + dayMs - 1;
  return until.utc && start.zone !== null && start.zone !== "utc" ? wallIn(start.zone, ms) : ms;
}

/** Wall times of the series in order: by rule, or the start alone, with RDATEs put between. */
function* moments({ start, rule, also, budget }: Series): Generator<Moment> {
  const extra = [...also].sort((a, b) => instantOf(a) - instantOf(b));
  const until = untilOf(rule, start);
  const seen = new Set<number>();
  const fresh = (moment: Moment) => !seen.has(instantOf(moment)) && seen.add(instantOf(moment));
  const ruled = rule === null ? [civilMs(start.wall)] : occurrences(rule, start.wall, budget);
  for (const ms of ruled) {
    if (ms > until) break;
    const moment = atWall(start, ms);
    for (let next = extra[0]; next !== undefined && instantOf(next) <= instantOf(moment); next = extra[0]) {
      extra.shift();
      if (fresh(next)) yield next;
    }
    if (fresh(moment)) yield moment;
  }
  for (const moment of extra) if (fresh(moment)) yield moment;
}

/** The end of a meeting that lasts `ms`, inclusive when it is of whole days. */
export function endAfter(start: Moment, ms: number | null): Moment | null {
  if (ms === null) return null;
  if (start.date) {
    const whole = Math.max(0, Math.round(ms / dayMs) - 1);
    return whole === 0 ? null : atWall(start, civilMs(start.wall) + whole * dayMs);
  }
  if (start.zone === null || start.zone === "utc") return atWall(start, civilMs(start.wall) + ms);
  return atWall(start, wallIn(start.zone, instantOf(start) + ms));
}

/** The first meetings of a series, with moves applied and left-out ones away, in the order of their time. */
export function meetingsOf(series: Series): Meeting[] {
  const except = new Named(series.except);
  const changed = new Named(series.changes.map((change) => change.of));
  const onwards = series.changes.filter((change) => change.onwards).sort((a, b) => instantOf(b.of) - instantOf(a.of));
  const meetings: Meeting[] = [];
  const used = new Set<number>();
  let looked = 0;
  for (const moment of moments(series)) {
    if (meetings.length >= maxInstances || ++looked > maxLooked) break;
    const at = changed.find(moment);
    const change = at === null ? undefined : series.changes[at];
    if (at !== null) used.add(at);
    if (change !== undefined) {
      if (change.start !== null) meetings.push({ start: change.start, end: change.end, subject: change.subject });
      continue;
    }
    if (except.find(moment) !== null) continue;
    const later = onwards.find((one) => instantOf(one.of) < instantOf(moment));
    meetings.push(
      later?.start
        ? moved(moment, later, series.lasts)
        : { start: moment, end: endAfter(moment, series.lasts), subject: null },
    );
  }
  // A change of a meeting that the rule does not give (any more) still took place.
  for (const [at, { start, end, subject }] of series.changes.entries()) {
    if (!used.has(at) && start !== null && looked <= maxLooked && meetings.length < maxInstances)
      meetings.push({ start, end, subject });
  }
  return meetings.sort((a, b) => instantOf(a.start) - instantOf(b.start));
}

function moved(moment: Moment, { of, start, end, subject }: Change, lasts: number | null): Meeting {
  if (start === null) return { start: moment, end: endAfter(moment, lasts), subject };
  const shift = civilMs(start.wall) - civilMs(of.wall);
  const to = { ...start, wall: civilOf(civilMs(moment.wall) + shift) };
  return { start: to, end: endAfter(to, end === null ? lasts : instantOf(end) - instantOf(start)), subject };
}
