/**
 * Questions about two things: the time between them, which of them was the dearer, the earlier, the longer one, what they
 * cost together or one more than the other, and how old somebody was at some time.
 */

export type SideType = "date" | "amount" | "duration";

export interface Sides {
  /**
   * `apart`: the time from one to the other; `larger` and `smaller`: which of the two; `sum` and `gap`: of their amounts;
   * `age`: of the first one at the time of the second (empty: the time is named, or now).
   */
  readonly asks: "apart" | "larger" | "smaller" | "sum" | "gap" | "age";
  readonly type: SideType;
  /** What is asked about, in the question's words. */
  readonly sides: readonly [string, string];
  /** In what the time between is to be said; null: not said. */
  readonly unit: "day" | "week" | "month" | "year" | null;
}

const stretch = "how (?:long|much time|many (?<en>days|weeks|months|years))";
const dauer = "wie (?:lange|viel zeit|viele (?<de>tage|wochen|monate|jahre))";
const verb = "(?:did|was|were|is|are|do|does|had|has)";
const verbDe = "(?:wurden?|war(?:en)?|haben?|hat(?:te)?|ist|sind|kam(?:en)?|fand(?:en)?|begann|gab)";

const apart: readonly RegExp[] = [
  new RegExp(`^\\W*${stretch}(?!\\p{L}).*?\\bbetween\\s+(?<a>.+?)\\s+and\\s+(?<b>.+?)[?.!\\s]*$`, "iu"),
  new RegExp(
    `^\\W*${stretch}\\s+(?:was it |is it |did it take )?from\\s+(?<a>.+?)\\s+(?:to|until|till)\\s+(?<b>.+?)[?.!\\s]*$`,
    "iu",
  ),
  new RegExp(`^\\W*${stretch}\\s+(?:before|after)\\s+(?<a>.+?)\\s+${verb}\\s+(?<b>.+?)[?.!\\s]*$`, "iu"),
  new RegExp(`^\\W*${stretch}\\s+(?:before|after)\\s+(?<a>.+?),\\s*(?<b>.+?)[?.!\\s]*$`, "iu"),
  new RegExp(`^\\W*${dauer}(?!\\p{L}).*?(?<!\\p{L})zwischen\\s+(?<a>.+?)\\s+und\\s+(?<b>.+?)[?.!\\s]*$`, "iu"),
  new RegExp(`^\\W*${dauer}\\s+(?:vor|nach)\\s+(?<a>.+?)\\s+${verbDe}\\s+(?<b>.+?)[?.!\\s]*$`, "iu"),
];

const together = "together|altogether|in total|combined|in all|all together|zusammen|insgesamt";
const ending = "[?.!\\s]*$";
const amounts: readonly (readonly ["sum" | "gap", RegExp])[] = [
  [
    "sum",
    new RegExp(
      `^\\W*(?:how much|what|wie ?viel|was)(?!\\p{L}).*?(?<!\\p{L})(?:did|was|were|is|are|do|does|for|on|of|kostete[nt]?|kosten|haben|hat|für|von)\\s+(?<a>(?!we\\s|wir\\s).+?)\\s+(?:and|plus|und)\\s+(?:for\\s|on\\s|für\\s)?(?<b>.+?)\\s+(?:cost\\s+)?(?:us\\s+)?(?:${together})(?:\\s+(?:cost|gekostet|kosten|bezahlt|ausgegeben))?${ending}`,
      "iu",
    ),
  ],
  [
    "gap",
    new RegExp(
      `^\\W*(?:by )?how much (?:more|less)(?: expensive)?\\s+(?:did|was|were|is|are|do|does)\\s+(?<a>.+?)\\s+(?:cost\\s+)?than\\s+(?<b>.+?)${ending}`,
      "iu",
    ),
  ],
  [
    "gap",
    new RegExp(
      `^\\W*(?:by )?how much (?:cheaper|dearer|pricier|more expensive|less expensive)\\s+(?:was|were|is|are)\\s+(?<a>.+?)\\s+than\\s+(?<b>.+?)${ending}`,
      "iu",
    ),
  ],
  [
    "gap",
    new RegExp(
      `^\\W*(?:um )?wie ?viel (?:mehr|weniger|teurer|billiger|günstiger)\\s+(?:war(?:en)?|ist|sind|kostete[nt]?)\\s+(?<a>.+?)\\s+als\\s+(?<b>.+?)${ending}`,
      "iu",
    ),
  ],
  [
    "gap",
    new RegExp(
      `(?:difference in (?:price|cost)|price difference|preisunterschied)\\s+(?:between|zwischen)\\s+(?<a>.+?)\\s+(?:and|und)\\s+(?<b>.+?)${ending}`,
      "iu",
    ),
  ],
];

