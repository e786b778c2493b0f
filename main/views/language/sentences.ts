/** A piece of text: [start, end) in UTF-16 units, without blanks at its ends. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const abbreviations =
  /(?:\b(?:mr|mrs|ms|dr|prof|st|nr|no|vs|e\.g|i\.e|z\.b|d\.h|bzw|usw|ca|inkl|str|tel|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|okt|nov|dec|dez)|\b\p{L}|\b\d{1,2})$/iu;

/** Sentences and lines of a text. A dot after an abbreviation, an initial or an ordinal ("14. Juli") ends none. */
export function sentencesOf(text: string): Span[] {
  const spans: Span[] = [];
  let start = 0;
  const push = (end: number) => {
    let from = start;
    let to = end;
    while (from < to && /\s/.test(text.charAt(from))) from++;
    while (to > from && /\s/.test(text.charAt(to - 1))) to--;
    if (to > from) spans.push({ start: from, end: to });
    start = end;
  };
  for (const match of text.matchAll(/\n+|[.!?…]+["'”’»)\]]*(?=\s|$)/gu)) {
    const end = match.index + match[0].length;
    if (match[0].startsWith(".") && !match[0].startsWith("..") && end < text.length && text.charAt(end) !== "\n") {
      if (abbreviations.test(text.slice(Math.max(start, match.index - 12), match.index))) continue;
    }
    push(end);
  }
  push(text.length);
  return spans;
}
