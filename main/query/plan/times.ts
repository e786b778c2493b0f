import type { PlanNote, QueryPlan } from "#contract";
import { addDays, makeDay, weekdayOf, yearOf } from "../../views/language/index.ts";
import {
  begins,
  type Calendar,
  countOf,
  counts,
  impossibleDates,
  type TimeMention,
  timesIn,
  unitDays,
  unitOf,
  units,
  whole,
} from "./calendar.ts";
import { overlaps, type Stretch } from "./words.ts";

/** When a question asks about, as absolute local days. */
export interface Times {
  readonly windows: QueryPlan["windows"];
  readonly asOf: string | null;
  /** Stretches of the question that only say when. */
  readonly said: readonly Stretch[];
  /** The same with the names of holidays, which are no places. */
  readonly all: readonly Stretch[];
  readonly notes: readonly PlanNote[];
}

/** Local days: of the question, and of the archive's first and last record (null when it is empty). */
export interface Span {
  readonly today: string;
  readonly firstDay: string | null;
  readonly lastDay: string | null;
}

/** Days after which an archive counts as one that goes on no more. */
const endedDays = 180;
/** Years a date without one can mean; older ones than the archive's last forty are not tried. */
const yearLimit = 40;
const windowLimit = 24;
/** Letters after "before" or "between" in which its time has to begin and end. */
const operandLength = 44;
/** "After Christmas" of any year is the two weeks that follow. */
const nearDays = 14;

