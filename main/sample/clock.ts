/** Wall time and offset in the two zones of the story, by the European rule, without asking the machine. */

export interface Moment {
  /** ISO UTC with Z. */
  readonly utc: Date;
  /** `+01:00`. */
  readonly offset: string;
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const lastSunday = (year: number, month: number): number => {
  const last = new Date(Date.UTC(year, month, 0));
  return last.getUTCDate() - last.getUTCDay();
};

/** `wall` is `YYYY-MM-DD HH:MM[:SS]`. Summer time runs from the last Sunday of March to that of October (02:00 taken as the turn). */
export function moment(wall: string, zone: "London" | "Berlin"): Moment {
  const match = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d)(?::(\d\d))?$/.exec(wall);
  if (!match) throw new Error(`Not a wall time: ${wall}`);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const order = month * 10_000 + day * 100 + hour;
  const summer = order >= 30_000 + lastSunday(year, 3) * 100 + 2 && order < 100_000 + lastSunday(year, 10) * 100 + 2;
  const hours = (zone === "Berlin" ? 1 : 0) + (summer ? 1 : 0);
  return {
    utc: new Date(Date.UTC(year, month - 1, day, hour - hours, minute, second)),
    offset: `+0${hours}:00`,
    year,
    month,
    day,
    hour,
    minute,
    second,
  };
}

export const pad = (value: number, length = 2): string => String(value).padStart(length, "0");
