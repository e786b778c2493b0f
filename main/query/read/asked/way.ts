import type { QueryPlan } from "#contract";
import type { Candidate } from "../../candidates/candidates.ts";
import { perPlan } from "../per-plan.ts";

/** Which way a journey goes: the flight to a place is another one than the flight back from it. */

interface Way {
  /** The place that is gone to, or come from. */
  readonly place: string;
  readonly to: boolean;
}

const journey =
  /(?<!\p{L})(?:flights?|flew|fly|trains?|bus|coach|ferry|boat|crossing|journey|trip|drive|tickets?|flug|flüge|hinflug|rückflug|zug|bahn|fahrt|hinfahrt|rückfahrt|fähre|reise|ticket|fahrkarten?)(?!\p{L})/iu;
const asked = /(?<!\p{L})(?:(?<to>[Tt]o|[Nn]ach)|(?:[Ff]rom|[Vv]on|[Aa]us))\s(?<place>\p{Lu}[\p{L}'’-]+)/u;
const goesBack = /(?<!\p{L})(?:back|return|home|way home|zurück|rück\p{L}+|heim\p{L}*)(?!\p{L})/iu;
/** What a ticket calls the two ways, before each of them. */
const legs =
  /(?<!\p{L})(?:(?<back>back|return|inbound|homeward|rückflug|rückfahrt|rückreise|zurück)|out|outbound|outward|hinflug|hinfahrt|hinreise|hin)\s?:/giu;

const askedWay = perPlan(({ question }: QueryPlan): Way | null => {
  if (!journey.test(question)) return null;
  const { to, place } = asked.exec(question.slice(0, 500))?.groups ?? {};
  return place === undefined ? null : { place, to: to !== undefined };
});

/** Whether a leg is of the journey that is asked for (1), of the one the other way (−1), or does not say (0). */
function along({ question }: QueryPlan, way: Way, leg: string, cue: "out" | "back" | null): number {
  const place = way.place.replace(/[’'-]/g, ".");
  const leaves = new RegExp(`(?<!\\p{L})${place}\\s?(?:\\([^)]*\\)\\s?)?(?:to|nach|–|-|—|→|>)\\s?\\p{Lu}`, "u").test(
    leg,
  );
  const reaches = new RegExp(`(?:(?<!\\p{L})(?:to|nach)|[–—→>]|\\s-)\\s?${place}(?!\\p{L})`, "u").test(leg);
  if (leaves !== reaches) return leaves === way.to ? -1 : 1;
  const returns = goesBack.test(question) || !way.to;
  if (cue === "back") return returns ? 1 : -1;
  return cue === "out" && goesBack.test(question) ? -1 : 0;
}

interface Leg {
  readonly start: number;
  readonly along: number;
}

/** The legs of a text, each from where it begins; the first one begins the text. */
function legsOf(plan: QueryPlan, way: Way, text: string): Leg[] {
  const cues = [...text.matchAll(legs)];
  const starts = [
    { at: 0, cue: null },
    ...cues.map(({ index, groups }) => ({
      at: index,
      cue: groups?.back === undefined ? ("out" as const) : ("back" as const),
    })),
  ];
  return starts.map(({ at, cue }, place) => ({
    start: at,
    along: along(plan, way, text.slice(at, starts[place + 1]?.at ?? text.length), cue),
  }));
}

const onlyOther = (found: readonly Leg[]): boolean =>
  found.some((leg) => leg.along < 0) && !found.some((leg) => leg.along > 0);

/** A sentence of the journey the other way: "Porto to Bergen" where the way to Porto is asked for. `at`: what stands there. */
export function otherWay(plan: QueryPlan, quote: string, at?: number): boolean {
  const way = askedWay(plan);
  if (way === null) return false;
  const found = legsOf(plan, way, quote);
  return at === undefined ? onlyOther(found) : (found.findLast(({ start }) => start <= at)?.along ?? 0) < 0;
}

/** A record that tells of the other way, and not of the one asked for. */
export function onlyOtherWay(plan: QueryPlan, { record }: Candidate): boolean {
  const way = askedWay(plan);
  if (way === null || record.text === null) return false;
  return onlyOther(
    record.text
      .slice(0, 4_000)
      .split("\n")
      .flatMap((line) => legsOf(plan, way, line)),
  );
}