/** `free`: stretches that are something else, a person called May. */
export function timesOf(text: string, span: Span, taken: readonly Stretch[]): Times {
  const { today, firstDay, lastDay } = span;
  const last = lastDay === null ? yearOf(today) : yearOf(lastDay);
  const first = Math.max(firstDay === null ? last : yearOf(firstDay), last - yearLimit + 1);
  const years = Array.from({ length: Math.max(1, last - first + 1) }, (_, at) => first + at);
  const nowhere = impossibleDates(text);
  const read = (reference: string): Read => {
    const calendar = { reference, years };
    const related = relationsIn(text, calendar, span);
    const found = [
      ...related.mentions,
      ...timesIn(text, calendar).filter((one) => !related.said.some((other) => overlaps(one, other))),
    ]
      .filter((one) => ![...nowhere, ...taken].some((other) => overlaps(one, other)))
      .sort((a, b) => a.start - b.start || (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
    return { ...related, mentions: found };
  };
  let times = read(today);
  // "Last summer" asked of an archive that ended years ago can only mean the archive's own last summer.
  const relative = times.mentions.filter((one) => one.relative);
  const ended = lastDay !== null && addDays(lastDay, endedDays) < today;
  if (ended && relative.length > 0 && times.mentions.every((one) => one.relative && one.from > lastDay))
    times = read(lastDay);
  const windows = windowsOf(times.mentions);
  const outside =
    windows.length > 0 &&
    firstDay !== null &&
    // What lies ahead can have been written of.
    windows.every(({ from, to }) => to < firstDay || (from > (lastDay ?? today) && from <= today));
  return {
    windows,
    asOf: times.asOf,
    // A holiday's name is looked for in texts; the year behind it is not.
    said: [
      ...times.said,
      ...nowhere,
      ...times.mentions
        .filter((one) => !times.said.some((other) => overlaps(one, other)))
        .map(({ start, end, name }) => ({ start: name === null ? start : name.end, end })),
    ],
    all: [...times.said, ...nowhere, ...times.mentions],
    notes: [
      ...nowhere.map((one) => ({ code: "no_such_date" as const, text: one.text })),
      ...(outside ? [{ code: "outside_archive" as const, text: windows[0]?.text ?? "" }] : []),
      ...unknownTimes(text).map((said) => ({ code: "unknown_time" as const, text: said })),
    ],
  };
}

interface Read {
  readonly mentions: readonly TimeMention[];
  /** Stretches of which every word says when, holidays too. */
  readonly said: readonly Stretch[];
  readonly asOf: string | null;
}

/** A bare year counts only when nothing narrower is named (recall study, feature `win`). */
function windowsOf(mentions: readonly TimeMention[]): QueryPlan["windows"] {
  const narrow = mentions.filter(({ unit }) => unit !== "year");
  const chosen = narrow.length > 0 ? narrow : mentions;
  const known = new Set<string>();
  return chosen
    .filter(({ from, to }) => !known.has(`${from} ${to}`) && known.add(`${from} ${to}`))
    .slice(-windowLimit)
    .map(({ from, to, text }) => ({ from, to, text }));
}

/** The mentions of the time that a text begins with (one, or one for each year), and where it ends. */
function leading(text: string, calendar: Calendar): { mentions: TimeMention[]; end: number } | null {
  // "of" makes a bare month a time, "on" a weekday.
  const words = text.slice(0, operandLength);
  const bare = timesIn(`of ${words}`, calendar);
  const all = bare.length > 0 ? bare : timesIn(`on ${words}`, calendar);
  const [one] = all;
  if (!one || one.start > 3 + (/^(?:the|den|dem|der|die|das)\s/iu.exec(text)?.[0].length ?? 0)) return null;
  return {
    mentions: all.filter(({ start, end }) => start === one.start && end === one.end),
    end: Math.max(0, one.end - 3),
  };
}

const weekdays =
  "monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag".split(
    " ",
  );
const lead = "(?:about\\s|around\\s|etwa\\s)?";
const ranges = begins(
  `(?:between|from|zwischen|von|vom)\\s(?<a>[^,;?!]{1,${operandLength}}?)\\s(?:and|to|until|till|through|bis(?:\\szum|\\szur)?|und|–|-)\\s`,
);
const beside = begins(
  `(?:(?:in|on|during|am|in\\sder|im)\\s)?(?:the\\s|die\\s|der\\s|den\\s|das\\s|dem\\s)?${lead}(?:(?<count>${counts})\\s)?(?<unit>${units}|weekend|wochenende|${weekdays.join("|")})\\s(?<way>before|after|following|prior\\sto|of|vor|nach)\\s`,
);
const bounds = begins(
  "(?<way>ever since|since|seit(?:dem)?|before|prior to|vor|after|nach|until|till|up to|bis(?:\\szu[mr]?)?)\\s",
);
const asOf = begins("(?:as of|as at|as per|stand(?:\\svom)?|mit\\sstand(?:\\svom)?)\\s");

/** Times that are told by another one: "between March and May", "the week before Easter", "since 2019", "as of May". */
function relationsIn(text: string, calendar: Calendar, span: Span): Read {
  const mentions: TimeMention[] = [];
  const said: Stretch[] = [];
  let held: string | null = null;
  const free = (one: Stretch) => !said.some((other) => overlaps(one, other));
  const take = (start: number, end: number, days: readonly { from: string; to: string }[], base: TimeMention) => {
    said.push({ start, end });
    const words = text.slice(start, end).trim();
    for (const { from, to } of days)
      if (from <= to) mentions.push({ ...base, start, end, text: words, from, to, unit: "day", name: null });
  };

  for (const match of text.matchAll(asOf)) {
    const end = match.index + match[0].length;
    const time = leading(text.slice(end), calendar);
    const known = time?.mentions.filter(({ from }) => from <= span.today).at(-1);
    if (!time || !known) continue;
    held = known.to;
    const first = span.firstDay !== null && span.firstDay <= known.to ? span.firstDay : known.from;
    take(match.index, end + time.end, [{ from: first, to: known.to }], known);
  }
  for (const match of text.matchAll(ranges)) {
    const end = match.index + match[0].length;
    const to = leading(text.slice(end), calendar);
    if (!to || !free({ start: match.index, end })) continue;
    const days = to.mentions.flatMap((until) => {
      const from = beginning(match.groups?.a ?? "", until, calendar);
      return from === null ? [] : [{ from, to: until.to }];
    });
    const [base] = to.mentions;
    if (days.length > 0 && base) take(match.index, end + to.end, days, base);
  }
  for (const match of text.matchAll(beside)) {
    const end = match.index + match[0].length;
    const time = leading(text.slice(end), calendar);
    const [base] = time?.mentions ?? [];
    if (!time || !base || !free({ start: match.index, end })) continue;
    // "The month of May" is May, and "two weeks of July" is no date.
    if (/^of$/iu.test(match.groups?.way ?? "") && (match.groups?.unit !== "week" || base.unit !== "day")) continue;
    take(
      match.index,
      end + time.end,
      time.mentions.map((one) => besideOf(one, match.groups ?? {})),
      base,
    );
  }
  for (const match of text.matchAll(bounds)) {
    const end = match.index + match[0].length;
    const article = /^(?:the|den|dem|der|die|das)\s/iu.exec(text.slice(end))?.[0].length ?? 0;
    const time = leading(text.slice(end + article), calendar);
    const [base] = time?.mentions ?? [];
    if (!time || !base || !free({ start: match.index, end })) continue;
    take(match.index, end + article + time.end, boundOf(match.groups?.way ?? "", time.mentions, span), base);
  }
  return { mentions, said, asOf: held };
}

/** First day of a range by its words and its end: "March" of the end's year, "3" of the end's month. */
function beginning(words: string, until: TimeMention, calendar: Calendar): string | null {
  const day = /^(?:the\s|dem\s)?(\d{1,2})(?:st|nd|rd|th|\.)?$/.exec(words)?.[1];
  if (day !== undefined) return makeDay(yearOf(until.to), Number(until.to.slice(5, 7)), Number(day));
  const near = [yearOf(until.to) - 1, yearOf(until.to)];
  const found = leading(words, { ...calendar, years: near });
  if (!found || found.end < words.trimEnd().length) return null;
  return found.mentions.filter(({ from }) => from <= until.to).at(-1)?.from ?? null;
}

/** "The week before X": the seven days that end before it. "Two weeks before X": the day, with room for half a unit. */
function besideOf(one: TimeMention, { count, unit, way }: Record<string, string | undefined>) {
  const later = /^(?:after|following|nach)$/iu.test(way ?? "");
  const named = weekdays.indexOf((unit ?? "").toLowerCase()) % 7;
  const weekend = /^w(?:eekend|ochenende)$/iu.test(unit ?? "");
  if (weekend || named >= 0) {
    const wanted = weekend ? 5 : named;
    const day = later
      ? addDays(one.to, (wanted - weekdayOf(one.to) + 7) % 7 || 7)
      : addDays(one.from, -((weekdayOf(one.from) - wanted + 7) % 7 || 7));
    return { from: day, to: weekend ? addDays(day, 1) : day };
  }
  const size = unitDays[unitOf(unit)];
  if (/^of$/iu.test(way ?? "")) {
    const monday = addDays(one.from, -weekdayOf(one.from));
    return { from: monday, to: addDays(monday, 6) };
  }
  if (count === undefined)
    return later
      ? { from: addDays(one.to, 1), to: addDays(one.to, size) }
      : { from: addDays(one.from, -size), to: addDays(one.from, -1) };
  const middle = later ? addDays(one.to, size * countOf(count)) : addDays(one.from, -size * countOf(count));
  return { from: addDays(middle, -Math.floor(size / 2)), to: addDays(middle, Math.floor(size / 2)) };
}

/** Open ends are those of the archive; of a day that comes every year, what is near it. */
function boundOf(way: string, mentions: readonly TimeMention[], { today, firstDay, lastDay }: Span) {
  const end = lastDay !== null && lastDay > today ? lastDay : today;
  const start = firstDay ?? "1900-01-01";
  const latest = mentions.filter(({ from }) => from <= today).at(-1) ?? mentions[0];
  if (!latest) return [];
  if (/^(?:ever|since|seit)/iu.test(way)) return [{ from: latest.from, to: latest.from > end ? latest.to : end }];
  if (/^(?:until|till|up|bis)/iu.test(way)) return [{ from: latest.to < start ? latest.from : start, to: latest.to }];
  const later = /^(?:after|nach)/iu.test(way);
  if (mentions.length > 1)
    return mentions.map(({ from, to }) =>
      later
        ? { from: addDays(to, 1), to: addDays(to, nearDays) }
        : { from: addDays(from, -nearDays), to: addDays(from, -1) },
    );
  const [from, to] = later ? [addDays(latest.to, 1), end] : [start, addDays(latest.from, -1)];
  // "Born before 1990" is nothing about when it was written: no day of the archive is left.
  return from <= to ? [{ from, to }] : [];
}

/** "Since I moved", "seit wir umgezogen sind": only the archive could say when that was. */
function unknownTimes(text: string): string[] {
  const pattern = whole("(?:ever since|since|seit(?:dem)?)\\s(?:i|we|he|she|they|ich|wir|er|sie)\\s[^,.;:?!]{2,60}");
  return [...text.matchAll(pattern)].slice(0, 2).map(([said]) => said.trim());
}

/** The archive's days without those that a question rules out ("not from 2019"); none where nothing is ruled out. */
export function without(ruledOut: readonly string[], span: Span): QueryPlan["windows"] {
  const { firstDay, lastDay, today } = span;
  const gone = ruledOut
    .flatMap((text) => timesOf(`in ${text}`, span, []).windows)
    .sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
  if (gone.length === 0 || gone.length > windowLimit / 2 || firstDay === null) return [];
  const left: QueryPlan["windows"] = [];
  let from = firstDay;
  for (const one of gone) {
    if (one.from > from) left.push({ from, to: addDays(one.from, -1), text: "" });
    if (one.to >= from) from = addDays(one.to, 1);
  }
  const end = lastDay ?? today;
  return from <= end ? [...left, { from, to: end, text: "" }] : left;
}
