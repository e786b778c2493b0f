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
  /** Written in a way that only languages with the year in front use. */
  readonly yearFirst: boolean;
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
/** Halves of the day that stand before the clock: languages of East Asia, Hungarian, Turkish. */
const before = "午前|午後|上午|下午|凌晨|清晨|早上|中午|晚上|오전|오후|ÖÖ|ÖS|de\\.|du\\.";
/** Halves of the day behind it. */
const after = [
  "[ap]\\.?[ \\u00a0\\u202f]?m\\.?",
  'ص|م|ق\\.?ظ\\.?|ب\\.?ظ\\.?|قبل از ظهر|بعد از ظهر|قبل دوپہر|بعد دوپہر|אחה״צ|לפנה["״]צ|אחה["״]צ',
  "π\\.?μ\\.?|μ\\.?μ\\.?|SA|CH|ÖÖ|ÖS|de\\.|du\\.|[fe]m|[ai]p\\.|dop\\.|odp\\.|дп|пп|пр\\.об\\.|сл\\.об\\.",
  "पूर्वाह्न|अपराह्न|म\\.पू\\.|म\\.उ\\.|পূর্বাহ্ন|অপরাহ্ন|முற்பகல்|பிற்பகல்|ก่อนเที่ยง|หลังเที่ยง|priekšp\\.|pēcp\\.|priešpiet|popiet|PD|MD",
].join("|");
/** What stands between date and clock in some languages. */
const joint = "um|à|às|a las|at|klo|kl\\.|alle(?: ore)?|om|o|в|la|u|lúc|saat|στις|الساعة|בשעה|pukul|г\\.,?";

const date = [
  `(?<first>\\d{1,4})${marks}{0,2}${blank}?(?<mark>[/.\\-\\u2010年년])${marks}{0,2}${blank}?`,
  `(?<second>\\d{1,2})${marks}{0,2}${blank}?[/.\\-\\u2010月월]${marks}{0,2}${blank}?`,
  `(?<third>\\d{1,4})[.日일]?${marks}{0,2}`,
].join("");
const clock = [
  `(?:(?<early>${before})${blank}?)?`,
  `(?<hour>\\d{1,2})(?:[:.٫]|${blank}?h${blank}?)(?<minute>\\d{2})(?:(?:[:.٫]|${blank}?min${blank}?)(?<seconds>\\d{2})${blank}?s?)?(?:${blank}?(?:min|ч\\.))?`,
  `(?:${blank}{0,2}${marks}{0,2}(?<late>${after})(?![\\p{L}\\p{M}]))?${marks}{0,2}`,
].join("");
const close = `(?:(?<close>\\])${blank}?|${blank}${marks}{0,2}[-–—]${marks}{0,2}${blank})`;
const open = `^(?<open>\\[)?${marks}{0,3}`;

const pattern = new RegExp(
  `${open}${date}${blank}?(?<comma>[,،、])?${marks}{0,2}${blank}{0,3}(?:(?:${joint})${blank}{1,2})?${clock}${close}`,
  "iu",
);
/** Vietnamese and some others put the clock first: `21:05, 3/4/2024 - NAME: …`. */
const clockFirst = new RegExp(`${open}${clock}(?<comma>[,،、])?${marks}{0,2}${blank}{1,3}${date}${close}`, "iu");

const afternoon =
  /^(?:p|م$|ب|بعد|μ\.?μ|CH$|ÖS$|du\.|em$|ip\.|odp|пп|сл|अप|म\.उ|অপ|பிற்|หลัง|pēc|popiet|MD$|אחה|午後|下午|中午|晚上|오후)/iu;
const leadingMarks = /^[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/;

/** Reads a message header at the start of a line; null when there is none. */
export function parseHeader(line: string): Header | null {
  const text = line.replace(leadingMarks, "");
  // Most lines of a long message are no header: a bracket or a digit must stand in front.
  if (!/^[[0-9\u0660-\uff19]/.test(text)) return null;
  const start = westernDigits(text.slice(0, 90));
  const match = pattern.exec(start) ?? clockFirst.exec(start);
  if (match === null) return null;
  const {
    open: opened,
    close: closed,
    early,
    late,
    first = "",
    second,
    third,
    mark = "",
    comma,
    seconds,
  } = match.groups ?? {};
  const half = early ?? late;
  if ((opened === undefined) !== (closed === undefined)) return null;
  let hour = Number(match.groups?.hour);
  if (half !== undefined && hour <= 12) hour = (hour % 12) + (afternoon.test(half) ? 12 : 0);
  const minute = Number(match.groups?.minute);
  if (hour > 23 || minute > 59 || Number(seconds ?? 0) > 60) return null;
  return {
    kind: opened === undefined ? "dash" : "bracket",
    stamp: {
      parts: [Number(first), Number(second), Number(third)],
      firstDigits: first.length,
      mark,
      hour,
      minute,
      second: seconds === undefined ? null : Number(seconds),
      yearFirst: /[年년]/.test(mark) || /^[\u3040-\u9fff\uac00-\ud7af]/.test(half ?? ""),
    },
    comma: comma !== undefined,
    rest: text.slice(match[0].length),
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
