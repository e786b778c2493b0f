import { type Civil, civilMs } from "../text/time.ts";

/** Recurrence rules of RFC 5545 §3.3.10, in the wall time of the event, whatever its zone. */

const freqs = ["SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"] as const;
const days = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
const dayMs = 86_400_000;
/** Periods that are tried without finding anything before a rule counts as one that never comes: some 27 years of days. */
const maxIdle = 10_000;

/** Work that all rules of one import may take together, in periods: an attacker's file holds many rules. */
export interface Budget {
  left: number;
}

export interface Rule {
  readonly freq: (typeof freqs)[number];
  readonly interval: number;
  readonly count: number | null;
  /** As written: a date, a wall time or an instant. */
  readonly until: string | null;
  readonly weekStart: number;
  readonly by: Readonly<Record<string, readonly number[]>>;
  /** Weekdays 0 (Sunday) to 6, with their place in month or year; place 0 means every one. */
  readonly byDay: readonly { readonly day: number; readonly place: number }[];
}

const ranges: Readonly<Record<string, readonly [number, number]>> = {
  BYSECOND: [0, 60],
  BYMINUTE: [0, 59],
  BYHOUR: [0, 23],
  BYMONTHDAY: [-31, 31],
  BYYEARDAY: [-366, 366],
  BYWEEKNO: [-53, 53],
  BYMONTH: [1, 12],
  BYSETPOS: [-366, 366],
};

/** A rule from its text, or null for what is none or counts in another calendar. */
export function parseRule(text: string): Rule | null {
  const parts = new Map<string, string>();
  for (const part of text.slice(0, 5_000).split(";")) {
    const [name = "", value = ""] = part.split("=");
    parts.set(name.trim().toUpperCase(), value.trim().toUpperCase());
  }
  const freq = freqs.find((one) => one === parts.get("FREQ"));
  if (freq === undefined || !["GREGORIAN", undefined].includes(parts.get("RSCALE"))) return null;
  const by: Record<string, number[]> = {};
  for (const [name, [low, high]] of Object.entries(ranges)) {
    const numbers = (parts.get(name) ?? "").split(",").filter((one) => /^[+-]?\d{1,3}$/.test(one));
    const fitting = numbers.map(Number).filter((one) => one >= low && one <= high);
    if (fitting.length > 0) by[name] = [...new Set(fitting)].sort((a, b) => a - b);
  }
  const byDay = (parts.get("BYDAY") ?? "").split(",").flatMap((one) => {
    const match = /^([+-]?\d{1,2})?(SU|MO|TU|WE|TH|FR|SA)$/.exec(one);
    return match ? [{ day: days.indexOf(match[2] ?? ""), place: Number(match[1] ?? 0) }] : [];
  });
  const whole = (name: string) => (/^\d{1,9}$/.test(parts.get(name) ?? "") ? Number(parts.get(name)) : null);
  const start = days.indexOf(parts.get("WKST") ?? "MO");
  return {
    freq,
    interval: Math.max(1, whole("INTERVAL") ?? 1),
    count: whole("COUNT"),
    until: parts.get("UNTIL") ?? null,
    weekStart: start < 0 ? 1 : start,
    by,
    byDay: byDay.slice(0, 400),
  };
}

/** Wall clock of ms since 1970 read as UTC. */
export function civilOf(ms: number): Civil {
  const date = new Date(ms);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  };
}

/**
 * Wall times of a series in order, as ms of the wall clock read as UTC, `start` first (RFC 5545 §3.8.5.3 counts it).
 * COUNT is applied, UNTIL is not: it is an instant, which the caller knows. Ends by itself for a rule that finds nothing.
 */
export function* occurrences(rule: Rule, start: Civil, budget: Budget = { left: maxIdle }): Generator<number> {
  const from = civilMs(start);
  let left = rule.count ?? Number.POSITIVE_INFINITY;
  if (left-- <= 0) return;
  yield from;
  let idle = 0;
  for (let index = 0; idle < maxIdle && budget.left-- > 0; index++) {
    const set = periodSet(rule, start, index);
    if (set === null) return;
    idle++;
    for (const ms of set) {
      if (ms <= from) continue;
      if (left-- <= 0) return;
      idle = 0;
      yield ms;
    }
  }
}

