import type { QueryPlan } from "#contract";
import { stem, wordsOf } from "../../../views/language/index.ts";
import { perPlan } from "../per-plan.ts";

/**
 * Lines of a mail that nobody says: changed lines of code (unified diffs, git-format-patch), trailers ("Signed-off-by: …",
 * git-interpret-trailers), who wrote and when before a quotation, quotations marked with the writer's initials, and the
 * writer's own name at the end.
 */

/** Whether [start, end) of a text lies in lines that answer nothing of the question. */
export type IsUnsaid = (start: number, end: number) => boolean;

const nothing: IsUnsaid = () => false;

export function unsaidIn(plan: QueryPlan, text: string): IsUnsaid {
  return unsaidBut(wantedOf(plan), text);
}

/** The same, whatever is asked. */
export const unsaidAnyway = (text: string): IsUnsaid => unsaidBut({ code: false, trailers: new Set() }, text);

/** What the question asks of such lines: code, and trailers by the stem of their first word. */
interface Wanted {
  readonly code: boolean;
  readonly trailers: ReadonlySet<string>;
}

function unsaidBut({ code, trailers }: Wanted, text: string): IsUnsaid {
  if (!anyMark.test(text)) return nothing;
  const unsaid: (readonly [from: number, to: number])[] = [];
  const lines = text.split("\n");
  const patched = formatted.test(text);
  let at = 0;
  let inPatch = false;
  for (const [index, line] of lines.entries()) {
    if (patchHead.test(line)) inPatch = true;
    else if (inPatch) inPatch = line === "" || patchBody.test(line);
    const drop =
      (!code && (inPatch || stat.test(line) || shortlog.test(line))) ||
      (patched && head.test(line)) ||
      (isTrailer(line) && !trailers.has(stem(/^\p{L}+/u.exec(line)?.[0].toLowerCase() ?? ""))) ||
      initials.test(line) ||
      signedOff.test(line) ||
      introduces(line, lines, index);
    if (drop) unsaid.push([at, at + line.length]);
    at += line.length + 1;
  }
  return unsaid.length === 0 ? nothing : (start, end) => unsaid.some(([from, to]) => start < to && from < end);
}

/** Most texts have none of the lines that are looked for: one look tells. */
const anyMark =
  /@|^[-+–—]|^\s?\p{Lu}{1,4}>|[:：]\s*$|\s\|\s+(?:\d|Bin)|files? changed|\(\d+\):\s*$|^\p{Lu}[\p{L}-]+: \S/mu;

const patchHead =
  /^(?:diff --git |diff -\w|Index: \S|--- (?:[ab]\/|\/dev\/null|\S+\/\S)|\+\+\+ (?:[ab]\/|\S+\/\S)|@@ -\d+(?:,\d+)? \+\d)/;
const patchBody =
  /^(?:[-+ @\\]|(?:index [\da-f]{4,}|new file mode|deleted file mode|old mode|new mode|similarity index|rename (?:from|to)|copy (?:from|to)|Binary files) ?)/;
/** "lib/shed.c | 12 ++--", "3 files changed, 10 insertions(+)", "create mode 100644 x". */
const stat = /^\s*\S+\s+\|\s+(?:\d+\s[-+]*|Bin\b.*)$|^\s*\d+ files? changed(?:,|$)|^\s*(?:create|delete) mode \d{6}\s/;
/** "Edda Brandt (3):" heads the changes of one author (git-shortlog). */
const shortlog = /^\s*\p{Lu}[\p{L} .'’-]+ \(\d+\):\s*$/u;
/** A file of `git format-patch`, and the lines of a letter's head at its top: the day of a change is no day of what it is about. */
const formatted = /^\s*From [\da-f]{40} /u;
const head = /^(?:From [\da-f]{40} |(?:From|Date|Subject): \S)/u;
const trailer = /^(?:\p{Lu}[\p{L}-]+-[Bb]y|Cc|CC|Fixes|Link|Change-Id|Message-I[dD]): \S/u;
const isTrailer = (line: string): boolean => trailer.test(line);
/** "LK> Is it open?": what the person with these initials wrote. */
const initials = /^\s{0,2}\p{Lu}{1,4}>(?:\s|$)/u;
/** "-Edda", "– Edda (who is off to bed)". */
const signedOff = /^\s*[-–—]{1,2}\s?\p{Lu}[\p{L}'’.]*(?:\s\p{Lu}[\p{L}'’.]*)?\s*(?:\([^()]*\)?)?[.,]?$/u;

const clock = /\d{1,2}:\d{2}/;
const date =
  /(?<!\d)(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}\.? \p{L}{3,9}\.? \d{4}|\p{L}{3,9} \d{1,2}, \d{4})(?!\d)/u;
const address = /[^\s<>@]+(?:@| at )[\w-]+(?:\.[\w-]+)+/;
/** Verbs of writing at the end of a line. */
const writes =
  /(?<!\p{L})(?:wrote|writes|said|says|schrieb|schreibt|geschrieben|sagte|écrit|escribió|scritto)\s*[:：]?\s*$/iu;
const quotation = /^\s*(?:\p{Lu}{0,4}[>|›»])/u;

/** A line that tells who wrote what follows, and when. */
function introduces(line: string, lines: readonly string[], at: number): boolean {
  if (line.length > 300 || line.trim() === "") return false;
  const told = [address.test(line), clock.test(line), date.test(line)].filter(Boolean).length;
  const colon = /[:：]\s*$/.test(line);
  if (told >= 2 && (colon || writes.test(line))) return true;
  if (!colon || (told === 0 && !writes.test(line))) return false;
  const rest = lines.slice(at + 1, at + 4);
  const next = rest.find((one) => one.trim() !== "");
  // What was quoted is blanked out before it is read.
  return (next !== undefined && quotation.test(next)) || rest.some((one) => one.length > 1 && one.trim() === "");
}

/** What the question itself asks of such lines. */
const wantedOf = perPlan(
  (plan): Wanted => ({
    code: asksCode.test(plan.question),
    trailers:
      plan.answerType === "person" || plan.answerType === "yesno"
        ? new Set(wordsOf(plan.question.slice(0, 2_000)).map(({ folded }) => stem(folded)))
        : new Set(),
  }),
);
const asksCode =
  /(?<!\p{L})(?:code|diff|hunk|function|variable|struct|macro|typedef|signature|lines? (?:of (?:code|the patch)|was|were)|quellcode|funktion|codezeilen?)(?!\p{L})/iu;
