/**
 * Joins the lines that a program broke at a fixed width (mails by RFC 5322 §2.1.1 and RFC 3676, texts out of PDFs): the
 * line end becomes a blank, so every offset in the result is an offset in the text. Paragraphs, lists, tables, code and
 * lines that somebody ended on purpose stay as they are. A line was broken there when the next word did not fit into
 * the width that the text's lines have; items, code and what was blanked out have widths of their own.
 */
export function unwrap(text: string): string {
  const lines = text.split("\n");
  const prose = lines.flatMap((line) => (begins.test(line) || code.test(line) ? [] : line.trimEnd().length));
  const width = prose.reduce((most, length) => (length <= widest ? Math.max(most, length) : most), 0);
  if (width < narrowest) return text;
  const wrapped = prose.filter((length) => length <= width && length > width - ragged).length > 1;
  let result = lines[0] ?? "";
  for (let at = 1; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const before = lines[at - 1] ?? "";
    result += (goesOn(before, line, width, wrapped) || leaves(before, line) ? " " : "\n") + line;
  }
  return result;
}

/** Characters a line: programs wrap at 60 to 80, some at up to 100. Shorter lines are a person's own. */
const narrowest = 56;
const widest = 100;

/** How far lines of one width end from each other. */
const ragged = 14;

/** `wrapped`: the text has several lines of that width; a lone long line may be an address or a title. */
function goesOn(line: string, next: string, width: number, wrapped: boolean): boolean {
  if (line.length > widest || line.length < narrowest / 2 || ends.test(line) || begins.test(next) || code.test(line))
    return false;
  const small = /^\p{Ll}/u.test(next);
  if (!wrapped && !small) return false;
  // People wrap where they like: what is as long as its neighbours and goes on in small letters is one sentence.
  if (wrapped && small && line.length <= width && line.length > width - ragged) return true;
  const word = /^\S+/.exec(next)?.[0].length ?? 0;
  return word > 0 && line.length + 1 + word > width;
}

/** A line that no sentence ends with, wherever it was broken; and one that says what stands alone on the next. */
function leaves(line: string, next: string): boolean {
  if (begins.test(next) || begins.test(line) || code.test(line)) return false;
  return (
    (line.length >= narrowest / 2 && open.test(line)) ||
    (line.trimEnd().endsWith(":") && /^[^\s:]\S{5,}\s*$/.test(next))
  );
}
const open =
  /\s(?:the|an?|of|with|from|for|by|into|onto|at|as|on|in|than|and|or|but|that|this|these|those|which|because|my|your|his|her|our|their|der|die|das|den|dem|des|eine?[nmrs]?|und|oder|aber|mit|von|vom|zur?|zum|für|bei|beim|nach|aus|dass|weil)\s*$/iu;

/** A sentence or an opening ends with the line. */
const ends = /[.!?…:;]["'”’»)\]]*\s*$/;

/** An item of a list, a quotation, a heading, a row, a changed line of code, or a line moved in. */
const begins = /^(?:\s|[-*•–—+>#|=@~_]|\d{1,3}[.)]\s|[a-z]\)\s|$)/;

/** A changed line of code, a row of a table, a heading in marks. */
const code = /^(?:[-+@|#=>]|\s{4})|[{}\\|]\s*$/;
