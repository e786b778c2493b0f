import type { Stamp } from "./header.ts";

/** Which number of a date is the day. */
export type DateOrder = "dmy" | "mdy" | "ymd";

/** How sure a file is of its date order. */
export interface OrderVerdict {
  readonly order: DateOrder;
  /** Decided by the file itself. */
  readonly certain: boolean;
}

/** Evidence for the date order of one file, gathered header by header. */
export class OrderEvidence {
  private yearFirst = 0;
  private dots = 0;
  private dayFirst = 0;
  private monthFirst = 0;
  private back = { dmy: 0, mdy: 0 };
  private last = { dmy: 0, mdy: 0 };
  private lastKey = "";
  private headers = 0;
  private tooEarly = 0;
  private lowFirst = 0;

  add(stamp: Stamp): void {
    this.headers++;
    const [first, second, third] = stamp.parts;
    if (stamp.firstDigits >= 3 || first > 31 || stamp.yearFirst) this.yearFirst++;
    else if (first > 12) this.dayFirst++;
    else if (second > 12) this.monthFirst++;
    else if (stamp.mark === ".") this.dots++;
    // Two digits that end a date are no year before 9: the application began in 2009.
    if (stamp.firstDigits <= 2 && third < 9) this.tooEarly++;
    if (first < 9) this.lowFirst++;
    const key = `${first}/${second}/${third}`;
    if (key === this.lastKey) return;
    this.lastKey = key;
    for (const order of ["dmy", "mdy"] as const) {
      const { year, month, day } = readDate(stamp, order);
      const days = Date.UTC(year, month - 1, day) / 86_400_000;
      // Clocks step back by minutes in real files, also over midnight: one day is nothing.
      if (days < this.last[order] - 1) this.back[order]++;
      this.last[order] = days;
    }
  }

  /** A media file name that holds its day (`IMG-20240312-WA0001.jpg`) settles what the header of its message means. */
  addDay(stamp: Stamp, day: string): void {
    const says = (order: DateOrder) => dayText(readDate(stamp, order)) === day;
    if (says("dmy") === says("mdy")) return;
    if (says("dmy")) this.dayFirst++;
    else this.monthFirst++;
  }

  /**
   * The order that the file itself tells: the year in front, a number above 12, dots (always day first), else the one
   * reading that never goes back in time; else day first, uncertain.
   */
  verdict(): OrderVerdict {
    if (this.yearFirst > this.headers / 2) return { order: "ymd", certain: true };
    if (this.tooEarly > 0 && this.lowFirst === 0) return { order: "ymd", certain: true };
    if (this.dayFirst !== this.monthFirst) {
      return {
        order: this.dayFirst > this.monthFirst ? "dmy" : "mdy",
        certain: Math.min(this.dayFirst, this.monthFirst) === 0,
      };
    }
    if (this.dots > 0) return { order: "dmy", certain: true };
    const { dmy, mdy } = this.back;
    if (dmy === 0 && mdy > 0) return { order: "dmy", certain: true };
    if (mdy === 0 && dmy > 0) return { order: "mdy", certain: true };
    return { order: mdy < dmy ? "mdy" : "dmy", certain: false };
  }
}

/** A date in one reading. Two-digit years are 20xx (WhatsApp began in 2009); Thai phones count 543 years ahead. */
export function readDate(stamp: Stamp, order: DateOrder): { year: number; month: number; day: number } {
  const [first, second, third] = stamp.parts;
  const [year, month, day] =
    order === "ymd" ? [first, second, third] : order === "dmy" ? [third, second, first] : [third, first, second];
  const full = year < 100 ? 2000 + year : year >= 2500 && year < 2700 ? year - 543 : year;
  return { year: full, month, day };
}

export function dayText(date: { year: number; month: number; day: number }): string {
  return `${date.year}-${String(date.month).padStart(2, "0")}-${String(date.day).padStart(2, "0")}`;
}