const ages: readonly RegExp[] = [
  /^\W*how old (?:was|were|is|are|will|had)\s+(?<a>.+?)(?:\s+be)?(?:,?\s+(?:when|as|at the time (?:of|when))\s+(?<b>.+?))?[?.!\s]*$/iu,
  /^\W*wie alt (?:war(?:en)?|ist|sind|wird|wurde)\s+(?<a>.+?)(?:,?\s+(?:als|wenn|bei)\s+(?<b>.+?))?[?.!\s]*$/iu,
];
/** "Signe on 1 April" is Signe: what says when is no name. */
const when = /\s+(?:in|on|at|by|im|am|an|seit|this|last|next|now|today|heute|jetzt)(?!\p{L}).*$/iu;

/** Words by which a birth or an age is told, for finding those records. */
export const bornWords: readonly string[] = ["born", "birthday", "turns", "geboren", "Geburtstag", "wird"];

const units = [
  ["day", /^(?:day|tag)/i],
  ["week", /^(?:week|woche)/i],
  ["month", /^(?:month|monat)/i],
  ["year", /^(?:year|jahr)/i],
] as const;

const degrees: readonly (readonly [words: string, type: SideType, asks: "larger" | "smaller"])[] = [
  ["more expensive|dearer|pricier|costs? more|teurer|kostete mehr|mehr gekostet", "amount", "larger"],
  ["less expensive|cheaper|costs? less|billiger|günstiger|preiswerter", "amount", "smaller"],
  ["earlier|first|sooner|früher|zuerst|eher", "date", "smaller"],
  ["later|last|später|zuletzt", "date", "larger"],
  ["longer|länger", "duration", "larger"],
  ["shorter|kürzer", "duration", "smaller"],
];

const comparing = degrees.map(([words, type, asks]) => ({
  type,
  asks,
  // "Which was dearer, the kayak or the tent?"
  choice: new RegExp(
    `^\\W*(?:which|what|who|was|welche[rs]?|wer|wann)(?!\\p{L})[^,:]*?(?<!\\p{L})(?:${words})(?!\\p{L})[^,:]*[,:–-]\\s*(?<a>.+?)\\s+(?:or|oder)\\s+(?<b>.+?)[?.!\\s]*$`,
    "iu",
  ),
  // "Was the kayak dearer than the tent?"
  than: new RegExp(
    `^\\W*(?:was|is|were|are|did|do|does|war(?:en)?|ist|sind|hat|haben)\\s+(?<a>.+?)\\s+(?:${words})\\s+(?:than|als)\\s+(?<b>.+?)[?.!\\s]*$`,
    "iu",
  ),
}));

/** The two things that a question sets beside each other; null for every other question. */
export function sidesOf(question: string): Sides | null {
  const text = question.slice(0, 500);
  for (const pattern of apart) {
    const { a, b, en, de } = pattern.exec(text)?.groups ?? {};
    if (a === undefined || b === undefined) continue;
    const unit = units.find(([, word]) => word.test(en ?? de ?? ""))?.[0] ?? null;
    return { asks: "apart", type: "date", sides: [a, b], unit };
  }
  for (const [asks, pattern] of amounts) {
    const { a, b } = pattern.exec(text)?.groups ?? {};
    if (a !== undefined && b !== undefined) return { asks, type: "amount", sides: [a, b], unit: null };
  }
  for (const pattern of ages) {
    const { a, b } = pattern.exec(text)?.groups ?? {};
    if (a !== undefined) return { asks: "age", type: "date", sides: [a.replace(when, ""), b ?? ""], unit: "year" };
  }
  for (const { type, asks, choice, than } of comparing) {
    const { a, b } = (choice.exec(text) ?? than.exec(text))?.groups ?? {};
    if (a !== undefined && b !== undefined) return { asks, type, sides: [a, b], unit: null };
  }
  return null;
}
