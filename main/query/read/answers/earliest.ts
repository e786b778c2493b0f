import type { Claim, QueryPlan } from "#contract";
import { weekdayOf } from "../../../views/language/index.ts";
import type { Candidate } from "../../candidates/candidates.ts";
import { type Asked, coverage } from "../../plan/terms.ts";
import type { Draft } from "../draft.ts";
import { perPlan } from "../per-plan.ts";
import { sayDay, sayWeekday } from "../phrases.ts";
import { authorOf, claimOf, metadataOf, sayPicture } from "../say.ts";
import { passagesOf, type Reading } from "../sentences/sentences.ts";

/** "When was the first mail about the shed?" asks for a record itself: its own day answers, whatever days it tells of. */

/** Share of what is asked that a record must say itself to be about it. */
const leastAbout = 0.75;

const kindOfRecord =
  "(?:(?:e-?)?mails?|messages?|posts?|letters?|notes?|texts?|photos?|pictures?|nachrichten?|fotos?|bilder?|briefe?|notizen?)";
const ordinal = {
  first: "(?:first|earliest|oldest|erste[nrsm]?|früheste[nrsm]?|älteste[nrsm]?)",
  last: "(?:last|latest|newest|most recent|letzte[nrsm]?|neueste[nrsm]?|jüngste[nrsm]?)",
} as const;
const about =
  "(?:about|on|of|from|by|regarding|concerning|mentioning|that mentions?|with|über|zu[rm]?|von|vom|mit|wegen)";
const pattern = (words: string) => new RegExp(`(?<!\\p{L})${words}\\s${kindOfRecord}\\s${about}(?!\\p{L})`, "iu");
const [first, last] = [pattern(ordinal.first), pattern(ordinal.last)];

/** Which end of a row of records is asked for; null where the question asks for something else. */
export const asksEnd = perPlan(({ question, answerType }): "first" | "last" | null => {
  if (answerType !== "date" && answerType !== "person") return null;
  return first.test(question) ? "first" : last.test(question) ? "last" : null;
});

/** Words that only say which record is meant. */
const which =
  /^(?:first|last|earliest|latest|oldest|newest|recent|message|post|letter|note|text|erst|letzt|nachricht|brief|notiz)/u;

function matterOf(asked: Asked): Asked {
  const terms = asked.terms.filter(({ text }) => !which.test(text.toLowerCase()));
  return terms.length === 0 ? asked : { ...asked, terms };
}

/** The earliest or latest record that speaks of the matter, by its own time; null where none does. */
export function endDraft(reading: Reading, candidates: readonly Candidate[]): Draft | null {
  const { plan } = reading;
  const end = asksEnd(plan);
  if (end === null) return null;
  const asked = matterOf(reading.asked);
  // What the record itself says: what stands around it may have been said before, and who wrote it is filtered by.
  const matter = { ...asked, names: [] };
  const found = candidates
    .filter(({ record, moment }) => moment !== null && record.kind !== "system" && record.kind !== "event")
    .filter(({ record }) => plan.kinds.length === 0 || plan.kinds.includes(record.kind))
    .filter(({ record }) => plan.people.length === 0 || plan.people.some(({ name }) => name === record.author?.name))
    .filter(({ stems }) => asked.terms.length === 0 || coverage(matter, stems) >= leastAbout)
    .toSorted((a, b) => (instantOf(a) - instantOf(b)) * (end === "first" ? 1 : -1));
  const [one] = found;
  if (!one || one.day === null) return null;
  const [passage] = passagesOf({ ...reading, asked, plan: { ...plan, answerType: "text", windows: [] } }, [one]);
  if (!passage) return null;
  const front = frontOf(plan, one);
  const claim: Claim = wordless.has(one.record.kind)
    ? { id: "c1", text: `${sayPicture(plan, one)}.`, citations: metadataOf(one), value: front, standing: "current" }
    : claimOf("c1", { ...plan, answerType: "text" }, passage, front, "current");
  return { claims: [claim], fits: true, said: 1, cosine: one.features.cos, inTime: passage.inTime };
}

const wordless: ReadonlySet<string> = new Set(["photo", "video"]);

/** People write from several time zones: what came first is told by the instant, where it is known. */
function instantOf({ record, moment }: Candidate): number {
  const instant = Date.parse(record.time?.utc ?? "");
  return Number.isNaN(instant) ? (moment ?? 0) : instant;
}

function frontOf(plan: QueryPlan, candidate: Candidate): string | null {
  const { day, record } = candidate;
  if (plan.answerType === "person") return authorOf(candidate);
  if (day === null) return null;
  const hour = /T(\d\d:\d\d)/.exec(record.time?.local ?? "")?.[1];
  const exact = hour !== undefined && !["day", "month", "year"].includes(record.time?.precision ?? "day");
  return `${sayWeekday(weekdayOf(day), plan.language)} ${sayDay(day, plan.language)}${exact ? `, ${hour}` : ""}`;
}
