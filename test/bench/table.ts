/** Rows as aligned columns for a terminal; numbers to the right. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cells = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? "").length)));
  const line = (row: readonly string[], index: number) =>
    row
      .map((cell, column) => {
        const numeric = typeof rows[Math.max(0, index - 1)]?.[column] === "number";
        return numeric ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
      })
      .join("  ")
      .trimEnd();
  const rule = widths.map((width) => "─".repeat(width)).join("  ");
  const [first = "", ...rest] = cells.map(line);
  return [first, rule, ...rest].join("\n");
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** `12 / 40 (30 %)`. */
export function share(part: number, whole: number): string {
  return `${part} / ${whole} (${whole === 0 ? 0 : Math.round((100 * part) / whole)} %)`;
}
