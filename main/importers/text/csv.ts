/** Comma-separated values (RFC 4180) from strangers: quotes that do not end, odd separators, uneven rows. */

const maxCell = 1_000_000;
const maxCells = 2_000;

/** The sign between cells: the one of `,`, `;` and tab that the first line holds most of outside quotes. */
export function separatorOf(text: string): "," | ";" | "\t" {
  const line = /^[^\r\n]*/.exec(text)?.[0].replace(/"[^"]*"/g, "") ?? "";
  const count = (sign: string) => line.split(sign).length;
  if (count("\t") > count(",") && count("\t") > count(";")) return "\t";
  return count(";") > count(",") ? ";" : ",";
}

/** Rows of cells. A quote that does not end takes the rest, up to a cap; cells beyond a cap of a row are left out. */
export function* csvRows(text: string, separator: string = separatorOf(text)): Generator<string[]> {
  let row: string[] = [];
  let at = 0;
  const put = (cell: string) => {
    if (row.length < maxCells) row.push(cell.slice(0, maxCell));
  };
  while (at < text.length) {
    let cell = "";
    if (text[at] === '"') {
      at++;
      for (;;) {
        const end = text.indexOf('"', at);
        cell += text.slice(at, end < 0 ? text.length : end);
        at = end < 0 ? text.length : end + 1;
        if (text[at] !== '"') break;
        cell += '"';
        at++;
      }
    }
    const from = at;
    while (at < text.length && text[at] !== separator && text[at] !== "\n" && text[at] !== "\r") at++;
    put(cell + text.slice(from, at));
    if (text[at] === separator && at < text.length - 1) {
      at++;
      continue;
    }
    if (text[at] === separator) put("");
    at += text[at] === "\r" && text[at + 1] === "\n" ? 2 : 1;
    yield row;
    row = [];
  }
  if (row.length > 0) yield row;
}
