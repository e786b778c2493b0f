/** Calendar days as `YYYY-MM-DD` and as day numbers since 1970-01-01. No zone anywhere: a day is a local day. */

const msPerDay = 86_400_000;

export function dayNumber(day: string): number {
  return Math.round(Date.parse(`${day}T00:00:00Z`) / msPerDay);
}

export function dayOf(number: number): string {
  return new Date(number * msPerDay).toISOString().slice(0, 10);
}

/** Null for a day that the calendar does not have (31 April). */
export function makeDay(year: number, month: number, day: number): string | null {
  const text = `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  const number = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(number) || new Date(number).toISOString().slice(0, 10) !== text ? null : text;
}

export function addDays(day: string, days: number): string {
  return dayOf(dayNumber(day) + days);
}

export function yearOf(day: string): number {
  return Number(day.slice(0, 4));
}

export function monthOf(day: string): number {
  return Number(day.slice(5, 7));
}

/** Monday 0 … Sunday 6. */
export function weekdayOf(day: string): number {
  return (dayNumber(day) + 3) % 7;
}

/** First and last day of a month; `month` may leave 1–12 and is carried into the year. */
export function monthSpan(year: number, month: number): { from: string; to: string } {
  const first = new Date(Date.UTC(year, month - 1, 1));
  const last = new Date(Date.UTC(year, month, 0));
  return { from: first.toISOString().slice(0, 10), to: last.toISOString().slice(0, 10) };
}
