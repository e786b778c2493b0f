/** Lists of Apple's privacy export ("iCloud Photos Part n of m"), as observed in exports; Apple documents none of it. */

/** A row of `Photo Details.csv`. */
export interface AppleDetails {
  readonly name: string;
  /** `fileChecksum`: opaque; tells two pictures of one name apart. */
  readonly checksum: string;
  readonly favourite: boolean;
  readonly hidden: boolean;
  readonly deleted: boolean;
  /** ms since 1970, exact to the minute; null: not told. */
  readonly created: number | null;
}

const mostRows = 500_000;

/** Rows of a CSV (RFC 4180), read leniently: a quote inside a bare field is a character, a missing end quote ends at the end. */
export function csvRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = text.startsWith("\ufeff") ? 1 : 0;
  const endRow = () => {
    if (row.length > 1 || (row[0] ?? "") !== "") rows.push(row);
    row = [];
  };
  while (at < text.length && rows.length < mostRows) {
    let field = "";
    if (text[at] === '"') {
      at++;
      for (;;) {
        const quote = text.indexOf('"', at);
        field += text.slice(at, quote < 0 ? undefined : quote);
        at = quote < 0 ? text.length : quote + 1;
        if (text[at] !== '"' || quote < 0) break;
        field += '"';
        at++;
      }
    }
    const rest = /[^,\r\n]*/y;
    rest.lastIndex = at;
    const bare = rest.exec(text)?.[0] ?? "";
    row.push(field + bare);
    at += bare.length;
    if (text[at] === ",") at++;
    else {
      endRow();
      while (text[at] === "\r" || text[at] === "\n") at++;
    }
  }
  endRow();
  return rows;
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** `Friday August 4,2023 2:29 PM GMT` as ms since 1970; null for anything else. Minutes, UTC. */
export function appleDate(text: string): number | null {
  const parts =
    /^\s*(?:\p{L}+\s+)?(\p{L}{3,9})\s+(\d{1,2}),\s*(\d{4})\s+(\d{1,2}):(\d\d)\s*([AP])M\s*(?:GMT|UTC)?/iu.exec(
      text.replace(/[\u00a0\u202f]/g, " "),
    );
  if (!parts) return null;
  const month = months.indexOf((parts[1] ?? "").slice(0, 3).toLowerCase());
  const [day, year, hour, minute] = parts.slice(2, 6).map(Number);
  if (month < 0 || !day || !year || hour === undefined || minute === undefined || hour > 12 || minute > 59) return null;
  const at = Date.UTC(year, month, day, (hour % 12) + (parts[6]?.toUpperCase() === "P" ? 12 : 0), minute);
  return new Date(at).getUTCDate() === day ? at : null;
}

const yes = (value: string | undefined) => value?.trim().toLowerCase() === "yes" || value?.trim() === "true";

/** Rows of a `Photo Details[-n].csv`, or null when the header is another one. */
export function readDetails(text: string): AppleDetails[] | null {
  const [header, ...rows] = csvRows(text);
  const names = (header ?? []).map((one) => one.trim());
  const column = (name: string) => names.indexOf(name);
  if (column("imgName") < 0 || column("originalCreationDate") < 0) return null;
  return rows.flatMap((row) => {
    const cell = (name: string) => row[column(name)] ?? "";
    const name = cell("imgName").trim().normalize("NFC");
    if (name === "") return [];
    return {
      name,
      checksum: cell("fileChecksum").trim(),
      favourite: yes(cell("favorite")),
      hidden: yes(cell("hidden")),
      deleted: yes(cell("deleted")),
      created: appleDate(cell("originalCreationDate")),
    };
  });
}

/** Names in an album's list (one column under a heading), or null when the file is another kind of table. */
export function readAlbumNames(text: string): string[] | null {
  const [header, ...rows] = csvRows(text);
  if (header?.length !== 1 || rows.some((row) => row.length !== 1)) return null;
  return rows.map(([name = ""]) => name.trim().normalize("NFC")).filter((name) => name !== "");
}
