/** The two forms of a message header: iOS `[DATE, TIME] NAME: …`, Android `DATE, TIME - NAME: …`. A file holds one of them. */
export type HeaderKind = "bracket" | "dash";

/** A date and clock as written, before anyone decides which number is the month. */
export interface Stamp {
  /** The three numbers of the date in written order. */
  readonly parts: readonly [number, number, number];
  /** Digits of the first number: four say that the year comes first. */
  readonly firstDigits: number;
  /** The mark between the numbers: `/`, `.`, `-` … */
  readonly mark: string;
  /** 0–23. */
  readonly hour: number;
  readonly minute: number;
  /** Null where the export has minutes only. */
  readonly second: number | null;
}

export interface Header {
  readonly kind: HeaderKind;
  readonly stamp: Stamp;
  /** Whether a comma stands between date and time, as WhatsApp writes it in most languages. */
  readonly comma: boolean;
  /** What follows the header: `NAME: TEXT`, or a notice. */
  readonly rest: string;
}

/** Zeros of the decimal digits of scripts that phones show numbers in (Unicode general category Nd, blocks of ten). */
const zeros = [
  0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0e50, 0x0ed0,
  0x0f20, 0x1040, 0x17e0, 0x1810, 0xff10,
];

/** Digits of any script as 0–9; one code unit stays one. */
function westernDigits(text: string): string {
  return text.replace(/[\u0660-\uff19]/g, (char) => {
    const code = char.charCodeAt(0);
    const zero = zeros.find((start) => code >= start && code < start + 10);
    return zero === undefined ? char : String(code - zero);
  });
}

const blank = "[ \\t\\u00a0\\u2009\\u202f]";
const marks = "[\\u200e\\u200f\\u061c\\u202a-\\u202e]";
const before = "午前|午後|上午|下午|凌晨|清晨|中午|晚上|오전|오후|ÖÖ|ÖS";
const after =
  "[ap]\\.?[ \\u00a0\\u202f]?m\\.?|ص|م|قبل از ظهر|بعد از ظهر|π\\.?μ\\.?|μ\\.?μ\\.?|SA|CH|ÖÖ|ÖS|de\\.|du\\.|पूर्वाह्न|अपराह्न|AM|PM";

const pattern = new RegExp(
  [
    `^(\\[)?${marks}{0,3}`,
    `(\\d{1,4})${marks}{0,2}([/.\\-\\u2010年년])${marks}{0,2}${blank}?`,
    `(\\d{1,2})${marks}{0,2}[/.\\-\\u2010月월]${marks}{0,2}${blank}?`,
    `(\\d{1,4})[.日일]?${marks}{0,2}`,
    `([,،])?${marks}{0,2}${blank}{0,3}`,
    `(?:(?:um|à|às|a las|at|klo|kl\\.|alle|om|o|в|la|u)${blank}{1,2})?`,
    `(?:(${before})${blank}?)?`,
    "(\\d{1,2})[:.](\\d{2})(?:[:.](\\d{2}))?",
    `(?:${blank}{0,2}${marks}{0,2}(${after}))?${marks}{0,2}`,
    `(?:(\\])${blank}?|${blank}[-–]${blank})`,
  ].join(""),
  "iu",
);

const afternoon = /^(?:p|م$|بعد|μ\.?μ|CH$|ÖS$|du\.|अप|午後|下午|中午|晚上|오후)/iu;
const leadingMarks = /^[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/;

/** Reads a message header at the start of a line; null when there is none. */
export function parseHeader(line: string): Header | null {
  const text = line.replace(leadingMarks, "");
  // Most lines of a long message are no header: a bracket or a digit must stand in front.
  if (!/^[[0-9\u0660-\uff19]/.test(text)) return null;
  const match = pattern.exec(westernDigits(text.slice(0, 90)));
  if (match === null) return null;
  const [
    whole,
    open,
    first = "",
    mark = "",
    second = "",
    third = "",
    comma,
    early,
    hourText,
    minuteText,
    secondText,
    late,
    close,
  ] = match;
  if ((open === undefined) !== (close === undefined)) return null;
  const half = early ?? late;
  let hour = Number(hourText);
  if (half !== undefined && hour <= 12) hour = (hour % 12) + (afternoon.test(half) ? 12 : 0);
  const minute = Number(minuteText);
  if (hour > 23 || minute > 59 || Number(secondText ?? 0) > 60) return null;
  return {
    kind: open === undefined ? "dash" : "bracket",
    stamp: {
      parts: [Number(first), Number(second), Number(third)],
      firstDigits: first.length,
      mark,
      hour,
      minute,
      second: secondText === undefined ? null : Number(secondText),
    },
    comma: comma !== undefined,
    rest: text.slice(whole.length),
  };
}

/** Marks of direction, isolates and byte order marks, which the application adds around names, numbers and notices. */
export function withoutMarks(text: string): string {
  return text.replace(/[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]/g, "");
}

/** Splits `NAME: TEXT` at the first colon and blank; null for a notice without a sender. */
export function splitSender(rest: string): { name: string; text: string } | null {
  const at = rest.search(/: |:$|:(?=\u200e)/);
  if (at <= 0 || at > 150) return null;
  return { name: rest.slice(0, at), text: rest.slice(at + 1).replace(/^ /, "") };
}
