/**
 * Unwraps format=flowed text (RFC 3676 §4): counts quote marks, undoes the stuffed blank, joins a line that ends in a
 * blank with the next one of equal depth, never at the signature line "-- ". `delSp`: the joining blank is removed (§4.2).
 */
export function unflow(text: string, delSp: boolean): string {
  const out: string[] = [];
  let open: string[] | null = null;
  let openDepth = 0;
  const close = () => {
    if (open !== null) out.push(prefix(openDepth) + open.join(""));
    open = null;
  };
  for (const line of text.split(/\r?\n/)) {
    let depth = 0;
    while (line[depth] === ">") depth++;
    const content = line.slice(line[depth] === " " ? depth + 1 : depth);
    if (open !== null && (depth !== openDepth || content === "-- ")) close();
    const flows = content.endsWith(" ") && content !== "-- ";
    const piece = flows && delSp ? content.slice(0, -1) : content;
    if (open === null) {
      open = [piece];
      openDepth = depth;
    } else open.push(piece);
    if (!flows) close();
  }
  close();
  return out.join("\n");
}

function prefix(depth: number): string {
  return depth === 0 ? "" : `${">".repeat(depth)} `;
}