/** All wall times of the `index`-th period of a rule; null where the calendar ends. */
function periodSet(rule: Rule, start: Civil, index: number): readonly number[] | null {
  const step = index * rule.interval;
  const first = periodStart(rule, start, step);
  if (first === null) return null;
  const clock = clockOf(rule, start);
  let set: number[];
  if (rule.freq === "SECONDLY" || rule.freq === "MINUTELY" || rule.freq === "HOURLY") {
    set = withinDay(rule, first);
  } else {
    set = daysOf(rule, start, first).flatMap((day) => clock.map((time) => day + time));
  }
  const places = rule.by.BYSETPOS;
  if (places === undefined) return set;
  const chosen = places.map((place) => (place > 0 ? set[place - 1] : set[set.length + place]));
  return chosen.filter((ms) => ms !== undefined).sort((a, b) => a - b);
}

/** Times of day in ms: BYHOUR × BYMINUTE × BYSECOND, each by default as the series starts. At most 1,440 of them. */
function clockOf(rule: Rule, start: Civil): number[] {
  const { BYHOUR = [start.hour], BYMINUTE = [start.minute], BYSECOND = [start.second] } = rule.by;
  const times: number[] = [];
  for (const hour of BYHOUR)
    for (const minute of BYMINUTE)
      for (const second of BYSECOND) {
        times.push(((hour * 60 + minute) * 60 + second) * 1000);
        if (times.length >= 1_440) return times;
      }
  return times;
}

function periodStart(rule: Rule, start: Civil, step: number): number | null {
  const midnight = civilMs({ ...start, hour: 0, minute: 0, second: 0 });
  let ms: number;
  switch (rule.freq) {
    case "YEARLY":
      ms = Date.UTC(start.year + step, 0, 1);
      break;
    case "MONTHLY":
      ms = Date.UTC(start.year, start.month - 1 + step, 1);
      break;
    case "WEEKLY": {
      const weekday = new Date(midnight).getUTCDay();
      ms = midnight - ((weekday - rule.weekStart + 7) % 7) * dayMs + step * 7 * dayMs;
      break;
    }
    case "DAILY":
      ms = midnight + step * dayMs;
      break;
    case "HOURLY":
      ms = civilMs(start) + step * 3_600_000;
      break;
    case "MINUTELY":
      ms = civilMs(start) + step * 60_000;
      break;
    case "SECONDLY":
      ms = civilMs(start) + step * 1_000;
  }
  return Number.isFinite(ms) && ms < Date.UTC(9999, 11, 31) ? ms : null;
}

/** Days (midnights) of a period that all BY rules allow. */
function daysOf(rule: Rule, start: Civil, first: number): number[] {
  const { BYMONTH, BYWEEKNO, BYYEARDAY, BYMONTHDAY } = rule.by;
  const date = new Date(first);
  const lengths = {
    YEARLY: (Date.UTC(date.getUTCFullYear() + 1, 0, 1) - first) / dayMs,
    MONTHLY: (Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) - first) / dayMs,
    WEEKLY: 7,
    DAILY: 1,
  };
  const { freq } = rule;
  if (freq === "SECONDLY" || freq === "MINUTELY" || freq === "HOURLY") return [];
  const bare = rule.byDay.length === 0 && BYMONTHDAY === undefined && BYYEARDAY === undefined;
  const weekday = new Date(civilMs(start)).getUTCDay();
  const inYearWeek = freq === "YEARLY" && BYWEEKNO !== undefined;
  const found: number[] = [];
  for (let index = 0; index < lengths[freq]; index++) {
    const ms = first + index * dayMs;
    const day = new Date(ms);
    if (!allowed(rule, day)) continue;
    if (bare && freq === "WEEKLY" && day.getUTCDay() !== weekday) continue;
    if (bare && inYearWeek && day.getUTCDay() !== weekday) continue;
    if (bare && !inYearWeek && (freq === "MONTHLY" || freq === "YEARLY") && day.getUTCDate() !== start.day) continue;
    if (bare && !inYearWeek && freq === "YEARLY" && BYMONTH === undefined && day.getUTCMonth() + 1 !== start.month)
      continue;
    found.push(ms);
  }
  return found;
}

