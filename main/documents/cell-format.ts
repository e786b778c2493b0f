/** How a number in a sheet is meant: as it stands, as a part of a hundred, as a day, a time of day, or both. */
export type CellMeaning = "number" | "percent" | "date" | "time" | "date-time";

/** Built-in formats (ECMA-376 part 1, §18.8.30); 27–36 and 50–58 are dates in East Asian locales. */
function builtIn(id: number): CellMeaning {
  if (id === 9 || id === 10) return "percent";
  if (id === 22) return "date-time";
  if ((id >= 18 && id <= 21) || (id >= 45 && id <= 47) || (id >= 32 && id <= 35)) return "time";
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return "date";
  return "number";
}

/** Meaning of a number format: of its code where the file gives one, else of its number. */
export function meaningOf(id: number, code: string | undefined): CellMeaning {
  if (code === undefined) return builtIn(id);
  // Quoted and escaped letters, colours and conditions say nothing about the number; [h] is a span of time.
  const bare = code
    .slice(0, 500)
    .split(";")[0]
    ?.replace(/"[^"]*"|\\.|_.|\*./g, "")
    .replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, "")
    .toLowerCase();
  if (bare === undefined || bare === "general") return "number";
  const clock = /[hs]/.test(bare);
  if (/[yd]/.test(bare)) return clock ? "date-time" : "date";
  if (clock) return "time";
  if (bare.includes("m")) return "date";
  return bare.includes("%") ? "percent" : "number";
}

const two = (value: number): string => String(value).padStart(2, "0");

/** A number of a sheet as text. `from1904`: the workbook counts its days from 1904. */
export function cellNumber(value: number, meaning: CellMeaning, from1904: boolean): string {
  if (!Number.isFinite(value)) return String(value);
  if (meaning === "number") return shortest(value);
  if (meaning === "percent") return `${shortest(value * 100)}%`;
  if (value < 0 || value >= 2_958_466) return shortest(value);
  const seconds = Math.round((value % 1) * 86_400);
  const clock = `${two(Math.floor(seconds / 3600) % 24)}:${two(Math.floor(seconds / 60) % 60)}${seconds % 60 === 0 ? "" : `:${two(seconds % 60)}`}`;
  if (meaning === "time" || (value < 1 && !from1904)) return clock;
  // Day 60 is the 29 February 1900 that never was: days before it are one too low.
  const days = Math.floor(value) + (from1904 ? 1462 : value < 60 ? 1 : 0) + Math.floor(seconds / 86_400);
  const date = new Date(Date.UTC(1899, 11, 30) + days * 86_400_000).toISOString().slice(0, 10);
  return meaning === "date" ? date : `${date} ${clock}`;
}

/** 15 digits, as spreadsheets show them at most: 0.1 + 0.2 is 0.3. */
function shortest(value: number): string {
  return String(Number(value.toPrecision(15)));
}