/** Whether a day passes BYMONTH, BYWEEKNO, BYYEARDAY, BYMONTHDAY and BYDAY. */
function allowed(rule: Rule, day: Date): boolean {
  const { BYMONTH, BYWEEKNO, BYYEARDAY, BYMONTHDAY } = rule.by;
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()];
  if (BYMONTH && !BYMONTH.includes(month + 1)) return false;
  const monthDays = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const yearDays = (Date.UTC(year + 1, 0, 1) - Date.UTC(year, 0, 1)) / dayMs;
  const yearDay = (Date.UTC(year, month, day.getUTCDate()) - Date.UTC(year, 0, 1)) / dayMs + 1;
  const either = (list: readonly number[], place: number, all: number) =>
    list.includes(place) || list.includes(place - all - 1);
  if (BYMONTHDAY && !either(BYMONTHDAY, day.getUTCDate(), monthDays)) return false;
  if (BYYEARDAY && !either(BYYEARDAY, yearDay, yearDays)) return false;
  if (BYWEEKNO && rule.freq === "YEARLY") {
    const { week, weeks } = weekOf(day, rule.weekStart);
    if (!either(BYWEEKNO, week, weeks)) return false;
  }
  if (rule.byDay.length === 0) return true;
  const inMonth = rule.freq === "MONTHLY" || (rule.freq === "YEARLY" && BYMONTH !== undefined);
  const place = inMonth ? day.getUTCDate() : yearDay;
  const all = inMonth ? monthDays : yearDays;
  const counted = rule.freq === "MONTHLY" || (rule.freq === "YEARLY" && BYWEEKNO === undefined);
  return rule.byDay.some((one) => {
    if (one.day !== day.getUTCDay()) return false;
    if (one.place === 0 || !counted) return true;
    return one.place > 0 ? Math.ceil(place / 7) === one.place : Math.ceil((all - place + 1) / 7) === -one.place;
  });
}

/** Number of the week and of the weeks of its year: week 1 is the first with four days in the year. */
function weekOf(day: Date, weekStart: number): { week: number; weeks: number } {
  const firstWeek = (year: number) => {
    const fourth = Date.UTC(year, 0, 4);
    return fourth - ((new Date(fourth).getUTCDay() - weekStart + 7) % 7) * dayMs;
  };
  const ms = day.getTime();
  let year = day.getUTCFullYear();
  if (ms >= firstWeek(year + 1)) year++;
  else if (ms < firstWeek(year)) year--;
  const first = firstWeek(year);
  return {
    week: Math.floor((ms - first) / dayMs / 7) + 1,
    weeks: Math.round((firstWeek(year + 1) - first) / dayMs / 7),
  };
}

/** Times of one hour, minute or second that the rule allows. */
function withinDay(rule: Rule, ms: number): number[] {
  const civil = civilOf(ms);
  const { BYHOUR, BYMINUTE, BYSECOND } = rule.by;
  if (!allowed(rule, new Date(ms))) return [];
  if (BYHOUR && !BYHOUR.includes(civil.hour)) return [];
  const minutes = rule.freq === "HOURLY" ? (BYMINUTE ?? [civil.minute]) : [civil.minute];
  if (rule.freq !== "HOURLY" && BYMINUTE && !BYMINUTE.includes(civil.minute)) return [];
  const seconds = rule.freq === "SECONDLY" ? [civil.second] : (BYSECOND ?? [civil.second]);
  if (rule.freq === "SECONDLY" && BYSECOND && !BYSECOND.includes(civil.second)) return [];
  return minutes.flatMap((minute) => seconds.map((second) => civilMs({ ...civil, minute, second })));
}
